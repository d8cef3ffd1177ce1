//! What of a document is kept against a crash, and what a crash has left.

use super::Document;
use crate::project::{autosave::Autosave, autosave::Left, scene::Scene, scene_file::SceneFile};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

impl Document {
    /// Keeps what is not saved in that folder from now on, and looks for what a run
    /// has left there that did not end in order.
    pub fn keep_in(&mut self, folder: Option<&Path>) {
        self.left = folder.and_then(Left::find);
        self.autosave = Autosave::open(folder);
    }

    /// Whether there is work that is not saved; the scene or the file has changed.
    pub(super) fn weigh(&mut self) {
        self.unsaved = self.file.is_unsaved(&self.scene);
        match self.unsaved {
            true => self.autosave.changed(Instant::now()),
            false => self.autosave.clear(),
        }
    }

    /// When [`autosave`](Self::autosave) has something to do.
    pub fn autosave_due(&self) -> Option<Instant> {
        self.autosave.due()
    }

    /// Keeps what is not saved, if that is due.
    ///
    /// # Errors
    /// When the last one could not be written: one sentence.
    pub fn autosave(&mut self, now: Instant) -> Result<(), String> {
        self.autosave.tick(now, &self.file, &self.scene)
    }

    /// The program cannot go on, or was ended by force: keeps what is not saved,
    /// and answers where.
    pub fn rescue(&mut self) -> Option<PathBuf> {
        match self.unsaved {
            true => {
                let kept = self.autosave.write_now(&self.file, &self.scene);
                kept.map(Path::to_path_buf)
            }
            false => {
                self.autosave.end();
                None
            }
        }
    }

    /// The program ends in order: leaves nothing behind.
    pub fn end(&mut self) {
        self.autosave.end();
    }

    /// What a run has left that did not end in order: the name of its scene, and how
    /// long ago it was written, in words.
    pub fn left(&self) -> Option<(String, String)> {
        let left = self.left.as_ref()?;
        let name = SceneFile::of(left.of(), &self.scene).called();
        Some((name, left.age()))
    }

    /// Takes what was left, to be restored or deleted.
    pub fn take_left(&mut self) -> Option<Left> {
        self.left.take()
    }

    /// Makes what another run has left the autosave of this one; the file that its
    /// scene is of.
    pub fn adopt(&mut self, left: Left) -> SceneFile {
        let file = SceneFile::of(left.of(), &Scene::default());
        self.autosave.adopt(left);
        file
    }
}
