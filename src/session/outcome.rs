//! What comes of the jobs that are done beside the window. The scene changes when
//! a job has ended well, not before: one that fails or is given up leaves
//! everything as it was.

use super::{dropped_file::DroppedFile, ready::Ready};
use crate::{
    groom::edit::Edits,
    mesh::Up,
    project::{export::LengthUnit, playback::RecordedHair, scene::Scene, scene_file::SceneFile},
    render::{Environment, Planted},
    sim::hand::Handwork,
};
use std::{path::PathBuf, sync::Arc};

/// What came of a job.
pub enum JobOutcome {
    /// Head and hair are ready for a change of the scene.
    Ready(Option<Box<Ready>>, BuildIntent),
    /// Hair was written.
    Exported(Box<ExportedHair>),
    /// An animation was simulated and written.
    Animated(Box<ExportedAnimation>),
    /// A scene was written.
    Saved(Box<SavedScene>),
    /// A scene was not written: one sentence.
    Unsaved(String),
    /// What a dropped file is meant for.
    Dropped(DroppedFile),
    /// Followers of the hair of that generation were planted.
    Planted(u64, Arc<Planted>),
    /// The environment of that name was read; none where there is none, and a sentence
    /// where it cannot be.
    Environment(String, Result<Option<Arc<Environment>>, String>),
    /// A file or a folder was handed to another program of the system.
    Shown,
    /// Hand work was carried to the hair of that generation.
    Carried(u64, Handwork),
    /// Hair was combed or cut.
    Stroked(Box<StrokeResult>),
    /// It went wrong: one sentence.
    Failed(String),
}

/// What another head or other hair was made for.
pub enum BuildIntent {
    /// A change of the scene as it is then.
    Change(Box<dyn FnOnce(&mut Scene) + Send>),
    /// The scene as it is, whose files have been read again.
    Again,
    /// A scene that was read.
    Open(PathBuf, Box<Scene>),
    /// A cache or a groom that was opened to be played, and the scene of it.
    Play(Box<RecordedHair>, Box<Scene>),
}

/// What a file was read for.
pub enum ReadFor {
    /// To be opened.
    Open(PathBuf),
    /// To place the hair of a file otherwise.
    Place,
    /// To be played.
    Play(Box<RecordedHair>),
}

/// Hair that was written to a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedHair {
    /// The file.
    pub path: PathBuf,
    /// The file that the head is in; none where that was not wanted.
    pub head: Option<PathBuf>,
    /// How many strands.
    pub strands: usize,
    /// Points of all strands.
    pub points: usize,
    /// The unit of the file.
    pub unit: LengthUnit,
    /// The axis that points up in it.
    pub up: Up,
    /// The file's size. `[bytes]`
    pub bytes: u64,
    /// What the file cannot keep, a sentence each.
    pub lost: Vec<String>,
}

/// An animation that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedAnimation {
    /// The file, or the pattern of the files' names.
    pub path: PathBuf,
    /// What the files are, and the unit and the axis of their numbers, in words.
    pub format: String,
    /// Whether the program plays it.
    pub plays: bool,
    /// How many files, heads beside the hair among them.
    pub files: usize,
    /// How many frames.
    pub frames: usize,
    /// How many in a second. `[1/s]`
    pub fps: f64,
    /// How many strands each has.
    pub strands: usize,
    /// How large all files are. `[bytes]`
    pub bytes: u64,
    /// Where the head is, in words; none where it was not written.
    pub head: Option<String>,
    /// Where the camera is, and for which pictures, in words; none where it was not written.
    pub camera: Option<String>,
    /// What the files cannot keep, and what else there is to say, a sentence each.
    pub told: Vec<String>,
}

/// A scene that was written.
pub struct SavedScene {
    /// Which of the scenes it is: [`Document::opened`] when it was asked for.
    ///
    /// [`Document::opened`]: crate::project::document::Document::opened
    pub opened: u64,
    /// What it is in its file.
    pub now: SceneFile,
}

/// What came of some moves of a brush.
pub struct StrokeResult {
    /// Which stroke they are of.
    pub stroke: u64,
    /// Which head of hair was brushed.
    pub generation: u64,
    /// The edited curves before.
    pub before: Edits,
    /// The same after.
    pub after: Edits,
    /// How far away the hair is under the brush. `[m]`
    pub depth: f32,
}
