//! Head and hair built by jobs beside the window.

use super::Session;
use crate::{
    groom::Followers,
    project::{
        built_scene::{BuildError, Ground, Told},
        scene::Scene,
    },
    render::{DrawnParts, Planted},
    session::{
        jobs::{Cancelled, Ending, Job, JobProgress, Queue, no_thread},
        outcome::{BuildIntent, JobOutcome, ReadFor},
        ready::Ready,
    },
};
use std::sync::Arc;

/// Tells what is being built, which is that share of the work; whether to go on.
pub(super) fn tell(progress: &JobProgress, told: Told, of_all: f32) -> bool {
    let go_on = match told {
        Told::Files(done, all) => {
            let share = 0.2 * of_all * done as f32 / all.max(1) as f32;
            progress.at(&format!("reading frame {done} of {all}"), share)
        }
        Told::Part(part, share) => progress.at(part, of_all * share),
        Told::Still => progress.go_on(),
    };
    go_on.is_ok()
}

/// Builds head and hair, telling of it; what is wrong with them is a sentence.
fn build(
    scene: &Scene,
    before: Option<&(Ground, DrawnParts)>,
    progress: &JobProgress,
) -> Result<Result<Box<Ready>, String>, Cancelled> {
    let told = |told| tell(progress, told, 1.0);
    let before = before.map(|(ground, drawing)| (ground, drawing));
    match Ready::build(scene, before, &told) {
        Ok(ready) => Ok(Ok(Box::new(ready))),
        Err(BuildError::GivenUp) => Err(Cancelled),
        Err(error) => Ok(Err(error.to_string())),
    }
}

impl Session {
    /// Starts a job that may be given up; answers its number.
    ///
    /// # Errors
    /// When the system gives no thread: one sentence.
    pub fn start(
        &mut self,
        queue: Queue,
        title: String,
        work: impl FnOnce(&JobProgress) -> Result<JobOutcome, Cancelled> + Send + 'static,
    ) -> Result<u64, String> {
        let started = self.jobs.start(queue, title, work);
        started.map_err(|error| no_thread(&error))
    }

