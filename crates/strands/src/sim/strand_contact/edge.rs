//! What the strands of a block know of the strands they may touch.

use super::law::EdgePlane;
use crate::math::lanes::{Lane, V3};
use glam::Vec3;

/// One side of a pair of edges that may touch: the edge of a strand of this block,
/// and the other one, which may lie in any block.
#[derive(Clone, Copy, Debug)]
pub struct EdgePair {
    /// Lane of the strand in its block.
    pub lane: u16,
    /// Row of the edge's inner vertex.
    pub edge: u16,
    /// The edges' inner vertices, this one's first, counted over all strands.
    pub vertices: [u32; 2],
    /// Where the other edge has its side of the pair, counted over all blocks.
    pub back: u32,
    /// Whether each edge is the first and the last of its strand.
    pub ends: [[bool; 2]; 2],
    /// Share of what the pair must give way that this side takes: half between
    /// strands of equal mass, less beside a lighter one.
    pub share: f32,
    /// Distance that the middle lines keep. `[m]`
    pub distance: f32,
    /// Mean length of the two edges: their mass for each unit of linear density.
    /// `[m]`
    pub mass: f32,
}

/// Forces of one pair on one of its edges, for a strand of ordinary linear density.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeForce {
    /// Normal force. `[m²/s²]`
    pub push: f32,
    /// Friction. `[m²/s²]`
    pub friction: Vec3,
}

/// All contacts of a block's strands with strands.
#[derive(Clone, Debug)]
pub struct EdgeContacts<T> {
    /// Where the pairs of each lane begin, and where the last one's end.
    pub firsts: Vec<u32>,
    /// The pairs, by lane and edge.
    pub pairs: Vec<EdgePair>,
    /// What each edge meets in this round.
    pub planes: Vec<EdgePlane>,
    /// Which pairs are near enough for it, by their places in the list.
    pub near: Vec<u32>,
    /// What it has felt of that.
    pub forces: Vec<EdgeForce>,
    /// How far each vertex has moved in the round. `[m]`
    pub moved: Vec<V3<T>>,
}

impl<T: Lane> EdgeContacts<T> {
    /// None, for strands of so many rows.
    pub fn new(rows: usize) -> Self {
        Self {
            firsts: vec![0; T::LANES + 1],
            pairs: Vec::new(),
            planes: Vec::new(),
            near: Vec::new(),
            forces: Vec::new(),
            moved: vec![V3::zero(); rows],
        }
    }

    /// Lets go of all pairs.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Makes room for what the pairs meet, once they and the `firsts` of so many strands
    /// are noted.
    pub fn finish(&mut self, strands: usize) {
        let end = self.pairs.len();
        self.firsts[strands..].fill(end as u32);
        self.planes.resize(end, EdgePlane::default());
        self.forces.clear();
        self.forces.resize(end, EdgeForce::default());
    }

    /// The pairs of lanes `first..first + lanes`, by their places in the list.
    #[inline(always)]
    pub fn of_lanes(&self, first: usize, lanes: usize) -> std::ops::Range<usize> {
        self.firsts[first] as usize..self.firsts[first + lanes] as usize
    }
}
