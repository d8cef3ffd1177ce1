//! All vertices, strand after strand.

use crate::{
    math::lanes::V3,
    sim::state::{Block, LANES, Row},
};
use glam::Vec3;
use rayon::prelude::*;

/// The vector in one lane.
pub fn vector(row: &V3<Row>, lane: usize) -> Vec3 {
    Vec3::new(row.x.0[lane], row.y.0[lane], row.z.0[lane])
}

/// Writes what `take` finds of each vertex in the groom's order: strand after
/// strand. A block's rows are read one after the other, as they lie in memory.
pub fn transpose<V: Send>(
    blocks: &[Block<Row>],
    out: &mut [V],
    take: impl Fn(&Block<Row>, usize, usize) -> V + Sync,
) {
    let mut left = out;
    let mut parts = Vec::with_capacity(blocks.len());
    for block in blocks {
        let vertices = block.counts[..block.strands].iter().sum();
        let (part, more) = left.split_at_mut(vertices);
        parts.push((block, part));
        left = more;
    }
    parts.into_par_iter().for_each(|(block, part)| {
        let mut starts = [0; LANES];
        for lane in 1..block.strands {
            starts[lane] = starts[lane - 1] + block.counts[lane - 1];
        }
        for i in 0..block.rows {
            for lane in 0..block.strands {
                if i < block.counts[lane] {
                    part[starts[lane] + i] = take(block, i, lane);
                }
            }
        }
    });
}
