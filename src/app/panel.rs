//! The panel: every section of the scene, drawn from its declarations.
//!
//! It changes nothing itself; it answers with commands.

pub mod cost;
mod roots;
mod solvers;
mod starts;
mod toolbar;

use super::{
    bar, bodies,
    command::Command,
    compare::Side,
    history::Place,
    keys, motions, palette,
    program::Program,
    theme, validation, vane, views,
    widgets::{Choice, Row, reset_arrow},
    wig,
};
use crate::{
    param::{Params, Tunable},
    sim::solver::{Method, SOLVERS, method},
};
use egui::{
    Button, Color32, Frame, Margin, Panel, RichText, ScrollArea, Sense, Ui,
    collapsing_header::{CollapsingState, paint_default_icon},
    vec2,
};

/// One section of the panel.
pub struct Section {
    /// The section of the scene, or of nothing that a scene holds.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Whether it is open at the start.
    pub open: bool,
    /// What stands above its rows, if anything.
    pub extra: Option<fn(&mut Ui, &Program, &mut Vec<Command>)>,
    /// What stands under its rows, if anything.
    pub below: Option<fn(&mut Ui, &Program)>,
}

const fn section(id: &'static str, title: &'static str) -> Section {
    Section {
        id,
        title,
        open: false,
        extra: None,
        below: None,
    }
}

/// The sections, in the order of the panel.
pub const SECTIONS: &[Section] = &[
    Section {
        extra: Some(starts::head),
        ..section("head", "Head")
    },
    Section {
        extra: Some(roots::show),
        ..section("roots", "Roots")
    },
    Section {
        extra: Some(wig::show),
        ..section(wig::SECTION, wig::TITLE)
    },
    Section {
        open: true,
        extra: Some(starts::styles),
        ..section("groom", "Hairstyle")
    },
    section("hand", "Hand, comb and scissors"),
    section("sim", "Simulation"),
    Section {
        open: true,
        ..section("pbd", "PBD solver")
    },
    Section {
        open: true,
        ..section("ftl", "FTL solver")
    },
    Section {
        open: true,
        ..section("shape", "Shape solver")
    },
    Section {
        open: true,
        ..section("spring", "Spring solver")
    },
    Section {
        open: true,
        below: Some(solvers::elastic_rods),
        ..section("der", "Elastic rod solver")
    },
    Section {
        open: true,
        below: Some(solvers::rods),
        ..section("rod", "Rod solver")
    },
    section("followers", "Strands between"),
    section(MATERIAL, "Hair material"),
    Section {
        extra: Some(trial),
        ..section(VALIDATION, "Validation")
    },
    section("forces", "Forces"),
    Section {
        open: true,
        ..section("wind", "Wind")
    },
    section("fan", "Fan"),
    section("collision", "Collision"),
    Section {
        extra: Some(bodies::list::show),
        ..section(BODIES, "Bodies to collide with")
    },
    section("crowd", "Hair against hair"),
    Section {
        extra: Some(motions::show),
        ..section("motion", "Head motion")
    },
    Section {
        open: true,
        extra: Some(palette::show),
        below: Some(cost::show),
        ..section("look", "Look")
    },
    Section {
        extra: Some(vane::light_switch),
        ..section("light", "Light")
    },
    Section {
        extra: Some(views::show),
        ..section("camera", "Camera")
    },
    section("slice", "Slice through the hair"),
    Section {
        extra: Some(recording),
        ..section("capture", "Recording")
    },
    section("rewind", "Rewind"),
];

/// The section that only methods with a material need.
const MATERIAL: &str = "material";

/// The sections that no scene has as such.
const VALIDATION: &str = "validation";
const BODIES: &str = "bodies";

/// Draws the panel along the right edge.
pub fn show(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    Panel::right("panel")
        .resizable(true)
        .default_size(344.0)
        .size_range(300.0..=560.0)
        .frame(Frame::new().fill(theme::GROUND).inner_margin(Margin {
            left: 10,
            right: 6,
            top: 8,
            bottom: 0,
        }))
        .show(ui, |ui| {
            toolbar::show(ui, program, commands);
            ui.add_space(3.0);
            bar::show(ui, program, commands);
            ui.add_space(4.0);
            ScrollArea::vertical()
                .auto_shrink([false, false])
                .show(ui, |ui| {
                    // Room for the scroll bar, whether it shows or not.
                    Frame::new()
                        .inner_margin(Margin {
                            right: 8,
                            bottom: 12,
                            ..Margin::ZERO
                        })
                        .show(ui, |ui| sections(ui, program, commands));
                });
        });
}

