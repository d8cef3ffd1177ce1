//! What all vertices of a lane group share in a substep, its beginning and end.

use super::{
    constants::{Limits, Rod},
    lanes::LaneGroup,
    state::History,
    sweep,
};
use crate::{
    math::{
        lanes::{Lane, LaneFrame, V3},
        rotation::Q,
    },
    sim::solver::StepInput,
};

/// No vertex moves faster. `[m/s]`
const FASTEST: f64 = 50.0;

/// The numbers of one substep.
pub(super) struct Substep<T> {
    /// Length. `[s]`
    pub h: T,
    /// What multiplies a mass against displacement: 1/h² and air drag. `[1/s²]`
    pub inertia: T,
    /// The first part of that. `[1/s²]`
    pub mass_over_h2: T,
    /// Bending and twisting stiffness of each strand. `[m⁴/s²]`
    pub bend: [T; 2],
    pub twist: T,
    /// Whether both bending stiffnesses are one.
    pub round: bool,
    /// Stiffness damping over the substep's length.
    pub damping: T,
    /// Coulomb friction.
    pub friction: f64,
    /// Whether nothing holds the roots.
    pub free: bool,
    /// Whether there is anything to meet.
    pub contact: bool,
    /// Frame before the first edge, at the end of the substep.
    pub clamp: Q<T>,
    /// How far the head turns. `[rad]`
    pub root_spin: V3<T>,
    pub limits: Limits,
    still: bool,
    /// Which substep it is.
    pub index: usize,
    /// What hair keeps from the skin. `[m]`
    pub margin: f64,
    /// How far a body beside the head may move, as the head sees it. `[m]`
    pub body_travel: f64,
    before: LaneFrame<T>,
    now: LaneFrame<T>,
    root_moved: V3<T>,
    /// Length of the step as the integrator weighs it, and gravity. `[s]`, `[m/s²]`
    weighed: T,
    gravity: V3<T>,
    drag: T,
}

impl<T: Lane> Substep<T> {
    #[inline(always)]
    pub fn new(
        rod: &Rod,
        bundle: &mut LaneGroup<T>,
        input: &StepInput,
        substep: usize,
        free: bool,
    ) -> Self {
        let now: LaneFrame<T> = input.frame(substep + 1);
        bundle.sit(input.share(substep + 1));
        let root = if input.still {
            bundle.root_rest
        } else {
            now.point(bundle.root_rest)
        };
        let root_moved = root - bundle.root;
        bundle.root = root;
        let (from, to) = (&input.poses[substep], &input.poses[substep + 1]);
        let turn = to.rotation * from.rotation.conjugate();
        let mut spin = V3::splat(turn.to_scaled_axis().to_array().map(f64::from));
        if let Some(seat) = &bundle.seat {
            // What the skin itself turns is little: twice the vector part.
            let [before, after] = [substep, substep + 1].map(|i| seat.turn_at(input.share(i)));
            let own = after.mul_quat(before.conjugate()).canonical().v;
            spin = spin + now.vector(own + own);
        }
        // BDF2 weighs a step as an implicit Euler step of 2/3 of its length.
        let weighed = if bundle.history.is_empty() {
            input.h
        } else {
            input.h * 2.0 / 3.0
        };
        let drag = T::splat(input.drag) * bundle.inverse_mass;
        let mass_over_h2 = T::splat(1.0 / (weighed * weighed));
        let stiffness = |k: f64| T::splat(k) * bundle.hold;
        Self {
            h: T::splat(input.h),
            inertia: mass_over_h2 + drag * T::splat(1.0 / weighed),
            mass_over_h2,
            bend: rod.material.bend.map(stiffness),
            twist: stiffness(rod.material.twist),
            round: rod.material.is_round(),
            damping: T::splat(rod.damping / input.h),
            friction: input.friction,
            free,
            contact: input.skin.is_some(),
            clamp: bundle
                .turned(to.rotation, input.share(substep + 1))
                .mul_quat(bundle.clamp),
            root_spin: spin,
            limits: rod.limits,
            still: input.still,
            index: substep,
            margin: input.margin,
            body_travel: input.body_travel,
            before: input.frame(substep),
            now,
            root_moved,
            weighed: T::splat(weighed),
            gravity: V3::splat(input.gravity),
            drag,
        }
    }

    /// A direction of the head's space, in the world.
    #[inline(always)]
    pub fn to_world(&self, v: V3<T>) -> V3<T> {
        if self.still { v } else { self.now.vector(v) }
    }

    /// A place from the root, in the head's directions.
    #[inline(always)]
    pub fn in_head(&self, x: V3<T>) -> V3<T> {
        self.now.inverse_vector(x)
    }

    /// The same of a place when the substep began, noted from the root's new place.
    #[inline(always)]
    pub fn start_in_head(&self, from: V3<T>) -> V3<T> {
        self.before.inverse_vector(from + self.root_moved)
    }

    /// Where the skin has taken the material point that was at `from`.
    #[inline(always)]
    pub fn carried(&self, from: V3<T>) -> V3<T> {
        if self.still {
            from
        } else {
            self.now.vector(self.start_in_head(from))
        }
    }
}

