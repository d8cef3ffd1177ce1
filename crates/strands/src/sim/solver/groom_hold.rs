//! The groom hold: how much stiffer than its material a strand must be so that its
//! hairstyle, bent as it was modelled, is a stable equilibrium under gravity.
//!
//! Forces and moments that gravity puts into the rest curve follow tip to root;
//! whether the equilibrium is stable is read from the second variation of the
//! energy of an elastic rod. All methods whose strands are rods share it.

use super::material::RodMaterial;
use crate::{
    math::{
        lanes::{Lane, V3},
        rotation::{Q, Sym3},
    },
    sim::{forces::GRAVITY, state::Block},
};

/// No edge counts as shorter. `[m]`
const SHORTEST: f64 = 1e-5;

/// The largest multiplier tried for the groom hold; a hairstyle that needs more
/// topples.
pub const MOST_HOLD: f64 = 256.0;

/// A strand is made this much stiffer than the least that holds it, so that
/// what disturbs it a little does not topple it.
const RESERVE: f64 = 1.2;

/// Stiffness of joint `j` as a share of its strand's.
#[inline(always)]
pub(super) fn stiff<T: Lane>(block: &Block<T>, j: usize) -> T {
    block.stiff(j, 0).unwrap_or(T::splat(1.0))
}

/// `d` scaled to unit length; `otherwise` where it has none.
#[inline(always)]
pub(super) fn unit<T: Lane>(d: V3<T>, otherwise: V3<T>) -> V3<T> {
    let squared = d.dot(d);
    let tiny = T::splat(1e-14);
    let inverse = T::splat(1.0) / squared.max(tiny).sqrt();
    let exists = tiny.less(squared, T::splat(1.0), T::zero());
    d.scale(inverse).select(exists, otherwise)
}

/// The rest curve's material frames, in the head's space.
pub(super) struct Frames<T> {
    pub clamp: Q<T>,
    q: Vec<Q<T>>,
    tangent: Vec<V3<T>>,
    pub length: Vec<T>,
    /// Half the sum of the lengths of existing edges on both sides. `[m]`
    mass: Vec<T>,
}

impl<T: Lane> Frames<T> {
    pub fn new(block: &Block<T>, material: &RodMaterial) -> Self {
        let rows = block.rows;
        let mut out = Self {
            clamp: Q::identity(),
            q: Vec::with_capacity(rows),
            tangent: Vec::with_capacity(rows),
            length: Vec::with_capacity(rows),
            mass: vec![T::zero(); rows],
        };
        let mut tangent = V3::splat([0.0, 0.0, 1.0]);
        let mut frame = Q::identity();
        for j in 0..rows {
            // Behind a strand's tip edges without mass go straight on.
            let alive = if j + 1 < rows {
                block.alive(j + 1)
            } else {
                T::zero()
            };
            let d = block.rest[(j + 1).min(rows - 1)] - block.rest[j];
            let next = unit(d, tangent).select(alive, tangent);
            let length = d.dot(d).sqrt().max(T::splat(SHORTEST));
            let shown = if j == 0 { length } else { out.length[j - 1] };
            let length = T::splat(0.5).less(alive, length, shown);
            frame = Q::between(tangent, next).mul_quat(frame).normalized();
            tangent = next;
            out.q.push(frame);
            out.tangent.push(tangent);
            out.length.push(length);
            let half = length * alive * T::splat(0.5);
            out.mass[j] += half;
            if j + 1 < rows {
                out.mass[j + 1] += half;
            }
        }
        if !material.is_round() {
            out.align_material_frames(block);
        }
        // The tangent at the root lies half an edge before the first edge's
        // middle: it follows with the curvature of the next joint.
        out.clamp = out.q[0];
        if rows > 2 {
            let bend = out.q[0].conjugate().mul_quat(out.q[1]).canonical();
            let half = Q {
                w: bend.w + T::splat(1.0),
                v: bend.v,
            };
            out.clamp = out.q[0].mul_quat(half.normalized().conjugate());
        }
        out
    }

