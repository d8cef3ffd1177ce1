//! One Newton pass over the strands of a lane group: from tips to roots
//! every edge's answer to its inner neighbour is eliminated, from the roots to
//! the tips the turns follow.
//!
//! The increment of the incremental potential is quadratic in the small turns
//! omega_j of the edges; vertices follow by D_{j+1} = D_j + omega_j x e_j, so
//! no segment changes its length. Seen from its root, what hangs outside vertex
//! j is a quadratic in (D_j, omega_{j-1}) alone,
//!
//!   1/2 D'P D + D'Q omega + 1/2 omega'R omega + p.D + r.omega,
//!
//! and one 3x3 inverse for each edge takes it one vertex inwards. It is the
//! same linear system as the 6x6 block-tridiagonal one in turns and internal
//! forces, with the forces eliminated.

use super::{
    joint::{elastic, joint},
    lanes::{RodGroup, RodNode},
    substep::Substep,
};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Sym3,
    },
    sim::contact::ContactVertex,
};

/// A correction turns no edge by more. `[rad]`
const LARGEST_TURN: f64 = 1.0;

/// What a free strand's first joint keeps of its stiffness, so that the strand's
/// twist as a whole is not left undetermined.
pub(super) const GAUGE: f64 = 1e-4;

/// Thirty roundings of f32.
const ROUNDING: f64 = 2e-6;

/// What a pass found.
pub(super) struct Found<T> {
    /// Incremental potential after the correction.
    pub energy: T,
    /// Elastic part of it, without the first joint.
    pub elastic: T,
    /// One in the lanes that should have another pass.
    pub wrong: T,
}

/// The rows of a matrix given by its columns.
#[inline(always)]
fn rows<T: Lane>(columns: &[V3<T>; 3]) -> [V3<T>; 3] {
    let [a, b, c] = columns;
    [
        V3 {
            x: a.x,
            y: b.x,
            z: c.x,
        },
        V3 {
            x: a.y,
            y: b.y,
            z: c.y,
        },
        V3 {
            x: a.z,
            y: b.z,
            z: c.z,
        },
    ]
}

/// A matrix, given by its columns, times a vector.
#[inline(always)]
pub(super) fn times<T: Lane>(columns: &[V3<T>; 3], v: V3<T>) -> V3<T> {
    columns[0].scale(v.x) + columns[1].scale(v.y) + columns[2].scale(v.z)
}

/// The columns of `q` + `m` E, where E turns a small rotation into what it moves the
/// edge's outer end by: E w = w x e.
#[inline(always)]
fn plus_turned<T: Lane>(q: &[V3<T>; 3], m: &Sym3<T>, e: V3<T>) -> [V3<T>; 3] {
    let c = m.columns();
    [
        q[0] - c[1].scale(e.z) + c[2].scale(e.y),
        q[1] - c[2].scale(e.x) + c[0].scale(e.z),
        q[2] - c[0].scale(e.y) + c[1].scale(e.x),
    ]
}

/// The vector product of `e` with each column.
#[inline(always)]
fn crosses<T: Lane>(e: V3<T>, columns: &[V3<T>; 3]) -> [V3<T>; 3] {
    [
        e.cross(columns[0]),
        e.cross(columns[1]),
        e.cross(columns[2]),
    ]
}

impl<T: Lane> RodNode<T> {
    /// What damping takes where the edges on both sides have turned differently
    /// by `turned`.
    #[inline(always)]
    fn lost(&self, s: &Substep<T>, turned: V3<T>) -> T {
        let bend = s.bend[1] * self.inverse_span * self.stiff;
        T::splat(0.5) * s.damping * bend * turned.dot(turned)
    }
}

