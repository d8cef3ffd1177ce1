//! The scene as a document: opened, saved, closed, and never lost.

use super::{
    AppState,
    change::NEW_HAIR,
    jobs::{Done, ReadFor, name_of},
};
use crate::{
    io::{self, cache},
    project::{
        autosave::{Autosave, Left},
        built_scene,
        document::Document,
        examples,
        scene::Scene,
    },
    session::jobs::Queue,
    ui::{
        ask::Question,
        command::{Answer, Command},
        dialog::Dialog,
        hint::Hint,
    },
};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

/// A scene that was written.
pub struct Saved {
    /// Which of the documents it is.
    opened: u64,
    /// What it is in its file.
    now: Document,
}

impl AppState {
    /// Keeps what is not saved in that folder from now on, and asks what to do with
    /// what is there of a run that did not end in order.
    pub fn keep_in(&mut self, folder: Option<&Path>) {
        self.left = folder.and_then(Left::find);
        self.autosave = Autosave::open(folder);
        self.offer();
    }

    /// The scene at hand is that document, as it was opened.
    pub fn begin_document(&mut self, document: Document) {
        self.document = document;
        self.weigh();
    }

    fn offer(&mut self) {
        self.question = self.left.as_ref().map(|left| Question::Left {
            name: Document::of(left.of(), &self.scene).called(),
            age: left.age(),
        });
    }

    /// The title of the window.
    pub fn title(&self) -> String {
        self.document.title(self.unsaved)
    }

    /// What has to be answered first.
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Whether the first hints are shown.
    pub fn shows_hint(&self) -> bool {
        self.hint.is_shown()
    }

    /// Shows the first hints, unless they were read.
    pub fn give_hint(&mut self, hint: Hint) {
        self.hint = hint;
    }

    /// Whether the window is to be closed.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// When [`autosave`](Self::autosave) has something to do.
    pub fn autosave_due(&self) -> Option<Instant> {
        self.autosave.due()
    }

    /// Keeps what is not saved, if that is due.
    pub fn autosave(&mut self, now: Instant) {
        let told = self.autosave.tick(now, &self.document, &self.scene);
        if let Err(message) = told {
            self.toasts.error(message);
        }
    }

    /// The program cannot go on, or was ended by force: keeps what is not saved,
    /// and answers where.
    pub fn rescue(&mut self) -> Option<PathBuf> {
        match self.unsaved {
            true => {
                let kept = self.autosave.write_now(&self.document, &self.scene);
                kept.map(Path::to_path_buf)
            }
            false => {
                self.autosave.end();
                None
            }
        }
    }

    /// Sees whether there is work that is not saved; the scene or the document
    /// has changed.
    pub(super) fn weigh(&mut self) {
        self.unsaved = self.document.is_unsaved(&self.scene);
        match self.unsaved {
            true => self.autosave.changed(Instant::now()),
            false => self.autosave.clear(),
        }
    }

    /// Does what takes the place of the scene; asks first where it holds work.
    pub(super) fn leave_for(&mut self, then: Command) {
        match self.question {
            Some(Question::Unsaved { .. }) => return,
            // Who goes on without an answer is asked on the next start.
            Some(Question::Left { .. }) => self.answer(Answer::Cancel),
            None => {}
        }
        if !self.unsaved {
            return self.go(then);
        }
        self.question = Some(Question::Unsaved {
            name: self.document.called(),
            then: Box::new(then),
        });
    }

    fn go(&mut self, then: Command) {
        match then {
            Command::Open(path) => self.open(path),
            Command::Example(name) => self.open_example(name),
            Command::Play(path) => self.play(&path),
            Command::Close => {
                self.autosave.end();
                self.over = true;
            }
            _ => {}
        }
    }

    pub(super) fn answer(&mut self, answer: Answer) {
        match (self.question.take(), answer) {
            (Some(Question::Unsaved { then, .. }), Answer::Yes) => {
                self.pending = Some(then);
                match self.document.file() {
                    Some(file) => self.save(file.to_path_buf()),
                    None => self.perform(Command::AskSave),
                }
            }
            (Some(Question::Unsaved { then, .. }), Answer::No) => self.go(*then),
            (Some(Question::Left { .. }), Answer::Yes) => self.restore(),
            (Some(Question::Left { .. }), Answer::No) => {
                if let Some(left) = self.left.take() {
                    left.delete();
                }
            }
            (Some(Question::Left { .. }), Answer::Cancel) => self.left = None,
            (Some(Question::Unsaved { .. }), Answer::Cancel) | (None, _) => {}
        }
    }

    /// What was asked for before the scene was saved goes on now.
    fn carry_on(&mut self) {
        if let Some(then) = self.pending.take() {
            // What was done meanwhile is asked about as well.
            self.leave_for(*then);
        }
    }

    /// The scene that a crash has left becomes the scene.
    fn restore(&mut self) {
        let Some(left) = self.left.take() else { return };
        match read(left.file()) {
            Ok(scene) => {
                let document = Document::of(left.of(), &Scene::default());
                let name = document.called();
                // Its own autosave from now on, without a moment in between.
                self.autosave.adopt(left);
                self.replace(scene, document);
                self.toasts
                    .tell(format!("Restored {name}; it is not saved yet"));
            }
            Err(message) => {
                let aside = left.set_aside();
                let aside = aside.display();
                self.toasts
                    .error(format!("{message}. The autosave is kept as {aside}"));
            }
        }
    }

