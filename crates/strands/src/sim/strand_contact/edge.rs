//! What the strands of a block tell of the strands they touch.

use crate::math::lanes::{Lane, V3};
use glam::Vec3;

/// Forces of one pair of edges on one of them, for a strand of ordinary linear density.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeForce {
    /// Normal force. `[m²/s²]`
    pub push: f32,
    /// Friction. `[m²/s²]`
    pub friction: Vec3,
}

/// What a block's strands did in a round.
#[derive(Clone, Debug)]
pub struct EdgeContacts<T> {
    /// The first vertex of each strand, counted over all strands.
    pub vertices: Vec<u32>,
    /// Where the sides of the block's edges begin among those of all.
    pub first_side: u32,
    /// What each of these sides has felt; only those with a plane are written.
    pub forces: Vec<EdgeForce>,
    /// How far each vertex has moved. `[m]`
    pub moved: Vec<V3<T>>,
}

impl<T: Lane> EdgeContacts<T> {
    /// Nothing yet, for strands of so many rows.
    pub fn new(rows: usize) -> Self {
        Self {
            vertices: Vec::new(),
            first_side: 0,
            forces: Vec::new(),
            moved: vec![V3::zero(); rows],
        }
    }
}