fn sections(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    let all = program.scene().sections();
    for section in SECTIONS {
        let found = all.iter().position(|params| params.section() == section.id);
        // Of the methods only the one at work, and what it uses.
        let now = active(program);
        let other = SOLVERS.iter().any(|method| method.id == section.id) && now.id != section.id;
        if other || section.id == MATERIAL && !now.material {
            continue;
        }
        let params = found.map(|number| Source::new(program, &all, number));
        draw_section(ui, section, params, program, commands);
    }
}

/// Where the rows of a section come from: on the second side from its own set,
/// as far as it has one.
struct Source<'a> {
    /// The section that is reset as a whole.
    number: usize,
    /// Where each row's value is, and the row.
    rows: Vec<(Place, &'a dyn Params, Tunable)>,
    /// The side whose values these are; none where both have the same.
    side: Option<Side>,
}

impl<'a> Source<'a> {
    fn new(program: &Program, all: &[&'a dyn Params], number: usize) -> Self {
        let params = all[number];
        let second = all
            .iter()
            .position(|other| other.section() == params.second());
        let own = second.filter(|_| program.side() == Side::B);
        let row = |(index, tunable): (usize, Tunable)| {
            let mine = own.and_then(|own| {
                let mut theirs = all[own].tunables().into_iter();
                Some((own, theirs.position(|t| t.key == tunable.key)?))
            });
            let place = mine.unwrap_or((number, index));
            (place, all[place.0], tunable)
        };
        let tunables = params.tunables().into_iter().enumerate();
        Self {
            number: own.unwrap_or(number),
            rows: tunables.map(row).collect(),
            side: second
                .filter(|_| program.compares())
                .map(|_| program.side()),
        }
    }
}

/// Whether the row differs from its default.
fn differs((place, params, tunable): &(Place, &dyn Params, Tunable)) -> bool {
    params.get(place.1) != tunable.default
}

fn draw_section(
    ui: &mut Ui,
    section: &Section,
    source: Option<Source>,
    program: &Program,
    commands: &mut Vec<Command>,
) {
    let changed = source.as_ref().filter(|source| {
        // What a reset would change.
        let mut own = source.rows.iter().filter(|row| row.0.0 == source.number);
        own.any(differs)
    });
    let id = ui.make_persistent_id(("section", section.id));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, section.open);
    if section.id == wig::SECTION && wig::calls(ui.ctx(), program) {
        state.set_open(true);
    }

    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::click());
    let hot = response.hovered();
    let fill = if hot { theme::FIELD } else { theme::RAISED };
    ui.painter().rect_filled(rect, 5, fill);
    let icon = egui::Rect::from_center_size(
        egui::pos2(rect.left() + 13.0, rect.center().y),
        vec2(9.0, 9.0),
    );
    paint_default_icon(
        ui,
        state.openness(ui.ctx()),
        &response.clone().with_new_rect(icon),
    );
    ui.painter().text(
        egui::pos2(rect.left() + 26.0, rect.center().y),
        egui::Align2::LEFT_CENTER,
        section.title,
        egui::FontId::proportional(14.0),
        theme::TEXT,
    );
    if let Some(side) = source.as_ref().and_then(|source| source.side) {
        bar::badge(ui, rect, side, 34.0);
    }
    if let Some(Source { number, .. }) = changed {
        let number = *number;
        let place = egui::Rect::from_center_size(
            egui::pos2(rect.right() - 11.0, rect.center().y),
            vec2(18.0, 18.0),
        );
        let mut part = ui.new_child(egui::UiBuilder::new().max_rect(place));
        if reset_arrow(&mut part, section.id)
            .on_hover_text(format!("Reset all of \"{}\"", section.title))
            .clicked()
        {
            commands.push(Command::ResetSection(number));
        }
    }
    if response.clicked() {
        state.toggle(ui);
    }
    state.show_body_unindented(ui, |ui| {
        Frame::new()
            .inner_margin(Margin {
                left: 8,
                right: 2,
                top: 3,
                bottom: 6,
            })
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 3.0;
                if let Some(extra) = section.extra {
                    extra(ui, program, commands);
                }
                let Some(source) = source else {
                    return;
                };
                let rows = &source.rows;
                let solvers = methods();
                let mut show = |ui: &mut Ui, row: &(Place, &dyn Params, Tunable)| {
                    let (place, params, tunable) = row;
                    let in_file = (params.section(), tunable.key);
                    let row = Row {
                        name: format!("{}.{}", in_file.0, in_file.1),
                        tunable,
                        value: params.get(place.1),
                        choices: (tunable.key == "solver").then_some(&solvers),
                        key: key_of(in_file.0, in_file.1),
                    };
                    if let Some(edit) = row.show(ui) {
                        commands.push(Command::Set {
                            place: *place,
                            value: edit.value,
                            held: edit.held,
                        });
                    }
                };
                // A list of its own shows the keyframes.
                let shown = rows
                    .iter()
                    .filter(|row| {
                        let own = ["keyframes", "sequence"].contains(&row.2.key);
                        !own && !row.2.key.starts_with("painted")
                    })
                    .filter(|row| {
                        let look = &program.scene().look;
                        section.id != "look" || palette::concerns(look, row.2.key)
                    });
                for row in shown {
                    show(ui, row);
                }
                if let Some(below) = section.below {
                    below(ui, program);
                }
            });
    });
}

