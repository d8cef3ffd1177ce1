//! What the dialog asks of an animation that is exported: how long, how many frames a second,
//! what the first one is called, and whether files say how fast points go.

use super::export_rows::{CACHED, choice, row};
use crate::{
    io::strands::Format,
    project::export::{AnimationOptions, HIGHEST_START, MOST_FRAMES_A_SECOND},
    ui::theme,
};
use egui::{DragValue, Response, Ui};

/// The longest animation. `[s]`
const LONGEST: f64 = 3600.0;

/// What one often begins with, where files are not numbered from 1.
const BEGIN: u32 = 1001;

/// Draws the rows, for a cache or files of that `format`, whose first frame has the number
/// `usual` unless another is given; none while no file is named.
pub(super) fn show(
    ui: &mut Ui,
    animation: &mut AnimationOptions,
    cached: bool,
    format: Option<&Format>,
    usual: Option<u32>,
) {
    row(ui, "Length", |ui| length(ui, animation));
    row(ui, "First", |ui| {
        let first = ui.add_enabled_ui(!cached, |ui| first(ui, animation, usual));
        why_off(ui, first.response, "A cache counts its frames from 0");
        ui.add_space(10.0);
        let holds = !cached && format.is_none_or(|format| format.carries.animation);
        let mut shown = holds && animation.velocities;
        let answer = ui.add_enabled(holds, egui::Checkbox::new(&mut shown, "velocities"));
        if answer.changed() {
            animation.velocities = shown;
        }
        let answer = answer.on_hover_text(
            "How fast each point goes, for motion blur, in the file's unit a second; makes the \
             file about twice as large",
        );
        let why = "Files of this format cannot say how fast points go";
        why_off(ui, answer, why);
    });
}

/// Says why that is off; where no animation is written, that is told of all rows.
fn why_off(ui: &Ui, off: Response, why: &str) {
    if ui.is_enabled() {
        off.on_disabled_hover_text(why);
    }
}

/// Draws the row of the camera, for a cache or files of that `format`.
pub(super) fn camera(
    ui: &mut Ui,
    animation: &mut AnimationOptions,
    cached: bool,
    format: Option<&Format>,
) {
    row(ui, "Camera", |ui| {
        let place = format.and_then(|format| format.carries.camera);
        let holds = !cached && (format.is_none() || place.is_some());
        let text = place.map_or_else(
            || "where the file holds one (USD, Alembic)".into(),
            |place| format!("within it, as {place}"),
        );
        let mut shown = holds && animation.camera;
        let answer = ui.add_enabled(holds, egui::Checkbox::new(&mut shown, text));
        if answer.changed() {
            animation.camera = shown;
        }
        let answer = answer.on_hover_text(
            "The camera of the picture goes with the hair, frame by frame as its keys move it, \
             with its lens: so the shot is the same in another program. On unless you turn it \
             off; the picture there is to be as wide and high as that of a recording",
        );
        let why = match cached {
            true => CACHED,
            false => "Files of this format hold no camera: choose USD or Alembic",
        };
        why_off(ui, answer, why);
    });
}

/// How long it is, in seconds or frames, and how many of these are in a second.
fn length(ui: &mut Ui, animation: &mut AnimationOptions) {
    let mut seconds = animation.seconds;
    let field = DragValue::new(&mut seconds)
        .range(0.0..=LONGEST)
        .speed(0.02)
        .max_decimals(3)
        .suffix(" s");
    let help = "When the last frame is; the first one is at time zero. At first it has the \
                frames of a recording, whose last one is a frame before its end";
    if ui.add(field).on_hover_text(help).changed() {
        animation.seconds = seconds;
    }
    let mut frames = animation.frames();
    let most = (LONGEST * animation.fps) as usize + 1;
    let unit = if frames == 1 { " frame" } else { " frames" };
    let field = DragValue::new(&mut frames)
        .range(1..=most)
        .speed(0.2)
        .suffix(unit);
    let help = "How many frames there are, with the one at time zero";
    if ui.add(field).on_hover_text(help).changed() {
        *animation = animation.with_frames(frames);
    }
    ui.label("at");
    let mut fps = animation.fps;
    let field = DragValue::new(&mut fps)
        .range(1.0..=MOST_FRAMES_A_SECOND)
        .speed(0.1)
        .max_decimals(3)
        .suffix(" frames/s");
    let help = "Frames in a simulated second, mixed of two steps where needed; at first as many \
                as a recording has (capture.fps)";
    if ui.add(field).on_hover_text(help).changed() {
        animation.fps = fps;
    }
}

/// The number of the first frame, which is `usual` where none is chosen.
fn first(ui: &mut Ui, animation: &mut AnimationOptions, usual: Option<u32>) {
    let help = "Files are numbered from 1; in one file the first frame has time code 0, or that \
                of the first pose in a moving head's file";
    let usual = usual.map_or("0 or 1".into(), |number| number.to_string());
    let usual = choice(ui, &usual, animation.start.is_none());
    if usual.on_hover_text(help).clicked() {
        animation.start = None;
    }
    let mut start = animation.start.unwrap_or(BEGIN);
    let field = DragValue::new(&mut start)
        .range(0..=HIGHEST_START)
        .speed(0.5);
    let help = "Number of the first frame, in names of files and as time code";
    let touched = ui.scope(|ui| {
        if animation.start.is_none() {
            ui.visuals_mut().override_text_color = Some(theme::WEAK);
        }
        let field = ui.add(field).on_hover_text(help);
        field.changed() || field.clicked()
    });
    if touched.inner {
        animation.start = Some(start);
    }
}
