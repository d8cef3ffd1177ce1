//! What a tunable may hold, and the values themselves.

use super::{Ramp, Tunable};
use std::ops::RangeInclusive;

/// A value on its way into or out of a [`Params`](super::Params) section.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A real number in the tunable's unit.
    Float(f64),
    /// A count.
    Int(i64),
    /// A switch.
    Bool(bool),
    /// One of a fixed list of names.
    Choice(&'static str),
    /// Three reals: a direction (any length), a linear colour, a place or sizes.
    Vector([f32; 3]),
    /// How something changes from root to tip.
    Ramp(Ramp),
    /// A path or a name.
    Text(String),
}

impl Value {
    /// What so many numbers are: a vector or a ramp.
    pub fn list(numbers: &[f32]) -> Option<Self> {
        let vector = || Some(Self::Vector(numbers.try_into().ok()?));
        let ramp = || Some(Self::Ramp(Ramp(numbers.try_into().ok()?)));
        vector().or_else(ramp)
    }
}

/// What a tunable holds and what it may hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A real number; `log` asks for a logarithmic slider.
    Float {
        /// Smallest and largest value allowed.
        range: RangeInclusive<f64>,
        /// Whether a slider should be logarithmic.
        log: bool,
    },
    /// A count.
    Int {
        /// Smallest and largest value allowed.
        range: RangeInclusive<i64>,
        /// Whether a slider should be logarithmic.
        log: bool,
    },
    /// A switch.
    Bool,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// A direction; its length does not matter, zero is refused.
    Direction,
    /// A linear RGB colour, each channel 0..=1.
    Colour,
    /// Three reals along x, y, z: a place, sizes, angles.
    Triple {
        /// Smallest and largest value allowed of each.
        range: RangeInclusive<f64>,
    },
    /// Five reals, evenly from a strand's root to its tip.
    Ramp {
        /// Smallest and largest value allowed of each.
        range: RangeInclusive<f64>,
    },
    /// A path or a name; empty means none.
    Text,
}

/// A real tunable between `min` and `max`.
pub fn float(min: f64, max: f64) -> Kind {
    Kind::Float {
        range: min..=max,
        log: false,
    }
}

/// What a logarithmic slider whose range starts at 0 has next to it, as a share
/// of the largest value.
const NEXT_TO_ZERO: f64 = 1e-4;

/// A real tunable whose slider is logarithmic. The range may start at 0: that is
/// the slider's left end, and a ten-thousandth of `max` comes next.
pub fn log_float(min: f64, max: f64) -> Kind {
    Kind::Float {
        range: min..=max,
        log: true,
    }
}

/// The smallest positive value of a logarithmic slider of that range.
pub fn smallest_positive(range: &RangeInclusive<f64>) -> f64 {
    match *range.start() {
        0.0 => NEXT_TO_ZERO * range.end(),
        start => start.abs().max(1e-6),
    }
}

/// A count between `min` and `max`.
pub fn int(min: i64, max: i64) -> Kind {
    Kind::Int {
        range: min..=max,
        log: false,
    }
}

/// A count whose slider is logarithmic.
pub fn log_int(min: i64, max: i64) -> Kind {
    Kind::Int {
        range: min..=max,
        log: true,
    }
}

/// Three reals, each between `min` and `max`.
pub fn triple(min: f64, max: f64) -> Kind {
    Kind::Triple { range: min..=max }
}

/// Five reals from root to tip, each between `min` and `max`.
pub fn ramp(min: f64, max: f64) -> Kind {
    Kind::Ramp { range: min..=max }
}

/// What a tunable takes, in words: "a number from 0 to 50 m/s".
pub fn wanted(tunable: &Tunable) -> String {
    let unit = match tunable.unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    match &tunable.kind {
        Kind::Float { range, .. } => {
            format!("a number from {} to {}{unit}", range.start(), range.end())
        }
        Kind::Int { range, .. } => {
            format!(
                "a whole number from {} to {}{unit}",
                range.start(),
                range.end()
            )
        }
        Kind::Bool => "true or false".into(),
        Kind::Choice(names) => format!("one of {}", names.join(", ")),
        Kind::Direction => "three numbers that are not all zero, like [0, -1, 0]".into(),
        Kind::Colour => "three numbers from 0 to 1, like [0.2, 0.1, 0.05]".into(),
        Kind::Triple { range } => format!(
            "three numbers from {} to {}{unit}, like [0.1, 0.2, 0.3]",
            range.start(),
            range.end()
        ),
        Kind::Ramp { range } => format!(
            "five numbers from {} to {}, from root to tip, like [1, 1, 1, 0.5, 0]",
            range.start(),
            range.end()
        ),
        Kind::Text => "a text".into(),
    }
}

/// A value as messages show it.
pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Float(v) => v.to_string(),
        Value::Int(v) => v.to_string(),
        Value::Bool(v) => v.to_string(),
        Value::Choice(v) => (*v).to_string(),
        Value::Vector(v) => format!("[{}, {}, {}]", v[0], v[1], v[2]),
        Value::Ramp(v) => format!("[{}]", v.0.map(|c| c.to_string()).join(", ")),
        Value::Text(v) => format!("\"{v}\""),
    }
}
