//! Values of parameters in words.

use super::widgets::unit::Unit;
use crate::{
    groom::styles::{STYLES, Style},
    param::{Params, Tunable, Value},
    project::scene::Scene,
    sim::solver::method,
};
use std::path::Path;

/// So many values of a step of undo are named.
const NAMED: usize = 2;

/// A value with its name, such as "stiffness 0.06×".
pub fn named_value(tunable: &Tunable, value: &Value) -> String {
    let name = tunable.label.to_lowercase();
    let unit = Unit::of(tunable);
    match value {
        Value::Float(value) => {
            let text = unit.text(*value);
            let (number, unit) =
                match text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-') {
                    Some(end) => text.split_at(end),
                    None => (&text[..], ""),
                };
            let short = match number.contains('.') {
                true => number.trim_end_matches('0').trim_end_matches('.'),
                false => number,
            };
            format!("{name} {short}{unit}")
        }
        Value::Int(value) => format!("{name} {value}"),
        Value::Bool(on) => format!("{name} {}", if *on { "on" } else { "off" }),
        Value::Choice(choice) => format!("{name} {choice}"),
        Value::Vector(_) | Value::Ramp(_) => format!("other {name}"),
        Value::Text(id) if tunable.key == "solver" => {
            let method = method(id).map_or(&id[..], |method| method.name);
            format!("{name} {method}")
        }
        Value::Text(text) if text.is_empty() => format!("no {name}"),
        // Of a file its name tells enough.
        Value::Text(text) => {
            let file = Path::new(text).file_name();
            format!(
                "{name} {}",
                file.map_or(text.into(), |name| name.to_string_lossy())
            )
        }
    }
}

/// What a step of undo, which leaves things `as_before`, or of redo has made of `before`, such
/// as "wind off, length 22 cm"; none where nothing differs that has a name.
pub fn changed_values(before: &Scene, now: &Scene, as_before: bool) -> Option<String> {
    let without_value = |name: &str| format!("{name}{}", if as_before { " as before" } else { "" });
    let style = changed_style(before, now);
    let mut all: Vec<String> = style.map(|style| style.label.into()).into_iter().collect();
    for (before, now) in before.sections().iter().zip(now.sections()) {
        if now.section() == "groom" && style.is_some() {
            continue;
        }
        for (index, tunable) in now.tunables().iter().enumerate() {
            let value = now.get(index);
            if value == before.get(index) {
                continue;
            }
            let tunable = &Tunable {
                label: own_label(now.section(), tunable),
                ..tunable.clone()
            };
            all.push(match (now.section(), tunable.key) {
                ("tracks", _) => without_value("keys"),
                ("look", "eumelanin" | "pheomelanin" | "dye" | "grey") => {
                    without_value("hair colour")
                }
                (section, _) if section.starts_with("b.") => {
                    format!("B: {}", named_value(tunable, &value))
                }
                _ => named_value(tunable, &value),
            });
        }
    }
    let lists = before.lists().into_iter().zip(now.lists());
    let lists = lists.filter(|(before, now)| before.values() != now.values());
    all.extend(lists.map(|(_, now)| match now.name() {
        "collider" => without_value("bodies"),
        name => without_value(&format!("{name}s")),
    }));
    if before.handwork.pins != now.handwork.pins {
        all.push(without_value("pins"));
    }
    if before.handwork.edits != now.handwork.edits {
        all.push(without_value("cut and combed hair"));
    }
    // A colour is several numbers.
    all.dedup();
    let more = match all.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    all.truncate(NAMED);
    (!all.is_empty()).then(|| all.join(", ") + &more)
}

/// What the row of a parameter is called where it stands alone.
fn own_label(section: &str, tunable: &Tunable) -> &'static str {
    match (section.trim_start_matches("b."), tunable.key) {
        ("forces", "gravity") => "Gravity",
        ("wind", "strength") => "Wind",
        ("fan", "strength") => "Fan",
        _ => tunable.label,
    }
}

/// The hairstyle that is worn `now` and was not `before`; none where a single number made it.
fn changed_style(before: &Scene, now: &Scene) -> Option<&'static Style> {
    let worn = |scene: &Scene| {
        let mut all = STYLES.iter().filter(|_| scene.import.file.is_empty());
        all.find(|style| style.is_worn(&scene.groom))
    };
    let rows = 0..now.groom.tunables().len();
    let differ = rows.filter(|row| before.groom.get(*row) != now.groom.get(*row));
    if differ.count() < 2 {
        return None;
    }
    let old = worn(before).map(|style| style.id);
    worn(now).filter(|style| Some(style.id) != old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_told_by_the_values_that_it_brings_back() {
        let (before, mut now) = (Scene::default(), Scene::default());
        assert_eq!(changed_values(&before, &now, true), None);
        now.sim.step.solver = "rod".into();
        let words = |now: &Scene| changed_values(&before, now, true).expect("something differs");
        assert!(words(&now).ends_with("Kirchhoff rod"), "{}", words(&now));
        now.sim.wind.on = !now.sim.wind.on;
        now.groom.length = 0.31;
        assert!(words(&now).starts_with("length 31 cm, "), "{}", words(&now));
        assert!(words(&now).ends_with(" and 1 more"), "{}", words(&now));
        let mut now = before.clone();
        now.sim.forces.gravity = 3.0;
        assert_eq!(words(&now), "gravity 3 m/s²");
        let mut now = before.clone();
        now.groom = (STYLES[0].params)();
        assert_eq!(words(&now), STYLES[0].label);
        // One number is told by itself, even where a style has it.
        let worn = now.clone();
        now.groom.curl_radius += 0.001;
        let back = changed_values(&now, &worn, true).expect("it differs");
        assert!(back.starts_with("curl radius "), "{back}");
        let mut now = before.clone();
        now.head.file = "/heads/anna.obj".into();
        assert!(words(&now).ends_with(" anna.obj"), "{}", words(&now));
        let mut now = before.clone();
        (now.look.eumelanin, now.look.pheomelanin) = (3.0, 0.5);
        assert_eq!(words(&now), "hair colour as before");
        let again = changed_values(&before, &now, false);
        assert_eq!(again.as_deref(), Some("hair colour"));
        let mut now = before.clone();
        now.b.step.0.softness = 0.1;
        assert!(words(&now).starts_with("B: softness"), "{}", words(&now));
    }
}
