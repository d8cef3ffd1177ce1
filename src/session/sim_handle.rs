//! The simulation on its own thread.
//!
//! Orders go in by channel; the latest positions come out through a triple
//! buffer, so that neither side ever waits for the other. Only a recording
//! waits: each of its frames is held until the window has taken it.

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
    Built(Box<Built>),
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
pub struct Built {
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
    orders: Option<Sender<SimCommand>>,
    reports: Receiver<SimEvent>,
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
        let (orders, orders_in) = channel();
        let (reports_out, reports) = channel();
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
            orders: Some(orders),
            reports,
            latest,
            leaving,
            thread: Some(thread),
        })
    }

    /// Gives an order; it is dropped when the thread has ended.
    pub fn order(&self, order: SimCommand) {
        if let Some(orders) = &self.orders
            && orders.send(order).is_err()
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
        self.reports.try_recv().ok()
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
        self.orders = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the simulation's thread panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn small() -> Scene {
        let mut scene = Scene::default();
        scene.roots.strands = 30;
        scene.groom.vertices = 8;
        scene
    }

    fn start(scene: Scene) -> (SimHandle, Built) {
        let worker = SimHandle::spawn(scene, None, || ()).expect("a thread");
        let built = wait_built(&worker);
        (worker, built)
    }

    fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(seen) = look() {
                return seen;
            }
            assert!(begun.elapsed().as_secs() < 60, "waited in vain for {what}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn wait_built(worker: &SimHandle) -> Built {
        wait("hair", || match worker.report() {
            Some(SimEvent::Built(built)) => Some(*built),
            Some(SimEvent::Failed { message, .. }) => panic!("{message}"),
            _ => None,
        })
    }

    #[test]
    fn the_head_is_there_before_its_hair() {
        let worker = SimHandle::spawn(small(), Some(1), || ()).expect("a thread");
        let mut order = Vec::new();
        wait("hair", || match worker.report()? {
            SimEvent::Head(head, _) => {
                order.push(head.mesh.positions.len());
                None
            }
            SimEvent::Built(built) => {
                order.push(built.groom.strands());
                Some(())
            }
            _ => None,
        });
        assert!(order.len() == 2 && order[0] > 1000, "{order:?}");
        assert_eq!(order[1], 30);
    }

    #[test]
    fn time_goes_on_stands_still_steps_and_begins_anew() {
        let (mut worker, built) = start(small());
        assert_eq!(built.groom.strands(), 30);
        let snapshot = wait("a tenth of a second", || {
            Some(worker.latest().clone()).filter(|s| s.time > 0.1)
        });
        assert_eq!(snapshot.positions.len(), 30 * 8);
        assert_eq!(snapshot.generation, built.generation);
        worker.order(SimCommand::Pause(true));
        // The step that was being made may still arrive.
        let still = wait("stillness", || {
            let before = worker.latest().serial;
            thread::sleep(Duration::from_millis(80));
            (worker.latest().serial == before).then(|| worker.latest().clone())
        });
        worker.order(SimCommand::Step);
        worker.order(SimCommand::Step);
        let stepped = wait("two steps", || {
            Some(worker.latest().time).filter(|time| *time > still.time + 0.03)
        });
        assert!((stepped - still.time - 2.0 / 60.0).abs() < 1e-9);
        worker.order(SimCommand::Reset);
        wait("the beginning", || {
            (worker.latest().time == 0.0).then_some(())
        });
    }

    #[test]
    fn a_recording_waits_for_each_frame_and_misses_none() {
        let mut scene = small();
        // Faster than it could be shown, and no multiple of a step.
        scene.capture.fps = 24;
        let (mut worker, _) = start(scene);
        worker.order(SimCommand::Record(Some(24)));
        let mut first = None;
        for frame in 0..30 {
            let time = wait("a frame", || {
                let snapshot = worker.latest();
                (snapshot.frame == Some(frame)).then_some(snapshot.time)
            });
            let start = *first.get_or_insert(time);
            let wanted = start + frame as f64 / 24.0;
            assert!((time - wanted).abs() < 1e-9, "frame {frame} at {time}");
            if frame == 10 {
                // Nothing comes before it is asked for.
                thread::sleep(Duration::from_millis(150));
                assert_eq!(worker.latest().frame, Some(10));
            }
            worker.order(SimCommand::NextFrame);
        }
        worker.order(SimCommand::Record(None));
        wait("live hair", || {
            worker.latest().frame.is_none().then_some(())
        });
    }

    #[test]
    fn of_many_changes_the_last_counts_and_a_failure_keeps_the_old_hair() {
        let (mut worker, first) = start(small());
        for vertices in 9..=40 {
            let mut scene = small();
            scene.groom.vertices = vertices;
            worker.order(SimCommand::Scene(Box::new(scene)));
        }
        let mut count = 0;
        let last = wait("the newest hair", || match worker.report() {
            Some(SimEvent::Built(built)) => {
                count += 1;
                (built.groom.points.len() == 30 * 40).then_some(built.generation)
            }
            _ => None,
        });
        assert!(count < 32, "changes in between are left out: {count}");
        assert!(last > first.generation);
        let mut scene = small();
        scene.head.file = "none.obj".into();
        worker.order(SimCommand::Scene(Box::new(scene.clone())));
        let (message, failed) = wait("a complaint", || match worker.report() {
            Some(SimEvent::Failed { message, scene }) => Some((message, scene)),
            _ => None,
        });
        assert!(message.contains("none.obj"), "{message}");
        assert_eq!(failed.as_deref(), Some(&scene));
        let then = worker.latest().time;
        wait("the old hair to go on", || {
            let snapshot = worker.latest();
            (snapshot.generation == last && snapshot.time > then).then_some(())
        });
    }

    #[test]
    fn two_sides_alike_are_nowhere_apart_and_both_tell_of_a_strand() {
        let mut scene = small();
        scene.compare.on = true;
        let (mut worker, _) = start(scene.clone());
        // The same method and the same parameters.
        worker.order(SimCommand::Inspect(Some(3)));
        let snapshot = wait("a quarter of a second", || {
            Some(worker.latest().clone()).filter(|s| s.time > 0.25)
        });
        let second = snapshot.second.as_ref().expect("a second side");
        assert_eq!(second.positions, snapshot.positions);
        let samples = snapshot.trail.samples();
        assert!(samples.len() > 3);
        for sample in samples {
            let (reading, apart) = sample.second.expect("two sides");
            assert_eq!((reading, apart), (sample.first, [0.0, 0.0]));
        }
        let inspected = snapshot.inspected.expect("a strand");
        assert_eq!(second.inspected.as_ref(), Some(&inspected));
        assert_eq!((inspected.strand, inspected.speed.len()), (3, 8));
        assert!(inspected.corrections.iter().all(|c| c.moved.len() == 8));
        assert!(!inspected.corrections.is_empty());
        // Another method for one of them: apart, but at the same time.
        scene.b.step.0.solver = "rod".into();
        worker.order(SimCommand::Scene(Box::new(scene.clone())));
        let snapshot = wait("a difference", || {
            let snapshot = worker.latest().clone();
            let second = snapshot.second.as_ref()?;
            (second.positions != snapshot.positions).then_some(snapshot)
        });
        assert!(snapshot.second.is_some());
        scene.compare.on = false;
        worker.order(SimCommand::Scene(Box::new(scene)));
        wait("one side", || {
            worker.latest().second.is_none().then_some(())
        });
        worker.order(SimCommand::Inspect(Some(30)));
        wait("no such strand", || {
            worker.latest().inspected.is_none().then_some(())
        });
    }

    #[test]
    fn slow_motion_shows_what_lies_between_the_steps() {
        let mut scene = small();
        scene.sim.step.speed = 0.05;
        let (mut worker, _) = start(scene);
        let mut times = Vec::new();
        wait("twenty states", || {
            let time = worker.latest().time;
            if times.last() != Some(&time) {
                times.push(time);
            }
            (times.len() >= 20).then_some(())
        });
        let steps = (times[19] - times[0]) * 60.0;
        assert!(steps < 10.0, "{steps} steps for twenty states");
        assert!(times.is_sorted());
    }
}
