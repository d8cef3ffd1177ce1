//! Clearance bounds under a torso that is turned: the head's and the torso's own, each asked
//! once for a whole row of points.

use super::bend::NeckBend;
use crate::{
    math::{
        instructions::Instructions,
        lanes::{Lane, LaneRotation},
        work::{LaneWork, lane_work},
    },
    sim::contact::{CollisionSurface, PointNumbers, PointRow},
};

/// So much of the band above the torso counts as torso where a point is above the
/// neck, too: where the skin folds.
pub(super) const OVERLAP: f32 = 0.25;

/// As [`CollisionSurface::clear`] where the neck of the resting `skin` is bent by `bend` at
/// the end of that substep. Agrees with a query above the neck and below it; between the
/// two, only a query can tell where the skin has gone. What does not ask has no bound that
/// means anything. `[m]`
pub(super) fn clear(
    skin: &dyn CollisionSurface,
    bend: &NeckBend,
    points: &PointRow,
    substep: usize,
) -> PointNumbers {
    let instructions = Instructions::widest();
    let head = skin.clear(points, substep);
    let (mut torso_asks, mut any_asks) = (PointRow::EMPTY, false);
    let asking = AskTorso {
        bend,
        points,
        head: &head,
        asks: &mut torso_asks,
        any_asks: &mut any_asks,
    };
    lane_work(instructions, asking);
    let torso = match any_asks {
        true => skin.clear(&torso_asks, substep),
        // It is not read then.
        false => head,
    };
    let mut clear = PointNumbers::splat(f32::MIN);
    let both = Both {
        bend,
        points,
        torso_asks: &torso_asks,
        head: &head,
        torso: &torso,
        clear: &mut clear,
    };
    lane_work(instructions, both);
    clear
}

/// Where points would be if they went with the torso, and which of them ask there.
struct AskTorso<'a> {
    bend: &'a NeckBend,
    points: &'a PointRow,
    /// Bounds as if all went with the head. `[m]`
    head: &'a PointNumbers,
    asks: &'a mut PointRow,
    /// Whether any does.
    any_asks: &'a mut bool,
}

impl LaneWork for AskTorso<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let (zero, band) = (T::zero(), &self.bend.band);
        let width = T::splat(band.width.into());
        for first in self.points.firsts::<T>() {
            let (p, asking) = self.points.lanes::<T>(first);
            let turn = LaneRotation::splat(self.bend.rotation);
            let there = self.bend.unturned_by(&turn, p);
            let (above, low) = (band.levels(p) - T::splat(1.0), band.levels(there));
            // Hair that is nearer to the head than to the neck need not know of the torso.
            let near = (low * width).less(self.head.lanes(first), asking, zero);
            let asks = above.less(zero, asking, near);
            *self.any_asks |= asks.any();
            self.asks.push(&there, asks);
        }
    }
}

/// What both say together.
struct Both<'a> {
    bend: &'a NeckBend,
    points: &'a PointRow,
    torso_asks: &'a PointRow,
    /// Bounds as if all went with the head, and with the torso where it was asked. `[m]`
    head: &'a PointNumbers,
    torso: &'a PointNumbers,
    clear: &'a mut PointNumbers,
}

impl LaneWork for Both<'_> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let (zero, none) = (T::zero(), T::splat(f32::MIN.into()));
        let band = &self.bend.band;
        let (width, slack) = (
            T::splat(band.width.into()),
            T::splat(self.bend.slack.into()),
        );
        for first in self.points.firsts::<T>() {
            let (p, _) = self.points.lanes::<T>(first);
            let (there, asks_torso) = self.torso_asks.lanes::<T>(first);
            let (above, low) = (band.levels(p) - T::splat(1.0), band.levels(there));
            let head = self.head.lanes::<T>(first);
            // Where nobody asked the torso, it is no nearer than the head.
            let torso: T = asks_torso.choose(self.torso.lanes(first), T::splat(f32::MAX.into()));
            // The other side of the band is no nearer than its edge.
            let up = across(head, above * width, slack).min(torso.max(low * width));
            // Where skin folds it takes a query to know where it has gone.
            let up = T::splat(OVERLAP.into()).less(low, up, none);
            let down = across(torso, -low * width, slack).min(head.max(-above * width));
            let down = zero.less(low, none, down);
            self.clear.put(first, above.less(zero, down, up));
        }
    }
}

/// The clearance bound of a point that lies so far from the `edge` of the band, from its
/// bound `clear` at rest: across the band a distance at rest may be too large by the factor
/// `slack`. `[m]`
#[inline(always)]
fn across<T: Lane>(clear: T, edge: T, slack: T) -> T {
    clear.min(clear.max(edge) / slack)
}
