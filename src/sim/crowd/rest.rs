//! What the hair's masses are, and how dense it was at rest.

use super::{
    domain::Domain,
    grid::{Grid, Slope, Units},
    sample::{FASTEST, Samples},
    seat::{Ride, Seat},
    sums::Sums,
};
use crate::{
    math::{
        Pose,
        lanes::{Lane, V3},
    },
    sim::state::{Block, LANES, Row, StrandState},
};
use rayon::prelude::*;

/// Most quanta of mass of an ordinary vertex; where there are many vertices,
/// they have fewer.
const QUANTA: f64 = (1u64 << 17) as f64;

/// Sums of so many quanta times 64³ are below 2^53 with room for rounding.
const MOST: f64 = (1u64 << 34) as f64;

/// Largest whole number that a sample may carry.
const LARGEST: f64 = (1u64 << 22) as f64;

/// Samples lie at most so many cells apart: a node half-way between two still
/// gets half its share.
const APART: f64 = 1.5;

/// What the grid must know of a block that does not change.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// Mass of each sample, in quanta.
    pub mass: Row,
    /// Samples that share a vertex.
    pub shares: [usize; LANES],
    /// One over that.
    pub share: Row,
    /// The most of them.
    pub most: usize,
    /// Mass times density at rest of a vertex's samples, in quanta.
    pub room: Vec<Row>,
}

/// What was measured of the hair at rest, for one size of cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Rest {
    /// One for each block.
    pub kinds: Vec<Kind>,
    /// Where hair can be.
    pub domain: Domain,
    /// What sums are counted in.
    pub units: Units,
    /// Quantum of momentum. `[m/s]` times quanta of mass
    pub quantum: f64,
    /// Mean density at a vertex. `[m/m³]`
    pub density: f64,
}

impl Rest {
    /// Measures the rest curves with cells of `cell` metres.
    pub fn measure(state: &StrandState, cell: f64) -> Self {
        let blocks = &state.blocks;
        // Mass is counted as length of ordinary hair.
        let lengths: Vec<V3<Row>> = blocks
            .par_iter()
            .map(|block| lengths(block, cell))
            .collect();
        let (mut mass, mut vertices) = (0.0, 0.0);
        for (block, lengths) in blocks.iter().zip(&lengths) {
            for lane in 0..block.strands {
                let count = block.counts[lane] as f64;
                mass += lengths.x.get(lane) * count;
                vertices += count;
            }
        }
        let ordinary = (mass / f64::max(vertices, 1.0)).max(1e-9);
        let samples: f64 = blocks
            .iter()
            .zip(&lengths)
            .map(|(block, lengths)| {
                let count = |lane| block.counts[lane] as f64 * lengths.y.get(lane);
                (0..block.strands).map(count).sum::<f64>()
            })
            .sum();
        let quanta = QUANTA.min((MOST - samples) / f64::max(vertices, 1.0));
        let unit = ordinary / quanta;
        let mut rest = Self {
            kinds: blocks
                .iter()
                .zip(&lengths)
                .map(|(block, lengths)| Kind::new(block, lengths, unit))
                .collect(),
            domain: domain(blocks, &lengths, cell),
            ..Self::default()
        };
        let (mut total, mut heaviest) = (0.0, 0.0f64);
        for (block, kind) in blocks.iter().zip(&rest.kinds) {
            for lane in 0..block.strands {
                let count = (block.counts[lane] * kind.shares[lane]) as f64;
                total += count * kind.mass.get(lane);
                heaviest = heaviest.max(kind.mass.get(lane));
            }
        }
        rest.quantum = (total * FASTEST / (MOST - samples)).max(heaviest * FASTEST / LARGEST);
        rest.units = Units {
            velocity: rest.quantum,
            density: unit / f64::from(super::sample::PARTS).powi(3) / cell.powi(3),
            room: 0.0,
            cell,
        };
        rest.look(blocks);
        rest
    }

