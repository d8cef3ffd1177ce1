//! What the head does by itself, and how it is turned by hand: its place as a
//! smooth function of time.

use super::{
    head_place::HeadPlace,
    params::{MotionParams, MotionPreset},
};
use crate::math::elementary::{cos, sin};
use glam::{DQuat, DVec3, Vec3};
use std::f64::consts::TAU;

/// A motion is let in during this time, so that nothing starts with a jerk. `[s]`
const SWELL: f64 = 1.0;

/// Share of a jump that is flight.
const FLIGHT: f64 = 0.6;

/// How far a hand has turned and moved the head.
pub fn hand(params: &MotionParams) -> HeadPlace {
    let angles = [params.yaw, params.pitch, params.roll].map(f64::from);
    HeadPlace::turned(angles, Vec3::new(params.x, params.y, params.z).as_dvec3())
}

impl MotionParams {
    /// Chooses a preset, with the amplitude, travel and frequency with which it looks
    /// natural.
    pub fn choose(&mut self, preset: MotionPreset) {
        self.preset = preset;
        if let Some(numbers) = natural(preset) {
            [self.amplitude, self.travel, self.frequency] = numbers;
        }
    }
}

/// Amplitude, travel and frequency with which a preset looks natural; none for
/// those that have no such numbers. `[°]`, `[m]`, `[Hz]`
fn natural(preset: MotionPreset) -> Option<[f32; 3]> {
    Some(match preset {
        MotionPreset::None | MotionPreset::Keyframes | MotionPreset::Sequence => return None,
        MotionPreset::Sway => [12.0, 0.05, 0.35],
        MotionPreset::Nod => [22.0, 0.05, 0.7],
        MotionPreset::Shake => [30.0, 0.05, 0.8],
        MotionPreset::Tilt => [20.0, 0.05, 0.5],
        MotionPreset::Spin => [12.0, 0.05, 0.6],
        MotionPreset::Jump => [12.0, 0.25, 1.2],
        MotionPreset::Walk => [12.0, 0.045, 0.9],
        MotionPreset::HeadBang => [50.0, 0.06, 1.6],
    })
}

/// The time that counts rounds in a motion of `preset`, `time` after its begin:
/// what goes round for ever starts slowly. `[s]`
pub fn clock(preset: MotionPreset, time: f64) -> f64 {
    match preset {
        MotionPreset::Spin => {
            // The integral of the swell.
            let t = (time / SWELL).clamp(0.0, 1.0);
            SWELL * (t * t * t - 0.5 * t * t * t * t) + (time - SWELL).max(0.0)
        }
        _ => time,
    }
}

/// The preset motion `time` after its begin, `rounds` of it done. `[s]`
pub fn preset(params: &MotionParams, time: f64, rounds: f64) -> HeadPlace {
    let t = (time / SWELL).clamp(0.0, 1.0);
    let swell = t * t * (3.0 - 2.0 * t);
    let phase = TAU * rounds;
    let angle = f64::from(params.amplitude).to_radians() * swell;
    let way = f64::from(params.travel) * swell;
    let turn = |rotation| HeadPlace {
        rotation,
        offset: DVec3::ZERO,
    };
    match params.preset {
        MotionPreset::None | MotionPreset::Keyframes | MotionPreset::Sequence => HeadPlace::HOME,
        MotionPreset::Sway => {
            // The second, slower turn keeps the eye from seeing a machine.
            let tilt = 0.2 * angle * sin(0.5 * phase);
            turn(DQuat::from_rotation_y(angle * sin(phase)) * DQuat::from_rotation_z(tilt))
        }
        MotionPreset::Nod => turn(DQuat::from_rotation_x(angle * sin(phase))),
        MotionPreset::Shake => turn(DQuat::from_rotation_y(angle * sin(phase))),
        MotionPreset::Tilt => turn(DQuat::from_rotation_z(angle * sin(phase))),
        MotionPreset::Spin => turn(DQuat::from_rotation_y(phase)),
        MotionPreset::Jump => HeadPlace {
            rotation: DQuat::IDENTITY,
            offset: DVec3::new(0.0, way * leap(rounds.rem_euclid(1.0)), 0.0),
        },
        MotionPreset::Walk => {
            // Two steps a round: the head rises over each standing foot and
            // leans towards it.
            let (side, step) = (sin(phase), sin(2.0 * phase));
            let rise = 0.5 * (1.0 - cos(2.0 * phase));
            let lean = DQuat::from_rotation_z(-0.25 * angle * side);
            let nod = DQuat::from_rotation_x(0.2 * angle * step);
            HeadPlace {
                rotation: DQuat::from_rotation_y(0.35 * angle * side) * nod * lean,
                offset: DVec3::new(0.6 * side, rise, 0.3 * step) * way,
            }
        }
        MotionPreset::HeadBang => {
            // It dwells where the head is down.
            let beat = phase + 0.4 * sin(phase);
            let down = 0.5 * (1.0 - cos(beat));
            HeadPlace {
                rotation: DQuat::from_rotation_x(angle * down),
                offset: DVec3::new(0.0, -way * down, 0.35 * way * down),
            }
        }
    }
}

/// Height over a round of jumping, 1 at the top: parabolas for the spring from
/// the knees and for the flight, of one speed where they meet.
fn leap(part: f64) -> f64 {
    let ground = 1.0 - FLIGHT;
    if part < ground {
        let s = part / ground;
        -4.0 * ground / FLIGHT * s * (1.0 - s)
    } else {
        let s = (part - ground) / FLIGHT;
        4.0 * s * (1.0 - s)
    }
}
