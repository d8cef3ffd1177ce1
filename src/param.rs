//! A tunable is declared once: name, unit, range, default, meaning.
//!
//! [`params!`](crate::params) writes a plain struct with documented fields and,
//! from the same lines, the table that the panel's sliders, `--set
//! section.key=value`, the scene file and the README's table are drawn from.

mod list;
mod second;

pub use list::{List, RowValues, row, values};
pub use second::Second;

use std::ops::RangeInclusive;
use thiserror::Error;

/// A value on its way into or out of a [`Params`] section.
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
    /// A path or a name.
    Text(String),
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
    /// A path or a name; empty means none.
    Text,
}

/// One tunable: everything a slider, a file and a table need to know of it.
#[derive(Clone, Debug)]
pub struct Tunable {
    /// Name in files and on the command line (`section.key`).
    pub key: &'static str,
    /// Name in the panel.
    pub label: &'static str,
    /// SI unit as printed, empty for none.
    pub unit: &'static str,
    /// One or two sentences: what it does.
    pub help: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// Its value when nothing is said.
    pub default: Value,
}

/// Why a value was refused; the text names the key and what is allowed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ParamError {
    /// The number lies outside the declared range.
    #[error("{key} = {value} is outside its range {min} to {max}{unit}")]
    Range {
        /// `section.key`
        key: String,
        /// the refused number
        value: String,
        /// smallest allowed
        min: String,
        /// largest allowed
        max: String,
        /// unit with a leading space, or empty
        unit: String,
    },
    /// The value is of another kind (text for a number, say).
    #[error("{key} wants {wanted}, not {got}")]
    Kind {
        /// `section.key`
        key: String,
        /// what it takes
        wanted: String,
        /// what was given
        got: String,
    },
    /// No such key; the nearest valid name is offered.
    #[error("there is no parameter {key}; did you mean {nearest}?")]
    Unknown {
        /// what was written
        key: String,
        /// the nearest valid name
        nearest: String,
    },
}

/// A section of tunables, as written by [`params!`](crate::params).
pub trait Params {
    /// The section's name in files (`pbd` in `pbd.iterations`).
    fn section(&self) -> &'static str;
    /// Its name where it is the second of two sets side by side (`b.pbd`).
    fn second(&self) -> &'static str;
    /// The section's table, in panel order.
    fn tunables(&self) -> Vec<Tunable>;
    /// The value of tunable number `index`.
    fn get(&self, index: usize) -> Value;
    /// Sets tunable number `index`; refuses what its declaration does not allow.
    fn set(&mut self, index: usize, value: Value) -> Result<(), ParamError>;
}

/// A Rust type that a tunable can have.
pub trait ParamType: Sized {
    /// The value as a [`Value`].
    fn to_value(&self) -> Value;
    /// Reads a checked value back.
    fn from_value(value: &Value) -> Option<Self>;
}

impl ParamType for f32 {
    fn to_value(&self) -> Value {
        // Through text, so that 0.1f32 is written 0.1 and not 0.10000000149.
        Value::Float(self.to_string().parse().unwrap_or(f64::from(*self)))
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Float(v) => Some(*v as f32),
            Value::Int(v) => Some(*v as f32),
            _ => None,
        }
    }
}

impl ParamType for u32 {
    fn to_value(&self) -> Value {
        Value::Int(i64::from(*self))
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(v) => u32::try_from(*v).ok(),
            _ => None,
        }
    }
}

impl ParamType for bool {
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(v) => Some(*v),
            _ => None,
        }
    }
}

impl ParamType for [f32; 3] {
    fn to_value(&self) -> Value {
        Value::Vector(*self)
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Vector(v) => Some(*v),
            _ => None,
        }
    }
}

impl ParamType for String {
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(v) => Some(v.clone()),
            _ => None,
        }
    }
}

/// A real tunable between `min` and `max`.
pub fn float(min: f64, max: f64) -> Kind {
    Kind::Float {
        range: min..=max,
        log: false,
    }
}