    /// Looks how dense it is around each vertex.
    fn look(&mut self, blocks: &[Block<Row>]) {
        let domain = self.domain;
        let seat = Seat::new(&Ride::still(Pose::IDENTITY), &domain);
        let chunk = blocks.len().div_ceil(rayon::current_num_threads()).max(1);
        let chunks = blocks.par_chunks(chunk).zip(self.kinds.par_chunks(chunk));
        let parts: Vec<Sums> = chunks
            .map(|(blocks, kinds)| {
                let (mut sums, mut samples) = (Sums::default(), Samples::default());
                sums.clear(&domain);
                for (block, kind) in blocks.iter().zip(kinds) {
                    samples.take_rest(block, kind, &seat);
                    sums.add::<false>(block, kind, &samples);
                }
                sums
            })
            .collect();
        let mut grid = Grid::default();
        grid.finish(&domain, &parts, self.units, Slope::None);
        drop(parts);
        // Densities first as they are; the sums then say how fine they may be.
        let found: Vec<[f64; 3]> = blocks
            .par_iter()
            .zip(&mut self.kinds)
            .map_init(Samples::default, |samples, (block, kind)| {
                samples.take_rest(block, kind, &seat);
                kind.look(block, samples, &grid)
            })
            .collect();
        let (mut total, mut mass, mut largest) = (0.0, 0.0, 0.0f64);
        for [room, weight, most] in found {
            total += room;
            mass += weight;
            largest = largest.max(most);
        }
        self.density = if mass > 0.0 { total / mass } else { 0.0 };
        let samples: usize = blocks.iter().map(|block| block.rows * LANES).sum();
        let quantum = (total / (MOST - samples as f64))
            .max(largest / LARGEST)
            .max(f64::MIN_POSITIVE);
        self.units.room = quantum;
        self.kinds.par_iter_mut().for_each(|kind| {
            for room in &mut kind.room {
                for value in &mut room.0 {
                    // Rounded up: hair at rest is never crowded.
                    *value = (f64::from(*value) / quantum).ceil() as f32;
                }
            }
        });
    }
}

impl Kind {
    fn new(block: &Block<Row>, lengths: &V3<Row>, unit: f64) -> Self {
        let mut kind = Self {
            mass: Row::splat(1.0),
            shares: [1; LANES],
            share: Row::splat(1.0),
            most: 1,
            room: vec![Row::zero(); block.rows],
        };
        for lane in 0..LANES {
            let shares = lengths.y.get(lane);
            let mass = lengths.x.get(lane) / (unit * shares);
            kind.mass.set(lane, mass.round().clamp(1.0, LARGEST));
            kind.shares[lane] = shares as usize;
            kind.share.set(lane, 1.0 / shares);
            kind.most = kind.most.max(shares as usize);
        }
        kind
    }

    /// Notes mass times density around each vertex; answers their sum, that of
    /// the masses, and the largest.
    fn look(&mut self, block: &Block<Row>, samples: &Samples, grid: &Grid) -> [f64; 3] {
        let mut found = [0.0f64; 3];
        for lane in 0..block.strands {
            let (mass, shares) = (self.mass.get(lane), self.shares[lane]);
            for i in block.pinned..block.counts[lane] {
                // The densest node that the vertex adds to: so at rest no node
                // is denser than the hair there is used to.
                let spots = &samples.spots[i * self.most..i * self.most + shares];
                let density = spots
                    .iter()
                    .fold(0.0f32, |most, spot| most.max(grid.densest(spot, lane)));
                let room = mass * f64::from(density);
                self.room[i].set(lane, room);
                found[0] += room * shares as f64;
                found[1] += mass * shares as f64;
                found[2] = found[2].max(room);
            }
        }
        found
    }
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

/// Of each strand the mass of a vertex, as length of ordinary hair `[m]`, into
/// how many samples it must be split so that no cell stays empty, and its
/// length `[m]`.
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
        let mass = segment / block.inverse_mass.get(lane).max(1e-6);
        out.set(lane, [mass, shares, length]);
    }
    out
}