impl<T: Lane> RodGroup<T> {
    /// From the tips to the roots. Returns the incremental potential at the
    /// iterate.
    #[inline(always)]
    pub fn eliminate(&mut self, s: &Substep<T>) -> T {
        let (zero, half) = (T::zero(), T::splat(0.5));
        let last = self.rows - 1;
        let mut energy = zero;
        self.edges.energy = zero;
        let (mut p2, mut p1) = self.vertex(s, last, &mut energy);
        let mut q2 = [V3::<T>::zero(); 3];
        let mut r2 = Sym3::<T>::zero();
        let mut r1 = V3::<T>::zero();
        let mut force = V3::<T>::zero();
        for j in (0..last).rev() {
            force = force + self.nodes[j + 1].memory.net;
            let touched = self.edge_forces(j);
            let node = &self.nodes[j];
            let (q_before, tangent_before, spin_before) = if j == 0 {
                (s.clamp, s.clamp.axis3(), s.root_spin)
            } else {
                let inner = &self.nodes[j - 1];
                (inner.memory.q, inner.tangent, inner.spin)
            };
            let (mut m, stored) = joint(q_before, node, s);
            // Stiffness of the joint, and its damping: both act on the
            // difference of two edges' turns.
            let t = tangent_before + node.tangent;
            let stiff = node.inverse_span * node.stiff;
            let bend = s.bend[1] * stiff;
            let damp = s.damping * bend;
            let twist = (s.twist * stiff - bend) / t.dot(t).max(T::splat(1e-6));
            let mut a = Sym3::diagonal(bend + damp).plus_outer(t, twist);
            if !s.round {
                let extra = (s.bend[0] - s.bend[1]) * stiff;
                a = a.plus_outer(node.memory.q.axis1(), extra);
            }
            let turned = node.spin - spin_before;
            m = m + turned.scale(damp);
            let mut here = stored + half * damp * turned.dot(turned);
            if let Some(exists) = self.edge_exists(j) {
                // Nothing hangs on an edge behind the tip, and not even the
                // rounding of its moment may reach the strand: else its bits
                // would tell how long its neighbours are.
                (m, here) = (m.scale(exists), here * exists);
            }
            if j == 0 && s.free {
                let gauge = T::splat(GAUGE);
                a = Sym3::diagonal(bend * gauge);
                m = V3::zero();
                here = zero;
            }
            energy += here;
            // Over the turn of this edge: D' = D - e x omega.
            let e = node.tangent.scale(node.memory.length);
            let pull = force.dot(e).max(zero);
            let mut z = plus_turned(&q2, &p2, e);
            let mut across = z;
            let mut c = m + r1 + e.cross(p1);
            let load = self.edges.of_edge(j);
            if let (Some(load), Some((forces, _))) = (load, &touched) {
                across = plus_turned(&z, &load.stiff[2], e);
                z = plus_turned(&z, &load.stiff[1], e);
                c = c - e.cross(forces[1]);
            }
            let (ez, eq) = (crosses(e, &across), crosses(e, &q2));
            let g = Sym3 {
                xx: r2.xx + ez[0].x + eq[0].x,
                xy: r2.xy + ez[1].x + eq[0].y,
                xz: r2.xz + ez[2].x + eq[0].z,
                yy: r2.yy + ez[1].y + eq[1].y,
                yz: r2.yz + ez[2].y + eq[1].z,
                zz: r2.zz + ez[2].z + eq[2].z,
            };
            // Rounding of what is stiff here (contact, a heavy tip) must not
            // turn the soft twist negative: that much stiffness, on the
            // correction alone, the equilibrium does not feel.
            let a = a.plus_diagonal((g.xx + g.yy + g.zz) * T::splat(ROUNDING));
            // Tension is a stiffness across the edge.
            let g = g.plus_diagonal(pull).plus_outer(node.tangent, -pull);
            let k = a.plus(g).inverse();
            let (kc, ac, gc) = (k.columns(), a.columns(), g.columns());
            let gain = [k.times(ac[0]), k.times(ac[1]), k.times(ac[2])];
            let lever = [times(&z, kc[0]), times(&z, kc[1]), times(&z, kc[2])];
            let shift = k.times(c);
            if let (Some(load), Some((forces, potential))) = (load, touched) {
                p2 = p2.plus(load.stiff[0]);
                p1 = p1 - forces[0];
                self.edges.energy += potential;
            }
            let node = &mut self.nodes[j];
            (node.gain, node.lever, node.shift) = (gain, lever, shift);
            // What hangs outside vertex j.
            let (h, b) = self.vertex(s, j, &mut energy);
            let (rows_l, rows_z) = (rows(&lever), rows(&z));
            p2 = Sym3 {
                xx: p2.xx + h.xx - rows_l[0].dot(rows_z[0]),
                xy: p2.xy + h.xy - rows_l[0].dot(rows_z[1]),
                xz: p2.xz + h.xz - rows_l[0].dot(rows_z[2]),
                yy: p2.yy + h.yy - rows_l[1].dot(rows_z[1]),
                yz: p2.yz + h.yz - rows_l[1].dot(rows_z[2]),
                zz: p2.zz + h.zz - rows_l[2].dot(rows_z[2]),
            };
            p1 = p1 + b - times(&z, shift);
            q2 = [times(&z, gain[0]), times(&z, gain[1]), times(&z, gain[2])];
            r2 = Sym3 {
                xx: gc[0].dot(gain[0]),
                xy: gc[0].dot(gain[1]),
                xz: gc[0].dot(gain[2]),
                yy: gc[1].dot(gain[1]),
                yz: gc[1].dot(gain[2]),
                zz: gc[2].dot(gain[2]),
            };
            r1 = a.times(shift) - m;
        }
        self.root_step = if s.free {
            V3::zero() - p2.inverse().times(p1)
        } else {
            V3::zero()
        };
        energy + self.edges.energy
    }

