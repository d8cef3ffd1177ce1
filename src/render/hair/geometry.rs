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
        Self {
            order: DepthSort::new(groom),
            // Hair whose strands differ is drawn as finely as nearly all need.
            usual: counts.get(counts.len() * 9 / 10).copied().unwrap_or(2),
            edge: length / edges as f32,
            flying: FlyAways::of(groom),
            turned: (usual_turn(groom) / TURN).clamp(1.0, MOST_TURNED),
        }
    }

    /// The strands that are drawn, and who leads them.
    pub fn plant(&self, groom: &Groom, followers: &Followers) -> (Drawn, Groups) {
        let drawn = Drawn::new(groom, followers);
        let groups = self.order.grouped(&drawn.guides);
        (drawn, groups)
    }
}
