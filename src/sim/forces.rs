//! Gravity, wind and air drag: what accelerates a strand from outside.

use super::{ForceParams, WindParams};
use glam::Vec3;

/// Velocity of the air at one place as a function of time. `[m/s]`
///
/// Swelling: strength x (1 - o (1 - cos 2 pi f t)/2). Turbulence: three waves
/// of different length and pace run across the head, each pushing its own way.
pub fn wind(params: &WindParams, place: Vec3, time: f64) -> Vec3 {
    if !params.on || params.strength <= 0.0 {
        return Vec3::ZERO;
    }
    let tau = std::f64::consts::TAU;
    let swell = 0.5 * (1.0 - (tau * f64::from(params.frequency) * time).cos()) as f32;
    let steady =
        Vec3::from_array(params.direction).normalize_or_zero() * (1.0 - params.oscillation * swell);
    let wave = |length: Vec3, pace: f64, shift: f64| {
        (f64::from(length.dot(place)) + tau * (pace * time + shift)).sin() as f32
    };
    let eddy = Vec3::new(
        wave(Vec3::new(17.0, 23.0, -11.0), 0.9, 0.1)
            + 0.5 * wave(Vec3::new(-61.0, 37.0, 43.0), 2.3, 0.6),
        wave(Vec3::new(-13.0, 19.0, 29.0), 1.1, 0.4)
            + 0.5 * wave(Vec3::new(47.0, 53.0, -31.0), 1.9, 0.2),
        wave(Vec3::new(23.0, -7.0, 19.0), 1.3, 0.8)
            + 0.5 * wave(Vec3::new(41.0, -59.0, 37.0), 2.9, 0.7),
    );
    (steady + eddy * (0.6 * params.turbulence)) * params.strength
}

/// Acceleration of gravity. `[m/s²]`
pub fn gravity(params: &ForceParams) -> Vec3 {
    if params.gravity_on {
        Vec3::new(0.0, -params.gravity, 0.0)
    } else {
        Vec3::ZERO
    }
}
