//! The second half of a Newton pass: from the roots to the tips every edge turns as its
//! answer to the edge before says ((4) in `sweep.rs`), and vertices follow. And the way
//! back, where a turn was too large.

use super::{
    joint::elastic,
    lanes::{RodGroup, RodNode},
    substep::Substep,
    sweep::{spring_energy, times},
};
use crate::math::{
    lanes::{Lane, V3},
    rotation::Q,
};

/// A correction turns no edge by more. `[rad]`
const LARGEST_TURN: f64 = 1.0;

/// What a pass found.
pub(super) struct Found<T> {
    /// Incremental potential after the correction.
    pub energy: T,
    /// Elastic part of it, without the first joint.
    pub elastic: T,
    /// One in the lanes that should have another pass.
    pub wrong: T,
}

impl<T: Lane> RodNode<T> {
    /// The edge's turn (4) after the edge before it and the vertex have moved.
    #[inline(always)]
    fn answer(&self, before: V3<T>, displacement: V3<T>) -> V3<T> {
        times(&self.gain, before)
            - V3 {
                x: self.lever[0].dot(displacement),
                y: self.lever[1].dot(displacement),
                z: self.lever[2].dot(displacement),
            }
            - self.shift
    }

    /// What damping takes where the edges on both sides have turned differently
    /// by `turned`.
    #[inline(always)]
    pub(super) fn lost(&self, s: &Substep<T>, turned: V3<T>) -> T {
        let bend = s.bend[1] * self.inverse_span * self.stiff;
        T::splat(0.5) * s.damping * bend * turned.dot(turned)
    }
}

impl<T: Lane> RodGroup<T> {
    /// From the roots to the tips: turns every edge, moves the vertices, notes
    /// the forces. Lanes where `live` is zero stay as they are.
    #[inline(always)]
    pub fn apply(&mut self, s: &Substep<T>, live: T, all: bool) -> Found<T> {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let last = self.rows - 1;
        let mut found = Found {
            energy: zero,
            elastic: zero,
            wrong: zero,
        };
        let mut first = zero;
        let mut widest = zero;
        let (mut omega, mut d) = (V3::<T>::zero(), self.root_step);
        let mut x = self.nodes[0].x + d.scale(live);
        let (mut q_before, mut spin_before) = (s.clamp, s.root_spin);
        for j in 0..=last {
            // Vertex j has moved by d to first order, and lands at x.
            self.record_move(s, j, d, x, live, all, &mut found);
            if j == last {
                break;
            }
            let exists = self.edge_exists(j);
            let node = &mut self.nodes[j];
            let turn = node.answer(omega, d);
            let e = node.tangent.scale(node.memory.length);
            let turn = exists.map_or(turn, |exists| turn.select(exists, omega));
            d = d + turn.cross(e);
            omega = turn;
            let square = turn.dot(turn);
            widest = widest.max(square);
            let limit = T::splat(LARGEST_TURN * LARGEST_TURN);
            let mut step = turn.scale((limit / square.max(limit)).sqrt());
            let mut q = node.memory.q.turned(step);
            if !all {
                step = step.scale(live);
                q = q.select(live, node.memory.q);
            }
            node.omega = step;
            node.q_saved = node.memory.q;
            node.memory.q = q;
            node.spin = node.spin + step;
            node.tangent = q.axis3();
            x = x + node.tangent.scale(node.memory.length);
            let spin = node.spin;
            let [stored, lost] = self.joint_energy(s, j, q_before, spin_before);
            (q_before, spin_before) = (q, spin);
            if j == 0 {
                // Not in `elastic`, which the next prediction compares with: by then the
                // head has turned on.
                first = stored + lost;
            } else {
                found.elastic += stored;
                found.energy += lost;
            }
        }
        let settled = self.settle_edges(if all { one } else { live });
        found.energy += found.elastic + first + settled;
        let limit = T::splat(s.limits.turn * s.limits.turn);
        found.wrong = found.wrong.max(limit.less(widest, one, zero)) * live;
        found
    }

