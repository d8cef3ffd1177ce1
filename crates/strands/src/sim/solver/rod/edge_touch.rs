//! Contact of an edge with another strand, at the iterate.

use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Sym3,
    },
    sim::strand_contact::law::EdgePlane,
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
}

/// A contact at the iterate. Forces are for each unit of the strand's own linear
/// density.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeTouch {
    /// Place in the block's list, lane in the group, and edge.
    pub side: u32,
    pub lane: u32,
    pub edge: u32,
    pub plane: EdgePlane,
    /// One over the strand's mass.
    pub light: f32,
    /// The point at the iterate, from the root. `[m]`
    pub point: Vec3,
    /// Gap at the iterate. `[m]`
    pub gap: f32,
    /// Friction at the iterate, its direction, and its stiffness across that and
    /// along it.
    pub friction: Vec3,
    pub way: Vec3,
    pub stick: f32,
    pub along: f32,
}

/// Contacts of the strands in hand with strands.
pub(super) struct EdgeTouches<T> {
    pub touches: Vec<EdgeTouch>,
    /// Which edges have any; as long as there are rows.
    pub on: Vec<bool>,
    pub loads: Vec<EdgeLoad<T>>,
    /// Potential of all at the iterate.
    pub energy: T,
}

impl<T: Lane> Default for EdgeTouches<T> {
    fn default() -> Self {
        Self {
            touches: Vec::new(),
            on: Vec::new(),
            loads: Vec::new(),
            energy: T::zero(),
        }
    }
}

impl<T: Lane> EdgeTouches<T> {
    /// Lets go of all.
    pub fn clear(&mut self) {
        self.touches.clear();
        self.on.clear();
        self.energy = T::zero();
    }
}

#[inline(always)]
fn across(normal: Vec3, v: Vec3) -> Vec3 {
    v - normal * normal.dot(v)
}

impl EdgeTouch {
    /// Stiffness of friction times a displacement `v` across the normal.
    #[inline(always)]
    pub fn resistance(&self, v: Vec3) -> Vec3 {
        v * self.stick + self.way * ((self.along - self.stick) * self.way.dot(v))
    }

    /// Normal force and friction where the point has moved on by `d` since the
    /// iterate; the former pulls where the edges have parted.
    #[inline(always)]
    pub fn forces(&self, d: Vec3) -> (f32, Vec3) {
        let normal = self.plane.normal;
        let push = -self.plane.stiff * (self.gap + normal.dot(d));
        (push, self.friction - self.resistance(across(normal, d)))
    }

    /// Potential there.
    #[inline(always)]
    pub fn energy(&self, d: Vec3) -> f32 {
        let low = (self.gap + self.plane.normal.dot(d)).min(0.0);
        let across = across(self.plane.normal, d);
        0.5 * self.plane.stiff * low * low + 0.5 * self.resistance(across).dot(across)
            - self.friction.dot(d)
    }

    /// Coulomb friction at the iterate: a spring that remembers the last substep's
    /// force and gives way where it pulls harder than the load allows (Cundall and
    /// Strack 1979).
    #[inline(always)]
    pub fn rub(&mut self, moved: Vec3) {
        let plane = &self.plane;
        let remembered = plane.before.friction;
        let trial = remembered - across(plane.normal, moved - plane.drift) * plane.hold;
        let size = trial.length_squared().max(1e-18).sqrt();
        let share = (plane.load / size).min(1.0);
        self.way = trial * (1.0 / size);
        self.stick = plane.hold * share;
        // Sliding on, the force keeps its size: it has no stiffness along its way.
        let onward = size > plane.load && trial.dot(remembered) > 0.0;
        self.along = if onward { 0.0 } else { self.stick };
        self.friction = trial * share;
    }
}
