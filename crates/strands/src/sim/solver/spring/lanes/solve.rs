//! The change of velocities in an inner step, all vertices of a strand at once.

use super::{InnerStep, SpringGroup};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Sym3,
    },
    sim::{
        solver::spring::{
            constants::{BEND, CORE, STRETCH},
            rest::Adjoint,
        },
        trace::Observer,
    },
};

/// How the outer end of an edge follows the inner one: a change of velocity dv
/// there is here free + across dv + way (lever . dv).
#[derive(Clone, Copy, Debug)]
pub(super) struct Eliminated<T> {
    free: V3<T>,
    across: Sym3<T>,
    way: V3<T>,
    lever: V3<T>,
}

impl<T: Lane> Eliminated<T> {
    pub fn none() -> Self {
        Self {
            free: V3::zero(),
            across: Sym3::zero(),
            way: V3::zero(),
            lever: V3::zero(),
        }
    }
}

/// What hangs outside a vertex, felt there: a mass, and what pulls.
pub(super) struct Outside<T> {
    pub mass: Sym3<T>,
    pub pull: V3<T>,
}

impl<T: Lane> Outside<T> {
    pub fn none() -> Self {
        Self {
            mass: Sym3::zero(),
            pull: V3::zero(),
        }
    }

    /// The same at the inner end of an edge in direction `along`, which pulls on its
    /// ends with `force`. The edge resists a change of the velocity between its ends
    /// with `a` in all directions and with `b` more along it; along it, it also
    /// resists the velocity `rate` at which they part already. With S the mass
    /// outside and K = a + b t t' the edge, the inner end feels both in series,
    /// (K^-1 + S^-1)^-1. No term is the difference of large numbers, however stiff
    /// the edge: with N = (S + a)^-1, y = N t, z = t - a y = S y and
    /// beta = b / (1 + b t.y) (Sherman, Morrison 1950) it is a N S + beta z z'.
    #[inline(always)]
    pub fn over(&self, along: V3<T>, force: V3<T>, a: T, b: T, rate: T) -> (Eliminated<T>, Self) {
        let n = self.mass.plus_diagonal(a).inverse();
        let y = n.times(along);
        let z = along - y.scale(a);
        let beta = b / (T::splat(1.0) + b * along.dot(y));
        let left = self.pull - force;
        let c = n.times(left);
        let lever = z.scale(beta);
        let pulled = y.dot(left) + rate;
        let across = n.scale(a);
        let eliminated = Eliminated {
            free: c - y.scale(beta * pulled),
            across,
            way: y,
            lever,
        };
        let outside = Self {
            mass: across.times_commuting(&self.mass).plus_outer(z, beta),
            pull: force + c.scale(a) + lever.scale(pulled),
        };
        (eliminated, outside)
    }
}

impl<T: Lane> SpringGroup<T> {
    /// From tip to root: what each edge feels of the springs that depend on it
    /// through the smoothed curves (the smoothing's adjoint), and the strand
    /// outside each vertex eliminated.
    #[inline(always)]
    pub(super) fn eliminate<N: Observer<T>>(&mut self, s: &InnerStep<T>, note: &mut N) {
        let (mut bend, mut core) = (Adjoint::new(), Adjoint::new());
        let mut twist = T::zero();
        let mut outside = Outside::none();
        // What outer forces add first, so that a strand that falls as a whole falls as
        // a whole to the last bit: the springs only feel how much it differs.
        let mut outer = self.outer(s, self.rows - 1);
        // Impulses of the edge that leaves the vertex.
        let mut told = [V3::zero(); 3];
        for i in (0..self.rows).rev() {
            let node = &mut self.nodes[i];
            node.velocity = node.velocity + outer;
            outside.mass = outside.mass.plus_diagonal(node.inertia() * s.heavier);
            if i < self.pinned.max(1) {
                break;
            }
            let before = &self.strains[i - 1];
            // Bending of edge i turns the frame on smoothed edge i - 1; a
            // turn about that edge comes from all turns before it.
            let next = &self.strains[i];
            twist += next.twist;
            let half = T::splat(0.5) * before.inverse;
            let holonomy = before.turn.scale(twist) + next.turn.scale(twist - next.twist);
            let source = next.upstream - holonomy.scale(half);
            let (b, c) = if i > 1 {
                (
                    bend.next(source, self.fresh[0]),
                    core.next(before.core, self.fresh[1]),
                )
            } else {
                (
                    bend.first(source, self.fresh[0]),
                    core.first(before.core, self.fresh[1]),
                )
            };
            let (along, across, stiffer) = (before.along, before.across, before.stiffer);
            let outer_before = self.outer(s, i - 1);
            let apart = outer - outer_before;
            let parts = [
                before.stretch.scale(s.h) + along.scale(apart.dot(along) * stiffer),
                (before.bend + b).scale(s.h) + apart.scale(across),
                c.scale(s.h),
            ];
            if note.listens() {
                let share = self.nodes[i].inverse_mass * s.h;
                for (k, which) in [STRETCH, BEND, CORE].into_iter().enumerate() {
                    note.note(which, i, (told[k] - parts[k]).scale(share));
                }
                told = parts;
            }
            let force = parts[0] + parts[1] + parts[2];
            (self.eliminated[i], outside) = outside.over(along, force, across, stiffer, T::zero());
            outer = outer_before;
        }
        self.root_change = outside.mass.inverse().times(outside.pull);
    }

