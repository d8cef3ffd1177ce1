//! Energy of bending and twisting and its gradients: Bergou et al. 2008,
//! equations 1 to 11.
//!
//! E is the sum over joints of stiff/4 B_k (a_k - rest_k)^2, over both frames
//! and both directors, and of stiff/2 C (theta - theta_before - rest)^2, where
//! a_k are the components of the curvature binormal on the material frame of
//! either adjacent edge.

use super::{
    joint::{Joint, direction, joint, spin, tidied, transport, turned, vector},
    lanes::DerGroup,
    project::Inner,
};
use crate::math::lanes::{Lane, V3};

/// Edges after which the Bishop frame is tidied: each waits for the one before, and
/// rounding leaves little in so few.
const TIDIED: usize = 8;

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

    /// Kelvin and Voigt: stress grows with the rate of strain, too.
    #[inline(always)]
    fn damped(&self, now: [T; 2], old: [T; 2]) -> [T; 2] {
        [
            now[0] + (now[0] - old[0]) * self.damping,
            now[1] + (now[1] - old[1]) * self.damping,
        ]
    }

    /// What a frame's curvatures store.
    #[inline(always)]
    fn stored(&self, half: T, a: [T; 2], rest: [T; 2]) -> T {
        let [sa, sb] = self.stress(half, a, rest);
        T::splat(0.5) * (sa * (a[0] - rest[0]) + sb * (a[1] - rest[1]))
    }
}

/// Is told what the energy pulls vertices with. (A closure would not do: one that is not
/// inlined is compiled without the wide instructions.)
pub(super) trait Pulled<T> {
    /// Vertex `i` is pulled with so much. `[m²/s²]`
    fn vertex(&mut self, group: &mut DerGroup<T>, i: usize, pull: V3<T>);
}

impl<T: Lane> DerGroup<T> {
    /// The edge that leaves vertex `i`, to the last digit. `[m]`
    #[inline(always)]
    pub fn edge(&self, i: usize) -> V3<T> {
        let (a, b) = (&self.nodes[i], &self.nodes[i + 1]);
        (b.x - a.x) + (b.memory.low - a.memory.low)
    }

    /// Tangents, curvature binormals and the Bishop frame from root to tip.
    /// `clamp` is the tangent before the first edge and the director there. Vertices arrive
    /// on the way where an inner step has `gone` before.
    #[inline(always)]
    pub fn frames(&mut self, clamp: [V3<T>; 2], active: T, gone: Option<&Inner<T>>) {
        if let Some(gone) = gone {
            self.arrive_at(gone, 0);
            self.arrive_at(gone, 1);
        }
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
            if let Some(gone) = gone
                && i > 0
            {
                self.arrive_at(gone, i + 1);
            }
            let (t, inverse_length) = direction(self.edge(i), before);
            let joint = joint(before, t);
            let v = before.cross(u);
            let node = &mut self.nodes[i];
            // The rotation that carries the frame leaves its own axis alone:
            // the binormal has the same components on both Bishop frames.
            node.bend = [joint.binormal.dot(u), joint.binormal.dot(v)];
            u = joint.carry(u, before, t);
            if i % TIDIED == TIDIED - 1 {
                u = tidied(u, t);
            } else {
                let opposed = joint.opposed();
                if opposed.any() {
                    u = tidied(u, t).select(opposed, u);
                }
            }
            node.binormal = joint.binormal;
            node.sharp = joint.sharp;
            node.slope = joint.slope;
            node.tangent = t;
            node.inverse_length = inverse_length;
            node.bishop = u;
            before = t;
        }
    }

    /// Tells `pulled`, from the tip on, with what the energy pulls each vertex, for each unit
    /// of linear density; the Bishop frame's dependence on all edges nearer to the root, the
    /// holonomy, included. `[m²/s²]`
    #[inline(always)]
    pub fn forces(
        &mut self,
        s: &Elastic<T>,
        clamp: [V3<T>; 2],
        active: T,
        pulled: &mut impl Pulled<T>,
    ) {
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
            let sa = s.stress(stiff, s.damped(a, [o0, o1]), [r0, r1]);
            let sb = s.stress(stiff, s.damped(b, [o2, o3]), [r2, r3]);
            node.memory.strain = [
                active.choose(a[0], o0),
                active.choose(a[1], o1),
                active.choose(b[0], o2),
                active.choose(b[1], o3),
            ];
            let (t, u) = (node.tangent, node.bishop);
            let stress = vector(angle_before, sa, u_before, before.cross(u_before))
                + vector(node.angle, sb, u, t.cross(u));
            moment = moment + outer_spin + spin(sb, b);
            outer_spin = spin(sa, a);
            let geometry = Joint {
                binormal: node.binormal,
                sharp: node.sharp,
                slope: node.slope,
                share: zero,
            };
            let [pull_before, pull] = geometry.pull(before, t, stress, moment);
            let g = pull + outer_pull;
            outer_pull = pull_before;
            let pull = (g - t.scale(t.dot(g))).scale(node.inverse_length);
            pulled.vertex(self, i + 1, outer - pull);
            outer = pull;
        }
        pulled.vertex(self, 0, outer);
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
            sum += s.stored(stiff, turned(angle, node.bend), [r0, r1]);
            sum += s.stored(stiff, turned(node.angle, node.bend), [r2, r3]);
            let twist = node.memory.theta - theta - node.memory.rest_twist;
            sum += stiff * s.twist * twist * twist;
            (angle, theta) = (node.angle, node.memory.theta);
        }
        sum
    }
}
