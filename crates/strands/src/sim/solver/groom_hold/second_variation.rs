//! Whether a rest curve is a stable equilibrium under gravity.
//!
//! Second variation of elastic energy and gravity over small rotations of the
//! edges (Kirchhoff rod, inextensible), eliminated from the tip: it is positive
//! where every pivot is (Sylvester's criterion; the discrete form of the Riccati
//! equation that decides whether a conjugate point lies on the rod).

use super::frames::{Frames, Loads, stiff};
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::Sym3,
    },
    sim::{solver::material::RodMaterial, state::Block},
};

/// What an edge and the joint before it add to the second variation, for each
/// unit of linear density. `[m³/s²]`
struct EdgeVariation<T> {
    /// Elastic stiffness of the joint against a small rotation of one of its
    /// edges, without any hold.
    elastic: Sym3<T>,
    /// What the stress across the joint adds to it, whatever the stiffness.
    stress: T,
    /// What the force along the edge adds: (n.e) I - (n e^T + e n^T)/2.
    force: Sym3<T>,
    /// Half of the moment across the joint.
    moment: V3<T>,
    /// One where the edge exists.
    alive: T,
}

/// The second variation of every strand of a block, as a function of how many
/// times stiffer than its material each joint is.
///
/// With r = (w, v) across a joint, G = w I - [v]x, and the moment M = R m', the
/// joint adds S = R (h G^T K G / l - (m.v)/2 I) R^T to both edges' diagonals and
/// -S + [M]x / 2 between them; h is the hold.
pub(super) struct SecondVariation<T> {
    edges: Vec<EdgeVariation<T>>,
}

impl<T: Lane> SecondVariation<T> {
    pub fn new(
        block: &Block<T>,
        frames: &Frames<T>,
        loads: &Loads<T>,
        material: &RodMaterial,
    ) -> Self {
        let half = T::splat(0.5);
        let edge = |j: usize| {
            let (r, l) = (frames.rotation(j), frames.span(j));
            let before = frames.before(j);
            // Columns of R G^T: what the local axes become; a sum of k c c^T.
            let mut elastic = Sym3::zero();
            let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let stiffness = [material.bend[0], material.bend[1], material.twist];
            let share = stiff(block, j);
            for (axis, stiffness) in axes.into_iter().zip(stiffness) {
                let axis = V3::splat(axis);
                let column = before.rotate(axis.scale(r.w) + r.v.cross(axis));
                elastic = elastic.plus_outer(column, share * T::splat(stiffness) / l);
            }
            let (n, e) = (loads.force[j], frames.tangent[j].scale(frames.length[j]));
            // - (n e^T + e n^T)/2 = -((n+e)(n+e)^T - n n^T - e e^T)/2.
            let force = Sym3::diagonal(n.dot(e))
                .plus_outer(n + e, -half)
                .plus_outer(n, half)
                .plus_outer(e, half);
            EdgeVariation {
                elastic,
                stress: loads.local[j].dot(r.v) * -half,
                force,
                moment: loads.moment[j].scale(half),
                alive: block.alive(j + 1),
            }
        };
        Self {
            edges: (0..block.rows - 1).map(edge).collect(),
        }
    }

    /// One in the lanes whose rest curve is stable where joint `j` is `hold(j)`
    /// times as stiff as its material.
    pub fn stable(&self, hold: impl Fn(usize) -> T) -> T {
        let (zero, one) = (T::zero(), T::splat(1.0));
        let mut stable = one;
        let mut pivot = Sym3::zero();
        for (j, edge) in self.edges.iter().enumerate().rev() {
            let alive = edge.alive;
            let s = scaled(edge.elastic, hold(j)).plus_diagonal(edge.stress);
            // Behind the tip: something positive that couples to nothing.
            let mask = |m: Sym3<T>, otherwise: T| Sym3 {
                xx: alive.choose(m.xx, otherwise),
                xy: m.xy * alive,
                xz: m.xz * alive,
                yy: alive.choose(m.yy, otherwise),
                yz: m.yz * alive,
                zz: alive.choose(m.zz, otherwise),
            };
            let d = mask(pivot.plus(s).plus(edge.force), one);
            let minor = d.xx * d.yy - d.xy * d.xy;
            let determinant = d.xx * (d.yy * d.zz - d.yz * d.yz)
                - d.xy * (d.xy * d.zz - d.yz * d.xz)
                + d.xz * (d.xy * d.yz - d.yy * d.xz);
            for positive in [d.xx, minor, determinant] {
                stable = zero.less(positive, stable, zero);
            }
            if !stable.any() {
                break;
            }
            pivot = less_taken(s, d, edge.moment, alive);
        }
        stable
    }
}

/// `m` times `share`.
#[inline(always)]
fn scaled<T: Lane>(m: Sym3<T>, share: T) -> Sym3<T> {
    Sym3 {
        xx: m.xx * share,
        xy: m.xy * share,
        xz: m.xz * share,
        yy: m.yy * share,
        yz: m.yz * share,
        zz: m.zz * share,
    }
}

/// What a joint with stiffness `s` leaves for the edge before it: its own S, less
/// what the freedom of the edge behind takes, B^T D^-1 B with
/// B = -S + [M]x/2 between this edge and that one; zero where not `alive`.
#[inline(always)]
fn less_taken<T: Lane>(s: Sym3<T>, d: Sym3<T>, moment: V3<T>, alive: T) -> Sym3<T> {
    let inverse = d.inverse();
    let columns = s.columns();
    // Column k of -S - [M]x/2: the transpose of the block between the
    // edge before (rows) and this one (columns).
    let cross = |k: usize| {
        let axis = V3::splat([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][k]);
        V3::zero() - columns[k] - moment.cross(axis)
    };
    let b = [cross(0), cross(1), cross(2)];
    let solved = b.map(|column| inverse.times(column));
    let minus = |a: T, b: T| (a - b) * alive;
    Sym3 {
        xx: minus(s.xx, b[0].dot(solved[0])),
        xy: minus(s.xy, b[0].dot(solved[1])),
        xz: minus(s.xz, b[0].dot(solved[2])),
        yy: minus(s.yy, b[1].dot(solved[1])),
        yz: minus(s.yz, b[1].dot(solved[2])),
        zz: minus(s.zz, b[2].dot(solved[2])),
    }
}
