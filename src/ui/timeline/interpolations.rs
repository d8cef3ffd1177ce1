//! The choice of how a key goes on to the next, in the menu of a key.

use crate::{param::KeyInterpolation, ui::theme};
use egui::{RichText, Ui};

/// What a menu calls it, and what it does.
fn told(interpolation: KeyInterpolation) -> [&'static str; 2] {
    match interpolation {
        KeyInterpolation::Smooth => ["Smooth", "Steady through the keys, and never beyond them"],
        KeyInterpolation::Linear => ["Linear", "Straight to the next key"],
        KeyInterpolation::Hold => ["Hold", "Stays until the next key, and is there at once"],
        KeyInterpolation::Eased => ["Eased", "Slow out of this key, slow into the next"],
    }
}

/// Rows of a menu, one of them `chosen`; answers with the one that was clicked.
pub fn choose(ui: &mut Ui, chosen: Option<KeyInterpolation>) -> Option<KeyInterpolation> {
    ui.label(RichText::new("To the next key").small().color(theme::WEAK));
    let mut clicked = None;
    for interpolation in KeyInterpolation::ALL {
        let [name, help] = told(interpolation);
        let row = ui
            .radio(chosen == Some(interpolation), name)
            .on_hover_text(help);
        if row.clicked() {
            clicked = Some(interpolation);
            ui.close();
        }
    }
    ui.separator();
    clicked
}

/// What is said of a key that goes on like that, after its value.
pub fn after_value(interpolation: KeyInterpolation) -> String {
    match interpolation {
        KeyInterpolation::Smooth => String::new(),
        other => format!(", then {}", other.name()),
    }
}
