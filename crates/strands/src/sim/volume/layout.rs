//! Which samples stand for the hair of a block.

use crate::{
    math::lanes::{Lane, V3},
    sim::{
        runs::Runs,
        state::{Block, LANES, Row},
    },
};
use std::ops::Range;

/// What the grid must know of a block that does not change.
#[derive(Clone, Debug)]
pub(super) struct SampleLayout {
    /// Vertices that are sampled together, where segments are shorter than a cell.
    pub runs: Runs,
    /// Mass of each sample of each vertex, as length of ordinary hair. `[m]`
    pub mass: Vec<Row>,
    /// Samples that share a vertex.
    pub(super) shares: [usize; LANES],
    /// One over that.
    pub share: Row,
    /// The most of them.
    pub most: usize,
    /// Density around each run of vertices at rest. `[m/m³]`
    pub room: Vec<Row>,
    /// Lanes whose strand has a vertex in each run, a bit for each.
    pub(super) real: Vec<u32>,
    /// Lanes that have a first, second and so on sample.
    pub(super) having: Vec<u32>,
}

/// Some lanes, a bit for each.
pub(super) struct Lanes(u32);

impl Iterator for Lanes {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let lane = self.0.trailing_zeros() as usize;
        // Without the last bit.
        self.0 &= self.0.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    }
}

impl SampleLayout {
    /// Of `block`, whose strands have these masses of a metre, samples and lengths,
    /// and whose vertices are sampled in `runs`.
    pub fn new(block: &Block<Row>, lengths: &V3<Row>, runs: Runs) -> Self {
        let count = runs.count(block.rows);
        let mut kind = Self {
            runs,
            mass: vec![Row::zero(); block.rows],
            shares: [1; LANES],
            share: Row::splat(1.0),
            most: 1,
            room: vec![Row::zero(); count],
            real: vec![0; count],
            having: Vec::new(),
        };
        for lane in 0..LANES {
            let shares = lengths.y.get(lane);
            let share = lengths.x.get(lane) / shares;
            kind.weigh(block, lane, share);
            kind.shares[lane] = shares as usize;
            kind.share.set(lane, 1.0 / shares);
            kind.most = kind.most.max(shares as usize);
        }
        kind.having = vec![0; kind.most];
        for lane in 0..block.strands {
            for real in &mut kind.real[..runs.count(block.counts[lane])] {
                *real |= 1 << lane;
            }
            for having in &mut kind.having[..kind.shares[lane]] {
                *having |= 1 << lane;
            }
        }
        kind
    }

    /// Notes the mass of each vertex of a strand: half of the segments that it ends,
    /// `heavy` for each metre of them.
    fn weigh(&mut self, block: &Block<Row>, lane: usize, heavy: f64) {
        for i in 1..block.counts[lane] {
            let way = block.rest[i] - block.rest[i - 1];
            let half = 0.5 * heavy * way.dot(way).get(lane).sqrt();
            for end in [i - 1, i] {
                let mass = self.mass[end].get(lane) + half;
                self.mass[end].set(lane, mass);
            }
        }
    }

    /// The lanes with a sample `k` in a run.
    #[inline(always)]
    pub fn lanes(&self, run: usize, k: usize) -> Lanes {
        Lanes(self.real[run] & self.having[k])
    }

    /// The runs that do not ride on the head as a whole.
    #[inline(always)]
    pub fn free_runs(&self, block: &Block<Row>) -> Range<usize> {
        let all = self.real.len();
        match block.pinned < block.rows {
            true => self.runs.of(block.pinned)..all,
            false => all..all,
        }
    }

    /// The rows of one of them that are free.
    #[inline(always)]
    pub fn rows(&self, block: &Block<Row>, run: usize) -> Range<usize> {
        let rows = self.runs.rows(run, block.rows);
        rows.start.max(block.pinned)..rows.end
    }
}
