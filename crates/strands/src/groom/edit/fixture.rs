//! A strand that curls, for tests.

use crate::{
    groom::Groom,
    math::elementary::{cos, sin},
};
use glam::Vec3;

/// A helix around the y axis, of 1 cm.
pub fn helix() -> Vec<Vec3> {
    (0..40)
        .map(|i| {
            let t = i as f32 * 0.4;
            Vec3::new(0.01 * cos(t), -0.004 * i as f32, 0.01 * sin(t))
        })
        .collect()
}

/// A groom of that one curve, which is to be so long.
pub fn grown(points: Vec<Vec3>, length: f32) -> Groom {
    Groom {
        starts: vec![0, points.len() as u32],
        points,
        lengths: vec![length],
        ..Groom::default()
    }
}
