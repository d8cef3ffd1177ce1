//! Above the rows of the section "Recording": frames, and a video of them.

use super::super::{command::Command, theme};
use crate::{
    io::{
        CaptureParams,
        video::{self, Video},
    },
    project::scene::Scene,
    session::Session,
    sim::{MotionParams, MotionPreset},
};
use egui::{Button, Color32, ProgressBar, RichText, Ui};

/// What is said where a recording would begin behind the last keyframe.
const LATE: &str = "The last keyframe is past, so the head stands still. \"From the start\" \
                    records how it moves";

/// The buttons, and how far what they began is; before that, what frames will be like.
pub fn show(ui: &mut Ui, scene: &Scene, session: &Session, commands: &mut Vec<Command>) {
    buttons(ui, session, commands);
    told(ui, scene, session, commands);
}

/// Whether a recording that began now would begin behind the last keyframe of the head.
pub fn is_late(scene: &Scene, session: &Session) -> bool {
    let live = session.playing().is_none() && !session.recorder().is_recording();
    live && !scene.capture.from_start && is_past(&scene.sim.motion, session.clip_time())
}

/// Whether the head has moved by its keyframes and will no more, at that time among them.
/// `[s]`
fn is_past(motion: &MotionParams, time: f64) -> bool {
    let keys = motion.keyframes.keys();
    let moves = motion.preset == MotionPreset::Keyframes && keys.len() > 1;
    let last = keys.last().map(|key| f64::from(key.time));
    moves && !motion.repeat && last.is_some_and(|last| time >= last)
}

/// The buttons.
pub fn buttons(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
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
                "Time goes on, also where it was paused; Space pauses the recording. The panel \
                 stays free meanwhile (C), and so does a camera without keys. Size: below; \
                 format: All parameters, Recording",
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
                 folder where nothing was recorded since the start. While a recording goes on, it \
                 ends here"
                    .to_string()
            }
            false => video::VideoError::Missing.to_string(),
        };
        if response.on_hover_text(help).clicked() {
            ui.data_mut(|data| data.remove::<bool>(ffmpeg_id()));
            commands.push(Command::Video);
        }
    });
}

/// How far what the buttons began is, and what came of it; before that, what frames will
/// be like.
pub fn told(ui: &mut Ui, scene: &Scene, session: &Session, commands: &mut Vec<Command>) {
    let recorder = session.recorder();
    let late = is_late(scene, session);
    if late {
        let colour = ui.visuals().warn_fg_color;
        ui.label(RichText::new(LATE).small().color(colour));
    }
    if let Some([done, all]) = session.video() {
        return progress(
            ui,
            [done, all],
            format!("{done} of {all} frames in the video"),
        );
    }
    if recorder.is_recording()
        && let Some(recorded) = recorder.recorded()
        && let Some(all) = recorded.wanted
    {
        let done = recorded.progress.written;
        let left = recorded.left.map_or_else(String::new, |left| {
            format!(", {} left", duration(left.as_secs_f64()))
        });
        let text = format!("{done} of {}{left}", frames(all));
        return progress(ui, [done, all], text);
    }
    let text = match recorder.recorded() {
        Some(recorded) => format!(
            "{} written, {} waiting, {:.1} s of video",
            frames(recorded.progress.written),
            recorded.progress.queued,
            recorded.seconds
        ),
        None => match (session.made_video(), recorder.last()) {
            (Some(video), _) => return made(ui, video, commands),
            (None, Some((take, fps))) => format!(
                "{} recorded, {:.1} s; \"Make video\" joins them",
                frames(take.count),
                f64::from(take.count) / f64::from((*fps).max(1))
            ),
            (None, None) if late => return,
            (None, None) => announced(&scene.capture),
        },
    };
    ui.label(RichText::new(text).small().color(theme::WEAK));
}

/// A bar: so many of all.
fn progress(ui: &mut Ui, [done, all]: [u32; 2], text: String) {
    let bar = ProgressBar::new(done as f32 / all.max(1) as f32)
        .desired_width(ui.available_width() - 20.0)
        .text(RichText::new(text).small());
    ui.add(bar);
}

