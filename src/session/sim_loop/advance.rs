//! Advances the simulation: live, by single steps, or to the next recorded frame.

use super::SimLoop;
use crate::{
    project::{comparison::distance, scene::Scene, sides::Side, tween::Tween},
    session::stats_history::{Reading, Sample},
    sim::solver::method,
};
use std::time::Instant;

/// Interval of the interpolated states that slow motion shows. `[s]`
const SHOW_EVERY: f64 = 1.0 / 60.0;

/// Longest turn: once its steps have taken this long, the turn shows the last one and
/// drops the steps still due, or slow hair would move in jerks. `[s]`
const TURN_LIMIT: f64 = 0.02;

impl<W: Fn() + Send> SimLoop<W> {
    /// Restarts clocks and statistics from the simulation's state, and shows it.
    pub(super) fn begin(&mut self) {
        self.tween = None;
        self.ahead = None;
        self.steps = 0;
        self.restart_clocks();
        self.measure();
        let time = self.time();
        match &mut self.recording {
            Some(recording) => recording.begin_at(time),
            None => self.publish(time, None),
        }
    }

    /// Drops the time that is due and starts a new span of the real-time factor.
    pub(super) fn restart_clocks(&mut self) {
        self.clock.restart();
        self.pace.restart();
    }

    /// Makes the steps that are due. Returns how long to wait before the next turn
    /// `[s]`; `None` to wait for a command.
    pub(super) fn advance(&mut self) -> Option<f64> {
        self.stage.as_ref()?;
        // In a pause each is a frame of the recording, and waits until that is wanted.
        let singles = match self.paused && self.recording.is_some() {
            true => self.single_steps,
            false => std::mem::take(&mut self.single_steps),
        };
        if self.player.is_some() {
            return self.advance_film(singles);
        }
        self.keep_budget();
        if self.recording.is_some() {
            self.advance_recording(singles > 0)
        } else if self.paused {
            for _ in 0..singles {
                self.step_on();
            }
            self.go_ahead()
        } else {
            Some(self.advance_live())
        }
    }

    /// Half a step: no other moment is nearer. `[s]`
    pub(super) fn near(&self) -> f64 {
        0.5 / f64::from(self.scene.sim.step.rate)
    }

    /// Goes some steps on to the time that was sought in a pause. Returns how long to wait
    /// before the next ones; `None` where that is reached, or nothing was sought. `[s]`
    fn go_ahead(&mut self) -> Option<f64> {
        let (time, begun) = (self.ahead?, self.now());
        self.keep_tween(false);
        while self.time() + self.near() < time && self.now() - begun < TURN_LIMIT {
            self.step();
        }
        if self.time() + self.near() >= time {
            self.ahead = None;
            self.measure();
        }
        self.publish(self.time(), None);
        self.ahead.map(|_| 0.0)
    }

    /// Sets rate and substeps of the next steps to what the time budget allows.
    fn keep_budget(&mut self) {
        let live = self.recording.is_none() && self.comparison.is_none() && !self.paused;
        let speed = f64::from(self.scene.sim.step.speed);
        let share = self.pace.factor().map(|factor| factor / speed);
        self.budget.watch(self.now(), share.filter(|_| live));
        let chosen = self.budget.choose(&self.scene.sim.step, live);
        if chosen != self.reduced.as_ref().map(|(current, _)| *current) {
            self.reduced = chosen.map(|chosen| {
                let mut scene = Box::new(self.scene.clone());
                chosen.apply_to(&mut scene.sim.step);
                (chosen, scene)
            });
            // Rewind repeats each step with the parameters it had.
            self.rewind.renew();
        }
    }

    /// The scene that steps use: reduced where the time budget demands it.
    fn stepped_scene(&self) -> &Scene {
        match &self.reduced {
            Some((_, scene)) => scene,
            None => &self.scene,
        }
    }

    fn advance_live(&mut self) -> f64 {
        let dt = 1.0 / f64::from(self.stepped_scene().sim.step.rate);
        let speed = f64::from(self.scene.sim.step.speed);
        let slow = dt / speed > 1.5 * SHOW_EVERY;
        self.keep_tween(slow);
        let now = self.now();
        let steps = self.clock.steps(now, dt, speed);
        for _ in 0..steps {
            self.step();
            if self.now() - now > TURN_LIMIT {
                break;
            }
        }
        match &self.tween {
            Some(tween) => {
                self.publish(tween.time_at(self.clock.fraction(dt)), None);
                SHOW_EVERY.min(self.clock.wait(dt, speed)) - (self.now() - now)
            }
            None => {
                if steps > 0 {
                    self.publish(self.time(), None);
                }
                // The steps took part of the wait.
                self.clock.wait(dt, speed) - (self.now() - now)
            }
        }
    }

