//! Live steps that keep to a budget of real time.
//!
//! Where a step takes longer than its budget it is cut into fewer substeps; where
//! that is not enough, half as many steps are made, and what is seen between two of
//! them is interpolated. Times are handed in by the caller, so that all of it can be
//! tested.

use crate::sim::StepParams;

/// Substeps are made this long at most before steps become rarer. `[ms]`
const LONG: f64 = 8.4;

/// No substep is made longer than this. `[ms]`
const LONGEST: f64 = 16.7;

/// Steps are made no rarer than this. `[1/s]`
const RAREST: u32 = 24;

/// Weight of a new step in the mean of what steps take.
const NEW: f64 = 0.3;

/// After so many steps the mean tells.
const TOLD: u32 = 4;

/// So many steps must have been cheap enough before more is made of each.
const CALM: u32 = 30;

/// They are when more would take no larger share of the budget than this.
const ROOM: f64 = 0.85;

/// How a second is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepCut {
    /// Steps a second.
    pub rate: u32,
    /// Substeps of each.
    pub substeps: u32,
}

impl StepCut {
    /// As `step` asks for it.
    pub fn of(step: &StepParams) -> Self {
        Self {
            rate: step.rate,
            substeps: step.substeps(),
        }
    }

    /// Lets `step` be cut like this.
    pub fn apply(&self, step: &mut StepParams) {
        step.rate = self.rate;
        step.cut_into(self.substeps);
    }

    /// Length of a substep. `[ms]`
    fn substep(&self) -> f64 {
        1e3 / f64::from(self.rate * self.substeps)
    }

    /// By how much cheaper it is than `other` at most.
    fn most_gain(&self, other: &Self) -> f64 {
        let rarer = f64::from(other.rate) / f64::from(self.rate);
        rarer.max(self.substep() / other.substep())
    }

    /// What is done a little less carefully; none when nothing can be given up.
    fn less(&self) -> Option<Self> {
        let fewer = Self {
            substeps: self.substeps.saturating_sub(1),
            ..*self
        };
        let most = match self.rate / 2 < RAREST {
            true => LONGEST,
            false => LONG,
        };
        if fewer.substeps > 0 && fewer.substep() <= most {
            return Some(fewer);
        }
        // As many substeps a second, but half of what is done once a step.
        let rarer = Self {
            rate: self.rate / 2,
            substeps: 2 * self.substeps,
        };
        (rarer.rate >= RAREST).then_some(rarer)
    }
}

/// Decides how live steps are cut.
#[derive(Clone, Debug, Default)]
pub struct StepBudget {
    /// Ways to cut, what is asked for first; empty while there is no budget.
    cuts: Vec<StepCut>,
    /// Which of them is taken.
    level: usize,
    /// What a step that is asked for takes, smoothed. `[ms]`
    cost: f64,
    /// Steps since the level was taken.
    steps: u32,
    /// By how much a step became cheaper from each level to the next.
    gains: Vec<f64>,
    /// What it took on the level before, while the gain is not known. `[ms]`
    before: Option<f64>,
}

impl StepBudget {
    /// How the next step is to be cut; none as `step` asks for it, which is also so
    /// where hair is not `live`: recorded, say.
    pub fn cut(&mut self, step: &StepParams, live: bool) -> Option<StepCut> {
        if !live || step.budget <= 0.0 {
            *self = Self::default();
            return None;
        }
        let asked = StepCut::of(step);
        if self.cuts.first() != Some(&asked) {
            let cuts = std::iter::successors(Some(asked), StepCut::less);
            *self = Self {
                cuts: cuts.collect(),
                ..Self::default()
            };
        }
        let budget = f64::from(step.budget);
        let last = self.level + 1 == self.cuts.len();
        if self.steps >= TOLD && self.cost > budget && !last {
            self.before = Some(self.cost);
            self.gains.truncate(self.level);
            self.take(self.level + 1);
        } else if self.steps >= CALM && self.level > 0 {
            let most = || self.cuts[self.level].most_gain(&self.cuts[self.level - 1]);
            let gain = self.gains.get(self.level - 1).copied();
            let gain = gain.unwrap_or_else(most);
            if self.cost * gain <= ROOM * budget {
                self.take(self.level - 1);
            }
        }
        (self.level > 0).then(|| self.cuts[self.level])
    }

    fn take(&mut self, level: usize) {
        (self.level, self.steps) = (level, 0);
    }

