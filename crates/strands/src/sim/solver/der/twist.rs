//! Material frames by minimisation: twist travels so much faster than bending
//! that it is at rest at every moment (Bergou et al. 2008, section 5). The
//! root's frame is the head's; the tip is free of stress.

use super::{
    bfgs::{BfgsHistory, PAIRS},
    elastic::Elastic,
    joint::{cosine_sine, spin, turned, wrapped},
    lanes::DerGroup,
};
use crate::math::lanes::Lane;

/// No frame turns by more in one pass. `[rad]`
const LARGEST_TURN: f64 = 0.6;

/// What a free strand's first frame is held with, in twisting stiffness over a
/// millimetre, so that the spin of the whole is not left undetermined.
const GAUGE: f64 = 1e-5;

/// First and second derivative of one frame's bending energy over its spin.
#[inline(always)]
fn frame<T: Lane>(s: &Elastic<T>, stiff: T, a: [T; 2], rest: [T; 2]) -> (T, T) {
    let stress = s.stress(stiff, a, rest);
    let bending = stiff * (s.bend[0] * a[1] * a[1] + s.bend[1] * a[0] * a[0])
        - stress[0] * a[0]
        - stress[1] * a[1];
    (spin(stress, a), bending)
}

/// The sum of products.
#[inline(always)]
fn dot<T: Lane>(a: &[T], b: &[T]) -> T {
    let mut sum = T::zero();
    for (a, b) in a.iter().zip(b) {
        sum += *a * *b;
    }
    sum
}

impl<T: Lane> DerGroup<T> {
    /// Cosines and sines of the material frames' angles.
    #[inline(always)]
    pub fn turn(&mut self) {
        for node in &mut self.nodes[..self.rows - 1] {
            let angle = wrapped(node.memory.theta);
            node.turns = node.memory.theta - angle;
            node.angle = cosine_sine(angle);
        }
    }

    /// Gradient of the energy over the angle of edge `i`, what bending adds to
    /// the Hessian's diagonal there, and the stiffness of twist before and after.
    #[inline(always)]
    pub fn torque(&self, s: &Elastic<T>, i: usize) -> (T, T, [T; 2]) {
        let (zero, half) = (T::zero(), T::splat(0.5));
        let node = &self.nodes[i];
        let [_, _, r2, r3] = node.memory.rest;
        let (mut gradient, mut bending) = frame(
            s,
            half * node.stiff,
            turned(node.angle, node.bend),
            [r2, r3],
        );
        let inner = match i {
            0 => zero,
            _ => self.nodes[i - 1].memory.theta,
        };
        let theta = node.memory.theta;
        let mut twist = [s.twist * node.stiff, zero];
        gradient += twist[0] * (theta - inner - node.memory.rest_twist);
        if i + 2 < self.rows {
            let outer = &self.nodes[i + 1];
            let [r0, r1, _, _] = outer.memory.rest;
            let curvature = turned(node.angle, outer.bend);
            let more = frame(s, half * outer.stiff, curvature, [r0, r1]);
            gradient += more.0;
            bending += more.1;
            twist[1] = s.twist * outer.stiff;
            gradient -= twist[1] * (outer.memory.theta - theta - outer.memory.rest_twist);
        }
        if i == 0 && self.free {
            twist[0] = s.twist * T::splat(1e3 * GAUGE);
            gradient += twist[0] * theta;
        }
        (gradient, bending, twist)
    }

