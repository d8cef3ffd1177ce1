//! The doors through which values come in: what is not allowed is named.

use super::{Kind, ParamError, Tunable, Value, kind::describe, number::read_number, wanted};
use std::ops::RangeInclusive;

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
        wanted: wanted(tunable),
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
                wanted: wanted(tunable),
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
        (Kind::Ramp { range }, Value::Ramp(v)) => {
            let beyond = |c: &f32| check_float(f64::from(*c), range).is_err();
            match v.0.iter().any(beyond) {
                false => Ok(Value::Ramp(v)),
                true => Err(outside(
                    describe(&Value::Ramp(v)),
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

/// The error for a value of the right kind that the tunable's type cannot read; `text` says
/// what that reads, where it is more than its kind says.
pub fn unreadable(
    section: &str,
    tunable: &Tunable,
    value: &Value,
    text: Option<&str>,
) -> ParamError {
    let plain = || format!("{} that it can read", wanted(tunable));
    ParamError::Kind {
        key: format!("{section}.{}", tunable.key),
        wanted: text.map_or_else(plain, str::to_string),
        got: describe(value),
    }
}

/// Reads `text` as the kind of value that `tunable` wants, as `--set` does.
pub fn parse(section: &str, tunable: &Tunable, text: &str) -> Result<Value, ParamError> {
    let text = text.trim();
    let refuse = || ParamError::Kind {
        key: format!("{section}.{}", tunable.key),
        wanted: wanted(tunable),
        got: format!("\"{text}\""),
    };
    let value = match &tunable.kind {
        // As the panel takes it: 6 m/s, 10 cm of a length in metres.
        Kind::Float { range, .. } => {
            let written = || read_number(text, tunable.unit, false, *range.end() >= 1000.0);
            Value::Float(text.parse().ok().or_else(written).ok_or_else(refuse)?)
        }
        Kind::Int { .. } => {
            // Beyond 2^53 a real number would not be every whole one.
            let number = text.parse().ok().or_else(|| {
                let number = read_number(text, tunable.unit, true, true)?;
                (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
            });
            Value::Int(number.ok_or_else(refuse)?)
        }
        Kind::Bool => match text {
            "true" | "on" | "yes" | "1" => Value::Bool(true),
            "false" | "off" | "no" | "0" => Value::Bool(false),
            _ => return Err(refuse()),
        },
        Kind::Choice(_) | Kind::Text => Value::Text(text.into()),
        Kind::Direction | Kind::Colour | Kind::Triple { .. } | Kind::Ramp { .. } => {
            let parts = text.trim_matches(['[', ']']).split(',');
            let number = |part| read_number(part, tunable.unit, false, false);
            let parts: Option<Vec<f32>> = parts.map(|part| Some(number(part)? as f32)).collect();
            let list = parts.and_then(|parts| Value::list(&parts));
            list.ok_or_else(refuse)?
        }
    };
    check(section, tunable, value)
}
