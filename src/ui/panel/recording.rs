//! Above the rows of the section "Recording": frames, and a video of them.

use super::super::{command::Command, theme};
use crate::{
    io::{
        CaptureParams,
        video::{self, Video},
    },
    session::Session,
};
use egui::{Button, Color32, ProgressBar, RichText, Ui};

/// The buttons, and how far what they began is; before that, what frames will be like.
pub fn show(ui: &mut Ui, capture: &CaptureParams, session: &Session, commands: &mut Vec<Command>) {
    let recorder = session.recorder();
    let (label, fill) = match recorder.is_recording() {
        true => ("Stop recording", Color32::from_rgb(110, 44, 38)),
        false => ("Record frames", theme::FIELD),
    };
    ui.horizontal(|ui| {
        let gap = 6.0;
        ui.spacing_mut().item_spacing.x = gap;
        let width = 0.5 * (ui.available_width() - 20.0 - gap);
        let button = Button::new(label).fill(fill);
        if ui
            .add_sized([width, 26.0], button)
            .on_hover_text(
                "The camera and the panel stay free meanwhile (C). Size, length and start: \
                 All parameters, Recording",
            )
            .clicked()
        {
            commands.push(Command::Capture);
        }
        let installed = ffmpeg(ui);
        let colour = if installed { theme::TEXT } else { theme::WEAK };
        let making = session.video().is_some();
        let label = match (making, installed) {
            (true, _) => "Cancel video",
            (false, true) => "Make video",
            (false, false) => "Make video (no ffmpeg)",
        };
        let button = Button::new(RichText::new(label).color(colour)).truncate();
        let response = ui.add_sized([width, 26.0], button);
        let help = match installed {
            true => {
                "An MP4 (H.264) of the last recording, beside its frames; of all frames in the \
                 folder where nothing was recorded since the start"
                    .to_string()
            }
            false => video::VideoError::Missing.to_string(),
        };
        if response.on_hover_text(help).clicked() {
            ui.data_mut(|data| data.remove::<bool>(ffmpeg_id()));
            commands.push(Command::Video);
        }
    });
    if let Some([done, all]) = session.video() {
        let share = done as f32 / all.max(1) as f32;
        let text = format!("{done} of {all} frames in the video");
        let bar = ProgressBar::new(share)
            .desired_width(ui.available_width() - 20.0)
            .text(RichText::new(text).small());
        ui.add(bar);
        return;
    }
    let text = match recorder.recorded() {
        Some(recorded) => format!(
            "{} written, {} waiting, {:.1} s of video",
            frames(recorded.progress.written),
            recorded.progress.queued,
            recorded.seconds
        ),
        None => match (session.made_video(), recorder.last()) {
            (Some(video), _) => made(video),
            (None, Some((take, fps))) => format!(
                "{} recorded, {:.1} s; \"Make video\" joins them",
                frames(take.count),
                f64::from(take.count) / f64::from((*fps).max(1))
            ),
            (None, None) => announced(capture),
        },
    };
    ui.label(RichText::new(text).small().color(theme::WEAK));
}

/// A finished video in words.
fn made(video: &Video) -> String {
    let (path, frames) = (video.path.display(), frames(video.frames));
    format!("{path}: {frames}, {:.1} s", video.seconds)
}

/// What frames will be like, before the first.
fn announced(capture: &CaptureParams) -> String {
    let size = match capture.pixels() {
        Some([width, height]) => format!("{width} × {height}"),
        None => "as large as shown".into(),
    };
    format!(
        "Frames, {size}, {} a second; then a video of them",
        capture.fps
    )
}

/// So many frames in words.
fn frames(count: impl Into<u64>) -> String {
    match count.into() {
        1 => "1 frame".into(),
        count => format!("{count} frames"),
    }
}

fn ffmpeg_id() -> egui::Id {
    egui::Id::unique("ffmpeg is installed")
}

/// Whether ffmpeg is installed; looked up once while the window is open, and
/// again when the button is pressed.
fn ffmpeg(ui: &Ui) -> bool {
    let id = ffmpeg_id();
    if let Some(known) = ui.data(|data| data.get_temp::<bool>(id)) {
        return known;
    }
    let found = video::ffmpeg().is_some();
    ui.data_mut(|data| data.insert_temp(id, found));
    found
}
