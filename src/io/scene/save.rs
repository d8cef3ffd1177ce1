//! Writing a scene file.

use super::{
    SceneError, handwork, keyframes,
    layout::{VERSION, names_file},
    tracks,
};
use crate::{
    io::{reason, write_atomic},
    param::{Kind, List, Params, Tunable, Value},
    sim::hand::Handwork,
};
use std::{fmt::Write as _, path::Path};

/// Writes all values of `sections` that differ from their defaults, all rows of
/// `lists` and all `work` to `path`, whole or not at all.
pub fn write(
    path: &Path,
    sections: &[&dyn Params],
    lists: &[&dyn List],
    work: &Handwork,
) -> Result<(), SceneError> {
    write_atomic(path, text(path, sections, lists, work).as_bytes()).map_err(|error| {
        SceneError::Write {
            path: path.into(),
            reason: reason(&error),
        }
    })
}

/// The text that [`write`](fn@write) writes.
pub fn text(path: &Path, sections: &[&dyn Params], lists: &[&dyn List], work: &Handwork) -> String {
    values(path, sections) + &rows(lists) + &handwork::text(work)
}

fn values(path: &Path, sections: &[&dyn Params]) -> String {
    let mut out =
        format!("# A Lovelock scene: what differs from the defaults.\nversion = {VERSION}\n");
    // A list of tables ends the table before it.
    let mut keys = String::new();
    for section in sections {
        let mut heading = true;
        for (index, tunable) in section.tunables().iter().enumerate() {
            let mut value = section.get(index);
            if value == tunable.default {
                continue;
            }
            if (section.section(), tunable.key) == keyframes::TUNABLE {
                keys.push_str(&keyframes::text(&value));
                continue;
            }
            if (section.section(), tunable.key) == tracks::TUNABLE {
                keys.push_str(&tracks::text(&value));
                continue;
            }
            if heading {
                let _ = write!(out, "\n[{}]\n", section.section());
                heading = false;
            }
            if let Value::Text(file) = &value
                && let Some(name) = names_file(section.section(), tunable.key)
            {
                value = Value::Text(name.relative_to(path, file));
            }
            let note = note(tunable);
            let _ = writeln!(out, "{} = {}{note}", tunable.key, as_toml(&value));
        }
    }
    out + &keys
}

/// The rows of all lists. What a row is and where it is, is written whatever
/// it is; the rest where it differs from its default.
fn rows(lists: &[&dyn List]) -> String {
    let mut out = String::new();
    for list in lists {
        let tunables = list.tunables();
        for row in list.values() {
            let _ = write!(out, "\n[[{}]]\n", list.name());
            let (foreign, _) = list.foreign(&row);
            for (tunable, value) in tunables.iter().zip(&row) {
                let always = !matches!(tunable.kind, Kind::Bool | Kind::Text);
                if foreign.contains(&tunable.key) || !always && *value == tunable.default {
                    continue;
                }
                let note = note(tunable);
                let _ = writeln!(out, "{} = {}{note}", tunable.key, as_toml(value));
            }
        }
    }
    out
}

fn as_toml(value: &Value) -> String {
    let float = |v: f64| {
        let short = v.to_string();
        // TOML tells reals from whole numbers by the point.
        if short.contains(['.', 'e', 'n']) {
            short
        } else {
            format!("{short}.0")
        }
    };
    let list = |list: &[f32]| {
        // Through text, so that 0.1 is written 0.1.
        let part = |c: &f32| float(c.to_string().parse().unwrap_or(f64::from(*c)));
        format!("[{}]", list.iter().map(part).collect::<Vec<_>>().join(", "))
    };
    match value {
        Value::Float(v) => float(*v),
        Value::Int(v) => v.to_string(),
        Value::Bool(v) => v.to_string(),
        Value::Choice(v) => toml::Value::String((*v).into()).to_string(),
        Value::Text(v) => toml::Value::String(v.clone()).to_string(),
        Value::Vector(v) => list(v),
        Value::Ramp(v) => list(&v.0),
    }
}

/// Unit and range behind a value, for whoever edits the file by hand.
fn note(tunable: &Tunable) -> String {
    let unit = match tunable.unit {
        "" => String::new(),
        unit => format!("{unit}, "),
    };
    match &tunable.kind {
        Kind::Float { range, .. } | Kind::Triple { range } => {
            format!("  # {unit}{} to {}", range.start(), range.end())
        }
        Kind::Ramp { range } => {
            let (least, most) = (range.start(), range.end());
            format!("  # from root to tip, {unit}each {least} to {most}")
        }
        Kind::Int { range, .. } => format!("  # {unit}{} to {}", range.start(), range.end()),
        Kind::Choice(names) => format!("  # {}", names.join(", ")),
        Kind::Bool | Kind::Direction | Kind::Colour | Kind::Text => String::new(),
    }
}
