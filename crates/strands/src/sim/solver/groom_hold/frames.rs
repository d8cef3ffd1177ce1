//! The rest curve of a hairstyle as a rod sees it: its material frames, and what
//! gravity puts into it.

use crate::{
    math::{
        elementary::{atan2, hypot, sin_cos},
        lanes::{Lane, V3},
        rotation::Q,
    },
    sim::{forces::GRAVITY, solver::material::RodMaterial, state::Block},
};
use std::f64::consts::PI;

/// No edge counts as shorter. `[m]`
const SHORTEST: f64 = 1e-5;

/// Stiffness of joint `j` as a share of its strand's.
#[inline(always)]
pub(in crate::sim::solver) fn stiff<T: Lane>(block: &Block<T>, j: usize) -> T {
    block.stiff(j, 0).unwrap_or(T::splat(1.0))
}

/// How far a material frame is rolled about its edge so that it bends about its long axis,
/// where it bends by `[x, y]` about its two axes as they are; near `roll`, that of the edge
/// before. `[rad]`
pub(in crate::sim::solver) fn bend_roll([x, y]: [f64; 2], roll: f64) -> f64 {
    // Hardly any bend has no direction: keep the last one.
    if hypot(x, y) <= 1e-3 {
        return roll;
    }
    let found = atan2(-x, y);
    // An axis has no sign: take the nearer of the two.
    let turns = ((found - roll) / PI).round();
    found - turns * PI
}

/// `d` scaled to unit length; `otherwise` where it has none.
#[inline(always)]
pub(in crate::sim::solver) fn unit<T: Lane>(d: V3<T>, otherwise: V3<T>) -> V3<T> {
    let squared = d.dot(d);
    let tiny = T::splat(1e-14);
    let inverse = T::splat(1.0) / squared.max(tiny).sqrt();
    let exists = tiny.less(squared, T::splat(1.0), T::zero());
    d.scale(inverse).select(exists, otherwise)
}

/// The rest curve's material frames, in the head's space.
pub(in crate::sim::solver) struct Frames<T> {
    pub clamp: Q<T>,
    q: Vec<Q<T>>,
    pub(super) tangent: Vec<V3<T>>,
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
            let length = alive.choose(length, shown);
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
                if j < block.counts[lane] {
                    roll = bend_roll([x, y], roll);
                }
                let (sine, cosine) = sin_cos(0.5 * roll);
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

    /// Frame before joint `j`.
    pub(super) fn before(&self, j: usize) -> Q<T> {
        if j == 0 { self.clamp } else { self.q[j - 1] }
    }

    /// Rotation across joint `j`, in the frame before it.
    pub fn rotation(&self, j: usize) -> Q<T> {
        let before = self.before(j);
        before.conjugate().mul_quat(self.q[j]).canonical()
    }

    /// Length that joint `j` stands for: half of the edges on both sides. `[m]`
    pub(super) fn span(&self, j: usize) -> T {
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
pub(in crate::sim::solver) struct Loads<T> {
    /// Force through each edge: what hangs on it. `[m²/s²]`
    pub(super) force: Vec<V3<T>>,
    /// Moment across each joint, in the head's space. `[m³/s²]`
    pub(super) moment: Vec<V3<T>>,
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
        let mut borne = Borne::new();
        for j in (0..rows - 1).rev() {
            let weight = frames.mass[j + 1] * T::splat(-GRAVITY);
            force.y += weight;
            moment = moment + frames.tangent[j].scale(frames.length[j]).cross(force);
            let b = frames.before(j).conjugate().rotate(moment);
            let r = frames.rotation(j);
            // The inverse of b = w m + v x m.
            let w = r.w.max(T::splat(0.05));
            out.local[j] = b.scale(w) - r.v.cross(b) + r.v.scale(r.v.dot(b) / w);
            out.force[j] = force;
            out.moment[j] = moment;
            if let Some(tied) = block.tied.get(j) {
                let left = borne.left(*tied, block.alive(j + 1));
                (force, moment) = (force.scale(left), moment.scale(left));
            }
        }
        out
    }
}

/// Whether ties bear a strand from its tip on: then nothing of it hangs on what is
/// before them. What hangs from a tie, as a tail does, hangs on all before it, too: its
/// tie bears softly, and hair would sag by what it has to bear.
struct Borne<T> {
    /// Edges behind the last tie, or before the tip.
    free: T,
    /// One in the lanes that are borne so far.
    all: T,
}

/// So many edges between ties bear themselves.
const SHORT: f64 = 2.5;

impl<T: Lane> Borne<T> {
    fn new() -> Self {
        Self {
            free: T::zero(),
            all: T::splat(1.0),
        }
    }

    /// The share of all behind that hangs on what is before an edge that is `alive` and
    /// begins at a vertex that is `tied`.
    fn left(&mut self, tied: T, alive: T) -> T {
        let one = T::splat(1.0);
        self.free += alive;
        let short = self.free.less(T::splat(SHORT), one, T::zero());
        let on = one - tied;
        self.all = self.all * (short * tied + on);
        self.free = self.free * on;
        one - tied * self.all
    }
}
