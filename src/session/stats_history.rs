//! What the whole head of hair did over the last seconds: the curves of the
//! plots over time.

use crate::sim::Statistics;
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
    /// From the height of the world's origin. `[J]`
    pub potential: f64,
    /// Of bending and twisting; 0 where the method knows none. `[J]`
    pub elastic: f64,
}

impl From<&Statistics> for Reading {
    fn from(measured: &Statistics) -> Self {
        Self {
            max_stretch: measured.max_stretch,
            max_shortening: measured.max_shortening,
            mean_length_error: measured.mean_length_error,
            kinetic: measured.kinetic,
            potential: measured.potential,
            elastic: measured.elastic.unwrap_or(0.0),
        }
    }
}

impl Reading {
    /// `[J]`
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
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
    /// The lowest potential energy of each side since everything was forgotten. `[J]`
    floors: [Option<f64>; 2],
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
        let second = sample.second.map(|(reading, _)| reading);
        let sides = [Some(sample.first), second];
        for (floor, side) in self.floors.iter_mut().zip(sides) {
            let energy = side.map(|reading| reading.potential);
            *floor = match (*floor, energy) {
                (Some(floor), Some(energy)) => Some(floor.min(energy)),
                (floor, energy) => floor.or(energy),
            };
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

    /// The lowest potential energy of each side since then, of which samples may be gone:
    /// what is counted from it does not move under hair that rests. `[J]`
    pub fn floors(&self) -> [f64; 2] {
        self.floors.map(Option::unwrap_or_default)
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
    fn the_floor_of_the_potential_stays_when_its_sample_goes() {
        let mut history = StatsHistory::default();
        let mut add = |time: f64, potential: f64| {
            let mut sample = at(time);
            sample.first.potential = potential;
            history.add(sample);
            history.floors()[0]
        };
        assert_eq!((add(0.0, -3.0), add(0.1, -5.0)), (-3.0, -5.0));
        assert_eq!((add(0.2, -4.0), add(0.2 + 2.0 * SPAN, -4.0)), (-5.0, -5.0));
        // Time goes back: another run.
        assert_eq!(add(0.0, -1.0), -1.0);
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
