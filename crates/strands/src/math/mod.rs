//! Lanes of vectors for the kernels, rigid motion, and the random sequences.

mod between;
mod count;
pub mod curve;
pub mod elementary;
pub mod fetch;
pub mod instructions;
pub mod lanes;
mod length;
mod nearest_rotation;
pub mod random;
pub mod rotation;
pub mod sine;
pub(crate) mod wide;
pub mod work;

pub use between::{piecewise, smoothstep};
pub use count::counted;
pub use length::length_text;
pub(crate) use nearest_rotation::nearest_rotation;

use glam::{Quat, Vec3};

/// A rigid motion: rotate, then translate. `[m]`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Unit quaternion.
    pub rotation: Quat,
    /// Where the origin goes. `[m]`
    pub translation: Vec3,
}

impl Pose {
    /// No motion.
    pub const IDENTITY: Self = Self {
        rotation: Quat::IDENTITY,
        translation: Vec3::ZERO,
    };

    /// Takes a point of the head's space into the world.
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }

    /// Takes a direction of the head's space into the world.
    pub fn vector(&self, v: Vec3) -> Vec3 {
        self.rotation * v
    }

    /// Takes a point of the world into the head's space.
    pub fn inverse_point(&self, p: Vec3) -> Vec3 {
        self.rotation.conjugate() * (p - self.translation)
    }

    /// The same pose by that of its two quaternions which is near the `other` one's: the
    /// difference of the two is then the turn from one to the other.
    #[must_use]
    pub fn beside(&self, other: &Self) -> Self {
        let near = self.rotation.dot(other.rotation) >= 0.0;
        Self {
            rotation: if near { self.rotation } else { -self.rotation },
            ..*self
        }
    }

    /// Between `self` (at 0) and `other` (at 1).
    pub fn between(&self, other: &Self, t: f32) -> Self {
        Self {
            rotation: self.rotation.slerp(other.rotation, t),
            translation: self.translation.lerp(other.translation, t),
        }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}
