//! What commands do to place the hair of a file by hand.

use super::AppState;
use crate::{
    groom::{ImportParams, fit_near::NearFit},
    project::history::ChangeTarget,
    session::outcome::ReadFor,
};

impl AppState {
    /// Shows the handles of the hair of a file, or hides them.
    pub(super) fn toggle_placing(&mut self) {
        let there = self.session.bound().is_some();
        self.ui.places = !self.ui.places && there;
        if self.ui.places {
            // Two sets of handles at one place cannot be told apart.
            self.ui.bodies.row = None;
            self.ui.rights = false;
        }
    }

    pub(super) fn place_hair(&mut self, import: ImportParams, held: bool) {
        self.change_at(Some(ChangeTarget::Placing), held, |scene| {
            scene.import = import;
        });
    }

    /// Brings hair that lies nearly right to the skin.
    pub(super) fn fit_near(&mut self, how: NearFit) {
        let Some(ground) = self.session.built().map(|built| built.ground.clone()) else {
            return;
        };
        let title = match how {
            NearFit::Drop => "Dropping the hair onto the skin",
            NearFit::Here => "Fitting the hair from here",
        };
        let mut scene = self.document.scene().clone();
        self.make_read(title.into(), move || {
            let import = ground.near_fit(&scene.import, how);
            scene.import = import.ok_or("no hair of a file lies on this head by itself")?;
            Ok((scene, ReadFor::Place))
        });
    }
}

#[cfg(test)]
mod tests;
