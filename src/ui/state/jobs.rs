//! What the program lets be done beside the window, and what it does with what
//! comes of it. The scene changes when a job has ended well, not before: one
//! that fails or is given up leaves everything as it was.

use super::{AppState, document::Saved, strokes::Stroked};
use crate::{
    groom::Followers,
    io::{self, cache::Reader},
    project::{
        built_scene::{BuildError, Ground, Told},
        scene::Scene,
        scene_file::SceneFile,
    },
    render::Planted,
    session::{
        jobs::{Cancelled, Ending, Job, JobProgress, Queue},
        ready::{Drawing, Ready},
        sim_handle::SimCommand,
    },
    ui::command::Command,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// What came of a job.
pub enum Done {
    /// Head and hair are ready for a change of the scene.
    Ready(Option<Box<Ready>>, Intent),
    /// Hair was written; what the file cannot keep.
    Exported(PathBuf, Vec<String>),
    /// A scene was written.
    Saved(Box<Saved>),
    /// A scene was not written: one sentence.
    Unsaved(String),
    /// What is to be done with a file that was dropped.
    Dropped(Command),
    /// A picture was dropped: it says where hair grows.
    Map(PathBuf),
    /// Followers of the hair of that generation were planted.
    Planted(u64, Arc<Planted>),
    /// Hair was combed or cut.
    Stroked(Box<Stroked>),
    /// It went wrong: one sentence.
    Failed(String),
}

/// What another head or other hair was made for.
pub enum Intent {
    /// A change of the scene as it is then.
    Change(Box<dyn FnOnce(&mut Scene) + Send>),
    /// A scene that was read.
    Open(PathBuf, Box<Scene>),
    /// A cache that was opened, and the scene in it.
    Play(Box<Reader>, Box<Scene>),
}

/// Builds head and hair, telling of it; what is wrong with them is a sentence.
fn build(
    scene: &Scene,
    before: Option<&(Ground, Drawing)>,
    progress: &JobProgress,
) -> Result<Result<Box<Ready>, String>, Cancelled> {
    let told = |told| {
        let go_on = match told {
            Told::Files(done, all) => {
                let share = 0.2 * done as f32 / all.max(1) as f32;
                progress.at(&format!("reading frame {done} of {all}"), share)
            }
            Told::Part(part, share) => progress.at(part, share),
            Told::Still => progress.go_on(),
        };
        go_on.is_ok()
    };
    let before = before.map(|(ground, drawing)| (ground, drawing));
    match Ready::build(scene, before, &told) {
        Ok(ready) => Ok(Ok(Box::new(ready))),
        Err(BuildError::GivenUp) => Err(Cancelled),
        Err(error) => Ok(Err(error.to_string())),
    }
}

impl AppState {
    /// What is being done beside the window.
    pub fn jobs(&self) -> &crate::session::jobs::Jobs<Done> {
        &self.jobs
    }

    /// Starts a job; says so where the system has no thread for it.
    pub(super) fn start(
        &mut self,
        lane: Queue,
        title: String,
        work: impl FnOnce(&JobProgress) -> Result<Done, Cancelled> + Send + 'static,
    ) -> Option<u64> {
        match self.jobs.start(lane, title, work) {
            Ok(number) => Some(number),
            Err(error) => {
                let why = io::reason(&error);
                self.toasts
                    .error(format!("No thread is left to do that: {why}"));
                None
            }
        }
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
        if self.built.is_none() || wanted.grows_like(self.document.scene()) {
            return self.change(|scene| {
                change(scene);
                Ok(())
            });
        }
        self.prepare(title, move |before, progress| {
            let ready = build(&wanted, before, progress)?;
            Ok(match ready {
                Ok(ready) => Done::Ready(Some(ready), Intent::Change(Box::new(change))),
                Err(message) => Done::Failed(message),
            })
        });
    }

    /// Builds what `read` finds as soon as it has found it.
    pub(super) fn make_read(
        &mut self,
        title: String,
        read: impl FnOnce() -> Result<(Scene, ReadFor), String> + Send + 'static,
    ) {
        let now = self.document.scene().clone();
        self.prepare(title, move |before, progress| {
            progress.at("reading the file", 0.0)?;
            let (scene, purpose) = match read() {
                Ok(found) => found,
                Err(message) => return Ok(Done::Failed(message)),
            };
            let ready = match scene.grows_like(&now) && scene.handwork == now.handwork {
                true => None,
                false => match build(&scene, before, progress)? {
                    Ok(ready) => Some(ready),
                    Err(message) => return Ok(Done::Failed(message)),
                },
            };
            let scene = Box::new(scene);
            Ok(Done::Ready(
                ready,
                match purpose {
                    ReadFor::Open(path) => Intent::Open(path, scene),
                    ReadFor::Play(reader) => Intent::Play(reader, scene),
                },
            ))
        });
    }

    /// Starts what builds another head or other hair; of two such jobs only the
    /// newer one counts.
    fn prepare(
        &mut self,
        title: String,
        work: impl FnOnce(Option<&(Ground, Drawing)>, &JobProgress) -> Result<Done, Cancelled>
        + Send
        + 'static,
    ) {
        if let Some(number) = self.making.take() {
            self.jobs.abandon(number);
        }
        let built = self.built.as_ref();
        let before = built.map(|built| (built.ground.clone(), built.drawing.clone()));
        self.making = self.start(Queue::Files, title, move |progress| {
            work(before.as_ref(), progress)
        });
    }

    /// Takes in what came of jobs.
    pub(super) fn take_endings(&mut self) {
        self.jobs.count_frames(self.waits.frames());
        while let Some((job, ending)) = self.jobs.poll() {
            match ending {
                Ending::Done(done) => self.take_done(&job, done),
                Ending::Cancelled => self.take_cancelled(&job),
                Ending::Fault => {
                    self.end_saving(job.number);
                    self.take_cancelled(&job);
                    let text = format!("{}: stopped by a fault of its own", job.title);
                    self.toasts.error(text);
                }
            }
        }
        self.keep_planted();
    }

    fn take_done(&mut self, job: &Job, done: Done) {
        match done {
            Done::Ready(ready, intent) => {
                self.making = None;
                self.take_ready(ready, intent);
            }
            Done::Failed(message) => match self.making.take_if(|number| *number == job.number) {
                Some(_) => self.toasts.failure(message),
                None => self.toasts.error(message),
            },
            Done::Exported(path, lost) => {
                let lost = match lost.is_empty() {
                    true => String::new(),
                    false => format!("; {}", lost.join("; ")),
                };
                self.toasts
                    .tell(format!("Exported {}{lost}", path.display()));
            }
            Done::Saved(saved) => self.take_saved(job.number, *saved),
            Done::Unsaved(message) => self.take_unsaved(job.number, message),
            Done::Dropped(command) => self.perform(command),
            Done::Map(path) => self.lay_map(&path),
            Done::Planted(generation, planted) => {
                let now = self.built.as_ref().map(|built| built.generation);
                if self
                    .planting
                    .take_if(|(job_of, _)| *job_of == job.number)
                    .is_some()
                    && now == Some(generation)
                {
                    self.planted = Some(planted);
                }
            }
            Done::Stroked(stroked) => self.take_stroked(*stroked),
        }
    }

    fn take_cancelled(&mut self, job: &Job) {
        self.making.take_if(|number| *number == job.number);
        let planting = self.planting.take_if(|(number, _)| *number == job.number);
        if let (Some((_, wanted)), Some(planted)) = (planting, self.planted.clone()) {
            // The scene says what the picture shows.
            if self.document.scene().followers.each == wanted {
                self.change(|scene| {
                    scene.followers.each = planted.each();
                    Ok(())
                });
            }
        }
        if self.strokes.is_done_by(job.number) {
            self.strokes.forget();
        }
        self.toasts
            .tell(format!("{}: cancelled, all is as it was", job.title));
    }

    fn take_ready(&mut self, ready: Option<Box<Ready>>, intent: Intent) {
        self.ready = ready;
        match intent {
            Intent::Change(change) => self.change(|scene| {
                change(scene);
                Ok(())
            }),
            Intent::Open(path, scene) => {
                self.toasts.tell(format!("Opened {}", path.display()));
                self.document.note_recent(&path);
                let file = SceneFile::of_file(path, &scene);
                self.replace(*scene, file);
            }
            Intent::Play(reader, scene) => {
                let told = reader.told();
                if told.contains(';') {
                    let path = reader.path().display();
                    self.toasts.error(format!("{path}: {told}"));
                }
                let name = reader.path().file_stem().unwrap_or_default();
                let file = SceneFile::of_name(Some(&name.to_string_lossy()), &scene);
                self.replace(*scene, file);
                self.paused = false;
                self.worker.order(SimCommand::Pause(false));
                self.worker.order(SimCommand::Play(reader));
            }
        }
        // Where nothing of the scene differed, nobody has taken it.
        self.ready = None;
    }

    /// The strands that are drawn; none before the first hair.
    pub fn planted(&self) -> Option<&Arc<Planted>> {
        self.planted.as_ref()
    }

    /// Whether all strands are drawn that the scene asks for.
    pub fn is_planted(&self) -> bool {
        let each = self.planted.as_ref().map(|planted| planted.each());
        each == Some(self.document.scene().followers.each)
    }

    /// Lets followers be planted where the scene asks for another number.
    fn keep_planted(&mut self) {
        let Some(built) = self.built.clone() else {
            return;
        };
        if self.is_planted() || self.planting.is_some() || self.making.is_some() {
            return;
        }
        let each = self.document.scene().followers.each;
        let count = built.groom.strands() * each as usize;
        let title = format!("Planting {} strands", crate::ui::numbers::grouped(count));
        let number = self.start(Queue::Hair, title, move |progress| {
            progress.at("looking for places", 0.1)?;
            let (groom, mesh, bed) = (&built.groom, &built.head.mesh, &built.bed);
            let go_on = || !progress.is_cancelled();
            let followers = Followers::plant_while(groom, mesh, bed, each, &go_on);
            let followers = followers.ok_or(Cancelled)?;
            progress.at("sorting them", 0.8)?;
            let planted = Planted::new(groom, &built.drawing.hair, &followers, each);
            Ok(Done::Planted(built.generation, Arc::new(planted)))
        });
        self.planting = number.map(|number| (number, each));
    }
}

/// What a file was read for.
pub enum ReadFor {
    /// To be opened.
    Open(PathBuf),
    /// To be played.
    Play(Box<Reader>),
}

/// A file's name without its folder.
pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
