//! The hair goes on: live, step by step, or from frame to frame of a recording.

use super::SimLoop;
use crate::{
    project::{comparison::distance, scene::Scene, tween::Tween},
    session::stats_history::Sample,
};
use std::time::Instant;

/// In slow motion the states between two steps are shown, this far apart. `[s]`
const SHOW_EVERY: f64 = 1.0 / 60.0;

/// Steps that take longer than this together are shown before the next is made, or
/// slow hair would move in jerks; time that is due then is dropped. `[s]`
const LATE: f64 = 0.02;

impl<W: Fn() + Send> SimLoop<W> {
    /// Starts anew from the simulation's state, and shows it.
    pub(super) fn begin(&mut self) {
        self.tween = None;
        self.steps = 0;
        self.restart_clocks();
        self.measure();
        let time = self.time();
        match &mut self.recording {
            Some(recording) => {
                recording.from = time;
                recording.base = recording.frames;
            }
            None => self.publish(time, None),
        }
    }

    pub(super) fn restart_clocks(&mut self) {
        self.clock.restart();
        self.pace.restart();
    }

    /// Moves the hair on as far as it is due; returns how long to wait then
    /// (none: until there is an order).
    pub(super) fn advance(&mut self) -> Option<f64> {
        self.stage.as_ref()?;
        let singles = std::mem::take(&mut self.single_steps);
        if self.film.is_some() {
            return self.advance_film(singles);
        }
        self.keep_budget();
        if self.recording.is_some() {
            self.advance_recording(singles > 0)
        } else if self.paused {
            for _ in 0..singles {
                self.step_on();
            }
            None
        } else {
            Some(self.advance_live())
        }
    }

    /// Cuts the next steps as their budget wants it.
    fn keep_budget(&mut self) {
        let live = self.recording.is_none() && self.comparison.is_none() && !self.paused;
        let cut = self.budget.cut(&self.scene.sim.step, live);
        if cut != self.thrifty.as_ref().map(|(cut, _)| *cut) {
            self.thrifty = cut.map(|cut| {
                let mut scene = Box::new(self.scene.clone());
                cut.apply(&mut scene.sim.step);
                (cut, scene)
            });
            // Who goes back makes the same steps again.
            self.rewind.change();
        }
    }

    /// The scene as it is stepped.
    fn stepped(&self) -> &Scene {
        match &self.thrifty {
            Some((_, scene)) => scene,
            None => &self.scene,
        }
    }

    fn advance_live(&mut self) -> f64 {
        let dt = 1.0 / f64::from(self.stepped().sim.step.rate);
        let speed = f64::from(self.scene.sim.step.speed);
        let slow = dt / speed > 1.5 * SHOW_EVERY;
        self.keep_tween(slow);
        let now = self.now();
        let steps = self.clock.steps(now, dt, speed);
        for _ in 0..steps {
            self.step();
            if self.now() - now > LATE {
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
                // Stepping took time, too.
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
        if recording.frames >= recording.wanted || (self.paused && !single) {
            return None;
        }
        // Never faster than the hair moves live: who records wants to see it.
        if !self.paused && now < recording.not_before {
            return Some(recording.not_before - now);
        }
        let interval = 1.0 / (f64::from(recording.fps) * speed);
        recording.not_before = (recording.not_before + interval).max(now);
        let frame = recording.frames;
        recording.frames += 1;
        let time = recording.from + (frame - recording.base) as f64 / f64::from(recording.fps);
        while self.tween.as_ref().is_some_and(|tween| !tween.covers(time)) {
            self.step();
        }
        self.publish(time, Some(frame));
        Some(0.0)
    }

    /// Keeps the last two states, or stops keeping them: at 100,000 strands the
    /// copies cost as much as a substep.
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

    /// One step of both sides.
    pub(super) fn step(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let begun = Instant::now();
        let (simulation, comparison) = (&stage.simulation, self.comparison.as_ref());
        let scene = match &self.thrifty {
            Some((_, scene)) => scene,
            None => &self.scene,
        };
        self.rewind
            .note(simulation, comparison, scene, &self.grabbed);
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
        self.budget.took(ms);
        self.pace
            .add(self.now(), 1.0 / f64::from(self.stepped().sim.step.rate));
        self.steps += 1;
        if self.measuring.is_due(ms) {
            self.measure();
        }
    }

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
            let reading = (&comparison.measured.statistics).into();
            (reading, distance(one, two))
        });
        self.trail.add(Sample {
            time: first.time(),
            first: (&self.measured.statistics).into(),
            second,
        });
        self.measuring.measured(begun.elapsed().as_secs_f64() * 1e3);
    }
}
