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
        [
            a.start.x, a.start.y, a.start.z, a.moved.x, a.moved.y, a.moved.z, b.start.x, b.start.y,
            b.start.z, b.moved.x, b.moved.y, b.moved.z, low, high, 0.0, 0.0,
        ]
    }

    /// The edges at the first of those vertices, side by side.
    #[inline(always)]
    pub fn gather<T: Lane>(&self, at: &[u32], rows: &mut EdgeRows) -> EdgeMotion<T> {
        self.put(&at[..T::LANES], rows);
        EdgeMotion::of(rows)
    }

    /// Puts the numbers of some edges into rows.
    #[inline(always)]
    fn put(&self, at: &[u32], rows: &mut EdgeRows) {
        for (row, vertex) in rows.iter_mut().zip(at) {
            *row = self.numbers(*vertex as usize);
        }
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
    pub fn gather_moved<T: Lane>(&self, at: &[u32], rows: &mut EdgeRows) -> [V3<T>; 2] {
        self.put(&at[..T::LANES], rows);
        let [ax, ay, az, _] = T::columns(rows, 3);
        let [_, bx, by, bz] = T::columns(rows, 8);
        let (inner, outer) = (
            V3 {
                x: ax,
                y: ay,
                z: az,
            },
            V3 {
                x: bx,
                y: by,
                z: bz,
            },
        );
        [inner, outer]
    }
}

/// All numbers of an edge: place and motion of its inner end, then of its outer one, and
/// its bounds. They fill one line of
/// memory, or two halves.
pub type EdgeNumbers = [f32; 16];

/// Room for those of a lot: whoever gathers many lots has it but once.
pub type EdgeRows = [EdgeNumbers; LOT];

impl<T: Lane> EdgeMotion<T> {
    /// The edges that have the first of those rows.
    #[inline(always)]
    pub fn of(rows: &EdgeRows) -> Self {
        let [ax, ay, az, am] = T::columns(rows, 0);
        let [an, ao, bx, by] = T::columns(rows, 4);
        let [bz, bm, bn, bo] = T::columns(rows, 8);
        let [low, high, _, _] = T::columns(rows, 12);
        Self {
            start: [
                V3 {
                    x: ax,
                    y: ay,
                    z: az,
                },
                V3 {
                    x: bx,
                    y: by,
                    z: bz,
                },
            ],
            moved: [
                V3 {
                    x: am,
                    y: an,
                    z: ao,
                },
                V3 {
                    x: bm,
                    y: bn,
                    z: bo,
                },
            ],
            bounds: [low, high],
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
