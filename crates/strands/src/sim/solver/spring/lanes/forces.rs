//! What the springs of every edge do, where the strand is now.

use super::{InnerStep, SpringGroup};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{
        solver::spring::rest::{Carried, Smooth},
        trace::Observer,
    },
};

/// What the springs of an edge do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strain<T> {
    /// Direction of the edge.
    pub along: V3<T>,
    /// Pulls on both ends of the edge itself: along it, and towards its rest
    /// direction. `[m²/s²]`
    pub stretch: V3<T>,
    pub bend: V3<T>,
    /// Pulls on the smoothed edge that is the core's. `[m²/s²]`
    pub core: V3<T>,
    /// Pulls on the smoothed edge before, whose frame the edge bends in. `[m²/s²]`
    pub upstream: V3<T>,
    /// Torque about that smoothed edge. `[m³/s²]`
    pub twist: T,
    /// Curvature binormal between that smoothed edge and this one.
    pub turn: V3<T>,
    /// One over the length of this smoothed edge. `[1/m]`
    pub inverse: T,
    /// What the edge resists changes of its ends' velocities with: in all
    /// directions, and along it besides. `[m]`
    pub across: T,
    pub stiffer: T,
}

impl<T: Lane> Strain<T> {
    #[inline(always)]
    pub fn none() -> Self {
        Self {
            along: V3::zero(),
            stretch: V3::zero(),
            bend: V3::zero(),
            core: V3::zero(),
            upstream: V3::zero(),
            twist: T::zero(),
            turn: V3::zero(),
            inverse: T::zero(),
            across: T::zero(),
            stiffer: T::zero(),
        }
    }
}

impl<T: Lane> SpringGroup<T> {
    /// Edges past their limits are brought back, and each edge's springs are read.
    #[inline(always)]
    pub(super) fn forces<N: Observer<T>>(&mut self, s: &InnerStep<T>, step: usize, note: &mut N) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let mut frame = s.turn[1];
        if !s.still {
            let t = (s.share * T::splat(step as f64)).min(one);
            frame = Q {
                w: s.turn[0].w + (s.turn[1].w - s.turn[0].w) * t,
                v: s.turn[0].v + (s.turn[1].v - s.turn[0].v).scale(t),
            }
            .normalized();
        }
        let first = self.nodes[1].x - self.nodes[0].x;
        if self.pinned == 0 {
            // No head holds the strand: the frame rides on its first edge.
            let mut ride = Carried::new(Q::identity(), frame.rotate(self.nodes[0].local));
            ride.go(first);
            frame = ride.frame.mul_quat(frame);
        }
        let drift = self.nodes[1].velocity - self.nodes[0].velocity;
        let (mut smooth, mut core) = (Smooth::new(first), Smooth::new(first));
        let mut core_drift = Smooth::new(drift);
        let mut carried = Carried::new(frame, first);
        for i in 0..self.rows {
            // The next vertex first: the edge between must be within its limits.
            self.limit(s, i + 1, note);
            let node = &self.nodes[i];
            let mut strain = Strain::none();
            if i + 1 < self.rows {
                let next = &self.nodes[i + 1];
                let edge = next.x - node.x;
                let speed = next.velocity - node.velocity;
                let length = edge.dot(edge).max(T::splat(1e-18)).sqrt();
                let along = edge.scale(one / length);
                let rate = speed.dot(along);
                let tension = node.stretch * (length - node.length);
                let stretch = along.scale(tension + node.damping[0] * rate);
                // What a tension resists turns with.
                let taut = tension.max(zero) / length * s.turned;
                strain.along = along;
                strain.across = node.across + taut;
                strain.stiffer = (node.along - taut).max(zero);
                // Bending: towards the rest edge in the frame before (eq. 6).
                let target = carried.frame.rotate(node.local);
                let spring = (edge - target).scale(node.bend);
                let bend = spring + (speed - along.scale(rate)).scale(node.damping[1]);
                // Turned by a small w, the frame takes energy -w.(t x f).
                let torque = spring.cross(target);
                strain.upstream = torque.cross(carried.tangent).scale(carried.inverse);
                strain.twist = torque.dot(carried.tangent);
                let (d, drift) = if i == 0 {
                    (edge, speed)
                } else {
                    strain.turn = carried.go(smooth.next(edge, self.fresh[0]));
                    (
                        core.next(edge, self.fresh[1]),
                        core_drift.next(speed, self.fresh[1]),
                    )
                };
                strain.inverse = carried.inverse;
                // Core: along the smoothed curve (eq. 8).
                let reach = d.dot(d).max(T::splat(1e-18)).sqrt();
                let direction = d.scale(one / reach);
                let tension =
                    node.core * (reach - node.core_length) + node.damping[2] * drift.dot(direction);
                strain.core = direction.scale(tension);
                strain.stretch = stretch;
                strain.bend = bend;
            }
            self.strains[i] = strain;
        }
    }
}
