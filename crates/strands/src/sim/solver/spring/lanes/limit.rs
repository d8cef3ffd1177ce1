//! Edges at their limit: none is left longer or shorter, and what would change them
//! further is taken from the velocities of their ends.

use super::{InnerStep, SpringGroup, solve::Outside};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        contact::on_skin,
        solver::{
            spring::constants::{CONTACT, LIMIT},
            stretch_limit::limited,
        },
        trace::{Observer, Unobserved},
    },
};

/// What keeps an edge at its limit from changing further, beside its stretch: many
/// times the mass of any strand. `[m]`
const RIGID: f64 = 1e3;

impl<T: Lane> SpringGroup<T> {
    /// The squared lengths between which the edge stays that leads to vertex `i`. `[m²]`
    #[inline(always)]
    fn between(&self, s: &InnerStep<T>, i: usize) -> [T; 2] {
        let length = self.nodes[i - 1].length;
        // (No closure: one that is not inlined is compiled without the wide instructions.)
        let [shortest, longest] = [length * s.limits[0], length * s.limits[1]];
        [shortest * shortest, longest * longest]
    }

    /// Takes vertex `i` along its edge to where that is within its limits, and notes
    /// which edges were not.
    #[inline(always)]
    pub(super) fn limit<N: Observer<T>>(&mut self, s: &InnerStep<T>, i: usize, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        if i >= self.rows || i < self.pinned.max(1) {
            return;
        }
        let between = self.between(s, i);
        let (inner, node) = (self.nodes[i - 1].x, &self.nodes[i]);
        let d = node.x - inner;
        let square = d.dot(d);
        let exists = zero.less(node.inverse_mass, one, zero);
        let [shortest, longest] = between;
        let over = longest.less(square, exists, zero) - square.less(shortest, exists, zero);
        self.over[i - 1] = over;
        let off = over * over;
        if !off.any() {
            return;
        }
        self.limited = true;
        let kept = limited(inner, node.x, between).select(off, node.x);
        note.note(LIMIT, i, kept - node.x);
        self.nodes[i].x = kept;
    }

    /// The impulses of edges at their limits, all at once: what would take them further
    /// is taken from the velocities. They keep momentum. They act against the mass that
    /// the inner step solves with, the apparent part included, and so only take
    /// energy; measured against the vertices' own masses they would add some.
    #[inline(always)]
    pub(super) fn hold_limits(&mut self, s: &InnerStep<T>) {
        let zero = T::zero();
        let mut outside = Outside::none();
        for i in (0..self.rows).rev() {
            let node = &self.nodes[i];
            outside.mass = outside.mass.plus_diagonal(node.inertia() * s.heavier);
            if i < self.pinned.max(1) {
                break;
            }
            let before = &self.strains[i - 1];
            let apart = node.velocity - self.nodes[i - 1].velocity;
            // An edge that is too long pulls, one that is too short pushes.
            let over = self.over[i - 1];
            let rate = (apart.dot(before.along) * over).max(zero);
            let along = zero.less(rate, T::splat(RIGID), before.stiffer);
            (self.eliminated[i], outside) =
                outside.over(before.along, V3::zero(), before.across, along, rate * over);
        }
        self.root_change = outside.mass.inverse().times(outside.pull);
        self.accelerate(s, &mut Unobserved);
    }

    /// One over the mass of vertex `i`; none where the head holds it.
    #[inline(always)]
    pub(super) fn inverse_mass(&self, i: usize) -> T {
        if i < self.pinned {
            T::zero()
        } else {
            self.nodes[i].inverse_mass
        }
    }

    /// The last word on lengths, when all inner steps are done.
    #[inline(always)]
    pub fn limit_all<N: Observer<T>>(&mut self, s: &InnerStep<T>, note: &mut N) {
        for i in 0..self.rows {
            self.limit(s, i, note);
            if self.near[i] && i >= self.pinned.max(1) {
                let between = self.between(s, i);
                let (inner, touch) = (self.nodes[i - 1].x, &self.touches[i]);
                let x = self.nodes[i].x;
                let kept = on_skin(inner, x, between, touch.normal, touch.offset);
                let exists = T::zero().less(self.nodes[i].inverse_mass, T::splat(1.0), T::zero());
                let kept = kept.select(exists, x);
                note.note(CONTACT, i, kept - x);
                self.nodes[i].x = kept;
            }
        }
    }
}
