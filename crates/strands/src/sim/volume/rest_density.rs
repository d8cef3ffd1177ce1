//! What the hair's masses are, and how dense it was at rest.

use super::{
    anchor::{GridAnchor, GridMotion},
    domain::Domain,
    grid::{DENSITY, Grid, GridForces},
    layout::SampleLayout,
    partial::PartialGrid,
    weights::Vertices,
};
use crate::{
    math::{
        Pose,
        lanes::{Lane, V3},
    },
    sim::{
        runs::Runs,
        state::{Block, LANES, Row, StrandState},
    },
};
use rayon::prelude::*;

/// Samples lie at most so many cells apart: a node half-way between two still
/// gets half its share.
const APART: f64 = 1.5;

/// Vertices that are sampled together lie about so many cells along the strand. Strands
/// that run side by side in step have the same density everywhere then; with samples one
/// and a third of a cell apart, the most that rounding leaves, it is half as much again
/// at a sample as half-way between two.
pub(super) const RUN_LENGTH: f64 = 1.0;

/// The strand with the longest segments may have samples so many times farther apart.
const LONGEST: f64 = 2.0;

/// Hair counts as crowded beyond so many times its density at rest: a head that
/// stands aslant rounds the same density to another number.
const PLAY: f32 = 1.0005;

/// Hair is summed in parts of so many vertices or more, whatever the number of
/// threads: the sums of a part depend on their order.
const PART: usize = 1 << 16;

/// The most parts. More would cost more memory, and time to bring them together.
const PARTS: usize = 8;

/// What was measured of the hair at rest, for one size of cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Rest {
    /// One for each block.
    pub kinds: Vec<SampleLayout>,
    /// Where hair can be.
    pub domain: Domain,
    /// Of which rest curves: see [`StrandState::edits`].
    pub edits: u64,
    /// Blocks of each part of the hair.
    pub chunk: usize,
    /// Mean density at a vertex. `[m/m³]`
    pub density: f64,
}

impl Rest {
    /// Measures the rest curves with cells of `cell` metres.
    pub fn measure(state: &StrandState, cell: f64) -> Self {
        Self::sampled(state, cell, RUN_LENGTH)
    }

    /// The same with samples that lie about `apart` cells apart, if vertices are near
    /// enough: none are taken together at 0.
    pub fn sampled(state: &StrandState, cell: f64, apart: f64) -> Self {
        let blocks = &state.blocks;
        let lengths: Vec<V3<Row>> = blocks
            .par_iter()
            .map(|block| lengths(block, cell))
            .collect();
        let vertices: usize = blocks.iter().map(|block| block.rows * block.strands).sum();
        let parts = (vertices / PART).clamp(1, PARTS);
        let mut rest = Self {
            kinds: blocks
                .iter()
                .zip(&lengths)
                .enumerate()
                .map(|(number, (block, lengths))| {
                    let runs = runs(block, lengths, apart * cell).staggered(number);
                    SampleLayout::new(block, lengths, runs)
                })
                .collect(),
            domain: domain(blocks, &lengths, cell),
            edits: state.edits,
            chunk: blocks.len().div_ceil(parts).max(1),
            density: 0.0,
        };
        rest.measure_density(blocks);
        rest
    }

    /// Measures how dense it is around each vertex.
    fn measure_density(&mut self, blocks: &[Block<Row>]) {
        let domain = self.domain;
        let anchor = GridAnchor::new(&GridMotion::still(Pose::IDENTITY), &domain);
        let chunks = blocks
            .par_chunks(self.chunk)
            .zip(self.kinds.par_chunks(self.chunk));
        let parts: Vec<PartialGrid> = chunks
            .map(|(blocks, kinds)| {
                let mut sums = PartialGrid::default();
                sums.clear(&domain);
                for (block, kind) in blocks.iter().zip(kinds) {
                    sums.add::<false, true>(block, kind, &anchor);
                }
                sums.close();
                sums
            })
            .collect();
        let mut grid = Grid::default();
        grid.finish(&domain, &parts, &GridForces::LOOK);
        drop(parts);
        let found: Vec<[f64; 2]> = blocks
            .par_iter()
            .zip(&mut self.kinds)
            .map(|(block, kind)| block_density(kind, block, &anchor, &grid))
            .collect();
        let total = |i: usize| found.iter().map(|found| found[i]).sum::<f64>();
        let (room, mass) = (total(0), total(1));
        self.density = if mass > 0.0 { room / mass } else { 0.0 };
    }
}

