//! Where the head is, for many strands at once.

use super::{Lane, V3};
use crate::math::Pose;

/// Rotation and translation in lanes: the head's pose during a substep.
#[derive(Clone, Copy, Debug)]
pub struct LaneFrame<T> {
    columns: [V3<T>; 3],
    translation: V3<T>,
}

impl<T: Lane> LaneFrame<T> {
    /// The same pose in every lane.
    #[inline(always)]
    pub fn new(pose: &Pose) -> Self {
        let m = glam::Mat3::from_quat(pose.rotation);
        Self {
            columns: [m.x_axis.into(), m.y_axis.into(), m.z_axis.into()],
            translation: pose.translation.into(),
        }
    }
    /// At the origin, turned by `rotation` in every lane.
    #[inline(always)]
    pub fn turned(rotation: glam::DQuat) -> Self {
        let m = glam::DMat3::from_quat(rotation);
        Self {
            columns: [m.x_axis, m.y_axis, m.z_axis].map(|axis| V3::splat(axis.to_array())),
            translation: V3::zero(),
        }
    }
    /// The frame that first turns `axes` with its own, then goes with this one.
    #[inline(always)]
    pub fn of_axes(&self, axes: [V3<T>; 3]) -> Self {
        Self {
            columns: axes.map(|axis| self.vector(axis)),
            translation: self.translation,
        }
    }
    /// Lanes `first..` alone, as many as a `P` has.
    #[inline(always)]
    pub fn cut<P: Lane>(&self, first: usize) -> LaneFrame<P> {
        let [x, y, z] = &self.columns;
        LaneFrame {
            columns: [x.cut(first), y.cut(first), z.cut(first)],
            translation: self.translation.cut(first),
        }
    }
    /// The frame of one lane alone.
    pub fn lane(&self, index: usize) -> LaneFrame<f64> {
        let lane = |v: &V3<T>| V3::splat(v.get(index));
        LaneFrame {
            columns: [0, 1, 2].map(|axis| lane(&self.columns[axis])),
            translation: lane(&self.translation),
        }
    }
    /// A direction of the head's space, in the world.
    #[inline(always)]
    pub fn vector(&self, v: V3<T>) -> V3<T> {
        self.columns[0].scale(v.x) + self.columns[1].scale(v.y) + self.columns[2].scale(v.z)
    }
    /// A point of the head's space, in the world.
    #[inline(always)]
    pub fn point(&self, p: V3<T>) -> V3<T> {
        self.vector(p) + self.translation
    }
    /// A direction of the world, in the head's space.
    #[inline(always)]
    pub fn inverse_vector(&self, v: V3<T>) -> V3<T> {
        V3 {
            x: self.columns[0].dot(v),
            y: self.columns[1].dot(v),
            z: self.columns[2].dot(v),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_agrees_with_its_pose() {
        let pose = crate::math::Pose {
            rotation: glam::Quat::from_axis_angle(glam::Vec3::new(0.6, 0.0, 0.8), 0.7),
            translation: glam::Vec3::new(0.1, -0.2, 0.3),
        };
        let frame = LaneFrame::<f64>::new(&pose);
        let p = glam::Vec3::new(0.5, 0.25, -1.0);
        let there = frame.point(V3::splat(p.to_array().map(f64::from)));
        let expected = pose.point(p);
        for (a, b) in there.get(0).iter().zip(expected.to_array()) {
            assert!((a - f64::from(b)).abs() < 1e-6);
        }
        let d = V3::splat([0.5, 0.25, -1.0]);
        let back = frame.inverse_vector(frame.vector(d));
        assert!((back.x - 0.5).abs() < 1e-6 && (back.z + 1.0).abs() < 1e-6);
    }
}
