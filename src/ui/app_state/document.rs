//! The scene as a document: opened, saved, closed, and never lost.

use super::{AppState, change::NEW_HAIR};
use crate::{
    io::{self, name_of},
    project::{
        built_scene, document::take_hair, examples, playback, scene::Scene, scene_file::SceneFile,
    },
    session::{
        jobs::Queue,
        outcome::{JobOutcome, ReadFor, SavedScene},
    },
    ui::{
        ask::Question,
        command::{Answer, Command},
        dialog::Dialog,
        hand::carry::HandworkCarry,
    },
};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

impl AppState {
    /// Keeps what is not saved in that folder from now on, and asks what to do with
    /// what is there of a run that did not end in order.
    pub fn keep_in(&mut self, folder: Option<&Path>) {
        self.document.keep_in(folder);
        let left = self.document.left();
        self.ui.question = left.map(|(name, age)| Question::Left { name, age });
    }

    /// When [`autosave`](Self::autosave) has something to do. While hand work is carried to other
    /// hair the scene lacks it, and what was kept before is worth more.
    pub fn autosave_due(&self) -> Option<Instant> {
        let whole = self.ui.hand.carry.waiting().is_none();
        self.document.autosave_due().filter(|_| whole)
    }

    /// Keeps what is not saved, if that is due.
    pub fn autosave(&mut self, now: Instant) {
        if self.ui.hand.carry.waiting().is_some() {
            return;
        }
        if let Err(message) = self.document.autosave(now) {
            self.ui.toasts.error(message);
        }
    }

    /// Does what takes the place of the scene; asks first where it holds work.
    pub(super) fn leave_for(&mut self, then: Command) {
        match self.ui.question {
            Some(Question::Unsaved { .. } | Question::Busy { .. }) => return,
            // Who goes on without an answer is asked on the next start.
            Some(Question::Left { .. }) => self.answer(Answer::Cancel),
            None => {}
        }
        if !self.document.is_unsaved() {
            return self.go(then);
        }
        // Nobody is asked to give work up for a file that is no scene.
        if let Command::Open(path) = &then
            && path.is_file()
            && !playback::is_recorded(path)
            && let Err(message) = read(path)
        {
            return self.ui.toasts.error(message);
        }
        self.ui.question = Some(Question::Unsaved {
            name: self.document.file().called(),
            then: Box::new(then),
        });
    }

    fn go(&mut self, then: Command) {
        match then {
            Command::Open(path) => self.open(path),
            Command::Example(name) => self.open_example(name),
            Command::Play(path) => self.play(&path),
            Command::Close => match self.given_up() {
                Some(work) => self.ui.question = Some(Question::Busy { work }),
                None => self.close(),
            },
            _ => {}
        }
    }