impl<T: Lane> LaneGroup<T> {
    /// Turns every edge on as in the last substep. Without this one Newton pass
    /// leaves an error of the size of the centripetal acceleration. Returns the
    /// incremental potential of staying where the substep began.
    #[inline(always)]
    pub fn predict(&mut self, s: &Substep<T>) -> T {
        let half = T::splat(0.5);
        let scale = T::splat(1.0) / s.inertia;
        let over_h2 = s.mass_over_h2;
        let (_, first) = sweep::joint(s.clamp, &self.nodes[0], s);
        let mut staying = self.elastic + if s.free { T::zero() } else { first };
        let mut next = V3::zero();
        let two_back = !self.history.is_empty();
        for j in 0..self.rows {
            let node = &mut self.nodes[j];
            let start = node.x;
            node.from = start - s.root_moved;
            let push = s.gravity + node.push;
            let mut ahead = node.velocity.scale(s.h * over_h2) + push;
            if two_back {
                // Second-order backward differences in place of the first.
                let History { moved, velocity } = self.history[j];
                let third = moved.scale(T::splat(1.0 / 3.0));
                let way = third
                    + (node.velocity.scale(T::splat(8.0)) - velocity.scale(T::splat(2.0)))
                        .scale(s.h * T::splat(1.0 / 9.0));
                ahead = way.scale(over_h2) + third.scale(s.drag / s.weighed) + push;
            }
            node.goal = node.from + ahead.scale(scale);
            let away = start - node.goal;
            staying += half * node.mass * s.inertia * away.dot(away);
            node.x = if j > 0 {
                next
            } else if s.free {
                node.from + node.velocity.scale(s.h)
            } else {
                start
            };
            let memory = &mut node.memory;
            self.touches[j].remembered = memory.friction;
            node.q_before = memory.q;
            let turn = memory.turn;
            let rest = T::splat(1.0) - turn.dot(turn);
            let w = rest.max(T::zero()).sqrt();
            memory.q = Q { w, v: turn }.mul_quat(memory.q).normalized();
            node.spin = turn + turn;
            node.tangent = memory.q.axis3();
            next = node.x + node.tangent.scale(memory.length);
            let moved = node.x - s.carried(node.from);
            memory.room -= moved.x.abs() + moved.y.abs() + moved.z.abs() + T::splat(s.body_travel);
        }
        staying
    }

    /// Goes back to where the substep began in the lanes where `back` is one.
    #[inline(always)]
    pub fn stay(&mut self, back: T) {
        let keep = T::splat(1.0) - back;
        let mut next = self.nodes[0].x;
        for j in 0..self.rows {
            let node = &mut self.nodes[j];
            let moved = next - node.x;
            node.memory.room -= moved.x.abs() + moved.y.abs() + moved.z.abs();
            node.x = next;
            node.memory.q = node.q_before.select(back, node.memory.q);
            node.spin = node.spin.scale(keep);
            node.tangent = node.memory.q.axis3();
            next = node.x + node.tangent.scale(node.memory.length);
        }
    }

    /// Velocities, and what the next substep needs. Strands in which anything
    /// is not finite go back to where the substep began and stand still;
    /// returns one in their lanes.
    #[inline(always)]
    pub fn finish(&mut self, s: &Substep<T>) -> T {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let mut failed = zero;
        let two_back = !self.history.is_empty();
        let per_second = one / s.weighed;
        for j in 0..self.rows {
            let node = &mut self.nodes[j];
            let exists = zero.less(node.mass, one, zero);
            let moved = node.x - node.from;
            let mut velocity = moved.scale(per_second);
            if two_back {
                let history = &mut self.history[j];
                velocity = (moved - history.moved.scale(T::splat(1.0 / 3.0))).scale(per_second);
                *history = History {
                    moved,
                    velocity: node.velocity,
                };
            }
            velocity = velocity.scale(exists);
            let square = velocity.dot(velocity);
            let fastest = T::splat(FASTEST * FASTEST);
            node.velocity = velocity.scale((fastest / square.max(fastest)).sqrt());
            // NaN fails this comparison too.
            failed = failed.max(square.less(T::splat(1e6), zero, one));
            let memory = &mut node.memory;
            let turn = memory.q.mul_quat(node.q_before.conjugate()).canonical();
            memory.turn = turn.v;
        }
        if !zero.any_less(failed) {
            return failed;
        }
        let mut next = self.nodes[0].from + s.root_moved;
        for j in 0..self.rows {
            let node = &mut self.nodes[j];
            let memory = &mut node.memory;
            memory.q = node.q_before.select(failed, memory.q);
            memory.turn = none3(failed, memory.turn);
            memory.net = none3(failed, memory.net);
            memory.friction = none3(failed, memory.friction);
            memory.push = T::splat(0.5).less(failed, zero, memory.push);
            memory.depth = T::splat(0.5).less(failed, zero, memory.depth);
            memory.room = T::splat(0.5).less(failed, T::splat(-1.0), memory.room);
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
        self.elastic = T::splat(0.5).less(failed, T::splat(f64::from(f32::MAX)), self.elastic);
        failed
    }
}

/// Nothing in the lanes where `failed` is one.
#[inline(always)]
fn none3<T: Lane>(failed: T, v: V3<T>) -> V3<T> {
    V3::zero().select(failed, v)
}
