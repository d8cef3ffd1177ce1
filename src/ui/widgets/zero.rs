//! What 0 is called in rows where it stands for no number.

use egui::{DragValue, emath::format_with_decimals_in_range};

/// Rows, and what their 0 means.
const WORDS: &[(&str, &str)] = &[
    ("import.points", "as found"),
    ("import.guides", "as in file"),
    ("import.vertices", "as in file"),
    ("camera.focus", "at target"),
    ("groom.trim", "not cut"),
    ("capture.frame_samples", "auto"),
];

/// What 0 is called in the row of that name; none where it is a number like others.
pub(super) fn zero_word(name: &str) -> Option<&'static str> {
    let mut all = WORDS.iter();
    all.find(|(row, _)| *row == name).map(|(_, word)| *word)
}

/// A field that shows that `word` while it is at 0, else its number with the unit behind it.
pub(super) fn worded<'a>(
    field: DragValue<'a>,
    value: f64,
    word: Option<&'static str>,
    suffix: &str,
) -> DragValue<'a> {
    match word.filter(|_| value == 0.0) {
        Some(word) => field.custom_formatter(move |now, decimals| match now == 0.0 {
            true => word.into(),
            false => format_with_decimals_in_range(now, decimals),
        }),
        None => field.suffix(suffix),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        param::{Kind, Value},
        project::{effect, scene::Scene},
    };

    #[test]
    fn every_row_whose_zero_has_a_word_may_be_zero() {
        let scene = Scene::default();
        for (name, _) in WORDS {
            let value = effect::value(&scene, name);
            let zero = [Value::Int(0), Value::Float(0.0)];
            assert!(value.is_some_and(|value| zero.contains(&value)), "{name}");
            let (section, index) = scene.place(name).expect("a row");
            let tunable = scene.sections()[section].tunables().swap_remove(index);
            let may = match tunable.kind {
                Kind::Int { range, .. } => range.contains(&0),
                Kind::Float { range, .. } => range.contains(&0.0),
                _ => false,
            };
            assert!(may, "{name}");
        }
    }
}
