//! Time budget of live steps.
//!
//! A step that takes longer than its budget gets fewer substeps; where that is not
//! enough, the step rate is halved, and the picture interpolates between steps. Hair
//! that falls behind real time gets a budget by itself (`sim.keep_pace`). The caller
//! measures the times and passes them in, so that tests need no clock.

use crate::sim::StepParams;

/// Longest substep while the step rate can still be halved. `[ms]`
const MAX_SUBSTEP_AT_FULL_RATE: f64 = 8.4;

/// Longest substep at any step rate. `[ms]`
const MAX_SUBSTEP: f64 = 16.7;

/// Lowest step rate. `[1/s]`
const MIN_RATE: u32 = 24;

/// Weight of a new step in the exponential moving average of the cost.
const SMOOTHING: f64 = 0.3;

/// Steps after a change of level until the average is used.
const SETTLING_STEPS: u32 = 4;

/// Steps after a change of level until a finer one may be tried.
const RECOVERY_STEPS: u32 = 30;

/// A finer level is tried if its predicted cost is at most this share of the budget.
const HEADROOM: f64 = 0.85;

/// Share of real time that steps may take where they keep pace: the rest is left to
/// everything but steps.
const KEEPS_PACE: f64 = 0.85;

/// Slower than this share of the speed that is set, hair falls behind.
const BEHIND: f64 = 0.9;

/// It must have fallen behind for so long: starting and building take their time, too.
/// `[s]`
const FOR: f64 = 1.5;

/// Rate and substeps of live steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Substepping {
    /// Steps per second.
    pub rate: u32,
    /// Substeps of each step.
    pub substeps: u32,
}

impl Substepping {
    /// The rate and substeps that `step` asks for.
    pub fn of(step: &StepParams) -> Self {
        Self {
            rate: step.rate,
            substeps: step.substeps(),
        }
    }

    /// Sets the rate and substeps of `step`.
    pub fn apply_to(&self, step: &mut StepParams) {
        step.rate = self.rate;
        step.set_substeps(self.substeps);
    }

    /// Length of a substep. `[ms]`
    fn substep(&self) -> f64 {
        1e3 / f64::from(self.rate * self.substeps)
    }

    /// Upper bound of the cost of the finer `other` over the cost of `self`.
    fn max_speedup(&self, other: &Self) -> f64 {
        let fewer_steps = f64::from(other.rate) / f64::from(self.rate);
        fewer_steps.max(self.substep() / other.substep())
    }

    /// The next coarser level: one substep fewer or half the step rate; `None` at the
    /// coarsest.
    fn coarser(&self) -> Option<Self> {
        let fewer = Self {
            substeps: self.substeps.saturating_sub(1),
            ..*self
        };
        let max_substep = match self.rate / 2 < MIN_RATE {
            true => MAX_SUBSTEP,
            false => MAX_SUBSTEP_AT_FULL_RATE,
        };
        if fewer.substeps > 0 && fewer.substep() <= max_substep {
            return Some(fewer);
        }
        // The substeps stay as long; work done once a step is halved.
        let halved = Self {
            rate: self.rate / 2,
            substeps: 2 * self.substeps,
        };
        (halved.rate >= MIN_RATE).then_some(halved)
    }
}

/// Chooses rate and substeps of live steps from their measured cost.
#[derive(Clone, Debug, Default)]
pub struct StepBudget {
    /// The levels of quality, full quality first; empty while there is no budget.
    levels: Vec<Substepping>,
    /// Index of the current level.
    level: usize,
    /// Smoothed real time per step at full rate: at a lower rate, the time of a step
    /// scaled by the ratio of the rates. `[ms]`
    cost: f64,
    /// Steps since the level was set.
    steps: u32,
    /// Measured speedup from each level to the next.
    speedups: Vec<f64>,
    /// The level before and its cost, until the speedup is measured. `[ms]`
    before: Option<(usize, f64)>,
    /// Whether the step chosen last is live: the times of others do not count.
    live: bool,
    /// Since when hair has fallen behind real time. `[s]`
    behind_since: Option<f64>,
    /// Whether it has for long enough to be given a budget.
    behind: bool,
}

