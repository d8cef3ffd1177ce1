//! Rotations, many at once.

use super::{Lane, V3, set_bits};
use crate::math::elementary::sin_cos;
use glam::Quat;

/// A unit quaternion in every lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneRotation<T> {
    axis: V3<T>,
    w: T,
}

impl<T: Lane> LaneRotation<T> {
    /// The same rotation in every lane.
    #[inline(always)]
    pub fn splat(turn: Quat) -> Self {
        Self {
            axis: turn.xyz().into(),
            w: T::splat(turn.w.into()),
        }
    }

    /// The rotations whose axis is the direction of `v` and whose angle its length, in the
    /// lanes whose bit is set; undefined in the others. `[rad]`
    #[inline(always)]
    pub fn of_scaled_axes(v: V3<T>, lanes: u32) -> Self {
        let angle = v.dot(v).sqrt();
        let (mut sine, mut cosine) = (T::zero(), T::zero());
        for lane in set_bits(lanes) {
            let (sin, cos) = sin_cos(0.5 * angle.single(lane));
            sine.set(lane, sin.into());
            cosine.set(lane, cos.into());
        }
        let axis = V3 {
            x: v.x / angle * sine,
            y: v.y / angle * sine,
            z: v.z / angle * sine,
        };
        let turns = T::zero().less(angle, T::splat(1.0), T::zero());
        let axis = axis.select(turns, V3::zero());
        Self { axis, w: cosine }
    }

    /// `self` in the lanes where `mask` is one, `other` where it is zero.
    #[inline(always)]
    pub fn select(self, mask: T, other: Self) -> Self {
        Self {
            axis: self.axis.select(mask, other.axis),
            w: mask.choose(self.w, other.w),
        }
    }

    /// Vectors rotated by it.
    #[inline(always)]
    pub fn rotate(self, v: V3<T>) -> V3<T> {
        let Self { axis, w } = self;
        let two = T::splat(2.0);
        v.scale(w * w - axis.dot(axis))
            + axis.scale(v.dot(axis) * two)
            + axis.cross(v).scale(w * two)
    }

    /// Vectors rotated by its inverse.
    #[inline(always)]
    pub fn inverse(self, v: V3<T>) -> V3<T> {
        let axis = V3::zero() - self.axis;
        Self { axis, w: self.w }.rotate(v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::F;
    use glam::Vec3;

    #[test]
    fn each_lane_turns_as_its_quaternion() {
        let turns = [0.0, 0.4, -1.3, 2.9].map(|angle| {
            let axis = Vec3::new(0.6, 0.48, -0.64);
            Quat::from_axis_angle(axis, angle)
        });
        let axes = V3::from_lanes(|lane| turns[lane].to_scaled_axis());
        let row = LaneRotation::<F<4>>::of_scaled_axes(axes, 0b1110);
        let first = F::from_lanes(|lane| f64::from(u8::from(lane == 0)));
        let row = LaneRotation::splat(turns[0]).select(first, row);
        let v = Vec3::new(0.3, -0.7, 0.2);
        let [there, back] = [row.rotate(V3::from(v)), row.inverse(V3::from(v))];
        for (lane, turn) in turns.into_iter().enumerate() {
            assert!(there.at(lane).distance(turn * v) < 1e-6, "{turn}");
            assert!(back.at(lane).distance(turn.conjugate() * v) < 1e-6);
        }
    }
}
