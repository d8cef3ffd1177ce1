//! What a substep ends with: contact, friction, the stretch limit, velocities.

use super::constants::{CONTACT, FRICTION, LIMIT, Shape, ShapeLanes};
use crate::{
    math::lanes::{Lane, V3},
    sim::{
        contact,
        solver::{
            BlockStep,
            stretch_limit::{GIVEN_BACK, between, give_back, limit_free, limited},
        },
        trace::Observer,
    },
};

impl Shape {
    /// Stretch limit of what has no plane in row `i`, before it is rechecked.
    #[inline(always)]
    pub(super) fn limit_free<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        first: usize,
        i: usize,
        note: &mut impl Observer<T>,
    ) {
        let (block, rate) = (&mut *step.block, GIVEN_BACK / step.input.h);
        let length: T = block.shape.lengths[i].cut(first);
        let between = between(length * length, self.limit);
        let alive = block.alive(i).cut(first);
        let moved = limit_free(block, [i, first], between, alive, rate);
        note.note(LIMIT, i, moved);
    }

    /// Friction, contact and stretch limit of vertex `i`, then its velocity.
    /// Answers how far it moved, as the head sees it. `[m]`
    #[inline(always)]
    pub(super) fn finish<B: Lane, T: Lane>(
        &self,
        step: &mut BlockStep<B>,
        hand: &ShapeLanes<T>,
        i: usize,
        note: &mut impl Observer<T>,
    ) -> T {
        let (block, scratch, input) = (&mut *step.block, &*step.scratch, step.input);
        let (head, first) = (&hand.shared.head, hand.shared.head.first);
        let zero = T::zero();
        let start: V3<T> = scratch.before[i].cut(first);
        let mut p: V3<T> = block.position[i].cut(first);
        let mut bounce = None;
        if i >= block.pinned {
            let near = block.proximity[i].near;
            let mut skin = (V3::zero(), zero);
            if near {
                skin = contact::tangent_plane(block, input, head, i);
                let push = contact::plane(p, skin.0, skin.1);
                if zero.any_less(push) {
                    note.note(CONTACT, i, skin.0.scale(push));
                    let out = p + skin.0.scale(push);
                    // The place before the strand was handed any motion.
                    let old = scratch.target[i].cut::<T>(first);
                    let skin_moved = hand.drift.at(old) + contact::drift(block, input, head, i);
                    let carried = [skin_moved + (old - start), skin_moved];
                    let (way, velocity) = ([start, out], block.velocity[i].cut(first));
                    (p, bounce) =
                        contact::rub_and_bounce(way, velocity, carried, skin.0, push, input);
                    note.note(FRICTION, i, p - out);
                }
            }
            if i > 0 {
                let inner: V3<T> = block.position[i - 1].cut(first);
                let length: T = block.shape.lengths[i].cut(first);
                let [shortest, longest] = between(length * length, self.limit);
                // What is on the skin may be shorter: nothing holds it there while its shape
                // pulls, and a longer edge might push it through.
                let plane = block.plane_offset[i].cut(first);
                let between = [contact::has_plane(plane, zero, shortest), longest];
                let edge = p - inner;
                let square = edge.dot(edge);
                if longest.any_less(square) || square.any_less(between[0]) {
                    let mut kept = limited(inner, p, between);
                    if near {
                        kept = contact::on_skin(inner, kept, between, skin.0, skin.1);
                    }
                    let mut off = longest.less(square, T::splat(1.0), zero);
                    off = square.less(between[0], T::splat(1.0), off);
                    kept = kept.select(off, p);
                    if i >= block.shortest {
                        off = off * block.alive(i).cut(first);
                    }
                    note.note(LIMIT, i, kept - p);
                    give_back(block, i - 1, first, p - kept, off, GIVEN_BACK / input.h);
                    p = kept;
                }
            }
        }
        let shared = &hand.shared;
        let p = shared.arrive(block, i, [start, p], shared.per_h, bounce);
        let old: V3<T> = scratch.target[i].cut(first);
        let mut moved = p - old;
        if !input.still
            && input.skin.is_some()
            && contact::tracks_each_vertex(&block.proximity[i], input)
        {
            // What counts is how the head sees it.
            moved = moved - hand.drift.at(old) - contact::drift(block, input, head, i);
        }
        let moved = moved.dot(moved).sqrt();
        contact::reduce_room(block, input, i, first, moved);
        moved
    }
}
