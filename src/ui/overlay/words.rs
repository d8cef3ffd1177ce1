//! How the status line writes.

use crate::ui::theme;
use egui::{Color32, Response, RichText, Ui};

/// What is under way or wrong, in capitals.
pub(super) fn badge(ui: &mut Ui, text: impl Into<String>, colour: Color32) -> Response {
    ui.label(RichText::new(text).small().strong().color(colour))
}

/// Two words, the first one brighter.
pub(super) fn fact(ui: &mut Ui, first: &str, second: &str, help: &str) {
    pair(ui, [(first, theme::TEXT), (second, theme::WEAK)], help);
}

/// A quantity, and what it is.
pub(super) fn named(ui: &mut Ui, name: &str, value: &str, help: &str) {
    pair(ui, [(name, theme::WEAK), (value, theme::TEXT)], help);
}

fn pair(ui: &mut Ui, words: [(&str, Color32); 2], help: &str) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut word = |(text, colour)| ui.label(RichText::new(text).small().color(colour));
        let [first, second] = words;
        let first = word(first);
        first.union(word(second)).on_hover_text(help);
    });
}
