//! What is known of a face.

use crate::mesh::Righting;
use glam::Vec3;

/// Points of each hair of a face.
pub const FACE_HAIR_POINTS: usize = 6;

/// A brow's hair or a lash: it grows on the skin and moves with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceHair {
    /// From root to tip, in the head's space. `[m]`
    pub points: [Vec3; FACE_HAIR_POINTS],
    /// Its diameter where it is thickest. `[m]`
    pub width: f32,
    /// Eumelanin added to that of the head's hair: 1 makes white hair brown.
    pub eumelanin: f32,
}

/// The colours and the hair of a face.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// What the skin's colour is multiplied by at each vertex of the mesh, linear RGB.
    pub flush: Vec<[f32; 3]>,
    /// Brows and lashes, in an order in which any first part of them is spread over all.
    pub hairs: Vec<FaceHair>,
}

impl Face {
    /// The same on a head that is turned and scaled so.
    #[must_use]
    pub(in crate::mesh) fn placed(mut self, righting: &Righting) -> Self {
        for hair in &mut self.hairs {
            hair.points = hair.points.map(|p| righting.point(p));
            hair.width *= righting.scale;
        }
        self
    }
}