/// The methods, as the list of the panel has them.
fn methods() -> Vec<Choice> {
    let choice = |method: &Method| Choice {
        id: method.id,
        label: method.name,
        help: format!(
            "{}\n{}\nKey {}",
            method.source,
            method.about,
            keys::name_of(&Command::Solver(method.id))
        ),
    };
    SOLVERS.iter().map(choice).collect()
}

/// The key that switches a tunable.
fn key_of(section: &str, key: &str) -> &'static str {
    match (section, key) {
        ("wind", "on") => keys::name_of(&Command::Wind),
        ("fan", "on") => keys::name_of(&Command::FanOn),
        ("forces", "gravity_on") => keys::name_of(&Command::Gravity),
        ("camera", "turntable") => keys::name_of(&Command::Turntable),
        ("slice", "on") => keys::name_of(&Command::Slice),
        _ => "",
    }
}

/// The method at work.
fn active(program: &Program) -> &'static Method {
    method(program.scene().solver(program.side())).unwrap_or(&SOLVERS[0])
}

fn recording(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    let recorder = program.recorder();
    let (label, fill) = match recorder.is_recording() {
        true => ("Stop recording", Color32::from_rgb(110, 44, 38)),
        false => ("Record frames", theme::FIELD),
    };
    let button = Button::new(label).fill(fill);
    if ui
        .add_sized([ui.available_width() - 20.0, 26.0], button)
        .on_hover_text("The camera and the panel stay free meanwhile (C)")
        .clicked()
    {
        commands.push(Command::Capture);
    }
    let text = match recorder.recorded() {
        Some(recorded) => format!(
            "{} frames written, {} waiting, {:.1} s of video",
            recorded.progress.written, recorded.progress.queued, recorded.seconds
        ),
        None => "then ./make_video.sh makes output.mp4".into(),
    };
    ui.label(RichText::new(text).small().color(theme::WEAK));
}

fn trial(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    validation::show(ui, program.examiner(), active(program), commands);
}

/// A count with thin gaps between thousands.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + 6);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::Scene;

    #[test]
    fn every_section_of_the_scene_is_in_the_panel_once() {
        let scene = Scene::default();
        let mut wanted: Vec<_> = scene.sections().iter().map(|s| s.section()).collect();
        let mut shown: Vec<_> = SECTIONS.iter().map(|section| section.id).collect();
        shown.retain(|id| ![VALIDATION, BODIES].contains(id));
        // The bar at the top has the switch; the sections of the method show
        // either side's values.
        wanted.retain(|id| *id != "compare" && !id.starts_with("b."));
        wanted.sort_unstable();
        shown.sort_unstable();
        assert_eq!(wanted, shown);
    }

    #[test]
    fn the_list_of_methods_says_where_each_is_from() {
        for (choice, method) in methods().iter().zip(SOLVERS) {
            assert_eq!(choice.id, method.id);
            assert!(choice.help.contains(method.source) && choice.help.contains(method.about));
        }
    }

    #[test]
    fn counts_are_easy_to_read() {
        let plain = |count| grouped(count).replace('\u{2009}', " ");
        assert_eq!(plain(7), "7");
        assert_eq!(plain(3000), "3 000");
        assert_eq!(plain(1_234_567), "1 234 567");
    }
}