/// A real tunable whose slider is logarithmic.
pub fn log_float(min: f64, max: f64) -> Kind {
    Kind::Float {
        range: min..=max,
        log: true,
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

/// Checks `value` against `tunable`, converting an integer where a real is
/// wanted; `section` only serves the message.
pub fn check(section: &str, tunable: &Tunable, value: Value) -> Result<Value, ParamError> {
    let key = || format!("{section}.{}", tunable.key);
    let unit = || match tunable.unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let outside = |value: String, min: String, max: String| ParamError::Range {
        key: key(),
        value,
        min,
        max,
        unit: unit(),
    };
    let other = |value: &Value| ParamError::Kind {
        key: key(),
        wanted: wanted(&tunable.kind),
        got: describe(value),
    };
    match (&tunable.kind, value) {
        (Kind::Float { range, .. }, Value::Int(v)) => check_float(v as f64, range).map_err(|()| {
            outside(
                v.to_string(),
                range.start().to_string(),
                range.end().to_string(),
            )
        }),
        (Kind::Float { range, .. }, Value::Float(v)) => check_float(v, range).map_err(|()| {
            outside(
                v.to_string(),
                range.start().to_string(),
                range.end().to_string(),
            )
        }),
        (Kind::Int { range, .. }, Value::Int(v)) if range.contains(&v) => Ok(Value::Int(v)),
        (Kind::Int { range, .. }, Value::Int(v)) => Err(outside(
            v.to_string(),
            range.start().to_string(),
            range.end().to_string(),
        )),
        (Kind::Bool, v @ Value::Bool(_)) => Ok(v),
        (Kind::Choice(names), Value::Choice(v)) if names.contains(&v) => Ok(Value::Choice(v)),
        (Kind::Choice(names), Value::Text(v)) => match names.iter().find(|name| **name == v) {
            Some(name) => Ok(Value::Choice(name)),
            None => Err(ParamError::Kind {
                key: key(),
                wanted: wanted(&tunable.kind),
                got: format!("\"{v}\""),
            }),
        },
        (Kind::Direction, Value::Vector(v))
            if v.iter().all(|c| c.is_finite()) && v.iter().any(|c| *c != 0.0) =>
        {
            Ok(Value::Vector(v))
        }
        (Kind::Colour, Value::Vector(v)) if v.iter().all(|c| (0.0..=1.0).contains(c)) => {
            Ok(Value::Vector(v))
        }
        (Kind::Triple { range }, Value::Vector(v)) => {
            match v
                .iter()
                .find(|c| check_float(f64::from(**c), range).is_err())
            {
                None => Ok(Value::Vector(v)),
                Some(_) => Err(outside(
                    describe(&Value::Vector(v)),
                    range.start().to_string(),
                    range.end().to_string(),
                )),
            }
        }
        (Kind::Text, v @ Value::Text(_)) => Ok(v),
        (_, value) => Err(other(&value)),
    }
}

fn check_float(value: f64, range: &RangeInclusive<f64>) -> Result<Value, ()> {
    // A limit written as f64 and a value that went through f32 may differ in
    // the last bit; that is not the user's fault.
    let slack = 1e-6 * (range.end() - range.start());
    if value.is_finite() && value >= range.start() - slack && value <= range.end() + slack {
        Ok(Value::Float(value.clamp(*range.start(), *range.end())))
    } else {
        Err(())
    }
}

/// What a kind of tunable takes, in words: "a number from 0 to 1".
pub fn wanted(kind: &Kind) -> String {
    match kind {
        Kind::Float { range, .. } => format!("a number from {} to {}", range.start(), range.end()),
        Kind::Int { range, .. } => {
            format!("a whole number from {} to {}", range.start(), range.end())
        }
        Kind::Bool => "true or false".into(),
        Kind::Choice(names) => format!("one of {}", names.join(", ")),
        Kind::Direction => "three numbers that are not all zero, like [0, -1, 0]".into(),
        Kind::Colour => "three numbers from 0 to 1, like [0.2, 0.1, 0.05]".into(),
        Kind::Triple { range } => format!(
            "three numbers from {} to {}, like [0.1, 0.2, 0.3]",
            range.start(),
            range.end()
        ),
        Kind::Text => "a text".into(),
    }
}

/// The error for a value of the right kind that the tunable's type cannot read.
pub fn unreadable(section: &str, tunable: &Tunable, value: &Value) -> ParamError {
    ParamError::Kind {
        key: format!("{section}.{}", tunable.key),
        wanted: format!("{} that it can read", wanted(&tunable.kind)),
        got: describe(value),
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Float(v) => v.to_string(),
        Value::Int(v) => v.to_string(),
        Value::Bool(v) => v.to_string(),
        Value::Choice(v) => (*v).to_string(),
        Value::Vector(v) => format!("[{}, {}, {}]", v[0], v[1], v[2]),
        Value::Text(v) => format!("\"{v}\""),
    }
}

/// Reads `text` as the kind of value that `tunable` wants, as `--set` does.
pub fn parse(section: &str, tunable: &Tunable, text: &str) -> Result<Value, ParamError> {
    let text = text.trim();
    let refuse = || ParamError::Kind {
        key: format!("{section}.{}", tunable.key),
        wanted: wanted(&tunable.kind),
        got: format!("\"{text}\""),
    };
    let value = match &tunable.kind {
        Kind::Float { .. } => Value::Float(text.parse().map_err(|_| refuse())?),
        Kind::Int { .. } => Value::Int(text.parse().map_err(|_| refuse())?),
        Kind::Bool => match text {
            "true" | "on" | "yes" | "1" => Value::Bool(true),
            "false" | "off" | "no" | "0" => Value::Bool(false),
            _ => return Err(refuse()),
        },
        Kind::Choice(_) | Kind::Text => Value::Text(text.into()),
        Kind::Direction | Kind::Colour | Kind::Triple { .. } => {
            let parts: Result<Vec<f32>, _> = text
                .trim_matches(['[', ']'])
                .split(',')
                .map(|part| part.trim().parse())
                .collect();
            match parts
                .ok()
                .and_then(|parts| <[f32; 3]>::try_from(parts).ok())
            {
                Some(vector) => Value::Vector(vector),
                None => return Err(refuse()),
            }
        }
    };
    check(section, tunable, value)
}

/// Sets `section.key` among `sections` from text; the one door for `--set`.
pub fn set_by_name(
    sections: &mut [&mut dyn Params],
    name: &str,
    text: &str,
) -> Result<(), ParamError> {
    for section in sections.iter_mut() {
        let prefix = section.section();
        for (index, tunable) in section.tunables().iter().enumerate() {
            if name
                .rsplit_once('.')
                .is_some_and(|(head, key)| head == prefix && key == tunable.key)
            {
                return section.set(index, parse(prefix, tunable, text)?);
            }
        }
    }
    let names = sections.iter().flat_map(|s| {
        let prefix = s.section();
        s.tunables()
            .into_iter()
            .map(move |t| format!("{prefix}.{}", t.key))
            .collect::<Vec<_>>()
    });
    Err(ParamError::Unknown {
        key: name.into(),
        nearest: nearest(name, names).unwrap_or_default(),
    })
}

/// The candidate with the smallest edit distance to `name`.
pub fn nearest(name: &str, candidates: impl IntoIterator<Item = String>) -> Option<String> {
    // A key given without its section ("stiffness") should find the full name.
    let score = |candidate: &str| {
        let key = candidate.rsplit('.').next().unwrap_or(candidate);
        edit_distance(name, candidate).min(edit_distance(name, key))
    };
    candidates
        .into_iter()
        .min_by_key(|candidate| score(candidate))
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

/// Declares a section of tunables.
///
/// ```
/// use lovelock::{param::{self, Params}, params};
/// params! {
///     /// How the spring behaves.
///     pub struct Spring: "spring" {
///         /// Force per metre of stretch.
///         stiffness: f32 = 40.0, param::float(0.0, 1000.0), "N/m", "Stiffness";
///     }
/// }
/// assert_eq!(Spring::default().tunables()[0].unit, "N/m");
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[doc = $struct_doc:literal])+
        pub struct $name:ident : $section:literal {
            $(
                $(#[doc = $help:literal])+
                $field:ident : $ty:ty = $default:expr, $kind:expr, $unit:literal, $label:literal;
            )+
        }
    ) => {
        $(#[doc = $struct_doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(
                $(#[doc = $help])+
                #[doc = concat!("\n\nUnit: ", $unit, "; declared range: `", stringify!($kind), "`.")]
                pub $field: $ty,
            )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default.into(),)+ }
            }
        }

        impl $crate::param::Params for $name {
            fn section(&self) -> &'static str {
                $section
            }
            fn second(&self) -> &'static str {
                concat!("b.", $section)
            }
            fn tunables(&self) -> Vec<$crate::param::Tunable> {
                use $crate::param::ParamType;
                vec![$($crate::param::Tunable {
                    key: stringify!($field),
                    label: $label,
                    unit: $unit,
                    help: concat!($($help),+).trim_ascii(),
                    kind: $kind,
                    default: <$ty>::from($default).to_value(),
                },)+]
            }
            #[allow(unused_assignments)]
            fn get(&self, index: usize) -> $crate::param::Value {
                use $crate::param::ParamType;
                [$(|s: &Self| s.$field.to_value()),+][index](self)
            }
            fn set(&mut self, index: usize, value: $crate::param::Value) -> Result<(), $crate::param::ParamError> {
                use $crate::param::ParamType;
                let tunable = &self.tunables()[index];
                let value = $crate::param::check($section, tunable, value)?;
                let put: &[fn(&mut Self, &$crate::param::Value) -> bool] =
                    &[$(|s, v| match ParamType::from_value(v) {
                        Some(v) => {
                            s.$field = v;
                            true
                        }
                        None => false,
                    }),+];
                match put[index](self, &value) {
                    true => Ok(()),
                    false => Err($crate::param::unreadable($section, tunable, &value)),
                }
            }
        }
    };
}

