//! From values to heights in the graph of a number's keys, and the lines there.

use crate::param::{Track, smallest_positive};
use egui::Rangef;
use std::ops::RangeInclusive;

/// Room above the largest value and below the smallest, as a share of what lies between.
const ROOM: f64 = 0.12;

/// Keys of one value leave so much of the number's range to be seen around it.
const AROUND: f64 = 0.2;

/// So many lines are wanted at most.
const LINES: f64 = 5.0;

/// What the axis shows of a number, and where.
#[derive(Clone, Debug)]
pub struct ValueAxis {
    /// What the number may be.
    range: RangeInclusive<f64>,
    /// Of a logarithmic axis the smallest value above zero.
    smallest: Option<f64>,
    /// Smallest and largest value shown; on a logarithmic axis their logarithms.
    shown: [f64; 2],
    /// From top to bottom. `[points]`
    heights: Rangef,
}

impl ValueAxis {
    /// One that shows all keys of `track` from the top to the bottom of `heights`, of a
    /// number that may be in `range` and has a logarithmic slider where `log`.
    pub fn new(track: &Track, range: RangeInclusive<f64>, log: bool, heights: Rangef) -> Self {
        let mut axis = Self {
            smallest: (log && *range.start() >= 0.0).then(|| smallest_positive(&range)),
            range,
            shown: [0.0, 1.0],
            heights,
        };
        let values = track.keys().iter().map(|key| axis.place(key.value));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        let ends = [*axis.range.start(), *axis.range.end()].map(|end| axis.place(end));
        let whole = ends[1] - ends[0];
        let room = match high - low {
            rise if rise > 1e-6 * whole => ROOM * rise,
            _ => 0.5 * AROUND * whole,
        };
        axis.shown = [(low - room).max(ends[0]), (high + room).min(ends[1])];
        axis
    }

    /// A value, or its logarithm.
    fn place(&self, value: f64) -> f64 {
        match self.smallest {
            Some(smallest) => value.max(smallest).ln(),
            None => value,
        }
    }

    /// The height of a value, beyond the axis, too. `[points]`
    pub fn y(&self, value: f64) -> f32 {
        let [low, high] = self.shown;
        let share = (self.place(value) - low) / (high - low);
        self.heights.max - share as f32 * self.heights.span()
    }

    /// The value at a height, as round as a point of the screen can tell, and one that the
    /// number may have. `[points]`
    pub fn value(&self, y: f32) -> f64 {
        let [here, above] = [self.exact(y), self.exact(y - 1.0)];
        // To the power of ten that a point is at least.
        let digits = -(above - here).abs().max(1e-12).log10().floor();
        let digits = digits.clamp(0.0, 12.0) as usize;
        let round = format!("{here:.digits$}").parse().unwrap_or(here);
        round.clamp(*self.range.start(), *self.range.end())
    }

    fn exact(&self, y: f32) -> f64 {
        let [low, high] = self.shown;
        let share = f64::from((self.heights.max - y) / self.heights.span());
        let place = low + share * (high - low);
        let half = 0.5 * (high - low) / f64::from(self.heights.span());
        match self.smallest {
            // At the lower end of a logarithmic slider that begins there is zero.
            Some(smallest) if *self.range.start() == 0.0 && place < smallest.ln() + half => 0.0,
            Some(_) => place.exp(),
            None => place,
        }
    }

    /// Values for lines across the graph, and how many digits their labels have behind the
    /// point, of a number that is shown times `factor`.
    pub fn lines(&self, factor: f64) -> Vec<(f64, usize)> {
        let ends = match self.smallest {
            Some(_) => self.shown.map(f64::exp),
            None => self.shown,
        };
        let [low, high] = ends.map(|end| end * factor);
        let even = even_lines(low, high);
        let lines = match self.smallest {
            // Powers of ten where there are some, else lines as on any axis.
            Some(_) if high > 9.0 * low => decades(low, high),
            _ => even,
        };
        let lines = lines.into_iter();
        lines
            .map(|(line, digits)| (line / factor, digits))
            .collect()
    }
}

/// Round values between two, evenly.
fn even_lines(low: f64, high: f64) -> Vec<(f64, usize)> {
    let least = (high - low) / LINES;
    if least <= 0.0 || !least.is_finite() {
        return Vec::new();
    }
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let wide = |step: &f64| *step >= 0.999 * least;
    let step = steps.into_iter().find(wide).unwrap_or(steps[3]);
    let digits = (-(1.001 * step).log10().floor()).clamp(0.0, 12.0) as usize;
    let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
    let lines = (0..=(last - first).max(0.0) as usize).map(|i| first + i as f64);
    lines.map(|i| (i * step, digits)).collect()
}

