//! Scenes written and read, and files dropped on the window.

use super::Program;
use crate::{
    app::{command::Command, scene::Scene, stage},
    mesh::footage,
};
use std::path::PathBuf;

impl Program {
    pub(super) fn save(&mut self, path: PathBuf) {
        match self.scene.write(&path) {
            Ok(()) => {
                self.toasts.tell(format!("Saved {}", path.display()));
                self.recent.note(&path);
                self.scene_file = Some(path);
                self.dialog = None;
            }
            Err(error) => self.toasts.error(error.to_string()),
        }
    }

    pub(super) fn open(&mut self, path: PathBuf) {
        let mut scene = Scene::default();
        let read = scene.read(&path);
        let checked = read
            .map_err(|error| error.to_string())
            .and_then(|()| stage::check_solvers(&scene).map_err(|error| error.to_string()));
        match checked {
            Ok(()) => {
                self.change(|old| {
                    *old = scene;
                    Ok(())
                });
                self.toasts.tell(format!("Opened {}", path.display()));
                self.recent.note(&path);
                self.scene_file = Some(path);
                self.dialog = None;
            }
            Err(message) => self.toasts.error(message),
        }
    }

    /// Takes in a file that was dropped on the window.
    pub fn dropped(&mut self, path: PathBuf) {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            // A frame of many is meant to be played; one that only has a number
            // in its name is not.
            Some("obj") if footage::is_frame(&path) => self.perform(Command::Sequence(path)),
            Some("obj") => self.perform(Command::Head(path)),
            Some("toml") => self.perform(Command::Open(path)),
            _ => self.toasts.error(format!(
                "{} is neither a head (.obj) nor a scene (.toml)",
                path.display()
            )),
        }
    }
}
