//! What the program tells of itself.

use super::{
    super::{dialog::Dialog, panel::PanelState},
    AppState,
};
use crate::{
    project::{comparison::Measured, history::History, scene::Scene},
    render::{Camera, HeadParts},
    session::{
        recorder::Recorder,
        sim_handle::{BuildResult, Playing, Snapshot},
        validation_job::ValidationJob,
    },
};
use glam::Vec3;
use std::sync::Arc;

impl AppState {
    /// The parameters now.
    pub fn scene(&self) -> &Scene {
        self.document.scene()
    }

    /// Where the picture is taken from.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Smallest and largest coordinates of the head at rest. `[m]`
    pub fn bounds(&self) -> [Vec3; 2] {
        self.bounds
    }

    /// What can be undone.
    pub fn history(&self) -> &History {
        self.document.history()
    }

    /// The recordings.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The validation of the methods.
    pub fn examiner(&self) -> &ValidationJob {
        &self.examiner
    }

    /// The head and the hair that are shown; none before the first.
    pub fn built(&self) -> Option<&BuildResult> {
        self.built.as_deref()
    }

    /// What the picture has to know of the first head, while there is no hair on
    /// it yet.
    pub fn bald(&self) -> Option<&Arc<HeadParts>> {
        self.head.as_ref()
    }

    /// Whether a head or a hairstyle is being built.
    pub fn is_building(&self) -> bool {
        self.building || self.making.is_some()
    }

    /// How many files of a sequence are read and how many there are, while
    /// one is being read.
    pub fn reading(&self) -> Option<(usize, usize)> {
        self.reading.filter(|_| self.building)
    }

    /// Whether the hair stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The cache that is played; none while the hair is live.
    pub fn playing(&self) -> Option<&Playing> {
        self.playing.as_ref()
    }

    /// Whether the panel is shown.
    pub fn shows_panel(&self) -> bool {
        self.panel
    }

    /// What is open in the panel.
    pub fn panel_state(&self) -> &PanelState {
        &self.panel_state
    }

    /// Whether the list of keys is shown.
    pub fn shows_help(&self) -> bool {
        self.help
    }

    /// The dialog that is open.
    pub fn dialog_mut(&mut self) -> Option<&mut Dialog> {
        self.dialog.as_mut()
    }

    /// Why the program cannot go on, once.
    pub fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    /// The newest state of the hair, and the head of hair that is shown.
    pub fn latest(&mut self) -> (&Snapshot, Option<&BuildResult>) {
        let snapshot = self.worker.latest();
        let second = snapshot.second.as_ref();
        self.measured = [
            snapshot.measured,
            second.map_or(snapshot.measured, |second| second.measured),
        ];
        (snapshot, self.built.as_deref())
    }

    /// The state that [`latest`](Self::latest) gave last.
    pub fn now(&self) -> &Snapshot {
        self.worker.now()
    }

    /// What was measured of that state, on the side that the panel shows.
    pub fn measured(&self) -> &Measured {
        &self.measured[self.side().index()]
    }
}
