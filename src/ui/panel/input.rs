//! What the panel is given. Its table of sections picks out the few
//! things that each of them shows.

use super::keyed::KeysNow;
use crate::{
    project::{document::Document, history::History, scene::Scene, sides::Side},
    session::Session,
    sim::solver::{Method, SOLVERS, method},
    ui::ui_state::UiState,
};

/// What there is to show.
#[derive(Clone, Copy)]
pub struct PanelInput<'a> {
    /// The parameters.
    pub scene: &'a Scene,
    /// What can be undone.
    pub history: &'a History,
    /// What runs beside the window.
    pub session: &'a Session,
    /// What is open and chosen.
    pub ui: &'a UiState,
}

impl<'a> PanelInput<'a> {
    /// What there is to show of these.
    pub fn of(document: &'a Document, session: &'a Session, ui: &'a UiState) -> Self {
        Self {
            scene: document.scene(),
            history: document.history(),
            session,
            ui,
        }
    }

    /// The side whose parameters are shown.
    pub fn side(&self) -> Side {
        self.ui.side(self.scene)
    }

    /// The keys of all numbers, and the present time among them.
    pub fn keys(&self) -> KeysNow<'a> {
        let time = self.ui.key_time(self.scene, self.session);
        KeysNow::of(self.scene, time, self.ui.time_unit(self.scene))
    }

    /// The method at work on that side.
    pub fn method(&self) -> &'static Method {
        method(self.scene.solver(self.side())).unwrap_or(&SOLVERS[0])
    }
}
