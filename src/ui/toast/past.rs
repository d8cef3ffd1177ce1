//! What messages have said, to be read again once they are gone.

use super::super::theme;
use egui::{Color32, Label, RichText, Ui};
use std::collections::VecDeque;

/// So many are kept.
const KEPT: usize = 60;

/// What was said since the program was started, the newest first.
#[derive(Default)]
pub struct PastMessages {
    /// Each text, and the colour of its kind.
    list: VecDeque<(String, Color32)>,
}

impl PastMessages {
    /// Notes what is said now; what was said before moves to the top.
    pub(super) fn note(&mut self, text: &str, colour: Color32) {
        self.list.retain(|(old, _)| old != text);
        self.list.push_front((text.into(), colour));
        self.list.truncate(KEPT);
    }

    /// Draws them below each other, each whole.
    pub fn show(&self, ui: &mut Ui) {
        if self.list.is_empty() {
            ui.label(RichText::new("Nothing was said yet.").color(theme::WEAK));
        }
        for (text, colour) in &self.list {
            ui.horizontal_top(|ui| {
                ui.label(RichText::new("\u{2022}").color(*colour));
                ui.add(Label::new(text).wrap().selectable(true));
            });
        }
    }
}