/// Powers of ten between two, and where these are few, twice and five times each.
fn decades(low: f64, high: f64) -> Vec<(f64, usize)> {
    let powers = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
    let count = (high / low).log10();
    let times: &[f64] = match count {
        count if count < 1.5 => &[1.0, 2.0, 5.0],
        count if count < 3.0 => &[1.0, 3.0],
        _ => &[1.0],
    };
    let all = powers.flat_map(|power| {
        let digits = (-power).clamp(0, 12) as usize;
        times
            .iter()
            .map(move |time| (time * 10f64.powi(power), digits))
    });
    let inside = all.filter(|(line, _)| (0.999 * low..=1.001 * high).contains(line));
    inside.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Tracks;

    fn axis(values: &[f64], range: RangeInclusive<f64>, log: bool) -> ValueAxis {
        let mut tracks = Tracks::default();
        for (second, value) in values.iter().enumerate() {
            tracks.set_key("lamp.bright", second as f64, *value);
        }
        let track = tracks.of("lamp.bright").expect("keys");
        ValueAxis::new(track, range, log, Rangef::new(100.0, 300.0))
    }

    #[test]
    fn all_keys_are_seen_and_a_height_tells_its_value() {
        for (values, range, log) in [
            (&[0.0, 12.0, 3.0][..], 0.0..=50.0, false),
            (&[-20.0, 20.0], -20.0..=20.0, false),
            (&[0.02, 100.0], 0.02..=100.0, true),
            (&[0.0, 8.0], 0.0..=10.0, true),
            (&[5.0], 0.0..=50.0, false),
            (&[0.5], 0.02..=100.0, true),
            (&[50.0], 0.0..=50.0, false),
            (&[0.0], 0.0..=10.0, true),
        ] {
            let axis = axis(values, range, log);
            for value in values {
                let y = axis.y(*value);
                assert!((99.9..=300.1).contains(&y), "{value} at {y} in {axis:?}");
                let there = axis.value(y);
                let point = (axis.exact(y - 1.0) - axis.exact(y)).abs();
                assert!((there - value).abs() <= point, "{there} {value}");
            }
            let more = values[0] + 0.01 * values[0].abs() + 0.01;
            assert!(axis.y(more) < axis.y(values[0]));
        }
        // Beyond the graph values go on, as far as the number may.
        let axis = axis(&[0.0, 12.0, 3.0], 0.0..=50.0, false);
        assert!(axis.value(50.0) > 14.0);
        assert_eq!([axis.value(-9e3), axis.value(9e3)], [50.0, 0.0]);
        // A point is 0.067.
        assert_eq!(axis.value(axis.y(7.0)), 7.0);
    }

    #[test]
    fn a_logarithmic_slider_has_a_logarithmic_axis() {
        let axis = axis(&[0.1, 10.0], 0.02..=100.0, true);
        let [low, middle, high] = [0.1, 1.0, 10.0].map(|value| axis.y(value));
        assert!(((low + high) / 2.0 - middle).abs() < 0.1);
        // Below the smallest of one that begins at zero is nothing.
        let axis = self::axis(&[0.001, 10.0], 0.0..=10.0, true);
        assert_eq!(axis.value(axis.y(0.001) + 500.0), 0.0);
    }

    #[test]
    fn lines_are_few_and_round() {
        let lines = |low, high, log, factor| {
            let lines = axis(&[low, high], 0.0..=1000.0, log).lines(factor);
            let text = |(line, digits): &(f64, usize)| format!("{:.digits$}", line * factor);
            lines.iter().map(text).collect::<Vec<_>>()
        };
        assert_eq!(lines(0.0, 12.0, false, 1.0), ["0", "5", "10"]);
        assert_eq!(lines(0.0, 0.004, false, 1000.0), ["0", "1", "2", "3", "4"]);
        assert_eq!(
            lines(0.5, 0.9, false, 1.0),
            ["0.5", "0.6", "0.7", "0.8", "0.9"]
        );
        assert_eq!(lines(0.5, 300.0, true, 1.0), ["1", "10", "100"]);
        assert_eq!(lines(0.9, 11.0, true, 1.0), ["1", "2", "5", "10"]);
        assert_eq!(lines(1.0, 2.0, true, 1.0), ["1.0", "1.5", "2.0"]);
    }
}
