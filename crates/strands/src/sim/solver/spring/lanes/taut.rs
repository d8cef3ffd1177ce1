//! Edges at their limit: none is left longer, and what would stretch them further
//! is taken from the velocities of their ends.

use super::{InnerStep, SpringGroup};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        contact::on_skin,
        solver::spring::constants::{CONTACT, LIMIT},
        trace::Observer,
    },
};

/// A taut edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeImpulse<T> {
    /// One where the edge is past its limit.
    taut: T,
    along: V3<T>,
    /// What the elimination left: right side and one over the pivot.
    pull: T,
    over: T,
}

impl<T: Lane> EdgeImpulse<T> {
    pub fn none() -> Self {
        Self {
            taut: T::zero(),
            along: V3::zero(),
            pull: T::zero(),
            over: T::zero(),
        }
    }
}

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
        self.edge_impulses[i - 1].taut = taut;
        if !T::splat(0.5).any_less(taut) {
            return;
        }
        self.taut = true;
        let share = (longest / square).sqrt();
        let back = d.scale((share - one) * taut);
        self.nodes[i].x = node.x + back;
        note.note(LIMIT, i, back);
    }

    /// The impulses of taut edges: pulls at both ends, all at once, that leave no
    /// velocity which would stretch them further. They keep momentum and only
    /// take energy, so places put right by the limit feed nothing.
    #[inline(always)]
    pub(super) fn apply_edge_impulses(&mut self) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (mut before, mut over, mut so_far) = (V3::zero(), zero, zero);
        for i in 0..self.rows - 1 {
            let (node, next) = (&self.nodes[i], &self.nodes[i + 1]);
            let taut = self.edge_impulses[i].taut;
            let d = next.x - node.x;
            let along = d.scale(one / d.dot(d).max(T::splat(1e-18)).sqrt());
            let (here, there) = (self.inverse_mass(i), self.inverse_mass(i + 1));
            // One row of a symmetric tridiagonal system, eliminated root first.
            let shared = here * along.dot(before);
            let pivot = here + there - shared * shared * over;
            let pull = (next.velocity - node.velocity).dot(along) + shared * so_far;
            over = taut / pivot.max(T::splat(1e-9));
            so_far = pull * over;
            before = along;
            let edge = &mut self.edge_impulses[i];
            (edge.along, edge.pull, edge.over) = (along, so_far, over);
        }
        let (mut after, mut outer) = (V3::zero(), zero);
        for i in (0..self.rows - 1).rev() {
            let edge = self.edge_impulses[i];
            let there = self.inverse_mass(i + 1);
            let shared = there * edge.along.dot(after);
            // An edge pulls and does not push.
            let pull = (edge.pull + shared * outer * edge.over).max(zero);
            let impulse = edge.along.scale(pull);
            let (here, next) = (self.inverse_mass(i), self.nodes[i + 1].velocity);
            self.nodes[i + 1].velocity = next - impulse.scale(there);
            self.nodes[i].velocity = self.nodes[i].velocity + impulse.scale(here);
            (after, outer) = (edge.along, pull);
        }
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
                let (inner, touch) = (self.nodes[i - 1].x, &self.touches[i]);
                let x = self.nodes[i].x;
                let kept = on_skin(inner, x, longest * longest, touch.normal, touch.offset);
                let exists = T::zero().less(self.nodes[i].inverse_mass, T::splat(1.0), T::zero());
                let kept = kept.select(exists, x);
                note.note(CONTACT, i, kept - x);
                self.nodes[i].x = kept;
            }
        }
    }
}
