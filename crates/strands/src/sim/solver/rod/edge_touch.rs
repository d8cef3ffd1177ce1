//! Contacts of edges with other strands, at the iterate.

use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Sym3,
    },
    sim::strand_contact::plane::{PairPlane, PlanePlace},
};
use glam::Vec3;

/// What the contacts of an edge add to its quadratic.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeLoad<T> {
    /// Stiffness, and its first and second moment along the edge.
    pub stiff: [Sym3<T>; 3],
    /// Gradient and its first moment.
    pub gradient: [V3<T>; 2],
}

impl<T: Lane> EdgeLoad<T> {
    pub fn none() -> Self {
        Self {
            stiff: [Sym3::zero(); 3],
            gradient: [V3::zero(); 2],
        }
    }

    /// Adds a contact at that share of the edge.
    #[inline(always)]
    pub fn add(&mut self, stiff: &Sym3<T>, gradient: V3<T>, at: T) {
        let first = stiff.scale(at);
        let [all, moment, second] = &mut self.stiff;
        *all = all.plus(*stiff);
        *moment = moment.plus(first);
        *second = second.plus(first.scale(at));
        self.gradient[0] = self.gradient[0] + gradient;
        self.gradient[1] = self.gradient[1] + gradient.scale(at);
    }
}

/// Contacts of one edge in each strand of a lane group, at the iterate. Forces are for
/// each unit of the strand's own linear density; lanes without a contact have no
/// stiffness.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeTouch<T> {
    /// Where on the edge.
    pub at: T,
    /// From the other strand to this one.
    pub normal: V3<T>,
    /// How far along the normal the point must be from the root. `[m]`
    pub offset: T,
    /// Stiffness along the normal, and of sticking. `[m/s²]`
    pub stiff: T,
    pub hold: T,
    /// Friction holds no more than this. `[m²/s²]`
    pub load: T,
    /// How far the plane moves in the substep. `[m]`
    pub drift: V3<T>,
    /// The forces of the last substep. `[m²/s²]`
    pub push_before: T,
    pub friction_before: V3<T>,
    /// The point at the iterate, from the root. `[m]`
    pub point: V3<T>,
    /// Gap at the iterate. `[m]`
    pub gap: T,
    /// Friction at the iterate, its direction, and its stiffness across that and
    /// along it.
    pub friction: V3<T>,
    pub way: V3<T>,
    pub stick: T,
    pub along: T,
}

/// A contact to be taken in hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenSide {
    /// The edge and its lane.
    pub edge: u32,
    pub lane: u32,
    /// The side in the block's list.
    pub side: u32,
    pub place: PlanePlace,
}

/// Contacts of the strands in hand with strands.
pub(super) struct EdgeTouches<T> {
    /// Edge by edge.
    pub touches: Vec<EdgeTouch<T>>,
    /// Where those of each edge begin, and where the last one's end; empty where
    /// there are none.
    pub firsts: Vec<u32>,
    /// The side that each lane of each contact has in the block's list; [`NONE`] where
    /// there is none.
    pub sides: Vec<u32>,
    /// What there is to take, edge by edge and lane by lane.
    pub taken: Vec<TakenSide>,
    /// Potential of all at the iterate.
    pub energy: T,
}

/// The side of a lane without a contact.
pub(super) const NONE: u32 = u32::MAX;

impl<T: Lane> Default for EdgeTouches<T> {
    fn default() -> Self {
        Self {
            touches: Vec::new(),
            firsts: Vec::new(),
            sides: Vec::new(),
            taken: Vec::new(),
            energy: T::zero(),
        }
    }
}

impl<T: Lane> EdgeTouches<T> {
    /// Lets go of all.
    pub fn clear(&mut self) {
        self.touches.clear();
        self.firsts.clear();
        self.sides.clear();
        self.energy = T::zero();
    }

    /// The contacts of an edge, by their places in the list.
    #[inline(always)]
    pub fn of_edge(&self, edge: usize) -> std::ops::Range<usize> {
        match self.firsts.get(edge..edge + 2) {
            Some(bounds) => bounds[0] as usize..bounds[1] as usize,
            None => 0..0,
        }
    }
}

