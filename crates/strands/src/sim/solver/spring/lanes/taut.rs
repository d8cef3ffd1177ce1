//! Edges at their limit: none is left longer, and what would stretch them further
//! is taken from the velocities of their ends.

use super::{InnerStep, SpringGroup, solve::Outside};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        contact::on_skin,
        solver::spring::constants::{CONTACT, LIMIT},
        trace::{Observer, Unobserved},
    },
};

/// What keeps a taut edge from stretching further, beside its stretch: many
/// times the mass of any strand. `[m]`
const RIGID: f64 = 1e3;

impl<T: Lane> SpringGroup<T> {
    /// Takes vertex `i` towards the one before it where their edge is past the
    /// limit, and notes that the edge is taut.
    #[inline(always)]
    pub(super) fn shorten<N: Observer<T>>(&mut self, s: &InnerStep<T>, i: usize, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        if i >= self.rows || i < self.pinned.max(1) {
            return;
        }
        let inner = &self.nodes[i - 1];
        let node = &self.nodes[i];
        let longest = inner.length * s.limit;
        let longest = longest * longest;
        let d = node.x - inner.x;
        let square = d.dot(d).max(T::splat(1e-18));
        let exists = zero.less(node.inverse_mass, one, zero);
        let taut = longest.less(square, exists, zero);
        self.taut_edges[i - 1] = taut;
        if !taut.any() {
            return;
        }
        self.taut = true;
        let share = (longest / square).sqrt();
        let back = d.scale((share - one) * taut);
        self.nodes[i].x = node.x + back;
        note.note(LIMIT, i, back);
    }

    /// The impulses of taut edges, all at once: what would stretch them further is
    /// taken from the velocities. They keep momentum. They act against the mass that
    /// the inner step solves with, the apparent part included, and so only take
    /// energy; measured against the vertices' own masses they would add some.
    #[inline(always)]
    pub(super) fn hold_taut(&mut self, s: &InnerStep<T>) {
        let zero = T::zero();
        let mut outside = Outside::none();
        for i in (0..self.rows).rev() {
            let node = &self.nodes[i];
            outside.mass = outside.mass.plus_diagonal(node.mass * s.heavier);
            if i < self.pinned.max(1) {
                break;
            }
            let before = &self.strains[i - 1];
            let apart = node.velocity - self.nodes[i - 1].velocity;
            // An edge pulls and does not push.
            let rate = apart.dot(before.along).max(zero) * self.taut_edges[i - 1];
            let along = zero.less(rate, T::splat(RIGID), before.stiffer);
            (self.eliminated[i], outside) =
                outside.over(before.along, V3::zero(), before.across, along, rate);
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
    pub fn shorten_all<N: Observer<T>>(&mut self, s: &InnerStep<T>, note: &mut N) {
        for i in 0..self.rows {
            self.shorten(s, i, note);
            if self.near[i] && i >= self.pinned.max(1) {
                let longest = self.nodes[i - 1].length * s.limit;
                // Springs push back what is shorter.
                let between = [T::zero(), longest * longest];
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
