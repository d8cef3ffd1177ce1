//! What the simulation's thread does: orders in, steps, snapshots out.

mod advance;
mod build;
mod past;

use super::{
    budget::{StepBudget, StepCut},
    cache_player::CachePlayer,
    clock::{LiveClock, Measuring, Pace},
    hold_view::HoldView,
    inspection::Inspection,
    messages::{SimCommand, SimEvent},
    rewind::Rewind,
    snapshot::{SecondSnapshot, Snapshot, unshared},
    stats_history::StatsHistory,
};
use crate::{
    groom::edit::Edits,
    io::cache::Reader,
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
use std::{
    sync::{
        Arc,
        atomic::AtomicBool,
        mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError},
    },
    time::{Duration, Instant},
};

/// Both sides at some moment.
type State = (Simulation, Option<Comparison>);

/// A recording in progress.
struct Recording {
    fps: u32,
    /// Simulated time of frame `base`. `[s]`
    from: f64,
    base: u64,
    /// Frames published so far.
    frames: u64,
    /// Frames the window is ready for.
    wanted: u64,
    /// Real time before which the next frame is not shown. `[s]`
    not_before: f64,
}

/// The thread's own state.
pub(super) struct SimLoop<W> {
    scene: Scene,
    budget: StepBudget,
    /// The scene as it is stepped where steps are cut by their budget, and how.
    thrifty: Option<(StepCut, Box<Scene>)>,
    stage: Option<BuiltScene>,
    /// What the picture has to know of it.
    drawing: Option<DrawnParts>,
    generation: u64,
    /// The last two states; none when nobody asks for what is between.
    tween: Option<Tween>,
    /// The second side, while there is one.
    comparison: Option<Comparison>,
    /// The last seconds.
    rewind: Rewind,
    /// The cache that is played in place of the simulation, and the next one.
    film: Option<CachePlayer>,
    next_film: Option<Box<Reader>>,
    /// Where the window wants to go. `[s]`
    sought: Option<f64>,
    inspected: Option<usize>,
    /// What the hand holds now.
    grabbed: Vec<Grab>,
    /// The edits that the hair has taken up.
    edited: Edits,
    trail: StatsHistory,
    /// What cuts through the hair are made with.
    lens: HairVolume,
    /// Positions of both sides, to be compared.
    places: [Vec<Vec3>; 2],
    clock: LiveClock,
    pace: Pace,
    measuring: Measuring,
    paused: bool,
    single_steps: u32,
    recording: Option<Recording>,
    measured: Measured,
    steps: u64,
    serial: u64,
    step_ms: f64,
    started: Instant,
    /// The window is about to close: nothing more is to be built.
    leaving: Arc<AtomicBool>,
    commands: Receiver<SimCommand>,
    events: Sender<SimEvent>,
    snapshots: triple_buffer::Input<Snapshot>,
    wake: W,
}

impl<W: Fn() + Send> SimLoop<W> {
    /// Nothing is built yet.
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
            thrifty: None,
            stage: None,
            drawing: None,
            generation: 0,
            tween: None,
            comparison: None,
            rewind: Rewind::default(),
            film: None,
            next_film: None,
            sought: None,
            inspected: None,
            grabbed: Vec::new(),
            edited: Edits::default(),
            trail: StatsHistory::default(),
            lens: HairVolume::default(),
            places: [Vec::new(), Vec::new()],
            clock: LiveClock::new(),
            pace: Pace::default(),
            measuring: Measuring::default(),
            paused: false,
            single_steps: 0,
            recording: None,
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

    /// Works until the window is gone.
    pub(super) fn run(&mut self, pool: &ThreadPool) {
        pool.install(|| self.build());
        let mut wait = Some(0.0);
        // Waiting is done here; what computes runs on the pool.
        while let Some(first) = self.wait_for_order(wait) {
            match pool.install(|| self.take_orders(first).then(|| self.advance())) {
                Some(next) => wait = next,
                None => break,
            }
        }
    }

    fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Tells the window.
    pub(super) fn report(&self, report: SimEvent) {
        // The window may be gone already; then nobody wants to know.
        let _ = self.events.send(report);
        (self.wake)();
    }

    /// Waits so many seconds for an order (none: until one comes). Nothing when the
    /// window is gone; an order that did not come is none.
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

    /// Obeys `first` and all orders that are there. False when the window is gone.
    fn take_orders(&mut self, first: Option<SimCommand>) -> bool {
        let mut scene = None;
        let mut next = first.map_or_else(|| self.commands.try_recv(), Ok);
        loop {
            match next {
                Ok(SimCommand::Scene(newest)) => scene = Some(newest),
                Ok(SimCommand::Ready(newest, ready)) => {
                    // What came before it counts no more.
                    scene = None;
                    self.take_ready(*newest, *ready);
                }
                Ok(order) => self.obey(order),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return false,
            }
            next = self.commands.try_recv();
        }
        // Of many scenes, as a dragged slider sends them, only the newest counts.
        if let Some(scene) = scene {
            let shown = |scene: &Scene| (scene.slice.cut(), scene.hold.on);
            let before = shown(&self.replace_scene(*scene));
            if self.stage.as_ref().is_none_or(|s| !s.suits(&self.scene)) {
                self.build();
            }
            self.keep_comparison();
            if before != shown(&self.scene) && self.recording.is_none() {
                self.publish(self.time(), None);
            }
            self.take_edits();
            self.hold();
            self.rewind.change();
        }
        if let Some(reader) = self.next_film.take() {
            self.play(*reader);
        }
        if let Some(time) = self.sought.take() {
            self.seek(time);
        }
        true
    }

    /// Replaces the scene and returns the old one. Steps reduced to the time budget
    /// are derived again from the new scene.
    fn replace_scene(&mut self, scene: Scene) -> Scene {
        self.thrifty = None;
        std::mem::replace(&mut self.scene, scene)
    }

    fn obey(&mut self, order: SimCommand) {
        match order {
            SimCommand::Scene(_) | SimCommand::Ready(..) => {}
            SimCommand::Pause(paused) => {
                self.paused = paused;
                self.restart_clocks();
                if !paused && self.film.as_ref().is_some_and(CachePlayer::ended) {
                    self.show_film(|film| film.go(0));
                }
            }
            SimCommand::Step => self.single_steps += 1,
            SimCommand::Reset if self.film.is_some() => self.show_film(|film| film.go(0)),
            SimCommand::Reset => {
                self.rewind.clear();
                if let Some(stage) = &mut self.stage {
                    stage.simulation.reset();
                }
                if let Some(comparison) = &mut self.comparison {
                    comparison.reset();
                }
                self.begin();
            }
            SimCommand::Inspect(strand) => {
                self.inspected = strand;
                self.inspect();
                if self.recording.is_none() {
                    self.publish(self.time(), None);
                }
            }
            SimCommand::Grab(grabs) => {
                self.grabbed = grabs;
                self.hold();
                self.rewind.change();
            }
            SimCommand::Go(steps) => self.go(steps),
            SimCommand::Seek(time) => self.sought = Some(time),
            SimCommand::Play(reader) => self.next_film = Some(reader),
            SimCommand::Loop(on) => self.show_film(|film| {
                film.set_looping(on);
                Ok(())
            }),
            SimCommand::Leave => {
                self.leave_film();
                if let Some(stage) = &mut self.stage {
                    stage.simulation.reset();
                }
                self.keep_comparison();
                self.hold();
                self.begin();
            }
            SimCommand::Record(fps) => {
                self.restart_clocks();
                self.recording = fps.map(|fps| Recording {
                    fps,
                    from: self.time(),
                    base: 0,
                    frames: 0,
                    wanted: 1,
                    not_before: self.now(),
                });
            }
            SimCommand::NextFrame => {
                if let Some(recording) = &mut self.recording {
                    recording.wanted += 1;
                }
            }
        }
    }

