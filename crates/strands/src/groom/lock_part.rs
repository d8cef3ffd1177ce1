//! How a lock parts towards its tip into smaller ones that cross.

use crate::math::random::uniform;
use glam::Vec2;

/// A part of a lock that comes to a tip of its own.
pub struct LockPart {
    /// Where its middle lies in the lock's cross-section, in radii of the lock.
    middle: Vec2,
    /// How it winds around the others. `[rad/m]`
    wind: f32,
}

/// Parts of a lock wind around one another by so much at the most. `[rad/m]`
const WIND: f32 = 12.0;

impl LockPart {
    /// The part to which a strand belongs that lies at `angle` in the lock with that
    /// `number`, so many times as wide as an ordinary one. `[rad]`
    pub fn of([size, angle]: [f32; 2], number: u64, seed: u64) -> Self {
        let turn = std::f32::consts::TAU;
        let draw = |salt: u64| uniform(seed ^ salt, number);
        let parts = 2.0 + (2.0 * draw(0x9a47)).round();
        let sector = (angle / turn * parts).floor().min(parts - 1.0);
        let own = |salt: u64| uniform(seed ^ salt ^ sector as u64, number);
        let direction = Vec2::from_angle((sector + 0.2 + 0.6 * own(0x4c10)) / parts * turn);
        Self {
            middle: direction * (size * (0.5 + 0.7 * own(0x4c20))),
            wind: WIND * (2.0 * own(0x4c30) - 1.0),
        }
    }

    /// Where a strand lies, `s` from the root, that would lie at `beside` in a lock of
    /// that `width` which does not part. `[m]`
    pub fn at(&self, s: f32, beside: Vec2, width: f32) -> Vec2 {
        Vec2::from_angle(self.wind * s).rotate(self.middle) * width + 0.2 * beside
    }
}
