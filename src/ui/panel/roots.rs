//! What was painted of the roots, over their rows.

use super::super::{command::Command, keys, theme, tool::Tool};
use crate::{
    param::Value,
    project::{scene::Scene, tools::Paints},
};
use egui::{Button, RichText, Ui};

/// Tells how much was painted, and takes it back; `parts` while a parting is drawn.
pub fn show(ui: &mut Ui, scene: &Scene, parts: bool, commands: &mut Vec<Command>) {
    parting(ui, scene, parts, commands);
    let roots = &scene.roots;
    let weak = |text: String| RichText::new(text).small().color(theme::WEAK);
    let mut bare = true;
    for paints in Paints::ALL {
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
                && let Some(place) = scene.place(paints.key())
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
            "Not painted: {} paints less density, length, curl or stiffness, {} paints it back",
            keys::name_of(&Command::Tool(Tool::Less)),
            keys::name_of(&Command::Tool(Tool::More))
        )));
    }
}

/// Draws a parting, and takes it away.
fn parting(ui: &mut Ui, scene: &Scene, parts: bool, commands: &mut Vec<Command>) {
    let drawn = !scene.roots.parting.is_empty();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (label, fill) = match parts {
            true => ("Draw it over the head …", theme::ACCENT_DIM),
            false => ("Draw a parting", theme::FIELD),
        };
        let help = "Then drag over the head, from the face to the crown: hair falls to both sides \
                    of the line. Alt and drag orbits, Esc gives up";
        let width = ui.available_width() - 20.0 - if drawn { 104.0 } else { 0.0 };
        let button = Button::new(label).fill(fill);
        if ui
            .add_sized([width, 24.0], button)
            .on_hover_text(help)
            .clicked()
        {
            commands.push(Command::Part);
        }
        let middle = Button::new("In the middle").fill(theme::FIELD);
        if drawn
            && ui
                .add_sized([100.0, 24.0], middle)
                .on_hover_text("Part the hair in the middle again")
                .clicked()
            && let Some(place) = scene.place("roots.parting")
        {
            commands.push(Command::Set {
                place,
                value: Value::Text(String::new()),
                held: false,
            });
        }
    });
}
