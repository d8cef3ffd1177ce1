//! All vertices, strand after strand.

use crate::{
    math::lanes::V3,
    sim::state::{Block, Row},
};
use glam::Vec3;
use rayon::prelude::*;

/// The vector in one lane.
pub fn vector(row: &V3<Row>, lane: usize) -> Vec3 {
    Vec3::new(row.x.0[lane], row.y.0[lane], row.z.0[lane])
}

/// Lets `note` write what it finds of each vertex in the groom's order: strand after
/// strand.
pub fn transpose<V: Send>(
    blocks: &[Block<Row>],
    out: &mut [V],
    note: impl Fn(&mut V, &Block<Row>, usize, usize) + Sync,
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
        let mut part = part.iter_mut();
        for (lane, count) in block.counts[..block.strands].iter().enumerate() {
            for (i, vertex) in part.by_ref().take(*count).enumerate() {
                note(vertex, block, i, lane);
            }
        }
    });
}