impl StepBudget {
    /// Chooses rate and substeps of the next step; `None` for those that `step` asks
    /// for. Steps that are not `live`, as in a pause or a recording, always have these;
    /// the level is kept for the live steps after them.
    pub fn choose(&mut self, step: &StepParams, live: bool) -> Option<Substepping> {
        let Some(budget) = self.budget(step) else {
            // What is known of the pace is of full quality, as the next steps are.
            *self = Self {
                behind_since: self.behind_since.filter(|_| live && step.keep_pace),
                ..Self::default()
            };
            return None;
        };
        self.live = live;
        if !live {
            return None;
        }
        let full = Substepping::of(step);
        if self.levels.first() != Some(&full) {
            let levels = std::iter::successors(Some(full), Substepping::coarser);
            *self = Self {
                levels: levels.collect(),
                live,
                behind: self.behind,
                ..Self::default()
            };
        }
        let coarsest = self.level + 1 == self.levels.len();
        if self.steps >= SETTLING_STEPS && self.cost > budget && !coarsest {
            self.before = Some((self.level, self.cost));
            self.speedups.truncate(self.level);
            self.set_level(self.coarser(budget));
        } else if self.steps >= RECOVERY_STEPS && self.level > 0 {
            let bound = || self.levels[self.level].max_speedup(&self.levels[self.level - 1]);
            let speedup = self.speedups.get(self.level - 1).copied();
            let speedup = speedup.unwrap_or_else(bound);
            if self.cost * speedup <= HEADROOM * budget {
                self.set_level(self.level - 1);
            }
        }
        (self.level > 0).then(|| self.levels[self.level])
    }

    /// The next level that may be coarse enough for that budget: those between, with all
    /// the time that they can save, are not. `[ms]`
    fn coarser(&self, budget: f64) -> usize {
        let (now, coarsest) = (&self.levels[self.level], self.levels.len() - 1);
        let enough = |level: &usize| self.cost <= budget * self.levels[*level].max_speedup(now);
        (self.level + 1..coarsest).find(enough).unwrap_or(coarsest)
    }

    /// Real time that a step may take; none where it may take what it needs. `[ms]`
    fn budget(&self, step: &StepParams) -> Option<f64> {
        if step.budget > 0.0 {
            return Some(step.budget.into());
        }
        let whole = 1e3 / (f64::from(step.rate) * f64::from(step.speed));
        (step.keep_pace && self.behind).then_some(KEEPS_PACE * whole)
    }

    /// Notes at the time `now` `[s]` which share of the speed that is set live hair moves
    /// with; none where that is not known.
    pub fn watch(&mut self, now: f64, share: Option<f64>) {
        if share.is_some_and(|share| share < BEHIND) {
            let since = *self.behind_since.get_or_insert(now);
            self.behind |= now - since >= FOR;
        } else {
            self.behind_since = None;
        }
    }

    fn set_level(&mut self, level: usize) {
        (self.level, self.steps) = (level, 0);
    }

