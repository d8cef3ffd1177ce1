//! The panel: every section of the scene, drawn from its declarations.
//!
//! It changes nothing itself; it answers with commands.

use super::{
    command::Command,
    icons::Icon,
    keys,
    program::Program,
    theme, validation,
    widgets::{Row, reset_arrow},
};
use crate::{
    groom::styles::STYLES,
    param::Params,
    sim::solver::{SOLVERS, method},
};
use egui::{
    Align, Button, Color32, Frame, Layout, Margin, Panel, RichText, ScrollArea, Sense, Ui,
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
}

const fn section(id: &'static str, title: &'static str) -> Section {
    Section {
        id,
        title,
        open: false,
        extra: None,
    }
}

/// The sections, in the order of the panel.
pub const SECTIONS: &[Section] = &[
    Section {
        extra: Some(head),
        ..section("head", "Head")
    },
    section("roots", "Roots"),
    Section {
        open: true,
        extra: Some(styles),
        ..section("groom", "Hairstyle")
    },
    section("sim", "Simulation"),
    Section {
        open: true,
        ..section("pbd", "PBD solver")
    },
    Section {
        open: true,
        ..section("rod", "Rod solver")
    },
    Section {
        extra: Some(trial),
        ..section(VALIDATION, "Validation")
    },
    section("forces", "Forces"),
    Section {
        open: true,
        ..section("wind", "Wind")
    },
    section("collision", "Collision"),
    section("motion", "Head motion"),
    section("look", "Look"),
    section("camera", "Camera"),
    Section {
        extra: Some(recording),
        ..section("capture", "Recording")
    },
];

/// The section that no scene has.
const VALIDATION: &str = "validation";

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
            toolbar(ui, program, commands);
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
        // Of the methods only the one at work.
        let method = SOLVERS.iter().any(|method| method.id == section.id);
        if method && program.scene().sim.step.solver != section.id {
            continue;
        }
        let params = found.map(|number| (number, all[number]));
        draw_section(ui, section, params, program, commands);
    }
}

fn draw_section(
    ui: &mut Ui,
    section: &Section,
    params: Option<(usize, &dyn Params)>,
    program: &Program,
    commands: &mut Vec<Command>,
) {
    let changed = params.filter(|(_, params)| {
        let mut tunables = params.tunables().into_iter().enumerate();
        tunables.any(|(index, tunable)| params.get(index) != tunable.default)
    });
    let id = ui.make_persistent_id(("section", section.id));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, section.open);

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
    if let Some((number, _)) = changed {
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
                let Some((number, params)) = params else {
                    return;
                };
                let solvers: Vec<_> = SOLVERS.iter().map(|m| (m.id, m.name)).collect();
                let tunables = params.tunables();
                for (index, tunable) in tunables.iter().enumerate() {
                    let solver = (section.id, tunable.key) == ("sim", "solver");
                    let row = Row {
                        name: format!("{}.{}", section.id, tunable.key),
                        tunable,
                        value: params.get(index),
                        choices: solver.then_some(&solvers),
                        key: key_of(section.id, tunable.key),
                    };
                    if let Some(edit) = row.show(ui) {
                        commands.push(Command::Set {
                            place: (number, index),
                            value: edit.value,
                            held: edit.held,
                        });
                    }
                }
            });
    });
}

/// The key that switches a tunable.
fn key_of(section: &str, key: &str) -> &'static str {
    match (section, key) {
        ("wind", "on") => keys::name_of(&Command::Wind),
        ("forces", "gravity_on") => keys::name_of(&Command::Gravity),
        _ => "",
    }
}

