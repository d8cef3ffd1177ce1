//! Where the hair of a block lies in the grid, and how it moves there: one row of
//! vertices at a time, so that nothing of it goes to memory.

use super::{
    anchor::GridAnchor,
    domain::{EDGE, NODE_BITS, NODES, REACH, ROW},
    layout::SampleLayout,
};
use crate::{
    math::lanes::{Lane, V3},
    sim::state::{Block, LANES, Row},
};
use std::ops::Range;

/// Relative velocities count up to this one. `[m/s]`
const FASTEST: f64 = 16.0;

/// The nodes of a cell at its edges along z, each the first one of two: how far
/// behind the cell's first node they are.
const EDGES: [usize; 4] = [0, ROW, ROW * ROW, ROW * ROW + ROW];

/// A cell in the grid for each lane, and where in it.
#[derive(Clone, Copy)]
pub(super) struct TrilinearWeights {
    /// Its brick, and behind that the number of its first node there.
    at: [u32; LANES],
    /// Weights of the four edges along z.
    edges: [Row; 4],
    /// Weights of the two ends of each.
    ends: [Row; 2],
}

/// A row of vertices, or of the middles of runs of them.
#[derive(Clone, Copy)]
pub(super) struct Vertices {
    /// Mass of each, as length of ordinary hair. `[m]`
    pub mass: Row,
    /// Where they are, in cells from the grid's corner.
    place: V3<Row>,
    /// How fast they move against what rides on the head, in the head's space.
    /// `[m/s]`
    pub speed: V3<Row>,
}

impl Vertices {
    /// The middle of some `rows` of `block`, which are at least one; `REST`: of its
    /// rest curves, which stand still.
    #[inline(always)]
    pub fn new<const REST: bool>(
        (block, kind, anchor): (&Block<Row>, &SampleLayout, &GridAnchor<Row>),
        rows: Range<usize>,
    ) -> Self {
        let of = if REST { &block.rest } else { &block.position };
        let (mut mass, mut place) = (kind.mass[rows.start], of[rows.start]);
        let mut speed = block.velocity[rows.start];
        if rows.len() > 1 {
            (place, speed) = (place.scale(mass), speed.scale(mass));
            let others = rows.start + 1..rows.end;
            let places = of[others.clone()]
                .iter()
                .zip(&block.velocity[others.clone()]);
            for (more, (there, moving)) in kind.mass[others].iter().zip(places) {
                place = place + there.scale(*more);
                speed = speed + moving.scale(*more);
                mass += *more;
            }
            let share = Row::splat(1.0) / mass.max(Row::splat(f32::MIN_POSITIVE.into()));
            (place, speed) = (place.scale(share), speed.scale(share));
        }
        if REST {
            return Self {
                mass,
                place: anchor.place(place + block.root_rest),
                speed: V3::zero(),
            };
        }
        let place = anchor.frame.inverse_vector(place) + block.root_rest;
        let speed = anchor.frame.inverse_vector(speed) - anchor.speed(place);
        Self {
            mass,
            place: anchor.place(place),
            speed: V3 {
                x: clamp(speed.x),
                y: clamp(speed.y),
                z: clamp(speed.z),
            },
        }
    }

    /// Sample `k` of each vertex of a run. A run has one, or, where segments are longer
    /// than a cell and each vertex is a run, several that share its mass along its part
    /// of the strand.
    #[inline(always)]
    pub fn spots<const REST: bool>(
        &self,
        (block, kind, anchor): (&Block<Row>, &SampleLayout, &GridAnchor<Row>),
        run: usize,
        k: usize,
    ) -> TrilinearWeights {
        if kind.most == 1 {
            return TrilinearWeights::new(self.place, anchor);
        }
        let place = |i: usize| Self::new::<REST>((block, kind, anchor), i..i + 1).place;
        let before = place(run.saturating_sub(1));
        let after = place((run + 1).min(block.rows - 1));
        // The middle of the k-th part, from half a segment before the vertex to
        // half a segment behind it.
        let (zero, one) = (Row::zero(), Row::splat(1.0));
        let t = kind.share * Row::splat(k as f64 + 0.5) - Row::splat(0.5);
        let other = before.select(t.less(zero, one, zero), after);
        TrilinearWeights::new(self.place + (other - self.place).scale(t.abs()), anchor)
    }
}

#[inline(always)]
fn clamp(speed: Row) -> Row {
    // In this order anything that is no number becomes one.
    speed.min(Row::splat(FASTEST)).max(Row::splat(-FASTEST))
}