/// Notes the density around each vertex; answers the sum of mass times
/// density, and that of the masses.
fn block_density(
    layout: &mut SampleLayout,
    block: &Block<Row>,
    anchor: &GridAnchor<Row>,
    grid: &Grid,
) -> [f64; 2] {
    let mut found = [0.0; 2];
    for run in layout.free_runs(block) {
        let rows = layout.rows(block, run);
        let vertices = Vertices::new::<true>((block, layout, anchor), rows);
        for k in 0..layout.most {
            let spots = vertices.spots::<true>((block, layout, anchor), run, k);
            for lane in layout.lanes(run, k) {
                // The densest node that the vertex adds to: so at rest no
                // node is denser than the hair there is used to.
                let kept = grid.kept(spots.key(lane));
                let density = PLAY * spots.largest(lane, DENSITY, kept);
                let room = &mut layout.room[run].0[lane];
                *room = room.max(density);
                if k + 1 == layout.shares[lane] {
                    let mass = vertices.mass.get(lane) * layout.shares[lane] as f64;
                    found[0] += mass * f64::from(*room);
                    found[1] += mass;
                }
            }
        }
    }
    found
}

/// How the vertices of a block are sampled together, `apart` metres of the mean strand.
fn runs(block: &Block<Row>, lengths: &V3<Row>, apart: f64) -> Runs {
    let (mut segments, mut length, mut longest) = (0, 0.0, f64::MIN_POSITIVE);
    for lane in 0..block.strands {
        let (own, whole) = (block.counts[lane].max(2) - 1, lengths.z.get(lane));
        segments += own;
        length += whole;
        longest = longest.max(whole / own as f64);
    }
    let most = (LONGEST * apart / longest) as usize;
    Runs::near(apart, length / segments.max(1) as f64).at_most(most)
}

/// Where strands of these lengths can be.
fn domain(blocks: &[Block<Row>], lengths: &[V3<Row>], cell: f64) -> Domain {
    let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
    for (block, lengths) in blocks.iter().zip(lengths) {
        for lane in 0..block.strands {
            let (root, reach) = (block.root_rest.get(lane), 1.1 * lengths.z.get(lane));
            for axis in 0..3 {
                low[axis] = low[axis].min(root[axis] - reach);
                high[axis] = high[axis].max(root[axis] + reach);
            }
        }
    }
    Domain::around(low, high, cell)
}

/// Of each strand, and those that it stands for, the mass of a metre, relative to ordinary hair, into how many
/// samples a vertex must be split so that no cell stays empty, and its length `[m]`.
fn lengths(block: &Block<Row>, cell: f64) -> V3<Row> {
    let mut out = V3::zero();
    for lane in 0..LANES {
        let count = block.counts[lane];
        let mut length = 0.0;
        let mut before = block.rest[0].get(lane);
        for row in &block.rest[1..count] {
            let here = row.get(lane);
            let [x, y, z] = [0, 1, 2].map(|axis| here[axis] - before[axis]);
            length += (x * x + y * y + z * z).sqrt();
            before = here;
        }
        let segment = length / (count.max(2) - 1) as f64;
        let shares = (segment / (APART * cell)).ceil().clamp(1.0, 1024.0);
        let mass = block.bundle.get(lane) / block.inverse_mass.get(lane).max(1e-6);
        out.set(lane, [mass, shares, length]);
    }
    out
}
