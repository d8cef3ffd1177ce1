//! The simulation thread's loop: takes commands, makes steps, publishes snapshots.

mod advance;
mod build;
mod orders;
mod past;
mod recording;

use super::{
    budget::{StepBudget, Substepping},
    cache_player::CachePlayer,
    clock::{LiveClock, Pace, StatsInterval},
    inspection::Inspection,
    messages::{SimCommand, SimEvent},
    rewind::Rewind,
    snapshot::{SecondSnapshot, Snapshot, unshared},
    stats_history::StatsHistory,
    strand_colours::StrandColours,
};
use crate::{
    groom::edit::Edits,
    project::{
        built_scene::BuiltScene,
        comparison::{Comparison, Measured},
        scene::Scene,
        tween::{Tween, take_shape},
    },
    render::DrawnParts,
    sim::{Simulation, hand::Grab, volume::HairVolume},
};
use glam::Vec3;
use rayon::ThreadPool;
use recording::Recording;
use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::AtomicBool,
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

/// State of both sides at one moment.
type State = (Simulation, Option<Comparison>);

/// State of the simulation thread.
pub(super) struct SimLoop<W> {
    scene: Scene,
    budget: StepBudget,
    /// The scene with fewer substeps or a lower step rate, while the time budget
    /// demands it.
    reduced: Option<(Substepping, Box<Scene>)>,
    stage: Option<BuiltScene>,
    /// The scene's parts that the renderer needs.
    drawing: Option<DrawnParts>,
    generation: u64,
    /// The last two states, for interpolation; `None` when it is not needed.
    tween: Option<Tween>,
    /// The second side of a comparison.
    comparison: Option<Comparison>,
    /// The last seconds, for going back in time.
    rewind: Rewind,
    /// The cache that plays in place of the simulation.
    player: Option<CachePlayer>,
    inspected: Option<usize>,
    /// Vertices that the mouse holds.
    grabbed: Vec<Grab>,
    /// The same and what is pinned.
    held: Vec<Grab>,
    /// The edits that the simulated hair has.
    edited: Edits,
    stats_history: StatsHistory,
    /// Scratch grid for slices through the hair.
    slice_volume: HairVolume,
    /// Positions of both sides, for measuring the distance between them.
    places: [Vec<Vec3>; 2],
    clock: LiveClock,
    pace: Pace,
    stats_interval: StatsInterval,
    paused: bool,
    single_steps: u32,
    /// The time that a pause goes on to by itself: it was sought and is still to come. `[s]`
    ahead: Option<f64>,
    recording: Option<Recording>,
    /// Whether hair that is made next begins at time zero, and not where other hair is.
    anew: bool,
    measured: Measured,
    steps: u64,
    serial: u64,
    step_ms: f64,
    started: Instant,
    /// Set when the window closes: builds in progress stop.
    leaving: Arc<AtomicBool>,
    commands: Receiver<SimCommand>,
    events: Sender<SimEvent>,
    snapshots: triple_buffer::Input<Snapshot>,
    wake: W,
}

impl<W: Fn() + Send> SimLoop<W> {
    /// Returns a loop that has built nothing yet.
    pub(super) fn new(
        scene: Scene,
        commands: Receiver<SimCommand>,
        events: Sender<SimEvent>,
        snapshots: triple_buffer::Input<Snapshot>,
        leaving: Arc<AtomicBool>,
        wake: W,
    ) -> Self {
        Self {
            scene,
            budget: StepBudget::default(),
            reduced: None,
            stage: None,
            drawing: None,
            generation: 0,
            tween: None,
            comparison: None,
            rewind: Rewind::default(),
            player: None,
            inspected: None,
            grabbed: Vec::new(),
            held: Vec::new(),
            edited: Edits::default(),
            stats_history: StatsHistory::default(),
            slice_volume: HairVolume::default(),
            places: [Vec::new(), Vec::new()],
            clock: LiveClock::new(),
            pace: Pace::default(),
            stats_interval: StatsInterval::default(),
            paused: false,
            single_steps: 0,
            ahead: None,
            recording: None,
            anew: false,
            measured: Measured::default(),
            steps: 0,
            serial: 0,
            step_ms: 0.0,
            started: Instant::now(),
            leaving,
            commands,
            events,
            snapshots,
            wake,
        }
    }

