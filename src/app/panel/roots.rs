//! What was painted of the roots, over their rows.

use super::super::{command::Command, keys, program::Program, theme, tool::Tool};
use crate::param::Value;
use egui::{Button, RichText, Ui};

/// Tells how much was painted, and takes it back.
pub fn show(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    let painted = &program.scene().roots.painted;
    ui.horizontal(|ui| {
        let dabs = painted.split(';').filter(|dab| !dab.trim().is_empty());
        let text = match dabs.count() {
            0 => format!(
                "Not painted: {} thins out, {} plants back",
                keys::name_of(&Command::Tool(Tool::Thin)),
                keys::name_of(&Command::Tool(Tool::Plant))
            ),
            1 => "Painted: 1 dab".into(),
            count => format!("Painted: {count} dabs"),
        };
        ui.label(RichText::new(text).small().color(theme::WEAK));
        if painted.is_empty() {
            return;
        }
        let clear = Button::new(RichText::new("Clear").small());
        if ui
            .add(clear)
            .on_hover_text("Let hair grow everywhere again (Ctrl+Z brings the paint back)")
            .clicked()
            && let Some(place) = program.scene().place("roots.painted")
        {
            commands.push(Command::Set {
                place,
                value: Value::Text(String::new()),
                held: false,
            });
        }
    });
}
