//! The views in the panel: those that have a key, and those that are kept with
//! the scene.

use super::{command::Command, icons::Icon, keys, theme};
use crate::render::{Bookmark, ViewPreset};
use egui::{Align, Button, Id, Key, Layout, RichText, TextEdit, Ui, vec2};

/// Above the rows of the section.
pub fn show(ui: &mut Ui, views: &[Bookmark], commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let gap = 4.0;
        ui.spacing_mut().item_spacing.x = gap;
        let count = ViewPreset::ALL.len() as f32;
        let width = (ui.available_width() - 20.0 - gap * (count - 1.0)) / count;
        for place in ViewPreset::ALL {
            let command = Command::View(place);
            let help = format!("{} (key {})", about(place), keys::name_of(&command));
            let button = Button::new(place.label()).fill(theme::FIELD);
            if ui
                .add_sized([width, 23.0], button)
                .on_hover_text(help)
                .clicked()
            {
                commands.push(command);
            }
        }
    });
    keep(ui, commands);
    for (row, view) in views.iter().enumerate() {
        line(ui, row, view, commands);
    }
    ui.add_space(3.0);
}

fn about(place: ViewPreset) -> &'static str {
    match place {
        ViewPreset::Front => "Into the face",
        ViewPreset::ThreeQuarter => "Between face and profile",
        ViewPreset::Side => "The profile, from the head's left",
        ViewPreset::Back => "The back of the head",
        ViewPreset::Top => "Down on the crown",
        ViewPreset::Curl => "Near, at the thickest lock on the front left",
    }
}

/// A name for the present view, and a button that keeps it.
fn keep(ui: &mut Ui, commands: &mut Vec<Command>) {
    let id = Id::unique("name of a view to keep");
    let mut draft = ui
        .data(|data| data.get_temp::<String>(id))
        .unwrap_or_default();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = ui.available_width() - 20.0 - 88.0;
        let field = TextEdit::singleline(&mut draft)
            .id(id.with("edit"))
            .hint_text("Name of this view");
        let field = ui.add_sized([width, 22.0], field);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let button = Button::new("Save view").fill(theme::FIELD);
        let clicked = ui
            .add_sized([84.0, 22.0], button)
            .on_hover_text(
                "Keeps where the camera is, with the scene. A view of that name is replaced.",
            )
            .clicked();
        if clicked || entered {
            commands.push(Command::KeepView(std::mem::take(&mut draft)));
        }
    });
    ui.data_mut(|data| data.insert_temp(id, draft));
}

/// One kept view: go there, name it otherwise, away with it.
fn line(ui: &mut Ui, row: usize, view: &Bookmark, commands: &mut Vec<Command>) {
    let id = Id::unique(("name of a view", row));
    let draft = ui.data(|data| data.get_temp::<String>(id));
    ui.push_id(("view", row), |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(18.0);
                if Icon::Close
                    .small(ui, vec2(18.0, 18.0), theme::WEAK)
                    .on_hover_text("Delete it")
                    .clicked()
                {
                    commands.push(Command::DropView(row));
                }
                if let Some(mut draft) = draft {
                    let width = ui.available_width();
                    let field = TextEdit::singleline(&mut draft).id(id.with("edit"));
                    let field = ui.add_sized([width, 20.0], field);
                    if field.lost_focus() {
                        ui.data_mut(|data| data.remove::<String>(id));
                        if !ui.input(|input| input.key_pressed(Key::Escape)) {
                            commands.push(Command::NameView(row, draft));
                        }
                    } else {
                        field.request_focus();
                        ui.data_mut(|data| data.insert_temp(id, draft));
                    }
                    return;
                }
                let rename = RichText::new("Rename").small().color(theme::WEAK);
                if ui.add(Button::new(rename).frame(false)).clicked() {
                    ui.data_mut(|data| data.insert_temp(id, view.title(row)));
                }
                let angles = format!("{:.0}\u{b0} {:.0}\u{b0}", view.yaw, view.pitch);
                let angles = RichText::new(angles).small().color(theme::WEAK);
                let button = Button::new(view.title(row))
                    .right_text(angles)
                    .fill(theme::RAISED)
                    .truncate();
                let width = ui.available_width();
                if ui
                    .add_sized([width, 20.0], button)
                    .on_hover_text("Go there")
                    .clicked()
                {
                    commands.push(Command::GoToView(row));
                }
            });
        });
    });
}
