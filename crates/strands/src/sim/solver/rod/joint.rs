//! Moment and energy of one joint.
//!
//! A Kirchhoff rod (Kirchhoff 1859) in finite differences, with the discrete energy of
//! Bergou et al. 2008, "Discrete Elastic Rods", section 4.2: 1/2 l (u - u0)' K (u - u0)
//! over the length l that belongs to the joint. The strains u, two curvatures and twist, are
//! those of the rotation across it, 2 vec(q_before* q) / l, as a quaternion has them: with
//! angle a, 2 sin(a/2) where the curvature binormal there has 2 tan(a/2), the same to
//! second order, and finite for every fold.
//!
//! Turned on past a half turn, a joint has turned the other way by less, and its strains
//! change their sign: where they are not nothing at rest, its energy leaps there. Hair that
//! whirls, its joints turning full turn after full turn, would gain from each for ever: so a
//! strain grows faster from [`FOLDED`] on, and no joint gets there.

use super::{lanes::RodNode, state::RodVertex, substep::Substep};
use crate::math::{
    lanes::{Lane, V3},
    rotation::Q,
};

/// Cosine of half the angle from which the strain of a joint grows faster, and of that up to
/// which it does: 151 and 177 degrees.
const FOLDED: [f64; 2] = [0.25, 0.025];

/// How many times as large a strain is at a joint folded far, and by how much that grows for
/// each unit less of the cosine of half the angle.
#[derive(Clone, Copy)]
pub(super) struct Fold<T> {
    pub times: T,
    pub growth: T,
}

impl<T: Lane> Fold<T> {
    /// That of a joint with that cosine of half its angle: once, where it is not folded far.
    #[inline(always)]
    pub fn at(cosine: T) -> Self {
        let [begins, ends] = [T::splat(FOLDED[0]), T::splat(FOLDED[1])];
        // Nearly no joint is folded, and what follows waits for two divisions.
        if !cosine.any_less(begins) {
            return Self {
                times: T::splat(1.0),
                growth: T::zero(),
            };
        }
        let low = cosine.min(begins).max(ends);
        let times = begins / low;
        let grows = ends.less(cosine, T::splat(1.0), T::zero());
        let growth = low.less(begins, times / low, T::zero()) * grows;
        Self { times, growth }
    }

    /// How much stiffer than elsewhere the joint is there, at most.
    #[inline(always)]
    pub fn stiffening(&self) -> T {
        let most = self.times + self.growth;
        most * most
    }
}

/// Rotation across the joint between two edges, from that `before`, and how far the
/// strains of `edge` there are from those without stress. `[1/m]`
#[inline(always)]
pub(super) fn strain<T: Lane>(before: Q<T>, edge: &RodVertex<T>, inverse_span: T) -> (Q<T>, V3<T>) {
    let r = before.conjugate().mul_quat(edge.q).canonical();
    let times = Fold::at(r.w).times;
    let strain = r.v.scale((inverse_span + inverse_span) * times) - edge.rest;
    (r, strain)
}

/// Twice the energy of that strain for each unit of length; `stiffness` is against
/// bending about both axes and against twist.
#[inline(always)]
pub(super) fn density<T: Lane>(stiffness: [T; 3], strain: V3<T>) -> T {
    stiffness[0] * strain.x * strain.x
        + stiffness[1] * strain.y * strain.y
        + stiffness[2] * strain.z * strain.z
}

/// Moment across the joint of `node`, from the edge before it, its elastic energy, and how
/// far it is folded.
#[inline(always)]
pub(super) fn joint<T: Lane>(
    before: Q<T>,
    node: &RodNode<T>,
    s: &Substep<T>,
) -> (V3<T>, T, Fold<T>) {
    let inverse_span = node.inverse_span;
    let (r, strain) = strain(before, &node.memory, inverse_span);
    let fold = Fold::at(r.w);
    let m = V3 {
        x: strain.x * s.bend[0],
        y: strain.y * s.bend[1],
        z: strain.z * s.twist,
    };
    let m = m.scale(node.stiff);
    // The gradient over a turn of the outer edge: R (f (w m + v x m) - f' (m.v) v).
    let turned = (m.scale(r.w) + r.v.cross(m)).scale(fold.times);
    let folded = r.v.scale(fold.growth * m.dot(r.v));
    let energy = T::splat(0.5) * m.dot(strain) / inverse_span;
    (before.rotate(turned + folded), energy, fold)
}

/// Elastic energy of that joint alone.
#[inline(always)]
pub(super) fn elastic<T: Lane>(before: Q<T>, node: &RodNode<T>, s: &Substep<T>) -> T {
    let inverse_span = node.inverse_span;
    let (_, strain) = strain(before, &node.memory, inverse_span);
    let square = density([s.bend[0], s.bend[1], s.twist], strain);
    T::splat(0.5) * square * node.stiff / inverse_span
}
