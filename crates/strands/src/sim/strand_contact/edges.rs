//! All edges of all strands, and how they move in a substep.

use super::law::{EdgeMotion, bounds};
use crate::math::lanes::{F, Lane, V3};
use glam::Vec3;

/// Pairs of edges that are looked at side by side.
pub const LOT: usize = 16;

/// A number of each of them.
pub type Lot = F<LOT>;

/// A vertex in a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct MovingVertex {
    /// Where it was when the substep began. `[m]`
    pub start: Vec3,
    /// How far it has moved since, as far as is known. `[m]`
    pub moved: Vec3,
}

/// The edges of all strands, each by its inner vertex.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// The vertices, strand after strand.
    pub vertices: Vec<MovingVertex>,
    /// The strand of each.
    pub strands: Vec<u32>,
    /// Between which shares of the edge there it has contacts.
    pub bounds: Vec<[f32; 2]>,
    /// Where the vertices of each strand begin, and their number.
    pub firsts: Vec<u32>,
}

impl Edges {
    /// Those of strands with so many vertices each.
    pub fn new(counts: impl Iterator<Item = usize>) -> Self {
        let mut edges = Self {
            firsts: vec![0],
            ..Self::default()
        };
        for count in counts {
            let strand = edges.firsts.len() as u32 - 1;
            let end = edges.strands.len() + count;
            edges.strands.resize(end, strand);
            edges.firsts.push(end as u32);
            let limits = |i| bounds(i == 0, i + 2 == count);
            edges.bounds.extend((0..count).map(limits));
        }
        let vertices = edges.strands.len();
        edges.vertices.resize(vertices, MovingVertex::default());
        edges
    }

    /// Whether an edge begins at that vertex.
    #[inline(always)]
    pub fn is_edge(&self, vertex: usize) -> bool {
        self.strands.get(vertex + 1) == Some(&self.strands[vertex])
    }

    /// The numbers of the edge at that vertex.
    #[inline(always)]
    pub fn numbers(&self, vertex: usize) -> EdgeNumbers {
        let (a, b) = (&self.vertices[vertex], &self.vertices[vertex + 1]);
        let [low, high] = self.bounds[vertex];
        EdgeNumbers([
            a.start.x, a.start.y, a.start.z, b.start.x, b.start.y, b.start.z, a.moved.x, a.moved.y,
            a.moved.z, b.moved.x, b.moved.y, b.moved.z, low, high,
        ])
    }

    /// The edges at the first of those vertices, side by side.
    #[inline(always)]
    pub fn gather<T: Lane>(&self, at: &[u32]) -> EdgeMotion<T> {
        let mut rows = [[0.0; LOT]; EDGE];
        for (k, vertex) in at[..T::LANES].iter().enumerate() {
            self.numbers(*vertex as usize).put(&mut rows, k);
        }
        EdgeMotion::of(&rows)
    }

    /// The edge at that vertex, in every lane.
    #[cfg(test)]
    pub fn splat<T: Lane>(&self, vertex: usize) -> EdgeMotion<T> {
        let (a, b) = (&self.vertices[vertex], &self.vertices[vertex + 1]);
        let [low, high] = self.bounds[vertex];
        EdgeMotion {
            start: [splat(a.start), splat(b.start)],
            moved: [splat(a.moved), splat(b.moved)],
            bounds: [T::splat(f64::from(low)), T::splat(f64::from(high))],
        }
    }

    /// How the ends of the edges at those vertices have moved, side by side. `[m]`
    #[inline(always)]
    pub fn gather_moved<T: Lane>(&self, at: &[u32]) -> [V3<T>; 2] {
        let mut rows = [[0.0; LOT]; 6];
        for (k, vertex) in at[..T::LANES].iter().enumerate() {
            let vertex = *vertex as usize;
            let (a, b) = (
                &self.vertices[vertex].moved,
                &self.vertices[vertex + 1].moved,
            );
            for (row, number) in rows.iter_mut().zip([a.x, a.y, a.z, b.x, b.y, b.z]) {
                row[k] = number;
            }
        }
        [vector(&rows[0..3]), vector(&rows[3..6])]
    }
}

/// How many numbers an edge has.
pub const EDGE: usize = 14;

/// All numbers of an edge: its ends, their motion, its bounds. They share one line of
/// memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct EdgeNumbers([f32; EDGE]);

impl EdgeNumbers {
    /// Puts each into place `k` of its row.
    #[inline(always)]
    pub fn put(&self, rows: &mut [[f32; LOT]; EDGE], k: usize) {
        for (row, number) in rows.iter_mut().zip(self.0) {
            row[k] = number;
        }
    }
}

impl<T: Lane> EdgeMotion<T> {
    /// The edges whose numbers are in the first places of those rows.
    #[inline(always)]
    pub fn of(rows: &[[f32; LOT]; EDGE]) -> Self {
        Self {
            start: [vector(&rows[0..3]), vector(&rows[3..6])],
            moved: [vector(&rows[6..9]), vector(&rows[9..12])],
            bounds: [lanes(&rows[12]), lanes(&rows[13])],
        }
    }
}

/// The first numbers of a row.
#[inline(always)]
pub fn lanes<T: Lane>(row: &[f32]) -> T {
    match T::from_floats(&row[..T::LANES]) {
        Some(lanes) => lanes,
        None => T::splat(f64::from(row[0])),
    }
}

/// The first vectors of three rows.
#[inline(always)]
pub fn vector<T: Lane>(rows: &[[f32; LOT]]) -> V3<T> {
    V3 {
        x: lanes(&rows[0]),
        y: lanes(&rows[1]),
        z: lanes(&rows[2]),
    }
}

/// The same vector in every lane.
#[cfg(test)]
fn splat<T: Lane>(v: Vec3) -> V3<T> {
    V3 {
        x: T::splat(f64::from(v.x)),
        y: T::splat(f64::from(v.y)),
        z: T::splat(f64::from(v.z)),
    }
}

/// Puts a vector into one of many places.
#[inline(always)]
pub fn put(lot: &mut V3<Lot>, k: usize, v: Vec3) {
    (lot.x.0[k], lot.y.0[k], lot.z.0[k]) = (v.x, v.y, v.z);
}

/// Takes one out.
#[inline(always)]
pub fn take(lot: &V3<Lot>, k: usize) -> Vec3 {
    Vec3::new(lot.x.0[k], lot.y.0[k], lot.z.0[k])
}
