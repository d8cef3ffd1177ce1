//! A block of strands in one step, and what the methods do alike with it.

use super::{HeadTravel, Scratch, StepInput};
use crate::{
    math::lanes::{Lane, V3},
    sim::{contact, state::Block, step::prefetch_queries},
};

/// Leaves of what accelerates vertices the share that a method which takes over lets act yet.
pub(super) fn ease_in<T: Lane>(acceleration: &mut [V3<T>], share: f64) {
    if share < 1.0 {
        for row in acceleration {
            *row = row.scale(T::splat(share));
        }
    }
}

/// A block of strands in one step.
pub struct BlockStep<'a, T: 'static> {
    /// The strands.
    pub block: &'a mut Block<T>,
    /// Memory of the thread.
    pub scratch: &'a mut Scratch<T>,
    /// What the step needs beside them.
    pub input: &'a StepInput<'a>,
}

impl<T: Lane> BlockStep<'_, T> {
    /// Length of the step. `[s]`
    pub fn seconds(&self) -> f64 {
        self.input.h * self.input.substeps as f64
    }

    /// Makes room for the block's rows, and works out what the air does to them.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.scratch.fit(self.block.rows);
        prefetch_queries(self.block, self.input);
        self.input
            .accelerate(self.block, &mut self.scratch.acceleration);
    }

    /// Lets every row query what it may meet where it would go by itself. Notes
    /// in `scratch` where it was. `R` is a register.
    #[inline(always)]
    pub fn query_ahead<R: Lane>(&mut self, head: &HeadTravel<T>) {
        for i in 0..self.block.rows {
            let start = self.block.position[i] - head.root_moved;
            self.scratch.before[i] = start;
            let way = self.block.velocity[i].scale(T::splat(self.input.h));
            self.block.position[i] = start + way;
            contact::update_planes::<T, R>(self.block, self.scratch, self.input, head, i);
        }
    }

    /// Notes how far every row has gone since [`query_ahead`](Self::query_ahead).
    /// `R` is a register.
    #[inline(always)]
    pub fn arrive<R: Lane>(&mut self, head: &HeadTravel<T>) {
        for i in 0..self.block.rows {
            let start = self.scratch.before[i];
            contact::record_motion::<T, R>(self.block, self.input, head, i, start);
        }
    }

    /// Lets vertices leave the skin that the substep ended deep in; edges may be
    /// `between` so many times and so many times as long as at rest.
    #[inline(always)]
    pub fn depenetrate(&mut self, head: &HeadTravel<T>, between: [f64; 2]) {
        contact::depenetrate(self.block, self.scratch, self.input, head, between);
    }
}
