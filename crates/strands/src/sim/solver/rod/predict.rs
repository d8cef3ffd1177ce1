//! Where a substep begins and how it ends: the prediction, and the velocities.

use super::{
    joint::joint,
    lanes::{RodGroup, RodNode},
    state::History,
    substep::Substep,
    sweep::spring_energy,
};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::solver::speed_limit::bounded,
};

impl<T: Lane> RodNode<T> {
    /// Where inertia, gravity and air would take the vertex, and how much it is
    /// against being elsewhere.
    ///
    /// With a share b of the last substep's differences,
    ///
    ///   x' = x + b (x - x_before) + w v',  v' = v + b (v - v_before) + w a,  w = (1 - b) h
    ///
    /// is implicit Euler for b = 0 and BDF2 for b = 1/3 (Curtiss and Hirschfelder
    /// 1952). No larger share is stable for every stiffness: on the unit circle
    /// Re z = (1 - c) (1 - b - 2 b c) / (1 - b) with c the cosine, nowhere negative
    /// up to there.
    #[inline(always)]
    fn aim(&mut self, history: Option<&History<T>>, s: &Substep<T>) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let outer = s.gravity + self.acceleration;
        let Some(History { moved, velocity }) = history else {
            let over_h2 = s.mass_over_h2;
            self.inertia = over_h2 + s.drag * s.per_second;
            let ahead = self.velocity.scale(s.h * over_h2) + outer;
            self.goal = self.from + ahead.scale(one / self.inertia);
            return;
        };
        // A vertex that touches the skin takes none of it, or it would bounce off.
        self.share = zero.less(self.memory.contact.normal_force, zero, s.share);
        let weighed = s.h * (one - self.share);
        let (over_w, again) = (one / weighed, moved.scale(self.share));
        let over_w2 = over_w * over_w;
        self.inertia = over_w2 + s.drag * over_w;
        let gained = (self.velocity - *velocity).scale(self.share);
        let way = again + (self.velocity + gained).scale(weighed);
        let ahead = way.scale(over_w2) + again.scale(s.drag * over_w) + outer;
        self.goal = self.from + ahead.scale(one / self.inertia);
    }

    /// Its velocity after a substep in which it moved so, and what the next one
    /// must know.
    #[inline(always)]
    fn remember(&self, history: &mut History<T>, moved: V3<T>, s: &Substep<T>) -> V3<T> {
        let (zero, one) = (T::zero(), T::splat(1.0));
        // Differences over an impact would throw the vertex back.
        let touches = zero.less(self.memory.contact.normal_force, one, zero);
        let share = self.share * (one - touches);
        let per_second = one / (s.h * (one - share));
        let velocity = (moved - history.moved.scale(share)).scale(per_second);
        *history = History {
            moved,
            velocity: velocity.select(touches, self.velocity),
        };
        velocity
    }
}

/// What [`RodGroup::predict`] found.
pub(super) struct Prediction<T> {
    /// The incremental potential of [staying](RodGroup::stay), without that of contact: the
    /// skin and other strands move on, too.
    pub staying: T,
    /// Square of the widest turn of any edge. `[rad²]`
    widest: T,
}

impl<T: Lane> Prediction<T> {
    /// One in the lanes where any edge turns by more than `limit`. `[rad]`
    #[inline(always)]
    pub fn turns_more(&self, limit: f64) -> T {
        let (zero, one) = (T::zero(), T::splat(1.0));
        T::splat(limit * limit).less(self.widest, one, zero)
    }
}

impl<T: Lane> RodGroup<T> {
    /// Turns every edge on as in the last substep. Without this one Newton pass
    /// leaves an error of the size of the centripetal acceleration.
    #[inline(always)]
    pub fn predict(&mut self, s: &Substep<T>) -> Prediction<T> {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (mut staying, mut widest) = (self.elastic, zero);
        if !s.free {
            // The head has turned on by now, and the first edge has not.
            let (_, stored, _) = joint(s.clamp, &self.nodes[0], s);
            staying += stored + self.nodes[0].lost(s, s.root_spin);
        }
        let mut next = V3::zero();
        // What staying moves all vertices by: a free strand's root goes on nevertheless.
        let mut ahead = V3::zero();
        for j in 0..self.rows {
            // Behind the tip nothing turns: else a strand's bits would tell how long its
            // neighbours are.
            let exists = (j + 1 < self.rows).then(|| self.edge_exists(j).unwrap_or(one));
            let node = &mut self.nodes[j];
            let start = node.x;
            node.from = start - s.contact.head.root_moved;
            node.aim(self.history.get(j), s);
            if j == 0 && s.free {
                ahead = node.from + node.velocity.scale(s.h) - start;
            }
            let stays = start + ahead;
            staying += spring_energy(node.mass * node.inertia, stays - node.goal);
            for (_, target, stiffness) in self.attachments.iter().filter(|held| held.0 == j) {
                staying += spring_energy(*stiffness, stays - *target);
            }
            node.x = if j > 0 { next } else { stays };
            let memory = &mut node.memory;
            self.touches[j].remembered = memory.contact.friction;
            node.q_before = memory.q;
            let turn = memory.turn;
            let rest = T::splat(1.0) - turn.dot(turn);
            let w = rest.max(T::zero()).sqrt();
            memory.q = Q { w, v: turn }.mul_quat(memory.q).normalized();
            node.spin = turn + turn;
            widest = widest.max(node.spin.dot(node.spin) * exists.unwrap_or(zero));
            node.tangent = memory.q.axis3();
            next = node.x + node.tangent.scale(memory.length);
            let moved = node.x - s.contact.carried(node.from);
            let met = self.touches[j].met_moves(&s.contact);
            memory.contact.moved(moved, met);
            self.touches[j].expect_way(moved);
        }
        Prediction { staying, widest }
    }