    /// Starts one that is never given up.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn insist(
        &mut self,
        queue: Queue,
        title: String,
        work: impl FnOnce() -> JobOutcome + Send + 'static,
    ) -> std::io::Result<u64> {
        self.jobs.insist(queue, title, work)
    }

    /// Asks a job to end.
    pub fn cancel_job(&mut self, number: u64) {
        self.jobs.cancel(number);
    }

    /// Asks a job to end and hears no more of it.
    pub fn abandon_job(&mut self, number: u64) {
        self.jobs.abandon(number);
    }

    /// The next job that has ended, and how. Followers that were planted are taken
    /// over here.
    pub fn next_ending(&mut self) -> Option<(Job, Ending<JobOutcome>)> {
        self.jobs.count_frames(self.waits.frames());
        loop {
            match self.jobs.poll()? {
                (job, Ending::Done(JobOutcome::Planted(generation, planted))) => {
                    let now = self.built().map(|built| built.generation);
                    let wanted = self.end_planting(job.number).is_some();
                    if wanted && now == Some(generation) {
                        self.planted = Some(planted);
                    }
                }
                other => return Some(other),
            }
        }
    }

    /// Builds `wanted`, for which `change` is to be made of the scene then; of two
    /// such jobs only the newer one counts.
    ///
    /// # Errors
    /// When the system gives no thread: one sentence.
    pub fn build_change(
        &mut self,
        title: String,
        wanted: Scene,
        change: impl FnOnce(&mut Scene) + Send + 'static,
    ) -> Result<(), String> {
        self.prepare(title, move |before, progress| {
            let ready = build(&wanted, before, progress)?;
            Ok(match ready {
                Ok(ready) => JobOutcome::Ready(Some(ready), BuildIntent::Change(Box::new(change))),
                Err(message) => JobOutcome::Failed(message),
            })
        })
    }

    /// Builds `scene` once more, from what its files hold now. Maps that have changed are read
    /// again, and if `all`, so are head and groom; of two such jobs, or of one and another
    /// change of head or hair, only the newer one counts.
    ///
    /// # Errors
    /// When the system gives no thread: one sentence.
    pub fn build_again(&mut self, title: String, scene: Scene, all: bool) -> Result<(), String> {
        self.prepare(title, move |before, progress| {
            let ready = build(&scene, before.filter(|_| !all), progress)?;
            Ok(match ready {
                Ok(ready) => JobOutcome::Ready(Some(ready), BuildIntent::Again),
                Err(message) => JobOutcome::Failed(message),
            })
        })
    }

    /// Builds what `read` finds as soon as it has found it; nothing where that is
    /// what `now` has.
    ///
    /// # Errors
    /// When the system gives no thread: one sentence.
    pub fn read_and_build(
        &mut self,
        title: String,
        now: Scene,
        read: impl FnOnce() -> Result<(Scene, ReadFor), String> + Send + 'static,
    ) -> Result<(), String> {
        self.prepare(title, move |before, progress| {
            progress.at("reading the file", 0.0)?;
            let (scene, purpose) = match read() {
                Ok(found) => found,
                Err(message) => return Ok(JobOutcome::Failed(message)),
            };
            let ready = match scene.grows_like(&now) && scene.handwork == now.handwork {
                true => None,
                false => match build(&scene, before, progress)? {
                    Ok(ready) => Some(ready),
                    Err(message) => return Ok(JobOutcome::Failed(message)),
                },
            };
            let scene = Box::new(scene);
            Ok(JobOutcome::Ready(
                ready,
                match purpose {
                    ReadFor::Open(path) => BuildIntent::Open(path, scene),
                    ReadFor::Place => BuildIntent::Change(Box::new(move |now: &mut Scene| {
                        now.import = scene.import;
                    })),
                    ReadFor::Play(reader) => BuildIntent::Play(reader, scene),
                },
            ))
        })
    }

    fn prepare(
        &mut self,
        title: String,
        work: impl FnOnce(Option<&(Ground, DrawnParts)>, &JobProgress) -> Result<JobOutcome, Cancelled>
        + Send
        + 'static,
    ) -> Result<(), String> {
        self.cancel_build();
        let built = self.built.as_ref();
        let before = built.map(|built| (built.ground.clone(), built.drawing.clone()));
        let started = self.start(Queue::Files, title, move |progress| {
            work(before.as_ref(), progress)
        });
        self.build_job = Some(started?);
        Ok(())
    }

    /// Head and hair that are being built are not wanted any more.
    pub fn cancel_build(&mut self) {
        if let Some(number) = self.build_job.take() {
            self.jobs.abandon(number);
        }
    }

    /// That job has ended; whether it was to build head and hair.
    pub fn end_build(&mut self, number: u64) -> bool {
        self.build_job.take_if(|job| *job == number).is_some()
    }

    /// Keeps what a job has built for the change of the scene that
    /// [follows](Self::follow), or drops it.
    pub fn set_ready(&mut self, ready: Option<Box<Ready>>) {
        self.ready = ready;
    }

    /// Lets followers be planted where another number is wanted for each guide;
    /// `title` names that job, given how many there will be.
    ///
    /// # Errors
    /// When the system gives no thread: one sentence.
    pub fn keep_planted(
        &mut self,
        each: u32,
        title: impl FnOnce(usize) -> String,
    ) -> Result<(), String> {
        let Some(built) = self.built.clone() else {
            return Ok(());
        };
        if self.is_planted(each) || self.planting.is_some() || self.build_job.is_some() {
            return Ok(());
        }
        let title = title(built.groom.strands() * each as usize);
        let number = self.start(Queue::Hair, title, move |progress| {
            progress.at("looking for places", 0.1)?;
            let (groom, mesh, bed) = (&built.groom, &built.head.mesh, &built.bed);
            let go_on = || !progress.is_cancelled();
            let followers = Followers::plant_while(groom, mesh, bed, each, &go_on);
            let followers = followers.ok_or(Cancelled)?;
            progress.at("sorting them", 0.8)?;
            let drawn = &built.drawing;
            let planted = Planted::new(&drawn.groom, &drawn.hair, &followers, each);
            Ok(JobOutcome::Planted(built.generation, Arc::new(planted)))
        })?;
        self.planting = Some((number, each));
        Ok(())
    }

    /// That job has ended; where it was to plant followers, how many for each guide.
    pub fn end_planting(&mut self, number: u64) -> Option<u32> {
        let ended = self.planting.take_if(|(planting, _)| *planting == number);
        ended.map(|(_, each)| each)
    }
}