    /// Turns the frames about their tangents so that the curl bends about the
    /// long axis of an elliptic cross-section, as hair grows.
    fn align_material_frames(&mut self, block: &Block<T>) {
        let last = self.q.len() - 1;
        let bend = |j: usize| {
            let (a, b) = (self.q[j.max(1) - 1], self.q[j.max(1).min(last)]);
            a.conjugate().mul_quat(b).canonical().v
        };
        let bends: Vec<V3<T>> = (0..=last).map(bend).collect();
        for lane in 0..T::LANES {
            let mut roll = 0.0;
            for (j, bend) in bends.iter().enumerate() {
                let [x, y, _] = bend.get(lane);
                // Hardly any bend has no direction: keep the last one.
                if j < block.counts[lane] && x.hypot(y) > 1e-3 {
                    let found = (-x).atan2(y);
                    // An axis has no sign: take the nearer of the two.
                    let turns = ((found - roll) / std::f64::consts::PI).round();
                    roll = found - turns * std::f64::consts::PI;
                }
                let (sine, cosine) = (0.5 * roll).sin_cos();
                let q = Q::<f64> {
                    w: self.q[j].w.get(lane),
                    v: V3::splat(self.q[j].v.get(lane)),
                };
                let turned = q.mul_quat(Q {
                    w: cosine,
                    v: V3::splat([0.0, 0.0, sine]),
                });
                self.q[j].w.set(lane, turned.w);
                self.q[j].v.set(lane, turned.v.get(0));
            }
        }
    }

    /// Rotation across joint `j`, in the frame before it.
    fn rotation(&self, j: usize) -> Q<T> {
        let before = if j == 0 { self.clamp } else { self.q[j - 1] };
        before.conjugate().mul_quat(self.q[j]).canonical()
    }

    fn span(&self, j: usize) -> T {
        let before = if j == 0 {
            T::zero()
        } else {
            self.length[j - 1]
        };
        (before + self.length[j]) * T::splat(0.5)
    }

    /// Curvatures and twist of the rest curve at joint `j`: u = 2 v / l. `[1/m]`
    pub fn strain(&self, j: usize) -> V3<T> {
        self.rotation(j).v.scale(T::splat(2.0) / self.span(j))
    }
}

/// Forces and moments that gravity puts into the rest curve, for each unit of
/// linear density.
pub(super) struct Loads<T> {
    /// Force through each edge: what hangs on it. `[m²/s²]`
    force: Vec<V3<T>>,
    /// Moment across each joint, in the head's space. `[m³/s²]`
    moment: Vec<V3<T>>,
    /// The stress K (u - u_rest) that makes that moment, in the frame before
    /// the joint. `[m³/s²]`
    pub local: Vec<V3<T>>,
}

impl<T: Lane> Loads<T> {
    pub fn new(block: &Block<T>, frames: &Frames<T>) -> Self {
        let rows = block.rows;
        let zero = vec![V3::zero(); rows];
        let mut out = Self {
            force: zero.clone(),
            moment: zero.clone(),
            local: zero,
        };
        let (mut force, mut moment) = (V3::zero(), V3::<T>::zero());
        for j in (0..rows - 1).rev() {
            let weight = frames.mass[j + 1] * T::splat(-GRAVITY);
            force.y += weight;
            moment = moment + frames.tangent[j].scale(frames.length[j]).cross(force);
            let before = if j == 0 {
                frames.clamp
            } else {
                frames.q[j - 1]
            };
            let b = before.conjugate().rotate(moment);
            let r = frames.rotation(j);
            // The inverse of b = w m + v x m.
            let w = r.w.max(T::splat(0.05));
            out.local[j] = b.scale(w) - r.v.cross(b) + r.v.scale(r.v.dot(b) / w);
            out.force[j] = force;
            out.moment[j] = moment;
        }
        out
    }
}

/// How many times stiffer than `material` each strand must be so that its rest
/// curve is a stable equilibrium under gravity; one where it is anyway.
pub fn groom_hold<T: Lane>(block: &Block<T>, material: &RodMaterial) -> T {
    let frames = Frames::new(block, material);
    hold(block, &frames, &Loads::new(block, &frames), material)
}

/// The least multiplier of the stiffness, a power of sqrt 2, under which the
/// rest curve is a stable equilibrium, with some reserve; one where none is needed.
pub(super) fn hold<T: Lane>(
    block: &Block<T>,
    frames: &Frames<T>,
    loads: &Loads<T>,
    material: &RodMaterial,
) -> T {
    let one = T::splat(1.0);
    let mut hold = one;
    // The second variation grows with the stiffness: the first that is
    // positive decides.
    let mut stable = stable_with(block, frames, loads, material, one);
    for power in 1.. {
        let k = 2f64.powf(0.5 * f64::from(power));
        if k > 1.001 * MOST_HOLD || !stable.any_less(T::splat(0.5)) {
            break;
        }
        hold = T::splat(0.5).less(stable, hold, T::splat(k));
        let now = stable_with(block, frames, loads, material, T::splat(k / RESERVE));
        stable = stable.max(now);
    }
    hold
}

