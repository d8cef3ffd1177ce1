//! Scenes written and read, and files dropped on the window.

use super::Program;
use crate::{
    app::{command::Command, playback, scene::Scene, stage, worker::Order},
    io::cache,
    mesh::footage,
};
use std::path::{Path, PathBuf};

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
        if cache::is_cache(&path) {
            return self.play(&path);
        }
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

    /// Plays a cache; the scene in it becomes the scene.
    pub(super) fn play(&mut self, path: &Path) {
        if self.recorder.is_recording() {
            self.toasts.error("Stop the recording first");
            return;
        }
        let opened = playback::open(path).map_err(|error| error.to_string());
        let checked = opened.and_then(|(reader, scene)| {
            stage::check_solvers(&scene).map_err(|error| error.to_string())?;
            Ok((reader, scene))
        });
        match checked {
            Ok((reader, scene)) => {
                let told = reader.told();
                if told.contains(';') {
                    self.toasts.error(format!("{}: {told}", path.display()));
                }
                self.dialog = None;
                self.scene_file = None;
                self.change(|old| {
                    *old = scene;
                    Ok(())
                });
                self.paused = false;
                self.worker.order(Order::Pause(false));
                self.worker.order(Order::Play(Box::new(reader)));
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
            _ if cache::is_cache(&path) => self.play(&path),
            _ => self.toasts.error(format!(
                "{} is neither a head (.obj) nor a scene (.toml) nor a cache",
                path.display()
            )),
        }
    }
}
