//! The simulation on its own thread.
//!
//! Commands go in by channel; the latest positions come out through a triple
//! buffer, so that neither side ever waits for the other. Only a recording
//! waits: each of its frames is held until the window has taken it.

#[cfg(test)]
mod tests;

use super::{
    cache_player::PlayPosition,
    inspection::Inspection,
    ready::{Drawing, Ready},
    rewind::RewindRange,
    sim_loop::SimLoop,
    stats_history::StatsHistory,
};
use crate::{
    groom::{Bed, BindReport, Groom},
    io::cache::Reader,
    math::Pose,
    mesh::{Body, HeadParams, LoadedHead},
    project::{built_scene::Ground, comparison::Measured, scene::Scene},
    render::HeadParts,
    sim::{hand::Grab, volume::GridSlice},
};
use glam::Vec3;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

/// What the window wants of the simulation.
pub enum SimCommand {
    /// These are the parameters now; what they change is built anew.
    Scene(Box<Scene>),
    /// The same of a scene whose head and hair are built already.
    Ready(Box<Scene>, Box<Ready>),
    /// Stand still, or go on.
    Pause(bool),
    /// One step (while recording, one frame), also when paused.
    Step,
    /// Hair to rest, time to zero.
    Reset,
    /// Tell of that strand, or of none.
    Inspect(Option<usize>),
    /// A hand holds these vertices, besides what is pinned.
    Grab(Vec<Grab>),
    /// From now on exactly 1/fps seconds for each frame, one frame for each
    /// [`SimCommand::NextFrame`]; none ends the recording.
    Record(Option<u32>),
    /// The last frame was taken; the next may come.
    NextFrame,
    /// So many steps back (below zero) or forth, as far as is kept.
    Go(i64),
    /// The moment nearest to that time. `[s]`
    Seek(f64),
    /// Play what is in this cache, once the scene stands.
    Play(Box<Reader>),
    /// Begin anew at its end, or stop there.
    Loop(bool),
    /// Live hair again.
    Leave,
}

/// What the window should know of; positions come through [`SimHandle::latest`].
pub enum SimEvent {
    /// A head or a hairstyle is being built.
    Building,
    /// So many files of a sequence are read, of so many.
    Reading(usize, usize),
    /// The first head is read; hair will grow on it. With what the picture has
    /// to know of it.
    Head(Box<LoadedHead>, Arc<HeadParts>),
    /// It is there; snapshots of its generation follow.
    Built(Box<BuildResult>),
    /// A cache is played from now on, or none.
    Playing(Option<Playing>),
    /// It has come to its end.
    Ended,
    /// It cannot be; the old one goes on.
    Failed {
        /// One sentence.
        message: String,
        /// The scene that cannot be built; none where something else failed.
        scene: Option<Box<Scene>>,
    },
}

/// The cache that is played.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// The file.
    pub path: PathBuf,
    /// What is in it, in words.
    pub told: String,
}

/// What was built.
pub struct BuildResult {
    /// Counts what was built; snapshots carry it too.
    pub generation: u64,
    /// The head.
    pub head: LoadedHead,
    /// The head as rays find it.
    pub body: Arc<Body>,
    /// The scene that it was built from.
    pub scene: Box<Scene>,
    /// How the head was asked for.
    pub head_params: HeadParams,
    /// The sequence that was asked for; empty for none.
    pub sequence: String,
    /// Where followers are rooted.
    pub bed: Bed,
    /// How the groom of a file came onto the head; none of grown hair.
    pub bound: Option<Arc<BindReport>>,
    /// The rest curves.
    pub groom: Arc<Groom>,
    /// The longest edge among them. `[m]`
    pub longest_edge: f32,
    /// What other hair can be built on.
    pub ground: Ground,
    /// What the picture has to know.
    pub drawing: Drawing,
}

