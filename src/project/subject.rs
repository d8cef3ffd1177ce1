//! What the camera of a picture is pointed at.

use super::built_scene::BuiltScene;
use crate::{
    groom::Groom,
    render::{Camera, CameraParams, ViewPreset},
};
use glam::Vec3;
use std::sync::Arc;

/// A head and its hair, in a picture of `sides` parts side by side.
pub struct CameraSubject {
    /// Smallest and largest coordinates of the head. `[m]`
    pub bounds: [Vec3; 2],
    /// The hair as it was modelled.
    pub groom: Arc<Groom>,
    sides: usize,
    /// The whole picture's. `[px]`
    size: [u32; 2],
}

impl CameraSubject {
    /// What `stage` has built.
    pub fn new(stage: &BuiltScene, sides: usize, size: [u32; 2]) -> Self {
        Self {
            bounds: stage.head.mesh.bounds(),
            groom: Arc::clone(&stage.groom),
            sides,
            size,
        }
    }

    /// The camera of `params`: one without a distance is as far away as head and hair need.
    pub fn camera(&self, params: &CameraParams) -> Camera {
        let mut camera = Camera::new(params, self.bounds);
        if params.distance == 0.0 {
            self.take_in(&mut camera);
        }
        camera
    }

    /// The same, which stands where `place` says.
    pub fn camera_at(&self, place: ViewPreset, params: &CameraParams) -> Camera {
        let mut camera = Camera::new(params, self.bounds);
        camera.stand(place, self.bounds);
        self.take_in(&mut camera);
        camera
    }

    fn take_in(&self, camera: &mut Camera) {
        let part = [self.size[0] / self.sides.max(1) as u32, self.size[1]];
        camera.take_in(&self.groom.points, self.sides, part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hair_that_reaches_far_is_seen_whole_unless_a_distance_is_said() {
        let subject = |reach: f32| CameraSubject {
            bounds: [Vec3::new(-0.1, -0.2, -0.1), Vec3::new(0.1, 0.2, 0.1)],
            groom: Arc::new(Groom {
                points: vec![Vec3::X * reach; 100],
                ..Groom::default()
            }),
            sides: 1,
            size: [800, 600],
        };
        let near = subject(0.0).camera(&CameraParams::default());
        let far = subject(0.6).camera(&CameraParams::default());
        assert!(far.distance > 1.1 * near.distance);
        let front = subject(0.6).camera_at(ViewPreset::Front, &CameraParams::default());
        assert!(front.distance > 1.1 * near.distance);
        let said = CameraParams {
            distance: 0.5,
            ..CameraParams::default()
        };
        assert_eq!(subject(0.6).camera(&said).distance, 0.5);
    }
}
