//! How the skin bends in the neck: each point turns about the head's pivot by
//! the torso's turn times a weight that grows down the neck.

use crate::{
    math::{
        elementary::{cos, sin},
        lanes::{Lane, LaneRotation, V3},
    },
    mesh::Neck,
};
use glam::{Quat, Vec3};

/// Where the neck bends, in the head's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeckBand {
    /// What the torso turns about, as the head does. `[m]`
    pub pivot: Vec3,
    /// A point of the middle plane. `[m]`
    pub centre: Vec3,
    /// Unit normal of that plane, towards the head.
    pub normal: Vec3,
    /// From where skin goes with the head to where it goes with the torso. `[m]`
    pub width: f32,
    /// How thick the neck is there, from its middle. `[m]`
    pub radius: f32,
}

impl NeckBand {
    /// A band of that `width` across `neck`, `height` above its narrowest level
    /// and leaning down to the front by `tilt`. `[m]`, `[rad]`
    pub fn new(neck: &Neck, pivot: Vec3, [height, tilt, width]: [f32; 3]) -> Self {
        Self {
            pivot,
            centre: neck.centre + Vec3::Y * height,
            normal: Vec3::new(0.0, cos(tilt), sin(tilt)),
            width: width.max(1e-4),
            radius: neck.radius,
        }
    }

    /// How far `p` lies above the band's lower edge, in widths of the band.
    #[inline]
    pub fn level(&self, p: Vec3) -> f32 {
        self.levels(p.into())
    }

    /// The same for a row of points.
    #[inline(always)]
    pub fn levels<T: Lane>(&self, p: V3<T>) -> T {
        let above = (p - self.centre.into()).dot(self.normal.into());
        above / T::splat(self.width.into()) + T::splat(0.5)
    }

    /// How much of the torso's turn a point at rest at `p` takes, 0 to 1.
    #[inline]
    pub fn weight(&self, p: Vec3) -> f32 {
        weight(self.level(p))
    }
}

/// So much of the band at either edge lets the bend in.
const EASE: f32 = 0.2;

/// The steepest fall of the weight over the band.
const STEEPEST: f32 = 1.0 / (1.0 - EASE);

/// The weight at a level of the band: straight but at the edges, where it comes in
/// smoothly. Skin has no crease so, and folds later than by a smoother way, which
/// is steeper in the middle.
#[inline(always)]
fn weight<T: Lane>(level: T) -> T {
    let (zero, one, ease) = (T::zero(), T::splat(1.0), T::splat(EASE.into()));
    let t = one - level;
    let straight = T::splat(STEEPEST.into()) * (t - T::splat((0.5 * EASE).into()));
    let late = T::splat((1.0 - EASE).into()).less(t, one - eased((one - t).max(zero)), straight);
    t.less(ease, eased(t.max(zero)), late)
}

/// The weight near the band's upper edge, and what is missing near the lower one.
#[inline(always)]
fn eased<T: Lane>(t: T) -> T {
    T::splat((0.5 * STEEPEST / EASE).into()) * t * t
}

/// How fast the weight falls with the level.
#[inline(always)]
fn slope<T: Lane>(level: T) -> T {
    let one = T::splat(1.0);
    let eased = level.min(one - level) / T::splat(EASE.into());
    T::splat(STEEPEST.into()) * eased.max(T::zero()).min(one)
}

/// A neck bent by one turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeckBend {
    /// Where it bends.
    pub band: NeckBand,
    /// The torso's turn as the head sees it: axis times angle. `[rad]`
    pub turn: Vec3,
    /// The same as a rotation.
    pub rotation: Quat,
    /// By what factor a distance may be too large at most where it was measured at
    /// rest across the band.
    pub slack: f32,
}

impl NeckBend {
    /// The neck of `band` under a torso turned by `rotation`, as the head sees it.
    pub fn new(band: NeckBand, rotation: Quat) -> Self {
        let rotation = if rotation.w < 0.0 {
            -rotation
        } else {
            rotation
        };
        let turn = rotation.to_scaled_axis();
        Self {
            band,
            turn,
            rotation,
            slack: 1.0 + STEEPEST * turn.length() * band.radius / band.width,
        }
    }