    /// Publishes the next frame of the recording if the window is ready for it.
    fn advance_recording(&mut self, single: bool) -> Option<f64> {
        self.keep_tween(true);
        let now = self.now();
        let speed = f64::from(self.scene.sim.step.speed);
        let recording = self.recording.as_mut()?;
        if let Some(wait) = recording.wait(now, self.paused, single) {
            return wait;
        }
        let (frame, time) = recording.next(now, speed);
        self.single_steps = self.single_steps.saturating_sub(1);
        while self.tween.as_ref().is_some_and(|tween| !tween.covers(time)) {
            self.step();
        }
        self.publish(time, Some(frame));
        Some(0.0)
    }

    /// Starts or stops keeping the last two states for interpolation. At 100,000
    /// strands their copies cost as much as a substep.
    pub(super) fn keep_tween(&mut self, keep: bool) {
        match (&self.stage, keep) {
            (Some(stage), true) if self.tween.is_none() => {
                self.tween = Some(Tween::new(&stage.simulation));
            }
            (_, false) => self.tween = None,
            _ => {}
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.keep_tween(keep);
        }
    }

    /// Makes one step of both sides.
    pub(super) fn step(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let begun = Instant::now();
        let (simulation, comparison) = (&stage.simulation, self.comparison.as_ref());
        let scene = match &self.reduced {
            Some((_, scene)) => scene,
            None => &self.scene,
        };
        self.rewind.note(simulation, comparison, scene, &self.held);
        match &mut self.tween {
            Some(tween) => tween.step(&mut stage.simulation, &scene.sim),
            None => stage.simulation.step(&scene.sim),
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.step();
        }
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        self.step_ms = if self.steps == 0 {
            ms
        } else {
            0.9 * self.step_ms + 0.1 * ms
        };
        self.budget.record(ms);
        self.pace.add(
            self.now(),
            1.0 / f64::from(self.stepped_scene().sim.step.rate),
        );
        self.steps += 1;
        if self.stats_interval.is_due(ms) {
            self.measure();
        }
    }

    /// Measures both sides and adds a point to the plots.
    pub(super) fn measure(&mut self) {
        let Some(stage) = &self.stage else { return };
        let begun = Instant::now();
        let first = &stage.simulation;
        self.measured.take(first, &self.scene.sim);
        let second = self.comparison.as_mut().map(|comparison| {
            comparison.measure();
            let [one, two] = &mut self.places;
            first.write_positions(one);
            comparison.simulation().write_positions(two);
            let second = method(self.scene.solver(Side::B));
            let reading = Reading::new(&comparison.measured.statistics, second);
            (reading, distance(one, two))
        });
        self.stats_history.add(Sample {
            time: first.time(),
            first: Reading::new(
                &self.measured.statistics,
                method(self.scene.solver(Side::A)),
            ),
            second,
        });
        self.stats_interval
            .measured(begun.elapsed().as_secs_f64() * 1e3);
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        project::scene::Scene,
        session::sim_handle::{SimCommand, SimHandle},
    };
    use std::{
        thread,
        time::{Duration, Instant},
    };

    #[test]
    fn each_step_in_a_pause_is_a_frame_of_the_recording_however_late_it_is_wanted() {
        let mut scene = Scene::default();
        scene.roots.strands = 30;
        scene.groom.vertices = 8;
        let mut worker = SimHandle::spawn(scene, None, || ()).expect("a thread");
        worker.order(SimCommand::Pause(true));
        worker.order(SimCommand::Record {
            fps: 24,
            from_start: false,
        });
        for _ in 0..3 {
            worker.order(SimCommand::Step);
        }
        for frame in 0..3 {
            let begun = Instant::now();
            while worker.latest().frame != Some(frame) {
                assert!(begun.elapsed().as_secs() < 60, "waited in vain for {frame}");
                thread::sleep(Duration::from_millis(2));
            }
            worker.order(SimCommand::NextFrame);
        }
        thread::sleep(Duration::from_millis(100));
        assert_eq!(worker.latest().frame, Some(2), "no step makes two frames");
    }
}