    /// Runs until the window has closed.
    pub(super) fn run(&mut self, pool: &ThreadPool) {
        pool.install(|| self.build());
        let mut wait = Some(0.0);
        // The thread waits here; computation runs on the pool.
        while let Some(first) = self.wait_for_order(wait) {
            match pool.install(|| self.take_orders(first).then(|| self.advance())) {
                Some(next) => wait = next,
                None => break,
            }
        }
    }

    /// Real time since the thread started. `[s]`
    fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Sends an event to the window.
    pub(super) fn report(&self, report: SimEvent) {
        // Sending fails if the window has closed; the event is not needed then.
        let _ = self.events.send(report);
        (self.wake)();
    }

    /// Waits for a command, at most `wait` seconds if given. Returns `None` if the
    /// window has closed, `Some(None)` if no command came.
    fn wait_for_order(&self, wait: Option<f64>) -> Option<Option<SimCommand>> {
        match wait {
            None => self.commands.recv().ok().map(Some),
            Some(wait) => {
                let wait = Duration::from_secs_f64(wait.clamp(0.0, 1.0));
                match self.commands.recv_timeout(wait) {
                    Ok(order) => Some(Some(order)),
                    Err(RecvTimeoutError::Timeout) => Some(None),
                    Err(RecvTimeoutError::Disconnected) => None,
                }
            }
        }
    }

    /// Hair to rest, time to zero; a cache to its first frame.
    fn reset(&mut self) {
        if self.player.is_some() {
            return self.show_player(|player| player.go(0));
        }
        self.rewind.clear();
        if let Some(stage) = &mut self.stage {
            stage.simulation.reset(&self.scene.sim);
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.reset();
        }
        self.begin();
    }

    /// Starts, ends or updates the second side.
    fn keep_comparison(&mut self) {
        let Some(stage) = &self.stage else { return };
        if !self.scene.compare.on || self.player.is_some() {
            let ended = self.comparison.take().is_some();
            if ended {
                self.rewind.clear();
            }
            if ended && self.recording.is_none() {
                self.publish(self.time(), None);
            }
            return;
        }
        match &mut self.comparison {
            Some(comparison) => comparison.follow(&self.scene),
            None => {
                let first = &stage.simulation;
                let comparison = Comparison::of(first, self.tween.as_ref(), &self.scene);
                self.comparison = Some(comparison);
                self.rewind.clear();
                self.measure();
                if self.recording.is_none() {
                    self.publish(self.time(), None);
                }
            }
        }
    }

    /// Applies new edits (cut and combed strands) to both sides.
    fn take_edits(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let (edits, groom) = (&self.scene.handwork.edits, &stage.groom);
        let changed = edits.unlike(&self.edited);
        self.edited = edits.clone();
        let curve = |number: usize| {
            let strand = groom.strand_numbered(number)?;
            let curve = edits.curve(groom, strand, &stage.body.grid);
            Some((strand, curve.unwrap_or(Cow::Borrowed(groom.strand(strand)))))
        };
        let reshaped: Vec<_> = changed.into_iter().filter_map(curve).collect();
        if reshaped.is_empty() {
            return;
        }
        let curves = || reshaped.iter().map(|(strand, curve)| (*strand, &**curve));
        stage.simulation.reshape(curves(), &self.scene.sim);
        if let Some(comparison) = &mut self.comparison {
            comparison.reshape(curves());
        }
        self.rewind.clear();
        // States before and after an edit cannot be interpolated.
        self.tween = None;
        if self.recording.is_none() {
            self.publish(self.time(), None);
        }
    }

