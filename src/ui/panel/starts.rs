//! Where one begins: which head, and which hairstyle.

use super::super::{
    command::Command, numbers::grouped, righting::rounded, theme, widgets::typed::Typed,
};
use crate::{
    groom::styles::STYLES,
    math::length_text,
    mesh::{HeadReport, Units},
    param::Value,
    project::scene::Scene,
    session::{Session, sim_handle::BuildResult},
};
use egui::{Button, Color32, Context, DragValue, Id, RichText, Ui};

/// Whether a head of an unclear size has just come: the question is to be seen
/// then. True once a head.
pub fn calls(ctx: &Context, built: Option<&BuildResult>) -> bool {
    let unsure = built.filter(|built| built.head.report.unsure);
    let Some(name) = unsure.map(|built| built.head_params.file.clone()) else {
        return false;
    };
    let id = Id::unique("the head of an unclear size");
    ctx.data_mut(|data| {
        let fresh = data.get_temp::<String>(id).as_ref() != Some(&name);
        if fresh {
            data.insert_temp(id, name);
        }
        fresh
    })
}

/// Asks which unit is meant.
fn question(ui: &mut Ui, scene: &Scene, report: &HeadReport, commands: &mut Vec<Command>) {
    let text = "How tall is it? Its size fits no unit well.";
    ui.label(RichText::new(text).color(theme::ACCENT));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = (ui.available_width() - 20.0 - 12.0) / 4.0;
        for units in Units::ALL {
            let tall = report.height * units.metres() / report.units.metres();
            let taken = units == report.units;
            let fill = if taken {
                theme::ACCENT_DIM
            } else {
                theme::FIELD
            };
            let button = Button::new(RichText::new(centimetres(tall)).small()).fill(fill);
            let help = format!("Read the file in {}", units.name());
            if ui
                .add_sized([width, 24.0], button)
                .on_hover_text(help)
                .clicked()
            {
                set(
                    scene,
                    "head.units",
                    Value::Choice(units.name()),
                    false,
                    commands,
                );
            }
        }
    });
}

fn centimetres(height: f32) -> String {
    match 100.0 * height {
        small if small < 1.0 => format!("{small:.2} cm"),
        some if some < 100.0 => format!("{some:.1} cm"),
        large if large < 1000.0 => format!("{large:.0} cm"),
        _ => format!("{height:.0} m"),
    }
}

fn set(scene: &Scene, name: &str, value: Value, held: bool, commands: &mut Vec<Command>) {
    if let Some(place) = scene.place(name) {
        commands.push(Command::Set { place, value, held });
    }
}

/// Front, up and size of a head so tall `[m]`; with `rights` its handles are shown.
fn righting(ui: &mut Ui, scene: &Scene, tall: f32, rights: bool, commands: &mut Vec<Command>) {
    let head = &scene.head;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Height").color(theme::WEAK));
        let now = (1e3 * tall).round() / 10.0;
        let mut wanted = now;
        let typed = Typed::new(" cm", 0.1..=10_000.0);
        let field = DragValue::new(&mut wanted)
            .speed(0.01 * now.max(1.0))
            .max_decimals(1)
            .suffix(" cm");
        let help = "From the lowest to the highest point of the model: drag or type; it sets the \
                    scale below";
        let response = ui.push_id("height", |ui| ui.add(typed.field(field))).inner;
        let response = match typed.tell(&response) {
            true => response,
            false => response.on_hover_text(help),
        };
        // A field that is only looked into rounds what it shows.
        if response.changed() && wanted != now && tall > 0.0 {
            let scale = rounded(head.scale * 0.01 * wanted / tall).clamp(0.01, 100.0);
            let value = Value::Float(f64::from(scale));
            set(scene, "head.scale", value, response.dragged(), commands);
        }
        let fill = |on: bool| if on { theme::ACCENT_DIM } else { theme::FIELD };
        let button = Button::new("Put right …").fill(fill(rights));
        let help = "Handles in the picture: drag the ring to turn the head until its face looks \
                    along the arrow (Shift: in steps of 15°), and the square to scale it";
        if ui.add(button).on_hover_text(help).clicked() {
            commands.push(Command::Righting);
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = (ui.available_width() - 20.0 - 12.0) / 4.0;
        let over = Value::Bool(!head.flip);
        let place = scene.place("head.flip");
        let over = place.map(|place| Command::Set {
            place,
            value: over,
            held: false,
        });
        for (label, help, command) in [
            (
                "90° left",
                "Turn the head's model to its left",
                Some(Command::TurnModel(90.0)),
            ),
            (
                "90° right",
                "Turn the head's model to its right",
                Some(Command::TurnModel(-90.0)),
            ),
            (
                "Turn over",
                "Its top becomes its bottom; the face stays in front",
                over,
            ),
            (
                "Front here",
                "What of the head faces the camera now becomes its front",
                Some(Command::FaceHere),
            ),
        ] {
            let button = Button::new(RichText::new(label).small()).fill(theme::FIELD);
            if ui
                .add_sized([width, 24.0], button)
                .on_hover_text(help)
                .clicked()
            {
                commands.extend(command);
            }
        }
    });
}

