//! What the head does by itself: pose as a function of time.

use super::{MotionParams, MotionPreset};
use crate::math::Pose;
use glam::{Quat, Vec3};

/// Where the head is at `time`; `pivot` is the point it turns about. `[s]`, `[m]`
///
/// The motion swells during the first second, so nothing starts with a jerk.
pub fn pose(params: &MotionParams, pivot: Vec3, time: f64) -> Pose {
    let t = time.clamp(0.0, 1.0);
    let swell = t * t * (3.0 - 2.0 * t);
    let phase = std::f64::consts::TAU * f64::from(params.frequency) * time;
    let angle = (f64::from(params.amplitude).to_radians() * swell * phase.sin()) as f32;
    let rotation = match params.preset {
        MotionPreset::None => return Pose::IDENTITY,
        MotionPreset::Sway => {
            // The second, slower turn keeps the eye from seeing a machine.
            let tilt =
                (f64::from(params.amplitude).to_radians() * 0.2 * swell * (0.5 * phase).sin())
                    as f32;
            Quat::from_rotation_y(angle) * Quat::from_rotation_z(tilt)
        }
        MotionPreset::Nod => Quat::from_rotation_x(angle),
        MotionPreset::Shake => Quat::from_rotation_y(angle),
    };
    Pose {
        rotation,
        translation: pivot - rotation * pivot,
    }
}
