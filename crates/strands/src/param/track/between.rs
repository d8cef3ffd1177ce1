//! How a number goes from key to key.

use super::{Track, TrackKey};
use crate::choice;

choice! {
    /// How a number goes from a key to the next.
    pub enum KeyInterpolation {
        /// Smoothly, with a steady slope at every key, and never beyond the two.
        Smooth = "smooth",
        /// Straight.
        Linear = "linear",
        /// Not at all: it stays, and is all at once what the next key says.
        Hold = "hold",
        /// Slow out and slow in: it rests at both.
        Eased = "eased",
    }
}

impl KeyInterpolation {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 4] = [Self::Smooth, Self::Linear, Self::Hold, Self::Eased];
}

#[expect(clippy::derivable_impls, reason = "`choice!` knows no default")]
impl Default for KeyInterpolation {
    fn default() -> Self {
        Self::Smooth
    }
}

/// A held value ends so long before the next key: times of steps are sums, which are not
/// exact. `[s]`
const EARLY: f64 = 1e-6;

impl Track {
    /// The value at `time`: that of the first key before it and of the last one after it, and
    /// between two keys as the first of them says. Whichever way it goes, it passes through
    /// every key and never leaves the values of the two beside it. A straight way is a line,
    /// an eased one Hermite's cubic with level ends. A smooth one is Hermite's cubic, too;
    /// there no slope is steeper than three times the flatter of the two chords that it joins
    /// (Fritsch and Carlson 1980, "Monotone Piecewise Cubic Interpolation", section 3; their
    /// square of side 3). `[s]`
    pub fn at(&self, time: f64) -> f64 {
        let keys = &self.keys;
        let next = keys.partition_point(|key| key.time <= time);
        if next == 0 {
            return keys[0].value;
        }
        if next == keys.len() {
            return keys[next - 1].value;
        }
        let (a, b) = (keys[next - 1], keys[next]);
        let (span, rise) = (b.time - a.time, b.value - a.value);
        let s = (time - a.time) / span;
        let (s2, s3) = (s * s, s * s * s);
        let eased = (3.0 * s2 - 2.0 * s3) * rise;
        let value = match a.interpolation {
            KeyInterpolation::Smooth => {
                let slope_a = self.slope(next - 1, true) * span;
                let slope_b = self.slope(next, false) * span;
                a.value + (s3 - 2.0 * s2 + s) * slope_a + eased + (s3 - s2) * slope_b
            }
            KeyInterpolation::Linear => a.value + s * rise,
            KeyInterpolation::Hold if b.time - time > EARLY => a.value,
            KeyInterpolation::Hold => b.value,
            KeyInterpolation::Eased => a.value + eased,
        };
        // Rounding alone may leave them.
        value.clamp(a.value.min(b.value), a.value.max(b.value))
    }

    /// Slope at key number `index` of the smooth way that begins there, where it `begins`, or
    /// ends: beside another smooth way that of the parabola through the key and its
    /// neighbours, beside a straight one that of the line, both as far as monotony allows;
    /// level at both ends, where the values turn back, and beside all that rests there.
    fn slope(&self, index: usize, begins: bool) -> f64 {
        let [.., before] = self.keys[..index] else {
            return 0.0;
        };
        let [key, after, ..] = self.keys[index..] else {
            return 0.0;
        };
        let chord = |a: TrackKey, b: TrackKey| (b.value - a.value) / (b.time - a.time);
        let (left, right) = (chord(before, key), chord(key, after));
        if left * right <= 0.0 {
            return 0.0;
        }
        let (h, k) = (key.time - before.time, after.time - key.time);
        let (beside, line) = match begins {
            true => (before.interpolation, left),
            false => (key.interpolation, right),
        };
        let slope = match beside {
            KeyInterpolation::Smooth => (left * k + right * h) / (h + k),
            KeyInterpolation::Linear => line,
            KeyInterpolation::Hold | KeyInterpolation::Eased => return 0.0,
        };
        let steepest = 3.0 * left.abs().min(right.abs());
        slope.clamp(-steepest, steepest)
    }
}
