//! The times that keys are put at.

/// Times at an even distance, from time 0 on: those at which keys are put.
///
/// A time of frame `n` is `n / rate` in double precision, rounded once. So it is the same
/// number however one comes to it, and a file keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeGrid(f64);

impl TimeGrid {
    /// Hundredths of a second, which are easy to read.
    pub const HUNDREDTHS: Self = Self(100.0);

    /// The times of frames at `rate`, from 1 to 120; a rate out of range counts as the nearest
    /// that is not. `[1/s]`
    pub fn frames(rate: f64) -> Self {
        Self(match rate.is_nan() {
            true => 1.0,
            false => rate.clamp(1.0, 120.0),
        })
    }

    /// The time of number `number`. `[s]`
    pub fn time(self, number: f64) -> f64 {
        number / self.0
    }

    /// How many of them have gone by at `time`, with the share of the one that has not. `[s]`
    pub fn count(self, time: f64) -> f64 {
        time * self.0
    }

    /// The one nearest to `time`. `[s]`
    pub fn nearest(self, time: f64) -> f64 {
        self.time(self.count(time).round())
    }

    /// The first one after `time`. `[s]`
    pub fn next(self, time: f64) -> f64 {
        // In single precision, as keyframes of the head have it, a time may be a little early.
        self.time((self.count(time) + 0.05).floor() + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_frame_is_the_same_however_one_comes_to_it() {
        for rate in [24.0, 25.0, 30_000.0 / 1001.0, 30.0, 60.0, 120.0] {
            let grid = TimeGrid::frames(rate);
            for number in (0..3000).chain(1_000_000..1_000_100) {
                let number = f64::from(number);
                let time = number / rate;
                assert_eq!(grid.time(number), time);
                assert_eq!(grid.nearest(time), time, "frame {number} at {rate}");
                assert_eq!(grid.nearest(time + 0.4 / rate), time);
                assert_eq!(grid.nearest(time - 0.4 / rate), time);
                assert_eq!(grid.next(time), grid.time(number + 1.0));
                // From there and back as text.
                assert_eq!(time.to_string().parse(), Ok(time));
                // In single precision, as keyframes of the head are kept, for an hour.
                if time < 3600.0 {
                    let single = f64::from(time as f32);
                    assert_eq!(grid.nearest(single), time, "frame {number} at {rate}");
                    assert_eq!(grid.next(single), grid.time(number + 1.0));
                }
            }
        }
        assert_eq!(TimeGrid::HUNDREDTHS.nearest(1.234), 1.23);
        assert_eq!(TimeGrid::HUNDREDTHS.next(1.234), 1.24);
        assert_eq!(TimeGrid::frames(f64::NAN), TimeGrid::frames(0.0));
    }
}
