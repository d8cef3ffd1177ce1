//! Hair that was simulated before: the last seconds, and caches.

use super::SimLoop;
use crate::{
    io::cache::CacheError,
    project::{playback::RecordedHair, scene::Scene},
    session::{
        cache_player::CachePlayer,
        messages::{Playing, SimEvent},
    },
};

impl<W: Fn() + Send> SimLoop<W> {
    /// Goes so many steps, or frames of a cache, back or forth.
    pub(super) fn go(&mut self, steps: i64) {
        if self.recording.is_some() {
            return;
        }
        if self.player.is_some() {
            return self.show_player(|player| player.advance(steps));
        }
        let found = self.rewind.go(steps);
        self.return_to(found);
    }

    /// One step while paused: through what was, where one has gone back and
    /// nothing was changed since.
    pub(super) fn step_on(&mut self) {
        if self.rewind.is_ahead() {
            return self.go(1);
        }
        self.step();
        self.measure();
        self.publish(self.time(), None);
    }

    /// Shows the head as it was posed in a pause; the hair rides along. A recording, whose
    /// frames follow one another, waits for the next step.
    pub(super) fn pose_head(&mut self, before: &Scene) {
        let Some(stage) = &mut self.stage else { return };
        let (old, new) = (&before.sim, &self.scene.sim);
        if old.motion == new.motion && old.tracks == new.tracks {
            return;
        }
        if self.recording.is_some() || self.player.is_some() {
            return;
        }
        let before = stage.simulation.pose();
        stage.simulation.pose_head(&self.scene.sim);
        if let Some(comparison) = &mut self.comparison {
            comparison.pose_head();
        }
        if stage.simulation.pose() == before {
            return;
        }
        self.keep_tween(false);
        self.rewind.leap();
        self.publish(self.time(), None);
    }

    /// Goes to the moment nearest to `time`. `[s]`
    pub(super) fn seek(&mut self, time: f64) {
        if self.recording.is_some() {
            return;
        }
        if self.player.is_some() {
            let number = |player: &CachePlayer| (time * player.fps()).round() as u32;
            return self.show_player(|player| player.go(number(player)));
        }
        let found = self.rewind.seek(time);
        self.return_to(found);
        // What is still to come is simulated first.
        self.ahead = (self.paused && time > self.time() + self.near()).then_some(time);
    }

    /// Takes up a state of the past.
    fn return_to(&mut self, found: Option<super::State>) {
        let (Some((simulation, comparison)), Some(stage)) = (found, &mut self.stage) else {
            return;
        };
        stage.simulation = simulation;
        self.comparison = comparison;
        if let Some(comparison) = &mut self.comparison {
            comparison.follow(&self.scene);
            comparison.keep_tween(false);
        }
        self.tween = None;
        // The hand and the pins are where they are now.
        self.hold();
        self.inspect();
        self.restart_clocks();
        let time = self.time();
        self.stats_history.cut(time);
        if let Some(stage) = &self.stage {
            self.measured.take(&stage.simulation, &self.scene.sim);
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.measure();
        }
        self.publish(time, None);
    }

    /// Plays a cache from its first frame on.
    pub(super) fn play(&mut self, reader: RecordedHair) {
        let Some(stage) = &self.stage else { return };
        let player = match CachePlayer::new(reader, stage) {
            Ok(player) => player,
            Err(error) => {
                return self.report(SimEvent::Failed {
                    message: error.to_string(),
                    scene: None,
                });
            }
        };
        self.report(SimEvent::Playing(Some(Playing {
            path: player.reader().path().into(),
            told: player.reader().told(),
        })));
        self.player = Some(player);
        self.rewind.clear();
        self.stats_history.clear();
        self.keep_comparison();
        self.tween = None;
        self.restart_clocks();
        self.publish(self.time(), None);
    }

    /// Plays no cache any more.
    pub(super) fn leave_film(&mut self) {
        self.rewind.clear();
        if self.player.take().is_some() {
            self.report(SimEvent::Playing(None));
        }
    }

    /// Does something with the cache that is played, and shows it.
    pub(super) fn show_player(
        &mut self,
        change: impl FnOnce(&mut CachePlayer) -> Result<(), CacheError>,
    ) {
        self.change_player(change);
        if self.recording.is_none() {
            self.publish(self.time(), None);
        }
    }

