//! A head's file as it was read.

use super::{Mesh, Units, Up};
use glam::{DVec3, Vec3};
use std::path::PathBuf;

/// A head's file as it was read, before any change of unit.
#[derive(Clone, Debug)]
pub struct HeadFile {
    /// Where it came from.
    pub path: PathBuf,
    /// The surface in the file's units and axes: vertices at the same place
    /// are one, unused vertices and zero-area triangles are gone.
    pub mesh: Mesh,
    /// What was taken from all coordinates before they became f32; zero but for
    /// a model far away from there.
    pub origin: DVec3,
    /// Vertices in the file; of an OBJ its `v` lines.
    pub vertices: usize,
    /// Faces that can be used.
    pub faces: usize,
    /// Triangles these faces make, zero-area ones included.
    pub triangles: usize,
    /// Smallest and largest coordinates of all vertices in the file.
    pub bounds: [Vec3; 2],
    /// The unit that the file says it has, where it is one that a head usually has.
    pub units: Option<Units>,
    /// The length of the unit that the file says it has, where it is another one. `[m]`
    pub metres_per_unit: Option<f64>,
    /// The axis that the file says points up.
    pub up: Option<Up>,
    /// What was odd about the file, a sentence each.
    pub warnings: Vec<String>,
}
