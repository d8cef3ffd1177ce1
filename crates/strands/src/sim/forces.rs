//! Gravity.

use super::params::ForceParams;
use glam::Vec3;

/// Gravity that hairstyles are modelled under. `[m/s²]`
pub const GRAVITY: f64 = 9.81;

/// Acceleration of gravity. `[m/s²]`
pub fn gravity(params: &ForceParams) -> Vec3 {
    if params.gravity_on {
        Vec3::new(0.0, -params.gravity, 0.0)
    } else {
        Vec3::ZERO
    }
}