    /// Whether the torso is as the mesh has it.
    pub fn is_straight(&self) -> bool {
        self.turn == Vec3::ZERO
    }

    /// The turn of what has that weight.
    #[inline]
    pub fn share(&self, weight: f32) -> Quat {
        match weight {
            0.0 => Quat::IDENTITY,
            1.0 => self.rotation,
            _ => Quat::from_scaled_axis(self.turn * weight),
        }
    }

    /// Where a point at rest at `p` is. `[m]`
    pub fn point(&self, p: Vec3) -> Vec3 {
        let weight = self.band.weight(p);
        if weight == 0.0 {
            return p;
        }
        self.band.pivot + self.share(weight) * (p - self.band.pivot)
    }

    /// Where what is at `p` would be at rest if it had that weight. `[m]`
    #[inline]
    pub fn unturned(&self, weight: f32, p: Vec3) -> Vec3 {
        if weight == 0.0 {
            return p;
        }
        let pivot = self.band.pivot;
        pivot + self.share(weight).conjugate() * (p - pivot)
    }

    /// The weights of what is at points `p`, in the lanes where `open` is one: where
    /// neither head nor torso is alone. `levels` are those of the band there, and where a
    /// point would be at rest if it went with the torso.
    #[inline(always)]
    pub fn weights_at<T: Lane>(&self, p: V3<T>, levels: [T; 2], mut open: T) -> T {
        let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
        // What a point is thought to weigh, less what it weighs where that takes it
        // back to: not positive at 0, not negative at 1. By false position, with the
        // end that stays halved (Illinois).
        let (mut a, mut b) = (zero, one);
        let (mut low, mut high) = (zero - weight(levels[0]), one - weight(levels[1]));
        // Which end came nearer last: that at 0 if negative, that at 1 if positive.
        let mut side = zero;
        let (mut found, mut missing) = (zero, open);
        for _ in 0..12 {
            let span = high - low;
            open = T::splat(1e-6).less(span, open, zero);
            let lanes = half.bits_less(open);
            if lanes == 0 {
                break;
            }
            let w = a - low * (b - a) / span;
            let shares = LaneRotation::of_scaled_axes(V3::from(self.turn).scale(w), lanes);
            let here = w - weight(self.band.levels(self.unturned_by(&shares, p)));
            let near = here.abs().less(T::splat(1e-4), open, zero);
            found = near.choose(w, found);
            missing = near.choose(zero, missing);
            open = near.choose(zero, open);
            let below = here.less(zero, open, zero);
            let above = open - below;
            high = high * below.choose(side.less(zero, half, one), one);
            low = low * above.choose(zero.less(side, half, one), one);
            (a, low) = (below.choose(w, a), below.choose(here, low));
            (b, high) = (above.choose(w, b), above.choose(here, high));
            side = open.choose(above - below, side);
        }
        let between = a - low * (b - a) / (high - low).max(T::splat(1e-6));
        missing.choose(between, found)
    }

    /// Where what is at `p` would be at rest if it had turned so: the
    /// [shares](Self::share) of a row of points. `[m]`
    #[inline(always)]
    pub fn unturned_by<T: Lane>(&self, shares: &LaneRotation<T>, p: V3<T>) -> V3<T> {
        let pivot = self.band.pivot.into();
        pivot + shares.inverse(p - pivot)
    }

    /// The gradients, in the bent head, of what has the gradients `normal` at points `p`
    /// at rest, which turn by their `shares`.
    #[inline(always)]
    pub fn gradients<T: Lane>(&self, shares: &LaneRotation<T>, p: V3<T>, normal: V3<T>) -> V3<T> {
        // The bend is x = R(w(p)) p: its derivative R (I + u g^T), where u is how
        // p moves as w grows and g is the slope of w.
        let (away, rise) = self.shear(p);
        // Where skin folds over itself it has no one inverse.
        let stretch = stretch_of(away, rise).max(T::splat(FOLD.into()));
        shares.rotate(normal - rise.scale(away.dot(normal) / stretch))
    }

