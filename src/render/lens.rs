//! The camera's lens.

use super::{Camera, CameraParams};

/// What a lens leaves blurred, and what it shows sharp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lens {
    /// Radius of its opening; 0 is sharp everywhere. `[m]`
    pub aperture: f32,
    /// How far before the camera what is sharp lies; 0 is where the point lies that the
    /// camera looks at. `[m]`
    pub focus: f32,
}

impl Lens {
    /// That of a camera.
    pub fn of(params: &CameraParams) -> Self {
        Self {
            aperture: params.aperture,
            focus: params.focus,
        }
    }

    /// How far before `camera` what is sharp lies. `[m]`
    pub fn focus_before(&self, camera: &Camera) -> f32 {
        let distance = match self.focus > 0.0 {
            true => self.focus,
            false => camera.position().distance(camera.target),
        };
        // Nearer than a camera can be to anything, nothing is sharp.
        distance.max(1e-3)
    }
}
