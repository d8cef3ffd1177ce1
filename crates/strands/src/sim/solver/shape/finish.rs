//! What a substep ends with: contact, friction, the stretch limit, velocities.

use super::constants::{CONTACT, FRICTION, LIMIT, Shape, Shared, Work};
use crate::{
    math::lanes::{Lane, V3},
    sim::{attachment, contact, solver::stretch_limit::give_back, trace::Observer},
};

impl Shape {
    /// Friction, contact and stretch limit of vertex `i`, then its velocity.
    /// Answers the square of how far it moved, as the head sees it.
    #[inline(always)]
    pub(super) fn finish<B: Lane, T: Lane>(
        &self,
        work: &mut Work<B>,
        hand: &Shared<T>,
        i: usize,
        note: &mut impl Observer<T>,
    ) -> T {
        let (block, input, first) = (&mut *work.block, work.input, hand.first);
        let zero = T::zero();
        let start: V3<T> = work.scratch.before[i].cut(first);
        let mut p: V3<T> = block.position[i].cut(first);
        let mut bounce = None;
        if i >= block.pinned {
            let near = block.proximity[i].near;
            let mut skin = (V3::zero(), zero);
            if near {
                skin = hand.skin(block, input, i);
                let push = contact::plane(p, skin.0, skin.1);
                if zero.any_less(push) {
                    note.note(CONTACT, i, skin.0.scale(push));
                    let out = p + skin.0.scale(push);
                    // The place before the strand was handed any motion.
                    let old = work.scratch.target[i].cut::<T>(first);
                    let drift = contact::drift(block, input, &hand.now, first, i);
                    let carried = hand.drift.at(old) + (old - start) + drift;
                    p = contact::friction(out, start, carried, skin.0, push, input.friction);
                    note.note(FRICTION, i, p - out);
                    if input.restitution > 0.0 {
                        let speed = block.velocity[i].cut(first);
                        bounce = Some(contact::bounce(speed, skin.0, push, input.restitution));
                    }
                }
            }
            if i > 0 {
                let inner: V3<T> = block.position[i - 1].cut(first);
                let longest = block.shape.lengths[i].cut::<T>(first) * T::splat(self.limit);
                let longest = longest * longest;
                let edge = p - inner;
                let square = edge.dot(edge);
                if longest.any_less(square) {
                    let share = (longest / square.max(T::splat(1e-16))).sqrt();
                    let mut kept = inner + edge.scale(share);
                    if near {
                        kept = contact::on_skin(inner, kept, longest, skin.0, skin.1);
                    }
                    let mut long = longest.less(square, T::splat(1.0), zero);
                    kept = kept.select(long, p);
                    if i >= block.shortest {
                        long = long * block.alive(i).cut(first);
                    }
                    note.note(LIMIT, i, kept - p);
                    give_back(block, i, first, p - kept, long, input.h);
                    p = kept;
                }
            }
        }
        block.position[i].paste(first, p);
        if !block.attachments.is_empty() {
            attachment::pin(block, i);
            p = block.position[i].cut(first);
        }
        let moved = p - start;
        let mut speed = moved.scale(hand.per_h);
        if let Some(bounce) = bounce {
            speed = speed + bounce;
        }
        block.velocity[i].paste(first, speed);
        let mut moved = p - work.scratch.target[i].cut(first);
        if !input.still && input.skin.is_some() && contact::close(&block.proximity[i], input) {
            // What counts is how the head sees it.
            moved = moved - hand.drift.at(work.scratch.target[i].cut(first));
        }
        moved.dot(moved)
    }
}
