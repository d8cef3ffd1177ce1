//! What the program tells of itself.

use super::{
    super::{dialog::Dialog, panel::PanelState},
    AppState,
};
use crate::{
    project::{history::History, scene::Scene},
    render::Camera,
};

impl AppState {
    /// The parameters now.
    pub fn scene(&self) -> &Scene {
        self.document.scene()
    }

    /// Where the picture is taken from.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// What can be undone.
    pub fn history(&self) -> &History {
        self.document.history()
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
}
