//! Moment and energy of one joint.
//!
//! A Kirchhoff rod (Kirchhoff 1859) in finite differences, with the discrete energy of
//! Bergou et al. 2008, "Discrete Elastic Rods", section 4.2: 1/2 l (u - u0)' K (u - u0)
//! over the length l that belongs to the joint. The strains u, two curvatures and twist, are
//! those of the rotation across it, 2 vec(q_before* q) / l, as a quaternion has them: with
//! angle a, 2 sin(a/2) where the curvature binormal there has 2 tan(a/2), the same to
//! second order, and finite for every fold.

use super::{lanes::RodNode, state::RodVertex, substep::Substep};
use crate::math::{
    lanes::{Lane, V3},
    rotation::Q,
};

/// Rotation across the joint between two edges, from that `before`, and how far the
/// strains of `edge` there are from those without stress. `[1/m]`
#[inline(always)]
pub(super) fn strain<T: Lane>(before: Q<T>, edge: &RodVertex<T>, inverse_span: T) -> (Q<T>, V3<T>) {
    let r = before.conjugate().mul_quat(edge.q).canonical();
    let strain = r.v.scale(inverse_span + inverse_span) - edge.rest;
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

/// Moment across the joint of `node`, from the edge before it, and its elastic
/// energy.
#[inline(always)]
pub(super) fn joint<T: Lane>(before: Q<T>, node: &RodNode<T>, s: &Substep<T>) -> (V3<T>, T) {
    let inverse_span = node.inverse_span;
    let (r, strain) = strain(before, &node.memory, inverse_span);
    let m = V3 {
        x: strain.x * s.bend[0],
        y: strain.y * s.bend[1],
        z: strain.z * s.twist,
    };
    let m = m.scale(node.stiff);
    // The gradient over a turn of the outer edge: R (w m + v x m).
    let moment = before.rotate(m.scale(r.w) + r.v.cross(m));
    (moment, T::splat(0.5) * m.dot(strain) / inverse_span)
}

/// Elastic energy of that joint alone.
#[inline(always)]
pub(super) fn elastic<T: Lane>(before: Q<T>, node: &RodNode<T>, s: &Substep<T>) -> T {
    let inverse_span = node.inverse_span;
    let (_, strain) = strain(before, &node.memory, inverse_span);
    let square = density([s.bend[0], s.bend[1], s.twist], strain);
    T::splat(0.5) * square * node.stiff / inverse_span
}
