//! What runs beside the window's thread, and what has come of it: the simulation
//! and the hair that it moves, recordings, videos, validation and jobs.

mod animation;
mod building;
mod capture;
mod export;
mod lighting;
mod view;

pub use lighting::{ReadEnvironment, UnreadEnvironment};

use super::{
    jobs::Jobs,
    outcome::JobOutcome,
    ready::Ready,
    recorder::Recorder,
    sim_handle::{BuildResult, Playing, SimCommand, SimEvent, SimHandle},
    validation_job::ValidationJob,
    waits::Waits,
};
use crate::{
    io::video::{Video, VideoJob},
    lab::validate::MethodRun,
    project::{comparison::Measured, scene::Scene},
    render::{HeadParts, Planted},
};
use glam::Vec3;
use std::{io, path::PathBuf, sync::Arc};

/// Everything that is done beside the window's thread.
pub struct Session {
    sim: SimHandle,
    /// Starts another thread for a scene, where a fault has ended the first.
    spawn: Box<dyn Fn(Scene) -> io::Result<SimHandle>>,
    /// The first head, until there is hair on it.
    bare_head: Option<Arc<HeadParts>>,
    built: Option<Arc<BuildResult>>,
    bounds: [Vec3; 2],
    building: bool,
    /// Files of a sequence that are read, and how many there are.
    reading: Option<(usize, usize)>,
    paused: bool,
    /// The cache that is played.
    playing: Option<Playing>,
    measured: [Measured; 2],
    recorder: Recorder,
    /// The video that is being made.
    video: Option<VideoJob>,
    /// The last one that was made since the last recording began.
    made: Option<Video>,
    validation: ValidationJob,
    jobs: Jobs<JobOutcome>,
    /// The job that builds another head or other hair.
    build_job: Option<u64>,
    /// What it has built, on its way to the simulation.
    ready: Option<Box<Ready>>,
    /// How many scenes took the place of others before the one that is followed.
    opened: u64,
    /// The jobs that write hair, and the files or patterns that they write.
    exports: Vec<(u64, PathBuf)>,
    /// The strands that are drawn; none before the first hair.
    planted: Option<Arc<Planted>>,
    /// The job that plants other followers, and how many for each guide.
    planting: Option<(u64, u32)>,
    lighting: lighting::SceneLighting,
    /// How long the window's thread is held up.
    pub waits: Waits,
}

/// What has happened on the simulation's thread.
pub enum SessionNews {
    /// The first head is there; hair will grow on it.
    Head,
    /// Head and hair are there.
    Built {
        /// Those before.
        before: Option<Arc<BuildResult>>,
        /// Whether the head is another one, or asked for in another way.
        other_head: bool,
    },
    /// The cache that is played has come to its end.
    Ended,
    /// Head or hair cannot be; the old ones go on.
    Failed {
        /// One sentence.
        message: String,
        /// The scene that cannot be built; none where something else failed.
        scene: Option<Box<Scene>>,
    },
}

impl Session {
    /// Starts to build `scene`, to be simulated on so many threads; `wake` is called
    /// from another thread when there is something new to see.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(
        scene: &Scene,
        threads: Option<usize>,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> io::Result<Self> {
        Ok(Self {
            jobs: Jobs::new(wake.clone()),
            sim: SimHandle::spawn(scene.clone(), threads, wake.clone())?,
            spawn: Box::new(move |scene| SimHandle::spawn(scene, threads, wake.clone())),
            bare_head: None,
            built: None,
            // About those of a head, until there is one.
            bounds: [Vec3::new(-0.13, -0.23, -0.13), Vec3::new(0.13, 0.13, 0.13)],
            building: true,
            reading: None,
            paused: false,
            playing: None,
            measured: [Measured::default(); 2],
            recorder: Recorder::default(),
            video: None,
            made: None,
            validation: ValidationJob::default(),
            build_job: None,
            ready: None,
            opened: 0,
            exports: Vec::new(),
            planted: None,
            planting: None,
            lighting: lighting::SceneLighting::default(),
            waits: Waits::default(),
        })
    }