    /// Hessian and gradient of what acts on vertex `i` from outside, over its
    /// displacement from the iterate; adds its energy.
    #[inline(always)]
    fn vertex(&mut self, s: &Substep<T>, i: usize, energy: &mut T) -> (Sym3<T>, V3<T>) {
        let node = &self.nodes[i];
        let heavy = node.mass * node.inertia;
        let away = node.x - node.goal;
        *energy += T::splat(0.5) * heavy * away.dot(away);
        let mut h = Sym3::diagonal(heavy);
        let mut b = away.scale(heavy);
        let mut spring = heavy;
        for (row, target, stiffness) in &self.attachments {
            if *row == i {
                let away = node.x - *target;
                *energy += T::splat(0.5) * *stiffness * away.dot(away);
                h = h.plus_diagonal(*stiffness);
                b = b + away.scale(*stiffness);
                spring += *stiffness;
            }
        }
        if self.near[i] {
            let touch = &mut self.touches[i];
            let vertex = ContactVertex {
                x: node.x,
                from: node.from,
                heavy: node.mass * s.mass_over_h2,
                net: node.memory.net,
                pull: node.strand - b,
                spring,
            };
            touch.meet(&node.memory.contact, &vertex, &s.contact);
            let low = touch.close.min(T::zero());
            *energy += T::splat(0.5) * touch.spring * low * low;
            h = h
                .plus_diagonal(touch.stick)
                .plus_outer(touch.normal, touch.stiff - touch.stick)
                .plus_outer(touch.way, touch.along - touch.stick);
            b = b - touch.friction + touch.normal.scale(touch.stiff * touch.close);
        }
        (h, b)
    }

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
        let mut q_before = s.clamp;
        for j in 0..=last {
            // Vertex j has moved by d to first order, and lands at x.
            self.note(s, j, d, x, live, all, &mut found);
            if j == last {
                break;
            }
            let exists = self.edge_exists(j);
            let node = &mut self.nodes[j];
            let g = &node.gain;
            let turn = times(g, omega)
                - V3 {
                    x: node.lever[0].dot(d),
                    y: node.lever[1].dot(d),
                    z: node.lever[2].dot(d),
                }
                - node.shift;
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
            let stored = elastic(q_before, node, s);
            q_before = q;
            let turned = node.spin
                - if j == 0 {
                    s.root_spin
                } else {
                    self.nodes[j - 1].spin
                };
            let node = &self.nodes[j];
            let lost = node.lost(s, turned);
            let (stored, lost) =
                exists.map_or((stored, lost), |exists| (stored * exists, lost * exists));
            if j == 0 {
                first = if s.free { zero } else { stored + lost };
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
    fn note(
        &mut self,
        s: &Substep<T>,
        i: usize,
        d: V3<T>,
        x: V3<T>,
        live: T,
        all: bool,
        found: &mut Found<T>,
    ) {
        let half = T::splat(0.5);
        let node = &mut self.nodes[i];
        let heavy = node.mass * node.inertia;
        let moved = x - node.x;
        let mut net = (node.goal - node.x - d).scale(heavy);
        let mut spring = heavy;
        for (row, target, stiffness) in &self.attachments {
            if *row == i {
                let away = x - *target;
                found.energy += half * *stiffness * away.dot(away);
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
            let strayed = self.touches[i].strayed(&node.memory.contact, live);
            found.wrong = found.wrong.max(strayed);
        }
        let away = x - node.goal;
        found.energy += half * heavy * away.dot(away);
        node.memory.net = if all {
            net
        } else {
            net.select(live, node.memory.net)
        };
        node.x_saved = node.x;
        node.x = x;
    }

    /// Takes back part of the last correction: `scale` is what stays of it, in
    /// the lanes where `live` is one. Returns the potential there.
    #[inline(always)]
    pub fn scale_back(&mut self, s: &Substep<T>, scale: T, kept: T, live: T) -> (T, T) {
        let (zero, half) = (T::zero(), T::splat(0.5));
        let last = self.rows - 1;
        let (mut energy, mut elastic_sum) = (zero, zero);
        let mut x = self.nodes[0].x - self.root_step.scale((kept - scale) * live);
        let mut q_before = s.clamp;
        let mut spin_before = s.root_spin;
        for j in 0..=last {
            let near = self.near[j];
            let node = &mut self.nodes[j];
            let heavy = node.mass * node.inertia;
            let away = x - node.goal;
            energy += half * heavy * away.dot(away);
            let moved = x - node.x;
            node.memory.contact.moved(moved, T::zero());
            if near {
                // The iterate before the correction.
                let start = node.x_saved;
                energy += self.touches[j].energy(x - start);
            }
            for (row, target, stiffness) in &self.attachments {
                if *row == j {
                    let away = x - *target;
                    energy += half * *stiffness * away.dot(away);
                }
            }
            node.x = x;
            if j == last {
                break;
            }
            let exists = self.edge_exists(j);
            let node = &mut self.nodes[j];
            let step = node.omega.scale(scale);
            let q = node.q_saved.turned(step).select(live, node.memory.q);
            node.spin = node.spin - node.omega.scale((kept - scale) * live);
            node.memory.q = q;
            node.tangent = q.axis3();
            x = x + node.tangent.scale(node.memory.length);
            let stored = elastic(q_before, node, s);
            let turned = node.spin - spin_before;
            let lost = node.lost(s, turned);
            let (stored, lost) =
                exists.map_or((stored, lost), |exists| (stored * exists, lost * exists));
            if j > 0 {
                elastic_sum += stored;
            }
            if j > 0 || !s.free {
                energy += stored + lost;
            }
            q_before = q;
            spin_before = node.spin;
        }
        energy += self.edge_energy();
        (energy, elastic_sum)
    }
}
