//! What the tests of both methods of rods need: a curled strand, and a step of
//! nothing but gravity.

use super::StepInput;
use crate::{
    groom::Groom,
    math::{
        Pose,
        elementary::{cos, sin},
    },
    sim::SimParams,
};
use glam::Vec3;

/// One strand that bends and winds, no two edges alike.
pub fn curled(vertices: usize) -> Groom {
    let point = |i: usize| {
        let t = i as f32;
        0.02 * Vec3::new(t, 0.6 * sin(0.9 * t), 0.5 * cos(0.7 * t))
    };
    Groom {
        points: (0..vertices).map(point).collect(),
        starts: vec![0, vertices as u32],
        masses: vec![1.0],
        ..Groom::default()
    }
}

/// A substep of that length on a head that rests.
pub fn input(params: &SimParams, h: f64) -> StepInput<'_> {
    StepInput {
        h,
        substeps: 1,
        poses: vec![Pose::IDENTITY; 2],
        gravity: [0.0, -9.81, 0.0],
        ..StepInput::at_rest(params, 0.0)
    }
}
