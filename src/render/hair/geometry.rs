//! Guides at rest as the hair pass needs them: how finely they are drawn, and in
//! which order.

use super::{
    depth_sort::{DepthSort, Groups},
    strands::Drawn,
};
use crate::groom::{FlyAways, Followers, Groom};

/// What is worked out of guides at rest before they can be drawn.
pub(in super::super) struct HairGeometry {
    pub(super) order: DepthSort,
    /// Vertices of a usual strand.
    pub(super) usual: usize,
    /// Length of a usual edge. `[m]`
    pub(super) edge: f32,
    /// By how much more than one piece an edge must be drawn as where curls turn
    /// far at each vertex: pieces turn by [`TURN`] at most. From 1 on.
    pub(super) turned: f32,
    /// Most that `LookParams::rounding` may be where the processor draws and something moves,
    /// see [`live_rounding`].
    pub(in super::super) live_rounding: f32,
    /// How fly-aways stand off.
    pub(super) flying: FlyAways,
}

/// Pieces that turn by more show corners. `[rad]`
const TURN: f32 = 0.7;

/// More pieces are not made for it: noise is not a curl.
const MOST_TURNED: f32 = 3.0;

/// So many strands tell how far curls turn.
const ASKED: usize = 500;

/// How far the curls of most strands turn at a vertex. `[rad]`
fn usual_turn(groom: &Groom) -> f32 {
    let stride = groom.strands().div_ceil(ASKED).max(1);
    let mut turns: Vec<f32> = (0..groom.strands())
        .step_by(stride)
        .flat_map(|strand| groom.strand(strand).windows(3))
        .map(|p| (p[1] - p[0]).angle_between(p[2] - p[1]))
        .filter(|turn| turn.is_finite())
        .collect();
    turns.sort_unstable_by(f32::total_cmp);
    turns.get(turns.len() * 3 / 4).copied().unwrap_or(0.0)
}

/// The rounding of straight hair: it has a point at every second vertex.
const STRAIGHT_ROUNDING: f32 = 0.5;

/// Most that [`LookParams::rounding`](crate::render::LookParams) may be where the processor
/// draws and something moves, 0.5 to 1 by how far the strands of `groom` turn at their
/// vertices: curls of as few pieces as straight hair would be zigzags.
pub fn live_rounding(groom: &Groom) -> f32 {
    rounding_of(usual_turn(groom))
}

/// The same of strands that turn so far. `[rad]`
fn rounding_of(turn: f32) -> f32 {
    (turn / TURN).clamp(STRAIGHT_ROUNDING, 1.0)
}

/// In how many pieces an edge is drawn where the processor draws and something moves. At a
/// `rounding` of 1, `curls` would be enough for curls, and `view`, at least as many, for how
/// near the camera is: half of the latter will do, but never less than curls need.
pub(super) fn live_pieces(rounding: f32, [curls, view]: [f32; 2]) -> f32 {
    let enough = (STRAIGHT_ROUNDING * view).max(rounding * curls);
    (rounding * view).min(enough)
}

impl HairGeometry {
    /// Works it out.
    pub fn new(groom: &Groom) -> Self {
        let mut counts: Vec<usize> = (0..groom.strands()).map(|s| groom.range(s).len()).collect();
        counts.sort_unstable();
        let edges = groom.points.len().saturating_sub(groom.strands()).max(1);
        let length: f32 = (0..groom.strands())
            .flat_map(|strand| groom.strand(strand).windows(2))
            .map(|edge| edge[0].distance(edge[1]))
            .sum();
        let turn = usual_turn(groom);
        Self {
            order: DepthSort::new(groom),
            // Hair whose strands differ is drawn as finely as nearly all need.
            usual: counts.get(counts.len() * 9 / 10).copied().unwrap_or(2),
            edge: length / edges as f32,
            flying: FlyAways::of(groom),
            turned: (turn / TURN).clamp(1.0, MOST_TURNED),
            live_rounding: rounding_of(turn),
        }
    }

    /// The strands that are drawn, and who leads them.
    pub fn plant(&self, groom: &Groom, followers: &Followers) -> (Drawn, Groups) {
        let drawn = Drawn::new(groom, followers);
        let groups = self.order.grouped(&drawn.guides);
        (drawn, groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn pieces_in_motion_are_those_of_curls_and_in_close_views_half_as_many() {
        let pieces = |rounding, view| live_pieces(rounding, [1.0, view]);
        assert_eq!(
            [1.0, 1.5, 3.0].map(|view| pieces(1.0, view)),
            [1.0, 1.0, 1.5]
        );
        assert_eq!([1.0, 3.0].map(|view| pieces(0.5, view)), [0.5, 1.5]);
        // Never more than the look says.
        assert_eq!(pieces(0.3, 2.0), 0.6);
    }

    #[test]
    fn curls_in_motion_have_more_pieces_than_straight_hair_up_to_all() {
        // Round a circle by so much a vertex; not at all: along a line.
        let of_turn = |turn: f32| {
            let at = |i: u16| match turn == 0.0 {
                true => Vec3::X * f32::from(i),
                false => Vec3::new(
                    (turn * f32::from(i)).cos(),
                    (turn * f32::from(i)).sin(),
                    0.0,
                ),
            };
            live_rounding(&Groom {
                points: (0..40).map(at).collect(),
                starts: vec![0, 40],
                masses: vec![1.0],
                ..Groom::default()
            })
        };
        assert_eq!([0.0, 0.3, 0.8, 2.0].map(of_turn), [0.5, 0.5, 1.0, 1.0]);
        let between = of_turn(0.5);
        assert!((between - 0.5 / TURN).abs() < 1e-3, "{between}");
        assert_eq!(live_rounding(&Groom::default()), 0.5, "no hair");
    }
}