    /// Puts vertex `i` to `x` and notes the forces that the linear solution,
    /// a displacement by `d`, leaves there.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the inside of one loop")]
    fn record_move(
        &mut self,
        s: &Substep<T>,
        i: usize,
        d: V3<T>,
        x: V3<T>,
        live: T,
        all: bool,
        found: &mut Found<T>,
    ) {
        let node = &mut self.nodes[i];
        let heavy = node.mass * node.inertia;
        let moved = x - node.x;
        let mut net = (node.goal - node.x - d).scale(heavy);
        let mut spring = heavy;
        for (row, target, stiffness) in &self.attachments {
            if *row == i {
                let away = x - *target;
                found.energy += spring_energy(*stiffness, away);
                net = net + (*target - node.x - d).scale(*stiffness);
                spring += *stiffness;
            }
        }
        if self.near[i] {
            let touch = &self.touches[i];
            found.energy += touch.energy(moved);
            let memory = &mut node.memory.contact;
            let (force, wrong) = touch.settle(memory, &s.contact, d, live, net, spring);
            net = force;
            found.wrong = found.wrong.max(wrong);
        }
        node.memory.contact.moved(moved, T::zero());
        if s.meets && (s.free || i > 0) {
            let outran = self.touches[i].outran_query(&node.memory.contact, live);
            found.wrong = found.wrong.max(outran);
        }
        let away = x - node.goal;
        found.energy += spring_energy(heavy, away);
        node.memory.net = if all {
            net
        } else {
            net.select(live, node.memory.net)
        };
        node.x_saved = node.x;
        node.x = x;
    }

    /// Takes back part of the last correction: `scale` is what stays of it, in
    /// the lanes where `live` is one. Wrong is there whose vertex knows nothing of the skin
    /// where it is now.
    #[inline(always)]
    pub fn scale_back(&mut self, s: &Substep<T>, scale: T, kept: T, live: T) -> Found<T> {
        let last = self.rows - 1;
        let (mut energy, mut elastic, mut wrong) = (T::zero(), T::zero(), T::zero());
        let mut x = self.nodes[0].x - self.root_step.scale((kept - scale) * live);
        let (mut q_before, mut spin_before) = (s.clamp, s.root_spin);
        for j in 0..=last {
            let near = self.near[j];
            let node = &mut self.nodes[j];
            energy += spring_energy(node.mass * node.inertia, x - node.goal);
            let moved = x - node.x;
            node.memory.contact.moved(moved, T::zero());
            if s.meets && (s.free || j > 0) {
                wrong = wrong.max(self.touches[j].outran_query(&node.memory.contact, live));
            }
            if near {
                // The iterate before the correction.
                let start = node.x_saved;
                energy += self.touches[j].energy(x - start);
            }
            for (row, target, stiffness) in &self.attachments {
                if *row == j {
                    energy += spring_energy(*stiffness, x - *target);
                }
            }
            node.x = x;
            if j == last {
                break;
            }
            let node = &mut self.nodes[j];
            let step = node.omega.scale(scale);
            let q = node.q_saved.turned(step).select(live, node.memory.q);
            node.spin = node.spin - node.omega.scale((kept - scale) * live);
            node.memory.q = q;
            node.tangent = q.axis3();
            x = x + node.tangent.scale(node.memory.length);
            let spin = node.spin;
            let [stored, lost] = self.joint_energy(s, j, q_before, spin_before);
            (q_before, spin_before) = (q, spin);
            energy += stored + lost;
            if j > 0 {
                elastic += stored;
            }
        }
        energy += self.edge_energy();
        Found {
            energy,
            elastic,
            wrong,
        }
    }

    /// What the same joint stores, and what damping takes, where edge `j` has turned
    /// already: the edge before it has the orientation and the turn that are given.
    /// Nothing where no head holds the root: there is no joint then.
    #[inline(always)]
    fn joint_energy(&self, s: &Substep<T>, j: usize, q_before: Q<T>, spin_before: V3<T>) -> [T; 2] {
        if j == 0 && s.free {
            return [T::zero(); 2];
        }
        let node = &self.nodes[j];
        let stored = elastic(q_before, node, s);
        let lost = node.lost(s, node.spin - spin_before);
        match self.edge_exists(j) {
            Some(exists) => [stored * exists, lost * exists],
            None => [stored, lost],
        }
    }
}