/// The simulation at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Which head of hair this is.
    pub generation: u64,
    /// Differs from snapshot to snapshot; 0 for none yet.
    pub serial: u64,
    /// Number of the recorded frame that this is, counted from the start of the
    /// recording.
    pub frame: Option<u64>,
    /// In the groom's order, in world space. `[m]`
    pub positions: Arc<Vec<Vec3>>,
    /// Where the head is.
    pub pose: Pose,
    /// Which frame of its sequence the head shows, from 0; none where it plays none.
    pub frame_shown: Option<usize>,
    /// The head's vertices in its own space; none while it is as its mesh has it. `[m]`
    pub shape: Vec<Vec3>,
    /// Simulated time. `[s]`
    pub time: f64,
    /// When the head's motion began: times of keyframes count from there. `[s]`
    pub motion_begun: f64,
    /// Where in the cache that is; none of live hair.
    pub film: Option<PlayPosition>,
    /// What can be gone back to.
    pub reach: Option<RewindRange>,
    /// Measured every few steps.
    pub measured: Measured,
    /// The strand that is looked at.
    pub inspected: Option<Inspection>,
    /// The cut through the hair, where it is wanted.
    pub slice: Option<GridSlice>,
    /// The second side, where there is one.
    pub second: Option<SecondSnapshot>,
    /// What was measured over the last seconds.
    pub trail: StatsHistory,
    /// Real time that a step of all sides takes, smoothed. `[ms]`
    pub step_ms: f64,
    /// Simulated seconds per real second; none before it was measured.
    pub real_time: Option<f64>,
}

/// What is shared, to be written to: where somebody still reads it, another one.
pub(super) fn unshared(positions: &mut Arc<Vec<Vec3>>) -> &mut Vec<Vec3> {
    if Arc::get_mut(positions).is_none() {
        *positions = Arc::default();
    }
    Arc::make_mut(positions)
}

/// The second side at the same moment.
#[derive(Clone, Debug, Default)]
pub struct SecondSnapshot {
    /// In the groom's order, in world space. `[m]`
    pub positions: Arc<Vec<Vec3>>,
    /// Measured together with the first side.
    pub measured: Measured,
    /// The same strand as of the first side.
    pub inspected: Option<Inspection>,
    /// The same cut as of the first side.
    pub slice: Option<GridSlice>,
}

/// The window's end.
pub struct SimHandle {
    commands: Option<Sender<SimCommand>>,
    events: Receiver<SimEvent>,
    latest: triple_buffer::Output<Snapshot>,
    leaving: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl SimHandle {
    /// Starts the thread, which builds `scene` first and steps it on so many
    /// `threads`. `wake` is called from there whenever there is something new
    /// to see.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn spawn(
        scene: Scene,
        threads: Option<usize>,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (commands, orders_in) = channel();
        let (reports_out, events) = channel();
        let (snapshots, latest) = triple_buffer::triple_buffer(&Snapshot::default());
        // One core is left to the window.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or(cores.saturating_sub(1)).max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("hair-{index}"))
            .build()
            .map_err(std::io::Error::other)?;
        let leaving = Arc::new(AtomicBool::new(false));
        let told = leaving.clone();
        let thread = thread::Builder::new()
            .name("simulation".into())
            .spawn(move || {
                let mut driver = SimLoop::new(scene, orders_in, reports_out, snapshots, told, wake);
                // A fault in the simulation must not freeze the window in
                // silence.
                let outcome = catch_unwind(AssertUnwindSafe(|| pool.install(|| driver.run())));
                if outcome.is_err() {
                    driver.report(SimEvent::Failed {
                        message: "the simulation stopped by a fault of its own; R, or any \
                                  change of the scene, starts it again"
                            .into(),
                        scene: None,
                    });
                }
            })?;
        Ok(Self {
            commands: Some(commands),
            events,
            latest,
            leaving,
            thread: Some(thread),
        })
    }

    /// Gives an order; it is dropped when the thread has ended.
    pub fn order(&self, order: SimCommand) {
        if let Some(commands) = &self.commands
            && commands.send(order).is_err()
        {
            log::debug!("the simulation has ended");
        }
    }

    /// Whether the thread has ended, which it does by itself only by a fault.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// The next report, if there is one.
    pub fn report(&self) -> Option<SimEvent> {
        self.events.try_recv().ok()
    }

    /// The snapshot that [`latest`](Self::latest) gave last.
    pub fn now(&self) -> &Snapshot {
        self.latest.output_buffer()
    }

    /// The newest snapshot.
    pub fn latest(&mut self) -> &Snapshot {
        self.latest.read()
    }
}

/// Ends the thread; at most one step or one part of a building is waited for.
impl Drop for SimHandle {
    fn drop(&mut self) {
        self.leaving.store(true, Ordering::Relaxed);
        self.commands = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the simulation's thread panicked");
        }
    }
}
