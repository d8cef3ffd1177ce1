//! Rows of vertices that query a surface side by side.

use super::surface::{ContactQuery, ContactResult};
use crate::math::{
    instructions::Instructions,
    lanes::{Lane, V3},
    work::{LaneWork, lane_work},
};
use glam::Vec3;

/// So many vertices query side by side at most.
pub(super) const MOST: usize = 16;

/// So many points lie in a row at most.
const POINTS: usize = 32;

/// Points of the head's space that ask side by side. `[m]`
#[derive(Clone, Copy, Debug)]
pub struct PointRow {
    coordinates: [[f32; POINTS]; 3],
    /// One for those that ask, zero for the others.
    asking: [f32; POINTS],
    count: usize,
}

impl PointRow {
    /// No points yet.
    pub(in crate::sim) const EMPTY: Self = Self {
        coordinates: [[0.0; POINTS]; 3],
        asking: [0.0; POINTS],
        count: 0,
    };

    /// The points in the lanes of `p`, of which those ask that have a one in `asking`. `[m]`
    #[inline(always)]
    pub fn new<T: Lane>(p: &V3<T>, asking: T) -> Self {
        let mut row = Self::EMPTY;
        row.push(p, asking);
        row
    }

    /// Adds the points in the lanes of `p`, of which those ask that have a one in `asking`;
    /// there is to be room for them. `[m]`
    #[inline(always)]
    pub(in crate::sim) fn push<T: Lane>(&mut self, p: &V3<T>, asking: T) {
        let lanes = self.count..self.count + T::LANES;
        let [x, y, z] = &mut self.coordinates;
        put_lanes(&mut x[lanes.clone()], p.x);
        put_lanes(&mut y[lanes.clone()], p.y);
        put_lanes(&mut z[lanes.clone()], p.z);
        put_lanes(&mut self.asking[lanes], asking);
        self.count += T::LANES;
    }

    /// One of them. `[m]`
    #[inline]
    pub(super) fn point(&self, i: usize) -> Vec3 {
        let [x, y, z] = &self.coordinates;
        Vec3::new(x[i], y[i], z[i])
    }

    /// Whether it asks.
    #[inline]
    pub(super) fn asks(&self, i: usize) -> bool {
        self.asking[i] > 0.5
    }

    /// Numbers of the points that begin a register each.
    #[inline(always)]
    pub(in crate::sim) fn firsts<T: Lane>(&self) -> impl Iterator<Item = usize> + use<T> {
        (0..self.count).step_by(T::LANES)
    }

    /// As many as a `T` has lanes, from number `first` on, and which of them ask.
    #[inline(always)]
    pub(in crate::sim) fn lanes<T: Lane>(&self, first: usize) -> (V3<T>, T) {
        let [x, y, z] = &self.coordinates;
        let lanes = first..first + T::LANES;
        let p = V3 {
            x: lanes_of(&x[lanes.clone()]),
            y: lanes_of(&y[lanes.clone()]),
            z: lanes_of(&z[lanes.clone()]),
        };
        (p, lanes_of(&self.asking[lanes]))
    }
}

/// A number for each of a row of points.
#[derive(Clone, Copy, Debug)]
pub struct PointNumbers([f32; POINTS]);

impl PointNumbers {
    /// The same for all.
    pub fn splat(number: f32) -> Self {
        Self([number; POINTS])
    }

    /// As many as a `T` has lanes, from that of point `first` on.
    #[inline(always)]
    pub fn lanes<T: Lane>(&self, first: usize) -> T {
        lanes_of(&self.0[first..first + T::LANES])
    }

    /// Sets as many.
    #[inline(always)]
    pub(in crate::sim) fn put<T: Lane>(&mut self, first: usize, numbers: T) {
        put_lanes(&mut self.0[first..first + T::LANES], numbers);
    }

    /// Changes each by what else is known of the same of the `points` that ask.
    pub fn change(&mut self, points: &PointRow, mut number: impl FnMut(Vec3, f32) -> f32) {
        for i in (0..points.count).filter(|i| points.asks(*i)) {
            self.0[i] = number(points.point(i), self.0[i]);
        }
    }
}

#[inline(always)]
fn put_lanes<T: Lane>(numbers: &mut [f32], lanes: T) {
    match lanes.floats() {
        [] => (0..T::LANES).for_each(|lane| numbers[lane] = lanes.single(lane)),
        floats => numbers[..T::LANES].copy_from_slice(floats),
    }
}

#[inline(always)]
fn lanes_of<T: Lane>(numbers: &[f32]) -> T {
    match T::from_floats(numbers) {
        Some(lanes) => lanes,
        None => T::from_lanes(|lane| f64::from(numbers[lane])),
    }
}

/// A surface that answers a row of vertices at once.
pub trait RowSurface {
    /// What up to as many vertices meet as a `T` has lanes, which are at most `N`.
    fn query_row<T: Lane, const N: usize>(
        &self,
        queries: &[ContactQuery],
        results: &mut [ContactResult],
    );
}

/// What one vertex meets: a row of its own.
pub fn query_one(surface: &impl RowSurface, query: &ContactQuery) -> ContactResult {
    let mut met = [ContactResult::NONE];
    surface.query_row::<f32, 1>(&[*query], &mut met);
    let [met] = met;
    met
}

/// What many meet, all in one substep, by rows as wide as the registers of these
/// instructions; the bits are the same for all.
pub fn query_rows(
    surface: &impl RowSurface,
    instructions: Instructions,
    queries: &[ContactQuery],
    results: &mut [ContactResult],
) {
    debug_assert!(queries.windows(2).all(|w| w[0].substep == w[1].substep));
    let rows = Rows {
        surface,
        queries,
        results,
    };
    lane_work(instructions, rows);
}

struct Rows<'a, S> {
    surface: &'a S,
    queries: &'a [ContactQuery],
    results: &'a mut [ContactResult],
}

impl<S: RowSurface> LaneWork for Rows<'_, S> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        let results = self.results.chunks_mut(T::LANES);
        for (queries, results) in self.queries.chunks(T::LANES).zip(results) {
            self.surface.query_row::<T, MOST>(queries, results);
        }
    }
}
