//! All lengths of a strand at once, by one tridiagonal system.

use super::constants::{LENGTH, Shape};
use crate::{
    math::lanes::{Lane, V3},
    sim::{solver::BlockStep, trace::Observer},
};

impl Shape {
    /// All lengths at once: with e_i the edge that ends in vertex i and w its
    /// inverse mass, the multipliers solve
    /// (w_(i-1) + w_i) e_i.e_i l_i - w_i e_i.e_(i+1) l_(i+1) - w_(i-1) e_i.e_(i-1) l_(i-1)
    /// = (e_i.e_i - length²) / 2, and vertex i moves by
    /// w_i (e_(i+1) l_(i+1) - e_i l_i). Elimination from the root, then back.
    #[inline(always)]
    pub(super) fn solve_lengths<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        first: usize,
        note: &mut impl Observer<T>,
    ) {
        let (block, scratch) = (&mut *step.block, &mut *step.scratch);
        let begin = block.pinned.max(1);
        if begin >= block.rows {
            return;
        }
        let mut inner: V3<T> = block.position[begin].cut(first);
        let mut edge = inner - block.position[begin - 1].cut(first);
        let (mut lower, mut factor, mut value) = (T::zero(), T::zero(), T::zero());
        for i in begin..block.rows {
            let length: T = block.shape.lengths[i].cut(first);
            let (square, wanted) = (edge.dot(edge), length * length);
            let masses = if i > block.pinned { 2.0 } else { 1.0 };
            // Where an edge is pressed flat its direction says nothing.
            let steady = square.max(wanted * T::splat(0.25)).max(T::splat(1e-16));
            let mut error = (square - wanted) * T::splat(0.5);
            let (mut next, mut upper) = (V3::zero(), T::zero());
            if i + 1 < block.rows {
                let outer: V3<T> = block.position[i + 1].cut(first);
                next = outer - inner;
                inner = outer;
                upper = -edge.dot(next);
            }
            if i + 1 >= block.shortest {
                error = error * block.alive(i).cut(first);
                upper = upper * block.alive(i + 1).cut(first);
            }
            let pivot = T::splat(masses) * steady - lower * factor;
            let pivot = pivot.max(steady * T::splat(1e-3));
            let inverse = T::splat(1.0) / pivot;
            factor = upper * inverse;
            value = (error - lower * value) * inverse;
            lower = upper;
            scratch.pull[i].paste(first, factor);
            scratch.pushed[i].paste(first, value);
            edge = next;
        }
        let (mut multiplier, mut outer_force) = (T::zero(), V3::<T>::zero());
        for i in (begin..block.rows).rev() {
            let p: V3<T> = block.position[i].cut(first);
            let edge = p - block.position[i - 1].cut(first);
            let (factor, value): (T, T) =
                (scratch.pull[i].cut(first), scratch.pushed[i].cut(first));
            multiplier = value - factor * multiplier;
            let force = edge.scale(multiplier);
            let mut moved = outer_force - force;
            if i >= block.shortest {
                moved = moved.scale(block.alive(i).cut(first));
            }
            note.note(LENGTH, i, moved);
            block.position[i].paste(first, p + moved);
            outer_force = force;
        }
        for i in block.shortest.max(begin)..block.rows {
            let p: V3<T> = block.position[i].cut(first);
            let tip = block.position[i - 1].cut(first);
            let alive = block.alive(i).cut(first);
            block.position[i].paste(first, p.select(alive, tip));
        }
        if block.pinned == 0 {
            let root = block.position[0].cut::<T>(first) + outer_force;
            block.position[0].paste(first, root);
        }
    }
}