/// Above the rows of the head; with `rights` its handles are shown.
pub fn head(
    ui: &mut Ui,
    scene: &Scene,
    session: &Session,
    rights: bool,
    commands: &mut Vec<Command>,
) {
    if let Some(built) = session.built() {
        let report = &built.head.report;
        ui.horizontal(|ui| {
            let text = format!("{} tall", length_text(report.height));
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
        if asks(scene, report) {
            question(ui, scene, report, commands);
        }
        let tall = session.head_height(&scene.head).unwrap_or_default();
        righting(ui, scene, tall, rights, commands);
    }
    if ui
        .add_sized(
            [ui.available_width() - 20.0, 24.0],
            Button::new("Open a head (OBJ, USD, glTF, Alembic) …"),
        )
        .clicked()
    {
        commands.push(Command::AskHead);
    }
    ui.add_space(2.0);
}

/// Whether the size of the head is asked for.
fn asks(scene: &Scene, report: &HeadReport) -> bool {
    report.unsure && scene.head.units == Units::Auto
}

/// Below the rows of the head, which stay where they are: what is odd about it.
pub fn head_warnings(ui: &mut Ui, scene: &Scene, built: Option<&BuildResult>) {
    let Some(report) = built.map(|built| &built.head.report) else {
        return;
    };
    // What is asked is not told as well.
    let asks = asks(scene, report);
    let told = report.warnings.iter();
    let told = told.filter(|text| !(asks && text.contains("its size is unclear")));
    for warning in told.take(6) {
        let colour = ui.visuals().warn_fg_color;
        ui.add(egui::Label::new(RichText::new(warning).small().color(colour)).wrap());
    }
}

/// The hairstyles.
pub fn styles(ui: &mut Ui, scene: &Scene, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let gap = 4.0;
        ui.spacing_mut().item_spacing.x = gap;
        let count = STYLES.len() as f32;
        let width = (ui.available_width() - 20.0 - gap * (count - 1.0)) / count;
        for (index, style) in STYLES.iter().enumerate() {
            let grown = scene.import.file.is_empty();
            let now = grown && style.is_worn(&scene.groom);
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

/// How much of the hair is tied, where a tie is asked for.
pub fn tie(ui: &mut Ui, built: Option<&BuildResult>) {
    let Some(tie) = built.and_then(|built| built.tie.as_ref()) else {
        return;
    };
    let colour = match tie.is_scarce {
        true => ui.visuals().warn_fg_color,
        false => theme::WEAK,
    };
    ui.add(egui::Label::new(RichText::new(&tie.text).small().color(colour)).wrap());
    ui.add_space(2.0);
}

/// Whether the head that is shown has a group of faces for hair.
pub fn has_scalp(built: Option<&BuildResult>) -> bool {
    built.is_some_and(|built| {
        let mut groups = built.head.mesh.groups.iter();
        groups.any(|group| group.is_scalp() && !group.triangles.is_empty())
    })
}

/// Before the rows of roots: why some are grey.
pub fn told_of_roots(ui: &mut Ui, scene: &Scene, scalp: bool) {
    let note = if !scene.import.file.is_empty() {
        "The hair comes from a file, which has roots of its own. Rows in grey count for grown hair."
    } else if scalp && scene.roots.use_scalp {
        "Hair grows on the faces that the head's file calls \u{201c}scalp\u{201d}. The grey rows choose \
         faces where a head has no such group."
    } else {
        return;
    };
    let text = RichText::new(note).small().color(theme::WEAK);
    ui.add(egui::Label::new(text).wrap());
    ui.add_space(2.0);
}

/// Before rows that are grey while the hair comes from a file: why `these` are.
pub fn told(ui: &mut Ui, scene: &Scene, these: &str) {
    if !scene.import.file.is_empty() {
        let note = format!(
            "The hair comes from a file. {these} count for grown hair: choose a style above to \
             grow it."
        );
        let text = RichText::new(note).small().color(theme::ACCENT);
        ui.add(egui::Label::new(text).wrap());
        ui.add_space(2.0);
    }
}
