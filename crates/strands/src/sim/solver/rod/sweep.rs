//! One Newton pass over the strands of a lane group: from tips to roots
//! every edge's answer to its inner neighbour is eliminated, from the roots to
//! the tips the turns follow.
//!
//! The increment of the incremental potential is quadratic in the small turns
//! omega_j of the edges; vertices follow by D_{j+1} = D_j + omega_j x e_j, so
//! no segment changes its length. Seen from its root, what hangs outside vertex
//! j is a quadratic in (D_j, omega_{j-1}) alone. With D and w for these two,
//!
//! ```text
//! V_j = 1/2 D'P D + D'Q w + 1/2 w'R w + p.D + r.w                              (1)
//! ```
//!
//! Vertex and joint j and edge j, which leaves them, add
//!
//! ```text
//! 1/2 D'H D + b.D  +  1/2 (omega - w)'A (omega - w) + m.(omega - w)            (2)
//! ```
//!
//! At a tip V is what acts on the vertex: P = H, p = b, the others are none. From there
//! inwards, with P, Q, R, p and r of the outer vertex and E omega = omega x e, edge j
//! feels
//!
//! ```text
//! Z = P E + Q,   G = R + E'Z + Q'E + t (1 - e e'/e.e),   c = m + r + e x p     (3)
//! ```
//!
//! and turns to where its part of V is least. One 3x3 inverse, K = (A + G)^-1, gives
//! that answer and what of V is left for the vertex before:
//!
//! ```text
//! omega = K A w - K Z'D - K c                                                  (4)
//! P <- P + H - Z K Z',   Q <- Z K A,   R <- A - A K A = G K A,
//! p <- p + b - Z K c,    r <- A K c - m                                        (5)
//! ```
//!
//! G K A needs no difference of nearly equal numbers where a joint is stiff. A free
//! strand's root goes to D_0 = -P^-1 p, one that the head holds stays; then (4) gives
//! turn after turn.
//!
//! | symbol | in the code | what it is | unit |
//! |---|---|---|---|
//! | D | `d`, `root_step` | displacement of a vertex from the iterate | m |
//! | w, omega | `omega`, `turn` | turn of the edge before, and of this one | rad |
//! | e | `e` | the edge, from its inner to its outer vertex | m |
//! | P, p | `outer.stiff`, `outer.gradient` | (1) over D | m/s², m²/s² |
//! | Q | `outer.coupling` | (1) over D and w | m²/s² |
//! | R, r | `outer.turn_stiff`, `outer.turn_gradient` | (1) over w | m³/s² |
//! | H, b | `stiff`, `gradient` of [`vertex`](RodGroup::vertex) | inertia, pins and contact of a vertex | m/s², m²/s² |
//! | A, m | `joint.stiff`, `joint.moment` | bending, twist and damping of a joint | m³/s² |
//! | t | `pull` | tension times length: it stands against turns across the edge | m³/s² |
//! | Z | `coupling` | how D and omega go together | m²/s² |
//! | G, c | `turn_stiff`, `moment` | all but the joint that stands against omega; what turns the edge at rest | m³/s² |
//! | K | `compliance` | how far the edge turns for a moment | s²/m³ |
//! | K A, Z K, K c | `gain`, `lever`, `shift` | (4) | 1, 1/m, rad |
//!
//! Forces, moments, stiffnesses and energies are those of a strand for each unit of its
//! linear density. Contacts with other strands sit on edges
//! ([`strand_contact`](super::strand_contact)): with S_0, S_1, S_2 for their stiffness and
//! its moments, and F_0, F_1 for their force, P gains S_0, Z gains S_1 E, E'Z in G gains
//! E'S_2 E, p loses F_0 and c loses e x F_1.
//!
//! The recursion is that of articulated bodies (Featherstone 1983, "The calculation of
//! robot dynamics using articulated-body inertias"): (P, Q, R) is the inertia of all that
//! hangs outside, (p, r) its bias force, (4) the joint's acceleration; here over the
//! potential of an implicit step, stiff joints included. The joints are those of a
//! Kirchhoff rod (`joint.rs`). It is the same linear system as the 6x6 block-tridiagonal
//! one in turns and internal forces, with the forces eliminated.

use super::{joint::joint, lanes::RodGroup, substep::Substep};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Sym3,
    },
    sim::contact::ContactVertex,
};

/// What a free strand's first joint keeps of its stiffness, so that the strand's
/// twist as a whole is not left undetermined.
pub(super) const GAUGE: f64 = 1e-4;

/// Thirty roundings of f32.
const ROUNDING: f64 = 2e-6;

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

