//! Where the hair of a block lies in the grid, and how it moves there.
//!
//! Everything that is summed is a whole number: places in 1/64 of a cell,
//! momenta and masses in quanta. So sums in any order have the same bits.

use super::{rest::Kind, seat::Seat};
use crate::{
    math::lanes::{Lane, V3},
    sim::state::{Block, LANES, Row},
};

/// Parts into which a cell is cut along each axis.
pub(super) const PARTS: f32 = 64.0;

/// Nodes along each edge of a brick.
pub(super) const EDGE: usize = 4;

/// Nodes of a brick.
pub(super) const NODES: usize = EDGE * EDGE * EDGE;

/// Relative velocities count up to this one. `[m/s]`
pub(super) const FASTEST: f64 = 16.0;

/// A cell in the grid for each lane, and where in it.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// Its first node, counted brick after brick.
    pub first: [u32; LANES],
    /// From there to the next node along each axis: it may be in the next brick.
    pub step: [[u32; LANES]; 3],
    /// Where in the cell, 0 to 63.
    pub part: [[f32; LANES]; 3],
}

/// The samples of a block. A vertex has one, or, where segments are longer
/// than a cell, several that share its mass along its part of the strand.
#[derive(Default)]
pub(super) struct Samples {
    /// Vertices, in parts of a cell from the grid's corner.
    places: Vec<V3<Row>>,
    /// Momentum of each of a vertex's samples, in quanta.
    pub momentum: Vec<V3<Row>>,
    /// Sample `k` of row `i` stands at `i * most + k`.
    pub spots: Vec<Spot>,
    /// What the grid has at each vertex, times 64³ and the number of samples:
    /// velocity, and the slope.
    pub flow: Vec<V3<Row>>,
    pub slope: Vec<V3<Row>>,
}

impl Samples {
    /// Takes the samples of `block`.
    #[inline(always)]
    pub fn take(&mut self, block: &Block<Row>, kind: &Kind, seat: &Seat<Row>, quantum: f64) {
        let factor = kind.mass * Row::splat(1.0 / quantum);
        self.fit(block, kind);
        let vertices = self.places.iter_mut().zip(&mut self.momentum);
        let rows = block.position.iter().zip(&block.velocity);
        for ((to, momentum), (position, velocity)) in vertices.zip(rows) {
            let place = seat.frame.inverse_vector(*position) + block.root_rest;
            let speed = seat.frame.inverse_vector(*velocity) - seat.speed(place);
            *momentum = V3 {
                x: whole(clamp(speed.x) * factor),
                y: whole(clamp(speed.y) * factor),
                z: whole(clamp(speed.z) * factor),
            };
            *to = seat.place(place);
        }
        self.spot(block, kind, seat);
    }

    /// Takes the places of the rest curves alone.
    pub fn take_rest(&mut self, block: &Block<Row>, kind: &Kind, seat: &Seat<Row>) {
        self.fit(block, kind);
        self.momentum[..block.rows].fill(V3::zero());
        for (to, rest) in self.places.iter_mut().zip(&block.rest) {
            *to = seat.place(*rest + block.root_rest);
        }
        self.spot(block, kind, seat);
    }

    #[inline(always)]
    fn fit(&mut self, block: &Block<Row>, kind: &Kind) {
        let spots = block.rows * kind.most;
        if self.places.len() < block.rows {
            self.places.resize(block.rows, V3::zero());
            self.momentum.resize(block.rows, V3::zero());
            self.flow.resize(block.rows, V3::zero());
            self.slope.resize(block.rows, V3::zero());
        }
        if self.spots.len() < spots {
            self.spots.resize(spots, Spot::NONE);
        }
    }

    #[inline(always)]
    fn spot(&mut self, block: &Block<Row>, kind: &Kind, seat: &Seat<Row>) {
        let rows = block.rows.min(self.places.len());
        if kind.most == 1 {
            for (to, place) in self.spots.iter_mut().zip(&self.places[..rows]) {
                *to = spot(*place, seat);
            }
            return;
        }
        let zero = Row::zero();
        for (i, to) in self
            .spots
            .chunks_exact_mut(kind.most)
            .enumerate()
            .take(rows)
        {
            let here = self.places[i];
            let before = self.places[i.saturating_sub(1)];
            let after = self.places[(i + 1).min(rows - 1)];
            for (k, to) in to.iter_mut().enumerate() {
                // The middle of the k-th part, from half a segment before the
                // vertex to half a segment behind it.
                let t = kind.share * Row::splat(k as f64 + 0.5) - Row::splat(0.5);
                let behind = t.less(zero, Row::splat(1.0), zero);
                let other = before.select(behind, after);
                *to = spot(here + (other - here).scale(t.abs()), seat);
            }
        }
    }
}

#[inline(always)]
fn clamp(speed: Row) -> Row {
    // In this order anything that is no number becomes one.
    speed.min(Row::splat(FASTEST)).max(Row::splat(-FASTEST))
}

/// The nearest whole number; exact below 2^22.
#[inline(always)]
fn whole(row: Row) -> Row {
    let large = Row::splat(12_582_912.0);
    (row + large) - large
}

/// The cell of each lane.
#[inline(always)]
fn spot(place: V3<Row>, seat: &Seat<Row>) -> Spot {
    let Spot {
        mut first,
        mut step,
        mut part,
    } = Spot::NONE;
    for (axis, row) in [place.x, place.y, place.z].into_iter().enumerate() {
        let ([low, high], stride) = (seat.inside[axis], seat.strides[axis]);
        let inside = row.min(high).max(low);
        // Nodes of a brick lie z after y after x.
        let local = [16, 4, 1][axis];
        for lane in 0..LANES {
            // From 2^23 on the last bits of a float count whole numbers.
            let place = (inside.0[lane] + 8_388_608.0).to_bits() & 0x007f_ffff;
            let at = place >> 6 & 3;
            first[lane] += (place >> 8) * stride + at * local;
            step[axis][lane] = if at == 3 { stride - 3 * local } else { local };
            part[axis][lane] = (place & 63) as i32 as f32;
        }
    }
    Spot { first, step, part }
}

impl Spot {
    const NONE: Self = Self {
        first: [0; LANES],
        step: [[0; LANES]; 3],
        part: [[0.0; LANES]; 3],
    };
}

/// Weights of the eight nodes around the place of a lane, in 1/64³.
#[inline(always)]
pub(super) fn weights(spot: &Spot, lane: usize) -> [f32; 8] {
    let [x, y, z] = &spot.part;
    let (x, y, z) = (x[lane], y[lane], z[lane]);
    let (a, b, c) = (PARTS - x, PARTS - y, PARTS - z);
    let face = [b * c, b * z, y * c, y * z];
    [
        a * face[0],
        a * face[1],
        a * face[2],
        a * face[3],
        x * face[0],
        x * face[1],
        x * face[2],
        x * face[3],
    ]
}