    /// From root to tip: the velocities.
    #[inline(always)]
    pub(super) fn accelerate<N: Observer<T>>(&mut self, s: &InnerStep<T>, note: &mut N) {
        let mut change = V3::zero();
        if self.pinned == 0 {
            change = self.root_change;
            self.nodes[0].velocity = self.nodes[0].velocity + change;
        }
        for i in self.pinned.max(1)..self.rows {
            let (e, before) = (&self.eliminated[i], change);
            change = e.free + e.across.times(change) + e.way.scale(e.lever.dot(change));
            if note.listens() {
                let (strain, apart) = (&self.strains[i - 1], change - before);
                let along = strain.along.scale(apart.dot(strain.along) * strain.stiffer);
                let across = apart.scale(strain.across);
                for (row, sign) in [(i - 1, s.h), (i, -s.h)] {
                    let share = self.inverse_mass(row) * sign;
                    note.note(STRETCH, row, along.scale(share));
                    note.note(BEND, row, across.scale(share));
                }
            }
            let node = &mut self.nodes[i];
            node.velocity = node.velocity + change;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What hangs outside an edge, as heavy as it may be.
    fn outside<T: Lane>() -> Outside<T> {
        let number = T::splat;
        let v = |x, y, z| V3 {
            x: number(x),
            y: number(y),
            z: number(z),
        };
        Outside {
            mass: Sym3::diagonal(number(5e-3)).plus_outer(v(0.6, 0.0, 0.8), number(0.3)),
            pull: v(2e-3, -1e-3, 5e-4),
        }
    }

    /// The outer end moves as momentum asks, and the inner one feels the rest,
    /// whatever the edge is made of: (S + K) u = p - f - S dv, and K u + f is felt.
    #[test]
    fn an_edge_hands_on_what_hangs_outside() {
        let along = V3 {
            x: 0.0,
            y: 0.6,
            z: 0.8,
        };
        let force = V3 {
            x: 1e-4,
            y: 2e-3,
            z: -3e-4,
        };
        let change = V3 {
            x: 0.02,
            y: -0.01,
            z: 0.03,
        };
        for (a, b, rate) in [
            (0.0, 0.0, 0.0),
            (1e-3, 0.5, 0.0),
            (0.0, 1e5, 0.2),
            (20.0, 1e4, -0.1),
        ] {
            let there = outside::<f64>();
            let (e, here) = there.over(along, force, a, b, rate);
            let moved = e.free + e.across.times(change) + e.way.scale(e.lever.dot(change));
            let apart = moved - change;
            let handed = apart.scale(a) + along.scale(b * (apart.dot(along) + rate)) + force;
            let missing = there.mass.times(moved) + handed - there.pull;
            let felt = here.pull - here.mass.times(change);
            for rest in [missing, felt - handed] {
                assert!(
                    rest.dot(rest).sqrt() < 1e-9 * (1.0 + b),
                    "{a}, {b}: {rest:?}"
                );
            }
        }
    }

    /// In single precision too an edge as stiff as glass loses none of the mass.
    #[test]
    fn a_stiff_edge_hands_on_the_mass_in_single_precision() {
        let along = V3 {
            x: 0.0,
            y: 0.6,
            z: 0.8,
        };
        for (a, b) in [(1e-3, 1e7), (1e3, 1e7)] {
            let (_, exact) = outside::<f64>().over(along, V3::zero(), a, b, 0.0);
            let exact = exact.mass;
            let near = |x: f32| f64::from(x);
            let along = V3 {
                x: 0.0f32,
                y: 0.6,
                z: 0.8,
            };
            let (a, b) = (a as f32, b as f32);
            let (_, here) = outside::<f32>().over(along, V3::zero(), a, b, 0.0);
            let mass = here.mass;
            for (found, exact) in [
                (near(mass.xx), exact.xx),
                (near(mass.yy), exact.yy),
                (near(mass.zz), exact.zz),
                (near(mass.yz), exact.yz),
            ] {
                assert!(
                    (found - exact).abs() < 1e-4,
                    "{a}, {b}: {found}, not {exact}"
                );
            }
        }
    }
}
