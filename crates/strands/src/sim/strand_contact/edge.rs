//! What a block of strands keeps between the rounds of contact.

use crate::math::lanes::{Lane, V3};

/// How the strands of a block are accelerated in a step, and what they did in a round.
#[derive(Clone, Debug)]
pub struct EdgeContacts<T> {
    /// The first vertex of each strand, counted over all strands.
    pub vertices: Vec<u32>,
    /// How far each vertex has moved. `[m]`
    pub moved: Vec<V3<T>>,
    /// By what all but gravity accelerates each vertex in all rounds of a step: it is worked out
    /// once, as where strands do not touch. `[m/s²]`
    pub acceleration: Vec<V3<T>>,
}

impl<T: Lane> EdgeContacts<T> {
    /// Nothing yet, for strands of so many rows.
    pub fn new(rows: usize) -> Self {
        Self {
            vertices: Vec::new(),
            moved: vec![V3::zero(); rows],
            acceleration: Vec::new(),
        }
    }

    /// Memory that it takes. `[bytes]`
    pub fn bytes(&self) -> usize {
        size_of_val(&self.vertices[..])
            + size_of_val(&self.moved[..])
            + size_of_val(&self.acceleration[..])
    }
}
