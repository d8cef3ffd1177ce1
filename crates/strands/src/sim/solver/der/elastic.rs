//! Energy of bending and twisting and its gradients: Bergou et al. 2008,
//! equations 1 to 11.
//!
//! E is the sum over joints of stiff/4 B_k (a_k - rest_k)^2, over both frames
//! and both directors, and of stiff/2 C (theta - theta_before - rest)^2, where
//! a_k are the components of the curvature binormal on the material frame of
//! either adjacent edge.

use super::{
    joint::{direction, joint, spin, transport, turned, vector},
    lanes::DerGroup,
};
use crate::math::lanes::{Lane, V3};

/// Stiffnesses of one substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elastic<T> {
    /// About both directors of the material frame. `[m⁴/s²]`
    pub bend: [T; 2],
    /// `[m⁴/s²]`
    pub twist: T,
    /// Damping over stiffness and length of an inner step.
    pub damping: T,
}

impl<T: Lane> Elastic<T> {
    /// Half of what a frame's curvatures pull with: stiff/2 B (a - rest).
    #[inline(always)]
    pub fn stress(&self, half: T, [a, b]: [T; 2], [rest_a, rest_b]: [T; 2]) -> [T; 2] {
        [
            half * self.bend[0] * (a - rest_a),
            half * self.bend[1] * (b - rest_b),
        ]
    }
}

impl<T: Lane> DerGroup<T> {
    /// The edge that leaves vertex `i`, to the last digit. `[m]`
    #[inline(always)]
    pub fn edge(&self, i: usize) -> V3<T> {
        let (a, b) = (&self.nodes[i], &self.nodes[i + 1]);
        (b.x - a.x) + (b.memory.low - a.memory.low)
    }

    /// Tangents, curvature binormals and the Bishop frame from root to tip.
    /// `clamp` is the tangent before the first edge and the director there.
    #[inline(always)]
    pub fn frames(&mut self, clamp: [V3<T>; 2], active: T) {
        let [mut before, mut u] = clamp;
        if self.free {
            // Nothing clamps the frame: it follows the first edge through time.
            let (t, _) = direction(self.edge(0), self.carried[0]);
            u = transport(self.carried[1], self.carried[0], t);
            before = t;
            self.carried = [
                t.select(active, self.carried[0]),
                u.select(active, self.carried[1]),
            ];
        }
        for i in 0..self.rows - 1 {
            let (t, inverse_length) = direction(self.edge(i), before);
            let joint = joint(before, t);
            let v = before.cross(u);
            let node = &mut self.nodes[i];
            // The rotation that carries the frame leaves its own axis alone:
            // the binormal has the same components on both Bishop frames.
            node.bend = [joint.binormal.dot(u), joint.binormal.dot(v)];
            u = transport(u, before, t);
            node.binormal = joint.binormal;
            node.sharp = joint.sharp;
            node.slope = joint.slope;
            node.tangent = t;
            node.inverse_length = inverse_length;
            node.bishop = u;
            before = t;
        }
    }

    /// What the energy pulls every vertex with, for each unit of linear
    /// density, into `way`; the Bishop frame's dependence on all edges nearer
    /// to the root, the holonomy, included. `[m²/s²]`
    #[inline(always)]
    pub fn forces(&mut self, s: &Elastic<T>, clamp: [V3<T>; 2], active: T) {
        let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
        let mut outer = V3::zero();
        let mut outer_pull = V3::zero();
        let (mut moment, mut outer_spin) = (zero, zero);
        for i in (0..self.rows - 1).rev() {
            let (before, u_before, angle_before) = match i {
                0 if self.free => (self.nodes[0].tangent, self.nodes[0].bishop, [one, zero]),
                0 => (clamp[0], clamp[1], [one, zero]),
                _ => {
                    let n = &self.nodes[i - 1];
                    (n.tangent, n.bishop, n.angle)
                }
            };
            let node = &mut self.nodes[i];
            let stiff = half * node.stiff;
            let a = turned(angle_before, node.bend);
            let b = turned(node.angle, node.bend);
            let [r0, r1, r2, r3] = node.memory.rest;
            let [o0, o1, o2, o3] = node.memory.strain;
            // Kelvin and Voigt: stress grows with the rate of strain too.
            let damped = |a: T, old: T| a + (a - old) * s.damping;
            let sa = s.stress(stiff, [damped(a[0], o0), damped(a[1], o1)], [r0, r1]);
            let sb = s.stress(stiff, [damped(b[0], o2), damped(b[1], o3)], [r2, r3]);
            let keep = |new: T, old: T| active.choose(new, old);
            node.memory.strain = [
                keep(a[0], o0),
                keep(a[1], o1),
                keep(b[0], o2),
                keep(b[1], o3),
            ];
            let (t, u) = (node.tangent, node.bishop);
            let stress = vector(angle_before, sa, u_before, before.cross(u_before))
                + vector(node.angle, sb, u, t.cross(u));
            moment = moment + outer_spin + spin(sb, b);
            outer_spin = spin(sa, a);
            let geometry = super::joint::Joint {
                binormal: node.binormal,
                sharp: node.sharp,
                slope: node.slope,
            };
            let [pull_before, pull] = geometry.pull(before, t, stress, moment);
            let g = pull + outer_pull;
            outer_pull = pull_before;
            let pull = (g - t.scale(t.dot(g))).scale(node.inverse_length);
            self.nodes[i + 1].way = outer - pull;
            outer = pull;
        }
        self.nodes[0].way = outer;
    }

    /// Notes the curvatures as they are: nothing is damped for having changed
    /// before.
    #[inline(always)]
    pub fn remember(&mut self) {
        let mut angle = [T::splat(1.0), T::zero()];
        for node in &mut self.nodes[..self.rows - 1] {
            let [a, b] = turned(angle, node.bend);
            let [c, d] = turned(node.angle, node.bend);
            node.memory.strain = [a, b, c, d];
            angle = node.angle;
        }
    }

    /// Bending and twisting energy, for each unit of linear density; uses the
    /// frames as they are. `[m³/s²]`
    #[inline(always)]
    pub fn energy(&self, s: &Elastic<T>) -> T {
        let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
        let mut sum = zero;
        let (mut angle, mut theta) = ([one, zero], zero);
        for node in &self.nodes[..self.rows - 1] {
            let stiff = half * node.stiff;
            let [r0, r1, r2, r3] = node.memory.rest;
            let mut frame = |[a, b]: [T; 2], rest: [T; 2]| {
                let [sa, sb] = s.stress(stiff, [a, b], rest);
                sum += half * (sa * (a - rest[0]) + sb * (b - rest[1]));
            };
            frame(turned(angle, node.bend), [r0, r1]);
            frame(turned(node.angle, node.bend), [r2, r3]);
            let twist = node.memory.theta - theta - node.memory.rest_twist;
            sum += stiff * s.twist * twist * twist;
            (angle, theta) = (node.angle, node.memory.theta);
        }
        sum
    }
}
