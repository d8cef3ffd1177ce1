//! What window and simulation tell each other.

use super::ready::Ready;
use crate::{
    groom::{Bed, BindReport, Groom},
    mesh::{CollisionMesh, HeadParams, LoadedHead},
    project::{
        built_scene::Ground,
        export::{FileAxes, Origin},
        playback::RecordedHair,
        scene::Scene,
        tie_report::TieReport,
    },
    render::{DrawnParts, HeadParts},
    sim::hand::Grab,
};
use std::{path::PathBuf, sync::Arc};

/// What the window wants of the simulation.
pub enum SimCommand {
    /// These are the parameters now; what they change is built anew.
    Scene(Box<Scene>),
    /// The same of a scene whose head and hair are built already.
    Ready(Box<Scene>, Box<Ready>),
    /// The next scene takes the place of another: its hair begins at its beginning.
    BeginAnew,
    /// Stand still, or go on.
    Pause(bool),
    /// One step (while recording, one frame), also when paused.
    Step,
    /// Hair to rest, time to zero.
    Reset,
    /// Tell of that strand, or of none.
    Inspect(Option<usize>),
    /// A hand holds these vertices, besides what is pinned.
    Grab(Vec<Grab>),
    /// From now on exactly 1/fps seconds for each frame, one frame for each
    /// [`SimCommand::NextFrame`].
    Record {
        /// Frames a second.
        fps: u32,
        /// Hair to rest and time to zero before the first frame.
        from_start: bool,
    },
    /// No frames any more.
    EndRecording,
    /// The last frame was taken; the next may come.
    NextFrame,
    /// So many steps back (below zero) or forth, as far as is kept.
    Go(i64),
    /// The moment nearest to that time. `[s]`
    Seek(f64),
    /// Play what is in this cache or groom, once the scene stands.
    Play(Box<RecordedHair>),
    /// Begin anew at its end, or stop there.
    Loop(bool),
    /// Live hair again, from rest; where no cache is played it goes on as it is.
    Leave,
}

/// What the window should know of; positions come through
/// [`SimHandle::latest`](super::sim_handle::SimHandle::latest).
pub enum SimEvent {
    /// A head or a hairstyle is being built.
    Building,
    /// So many files of a sequence are read, of so many.
    Reading(usize, usize),
    /// The first head is read; hair will grow on it. With what the picture has
    /// to know of it.
    Head(Box<LoadedHead>, Arc<HeadParts>),
    /// It is there; snapshots of its generation follow.
    Built(Box<BuildResult>),
    /// A cache is played from now on, or none.
    Playing(Option<Playing>),
    /// It has come to its end.
    Ended,
    /// It cannot be; the old one goes on.
    Failed {
        /// One sentence.
        message: String,
        /// The scene that cannot be built; none where something else failed.
        scene: Option<Box<Scene>>,
    },
}

/// The cache that is played.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// The file.
    pub path: PathBuf,
    /// What is in it, in words.
    pub told: String,
}

/// What was built.
pub struct BuildResult {
    /// Counts what was built; snapshots carry it too.
    pub generation: u64,
    /// The head.
    pub head: LoadedHead,
    /// The head as rays find it.
    pub body: Arc<CollisionMesh>,
    /// The scene that it was built from.
    pub scene: Box<Scene>,
    /// How the head was asked for.
    pub head_params: HeadParams,
    /// The sequence that was asked for; empty for none.
    pub sequence: String,
    /// Where followers are rooted.
    pub bed: Bed,
    /// How the groom of a file came onto the head; none of grown hair.
    pub bound: Option<Arc<BindReport>>,
    /// That file; none of grown hair.
    pub origin: Option<Origin>,
    /// The axes of the files of head and groom.
    pub file_axes: FileAxes,
    /// The rest curves.
    pub groom: Arc<Groom>,
    /// How much of it is tied; none where nothing is to be.
    pub tie: Option<TieReport>,
    /// The longest edge among them. `[m]`
    pub longest_edge: f32,
    /// What other hair can be built on.
    pub ground: Ground,
    /// What the picture has to know.
    pub drawing: DrawnParts,
}
