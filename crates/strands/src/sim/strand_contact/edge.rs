//! How the strands of a block move in a round of contact.

use crate::math::lanes::{Lane, V3};

/// What a block's strands did in a round.
#[derive(Clone, Debug)]
pub struct EdgeContacts<T> {
    /// The first vertex of each strand, counted over all strands.
    pub vertices: Vec<u32>,
    /// How far each vertex has moved. `[m]`
    pub moved: Vec<V3<T>>,
}

impl<T: Lane> EdgeContacts<T> {
    /// Nothing yet, for strands of so many rows.
    pub fn new(rows: usize) -> Self {
        Self {
            vertices: Vec::new(),
            moved: vec![V3::zero(); rows],
        }
    }
}
