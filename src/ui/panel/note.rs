//! A note in the panel on something that is odd.

use crate::{project::sides::Side, ui::command::Command};
use egui::{Button, Label, RichText, Ui};

/// What is odd, what it means, and what may be done about it.
#[derive(Debug, PartialEq)]
pub(super) struct Note {
    /// The side that it is about; none where there is only one.
    pub side: Option<Side>,
    /// What is odd.
    pub text: String,
    /// What it means.
    pub help: String,
    /// A button's words, and what it does.
    pub remedy: Option<(String, Command)>,
}

impl Note {
    /// Draws it.
    pub fn show(self, ui: &mut Ui, commands: &mut Vec<Command>) {
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            ui.set_max_width(ui.available_width() - 8.0);
            let text = match self.side {
                Some(side) => format!("{}: {}", side.letter(), self.text),
                None => self.text,
            };
            let colour = ui.visuals().warn_fg_color;
            ui.add(Label::new(RichText::new(text).small().color(colour)).wrap())
                .on_hover_text(&self.help);
            if let Some((label, command)) = self.remedy
                && ui
                    .add(Button::new(RichText::new(label).small()))
                    .on_hover_text(&self.help)
                    .clicked()
            {
                commands.push(command);
            }
        });
        ui.add_space(3.0);
    }
}
