//! Guides at rest as the hair pass needs them: how finely they are drawn, and in
//! which order.

use super::{
    depth_sort::{DepthSort, Groups},
    strands::Drawn,
};
use crate::groom::{Followers, Groom};

/// What is worked out of guides at rest before they can be drawn.
pub(in super::super) struct HairGeometry {
    pub(super) order: DepthSort,
    /// Vertices of a usual strand.
    pub(super) usual: usize,
    /// Length of a usual edge. `[m]`
    pub(super) edge: f32,
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
        }
    }

    /// The strands that are drawn, and who leads them.
    pub fn plant(&self, groom: &Groom, followers: &Followers) -> (Drawn, Groups) {
        let drawn = Drawn::new(groom, followers);
        let groups = self.order.grouped(&drawn.guides);
        (drawn, groups)
    }
}