    /// Writes the scene, beside the window; never given up.
    pub(super) fn save(&mut self, path: PathBuf) {
        self.history.release();
        let title = format!("Saving {}", name_of(&path));
        let (opened, scene) = (self.opened, self.scene.clone());
        let write = move || match scene.write(&path) {
            Ok(()) => Done::Saved(Box::new(Saved {
                opened,
                now: Document::of_file(path, &scene),
            })),
            Err(error) => Done::Unsaved(error.to_string()),
        };
        match self.jobs.insist(Queue::Quick, title, write) {
            Ok(number) => self.saving = Some(number),
            Err(error) => {
                let why = io::reason(&error);
                self.toasts.error(format!("The scene was not saved: {why}"));
                self.stay();
            }
        }
    }

    /// The scene was written; what was to follow the last wish to save follows.
    pub(super) fn take_saved(&mut self, job: u64, Saved { opened, now }: Saved) {
        if let Some(path) = now.file() {
            self.toasts.tell(format!("Saved {}", path.display()));
            self.recent.note(path);
        }
        // Another document may have taken its place meanwhile.
        if self.opened == opened {
            self.begin_document(now);
        }
        if self.saving.take_if(|number| *number == job).is_some() {
            if self.dialog.as_ref().is_some_and(Dialog::saves) {
                self.dialog = None;
            }
            self.carry_on();
        }
    }

    /// The scene was not written.
    pub(super) fn take_unsaved(&mut self, job: u64, message: String) {
        self.toasts.error(message);
        self.end_saving(job);
    }

    /// That job has ended; if it was to save, it did not.
    pub(super) fn end_saving(&mut self, job: u64) {
        if self.saving.take_if(|number| *number == job).is_some() {
            self.stay();
        }
    }

    /// What was to follow would lose what is not saved, unless somebody can choose
    /// another place.
    fn stay(&mut self) {
        if self.dialog.is_none() {
            self.pending = None;
        }
    }

    /// Opens a scene, or plays a cache, once head and hair are ready.
    pub(super) fn open(&mut self, path: PathBuf) {
        if !path.is_file() {
            let text = format!("cannot read {}: there is no such file", path.display());
            self.toasts.error(text);
            return;
        }
        if cache::is_cache(&path) {
            return self.play(&path);
        }
        self.dialog = None;
        let title = format!("Opening {}", name_of(&path));
        self.make_read(title, move || Ok((read(&path)?, ReadFor::Open(path))));
    }

    fn open_example(&mut self, name: &str) {
        let example = examples::find(name).ok_or_else(|| examples::unknown(name));
        match example.and_then(|example| example.scene().map_err(|error| error.to_string())) {
            Ok(scene) => {
                let document = Document::of_name(Some(name), &scene);
                self.replace(scene, document);
            }
            Err(message) => self.toasts.error(message),
        }
    }

    /// Another scene takes the place of this one; that can be undone.
    pub(super) fn replace(&mut self, scene: Scene, document: Document) {
        self.dialog = None;
        if let Some(number) = self.making.take() {
            // What was wanted of the scene before.
            self.jobs.abandon(number);
        }
        self.forget_strokes();
        let before = std::mem::replace(&mut self.scene, scene);
        let old = std::mem::replace(&mut self.document, document);
        self.opened += 1;
        let documents = [old, self.document.clone()];
        self.history.record_opened(&before, &self.scene, documents);
        self.dropped = None;
        self.forget_pace();
        self.follow(&before);
    }

    /// Head, hair or a map cannot be built: what there was stays, with what was cut,
    /// combed, pinned and fitted.
    pub(super) fn take_failure(&mut self, message: String, failed: Option<Box<Scene>>) {
        self.building = false;
        let Some(built) = &self.built else {
            // Without any head there is nothing to show.
            self.fault = Some(message);
            return;
        };
        // Nothing was lost: what there was stays.
        self.toasts.retract(NEW_HAIR);
        self.toasts.failure(message);
        let stands = built.scene.clone();
        if !failed.is_some_and(|failed| failed.grows_like(&self.scene)) {
            // Something else failed, or another wish is on its way already.
            return;
        }
        let before = self.scene.clone();
        let (mut scene, mut history) = (self.scene.clone(), self.history.clone());
        if history.forget_last(&mut scene) && scene.grows_like(&stands) {
            // The last change is what cannot be built: all of it goes.
            if let Some(document) = history.take_crossed() {
                self.document = document;
                self.opened += 1;
            }
            (self.scene, self.history) = (scene, history);
            return self.follow(&before);
        }
        self.scene.grow_like(&stands);
        if let Some(work) = self.dropped.take() {
            self.scene.handwork = work;
        }
        self.history.amend(&self.scene);
        self.follow(&before);
    }
}

/// The scene in that file, if it can be shown.
fn read(path: &Path) -> Result<Scene, String> {
    let mut scene = Scene::default();
    scene.read(path).map_err(|error| error.to_string())?;
    built_scene::check_solvers(&scene).map_err(|error| error.to_string())?;
    Ok(scene)
}

#[cfg(test)]
mod tests;
