//! A strand's rest shape as the strand itself sees it: what curls hair that
//! hangs elsewhere than where it was modelled.
//!
//! Each edge has a frame: a direction and two axes across it. From one edge to
//! the next the frame makes the smallest turn there is (parallel transport:
//! Bishop 1975, "There is more than one way to frame a curve"). Direction and
//! one axis say the same as the quaternion that other programs multiply along
//! the strand, with fewer operations.

use crate::math::lanes::{Lane, LaneFrame, V3};
use glam::DVec3;

/// The frame of an edge: two unit vectors at right angles.
#[derive(Clone, Copy, Debug)]
pub struct Bishop<T> {
    /// Along the edge.
    pub tangent: V3<T>,
    /// Across it.
    pub normal: V3<T>,
}

impl<T: Lane> Bishop<T> {
    /// An edge given in this frame, in the world. `[m]`
    #[inline(always)]
    pub fn edge(&self, local: V3<T>) -> V3<T> {
        let across = self.tangent.cross(self.normal);
        self.tangent.scale(local.x) + self.normal.scale(local.y) + across.scale(local.z)
    }

    /// The frame after the smallest turn that takes the tangent to the
    /// direction of `edge`, and one over the length of `edge`.
    ///
    /// n' = n - (n.t') / (1 + t.t') (t + t'), with one division for both.
    #[inline(always)]
    pub fn carried(&self, edge: V3<T>) -> (Self, T) {
        let length = edge.dot(edge).max(T::splat(1e-20)).sqrt();
        // Turned right round there is no smallest turn; anything finite will do.
        let sum = (length + self.tangent.dot(edge)).max(length * T::splat(1e-4));
        let both = T::splat(1.0) / (length * sum);
        let inverse = both * sum;
        let tangent = edge.scale(inverse);
        let share = self.normal.dot(edge) * (both * length);
        let normal = self.normal - (self.tangent + tangent).scale(share);
        (Self { tangent, normal }, inverse)
    }

    /// The frame turned towards a chord. A curl may end where it began and have
    /// none: `length`, an edge's, of the old direction is added to it.
    #[inline(always)]
    pub fn towards(&self, chord: V3<T>, length: T) -> Self {
        self.carried(chord + self.tangent.scale(length)).0
    }
}

/// The frame of an edge points as the line between the vertices so many before
/// and behind the edge, about one turn of a curl: a curl is bent against the
/// lock it winds around, which is left free. Were each edge bent against its
/// neighbour, an error near the root would turn all that follows, and a strand
/// of many vertices would never come to rest.
pub const REACH: usize = 6;

/// Whether the frame of edge `i` is turned; every other edge shares its frame
/// with the one before, whose chord is nearly its own.
#[inline(always)]
pub fn turns(i: usize) -> bool {
    i % 2 == 1
}

/// The vertices between which the chord about edge `i` runs.
#[inline(always)]
pub fn chord(i: usize, rows: usize) -> (usize, usize) {
    (i.saturating_sub(1 + REACH), (i + REACH).min(rows - 1))
}

/// The rest curves of a block's strands, edge by edge; the same for as long as
/// the groom is.
#[derive(Clone, Debug)]
pub struct RestShape<T> {
    /// The frame of the first edge, in the head's space.
    first: Bishop<T>,
    /// Each vertex's edge from the vertex before, in the edge's frame. `[m]`
    pub edges: Vec<V3<T>>,
    /// Length of that edge. `[m]`
    pub lengths: Vec<T>,
}

impl<T: Lane> RestShape<T> {
    /// Nothing; measured when a method first wants it.
    pub fn new() -> Self {
        Self {
            first: Bishop {
                tangent: V3::zero(),
                normal: V3::zero(),
            },
            edges: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// The frame of lanes `first..` at the root, as the head holds it.
    #[inline(always)]
    pub fn root<P: Lane>(&self, head: &LaneFrame<P>, first: usize) -> Bishop<P> {
        Bishop {
            tangent: head.vector(self.first.tangent.cut(first)),
            normal: head.vector(self.first.normal.cut(first)),
        }
    }

    /// Measures rest curves that begin in the first row.
    pub fn measure(&mut self, rest: &[V3<T>]) {
        self.edges = vec![V3::zero(); rest.len()];
        self.lengths = vec![T::zero(); rest.len()];
        for lane in 0..T::LANES {
            let point = |i: usize| DVec3::from(rest[i].get(lane));
            let first = (1..rest.len()).map(|i| point(i) - point(i - 1));
            let first = first.into_iter().find(|edge| edge.length() > 0.0);
            let tangent = first.unwrap_or(DVec3::NEG_Y).normalize();
            let normal = tangent.any_orthonormal_vector();
            self.first.tangent.set(lane, tangent.to_array());
            self.first.normal.set(lane, normal.to_array());
            let mut frame = Bishop {
                tangent: V3::<f64>::splat(tangent.to_array()),
                normal: V3::splat(normal.to_array()),
            };
            for i in 1..rest.len() {
                let edge = point(i) - point(i - 1);
                self.lengths[i].set(lane, edge.length());
                let lanes = |v: DVec3| V3::<f64>::splat(v.to_array());
                if turns(i) {
                    let (from, to) = chord(i, rest.len());
                    let chord = lanes(point(to) - point(from));
                    frame = frame.towards(chord, edge.length());
                }
                let across = frame.tangent.cross(frame.normal);
                let axes = [frame.tangent, frame.normal, across];
                self.edges[i].set(lane, axes.map(|axis| axis.dot(lanes(edge))));
            }
        }
    }
}

impl<T: Lane> Default for RestShape<T> {
    fn default() -> Self {
        Self::new()
    }
}
