//! How vertices whose contact is solved for look at the skin: all of a group of
//! strands at once, so that a skin may wait for memory once instead of for each.

use super::{
    cache::{AT_ONCE, NO_PLANE},
    compliant::{CompliantContact, ContactMemory, ContactSubstep},
    query::contact_query,
    surface::{CollisionSurface, QueryBatch},
};
use crate::{
    math::lanes::{Lane, V3},
    sim::state::{Block, LANES},
};
use glam::Vec3;

/// A vertex this far from the skin has its plane. `[m]`
const NEAR: f64 = 0.002;

/// How far a vertex may move along its plane before it looks again. On a
/// curve of 5 mm the plane is then off by 0.1 mm. `[m]`
const SLACK: f64 = 0.001;

/// The vertices of a group of strands that look at once.
#[derive(Debug, Default)]
pub struct LookBatch {
    /// The row of each; its lane is in the batch.
    rows: Vec<usize>,
    batch: QueryBatch,
    /// How many have been told what they found.
    told: usize,
}

/// What the vertices of one row found, as numbers of each lane.
struct Found {
    /// One for a vertex that looked.
    looked: [f32; LANES],
    /// One for a vertex with nothing near.
    far: [f32; LANES],
    plane: [[f32; LANES]; 3],
    offset: [f32; LANES],
    room: [f32; LANES],
    drift: [[f32; LANES]; 3],
}

impl LookBatch {
    /// Forgets all but the memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.batch.clear();
    }

    /// Lets vertex `i` of the strands of `block` that `s` is of look, in the lanes
    /// where `wants` is one: on its way from where it was when the substep began to
    /// `x`. `[m]`
    #[inline(always)]
    pub fn ask<B: Lane, T: Lane>(
        &mut self,
        block: &Block<B>,
        s: &ContactSubstep<T>,
        i: usize,
        [start, x]: [V3<T>; 2],
        wants: T,
    ) {
        let [from, to] = s.way(start, x);
        let point = |v: V3<T>, lane| Vec3::from_array(v.get(lane).map(|c| c as f32));
        for lane in 0..T::LANES {
            if wants.get(lane) < 0.5 {
                continue;
            }
            let way = [point(from, lane), point(to, lane)];
            let query = contact_query(block, &s.head, s.root, s.margin, i, lane, way);
            self.rows.push(i);
            self.batch.lanes.push(lane);
            self.batch.queries.push(query);
        }
    }

    /// Asks `skin` for all.
    pub fn meet(&mut self, skin: &dyn CollisionSurface) {
        self.told = 0;
        self.batch.results.clear();
        if !self.rows.is_empty() {
            skin.query_all(&self.batch.queries, &mut self.batch.results);
        }
    }

    /// The next row that has looked, and what it found.
    // No closure is told instead: one that the compiler does not inline would be
    // made for other instructions than the kernel.
    #[inline(always)]
    pub fn next<B: Lane, T: Lane>(
        &mut self,
        block: &Block<B>,
        s: &ContactSubstep<T>,
    ) -> Option<(usize, RowFind<T>)> {
        let first = self.told;
        let i = *self.rows.get(first)?;
        while self.rows.get(self.told) == Some(&i) {
            self.told += 1;
        }
        Some((i, self.find(block, s, i, first..self.told)))
    }

    /// What the vertices with these numbers found, all of them in row `i`.
    #[inline(always)]
    fn find<B: Lane, T: Lane>(
        &self,
        block: &Block<B>,
        s: &ContactSubstep<T>,
        i: usize,
        all: std::ops::Range<usize>,
    ) -> RowFind<T> {
        let mut found = Found {
            looked: [0.0; LANES],
            far: [0.0; LANES],
            plane: [[0.0; LANES], [1.0; LANES], [0.0; LANES]],
            offset: [NO_PLANE as f32; LANES],
            room: [f32::MAX; LANES],
            drift: [[0.0; LANES]; 3],
        };
        for number in all {
            let (lane, query) = (self.batch.lanes[number], &self.batch.queries[number]);
            found.looked[lane] = 1.0;
            if i >= block.counts[s.head.first + lane] {
                // Behind a strand's tip there is nothing to meet.
                found.far[lane] = 1.0;
                continue;
            }
            let met = &self.batch.results[number];
            let gap = f64::from(met.tangent.distance) - met.keep;
            for axis in 0..3 {
                found.drift[axis][lane] = met.drift[axis];
            }
            // A fast vertex may end far from where it was expected.
            if gap > NEAR + f64::from(query.from.distance(query.to)) {
                found.far[lane] = 1.0;
                found.room[lane] = (gap - 0.5 * NEAR) as f32;
                continue;
            }
            let (normal, offset) = met.plane(query.root.as_dvec3());
            for axis in 0..3 {
                found.plane[axis][lane] = normal[axis] as f32;
            }
            found.offset[lane] = offset as f32;
            // A plane that moves by itself is good for now only.
            found.room[lane] = if met.moves { AT_ONCE } else { SLACK } as f32;
        }
        RowFind::new(&found)
    }
}

/// The same side by side.
#[derive(Clone, Copy, Debug)]
pub struct RowFind<T> {
    looked: T,
    far: T,
    plane: V3<T>,
    offset: T,
    room: T,
    drift: V3<T>,
}

/// A number of each lane.
#[inline(always)]
fn row<T: Lane>(values: &[f32; LANES]) -> T {
    T::from_lanes(|lane| f64::from(values[lane]))
}

/// A vector of each lane.
#[inline(always)]
fn rows<T: Lane>(values: &[[f32; LANES]; 3]) -> V3<T> {
    V3 {
        x: row(&values[0]),
        y: row(&values[1]),
        z: row(&values[2]),
    }
}

impl<T: Lane> RowFind<T> {
    /// One in the lanes of vertices that looked.
    #[inline(always)]
    pub fn looked(&self) -> T {
        self.looked
    }

    #[inline(always)]
    fn new(found: &Found) -> Self {
        Self {
            looked: row(&found.looked),
            far: row(&found.far),
            plane: rows(&found.plane),
            offset: row(&found.offset),
            room: row(&found.room),
            drift: rows(&found.drift),
        }
    }
}

impl<T: Lane> CompliantContact<T> {
    /// Takes what a vertex found that was at `start` when the substep began, from the
    /// root as the head saw it. Answers whether any has a plane. `[m]`
    #[inline(always)]
    pub fn take(
        &mut self,
        memory: &mut ContactMemory<T>,
        found: &RowFind<T>,
        start: V3<T>,
    ) -> bool {
        let (zero, half) = (T::zero(), T::splat(0.5));
        let (looked, far) = (found.looked, found.far);
        // Met for the first time: what lay inside before the substep must not be
        // flung out of it.
        let new = self
            .offset
            .less(T::splat(0.5 * NO_PLANE), looked - far, zero);
        let inside = (found.plane.dot(start) - found.offset).min(zero);
        memory.depth = half.less(new, inside, half.less(far, zero, memory.depth));
        memory.push = half.less(far, zero, memory.push);
        memory.friction = V3::zero().select(far, memory.friction);
        self.remembered = V3::zero().select(far, self.remembered);
        memory.room = half.less(looked, found.room, memory.room);
        self.plane = found.plane.select(looked, self.plane);
        self.offset = half.less(looked, found.offset, self.offset);
        self.drift = found.drift.select(looked, self.drift);
        T::splat(0.1 * NO_PLANE).any_less(self.offset)
    }
}