/// The columns of the product of two matrices, given by theirs.
#[inline(always)]
fn product<T: Lane>(a: &[V3<T>; 3], b: &[V3<T>; 3]) -> [V3<T>; 3] {
    [times(a, b[0]), times(a, b[1]), times(a, b[2])]
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

/// Energy of a spring that is `away` from where it pulls to.
#[inline(always)]
pub(super) fn spring_energy<T: Lane>(stiffness: T, away: V3<T>) -> T {
    T::splat(0.5) * stiffness * away.dot(away)
}

/// What hangs outside a vertex: the quadratic (1) of its displacement and of the turn of
/// the edge before it. Matrices that are not symmetric by columns.
struct Outboard<T> {
    /// P.
    stiff: Sym3<T>,
    /// Q.
    coupling: [V3<T>; 3],
    /// R.
    turn_stiff: Sym3<T>,
    /// p.
    gradient: V3<T>,
    /// r.
    turn_gradient: V3<T>,
}

impl<T: Lane> Outboard<T> {
    /// R + E'Z + Q'E of (3) for the `edge`; `coupling` is Z.
    #[inline(always)]
    fn over_turn(&self, edge: V3<T>, coupling: &[V3<T>; 3]) -> Sym3<T> {
        let r = &self.turn_stiff;
        let (ez, eq) = (crosses(edge, coupling), crosses(edge, &self.coupling));
        Sym3 {
            xx: r.xx + ez[0].x + eq[0].x,
            xy: r.xy + ez[1].x + eq[0].y,
            xz: r.xz + ez[2].x + eq[0].z,
            yy: r.yy + ez[1].y + eq[1].y,
            yz: r.yz + ez[2].y + eq[1].z,
            zz: r.zz + ez[2].z + eq[2].z,
        }
    }

    /// P + H - Z K Z' of (5).
    #[inline(always)]
    fn stiff_inwards(
        &self,
        vertex: &Sym3<T>,
        coupling: &[V3<T>; 3],
        lever: &[V3<T>; 3],
    ) -> Sym3<T> {
        let (p, h) = (&self.stiff, vertex);
        let (zk, z) = (rows(lever), rows(coupling));
        Sym3 {
            xx: p.xx + h.xx - zk[0].dot(z[0]),
            xy: p.xy + h.xy - zk[0].dot(z[1]),
            xz: p.xz + h.xz - zk[0].dot(z[2]),
            yy: p.yy + h.yy - zk[1].dot(z[1]),
            yz: p.yz + h.yz - zk[1].dot(z[2]),
            zz: p.zz + h.zz - zk[2].dot(z[2]),
        }
    }
}

/// The product of two symmetric matrices, the second by its columns, where that is
/// symmetric.
#[inline(always)]
fn symmetric<T: Lane>(a: &Sym3<T>, b: &[V3<T>; 3]) -> Sym3<T> {
    let a = a.columns();
    Sym3 {
        xx: a[0].dot(b[0]),
        xy: a[0].dot(b[1]),
        xz: a[0].dot(b[2]),
        yy: a[1].dot(b[1]),
        yz: a[1].dot(b[2]),
        zz: a[2].dot(b[2]),
    }
}

/// What a joint adds to (2), at the iterate.
struct JointQuadratic<T> {
    /// A: stiffness and its damping.
    stiff: Sym3<T>,
    /// m.
    moment: V3<T>,
    /// What it stores and what damping takes.
    energy: T,
}

impl<T: Lane> RodGroup<T> {
    /// From the tips to the roots. Returns the incremental potential at the
    /// iterate.
    #[inline(always)]
    pub fn eliminate(&mut self, s: &Substep<T>) -> T {
        let zero = T::zero();
        let last = self.rows - 1;
        let mut energy = zero;
        self.edges.energy = zero;
        let (stiff, gradient) = self.vertex(s, last, &mut energy);
        let mut outer = Outboard {
            stiff,
            coupling: [V3::zero(); 3],
            turn_stiff: Sym3::zero(),
            gradient,
            turn_gradient: V3::zero(),
        };
        let mut force = V3::<T>::zero();
        for j in (0..last).rev() {
            force = force + self.nodes[j + 1].memory.net;
            let touched = self.edge_forces(j);
            let joint = self.joint(s, j);
            energy += joint.energy;
            // Over the turn of this edge (3).
            let node = &self.nodes[j];
            let e = node.tangent.scale(node.memory.length);
            let pull = force.dot(e).max(zero);
            let mut coupling = plus_turned(&outer.coupling, &outer.stiff, e);
            let mut squared = coupling;
            let mut moment = joint.moment + outer.turn_gradient + e.cross(outer.gradient);
            let load = self.edges.of_edge(j);
            if let (Some(load), Some((forces, _))) = (load, &touched) {
                squared = plus_turned(&coupling, &load.stiff[2], e);
                coupling = plus_turned(&coupling, &load.stiff[1], e);
                moment = moment - e.cross(forces[1]);
            }
            let turn_stiff = outer.over_turn(e, &squared);
            // Rounding of what is stiff here (contact, a heavy tip) must not
            // turn the soft twist negative: that much stiffness, on the
            // correction alone, the equilibrium does not feel.
            let trace = turn_stiff.xx + turn_stiff.yy + turn_stiff.zz;
            let stiff = joint.stiff.plus_diagonal(trace * T::splat(ROUNDING));
            // Tension is a stiffness across the edge.
            let turn_stiff = turn_stiff
                .plus_diagonal(pull)
                .plus_outer(node.tangent, -pull);
            // The edge's answer (4).
            let compliance = stiff.plus(turn_stiff).inverse();
            let (k, a) = (compliance.columns(), stiff.columns());
            let gain = [
                compliance.times(a[0]),
                compliance.times(a[1]),
                compliance.times(a[2]),
            ];
            let lever = product(&coupling, &k);
            let shift = compliance.times(moment);
            if let (Some(load), Some((forces, potential))) = (load, touched) {
                outer.stiff = outer.stiff.plus(load.stiff[0]);
                outer.gradient = outer.gradient - forces[0];
                self.edges.energy += potential;
            }
            let node = &mut self.nodes[j];
            (node.gain, node.lever, node.shift) = (gain, lever, shift);
            // What hangs outside vertex j (5).
            let (own, gradient) = self.vertex(s, j, &mut energy);
            outer = Outboard {
                stiff: outer.stiff_inwards(&own, &coupling, &lever),
                gradient: outer.gradient + gradient - times(&coupling, shift),
                coupling: product(&coupling, &gain),
                turn_stiff: symmetric(&turn_stiff, &gain),
                turn_gradient: stiff.times(shift) - joint.moment,
            };
        }
        self.root_step = if s.free {
            V3::zero() - outer.stiff.inverse().times(outer.gradient)
        } else {
            V3::zero()
        };
        energy + self.edges.energy
    }

    /// What joint `j`, at the inner end of edge `j`, adds to (2).
    #[inline(always)]
    fn joint(&self, s: &Substep<T>, j: usize) -> JointQuadratic<T> {
        let node = &self.nodes[j];
        let (q_before, tangent_before, spin_before) = if j == 0 {
            (s.clamp, s.clamp.axis3(), s.root_spin)
        } else {
            let inner = &self.nodes[j - 1];
            (inner.memory.q, inner.tangent, inner.spin)
        };
        let (mut moment, stored, fold) = joint(q_before, node, s);
        // Stiffness of the joint, and its damping: both act on the
        // difference of two edges' turns.
        let t = tangent_before + node.tangent;
        let multiple = node.inverse_span * node.stiff;
        let bend = s.bend[1] * multiple;
        let damp = s.damping * bend;
        let times = fold.stiffening();
        let twist = (s.twist * multiple - bend) * times / t.dot(t).max(T::splat(1e-6));
        let mut stiff = Sym3::diagonal(bend * times + damp).plus_outer(t, twist);
        if !s.round {
            let extra = (s.bend[0] - s.bend[1]) * multiple * times;
            stiff = stiff.plus_outer(node.memory.q.axis1(), extra);
        }
        let turned = node.spin - spin_before;
        moment = moment + turned.scale(damp);
        let mut energy = stored + T::splat(0.5) * damp * turned.dot(turned);
        if let Some(exists) = self.edge_exists(j) {
            // Nothing hangs on an edge behind the tip, and not even the
            // rounding of its moment may reach the strand: else its bits
            // would tell how long its neighbours are.
            (moment, energy) = (moment.scale(exists), energy * exists);
        }
        if j == 0 && s.free {
            // Nothing holds the strand there.
            stiff = Sym3::diagonal(bend * T::splat(GAUGE));
            moment = V3::zero();
            energy = T::zero();
        }
        JointQuadratic {
            stiff,
            moment,
            energy,
        }
    }

    /// H and b of (2): Hessian and gradient of what acts on vertex `i` from outside, over
    /// its displacement from the iterate; adds its energy there. The terms are those of
    /// [`record_move`](Self::record_move) and [`scale_back`](Self::scale_back), which add
    /// them up in an order of their own: it is part of the bits.
    #[inline(always)]
    fn vertex(&mut self, s: &Substep<T>, i: usize, energy: &mut T) -> (Sym3<T>, V3<T>) {
        let node = &self.nodes[i];
        let heavy = node.mass * node.inertia;
        let away = node.x - node.goal;
        *energy += spring_energy(heavy, away);
        let mut stiff = Sym3::diagonal(heavy);
        let mut gradient = away.scale(heavy);
        let mut spring = heavy;
        for (row, target, stiffness) in &self.attachments {
            if *row == i {
                let away = node.x - *target;
                *energy += spring_energy(*stiffness, away);
                stiff = stiff.plus_diagonal(*stiffness);
                gradient = gradient + away.scale(*stiffness);
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
                pull: node.strand - gradient,
                spring,
            };
            touch.meet(&node.memory.contact, &vertex, &s.contact);
            *energy += touch.normal_energy(touch.close);
            stiff = stiff
                .plus_diagonal(touch.stick)
                .plus_outer(touch.normal, touch.stiff - touch.stick)
                .plus_outer(touch.way, touch.along - touch.stick);
            gradient = gradient - touch.friction + touch.normal.scale(touch.stiff * touch.close);
        }
        (stiff, gradient)
    }
}