    /// How points at rest at `p` move as their weight grows, and the weight's slope.
    #[inline(always)]
    fn shear<T: Lane>(&self, p: V3<T>) -> (V3<T>, V3<T>) {
        let fall = slope(self.band.levels(p)) / T::splat(self.band.width.into());
        let away = V3::from(self.turn).cross(p - self.band.pivot.into());
        (away, V3::from(self.band.normal).scale(-fall))
    }

    /// By what factor the bend enlarges what is around a point at rest at `p`; not
    /// positive where skin folds over itself.
    #[cfg(test)]
    pub fn stretch(&self, p: Vec3) -> f32 {
        let (away, rise) = self.shear::<f32>(p.into());
        stretch_of(away, rise)
    }
}

/// Skin counts as pressed together to this share at most.
const FOLD: f32 = 0.25;

/// By what factor a bend enlarges what is where points move so as their weight grows,
/// and the weight rises so.
#[inline(always)]
fn stretch_of<T: Lane>(away: V3<T>, rise: V3<T>) -> T {
    T::splat(1.0) + away.dot(rise)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bend(turn: Vec3) -> NeckBend {
        let neck = Neck {
            centre: Vec3::new(0.0, -0.12, -0.02),
            radius: 0.05,
        };
        let band = NeckBand::new(&neck, Vec3::new(0.0, -0.12, 0.0), [0.0, 0.25, 0.055]);
        NeckBend::new(band, Quat::from_scaled_axis(turn))
    }

    /// Points in and around a neck.
    fn points() -> impl Iterator<Item = Vec3> {
        (0..4000).map(|i| {
            let part = |k: f32| (i as f32 * k).fract();
            let angle = part(0.618_034) * std::f32::consts::TAU;
            let radius = 0.07 * part(0.324_718).sqrt();
            Vec3::new(
                radius * cos(angle),
                -0.2 + 0.16 * part(0.754_878),
                radius * sin(angle) - 0.02,
            )
        })
    }

    /// The weight of what is at `p` between head and torso.
    fn weight_at(bend: &NeckBend, p: Vec3) -> f32 {
        let levels = [p, bend.unturned(1.0, p)].map(|p| bend.band.level(p));
        bend.weights_at::<f32>(p.into(), levels, 1.0)
    }

    #[test]
    fn a_point_of_the_neck_is_found_where_it_has_gone() {
        for turn in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X].map(|axis| axis * 0.4) {
            let bend = bend(turn);
            let mut between = 0;
            for p in points() {
                let there = bend.point(p);
                let wanted = bend.band.weight(p);
                if wanted == 0.0 || wanted == 1.0 {
                    continue;
                }
                between += 1;
                let found = weight_at(&bend, there);
                let back = bend.unturned(found, there);
                assert!(back.distance(p) < 2e-4, "{turn} {p}: {back}, {wanted}");
            }
            assert!(between > 500);
        }
    }

    #[test]
    fn gradients_are_those_of_differences() {
        let bend = bend(Vec3::new(0.3, 0.2, -0.1));
        let normal = Vec3::new(0.6, 0.0, 0.8);
        for p in points().filter(|p| (0.1..0.9).contains(&bend.band.level(*p))) {
            let there = bend.point(p);
            let at = |q: Vec3| normal.dot(bend.unturned(weight_at(&bend, q), q));
            let share = LaneRotation::<f32>::splat(bend.share(bend.band.weight(p)));
            let found = bend.gradients(&share, p.into(), normal.into()).at(0);
            let h = 4e-3;
            let wanted = Vec3::from_array(
                Vec3::AXES.map(|axis| (at(there + axis * h) - at(there - axis * h)) / (2.0 * h)),
            );
            assert!(found.distance(wanted) < 0.15, "{p}: {found} {wanted}");
        }
    }
}