    /// Turns edges back to where the substep began in the lanes where `back` is one.
    #[inline(always)]
    pub fn stay(&mut self, back: T) {
        let keep = T::splat(1.0) - back;
        let mut next = self.nodes[0].x;
        for j in 0..self.rows {
            let node = &mut self.nodes[j];
            let moved = next - node.x;
            node.memory.contact.moved(moved, T::zero());
            node.x = next;
            node.memory.q = node.q_before.select(back, node.memory.q);
            node.spin = node.spin.scale(keep);
            node.tangent = node.memory.q.axis3();
            next = node.x + node.tangent.scale(node.memory.length);
        }
    }

    /// Moves free strands so that their middle is where inertia, gravity and air
    /// take it: forces within a strand add up to nothing (Newton's third law), which
    /// a few passes leave not quite true. Strands that touch something or are pulled stay.
    #[inline(always)]
    pub fn keep_momentum(&mut self) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let (mut missing, mut whole, mut touched) = (V3::zero(), zero, zero);
        for node in &self.nodes[..self.rows] {
            let weight = node.mass * node.inertia;
            missing = missing + (node.goal - node.x).scale(weight);
            whole += weight;
            touched = touched.max(node.memory.contact.normal_force);
        }
        for (_, _, stiffness) in &self.attachments {
            touched = touched.max(*stiffness);
        }
        let free = zero.less(touched, zero, one);
        let shift = missing.scale(free / whole.max(T::splat(1e-12)));
        for node in &mut self.nodes[..self.rows] {
            node.x = node.x + shift;
            node.memory.contact.moved(shift, zero);
        }
    }

    /// Velocities, and what the next substep needs. Strands in which anything
    /// is not finite go back to where the substep began and stand still;
    /// returns one in their lanes.
    #[inline(always)]
    pub fn finish(&mut self, s: &Substep<T>) -> T {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let mut failed = zero;
        let (per_second, two_back) = (one / s.h, !self.history.is_empty());
        for j in 0..self.rows {
            let node = &mut self.nodes[j];
            let exists = zero.less(node.mass, one, zero);
            let moved = node.x - node.from;
            let mut velocity = moved.scale(per_second);
            if two_back {
                velocity = node.remember(&mut self.history[j], moved, s);
            }
            velocity = velocity.scale(exists);
            let square = velocity.dot(velocity);
            node.velocity = bounded(velocity);
            // NaN fails this comparison too.
            failed = failed.max(square.less(T::splat(1e6), zero, one));
            let memory = &mut node.memory;
            let turn = memory.q.mul_quat(node.q_before.conjugate()).canonical();
            memory.turn = turn.v;
        }
        if !zero.any_less(failed) {
            return failed;
        }
        let mut next = self.nodes[0].from + s.contact.head.root_moved;
        for j in 0..self.rows {
            let node = &mut self.nodes[j];
            let memory = &mut node.memory;
            memory.q = node.q_before.select(failed, memory.q);
            memory.turn = none3(failed, memory.turn);
            memory.net = none3(failed, memory.net);
            memory.contact.forget(failed);
            node.velocity = none3(failed, node.velocity);
            node.x = next.select(failed, node.x);
            let tangent = memory.q.axis3();
            next = node.x + tangent.scale(memory.length);
            if two_back {
                let history = &mut self.history[j];
                history.moved = none3(failed, history.moved);
                history.velocity = none3(failed, history.velocity);
            }
        }
        self.elastic = failed.choose(T::splat(f64::from(f32::MAX)), self.elastic);
        failed
    }
}

/// Nothing in the lanes where `failed` is one.
#[inline(always)]
fn none3<T: Lane>(failed: T, v: V3<T>) -> V3<T> {
    V3::zero().select(failed, v)
}