    /// What is being written and would be given up if the window closed: one sentence. Of a
    /// recording all frames are kept that were taken.
    fn given_up(&self) -> Option<&'static str> {
        let session = &self.session;
        if session.video().is_some() || self.ui.video_wanted {
            Some("A video is being made; closing gives it up.")
        } else if session.is_exporting() {
            Some("Hair is being exported; closing gives that up.")
        } else {
            None
        }
    }

    fn close(&mut self) {
        self.document.end();
        self.ui.over = true;
    }

    pub(super) fn answer(&mut self, answer: Answer) {
        match (self.ui.question.take(), answer) {
            (Some(Question::Unsaved { then, .. }), Answer::Yes) => {
                self.ui.pending = Some(then);
                match self.document.file().path() {
                    Some(file) => self.save(file.to_path_buf()),
                    None => self.perform(Command::AskSave),
                }
            }
            (Some(Question::Unsaved { then, .. }), Answer::No) => self.go(*then),
            (Some(Question::Left { .. }), Answer::Yes) => self.restore(),
            (Some(Question::Left { .. }), Answer::No) => {
                if let Some(left) = self.document.take_left() {
                    left.delete();
                }
            }
            (Some(Question::Left { .. }), Answer::Cancel) => {
                self.document.take_left();
            }
            (Some(Question::Busy { .. }), Answer::Yes) => self.close(),
            (Some(Question::Unsaved { .. } | Question::Busy { .. }), _) | (None, _) => {}
        }
    }

    /// What was asked for before the scene was saved goes on now.
    fn carry_on(&mut self) {
        if let Some(then) = self.ui.pending.take() {
            // What was done meanwhile is asked about as well.
            self.leave_for(*then);
        }
    }

    /// The scene that a crash has left becomes the scene.
    fn restore(&mut self) {
        let Some(left) = self.document.take_left() else {
            return;
        };
        match read(left.file()) {
            Ok(scene) => {
                // Its own autosave from now on, without a moment in between.
                let file = self.document.adopt(left);
                let name = file.called();
                // Tools were as they were then, too.
                self.document.set_tools(scene.hand.clone());
                self.replace(scene, file);
                self.ui
                    .toasts
                    .tell(format!("Restored {name}; it is not saved yet"));
            }
            Err(message) => {
                let aside = left.set_aside();
                let aside = aside.display();
                self.ui
                    .toasts
                    .error(format!("{message}. The autosave is kept as {aside}"));
            }
        }
    }

    /// Writes the scene to its file; asks for one where it has none.
    pub(super) fn save_or_ask(&mut self) {
        match self.document.file().path().map(Path::to_path_buf) {
            Some(file) => self.save(file),
            None => self.ask(&Command::AskSave),
        }
    }

    /// Writes the scene, beside the window; never given up. Hand work that is still carried to
    /// other hair comes first, or the file would lack it.
    pub(super) fn save(&mut self, path: PathBuf) {
        if self.ui.hand.carry.waiting().is_some() {
            let text = "The scene is saved once cuts, combing and pins are carried along";
            self.ui.toasts.tell(text);
            self.ui.held_save = Some(path);
            return;
        }
        self.ui.held_save = None;
        self.document.release();
        let title = format!("Saving {}", name_of(&path));
        let (opened, scene) = (self.document.opened(), self.document.scene().clone());
        let write = move || match scene.write(&path) {
            Ok(()) => JobOutcome::Saved(Box::new(SavedScene {
                opened,
                now: SceneFile::of_file(path, &scene),
            })),
            Err(error) => JobOutcome::Unsaved(error.to_string()),
        };
        match self.session.insist(Queue::Quick, title, write) {
            Ok(number) => self.ui.saving = Some(number),
            Err(error) => {
                let why = io::reason(&error);
                self.ui
                    .toasts
                    .error(format!("The scene was not saved: {why}"));
                self.stay();
            }
        }
    }

    /// Saves what was to be saved once hand work is carried along, if that is so now.
    pub(super) fn save_on(&mut self) {
        if self.ui.hand.carry.waiting().is_none()
            && let Some(path) = self.ui.held_save.take()
        {
            self.save(path);
        }
    }

    /// The scene was written; what was to follow the last wish to save follows.
    pub(super) fn take_saved(&mut self, job: u64, SavedScene { opened, now }: SavedScene) {
        if let Some(path) = now.path() {
            self.ui.toasts.tell(format!("Saved {}", path.display()));
            self.document.note_recent(path);
        }
        // Another document may have taken its place meanwhile.
        if self.document.opened() == opened {
            self.document.begin(now);
        }
        if self.ui.saving.take_if(|number| *number == job).is_some() {
            if self.ui.dialog.as_ref().is_some_and(Dialog::saves) {
                self.ui.dialog = None;
            }
            self.carry_on();
        }
    }

    /// The scene was not written.
    pub(super) fn take_unsaved(&mut self, job: u64, message: String) {
        self.ui.toasts.error(message);
        self.end_saving(job);
    }

    /// That job has ended; if it was to save, it did not.
    pub(super) fn end_saving(&mut self, job: u64) {
        if self.ui.saving.take_if(|number| *number == job).is_some() {
            self.stay();
        }
    }

    /// What was to follow would lose what is not saved, unless somebody can choose
    /// another place.
    fn stay(&mut self) {
        if !self.ui.dialog.as_ref().is_some_and(Dialog::saves) {
            self.ui.pending = None;
        }
    }

    /// Opens a scene, or plays a cache, once head and hair are ready.
    pub(super) fn open(&mut self, path: PathBuf) {
        if !path.is_file() {
            let text = format!("cannot read {}: there is no such file", path.display());
            self.ui.toasts.error(text);
            return;
        }
        if playback::is_recorded(&path) {
            return self.play(&path);
        }
        self.close_dialog();
        let title = format!("Opening {}", name_of(&path));
        self.make_read(title, move || Ok((read(&path)?, ReadFor::Open(path))));
    }

    fn open_example(&mut self, name: &str) {
        match example(name) {
            Ok(scene) => {
                let file = SceneFile::of_name(Some(name), &scene);
                self.replace(scene, file);
            }
            Err(message) => self.ui.toasts.error(message),
        }
    }

    /// The hair of an example grows on the head at hand.
    pub(super) fn take_hair_of(&mut self, name: &str) {
        self.close_dialog();
        match example(name) {
            Ok(of) => self.change(|scene| take_hair(scene, &of)),
            Err(message) => self.ui.toasts.error(message),
        }
    }

    /// Another scene takes the place of this one; that can be undone.
    pub(super) fn replace(&mut self, scene: Scene, file: SceneFile) {
        self.close_dialog();
        // What was wanted of the scene before.
        self.session.cancel_build();
        self.session.forget_choice();
        self.forget_strokes();
        self.lose_handwork();
        self.ui.hand.carry = HandworkCarry::default();
        let before = self.document.replace(scene, file);
        self.forget_pace();
        self.follow(&before);
        self.forget_document();
    }

    /// What was played, in hand and chosen of the document before belongs to no other.
    pub(super) fn forget_document(&mut self) {
        if self.ui.held_save.take().is_some() {
            let text = "The scene before was not saved: its cuts, combing and pins were still \
                        being carried along";
            self.ui.toasts.error(text);
            self.stay();
        }
        self.leave_cache();
        self.forget_keyed();
        self.ui.hand.parting.put_away();
        self.ui.bodies.row = None;
    }

    /// Head, hair or a map cannot be built: what there was stays, with what was cut,
    /// combed, pinned and fitted.
    pub(super) fn take_failure(&mut self, message: String, failed: Option<Box<Scene>>) {
        let Some(built) = self.session.shared_built() else {
            return self.begin_without(message, failed);
        };
        let stands = built.scene.clone();
        // Nothing was lost: what there was stays.
        self.ui.toasts.retract(NEW_HAIR);
        self.ui.toasts.failure(message);
        if !failed.is_some_and(|failed| failed.grows_like(self.document.scene())) {
            // Something else failed, or another wish is on its way already.
            return;
        }
        let before = self.document.give_way(&stands);
        self.follow(&before);
        match self.document.scene().handwork.is_empty() {
            // What stands is not the hair that was worked on either.
            true => self.carry_handwork(&built),
            false => self.forget_carry(),
        }
    }
}