    /// What has happened on the simulation's thread since the last call, one thing
    /// at a time.
    pub fn next_news(&mut self) -> Option<SessionNews> {
        loop {
            match self.sim.report()? {
                SimEvent::Building => (self.building, self.reading) = (true, None),
                SimEvent::Reading(done, all) => self.reading = Some((done, all)),
                SimEvent::Playing(playing) => self.playing = playing,
                SimEvent::Head(head, parts) => {
                    self.bounds = head.mesh.bounds();
                    self.bare_head = Some(parts);
                    return Some(SessionNews::Head);
                }
                SimEvent::Built(built) => return Some(self.take_built(*built)),
                SimEvent::Ended => return Some(SessionNews::Ended),
                SimEvent::Failed { message, scene } => {
                    self.building = false;
                    return Some(SessionNews::Failed { message, scene });
                }
            }
        }
    }

    fn take_built(&mut self, built: BuildResult) -> SessionNews {
        (self.building, self.bare_head) = (false, None);
        let other_head = self.built.as_ref().is_none_or(|old| {
            (&old.head_params, &old.sequence) != (&built.head_params, &built.sequence)
        });
        let read_again = |old: &Arc<BuildResult>| !Arc::ptr_eq(&old.head.mesh, &built.head.mesh);
        if other_head || self.built.as_ref().is_some_and(read_again) {
            self.bounds = built.head.mesh.bounds();
        }
        self.planted = Some(built.drawing.planted.clone());
        if let Some((number, _)) = self.planting.take() {
            self.jobs.abandon(number);
        }
        SessionNews::Built {
            before: self.built.replace(Arc::new(built)),
            other_head,
        }
    }

    /// Tells the simulation what to do.
    pub fn order(&self, command: SimCommand) {
        self.sim.order(command);
    }

    /// Lets the hair stand still, or go on.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.order(SimCommand::Pause(paused));
    }

    /// Lets the hair stand still.
    pub fn pause(&mut self) {
        if !self.paused {
            self.set_paused(true);
        }
    }

    /// Whether a fault has ended the simulation's thread.
    pub fn is_stopped(&self) -> bool {
        self.sim.is_over()
    }

    /// Starts the simulation anew with that scene.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start_again(&mut self, scene: &Scene) -> io::Result<()> {
        // Its next frame would never come.
        self.recorder.stop();
        self.sim = (self.spawn)(scene.clone())?;
        self.building = true;
        self.playing = None;
        self.order(SimCommand::Pause(self.paused));
        Ok(())
    }

    /// Lets the simulation follow a scene that has changed; what was built for it
    /// is handed over. `opened` counts the scenes that took the place of others: the hair of
    /// one that does begins at its beginning. Where a fault has ended the simulation it is to be
    /// [started again](Self::start_again): then this answers false.
    #[must_use]
    pub fn follow(&mut self, scene: &Scene, before: &Scene, opened: u64) -> bool {
        if std::mem::replace(&mut self.opened, opened) != opened {
            self.order(SimCommand::BeginAnew);
        }
        let ready = self.ready.take();
        if self.is_stopped() && scene != before {
            return false;
        }
        match ready {
            Some(ready) => self.order(SimCommand::Ready(Box::new(scene.clone()), ready)),
            None if scene != before => self.order(SimCommand::Scene(Box::new(scene.clone()))),
            None => {}
        }
        true
    }

    /// Puts a method through the validation.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start_validation(&mut self, subject: MethodRun) -> io::Result<()> {
        self.validation.start(subject)
    }

    /// Gives the validation up.
    pub fn cancel_validation(&mut self) {
        self.validation.cancel();
    }

    /// Takes in a report of the validation that is ready.
    ///
    /// # Errors
    /// When the validation stopped by a fault of its own, as a sentence.
    pub fn poll_validation(&mut self) -> Result<(), String> {
        self.validation.poll()
    }
}
