//! Moment and energy of one joint.

use super::{lanes::RodNode, substep::Substep};
use crate::math::{
    lanes::{Lane, V3},
    rotation::Q,
};

/// Moment across the joint of `node`, from the edge before it, and its elastic
/// energy.
#[inline(always)]
pub(super) fn joint<T: Lane>(before: Q<T>, node: &RodNode<T>, s: &Substep<T>) -> (V3<T>, T) {
    let inverse_span = node.inverse_span;
    let r = before.conjugate().mul_quat(node.memory.q).canonical();
    let strain = r.v.scale(inverse_span + inverse_span) - node.memory.rest;
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
    let r = before.conjugate().mul_quat(node.memory.q).canonical();
    let strain = r.v.scale(inverse_span + inverse_span) - node.memory.rest;
    let square = s.bend[0] * strain.x * strain.x
        + s.bend[1] * strain.y * strain.y
        + s.twist * strain.z * strain.z;
    T::splat(0.5) * square * node.stiff / inverse_span
}
