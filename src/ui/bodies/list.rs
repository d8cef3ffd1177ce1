//! The bodies in the panel: a list, and the numbers of the one that is chosen.

use super::selection::BodySelection;
use crate::{
    param::Params as _,
    sim::collider::{Collider, Shape},
    ui::{command::Command, icons::Icon, theme, widgets::SliderRow},
};
use egui::{Align, Button, Checkbox, Layout, RichText, Ui, vec2};

/// Draws the section.
pub fn show(
    ui: &mut Ui,
    bodies: &[Collider],
    selection: BodySelection,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = (ui.available_width() - 20.0 - 8.0) / 3.0;
        for (kind, label, help) in [
            (Shape::Sphere, "+ Sphere", "A ball"),
            (
                Shape::Ellipsoid,
                "+ Ellipsoid",
                "A ball stretched along three axes",
            ),
            (Shape::Capsule, "+ Capsule", "A rod with round ends"),
        ] {
            let button = Button::new(label).fill(theme::FIELD);
            if ui
                .add_sized([width, 24.0], button)
                .on_hover_text(help)
                .clicked()
            {
                commands.push(Command::AddBody(kind));
            }
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = ui.available_width() - 20.0 - 84.0;
        let button = Button::new("Fit to head").fill(theme::FIELD);
        let help = "Head, neck, shoulders and chest by the head's own measures. Shoulders and \
                    chest stay where they are while the head turns. Replaces those fitted before.";
        if ui
            .add_sized([width, 24.0], button)
            .on_hover_text(help)
            .clicked()
        {
            commands.push(Command::FitBodies);
        }
        let mut shown = selection.shown;
        let help = "Draw them over the picture. They are not in recordings.";
        if ui
            .add(Checkbox::new(&mut shown, "Show"))
            .on_hover_text(help)
            .changed()
        {
            commands.push(Command::ShowBodies);
        }
    });
    if bodies.is_empty() {
        let text = "None yet. Hair collides with all of them, whatever the method.";
        ui.label(RichText::new(text).small().color(theme::WEAK));
    }
    ui.add_space(2.0);
    for (row, body) in bodies.iter().enumerate() {
        line(ui, selection.row == Some(row), row, body, commands);
    }
    if let Some((row, body)) = selection.chosen(bodies) {
        ui.add_space(4.0);
        numbers(ui, row, body, commands);
    }
    ui.add_space(2.0);
}

/// One body: on or off, its name, a copy of it, away with it.
fn line(ui: &mut Ui, chosen: bool, row: usize, body: &Collider, commands: &mut Vec<Command>) {
    ui.push_id(("body", row), |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let mut on = body.on;
            if ui
                .add(Checkbox::without_text(&mut on))
                .on_hover_text("Whether hair meets it")
                .changed()
            {
                let mut body = body.clone();
                body.on = on;
                commands.push(place(row, body));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(18.0);
                let size = vec2(18.0, 18.0);
                if Icon::Close
                    .small(ui, size, theme::WEAK)
                    .on_hover_text("Delete it")
                    .clicked()
                {
                    commands.push(Command::DeleteBody(row));
                }
                if ui
                    .add(Button::new(RichText::new("+").color(theme::WEAK)).frame(false))
                    .on_hover_text("Another one like it")
                    .clicked()
                {
                    commands.push(Command::CopyBody(row));
                }
                let text = RichText::new(title(row, body)).color(match chosen {
                    true => egui::Color32::WHITE,
                    false => theme::TEXT,
                });
                let fill = if chosen {
                    theme::ACCENT_DIM
                } else {
                    theme::RAISED
                };
                let width = ui.available_width();
                let kind = RichText::new(body.kind.name()).small().color(theme::WEAK);
                let button = Button::new(text).right_text(kind).fill(fill).truncate();
                if ui.add_sized([width, 20.0], button).clicked() {
                    let other = (!chosen).then_some(row);
                    commands.push(Command::ChooseBody(other));
                }
            });
        });
    });
}

/// The name of a body, for people.
pub fn title(row: usize, body: &Collider) -> String {
    match body.name.as_str() {
        "" => format!("Body {}", row + 1),
        name => name.into(),
    }
}

fn place(row: usize, body: Collider) -> Command {
    Command::PlaceBody {
        row,
        body: Box::new(body),
        held: false,
    }
}

/// The numbers of a body, from its declaration.
fn numbers(ui: &mut Ui, row: usize, body: &Collider, commands: &mut Vec<Command>) {
    let foreign = body.foreign();
    for (index, tunable) in body.tunables().into_iter().enumerate() {
        if foreign.contains(&tunable.key) || tunable.key == "on" {
            continue;
        }
        let edit = SliderRow {
            keyed: false,
            name: format!("collider.{}", tunable.key),
            tunable: &tunable,
            value: body.get(index),
            choices: None,
            key: "",
        };
        let edit = ui.push_id(("number", row, index), |ui| edit.show(ui)).inner;
        if let Some(edit) = edit {
            commands.push(Command::SetOfBody {
                row,
                index,
                value: edit.value,
                held: edit.held,
            });
        }
    }
}