/// About so many seconds, in words.
fn duration(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("about {seconds:.0} s"),
        _ => format!("about {:.0} min", seconds / 60.0),
    }
}

/// A finished video: what it is, and buttons that show it.
fn made(ui: &mut Ui, video: &Video, commands: &mut Vec<Command>) {
    let whole = std::path::absolute(&video.path).unwrap_or_else(|_| video.path.clone());
    let (path, frames) = (video.path.display(), frames(video.frames));
    let text = format!("{path}: {frames}, {:.1} s", video.seconds);
    ui.label(RichText::new(text).small().color(theme::WEAK))
        .on_hover_text(whole.display().to_string());
    ui.horizontal(|ui| {
        let play = ui.small_button("Play");
        if play
            .on_hover_text("Play the video in the system's player")
            .clicked()
        {
            commands.push(Command::ShowOutside(whole.clone()));
        }
        let Some(folder) = whole.parent() else { return };
        let show = ui.small_button("Show folder");
        if show.on_hover_text(folder.display().to_string()).clicked() {
            commands.push(Command::ShowOutside(folder.to_path_buf()));
        }
    });
}

/// What frames will be like, before the first.
fn announced(capture: &CaptureParams) -> String {
    let size = match capture.pixels() {
        Some([width, height]) => format!("{width} × {height}"),
        None => "as large as shown".into(),
    };
    let (count, end) = match capture.frames() {
        Some(count) => (frames(count), ""),
        None => ("Frames".into(), ", until you stop"),
    };
    format!("{count}, {size}, {} a second{end}", capture.fps)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::keyframes::{Keyframe, Keyframes};
    use egui::vec2;
    use egui_kittest::{Harness, kittest::Queryable};

    #[test]
    fn a_video_that_is_made_is_played_and_its_folder_shown() {
        let video = Video {
            path: "renders/video0001.mp4".into(),
            frames: 40,
            seconds: 40.0 / 24.0,
            kept: true,
            undeleted: None,
        };
        let mut row = Harness::builder()
            .with_size(vec2(290.0, 100.0))
            .with_context_setup(theme::apply)
            .build_ui_state(
                |ui, commands: &mut Vec<Command>| made(ui, &video, commands),
                Vec::new(),
            );
        row.get_by_label("renders/video0001.mp4: 40 frames, 1.7 s");
        row.get_by_label("Play").click();
        row.run_steps(4);
        row.get_by_label("Show folder").click();
        row.run_steps(4);
        let folder = std::path::absolute("renders").expect("a path");
        let file = folder.join("video0001.mp4");
        let wanted = [file, folder].map(Command::ShowOutside);
        assert_eq!(*row.state(), wanted);
    }

    #[test]
    fn behind_the_last_keyframe_the_head_stands_still() {
        let key = |time: f32, yaw: f32| Keyframe {
            time,
            rotation: [yaw, 0.0, 0.0],
            position: [0.0; 3],
        };
        let keys = Keyframes::new(vec![key(0.0, 0.0), key(2.0, 30.0)]);
        let mut motion = MotionParams {
            preset: MotionPreset::Keyframes,
            keyframes: keys.expect("in order"),
            ..MotionParams::default()
        };
        assert!(!is_past(&motion, 1.9) && is_past(&motion, 2.0));
        motion.repeat = true;
        assert!(!is_past(&motion, 9.0), "they begin anew");
        motion.repeat = false;
        motion.preset = MotionPreset::Sway;
        assert!(!is_past(&motion, 9.0), "it moves by itself");
        motion.preset = MotionPreset::Keyframes;
        motion.keyframes.remove(1);
        assert!(!is_past(&motion, 9.0), "one key moves nothing");
    }

    #[test]
    fn what_frames_will_be_like_says_when_they_end() {
        let mut capture = CaptureParams::default();
        let endless = announced(&capture);
        assert_eq!(
            endless,
            "Frames, as large as shown, 24 a second, until you stop"
        );
        capture.seconds = 2.0;
        assert_eq!(
            announced(&capture),
            "48 frames, as large as shown, 24 a second"
        );
    }
}
