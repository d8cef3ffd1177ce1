//! What is said of hair that was written.

use super::ExportError;
use crate::{
    io::strands::{self, Format},
    math::counted,
    project::scene::Scene,
    sim::MotionPreset,
};
use std::path::PathBuf;

/// A larger film is not read again to see what it lost. `[bytes]`
pub const MOST_READ_BACK: u64 = 200 << 20;

/// What was written of hair, frame after frame.
pub struct FramesReport {
    /// The file, or the pattern of the files' names.
    pub path: PathBuf,
    /// What the files are.
    pub format: &'static Format,
    /// How many files, heads beside the hair among them.
    pub files: usize,
    /// Whether one file holds all frames.
    pub filmed: bool,
    /// How many frames.
    pub frames: usize,
    /// How many in a second; none of a single pose. `[1/s]`
    pub rate: Option<f64>,
    /// Where they begin, in words.
    pub from: String,
    /// Strands of each frame.
    pub strands: usize,
    /// Points of each frame.
    pub points: usize,
    /// How large all files are. `[bytes]`
    pub bytes: u64,
    /// Unit and axis, in words.
    pub space: String,
    /// Where the head is, in words; none where it was not written.
    pub head: Option<String>,
    /// Where the camera is, and for which pictures, in words; none where it was not written.
    pub camera: Option<String>,
    /// What was lost or left, a sentence each.
    pub told: Vec<String>,
}

/// What to say where the head leaves the place that its file has it in; `cure` ends the
/// sentence.
pub(super) fn moves(scene: &Scene, cure: &str) -> Option<String> {
    let motion = &scene.sim.motion;
    let still = [MotionPreset::None, MotionPreset::Sequence];
    (!still.contains(&motion.preset)).then(|| {
        format!(
            "the head moves (motion.preset = {}) and the hair with it, so it does not lie on the \
             head as its file has it{cure}",
            motion.preset.name()
        )
    })
}

impl FramesReport {
    /// The same, which also tells what comes back of one file with all frames when it is read
    /// again; nothing of a larger one, for a reader takes a whole file into memory.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn reading_back(mut self) -> Result<Self, ExportError> {
        if self.filmed && self.bytes <= MOST_READ_BACK {
            let (_, back) = strands::read(&self.path)?;
            let line = format!(
                "read back: {}, {} in the first frame",
                counted(back.len(), "strand", "strands"),
                counted(back.points.len(), "point", "points")
            );
            self.told.insert(0, line);
        }
        Ok(self)
    }
}
