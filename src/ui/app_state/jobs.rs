//! What the program lets be done beside the window, and what it does with what
//! comes of it.

use super::{AppState, change::NEW_HAIR};
use crate::{
    io::picture_scene,
    project::{
        scene::{HandworkLoss, Scene},
        scene_file::SceneFile,
    },
    session::{
        ReadEnvironment, UnreadEnvironment,
        jobs::{Cancelled, Ending, Job, JobProgress, Queue},
        outcome::{BuildIntent, JobOutcome, ReadFor},
        ready::Ready,
        sim_handle::SimCommand,
    },
    ui::numbers::grouped,
};

impl AppState {
    /// Starts a job; says so where the system has no thread for it.
    pub(super) fn start(
        &mut self,
        queue: Queue,
        title: String,
        work: impl FnOnce(&JobProgress) -> Result<JobOutcome, Cancelled> + Send + 'static,
    ) -> Option<u64> {
        let started = self.session.start(queue, title, work);
        self.told(started)
    }

    /// What was started; says so where that went wrong.
    fn told<T>(&mut self, started: Result<T, String>) -> Option<T> {
        started
            .inspect_err(|error| self.ui.toasts.error(error))
            .ok()
    }

    /// Changes the scene once head and hair are ready for it.
    pub(super) fn make(
        &mut self,
        title: String,
        change: impl Fn(&mut Scene) + Clone + Send + 'static,
    ) {
        let mut wanted = self.document.scene().clone();
        change(&mut wanted);
        wanted.drop_handwork(self.document.scene());
        if self.session.built().is_none() || wanted.grows_like(self.document.scene()) {
            // What was wanted before does not overrule it later.
            self.session.cancel_build();
            return self.change(|scene| change(scene));
        }
        let started = self.session.build_change(title, wanted, change);
        self.told(started);
    }

    /// Builds what `read` finds as soon as it has found it.
    pub(super) fn make_read(
        &mut self,
        title: String,
        read: impl FnOnce() -> Result<(Scene, ReadFor), String> + Send + 'static,
    ) {
        let now = self.document.scene().clone();
        let started = self.session.read_and_build(title, now, read);
        self.told(started);
    }

    /// Takes in what came of jobs.
    pub(super) fn take_endings(&mut self) {
        while let Some((job, ending)) = self.session.next_ending() {
            match ending {
                Ending::Done(outcome) => self.take_outcome(&job, outcome),
                Ending::Cancelled => self.take_cancelled(&job),
                Ending::Fault => {
                    self.end_saving(job.number);
                    self.take_cancelled(&job);
                    let text = format!("{}: stopped by a fault of its own", job.title);
                    self.ui.toasts.error(text);
                }
            }
        }
        let each = self.document.scene().followers.each;
        let title = |count| format!("Planting {} strands", grouped(count));
        let started = self.session.keep_planted(each, title);
        self.told(started);
        let (light, opened) = (&self.document.scene().light, self.document.opened());
        let started = self.session.follow_light(light, opened);
        self.told(started);
    }

    fn take_outcome(&mut self, job: &Job, outcome: JobOutcome) {
        match outcome {
            JobOutcome::Ready(ready, intent) => {
                self.session.end_build(job.number);
                self.take_ready(ready, intent);
            }
            JobOutcome::Failed(message) => match self.session.end_build(job.number) {
                true => self.ui.toasts.failure(message),
                false => self.ui.toasts.error(message),
            },
            JobOutcome::Exported(hair) => self.ui.toasts.tell(super::export::exported(&hair)),
            JobOutcome::Animated(hair) => self.take_animation(&hair),
            JobOutcome::Saved(saved) => self.take_saved(job.number, *saved),
            JobOutcome::Unsaved(message) => self.take_unsaved(job.number, message),
            JobOutcome::Dropped(file) => self.take_dropped(file),
            JobOutcome::Environment(name, read) => {
                match self
                    .session
                    .take_environment(job.number, name.clone(), read)
                {
                    Ok(ReadEnvironment::Chosen) => {
                        self.change(|scene| scene.light.environment = name);
                    }
                    Ok(ReadEnvironment::Lit) => {}
                    Err(message) => self.ui.toasts.error(message),
                }
            }
            // The session takes them over.
            JobOutcome::Planted(..) => {}
            // It is seen.
            JobOutcome::Shown => {}
            JobOutcome::Stroked(stroked) => self.take_stroked(*stroked),
            JobOutcome::Carried(generation, made) => self.take_carried(generation, made),
        }
    }

    fn take_cancelled(&mut self, job: &Job) {
        self.session.end_build(job.number);
        let wanted = self.session.end_planting(job.number);
        let drawn = self.session.planted().map(|planted| planted.each());
        // The scene says what the picture shows.
        if let (Some(wanted), Some(drawn)) = (wanted, drawn)
            && self.document.scene().followers.each == wanted
        {
            self.change(|scene| {
                scene.followers.each = drawn;
            });
        }
        if self.ui.hand.strokes.is_done_by(job.number) {
            self.ui.hand.strokes.forget();
        }
        if self.ui.hand.carry.is_done_by(job.number) {
            return self.lose_handwork();
        }
        match self.session.end_lighting(job.number) {
            Some(UnreadEnvironment::Before(name)) => {
                self.change(|scene| scene.light.environment = name);
            }
            Some(UnreadEnvironment::ThreePoint(fault)) => {
                let text = format!("{fault}; three-point light takes its place");
                return self.ui.toasts.error(text);
            }
            None => {}
        }
        self.ui
            .toasts
            .tell(format!("{}: cancelled, all is as it was", job.title));
    }

    fn take_ready(&mut self, ready: Option<Box<Ready>>, intent: BuildIntent) {
        let work = &self.document.scene().handwork;
        let fits = |ready: &Ready| work.fits(&ready.stage.groom).is_ok();
        let fits = ready.as_deref().is_none_or(fits);
        self.session.set_ready(ready);
        match intent {
            BuildIntent::Change(change) => self.change(|scene| change(scene)),
            BuildIntent::Again if fits => {
                let scene = self.document.scene().clone();
                self.follow(&scene);
            }
            // Its head is another one in the same file.
            BuildIntent::Again => {
                let before = self.document.scene().clone();
                self.change(|scene| scene.handwork = Default::default());
                if !self.keep_handwork(&before) {
                    // Undo brings no file back that has other contents now.
                    let text = format!("{NEW_HAIR}: {}", HandworkLoss::All);
                    self.ui.toasts.tell(text);
                }
            }
            BuildIntent::Open(path, scene) => {
                self.ui.toasts.tell(format!("Opened {}", path.display()));
                if let Some(told) = picture_scene::cut_off(&path) {
                    // The log has been told by who read it.
                    self.ui.toasts.caution(told);
                }
                self.document.note_recent(&path);
                let file = SceneFile::of_file(path, &scene);
                self.replace(*scene, file);
            }
            BuildIntent::Play(reader, scene) => {
                if !reader.is_whole() {
                    let (path, told) = (reader.path().display(), reader.told());
                    self.ui.toasts.error(format!("{path}: {told}"));
                }
                let name = reader.path().file_stem().unwrap_or_default();
                let file = SceneFile::of_name(Some(&name.to_string_lossy()), &scene);
                self.replace(*scene, file);
                self.session.set_paused(false);
                self.session.order(SimCommand::Play(reader));
            }
        }
        // Where nothing of the scene differed, nobody has taken it.
        self.session.set_ready(None);
    }
}

#[cfg(test)]
mod tests;
