//! Live time: how many simulation steps are due, without ever running after
//! lost time.
//!
//! Times are seconds from any fixed moment, handed in by the caller: the clock
//! reads none itself, so that it can be tested.

/// Steps made at most in one turn; what is due beyond is dropped, or a slow
/// moment would be followed by a slower one.
const MOST_STEPS: u32 = 4;

/// The real-time factor is measured over stretches of this length. `[s]`
const MEASURE: f64 = 0.5;

/// Turns real time into fixed steps.
#[derive(Clone, Debug)]
pub struct LiveClock {
    /// Simulated time that is due but not yet stepped. `[s]`
    due: f64,
    last: Option<f64>,
}

impl Default for LiveClock {
    fn default() -> Self {
        Self::new()
    }
}

impl LiveClock {
    /// A clock that starts at the first [`steps`](Self::steps).
    pub fn new() -> Self {
        Self {
            due: 0.0,
            last: None,
        }
    }

    /// Forgets what is due: after a pause, a reset, a new head of hair.
    pub fn restart(&mut self) {
        *self = Self::new();
    }

    /// Steps of `dt` seconds to make now, when simulated time runs `speed`
    /// times as fast as real time.
    pub fn steps(&mut self, now: f64, dt: f64, speed: f64) -> u32 {
        let last = *self.last.get_or_insert_with(|| {
            // The first step need not be waited for.
            self.due = dt;
            now
        });
        self.last = Some(now);
        self.due += (now - last).max(0.0) * speed;
        // A hair's breadth of tolerance, or rounding would postpone a step
        // whose moment has come.
        let due = (self.due / dt + 1e-6).floor();
        let steps = due.min(f64::from(MOST_STEPS));
        self.due = if due > steps {
            0.0
        } else {
            (self.due - steps * dt).max(0.0)
        };
        steps as u32
    }

    /// Share of a step that is due already, 0..=1.
    pub fn fraction(&self, dt: f64) -> f64 {
        (self.due / dt).clamp(0.0, 1.0)
    }

    /// Seconds of real time until the next step is due.
    pub fn wait(&self, dt: f64, speed: f64) -> f64 {
        ((dt - self.due) / speed.max(1e-6)).max(0.0)
    }
}

/// Steps between two measurements of the hair: finer curves show nothing more.
const STEPS_PER_CURVE_POINT: u32 = 3;

/// Measuring takes no larger share of the time than this.
const MEASURING: f64 = 0.05;

/// Decides after which steps stretch and penetration are measured: as often as
/// curves need, and more rarely where that would hold up the hair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measuring {
    /// Since the last measurement.
    steps: u32,
    /// What these steps took. `[ms]`
    stepped: f64,
    /// What the last measurement took. `[ms]`
    cost: f64,
}

impl Measuring {
    /// A step took so long `[ms]`; whether the hair is to be measured now.
    pub fn is_due(&mut self, ms: f64) -> bool {
        self.steps += 1;
        self.stepped += ms;
        self.steps >= STEPS_PER_CURVE_POINT && MEASURING * self.stepped >= self.cost
    }

    /// A measurement took so long. `[ms]`
    pub fn measured(&mut self, ms: f64) {
        *self = Self {
            cost: ms,
            ..Self::default()
        };
    }
}

/// Measures the real-time factor: simulated seconds per real second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    since: Option<f64>,
    simulated: f64,
    factor: Option<f64>,
}

impl Pace {
    /// Counts `simulated` seconds that were done by `now`.
    pub fn add(&mut self, now: f64, simulated: f64) {
        let Some(since) = self.since else {
            // What was done before the first moment belongs to no span.
            self.since = Some(now);
            return;
        };
        self.simulated += simulated;
        let span = now - since;
        if span >= MEASURE {
            self.factor = Some(self.simulated / span);
            self.since = Some(now);
            self.simulated = 0.0;
        }
    }

    /// Begins a new span; the last factor stays until there is a new one.
    pub fn restart(&mut self) {
        self.since = None;
        self.simulated = 0.0;
    }

    /// The factor of the last span; none before there was one.
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
        // A machine that needs a second for each turn.
        let steps = count(&mut clock, 20.0, 1.0, 1.0);
        assert_eq!(steps, 1 + 20 * MOST_STEPS);
        // Once it is fast again nothing is made up for.
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
    fn measuring_takes_a_small_share_of_the_time() {
        // What a step takes, what measuring takes, steps between measurements.
        for (step, cost, between) in [(2.0, 0.1, 3), (10.0, 5.0, 10), (60.0, 30.0, 10)] {
            let mut measuring = Measuring::default();
            measuring.measured(cost);
            for round in 0..3 {
                let steps = (1..).find(|_| measuring.is_due(step));
                assert_eq!(steps, Some(between), "{step} {cost} {round}");
                measuring.measured(cost);
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