    fn change_player(&mut self, change: impl FnOnce(&mut CachePlayer) -> Result<(), CacheError>) {
        if let Some(player) = &mut self.player
            && let Err(error) = change(player)
        {
            self.report(SimEvent::Failed {
                message: error.to_string(),
                scene: None,
            });
        }
    }

    /// Shows what is due of the cache that is played; returns how long to wait
    /// then (none: until there is an order).
    pub(super) fn advance_film(&mut self, singles: u32) -> Option<f64> {
        if self.recording.is_some() {
            return self.record_film(singles > 0);
        }
        if self.paused {
            if singles > 0 {
                self.show_player(|player| player.advance(singles.into()));
            }
            return None;
        }
        let dt = 1.0 / self.player.as_ref()?.fps();
        let speed = f64::from(self.scene.sim.step.speed);
        let now = self.now();
        let frames = self.clock.steps(now, dt, speed);
        if frames > 0 {
            self.pace.add(now, f64::from(frames) * dt);
            self.show_player(|player| player.advance(frames.into()));
            if self.player.as_ref().is_some_and(CachePlayer::ended) {
                self.report(SimEvent::Ended);
                return None;
            }
        }
        Some(self.clock.wait(dt, speed) - (self.now() - now))
    }

    /// Publishes the next frame of the recording if the window is ready for it.
    fn record_film(&mut self, single: bool) -> Option<f64> {
        let now = self.now();
        let speed = f64::from(self.scene.sim.step.speed);
        let recording = self.recording.as_mut()?;
        if let Some(wait) = recording.wait(now, self.paused, single) {
            return wait;
        }
        let (frame, time) = recording.next(now, speed);
        self.single_steps = self.single_steps.saturating_sub(1);
        let Some(number) = self.player.as_ref()?.number_at(time) else {
            self.report(SimEvent::Ended);
            return None;
        };
        self.change_player(|player| player.go(number));
        self.publish(time, Some(frame));
        Some(0.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        io::cache::{Frame, Reader, Writer},
        project::{
            built_scene,
            playback::{self, RecordedHair},
            scene::Scene,
        },
        session::sim_handle::{SimCommand, SimEvent, SimHandle, Snapshot},
        sim::MotionPreset,
    };
    use std::{
        path::Path,
        thread,
        time::{Duration, Instant},
    };

    fn small() -> Scene {
        let mut scene = Scene::default();
        scene.roots.strands = 30;
        scene.groom.vertices = 8;
        scene.sim.wind.on = true;
        scene
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

    fn at(worker: &mut SimHandle, what: &str, good: impl Fn(&Snapshot) -> bool) -> Snapshot {
        wait(what, || Some(worker.latest().clone()).filter(&good))
    }

    fn report(worker: &SimHandle, what: &str, good: impl Fn(&SimEvent) -> bool) -> SimEvent {
        wait(what, || worker.report().filter(&good))
    }

    #[test]
    fn steps_back_and_forth_are_the_same_states_and_time_goes_on_from_there() {
        let mut scene = small();
        let mut worker = SimHandle::spawn(scene.clone(), None, || ()).expect("a thread");
        at(&mut worker, "half a second", |s| s.time > 0.5);
        worker.order(SimCommand::Pause(true));
        let mut states: Vec<Snapshot> = Vec::new();
        // The step that was being made may still arrive.
        thread::sleep(Duration::from_millis(100));
        for _ in 0..6 {
            let last = worker.latest().serial;
            worker.order(SimCommand::Step);
            states.push(at(&mut worker, "a step", |s| s.serial > last));
        }
        for back in 1..6 {
            worker.order(SimCommand::Go(-1));
            let old = &states[5 - back];
            let now = at(&mut worker, "the past", |s| s.time == old.time);
            assert!(now.positions == old.positions, "{back} back");
            let reach = now.reach.expect("a past");
            assert_eq!((reach.from, reach.to), (0.0, states[5].time));
            assert!(reach.memory > 0.0);
        }
        for (forth, old) in states[1..=3].iter().enumerate() {
            worker.order(SimCommand::Step);
            let now = at(&mut worker, "what was", |s| s.time == old.time);
            assert!(now.positions == old.positions, "{forth} forth");
            assert_eq!(
                now.reach.map(|r| r.to),
                Some(states[5].time),
                "nothing is lost"
            );
        }
        worker.order(SimCommand::Seek(states[0].time + 0.001));
        at(&mut worker, "another moment", |s| s.time == states[0].time);
        // Without the wind it goes another way.
        scene.sim.wind.on = false;
        worker.order(SimCommand::Scene(Box::new(scene)));
        worker.order(SimCommand::Step);
        let other = at(&mut worker, "another way", |s| s.time == states[1].time);
        assert!(other.positions != states[1].positions);
        assert_eq!(
            other.reach.map(|r| r.to),
            Some(states[1].time),
            "what was ahead is gone"
        );
        // What is sought beyond all that was is simulated; time stands still there.
        let there = states[1].time + 0.25;
        worker.order(SimCommand::Seek(there));
        let ahead = at(&mut worker, "what was to come", |s| {
            s.ahead.is_none() && s.time > there - 0.01
        });
        assert!((ahead.time - there).abs() < 0.01, "{}", ahead.time);
        assert!(ahead.reach.is_some_and(|reach| reach.to == ahead.time));
        worker.order(SimCommand::Pause(false));
        at(&mut worker, "live hair", |s| s.time > ahead.time + 0.1);
        // Standing still, or the begin could be over before one has looked.
        worker.order(SimCommand::Pause(true));
        worker.order(SimCommand::Reset);
        at(&mut worker, "the begin", |s| {
            s.time == 0.0 && s.reach.is_none()
        });
    }

    #[test]
    fn a_head_posed_in_a_pause_moves_at_once_with_its_hair_and_can_be_gone_back_to() {
        let mut scene = small();
        (scene.sim.wind.on, scene.compare.on) = (false, true);
        scene.sim.motion.preset = MotionPreset::None;
        let mut worker = SimHandle::spawn(scene.clone(), None, || ()).expect("a thread");
        at(&mut worker, "hair", |s| s.time > 0.2);
        worker.order(SimCommand::Pause(true));
        thread::sleep(Duration::from_millis(100));
        let before = worker.latest().clone();
        scene.sim.motion.yaw = 80.0;
        worker.order(SimCommand::Scene(Box::new(scene.clone())));
        let posed = at(&mut worker, "the pose", |s| s.serial > before.serial);
        assert_eq!(posed.time, before.time);
        let turn = posed.pose.rotation.angle_between(before.pose.rotation);
        assert!((turn - 80f32.to_radians()).abs() < 1e-3, "{turn}");
        let in_head = |s: &Snapshot, i: usize| {
            let inverse = s.pose.rotation.conjugate();
            inverse * (s.positions[i] - s.pose.translation)
        };
        for i in 0..before.positions.len() {
            let apart = in_head(&posed, i).distance(in_head(&before, i));
            assert!(apart < 1e-5, "{apart}");
        }
        let second = posed.second.as_ref().expect("a second side");
        assert!(second.positions[0].distance(posed.positions[0]) < 1e-6);
        // Time goes on without a jolt.
        worker.order(SimCommand::Step);
        let next = at(&mut worker, "a step", |s| s.time > posed.time);
        for (a, b) in next.positions.iter().zip(posed.positions.iter()) {
            assert!(a.distance(*b) < 2e-3, "{}", a.distance(*b));
        }
        // The past knows the pose.
        worker.order(SimCommand::Go(-1));
        let back = at(&mut worker, "back", |s| {
            s.time == posed.time && s.serial > next.serial
        });
        assert!(back.pose == posed.pose && back.positions == posed.positions);
        worker.order(SimCommand::Step);
        let again = at(&mut worker, "forth", |s| {
            s.time == next.time && s.serial > back.serial
        });
        assert!(again.positions == next.positions);
    }

    /// A cache of 20 frames at 24 a second, in which the hair climbs.
    fn cache(path: &Path, scene: &Scene) -> Vec<Frame> {
        let stage = built_scene::build(scene).expect("builds");
        let header = playback::header(path, scene, &stage, 20);
        let mut writer = Writer::create(path, header).expect("created");
        let frame = |number: u32| Frame {
            number,
            time: f64::from(number) / 24.0,
            pose: stage.simulation.pose(),
            positions: (stage.groom.points.iter())
                .map(|p| *p + 0.01 * number as f32)
                .collect(),
            shape: Vec::new(),
        };
        let frames: Vec<Frame> = (0..20).map(frame).collect();
        frames
            .iter()
            .for_each(|frame| writer.write(frame).expect("written"));
        frames
    }

    #[test]
    fn what_is_wanted_in_one_breath_is_done_in_its_order() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.cache");
        let scene = small();
        cache(&path, &scene);
        let reader = RecordedHair::Cache(Box::new(Reader::open(&path).expect("opens")));
        // While the hair is built, all of these wait.
        let mut worker = SimHandle::spawn(scene, None, || ()).expect("a thread");
        worker.order(SimCommand::Play(Box::new(reader)));
        worker.order(SimCommand::Leave);
        let mut playing = Vec::new();
        wait("live hair", || {
            if let Some(SimEvent::Playing(cache)) = worker.report() {
                playing.push(cache.is_some());
            }
            (worker.latest().time > 0.1).then_some(())
        });
        assert_eq!(
            (playing, worker.latest().playing),
            (vec![true, false], None)
        );
    }

    #[test]
    fn a_cache_is_played_sought_recorded_and_left() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.cache");
        let scene = small();
        let frames = cache(&path, &scene);
        let play = || {
            SimCommand::Play(Box::new(RecordedHair::Cache(Box::new(
                Reader::open(&path).expect("opens"),
            ))))
        };
        let mut worker = SimHandle::spawn(scene, None, || ()).expect("a thread");
        worker.order(play());
        let playing = report(&worker, "the cache", |r| {
            matches!(r, SimEvent::Playing(Some(_)))
        });
        let SimEvent::Playing(Some(playing)) = playing else {
            return;
        };
        assert_eq!(
            (playing.path, playing.told.as_str()),
            (path.clone(), "20 frames")
        );
        let shown = |snapshot: &Snapshot| snapshot.playing.map(|place| place.frame);
        // Round and round.
        at(&mut worker, "a late frame", |s| shown(s) > Some(15));
        at(&mut worker, "an early frame", |s| {
            shown(s).is_some_and(|frame| frame < 10)
        });
        worker.order(SimCommand::Pause(true));
        worker.order(SimCommand::Seek(7.2 / 24.0));
        let seven = at(&mut worker, "frame 7", |s| shown(s) == Some(7));
        for (a, b) in seven.positions.iter().zip(&frames[7].positions) {
            assert!(a.distance(*b) < 1e-5);
        }
        assert_eq!(seven.time, 7.0 / 24.0);
        worker.order(SimCommand::Step);
        at(&mut worker, "frame 8", |s| shown(s) == Some(8));
        worker.order(SimCommand::Go(-10));
        at(&mut worker, "frame 18, round the begin", |s| {
            shown(s) == Some(18)
        });
        // A recording takes what is left, frame by frame, and ends there.
        worker.order(SimCommand::Seek(16.0 / 24.0));
        at(&mut worker, "frame 16", |s| shown(s) == Some(16));
        worker.order(SimCommand::Record {
            fps: 24,
            from_start: false,
        });
        worker.order(SimCommand::Pause(false));
        for frame in 0..4 {
            let taken = at(&mut worker, "a frame", |s| s.frame == Some(frame));
            assert_eq!(shown(&taken), Some(16 + frame as u32));
            worker.order(SimCommand::NextFrame);
        }
        report(&worker, "the end", |r| matches!(r, SimEvent::Ended));
        worker.order(SimCommand::EndRecording);
        // Without a loop it ends by itself.
        worker.order(SimCommand::Seek(14.0 / 24.0));
        worker.order(SimCommand::Loop(false));
        report(&worker, "the end", |r| matches!(r, SimEvent::Ended));
        at(&mut worker, "the last frame", |s| shown(s) == Some(19));
        worker.order(SimCommand::Leave);
        report(&worker, "live hair", |r| {
            matches!(r, SimEvent::Playing(None))
        });
        let live = at(&mut worker, "live hair", |s| {
            s.playing.is_none() && s.time > 0.1
        });
        assert!(live.reach.is_some());
        // A cache of other hair is refused, and the hair goes on.
        let mut other = small();
        other.groom.length *= 0.5;
        worker.order(SimCommand::Scene(Box::new(other)));
        worker.order(play());
        let refused = report(&worker, "a complaint", |r| {
            matches!(r, SimEvent::Failed { .. })
        });
        let SimEvent::Failed { message, .. } = refused else {
            return;
        };
        assert!(message.contains("was made of other hair"), "{message}");
        let time = worker.latest().time;
        at(&mut worker, "live hair", |s| {
            s.playing.is_none() && s.time > time
        });
    }
}
