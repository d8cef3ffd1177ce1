//! What the whole head of hair did over the last seconds: the curves of the
//! plots over time.

use crate::sim::{Statistics, solver::Method};
use std::collections::VecDeque;

/// Simulated time that is kept. `[s]`
pub const SPAN: f64 = 10.0;

/// One side at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Largest relative lengthening of any segment (0.01 = 1 %).
    pub max_stretch: f32,
    /// Largest relative shortening of any segment (0.01 = 1 %).
    pub max_shortening: f32,
    /// Mean change of length of a segment, longer or shorter, as a share.
    pub mean_length_error: f32,
    /// `[J]`
    pub kinetic: f64,
    /// Against that of the hair as modelled. `[J]`
    pub potential: f64,
    /// Of bending and twisting; none where the method knows none. `[J]`
    pub elastic: Option<f64>,
    /// Name of the method that the scene has for it.
    pub method: &'static str,
    /// Whether that method knows elastic energy once it has moved the hair.
    pub knows_elastic: bool,
}

impl Reading {
    /// What was measured of hair that `method` moves, or will move next.
    pub fn new(measured: &Statistics, method: Option<&Method>) -> Self {
        Self {
            max_stretch: measured.max_stretch,
            max_shortening: measured.max_shortening,
            mean_length_error: measured.mean_length_error,
            kinetic: measured.kinetic,
            potential: measured.potential,
            elastic: measured.elastic,
            method: method.map_or("", |method| method.name),
            knows_elastic: method.is_some_and(|method| method.rods),
        }
    }

    /// All that is known of it; none where a part is still missing that the method will
    /// know once it has moved the hair. `[J]`
    pub fn total(&self) -> Option<f64> {
        let elastic = match self.knows_elastic {
            true => self.elastic?,
            false => 0.0,
        };
        Some(self.kinetic + self.potential + elastic)
    }
}

/// All sides at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Simulated time. `[s]`
    pub time: f64,
    /// The first side.
    pub first: Reading,
    /// The second, and mean and largest distance between the two `[m]`.
    pub second: Option<(Reading, [f32; 2])>,
}

/// The samples of the last [`SPAN`] seconds, oldest first.
#[derive(Clone, Debug, Default)]
pub struct StatsHistory {
    samples: VecDeque<Sample>,
}

impl StatsHistory {
    /// Adds the newest; what is too old goes, and so does everything when time
    /// has gone back.
    pub fn add(&mut self, sample: Sample) {
        if self
            .samples
            .back()
            .is_some_and(|last| last.time > sample.time)
        {
            self.clear();
        }
        // The same moment measured again, after a parameter was changed.
        if self
            .samples
            .back()
            .is_some_and(|last| last.time == sample.time)
        {
            self.samples.pop_back();
        }
        self.samples.push_back(sample);
        while self
            .samples
            .front()
            .is_some_and(|old| old.time < sample.time - SPAN)
        {
            self.samples.pop_front();
        }
    }

    /// Forgets what came after `time`. `[s]`
    pub fn cut(&mut self, time: f64) {
        while self.samples.back().is_some_and(|last| last.time > time) {
            self.samples.pop_back();
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Oldest first.
    pub fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: f64) -> Sample {
        Sample {
            time,
            ..Sample::default()
        }
    }

    #[test]
    fn a_total_waits_for_the_elastic_energy_of_methods_that_know_it() {
        let rods = Reading {
            kinetic: 2.0,
            potential: -5.0,
            knows_elastic: true,
            ..Reading::default()
        };
        assert_eq!(rods.total(), None, "a step later it would jump");
        let moved = Reading {
            elastic: Some(1.0),
            ..rods
        };
        assert_eq!(moved.total(), Some(-2.0));
        let particles = Reading {
            knows_elastic: false,
            ..rods
        };
        assert_eq!(particles.total(), Some(-3.0));
    }

    #[test]
    fn only_the_last_seconds_are_kept_and_time_runs_one_way() {
        let mut trail = StatsHistory::default();
        (0..=250).for_each(|i| trail.add(at(0.1 * f64::from(i))));
        let times: Vec<f64> = trail.samples().iter().map(|s| s.time).collect();
        assert!(times.is_sorted() && (times[0] - 15.0).abs() < 1e-6);
        assert_eq!(times.len(), 101);
        trail.add(at(25.0));
        assert_eq!(trail.samples().len(), 101, "the same moment is one sample");
        trail.add(at(0.0));
        assert_eq!(trail.samples().len(), 1, "a reset begins anew");
    }
}