    /// Attaches both sides to the mouse and the pins.
    fn hold(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let pins = self.scene.handwork.grabs(&stage.groom);
        self.held = pins.chain(self.grabbed.iter().copied()).collect();
        stage.simulation.set_grabs(self.held.clone());
        if let Some(comparison) = &mut self.comparison {
            comparison.set_grabs(self.held.clone());
        }
    }

    /// Selects the strand that both sides inspect.
    fn inspect(&mut self) {
        if let Some(stage) = &mut self.stage {
            stage.simulation.inspect(self.inspected);
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.inspect(self.inspected);
        }
    }

    /// Time of the cache that plays, else of the simulation. `[s]`
    fn time(&self) -> f64 {
        if let Some(player) = &self.player {
            return player.time();
        }
        self.stage
            .as_ref()
            .map_or(0.0, |stage| stage.simulation.time())
    }

    /// Publishes a snapshot at `time` `[s]`; the tween must cover it if it is not the
    /// simulation's own.
    fn publish(&mut self, time: f64, frame: Option<u64>) {
        let Some(stage) = &self.stage else { return };
        self.serial += 1;
        let snapshot = self.snapshots.input_buffer_mut();
        snapshot.ahead = self.ahead;
        snapshot.playing = self.player.as_ref().map(CachePlayer::place);
        snapshot.reach = self.rewind.reach();
        snapshot.generation = self.generation;
        snapshot.serial = self.serial;
        snapshot.frame = frame;
        snapshot.time = time;
        snapshot.motion_begun = stage.simulation.motion_begun();
        snapshot.stats_history.clone_from(&self.stats_history);
        snapshot.real_time = self.pace.factor();
        if let Some(player) = &self.player {
            player.write(snapshot);
            // A cache's times count from its own begin.
            snapshot.motion_begun = 0.0;
            snapshot.measured = Measured::default();
            snapshot.step_ms = 0.0;
            snapshot.substepping = None;
            self.snapshots.publish();
            (self.wake)();
            return;
        }
        snapshot.pose = match &self.tween {
            Some(tween) => {
                tween.write_shape(time, &mut snapshot.shape);
                tween.write(time, unshared(&mut snapshot.positions))
            }
            None => {
                take_shape(&stage.simulation, &mut snapshot.shape);
                let positions = unshared(&mut snapshot.positions);
                stage.simulation.write_positions(positions);
                stage.simulation.pose()
            }
        };
        snapshot.frame_shown = stage.simulation.frame();
        snapshot.measured = self.measured;
        let look = |simulation, params| {
            self.inspected
                .and_then(|strand| Inspection::of(simulation, params, strand))
        };
        snapshot.inspected = look(&stage.simulation, &self.scene.sim);
        let (cut, params) = (self.scene.slice.cut(), &self.scene.sim.volume);
        snapshot.slice =
            cut.map(|cut| stage.simulation.slice(&mut self.slice_volume, params, &cut));
        let show = self.scene.colours.show;
        let colours = |simulation, params| StrandColours::of(simulation, params, show);
        snapshot.colours = colours(&stage.simulation, &self.scene.sim);
        match &self.comparison {
            Some(comparison) => {
                let second = snapshot.second.get_or_insert_with(SecondSnapshot::default);
                comparison.write(time, unshared(&mut second.positions));
                second.measured = comparison.measured;
                second.inspected = look(comparison.simulation(), comparison.params());
                second.colours = colours(comparison.simulation(), comparison.params());
                second.slice = cut.map(|cut| {
                    let side = comparison.simulation();
                    side.slice(&mut self.slice_volume, params, &cut)
                });
            }
            None => snapshot.second = None,
        }
        snapshot.step_ms = self.step_ms;
        snapshot.substepping = self.reduced.as_ref().map(|(chosen, _)| *chosen);
        self.snapshots.publish();
        (self.wake)();
    }
}
