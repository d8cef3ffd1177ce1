//! All edges of all strands, and how they move in a substep.

use super::law::EdgeMotion;
use crate::math::lanes::{F, Lane, V3};
use glam::Vec3;
use rayon::prelude::*;

/// Pairs of edges that are looked at side by side.
pub const BATCH: usize = 16;

/// A number of each of them.
pub type PairRow = F<BATCH>;

/// A vertex in a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct MovingVertex {
    /// Where it was when the substep began. `[m]`
    pub start: Vec3,
    /// How far it has moved since, as far as is known. `[m]`
    pub moved: Vec3,
}

/// A share beyond both ends of every edge.
const ENDLESS: f32 = 1e9;

/// How far beyond its end an edge still has a contact, in its length: at least and at
/// most.
const BEYOND: [f32; 2] = [3e-3, 0.15];

/// How far beyond their joint two edges still have contacts, as shares of them: on the
/// outer side of a bend neither comes nearest within its ends. Where a strand is straight
/// it is next to nothing, for the end of the edge behind would hold back what slides over
/// the joint. `[m]`
fn beyond(a: Vec3, b: Vec3, distance: f32) -> [f32; 2] {
    let (long_a, long_b) = (a.length(), b.length());
    // Tangent of half of the angle between them.
    let bend = a.cross(b).length() / (long_a * long_b + a.dot(b)).max(1e-12);
    let way = 1.2 * distance * bend;
    let [least, most] = BEYOND;
    [long_a, long_b].map(|long| (least + way / long).min(most))
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
        }
        let vertices = edges.strands.len();
        edges.vertices.resize(vertices, MovingVertex::default());
        edges.bounds.resize(vertices, [-ENDLESS, ENDLESS]);
        edges
    }

    /// Finds out between which shares of it each edge has contacts with strands that keep
    /// that distance, as they lie when the substep begins. `[m]`
    pub fn bound(&mut self, distance: f32) {
        let mut left = &mut self.bounds[..];
        let mut strands = Vec::with_capacity(self.firsts.len());
        for ends in self.firsts.windows(2) {
            let [first, end] = [ends[0] as usize, ends[1] as usize];
            let (part, more) = left.split_at_mut(end - first);
            strands.push((&self.vertices[first..end], part));
            left = more;
        }
        let strands = strands.into_par_iter().with_min_len(32);
        strands.for_each(|(vertices, bounds)| {
            let mut low = -ENDLESS;
            for (i, bounds) in bounds.iter_mut().enumerate() {
                let (mut high, mut next) = (ENDLESS, -ENDLESS);
                if let Some([a, b, c]) = vertices.get(i..i + 3) {
                    let (a, b) = (b.start - a.start, c.start - b.start);
                    let [beyond_a, beyond_b] = beyond(a, b, distance);
                    (high, next) = (1.0 + beyond_a, -beyond_b);
                }
                *bounds = [low, high];
                low = next;
            }
        });
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
            a.start.x, a.start.y, a.start.z, b.start.x, b.start.y, b.start.z, a.moved.x, a.moved.y,
            a.moved.z, b.moved.x, b.moved.y, b.moved.z, low, high, 0.0, 0.0,
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
    pub fn splat<T: Lane>(&self, vertex: usize) -> EdgeMotion<T> {
        let (a, b) = (&self.vertices[vertex], &self.vertices[vertex + 1]);
        let [low, high] = self.bounds[vertex];
        EdgeMotion {
            start: [a.start.into(), b.start.into()],
            moved: [a.moved.into(), b.moved.into()],
            bounds: [T::splat(f64::from(low)), T::splat(f64::from(high))],
        }
    }

    /// How the ends of the edges at those vertices have moved, side by side. `[m]`
    #[inline(always)]
    pub fn gather_moved<T: Lane>(&self, at: &[u32], rows: &mut EdgeRows) -> [V3<T>; 2] {
        self.put(&at[..T::LANES], rows);
        ends(rows, MOVED).0
    }
}

/// All numbers of an edge: where its inner and its outer end are, how far they have moved,
/// and its bounds. They fill one line of memory, or two halves.
pub type EdgeNumbers = [f32; 16];

/// Places of these numbers.
const START: usize = 0;
const MOVED: usize = 6;

/// Room for those of a batch: whoever gathers many batches has it but once.
pub type EdgeRows = [EdgeNumbers; BATCH];

/// Two vectors, one behind the other in each of the first rows from number `at` on, side by
/// side; and the two numbers behind them.
#[inline(always)]
pub fn ends<T: Lane>(rows: &EdgeRows, at: usize) -> ([V3<T>; 2], [T; 2]) {
    let [x, y, z, outer_x] = T::columns(rows, at);
    let [outer_y, outer_z, one, other] = T::columns(rows, at + 4);
    let inner = V3 { x, y, z };
    let outer = V3 {
        x: outer_x,
        y: outer_y,
        z: outer_z,
    };
    ([inner, outer], [one, other])
}

impl<T: Lane> EdgeMotion<T> {
    /// The edges that have the first of those rows.
    #[inline(always)]
    pub fn of(rows: &EdgeRows) -> Self {
        let (start, _) = ends(rows, START);
        let (moved, bounds) = ends(rows, MOVED);
        Self {
            start,
            moved,
            bounds,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::tan;
    use glam::Quat;

    #[test]
    fn around_a_joint_there_is_always_a_contact_and_little_more() {
        let (long, thick) = (0.008, 1e-3);
        for degrees in [0.0f32, 5.0, 20.0, 45.0, 70.0] {
            let turned = |share: f32| Quat::from_rotation_z(share * degrees.to_radians());
            let (a, b) = (long * Vec3::X, turned(1.0) * (long * Vec3::X));
            let [after, before] = beyond(a, b, thick);
            let most = 1.3 * tan(0.5 * degrees.to_radians()) * thick / long + 4e-3;
            assert!(
                after <= most && before <= most,
                "{degrees}: {after}, {before}"
            );
            // Everywhere on the outer side.
            for k in 0..=20u8 {
                let point = turned(f32::from(k) / 20.0) * (-thick * Vec3::Y);
                let shares = [
                    1.0 + point.dot(a) / long.powi(2),
                    point.dot(b) / long.powi(2),
                ];
                assert!(
                    shares[0] <= 1.0 + after || shares[1] >= -before,
                    "{degrees}: {shares:?}"
                );
            }
        }
    }
}