    /// A step that was cut like this took so long. `[ms]`
    pub fn took(&mut self, ms: f64) {
        let (Some(asked), Some(now)) = (self.cuts.first(), self.cuts.get(self.level)) else {
            return;
        };
        let ms = ms * f64::from(now.rate) / f64::from(asked.rate);
        self.steps += 1;
        self.cost = match self.steps {
            1 => ms,
            _ => self.cost + NEW * (ms - self.cost),
        };
        if self.steps == TOLD
            && self.level > 0
            && let Some(before) = self.before.take()
        {
            // The load may have changed meanwhile.
            let most = now.most_gain(&self.cuts[self.level - 1]);
            self.gains
                .push((before / self.cost.max(1e-3)).clamp(1.0, most));
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

    /// What a step takes: something by itself, and something a substep. `[ms]`
    fn cost(cut: StepCut, heavy: f64) -> f64 {
        heavy * (4.0 + 3.0 * f64::from(cut.substeps))
    }

    /// Makes so many steps; how the last of them was cut, and what a step of those
    /// asked for took at most in the second half. `[ms]`
    fn run(budget: &mut StepBudget, step: &StepParams, heavy: f64, steps: u32) -> (StepCut, f64) {
        let (mut last, mut most) = (StepCut::of(step), 0.0);
        for i in 0..steps {
            last = budget.cut(step, true).unwrap_or(StepCut::of(step));
            let ms = cost(last, heavy);
            budget.took(ms);
            if i > steps / 2 {
                most = f64::max(most, ms * f64::from(last.rate) / f64::from(step.rate));
            }
        }
        (last, most)
    }

    #[test]
    fn quality_goes_where_time_is_short_and_comes_back() {
        let (step, mut budget) = (asked(12.0), StepBudget::default());
        let full = StepCut::of(&step);
        assert_eq!(
            full,
            StepCut {
                rate: 60,
                substeps: 4
            }
        );
        // 16 ms at full quality; 10 ms with two substeps.
        let (cut, most) = run(&mut budget, &step, 1.0, 200);
        assert_eq!(
            cut,
            StepCut {
                rate: 60,
                substeps: 2
            }
        );
        assert!(most <= 12.0, "{most}");
        // A shake that makes everything twice as heavy: rarer steps.
        let (cut, most) = run(&mut budget, &step, 2.0, 200);
        assert_eq!(
            cut,
            StepCut {
                rate: 30,
                substeps: 2
            }
        );
        assert!(most <= 12.0, "{most}");
        // Then rest.
        let (cut, _) = run(&mut budget, &step, 0.5, 600);
        assert_eq!(cut, full);
        assert_eq!(budget.cut(&step, true), None);
    }

    #[test]
    fn a_steady_load_is_left_alone() {
        for heavy in [0.6, 0.8, 1.0, 1.3, 1.7, 2.4] {
            let (step, mut budget) = (asked(12.0), StepBudget::default());
            let (settled, _) = run(&mut budget, &step, heavy, 300);
            for _ in 0..300 {
                assert_eq!(run(&mut budget, &step, heavy, 1).0, settled, "{heavy}");
            }
        }
    }

    #[test]
    fn what_cannot_be_done_ends_at_the_coarsest() {
        let (step, mut budget) = (asked(1.0), StepBudget::default());
        let (cut, _) = run(&mut budget, &step, 9.0, 200);
        assert_eq!(
            cut,
            StepCut {
                rate: 30,
                substeps: 2
            }
        );
        assert!(cut.substep() <= LONGEST);
        // Steps that are rare already only lose substeps.
        let rare = StepCut {
            rate: 30,
            substeps: 3,
        };
        assert_eq!(
            rare.less(),
            Some(StepCut {
                rate: 30,
                substeps: 2
            })
        );
        assert_eq!(rare.less().and_then(|cut| cut.less()), None);
    }

    #[test]
    fn without_a_budget_or_live_hair_all_is_done() {
        let mut budget = StepBudget::default();
        let (cut, _) = run(&mut budget, &asked(0.0), 9.0, 50);
        assert_eq!(cut, StepCut::of(&asked(0.0)));
        run(&mut budget, &asked(2.0), 9.0, 50);
        assert!(budget.cut(&asked(2.0), true).is_some());
        assert_eq!(budget.cut(&asked(2.0), false), None);
        assert_eq!(budget.cut(&asked(2.0), true), None, "it begins anew");
        // Other steps are asked for.
        run(&mut budget, &asked(2.0), 9.0, 50);
        let mut other = asked(2.0);
        other.rate = 120;
        assert_eq!(budget.cut(&other, true), None);
    }
}
