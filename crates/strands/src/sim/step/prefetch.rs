//! Brings the block that comes next near to the processor while it works on
//! this one.
//!
//! A hundred thousand strands are read from memory and written back in every
//! step. Their rows lie in arrays of a few pages each, too short for the
//! processor's own foresight: without a hint it waits at the start of each.

use super::{HeadTravel, StepInput};
use crate::{
    math::{
        fetch::fetch,
        lanes::{Lane, V3},
    },
    sim::{
        contact::{ProximityCache, RoomLimits},
        state::{Block, Row},
    },
};

/// Where the next block's rows lie: hints that no memory is read through.
#[derive(Clone, Debug, Default)]
pub struct Prefetch {
    rows: usize,
    /// Where each array begins, and the bytes of a row.
    arrays: [(usize, usize); 6],
}

impl Prefetch {
    /// Of the block that comes after this one, if any.
    pub fn of(next: Option<&Block<Row>>) -> Self {
        let Some(block) = next else {
            return Self::default();
        };
        fn array<R>(rows: &[R]) -> (usize, usize) {
            let bytes = if rows.is_empty() { 0 } else { size_of::<R>() };
            (rows.as_ptr().addr(), bytes)
        }
        Self {
            rows: block.rows,
            arrays: [
                array::<V3<Row>>(&block.position),
                array::<V3<Row>>(&block.velocity),
                array::<V3<Row>>(&block.rest),
                array::<V3<Row>>(&block.shape.edges),
                array::<Row>(&block.shape.lengths),
                array::<ProximityCache>(&block.proximity),
            ],
        }
    }

    /// Brings row `i` of the next block near: once in a step.
    #[inline(always)]
    pub fn prefetch<T>(&self, head: &HeadTravel<T>, i: usize) {
        if head.substep == 0 && i < self.rows {
            for (start, bytes) in self.arrays {
                fetch(start + i * bytes, bytes);
            }
        }
    }
}

/// Brings what rows of `block` need that may have to query the skin near.
#[inline(always)]
pub fn prefetch_queries<B: Lane>(block: &Block<B>, input: &StepInput) {
    if input.skin.is_none() {
        return;
    }
    for (i, proximity) in block.proximity.iter().enumerate() {
        if RoomLimits::of(proximity, input).exceeded(proximity) {
            for row in [&block.room[i], &block.plane_offset[i], &block.clearance[i]] {
                fetch(std::ptr::from_ref(row).addr(), size_of::<B>());
            }
        }
    }
}