    /// One Newton pass on the tridiagonal Hessian, made positive where the
    /// frames have turned away from their rest by more than a right angle.
    #[inline(always)]
    pub fn newton(&mut self, s: &Elastic<T>, active: T) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let tiny = T::splat(1e-12);
        let (mut side, mut pivot) = (zero, zero);
        for i in 0..self.rows - 1 {
            let (gradient, bending, twist) = self.torque(s, i);
            let diagonal = bending.max(zero) + twist[0] + twist[1] + tiny;
            // Off-diagonals are -twist[0]; what is before is eliminated.
            let share = twist[0] * pivot;
            let linked = if i == 0 { zero } else { share };
            side = linked * side - gradient;
            pivot = one / (diagonal - linked * twist[0]).max(tiny);
            let node = &mut self.nodes[i];
            node.side = side;
            node.pivot = pivot;
            node.off = twist[1];
        }
        let largest = T::splat(LARGEST_TURN);
        let mut turn = zero;
        for node in self.nodes[..self.rows - 1].iter_mut().rev() {
            turn = (node.side + node.off * turn) * node.pivot;
            let bounded = turn.min(largest).max(-largest);
            node.memory.theta += bounded * active;
            node.angle = cosine_sine(node.memory.theta - node.turns);
        }
    }

    /// `passes` steps of BFGS with limited memory, each halved until the
    /// energy does not rise. Forgets at the end.
    #[inline(always)]
    pub fn bfgs(&mut self, s: &Elastic<T>, active: T, passes: usize) {
        let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
        let edges = self.rows - 1;
        let mut history = std::mem::replace(&mut self.history, BfgsHistory::new());
        history.fit(edges);
        let mut energy = self.energy(s);
        for i in 0..edges {
            history.gradient[i] = self.torque(s, i).0;
        }
        for pass in 0..passes {
            self.direction(s, &mut history, pass);
            // The longest turn is bounded, so all of the step is scaled.
            let mut longest = T::splat(1e-12);
            for step in &history.step {
                longest = longest.max(step.abs());
            }
            let scale = (T::splat(LARGEST_TURN) / longest).min(one) * active;
            for i in 0..edges {
                history.step[i] = history.step[i] * scale;
                history.start[i] = self.nodes[i].memory.theta;
            }
            let mut share = one;
            let mut now = zero;
            for attempt in 0..8 {
                for i in 0..edges {
                    let node = &mut self.nodes[i];
                    node.memory.theta = history.start[i] + history.step[i] * share;
                    node.angle = cosine_sine(node.memory.theta - node.turns);
                }
                now = self.energy(s);
                // Rounding may raise what has arrived.
                let tolerance = energy.abs() * T::splat(1e-6);
                let rises = (energy + tolerance).less(now, one, zero);
                if attempt == 7 || !rises.any() {
                    break;
                }
                share = share * (one - half * rises);
            }
            energy = now;
            std::mem::swap(&mut history.old, &mut history.gradient);
            for i in 0..edges {
                history.gradient[i] = self.torque(s, i).0;
            }
            // The newest pair takes the place of the oldest.
            history.pairs.rotate_right(1);
            let (step, change, rho) = &mut history.pairs[0];
            for i in 0..edges {
                step[i] = history.step[i] * share;
                change[i] = history.gradient[i] - history.old[i];
            }
            // Only a pair along which the energy curves upwards.
            let product = dot(step, change);
            let floor = T::splat(1e-30);
            *rho = floor.less(product, one / product.max(floor), zero);
        }
        self.history = history;
    }

    /// The direction of the next step: the two loops of Nocedal 1980, begun
    /// with the diagonal of the Hessian.
    #[inline(always)]
    fn direction(&self, s: &Elastic<T>, history: &mut BfgsHistory<T>, pass: usize) {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let edges = self.rows - 1;
        let BfgsHistory {
            pairs,
            gradient,
            diagonal,
            step,
            ..
        } = history;
        if pass == 0 {
            for (i, diagonal) in diagonal.iter_mut().enumerate().take(edges) {
                let (_, bending, twist) = self.torque(s, i);
                let sum = bending.max(zero) + twist[0] + twist[1];
                *diagonal = one / (sum + T::splat(1e-12));
            }
        }
        for (step, gradient) in step.iter_mut().zip(gradient.iter()) {
            *step = -*gradient;
        }
        let known = pass.min(PAIRS);
        let mut shares = [zero; PAIRS];
        for (share, (s, y, rho)) in shares.iter_mut().zip(&pairs[..known]) {
            *share = *rho * dot(s, step);
            for (step, y) in step.iter_mut().zip(y) {
                *step -= *share * *y;
            }
        }
        for (step, diagonal) in step.iter_mut().zip(diagonal.iter()) {
            *step = *step * *diagonal;
        }
        for (share, (s, y, rho)) in shares.iter().zip(&pairs[..known]).rev() {
            let back = *share - *rho * dot(y, step);
            for (step, s) in step.iter_mut().zip(s) {
                *step += back * *s;
            }
        }
    }
}