/// Declares an enum whose variants have names in files: the type of a
/// [`Kind::Choice`] tunable.
#[macro_export]
macro_rules! choice {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident {
            $( $(#[doc = $help:literal])+ $variant:ident = $text:literal, )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $( $(#[doc = $help])+ $variant, )+
        }

        impl $name {
            /// The names as files spell them, in declaration order.
            pub const NAMES: &'static [&'static str] = &[$($text),+];
            /// The name as files spell it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
            /// The variant of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)+ _ => None }
            }
        }

        impl $crate::param::ParamType for $name {
            fn to_value(&self) -> $crate::param::Value {
                $crate::param::Value::Choice(self.name())
            }
            fn from_value(value: &$crate::param::Value) -> Option<Self> {
                match value {
                    $crate::param::Value::Choice(name) => Self::from_name(name),
                    _ => None,
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    choice! {
        /// Colours of the test.
        pub enum Hue {
            /// Red.
            Red = "red",
            /// Green.
            Green = "green",
        }
    }

    params! {
        /// A section for the tests.
        pub struct Sample: "sample" {
            /// A real.
            /// Second line.
            real: f32 = 0.1, float(0.0, 2.0), "m", "Real";
            /// A count.
            count: u32 = 3u32, int(1, 9), "", "Count";
            /// A choice.
            hue: Hue = Hue::Green, Kind::Choice(Hue::NAMES), "", "Hue";
            /// A direction.
            way: [f32; 3] = [1.0, 0.0, 0.0], Kind::Direction, "", "Way";
        }
    }

    #[test]
    fn every_default_is_allowed_and_survives_a_round_trip() {
        let mut sample = Sample::default();
        for (index, tunable) in sample.tunables().iter().enumerate() {
            assert_eq!(sample.get(index), tunable.default);
            sample
                .set(index, tunable.default.clone())
                .expect("default refused");
        }
        assert_eq!(sample, Sample::default());
        assert_eq!(sample.tunables()[0].help, "A real. Second line.");
    }

    #[test]
    fn text_is_read_and_bad_text_is_named() {
        let mut sample = Sample::default();
        set_by_name(&mut [&mut sample], "sample.real", "1.5").expect("in range");
        set_by_name(&mut [&mut sample], "sample.hue", "red").expect("a name");
        set_by_name(&mut [&mut sample], "sample.way", "[0, 1, 0]").expect("a vector");
        assert_eq!(
            (sample.real, sample.hue, sample.way),
            (1.5, Hue::Red, [0.0, 1.0, 0.0])
        );
        let message = |name: &str, text: &str| {
            set_by_name(&mut [&mut Sample::default()], name, text)
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(
            message("sample.real", "3"),
            "sample.real = 3 is outside its range 0 to 2 m"
        );
        assert!(message("sample.real", "NaN").contains("outside"));
        assert!(message("sample.count", "2.5").contains("whole number from 1 to 9"));
        assert!(message("sample.hue", "blue").contains("one of red, green"));
        assert!(message("sample.way", "0,0,0").contains("not all zero"));
        assert_eq!(
            message("count", "3"),
            "there is no parameter count; did you mean sample.count?"
        );
    }
}
