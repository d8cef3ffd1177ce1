//! What messages have said, to be read again once they are gone.

use crate::{project::autosave::ago, ui::theme};
use egui::{Align, Color32, Label, RichText, Ui};
use std::{collections::VecDeque, time::Instant};

/// So many are kept.
const KEPT: usize = 60;

/// Width of what says when. `[points]`
const WHEN: f32 = 130.0;

/// One text.
struct PastMessage {
    text: String,
    /// That of its kind.
    colour: Color32,
    /// When it was said last, and how many times it was.
    last: Instant,
    times: u32,
}

/// What was said since the program was started, the newest first.
#[derive(Default)]
pub struct PastMessages {
    list: VecDeque<PastMessage>,
}

impl PastMessages {
    /// Notes what is said now; what was said before moves to the top.
    pub(super) fn note(&mut self, text: &str, colour: Color32) {
        let before = self.list.iter().position(|old| old.text == text);
        let before = before.and_then(|place| self.list.remove(place));
        self.list.push_front(PastMessage {
            text: text.into(),
            colour,
            last: Instant::now(),
            times: before.map_or(0, |old| old.times) + 1,
        });
        self.list.truncate(KEPT);
    }

    /// Draws them below each other, each whole.
    pub fn show(&self, ui: &mut Ui) {
        if self.list.is_empty() {
            ui.label(RichText::new("Nothing was said yet.").color(theme::WEAK));
        }
        for message in &self.list {
            ui.horizontal_top(|ui| {
                ui.label(RichText::new("\u{2022}").color(message.colour));
                let when = RichText::new(message.when()).small().color(theme::WEAK);
                ui.add_sized([WHEN, 0.0], Label::new(when).halign(Align::Min));
                ui.add(Label::new(&message.text).wrap().selectable(true));
            });
        }
    }
}

impl PastMessage {
    /// How long ago it was said, and how many times.
    fn when(&self) -> String {
        let ago = ago(self.last.elapsed());
        match self.times {
            1 => ago,
            times => format!("{ago}, {times} times"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_moves_to_the_top_and_is_counted() {
        let mut past = PastMessages::default();
        for text in ["a", "b", "a"] {
            past.note(text, Color32::WHITE);
        }
        let told: Vec<String> = past
            .list
            .iter()
            .map(|m| format!("{} {}", m.text, m.when()))
            .collect();
        assert_eq!(told, ["a just now, 2 times", "b just now"]);
    }
}