/// Puts a number into one lane.
#[inline(always)]
fn put<T: Lane>(row: &mut T, lane: usize, value: f32) {
    match row.floats_mut().get_mut(lane) {
        Some(number) => *number = value,
        None => row.set(lane, f64::from(value)),
    }
}

#[inline(always)]
fn put3<T: Lane>(row: &mut V3<T>, lane: usize, value: Vec3) {
    put(&mut row.x, lane, value.x);
    put(&mut row.y, lane, value.y);
    put(&mut row.z, lane, value.z);
}

#[inline(always)]
fn across<T: Lane>(normal: V3<T>, v: V3<T>) -> V3<T> {
    v - normal.scale(normal.dot(v))
}

impl<T: Lane> EdgeTouch<T> {
    /// None in any lane.
    pub fn none() -> Self {
        let (zero, zero3) = (T::zero(), V3::zero());
        Self {
            at: zero,
            normal: zero3,
            offset: zero,
            stiff: zero,
            hold: zero,
            load: zero,
            drift: zero3,
            push_before: zero,
            friction_before: zero3,
            point: zero3,
            gap: zero,
            friction: zero3,
            way: zero3,
            stick: zero,
            along: zero,
        }
    }

    /// Lets the strand in that lane meet `plane` as the `which` of its edges.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, plane: &PairPlane, which: u16) {
        let side = &plane.sides[usize::from(which)];
        let sign = if which == 0 { 1.0 } else { -1.0 };
        put(&mut self.at, lane, side.at);
        put3(&mut self.normal, lane, plane.normal * sign);
        put(&mut self.offset, lane, side.offset);
        put(&mut self.stiff, lane, side.stiff);
        put(&mut self.hold, lane, side.hold);
        put(&mut self.load, lane, side.load);
        put3(&mut self.drift, lane, plane.drift);
        put(&mut self.push_before, lane, plane.push);
        put3(&mut self.friction_before, lane, plane.friction * sign);
    }

    /// Stiffness of friction times a displacement `v` across the normal.
    #[inline(always)]
    pub fn resistance(&self, v: V3<T>) -> V3<T> {
        let along = (self.along - self.stick) * self.way.dot(v);
        v.scale(self.stick) + self.way.scale(along)
    }

    /// Normal force and friction where the point has moved on by `d` since the
    /// iterate; the former pulls where the edges have parted.
    #[inline(always)]
    pub fn forces(&self, d: V3<T>) -> (T, V3<T>) {
        let push = -(self.stiff * (self.gap + self.normal.dot(d)));
        let resistance = self.resistance(across(self.normal, d));
        (push, self.friction - resistance)
    }

    /// Potential there.
    #[inline(always)]
    pub fn energy(&self, d: V3<T>) -> T {
        let half = T::splat(0.5);
        let low = (self.gap + self.normal.dot(d)).min(T::zero());
        let across = across(self.normal, d);
        half * self.stiff * low * low + half * self.resistance(across).dot(across)
            - self.friction.dot(d)
    }

    /// Coulomb friction at the iterate: a spring that remembers the last substep's
    /// force and gives way where it pulls harder than the load allows (Cundall and
    /// Strack 1979).
    #[inline(always)]
    pub fn rub(&mut self, moved: V3<T>) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let remembered = self.friction_before;
        let slip = across(self.normal, moved - self.drift);
        let trial = remembered - slip.scale(self.hold);
        let size = trial.dot(trial).max(T::splat(1e-18)).sqrt();
        let share = (self.load / size).min(one);
        self.way = trial.scale(one / size);
        self.stick = self.hold * share;
        // Sliding on, the force keeps its size: it has no stiffness along its way.
        let slides = self.load.less(size, one, zero);
        let onward = zero.less(trial.dot(remembered), slides, zero);
        self.along = T::splat(0.5).less(onward, zero, self.stick);
        self.friction = trial.scale(share);
    }
}
