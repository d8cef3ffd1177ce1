//! What the status line tells first: what is under way, and whether the simulation stands
//! still.

use super::words::{badge, fact};
use crate::{
    math::counted,
    session::{Session, recorder::Recorder},
    ui::{icons::Icon, theme},
};
use egui::{Ui, vec2};

/// All of it; `still` is the share of a still picture that is drawn.
pub(super) fn show(ui: &mut Ui, session: &Session, still: Option<f32>) {
    recording(ui, session.recorder());
    if let Some(frames) = session.video() {
        video(ui, frames);
    }
    if let Some(share) = still {
        still_picture(ui, share, session.recorder().is_recording());
    }
    simulation(ui, session);
}

/// That frames are recorded, or those recorded are being written, and how many.
fn recording(ui: &mut Ui, recorder: &Recorder) {
    let Some(recorded) = recorder.recorded() else {
        return;
    };
    let light = if recorder.is_recording() {
        "REC"
    } else {
        "WRITING"
    };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        Icon::Record.small(ui, vec2(12.0, 16.0), theme::ERROR);
        badge(ui, light, theme::ERROR);
    });
    let progress = recorded.progress;
    let frames = match recorded.wanted {
        Some(wanted) => format!("{} of {wanted} frames", progress.written),
        None => counted(progress.written, "frame", "frames"),
    };
    fact(
        ui,
        &frames,
        &format!("queue {}, {:.1} s", progress.queued, recorded.seconds),
        "Frames written, frames waiting to be written, seconds of video",
    );
}

/// That frames are joined into a video, so many of `all`.
fn video(ui: &mut Ui, [done, all]: [u32; 2]) {
    let share = 100 * u64::from(done) / u64::from(all.max(1));
    badge(ui, format!("VIDEO {share} %"), theme::ACCENT)
        .on_hover_text("Frames joined into a video; section Recording cancels");
}

/// How much of a still picture is drawn: a frame of the recording, or a picture that was
/// asked for.
fn still_picture(ui: &mut Ui, share: f32, is_recording: bool) {
    let (what, why) = match is_recording {
        true => (
            "DRAWING A FRAME",
            "In full quality for the recording; stopping does not wait for it",
        ),
        false => (
            "TAKING A PICTURE",
            "Averaged from as many as Recording says",
        ),
    };
    let text = format!("{what} {:.0} %", 100.0 * share);
    badge(ui, text, theme::ACCENT).on_hover_text(why);
}

/// Whether the simulation is paused, has stopped, or waits for head and hair.
fn simulation(ui: &mut Ui, session: &Session) {
    if session.is_paused() {
        badge(ui, "PAUSED", theme::ACCENT);
    }
    if session.is_stopped() {
        badge(ui, "STOPPED", theme::ERROR).on_hover_text(
            "A fault has ended the simulation. R, or any change of the scene, starts it again.",
        );
    }
    if session.is_building() {
        let text = match session.reading() {
            Some((done, all)) => format!("READING FRAME {done} OF {all}"),
            None => "BUILDING".into(),
        };
        badge(ui, text, theme::ACCENT);
    }
}
