//! Live time: how many simulation steps are due. Time lost to slow steps is dropped,
//! never made up.
//!
//! The caller passes in times, in seconds from any fixed moment: the clock reads
//! none itself, so that it can be tested.

/// Largest number of steps in one turn of the simulation thread. Further steps that
/// are due are dropped: catching up would make the next turn slower still.
const MAX_STEPS_PER_TURN: u32 = 4;

/// Shortest span over which the real-time factor is measured. `[s]`
const PACE_INTERVAL: f64 = 0.5;

/// Turns real time into fixed steps.
#[derive(Clone, Debug)]
pub struct LiveClock {
    /// Simulated time that is due but has not been simulated. `[s]`
    due: f64,
    /// Time of the last turn; `None` before the first. `[s]`
    last: Option<f64>,
}

impl Default for LiveClock {
    fn default() -> Self {
        Self::new()
    }
}

impl LiveClock {
    /// Returns a clock that starts at the first call of [`steps`](Self::steps).
    pub fn new() -> Self {
        Self {
            due: 0.0,
            last: None,
        }
    }

    /// Drops the time that is due: after a pause, a reset or a new groom.
    pub fn restart(&mut self) {
        *self = Self::new();
    }

    /// Returns how many steps of `dt` seconds to make now if simulated time runs
    /// `speed` times as fast as real time.
    pub fn steps(&mut self, now: f64, dt: f64, speed: f64) -> u32 {
        let last = *self.last.get_or_insert_with(|| {
            // The first step is due at once.
            self.due = dt;
            now
        });
        self.last = Some(now);
        self.due += (now - last).max(0.0) * speed;
        // The tolerance keeps rounding from postponing a step that is due.
        let due = (self.due / dt + 1e-6).floor();
        let steps = due.min(f64::from(MAX_STEPS_PER_TURN));
        self.due = if due > steps {
            0.0
        } else {
            (self.due - steps * dt).max(0.0)
        };
        steps as u32
    }

    /// Returns the share of the next step that is due already, 0..=1.
    pub fn fraction(&self, dt: f64) -> f64 {
        (self.due / dt).clamp(0.0, 1.0)
    }

    /// Returns the real time until the next step is due. `[s]`
    pub fn wait(&self, dt: f64, speed: f64) -> f64 {
        ((dt - self.due) / speed.max(1e-6)).max(0.0)
    }
}

/// Fewest steps between two measurements: closer points add nothing to the plots.
const STEPS_PER_CURVE_POINT: u32 = 3;

/// Largest time of a measurement as a share of the step times since the last one.
const MAX_STATS_SHARE: f64 = 0.05;

/// Decides after which steps stretch and penetration are measured: as often as the
/// plots need, less often where measuring would slow the simulation down.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatsInterval {
    /// Steps since the last measurement.
    steps: u32,
    /// Real time of these steps. `[ms]`
    step_time: f64,
    /// Real time of the last measurement. `[ms]`
    measure_time: f64,
}

impl StatsInterval {
    /// Records the real time of a step `[ms]` and returns whether a measurement is
    /// due.
    pub fn is_due(&mut self, ms: f64) -> bool {
        self.steps += 1;
        self.step_time += ms;
        self.steps >= STEPS_PER_CURVE_POINT && MAX_STATS_SHARE * self.step_time >= self.measure_time
    }

    /// Records the real time of a measurement `[ms]` and starts a new interval.
    pub fn measured(&mut self, ms: f64) {
        *self = Self {
            measure_time: ms,
            ..Self::default()
        };
    }
}

/// Measures the real-time factor: simulated seconds per real second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// Start of the current span. `[s]`
    since: Option<f64>,
    /// Simulated time of the current span. `[s]`
    simulated: f64,
    /// The factor of the last full span.
    factor: Option<f64>,
}

impl Pace {
    /// Adds `simulated` seconds that were finished at `now`. `[s]`
    pub fn add(&mut self, now: f64, simulated: f64) {
        let Some(since) = self.since else {
            // The first call starts the span; its steps were made before.
            self.since = Some(now);
            return;
        };
        self.simulated += simulated;
        let span = now - since;
        if span >= PACE_INTERVAL {
            self.factor = Some(self.simulated / span);
            self.since = Some(now);
            self.simulated = 0.0;
        }
    }

    /// Starts a new span and keeps the last factor.
    pub fn restart(&mut self) {
        self.since = None;
        self.simulated = 0.0;
    }

    /// Returns the factor of the last full span; `None` before the first.
    pub fn factor(&self) -> Option<f64> {
        self.factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f64 = 1.0 / 60.0;

    /// Runs `seconds` in turns of `turn` seconds and counts steps.
    fn count(clock: &mut LiveClock, seconds: f64, turn: f64, speed: f64) -> u32 {
        let turns = (seconds / turn).round() as u32;
        (0..=turns)
            .map(|i| clock.steps(f64::from(i) * turn, DT, speed))
            .sum()
    }

    #[test]
    fn follows_real_time_whatever_the_turns() {
        for turn in [0.001, 1.0 / 144.0, DT, 0.05] {
            for speed in [0.05, 0.5, 1.0] {
                let mut clock = LiveClock::new();
                let steps = count(&mut clock, 10.0, turn, speed);
                let wanted = 600.0 * speed + 1.0;
                assert!(
                    (f64::from(steps) - wanted).abs() <= 1.0,
                    "turn {turn}, speed {speed}: {steps} steps, not {wanted}"
                );
            }
        }
    }

    #[test]
    fn lost_time_is_dropped() {
        let mut clock = LiveClock::new();
        // One turn a second.
        let steps = count(&mut clock, 20.0, 1.0, 1.0);
        assert_eq!(steps, 1 + 20 * MAX_STEPS_PER_TURN);
        // The next turn makes one step only.
        let now = 20.0 + DT;
        assert_eq!(clock.steps(now, DT, 1.0), 1);
        assert_eq!(clock.steps(now, DT, 1.0), 0);
    }

    #[test]
    fn a_restart_owes_nothing() {
        let mut clock = LiveClock::new();
        count(&mut clock, 1.0, DT, 1.0);
        clock.restart();
        assert_eq!(clock.steps(1000.0, DT, 1.0), 1);
        assert_eq!(clock.steps(1000.0, DT, 1.0), 0);
        assert!((clock.wait(DT, 0.5) - 2.0 * DT).abs() < 1e-9);
    }

    #[test]
    fn measurements_take_a_small_share_of_the_time() {
        // Time of a step, time of a measurement, steps between measurements.
        for (step, cost, between) in [(2.0, 0.1, 3), (10.0, 5.0, 10), (60.0, 30.0, 10)] {
            let mut interval = StatsInterval::default();
            interval.measured(cost);
            for round in 0..3 {
                let steps = (1..).find(|_| interval.is_due(step));
                assert_eq!(steps, Some(between), "{step} {cost} {round}");
                interval.measured(cost);
            }
        }
    }

    #[test]
    fn the_factor_is_simulated_over_real_time() {
        let mut pace = Pace::default();
        assert_eq!(pace.factor(), None);
        // 60 steps of 1/60 s in two seconds.
        for i in 0..=60 {
            pace.add(f64::from(i) / 30.0, DT);
        }
        let factor = pace.factor().expect("measured");
        assert!((factor - 0.5).abs() < 1e-9, "{factor}");
        // A pause does not count.
        pace.restart();
        for i in 0..=60 {
            pace.add(100.0 + f64::from(i) / 30.0, DT);
        }
        let factor = pace.factor().expect("measured");
        assert!((factor - 0.5).abs() < 1e-9, "{factor}");
    }
}