fn toolbar(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    let recording = program.recorder().is_recording();
    ui.horizontal(|ui| {
        const TOOLS: f32 = 10.0;
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = ((ui.available_width() - 14.0) / TOOLS - 4.0).clamp(20.0, 32.0);
        let mut tool = |ui: &mut Ui, icon: Icon, colour: Color32, command: Command, what: &str| {
            let key = keys::name_of(&command);
            if icon
                .button(ui, vec2(width, 26.0), colour)
                .on_hover_text(format!("{what} ({key})"))
                .clicked()
            {
                commands.push(command);
            }
        };
        match program.is_paused() {
            true => tool(ui, Icon::Play, theme::ACCENT, Command::Pause, "Go on"),
            false => tool(ui, Icon::Pause, theme::TEXT, Command::Pause, "Pause"),
        }
        tool(
            ui,
            Icon::Restart,
            theme::TEXT,
            Command::Reset,
            "Hair back to rest",
        );
        match recording {
            true => tool(
                ui,
                Icon::Stop,
                theme::ERROR,
                Command::Capture,
                "Stop recording",
            ),
            false => tool(
                ui,
                Icon::Record,
                theme::ERROR,
                Command::Capture,
                "Record frames",
            ),
        }
        tool(
            ui,
            Icon::Camera,
            theme::TEXT,
            Command::Screenshot,
            "Save one picture",
        );
        tool(
            ui,
            Icon::Frame,
            theme::TEXT,
            Command::FrameHead,
            "Frame the head",
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            tool(ui, Icon::Help, theme::TEXT, Command::Help, "All keys");
            tool(
                ui,
                Icon::Save,
                theme::TEXT,
                Command::AskSave,
                "Save the scene",
            );
            tool(
                ui,
                Icon::Folder,
                theme::TEXT,
                Command::AskOpen,
                "Open a scene",
            );
            ui.add_enabled_ui(program.history().can_redo(), |ui| {
                tool(ui, Icon::Redo, theme::TEXT, Command::Redo, "Redo");
            });
            ui.add_enabled_ui(program.history().can_undo(), |ui| {
                tool(ui, Icon::Undo, theme::TEXT, Command::Undo, "Undo");
            });
        });
    });
}

fn head(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    if let Some(built) = program.built() {
        let report = &built.head.report;
        ui.horizontal(|ui| {
            let text = format!("{:.1} cm tall", 100.0 * report.height);
            ui.label(RichText::new(&report.name).strong());
            ui.label(RichText::new(text).color(theme::WEAK))
                .on_hover_text(&report.summary);
        });
        let triangles = built.head.mesh.triangles.len();
        let detail = format!(
            "{} triangles, unit {}, {} is up",
            grouped(triangles),
            report.units.name(),
            report.up.name()
        );
        ui.label(RichText::new(detail).small().color(theme::WEAK))
            .on_hover_text(&report.summary);
        for warning in report.warnings.iter().take(6) {
            let colour = ui.visuals().warn_fg_color;
            ui.add(egui::Label::new(RichText::new(warning).small().color(colour)).wrap());
        }
    }
    if ui
        .add_sized(
            [ui.available_width() - 20.0, 24.0],
            Button::new("Open a head (.obj) …"),
        )
        .clicked()
    {
        commands.push(Command::AskHead);
    }
    ui.add_space(2.0);
}

fn styles(ui: &mut Ui, program: &Program, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let gap = 4.0;
        ui.spacing_mut().item_spacing.x = gap;
        let count = STYLES.len() as f32;
        let width = (ui.available_width() - 20.0 - gap * (count - 1.0)) / count;
        for (index, style) in STYLES.iter().enumerate() {
            let now = program.scene().groom == (style.params)();
            let text =
                RichText::new(style.label).color(if now { Color32::WHITE } else { theme::TEXT });
            let fill = if now { theme::ACCENT_DIM } else { theme::FIELD };
            let button = Button::new(text).fill(fill);
            if ui
                .add_sized([width, 25.0], button)
                .on_hover_text(style.help)
                .clicked()
            {
                commands.push(Command::Style(index));
            }
        }
    });
    ui.add_space(3.0);
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
    let now = &program.scene().sim.step.solver;
    let method = method(now).unwrap_or(&SOLVERS[0]);
    validation::show(ui, program.examiner(), method, commands);
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
        shown.retain(|id| *id != VALIDATION);
        wanted.sort_unstable();
        shown.sort_unstable();
        assert_eq!(wanted, shown);
    }

    #[test]
    fn counts_are_easy_to_read() {
        let plain = |count| grouped(count).replace('\u{2009}', " ");
        assert_eq!(plain(7), "7");
        assert_eq!(plain(3000), "3 000");
        assert_eq!(plain(1_234_567), "1 234 567");
    }
}
