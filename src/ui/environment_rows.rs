//! What lights the picture, above the rows of the light's section: three-point light, one
//! of the program's own environments, or one from a file.

use super::{command::Command, theme};
use crate::render::{BuiltIn, LightParams};
use egui::{Button, Color32, RichText, Ui};
use std::path::Path;

/// Draws the rows; `now` is the environment that the scene names.
pub fn show(ui: &mut Ui, now: &str, commands: &mut Vec<Command>) {
    choices(ui, now, commands);
    let own = now.is_empty() || BuiltIn::named(now).is_some();
    if !own {
        let name = Path::new(now).file_name().unwrap_or_default();
        ui.label(RichText::new(name.to_string_lossy()).strong())
            .on_hover_text(now);
    }
    let size = [ui.available_width() - 20.0, 24.0];
    let hint = "An equirectangular picture of light from all around, as .hdr or .exr. A file \
                that is dropped on the window does the same; the same file once more is read \
                anew.";
    let open = ui.add_sized(size, Button::new("Open an environment …"));
    if open.on_hover_text(hint).clicked() {
        commands.push(Command::AskEnvironment);
    }
    ui.add_space(2.0);
}

/// Draws a button for each light that needs no file.
fn choices(ui: &mut Ui, now: &str, commands: &mut Vec<Command>) {
    let about = "Key, fill and two rim lights that turn with the camera.";
    let mut choices = vec![("", "Three-point", about)];
    choices.extend(BuiltIn::ALL.map(|own| (own.id, own.label, own.about)));
    ui.horizontal(|ui| {
        let gap = 4.0;
        ui.spacing_mut().item_spacing.x = gap;
        ui.spacing_mut().button_padding.x = 2.0;
        let count = choices.len() as f32;
        let width = (ui.available_width() - 20.0 - gap * (count - 1.0)) / count;
        for (id, label, about) in choices {
            let (colour, fill) = match id == now {
                true => (Color32::WHITE, theme::ACCENT_DIM),
                false => (theme::TEXT, theme::FIELD),
            };
            let button = Button::new(RichText::new(label).color(colour)).fill(fill);
            let button = ui.add_sized([width, 23.0], button).on_hover_text(about);
            if button.clicked() {
                commands.push(Command::Environment(id.into()));
            }
        }
    });
}

/// Whether a row of the section says anything of the light that is on.
pub fn concerns(light: &LightParams, key: &str) -> bool {
    let alone = ["key_yaw", "key_pitch"].contains(&key);
    match light.environment.is_empty() {
        true => !key.starts_with("environment_"),
        false => !alone,
    }
}
