//! What lights the picture, above the rows of the light's section: three-point light, one
//! of the environments that come with the program, or one from a file.

use super::{command::Command, theme};
use crate::io::panorama::BuiltIn;
use egui::{Button, Color32, RichText, Ui};
use std::path::Path;

/// Draws the rows; `now` is the environment that the scene names, and `fault` why
/// three-point light takes its place.
pub fn show(ui: &mut Ui, now: &str, fault: Option<&str>, commands: &mut Vec<Command>) {
    choices(ui, now, commands);
    let built_in = now.is_empty() || BuiltIn::named(now).is_some();
    if !built_in || fault.is_some() {
        let name = Path::new(now).file_name().unwrap_or(now.as_ref());
        let name = name.to_string_lossy();
        let (text, colour, about) = match fault {
            Some(fault) => (format!("{name}: not read"), theme::ERROR, fault),
            None => (name.into_owned(), theme::TEXT, now),
        };
        ui.label(RichText::new(text).strong().color(colour))
            .on_hover_text(about);
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
    choices.extend(BuiltIn::ALL.map(|light| (light.id, light.label, light.about)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{param::Params as _, render::LightParams, ui::panel::SECTIONS};

    #[test]
    fn all_texts_that_name_the_environments_of_the_program_name_each() {
        let file = |name: &str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            std::fs::read_to_string(path).expect(name)
        };
        let tunables = LightParams::default().tunables();
        let tunable = tunables.iter().find(|t| t.key == "environment");
        let help = tunable.expect("it is a parameter").help;
        let section = SECTIONS.iter().find(|section| section.id == "light");
        let words = section.expect("it has a section").words;
        let (readme, guide) = (file("README.md"), file("docs/guide.md"));
        for light in BuiltIn::ALL {
            assert!(help.contains(light.id), "{}: {help}", light.id);
            assert!(readme.contains(light.id), "{} in README.md", light.id);
            let label = format!("*{}*", light.label);
            assert!(guide.contains(&label), "{label} in docs/guide.md");
            let word = light.label.to_lowercase();
            assert!(words.contains(&word), "{word}: {words}");
        }
    }
}