    /// Starts the second side, ends it, or tells it what has changed.
    fn keep_comparison(&mut self) {
        let Some(stage) = &self.stage else { return };
        if !self.scene.compare.on || self.film.is_some() {
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

    /// Lets the hair of both sides take up what was cut and combed.
    fn take_edits(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let edits = &self.scene.handwork.edits;
        let groom = &stage.groom;
        let curve = |strand| edits.curve(strand).unwrap_or_else(|| groom.strand(strand));
        let mut strands = edits.unlike(&self.edited);
        strands.retain(|strand| *strand < groom.strands());
        if strands.is_empty() {
            return;
        }
        let curves = || strands.iter().map(|strand| (*strand, curve(*strand)));
        stage.simulation.reshape(curves(), &self.scene.sim);
        if let Some(comparison) = &mut self.comparison {
            comparison.reshape(curves());
        }
        self.edited = self.scene.handwork.edits.clone();
        self.rewind.clear();
        // Between the state before and the one after lies nothing.
        self.tween = None;
        if self.recording.is_none() {
            self.publish(self.time(), None);
        }
    }

    /// Lets both sides be held where the hand and the pins are.
    fn hold(&mut self) {
        let grabs = || [&self.scene.handwork.pins[..], &self.grabbed].concat();
        if let Some(stage) = &mut self.stage {
            stage.simulation.hold(grabs());
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.hold(grabs());
        }
    }

    /// Lets both sides tell of the strand that is looked at.
    fn inspect(&mut self) {
        if let Some(stage) = &mut self.stage {
            stage.simulation.inspect(self.inspected);
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.inspect(self.inspected);
        }
    }

    fn time(&self) -> f64 {
        if let Some(film) = &self.film {
            return film.time();
        }
        self.stage
            .as_ref()
            .map_or(0.0, |stage| stage.simulation.time())
    }

    /// Shows the hair at `time`, which the tween covers if it is not now.
    fn publish(&mut self, time: f64, frame: Option<u64>) {
        let Some(stage) = &self.stage else { return };
        self.serial += 1;
        let snapshot = self.snapshots.input_buffer_mut();
        snapshot.film = self.film.as_ref().map(CachePlayer::place);
        snapshot.reach = self.rewind.reach();
        snapshot.generation = self.generation;
        snapshot.serial = self.serial;
        snapshot.frame = frame;
        snapshot.time = time;
        snapshot.motion_begun = stage.simulation.motion_begun();
        if let Some(film) = &self.film {
            film.write(snapshot);
            snapshot.measured = Measured::default();
            snapshot.step_ms = 0.0;
            snapshot.cut = None;
            snapshot.real_time = self.pace.factor();
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
        snapshot.slice = cut.map(|cut| stage.simulation.slice(&mut self.lens, params, &cut));
        let held = |simulation, params| {
            let wanted = self.scene.hold.on;
            wanted.then(|| HoldView::of(simulation, params))
        };
        snapshot.hold = held(&stage.simulation, &self.scene.sim);
        match &self.comparison {
            Some(comparison) => {
                let second = snapshot.second.get_or_insert_with(SecondSnapshot::default);
                comparison.write(time, unshared(&mut second.positions));
                second.measured = comparison.measured;
                second.inspected = look(comparison.simulation(), comparison.params());
                second.hold = held(comparison.simulation(), comparison.params());
                second.slice = cut.map(|cut| {
                    let side = comparison.simulation();
                    side.slice(&mut self.lens, params, &cut)
                });
            }
            None => snapshot.second = None,
        }
        snapshot.trail.clone_from(&self.trail);
        snapshot.step_ms = self.step_ms;
        snapshot.cut = self.thrifty.as_ref().map(|(cut, _)| *cut);
        snapshot.real_time = self.pace.factor();
        self.snapshots.publish();
        (self.wake)();
    }
}
