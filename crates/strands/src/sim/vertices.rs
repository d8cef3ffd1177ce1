//! All vertices, strand after strand.

use crate::{
    math::lanes::V3,
    sim::state::{Block, LANES, Row},
};
use glam::Vec3;
use rayon::prelude::*;

/// The vector in one lane.
pub fn vector(row: &V3<Row>, lane: usize) -> Vec3 {
    let lane = lane % LANES;
    Vec3::new(row.x.0[lane], row.y.0[lane], row.z.0[lane])
}

/// Lets `note` write a vector of each vertex in the groom's order, strand after strand;
/// `rows` tells a block's vectors, row by row, and what each lane adds to its own.
pub fn transpose<V: Send>(
    blocks: &[Block<Row>],
    out: &mut [V],
    rows: impl Fn(&Block<Row>) -> (&[V3<Row>], V3<Row>) + Sync,
    note: impl Fn(&mut V, Vec3) + Sync,
) {
    let mut left = out;
    let mut parts = Vec::with_capacity(blocks.len());
    for block in blocks {
        let vertices = block.counts[..block.strands].iter().sum();
        let (part, more) = left.split_at_mut(vertices);
        parts.push((block, part));
        left = more;
    }
    parts.into_par_iter().for_each(|(block, mut part)| {
        let (rows, origins) = rows(block);
        for (lane, count) in block.counts[..block.strands].iter().enumerate() {
            let origin = vector(&origins, lane);
            let (strand, more) = part.split_at_mut(*count);
            for (vertex, row) in strand.iter_mut().zip(rows) {
                note(vertex, vector(row, lane) + origin);
            }
            part = more;
        }
    });
}