    /// Records the real time of a step at the current level. `[ms]`
    pub fn record(&mut self, ms: f64) {
        if !self.live {
            return;
        }
        let (Some(full), Some(now)) = (self.levels.first(), self.levels.get(self.level)) else {
            return;
        };
        let ms = ms * f64::from(now.rate) / f64::from(full.rate);
        self.steps += 1;
        self.cost = match self.steps {
            1 => ms,
            _ => self.cost + SMOOTHING * (ms - self.cost),
        };
        if self.steps == SETTLING_STEPS
            && let Some((level, cost)) = self.before.take()
        {
            // Of several levels at once, each is taken to save as much.
            let levels = self.level - level;
            let speedup = (cost / self.cost.max(1e-3)).powf(1.0 / levels as f64);
            for pair in self.levels[level..=self.level].windows(2) {
                // The load may have changed since; no more than is possible.
                let bound = pair[1].max_speedup(&pair[0]);
                self.speedups.push(speedup.clamp(1.0, bound));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(budget: f32) -> StepParams {
        StepParams {
            budget,
            ..StepParams::default()
        }
    }

    fn at(rate: u32, substeps: u32) -> Substepping {
        Substepping { rate, substeps }
    }

    /// Modelled real time of a step: a fixed part, and a part per substep. `[ms]`
    fn cost(chosen: Substepping, load: f64) -> f64 {
        load * (4.0 + 3.0 * f64::from(chosen.substeps))
    }

    /// Makes so many steps. Returns the last choice and the largest cost per step at
    /// full rate in the second half. `[ms]`
    fn run(
        budget: &mut StepBudget,
        step: &StepParams,
        load: f64,
        steps: u32,
    ) -> (Substepping, f64) {
        let (mut last, mut most) = (Substepping::of(step), 0.0);
        for i in 0..steps {
            last = budget.choose(step, true).unwrap_or(Substepping::of(step));
            let ms = cost(last, load);
            budget.record(ms);
            if i > steps / 2 {
                most = f64::max(most, ms * f64::from(last.rate) / f64::from(step.rate));
            }
        }
        (last, most)
    }

    #[test]
    fn quality_drops_under_load_and_returns() {
        let (step, mut budget) = (asked(12.0), StepBudget::default());
        let full = Substepping::of(&step);
        assert_eq!(full, at(60, 4));
        // 16 ms at full quality; 10 ms with two substeps.
        let (chosen, most) = run(&mut budget, &step, 1.0, 200);
        assert_eq!(chosen, at(60, 2));
        assert!(most <= 12.0, "{most}");
        // Twice the load halves the step rate.
        let (chosen, most) = run(&mut budget, &step, 2.0, 200);
        assert_eq!(chosen, at(30, 2));
        assert!(most <= 12.0, "{most}");
        let (chosen, _) = run(&mut budget, &step, 0.5, 600);
        assert_eq!(chosen, full);
        assert_eq!(budget.choose(&step, true), None);
    }

    #[test]
    fn the_level_is_steady_under_a_steady_load() {
        for load in [0.6, 0.8, 1.0, 1.3, 1.7, 2.4] {
            let (step, mut budget) = (asked(12.0), StepBudget::default());
            let (settled, _) = run(&mut budget, &step, load, 300);
            for _ in 0..300 {
                assert_eq!(run(&mut budget, &step, load, 1).0, settled, "{load}");
            }
        }
    }

    #[test]
    fn a_budget_that_is_too_small_ends_at_the_coarsest_level() {
        let (step, mut budget) = (asked(1.0), StepBudget::default());
        let (chosen, _) = run(&mut budget, &step, 9.0, 200);
        assert_eq!(chosen, at(30, 2));
        assert!(chosen.substep() <= MAX_SUBSTEP);
        // A rate that cannot be halved only loses substeps.
        assert_eq!(at(30, 3).coarser(), Some(at(30, 2)));
        assert_eq!(at(30, 2).coarser(), None);
    }

    #[test]
    fn levels_that_cannot_be_enough_are_skipped() {
        let (step, mut budget) = (asked(12.0), StepBudget::default());
        let mut levels = Vec::new();
        for _ in 0..60 {
            let (chosen, _) = run(&mut budget, &step, 2.0, 1);
            if levels.last() != Some(&chosen) {
                levels.push(chosen);
            }
        }
        // 32 ms at full quality; substeps as long as those of three in 1/30 s might save all
        // that is too much, and no shorter ones could.
        assert_eq!(levels, [at(60, 4), at(30, 3), at(30, 2)]);
        // Lighter hair takes all of them back, one by one.
        assert_eq!(run(&mut budget, &step, 0.5, 600).0, at(60, 4));
    }

    #[test]
    fn hair_that_falls_behind_keeps_pace_and_moments_do_not_count() {
        let step = asked(0.0);
        let full = Substepping::of(&step);
        let begin = |step: &StepParams, shares: &[(f64, f64)]| {
            let mut budget = StepBudget::default();
            for (time, share) in shares {
                budget.watch(*time, Some(*share));
                budget.choose(step, true);
            }
            run(&mut budget, step, 2.0, 200)
        };
        let (chosen, most) = begin(&step, &[(0.0, 0.5), (1.6, 0.5)]);
        assert_eq!(chosen, at(30, 3));
        assert!(most <= KEEPS_PACE * 1e3 / 60.0, "{most}");
        let moment = [(0.0, 0.5), (1.0, 0.5), (1.4, 1.0), (1.6, 0.5), (3.0, 0.5)];
        assert_eq!(begin(&step, &moment).0, full);
        // In slow motion there is more time.
        let slow = StepParams {
            speed: 0.5,
            ..step.clone()
        };
        assert_eq!(begin(&slow, &[(0.0, 0.5), (1.6, 0.5)]).0, at(60, 3));
        let never = StepParams {
            keep_pace: false,
            ..step
        };
        assert_eq!(begin(&never, &[(0.0, 0.5), (1.6, 0.5)]).0, full);
    }

    #[test]
    fn without_a_budget_or_live_hair_steps_have_full_quality() {
        let mut budget = StepBudget::default();
        let (chosen, _) = run(&mut budget, &asked(0.0), 9.0, 50);
        assert_eq!(chosen, Substepping::of(&asked(0.0)));
        let step = asked(12.0);
        let (chosen, _) = run(&mut budget, &step, 1.0, 200);
        assert_eq!(chosen, at(60, 2));
        // Single steps in a pause have full quality, and their times do not count.
        for _ in 0..50 {
            assert_eq!(budget.choose(&step, false), None);
            budget.record(1e3);
        }
        // The load has not changed, so the hair must not be slow again after the pause.
        assert_eq!(
            budget.choose(&step, true),
            Some(chosen),
            "the level is kept"
        );
        assert_eq!(run(&mut budget, &step, 1.0, 200).0, chosen);
        // Speedups are kept, too: hair that needs less time returns to full quality.
        assert_eq!(run(&mut budget, &step, 0.5, 600).0, at(60, 4));
        // A budget that was off, or other steps, begin at full quality.
        run(&mut budget, &step, 1.0, 200);
        assert_eq!(budget.choose(&asked(0.0), true), None);
        assert_eq!(budget.choose(&step, true), None);
        run(&mut budget, &step, 1.0, 200);
        let mut other = step.clone();
        other.rate = 120;
        assert_eq!(budget.choose(&other, true), None);
    }
}
