//! The camera of a picture beside the strands of a file.

use glam::DMat4;

/// A camera in a file, as it is in one frame. It looks along its own negative z, with y up,
/// as cameras of USD, Alembic and OpenGL do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraSample {
    /// From the camera's space into the file's, for points that are columns: turned and moved,
    /// never scaled. The way is in the file's unit.
    pub place: DMat4,
    /// Focal length of the lens. `[mm]`
    pub focal_length: f64,
    /// Width and height of the film. `[mm]`
    pub film: [f64; 2],
    /// Focal length by the width of the lens's opening; `None` where all is sharp.
    pub f_stop: Option<f64>,
    /// From the camera to what is sharp, in the file's unit.
    pub focus: f64,
    /// From where on, and up to where, something is seen, in the file's unit.
    pub clip: [f64; 2],
}

impl CameraSample {
    /// The numbers of `place`, column by column: the rows of a matrix for points that are rows
    /// before it, which USD and Alembic have.
    pub fn rows(&self) -> [f64; 16] {
        self.place.to_cols_array()
    }
}