impl AppState {
    /// The window has begun with a scene that cannot be built: the default one takes its
    /// place, without its file.
    fn begin_without(&mut self, message: String, failed: Option<Box<Scene>>) {
        let scene = Scene::default();
        if failed.is_none_or(|failed| failed.grows_like(&scene)) {
            // Without any head there is nothing to show.
            self.ui.fault = Some(message);
            return;
        }
        let file = SceneFile::of_name(None, &scene);
        self.replace(scene, file);
        let text = format!("{message}; the default scene is shown in its place");
        self.ui.toasts.error(text);
    }
}

/// The example of that name.
fn example(name: &str) -> Result<Scene, String> {
    let example = examples::find(name).ok_or_else(|| examples::unknown(name))?;
    example.scene().map_err(|error| error.to_string())
}

/// The scene in that file, if it can be shown.
fn read(path: &Path) -> Result<Scene, String> {
    let mut scene = Scene::default();
    scene.read(path).map_err(|error| {
        let known = ["toml", "png"].map(Some).contains(&ending(path).as_deref());
        match known {
            true => error.to_string(),
            false => format!(
                "{} is no scene: a scene is a .toml file, a picture that was recorded or a cache \
                 ({error})",
                path.display()
            ),
        }
    })?;
    built_scene::check_solvers(&scene).map_err(|error| error.to_string())?;
    Ok(scene)
}

/// How the name of a file ends, in small letters.
fn ending(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?;
    Some(ending.to_lowercase())
}

#[cfg(test)]
mod tests;
