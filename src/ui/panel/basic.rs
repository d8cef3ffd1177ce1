//! The controls that are wanted first, all on one screen: how the hair looks,
//! how soft it is, what moves it, and a recording of it. The method stands above
//! them.

use super::{
    input::PanelInput,
    recording,
    section::{row, row_of, switched, with_row},
    starts, take,
};
use crate::{
    render::Shading,
    ui::{command::Command, gallery, groom_rows, keys, motions, palette, theme},
};
use egui::{ComboBox, FontId, Frame, Margin, PopupCloseBehavior, RichText, Sense, Ui, pos2, vec2};

/// One control.
enum Control {
    /// The scenes that come with the program.
    Examples,
    /// The hairstyles.
    Styles,
    /// The hair colours.
    Colours,
    /// The row of a parameter.
    Row(&'static str),
    /// A switch, and beside it the row of a parameter.
    Switched(&'static str, &'static str),
    /// What the head does by itself.
    Motions,
    /// The recording.
    Record,
}

use Control::{Colours, Examples, Motions, Record, Row, Styles, Switched};

/// The controls in the order of the panel, in groups with or without a name.
const GROUPS: &[(&str, &[Control])] = &[
    ("", &[Examples]),
    (
        "Hair",
        &[
            Styles,
            Colours,
            Row("groom.length"),
            Row("groom.trim"),
            Row("groom.curl_radius"),
            Row("sim.softness"),
            Row("cohesion.hold"),
        ],
    ),
    (
        "Forces",
        &[
            Switched("wind.on", "wind.strength"),
            Switched("forces.gravity_on", "forces.gravity"),
        ],
    ),
    ("Head motion", &[Motions]),
    ("Recording", &[Record]),
];

/// Draws them.
pub(super) fn show(ui: &mut Ui, input: PanelInput, commands: &mut Vec<Command>) {
    let margin = Margin {
        left: 4,
        right: 2,
        ..Margin::ZERO
    };
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        for (title, controls) in GROUPS {
            ui.push_id(title, |ui| {
                if !title.is_empty() {
                    heading(ui, title);
                }
                for control in *controls {
                    control.show(ui, input, commands);
                }
            });
        }
        from_file(ui, input, commands);
        more(ui);
    });
}

/// Below what is always there, so that this stays where it is: of hair from a file, how it
/// lies, and what to do.
fn from_file(ui: &mut Ui, input: PanelInput, commands: &mut Vec<Command>) {
    let (import, bound) = (&input.scene.import, input.session.bound());
    if import.file.is_empty() {
        return;
    }
    let calls = groom_rows::calls(ui.ctx(), &import.file, bound);
    groom_rows::answered(ui.ctx(), &import.file, bound);
    let rows = ui.push_id(groom_rows::SECTION, |ui| {
        heading(ui, groom_rows::TITLE);
        starts::told(ui, input.scene, "Length and curl radius");
        groom_rows::show(ui, import, bound, input.ui.places, commands);
    });
    if calls {
        rows.response.scroll_to_me(None);
    }
}

/// The name of a group, and a line.
fn heading(ui: &mut Ui, title: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 21.0), Sense::hover());
    let painter = ui.painter();
    let middle = rect.center().y + 2.0;
    let text = painter.text(
        pos2(rect.left(), middle),
        egui::Align2::LEFT_CENTER,
        title,
        FontId::proportional(11.0),
        theme::WEAK,
    );
    let line = text.right() + 8.0..=rect.right() - 18.0;
    painter.hline(line, middle, egui::Stroke::new(1.0, theme::FIELD));
}

impl Control {
    fn show(&self, ui: &mut Ui, input: PanelInput, commands: &mut Vec<Command>) {
        let (scene, side) = (input.scene, input.side());
        match self {
            Examples => examples(ui, commands),
            Styles => starts::styles(ui, scene, commands),
            Colours => colours(ui, input, commands),
            Row(name) => with_row(scene, side, name, |from| {
                row_of(ui, input, from, commands);
            }),
            Switched(switch, name) => with_row(scene, side, switch, |switch| {
                with_row(scene, side, name, |from| {
                    switched(ui, switch, from, input.keys(), commands)
                });
            }),
            Motions => motions::presets(ui, scene.sim.motion.preset, commands),
            Record => {
                recording::buttons(ui, input.session, commands);
                let late = recording::is_late(scene, input.session);
                take::show(ui, scene, late, commands);
                with_row(scene, side, "capture.size", |from| {
                    row(ui, from, input.keys(), commands);
                });
                recording::told(ui, scene, input.session, commands);
            }
        }
    }
}

/// The scenes that come with the program.
fn examples(ui: &mut Ui, commands: &mut Vec<Command>) {
    let open = keys::name_of(&Command::AskOpen);
    let width = ui.available_width() - 20.0;
    ComboBox::from_id_salt("examples")
        .width(width)
        .selected_text("Open an example scene …")
        .height(480.0)
        // A tick leaves it open.
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show_ui(ui, |ui| {
            ui.set_max_width(width);
            let taken = gallery::taken(ui);
            let picture = (width - 2.0 * gallery::GAP) / 3.0;
            let chosen = gallery::show(ui, gallery::styles(), picture.floor(), taken);
            if chosen.is_some() {
                ui.close();
            }
            commands.extend(chosen);
        })
        .response
        .on_hover_text(format!(
            "The scenes that come with the program, or their hair alone; {open} opens your own. \
             Ctrl+Z brings back what was there before."
        ));
}

/// The hair colours by name, or where another shading has none of them its own
/// two colours.
fn colours(ui: &mut Ui, input: PanelInput, commands: &mut Vec<Command>) {
    let scene = input.scene;
    if scene.look.shading == Shading::Fibre {
        return palette::show(ui, &scene.look, commands);
    }
    for name in ["look.root_colour", "look.tip_colour"] {
        with_row(scene, input.side(), name, |from| {
            row(ui, from, input.keys(), commands);
        });
    }
}

/// Where everything else is.
fn more(ui: &mut Ui) {
    let find = keys::name_of(&Command::Find);
    let text = format!("Everything else: All parameters, or {find} to search");
    ui.add_space(6.0);
    ui.label(RichText::new(text).small().color(theme::WEAK));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{scene::Scene, sides::Side};

    #[test]
    fn there_are_about_a_dozen_controls_and_each_exists() {
        let scene = Scene::default();
        let all = GROUPS.iter().flat_map(|(_, group)| group.iter());
        // The bar above them has the method.
        let count = 1 + all.count();
        assert!((8..=13).contains(&count), "{count} controls");
        let names = GROUPS.iter().flat_map(|(_, group)| group.iter());
        let names = names.flat_map(|control| match control {
            Row(name) => vec![*name],
            Switched(switch, name) => vec![*switch, *name],
            _ => Vec::new(),
        });
        for name in names {
            let mut found = false;
            with_row(&scene, Side::A, name, |_| found = true);
            assert!(found, "{name}");
        }
    }
}