impl TrilinearWeights {
    /// The cells of these places.
    #[inline(always)]
    fn new(place: V3<Row>, anchor: &GridAnchor<Row>) -> Self {
        let (large, half) = (Row::splat(12_582_912.0), Row::splat(0.5));
        let (mut brick, mut node) = ([0; LANES], [0; LANES]);
        let mut parts = [Row::zero(); 3];
        for (axis, row) in [place.x, place.y, place.z].into_iter().enumerate() {
            let ([low, high], stride) = (anchor.inside[axis], anchor.strides[axis]);
            let inside = row.min(high).max(low);
            // So large a float counts whole numbers with its last bits. Half-way
            // it may go either way: a cell's far end is the next one's near end.
            let cell = (inside - half) + large;
            parts[axis] = inside - (cell - large);
            for lane in 0..LANES {
                let cell = cell.0[lane].to_bits() & 0x003f_ffff;
                brick[lane] += cell / EDGE as u32 * stride;
                node[lane] = node[lane] * ROW as u32 + cell % EDGE as u32;
            }
        }
        let mut at = brick;
        for lane in 0..LANES {
            at[lane] = brick[lane] << NODE_BITS | node[lane];
        }
        let [x, y, z] = parts;
        let one = Row::splat(1.0);
        let (a, b) = (one - x, one - y);
        Self {
            at,
            edges: [a * b, a * y, x * b, x * y],
            ends: [one - z, z],
        }
    }

    /// The brick of a lane's cell.
    #[inline(always)]
    pub fn key(&self, lane: usize) -> usize {
        (self.at[lane] >> NODE_BITS) as usize
    }

    /// The cell's first node in it.
    #[inline(always)]
    fn first(&self, lane: usize) -> usize {
        self.at[lane] as usize % NODES
    }

    /// Adds `value` to the corners of the cell, weighed.
    #[inline(always)]
    pub fn add(&self, lane: usize, value: [f32; 4], nodes: &mut [f32; 4 * NODES]) {
        let corners = nodes
            .get_mut(4 * self.first(lane)..)
            .and_then(|nodes| nodes.first_chunk_mut::<{ 4 * REACH }>());
        let Some(corners) = corners else {
            return;
        };
        let [near, far] = [self.ends[0].0[lane], self.ends[1].0[lane]];
        let (mut close, mut away) = ([0.0; 4], [0.0; 4]);
        for c in 0..4 {
            close[c] = value[c] * near;
            away[c] = value[c] * far;
        }
        // Four numbers at a time: the next vertex often adds to a node of this cell,
        // and what was just stored is only at hand as it was stored.
        for (edge, weight) in EDGES.into_iter().zip(&self.edges) {
            let weight = weight.0[lane];
            for (first, from) in [(4 * edge, &close), (4 * edge + 4, &away)] {
                let Some(node) = corners[first..].first_chunk_mut::<4>() else {
                    continue;
                };
                for c in 0..4 {
                    node[c] += from[c] * weight;
                }
            }
        }
    }

    /// The same for a single number.
    #[inline(always)]
    pub fn add_one(&self, lane: usize, value: f32, nodes: &mut [f32; NODES]) {
        let corners = nodes
            .get_mut(self.first(lane)..)
            .and_then(|nodes| nodes.first_chunk_mut::<REACH>());
        let Some(corners) = corners else {
            return;
        };
        let near = value * self.ends[0].0[lane];
        let far = value * self.ends[1].0[lane];
        for (edge, weight) in EDGES.into_iter().zip(&self.edges) {
            let weight = weight.0[lane];
            corners[edge] += near * weight;
            corners[edge + 1] += far * weight;
        }
    }

    /// What lies at the corners of the cell, weighed.
    #[inline(always)]
    pub fn blend(&self, lane: usize, nodes: &[f32; 4 * NODES]) -> [f32; 4] {
        let mut out = [0.0; 4];
        let corners = nodes
            .get(4 * self.first(lane)..)
            .and_then(|nodes| nodes.first_chunk::<{ 4 * REACH }>());
        let Some(corners) = corners else {
            return out;
        };
        let (mut near, mut far) = ([0.0; 4], [0.0; 4]);
        for (edge, weight) in EDGES.into_iter().zip(&self.edges) {
            let weight = weight.0[lane];
            for c in 0..4 {
                near[c] += corners[4 * edge + c] * weight;
                far[c] += corners[4 * edge + 4 + c] * weight;
            }
        }
        for c in 0..4 {
            out[c] = near[c] * self.ends[0].0[lane] + far[c] * self.ends[1].0[lane];
        }
        out
    }

    /// The largest number `c` of the corners that count.
    pub fn largest(&self, lane: usize, c: usize, nodes: &[f32; 4 * NODES]) -> f32 {
        let mut most = 0.0f32;
        for (edge, weight) in EDGES.into_iter().zip(&self.edges) {
            for (end, part) in self.ends.iter().enumerate() {
                if weight.0[lane] * part.0[lane] > 0.0 {
                    let node = self.first(lane) + edge + end;
                    most = most.max(nodes[4 * node + c]);
                }
            }
        }
        most
    }
}