/// One in the lanes whose rest curve is stable with `k` times the stiffness.
///
/// Second variation of elastic energy and gravity over small rotations of the
/// edges, eliminated from the tip: it is positive where every pivot is.
/// With r = (w, v) across a joint, G = w I - [v]x, and the moment M = R m', the
/// joint adds S = R (G^T K G / l - (m.v)/2 I) R^T to both edges' diagonals and
/// -S + [M]x / 2 between them; an edge under the force n adds
/// (n.e) I - (n e^T + e n^T)/2.
fn stable_with<T: Lane>(
    block: &Block<T>,
    frames: &Frames<T>,
    loads: &Loads<T>,
    material: &RodMaterial,
    k: T,
) -> T {
    let (zero, one, half) = (T::zero(), T::splat(1.0), T::splat(0.5));
    let mut stable = one;
    let mut pivot = Sym3::zero();
    for j in (0..block.rows - 1).rev() {
        let alive = block.alive(j + 1);
        let (r, l) = (frames.rotation(j), frames.span(j));
        let before = if j == 0 {
            frames.clamp
        } else {
            frames.q[j - 1]
        };
        // Columns of R G^T: what the local axes become; S = sum of k_i c c^T.
        let mut s = Sym3::zero();
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let stiffness = [material.bend[0], material.bend[1], material.twist];
        let share = k * stiff(block, j);
        for (axis, stiffness) in axes.into_iter().zip(stiffness) {
            let axis = V3::splat(axis);
            let column = before.rotate(axis.scale(r.w) + r.v.cross(axis));
            s = s.plus_outer(column, share * T::splat(stiffness) / l);
        }
        s = s.plus_diagonal(loads.local[j].dot(r.v) * T::splat(-0.5));
        let (n, e) = (loads.force[j], frames.tangent[j].scale(frames.length[j]));
        let mut g = Sym3::diagonal(n.dot(e));
        // - (n e^T + e n^T)/2 = -((n+e)(n+e)^T - n n^T - e e^T)/2.
        g = g
            .plus_outer(n + e, -half)
            .plus_outer(n, half)
            .plus_outer(e, half);
        // Behind the tip: something positive that couples to nothing.
        let mask = |m: Sym3<T>, otherwise: T| Sym3 {
            xx: half.less(alive, m.xx, otherwise),
            xy: m.xy * alive,
            xz: m.xz * alive,
            yy: half.less(alive, m.yy, otherwise),
            yz: m.yz * alive,
            zz: half.less(alive, m.zz, otherwise),
        };
        let d = mask(pivot.plus(s).plus(g), one);
        let minor = d.xx * d.yy - d.xy * d.xy;
        let determinant = d.xx * (d.yy * d.zz - d.yz * d.yz) - d.xy * (d.xy * d.zz - d.yz * d.xz)
            + d.xz * (d.xy * d.yz - d.yy * d.xz);
        for positive in [d.xx, minor, determinant] {
            stable = zero.less(positive, stable, zero);
        }
        // The edge before: its own S, less what this edge's freedom takes:
        // B^T D^-1 B with B = -S + [M]x/2 between this edge and that one.
        let inverse = d.inverse();
        let m = loads.moment[j].scale(half);
        let columns = s.columns();
        let zero3 = V3::zero();
        // Column k of -S - [M]x/2: the transpose of the block between the
        // edge before (rows) and this one (columns).
        let cross = |k: usize| {
            let axis = V3::splat([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][k]);
            zero3 - columns[k] - m.cross(axis)
        };
        let b = [cross(0), cross(1), cross(2)];
        let solved = b.map(|column| inverse.times(column));
        let taken = Sym3 {
            xx: b[0].dot(solved[0]),
            xy: b[0].dot(solved[1]),
            xz: b[0].dot(solved[2]),
            yy: b[1].dot(solved[1]),
            yz: b[1].dot(solved[2]),
            zz: b[2].dot(solved[2]),
        };
        let minus = |a: T, b: T| (a - b) * alive;
        pivot = Sym3 {
            xx: minus(s.xx, taken.xx),
            xy: minus(s.xy, taken.xy),
            xz: minus(s.xz, taken.xz),
            yy: minus(s.yy, taken.yy),
            yz: minus(s.yz, taken.yz),
            zz: minus(s.zz, taken.zz),
        };
    }
    stable
}
