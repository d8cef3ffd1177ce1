//! What was painted of the roots, over their rows.

use super::super::{brush::Paints, command::Command, keys, program::Program, theme, tool::Tool};
use crate::param::Value;
use egui::{Button, RichText, Ui};

/// Tells how much was painted, and takes it back.
pub fn show(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    let roots = &program.scene().roots;
    let weak = |text: String| RichText::new(text).small().color(theme::WEAK);
    let mut bare = true;
    for paints in [Paints::Density, Paints::Length, Paints::Curl] {
        let painted = paints.of(roots).split(';');
        let dabs = painted.filter(|dab| !dab.trim().is_empty()).count();
        if dabs == 0 {
            continue;
        }
        bare = false;
        ui.horizontal(|ui| {
            let dabs = if dabs == 1 {
                "1 dab".into()
            } else {
                format!("{dabs} dabs")
            };
            ui.label(weak(format!("Painted {}: {dabs}", paints.name())));
            let clear = ui
                .add(Button::new(RichText::new("Clear").small()))
                .on_hover_text("Take this paint away everywhere (Ctrl+Z brings it back)");
            if clear.clicked()
                && let Some(place) = program.scene().place(paints.key())
            {
                commands.push(Command::Set {
                    place,
                    value: Value::Text(String::new()),
                    held: false,
                });
            }
        });
    }
    if bare {
        ui.label(weak(format!(
            "Not painted: {} paints less density, length or curl, {} paints it back",
            keys::name_of(&Command::Tool(Tool::Less)),
            keys::name_of(&Command::Tool(Tool::More))
        )));
    }
}
