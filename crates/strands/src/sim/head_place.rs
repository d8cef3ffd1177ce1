//! Where the head is.

use crate::math::Pose;
use glam::{DQuat, DVec3, EulerRot, Vec3};

/// Where the point that the head turns about has gone, and how the head is
/// turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadPlace {
    /// Unit quaternion.
    pub rotation: DQuat,
    /// From where it is at rest. `[m]`
    pub offset: DVec3,
}

impl HeadPlace {
    /// At rest.
    pub const HOME: Self = Self {
        rotation: DQuat::IDENTITY,
        offset: DVec3::ZERO,
    };

    /// Turned by angles about y, x and z in this order, and moved. `[°]`, `[m]`
    pub fn turned([yaw, pitch, roll]: [f64; 3], offset: DVec3) -> Self {
        let [yaw, pitch, roll] = [yaw, pitch, roll].map(f64::to_radians);
        Self {
            rotation: DQuat::from_euler(EulerRot::YXZ, yaw, pitch, roll),
            offset,
        }
    }

    /// The same as a pose of a head that turns about `pivot`. `[m]`
    pub fn pose(&self, pivot: Vec3) -> Pose {
        let pivot = pivot.as_dvec3();
        let moved = pivot - self.rotation * pivot + self.offset;
        Pose {
            rotation: self.rotation.as_quat().normalize(),
            translation: moved.as_vec3(),
        }
    }

    /// This turn and move on top of that of `inner`.
    pub fn after(&self, inner: &Self) -> Self {
        Self {
            rotation: self.rotation * inner.rotation,
            offset: self.offset + inner.offset,
        }
    }
}
