//! Pictures for files: the recording, single pictures, and what they took.

use super::AppState;
use crate::math::counted;
use crate::{
    io::{
        reason,
        video::{Take, VideoError},
        write_numbered,
    },
    project::scene::Scene,
    session::{
        recorder::{FilePicture, Note},
        sim_handle::SimCommand,
    },
    ui::command::Command,
};
use std::{path::Path, sync::Arc};

/// How the message begins that is shown while a recording waits for steps.
const PAUSED: &str = "The recording is paused";

/// How the message begins that there is nothing to make a video of.
const NO_FRAMES: &str = "There are no frames";

impl AppState {
    /// Makes a video of the last recording, or of all frames in the folder where
    /// nothing was recorded since the start; or gives up the one being made.
    pub(super) fn toggle_video(&mut self) {
        if self.session.video().is_some() {
            return self.session.cancel_video();
        }
        // A single picture that is being written does not stand in the way.
        let recorder = self.session.recorder();
        if recorder.is_recording() || recorder.is_closing() {
            // The video is made once all frames are there.
            self.ui.video_wanted = true;
            return self.ui.toasts.tell(match self.session.stop_recording() {
                true => "The recording ends here, and a video is made of it",
                false => "A video is made once the last frames are written",
            });
        }
        self.ui.toasts.retract(NO_FRAMES);
        self.retract_video_fault();
        let recorder = self.session.recorder();
        let capture = &self.document.scene().capture;
        let found = match recorder.last() {
            Some((take, fps)) => Ok((take.clone(), *fps)),
            None => Take::all(Path::new(&capture.folder)).map(|take| (take, capture.fps)),
        };
        let keep = capture.keep_frames;
        match found.and_then(|(take, fps)| self.session.start_video(take, fps, keep)) {
            Ok(frames) => self.ui.toasts.tell(format!(
                "Making a video of {}",
                counted(frames, "frame", "frames")
            )),
            Err(error) => self.report_no_video(&error),
        }
    }

    /// Says why there is no video, until one is asked for again.
    fn report_no_video(&mut self, error: &VideoError) {
        let text = capital(error);
        self.ui.toasts.error(text.clone());
        self.ui.video_fault = Some(text);
    }

    fn retract_video_fault(&mut self) {
        if let Some(text) = self.ui.video_fault.take() {
            self.ui.toasts.retract(&text);
        }
    }

    /// Makes the video that was asked for while frames were still to come.
    fn make_wanted_video(&mut self, is_recorded: bool) {
        if std::mem::take(&mut self.ui.video_wanted) && is_recorded {
            self.toggle_video();
        }
    }

    /// Tells what has come of the video.
    pub(super) fn poll_video(&mut self) {
        let Some(outcome) = self.session.poll_video() else {
            return;
        };
        match outcome {
            Ok(video) => {
                self.ui.toasts.tell(format!(
                    "Video saved: {}, {}, {:.1} s",
                    video.path.display(),
                    counted(video.frames, "frame", "frames"),
                    video.seconds
                ));
                if let Some(why) = video.undeleted {
                    let text =
                        format!("The video is made, but not all frames could be deleted: {why}");
                    self.ui.toasts.error(text);
                }
            }
            Err(error @ VideoError::Cancelled) => self.ui.toasts.tell(capital(&error)),
            Err(error) => self.report_no_video(&error),
        }
    }

    pub(super) fn take_note(&mut self, note: Note) {
        match note {
            Note::Finished { recorded, folder } => {
                let frames = recorded.progress.written;
                self.ui.toasts.retract(PAUSED);
                if frames > 0 {
                    self.ui.toasts.retract(NO_FRAMES);
                }
                self.ui.toasts.tell(match frames {
                    0 if self.session.is_paused() => "Nothing was recorded, because the \
                          simulation is paused. Space resumes it; each single step (.) is a frame"
                        .into(),
                    0 => "Nothing was recorded: it was stopped before its first frame. Record longer, or \
                          press P for a single picture"
                        .into(),
                    1 => format!("1 frame in {}", folder.display()),
                    _ => format!(
                        "{frames} frames in {}, {:.1} s of video; \"Make video\" joins them",
                        folder.display(),
                        recorded.seconds
                    ),
                });
                self.make_wanted_video(frames > 0);
            }
            Note::Screenshot(path) => self.ui.toasts.tell(format!("Saved {}", path.display())),
            Note::Failed(error) => self.ui.toasts.error(error.to_string()),
            Note::Stopped(error) => {
                self.ui.video_wanted = false;
                self.ui.toasts.error(format!("Recording stopped: {error}"));
            }
        }
    }

    /// Keeps a table, such as the curves of a plot, beside the recordings, numbered behind that
    /// `name`.
    pub(super) fn save_table(&mut self, name: &str, table: &str) {
        let folder = Path::new(&self.document.scene().capture.folder);
        match write_numbered(folder, name, "csv", table) {
            Ok(path) => self.ui.toasts.tell(format!("Saved {}", path.display())),
            Err(error) => self.ui.toasts.error(format!(
                "{}: the table cannot be saved there: {}",
                folder.display(),
                reason(&error)
            )),
        }
    }

    pub(super) fn toggle_recording(&mut self) {
        if self.session.stop_recording() {
            return;
        }
        if self.session.built().is_none() || self.ui.picture.contains(&0) {
            let text = "There is no picture to record yet; try again once the hair is there";
            return self.ui.toasts.tell(text);
        }
        if self.session.recorder().is_closing() {
            // Its frames have to be there before others are numbered, and the
            // window does not wait for a disk.
            self.ui
                .toasts
                .tell("The last recording is still being written; start again in a moment");
            return;
        }
        self.show_shot();
        let (scene, size) = (self.document.scene(), self.frame_size());
        match self.session.start_recording(scene, size) {
            // Its first frame is what stands still now, and the others follow.
            Ok(()) if self.session.is_paused() => self.session.set_paused(false),
            Ok(()) => {}
            Err(error) => self.ui.toasts.error(error.to_string()),
        }
    }

    /// All goes on, or stands still.
    pub(super) fn toggle_pause(&mut self) {
        self.session.set_paused(!self.session.is_paused());
        self.ui.toasts.retract(PAUSED);
        if self.session.is_paused() && self.session.recorder().is_recording() {
            self.ui.toasts.offer(
                format!("{PAUSED}: a frame is recorded with each step (.)"),
                vec![("Resume (Space)".into(), Command::Pause)],
            );
        }
    }

    /// Pauses the simulation, which then carries out `order`.
    pub(super) fn pause_and(&mut self, order: SimCommand) {
        self.session.pause();
        self.session.order(order);
    }

    /// The driver cannot draw a frame of the recording: that ends here.
    pub fn end_recording(&mut self, why: &str) {
        self.session.stop_recording();
        self.ui.toasts.error(format!("Recording stopped: {why}"));
    }

    /// The driver cannot draw a second side: one goes on.
    pub fn end_comparison(&mut self, why: &str) {
        if self.document.scene().compare.on {
            self.toggle_compare();
            self.ui
                .toasts
                .error(format!("Side by side cannot be drawn: {why}"));
        }
    }

    /// Width and height of pictures for files. `[px]`
    pub fn frame_size(&self) -> [u32; 2] {
        self.document
            .scene()
            .capture
            .pixels()
            .unwrap_or(self.ui.picture)
    }

    /// Whether a single picture is wanted, once.
    pub fn wants_screenshot(&mut self) -> bool {
        let scene = self.document.scene();
        self.session.is_planted(scene.followers.each)
            && self.session.has_lighting(&scene.light)
            && std::mem::take(&mut self.ui.screenshot)
    }

    /// Takes a single picture of the scene as it was.
    pub fn take_screenshot(&mut self, scene: &Arc<Scene>, picture: FilePicture) {
        if let Err(error) = self.session.take_screenshot(scene, picture) {
            self.ui.toasts.error(error.to_string());
        }
    }
}

/// What went wrong, as a sentence.
fn capital(error: &VideoError) -> String {
    let text = error.to_string();
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    match text.starts_with("ffmpeg") {
        true => text,
        false => first.into_iter().flatten().chain(characters).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        io::{
            FrameFormat, FrameSize,
            frames::{FRAME, FrameWriter},
            video,
        },
        ui::command::Command,
    };
    use std::{
        thread,
        time::{Duration, Instant},
    };

    #[test]
    fn a_video_is_made_of_the_folders_frames_and_a_second_press_gives_it_up() {
        if video::ffmpeg().is_none() {
            eprintln!("skipped: ffmpeg is not installed");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = FrameWriter::open(folder.path(), FRAME, FrameFormat::Png).expect("opens");
        for shade in 0..12 {
            writer
                .write(64, 48, vec![20 * shade; 3 * 64 * 48])
                .expect("takes it");
        }
        writer.finish().expect("written");
        let mut program = AppState::small();
        program.document.scene_mut().capture.folder = folder.path().display().to_string();
        let video = |number: u32| folder.path().join(format!("video{number:04}.mp4"));
        let wait = |program: &mut AppState| {
            let begun = Instant::now();
            while program.session.video().is_some() {
                assert!(begun.elapsed().as_secs() < 60, "waited in vain");
                program.poll();
                thread::sleep(Duration::from_millis(20));
            }
        };
        program.perform(Command::Video);
        assert_eq!(program.session.video().map(|[_, all]| all), Some(12));
        wait(&mut program);
        assert!(video(0).is_file());
        program.perform(Command::Video);
        program.perform(Command::Video);
        wait(&mut program);
        assert!(!video(1).exists(), "it was given up");
        // The frames go when they shall.
        program.document.scene_mut().capture.keep_frames = false;
        program.perform(Command::Video);
        wait(&mut program);
        let files = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(files, 2, "two videos and no frame");
        // Without frames there is nothing to begin.
        program.perform(Command::Video);
        assert!(program.session.video().is_none() && program.ui.toasts.shows(NO_FRAMES));
        // Once there are some again, nobody reads that there are none.
        let mut writer = FrameWriter::open(folder.path(), FRAME, FrameFormat::Png).expect("opens");
        let pixels = vec![80; 3 * 64 * 48];
        writer.write(64, 48, pixels).expect("takes it");
        writer.finish().expect("written");
        program.perform(Command::Video);
        assert!(!program.ui.toasts.shows(NO_FRAMES));
        wait(&mut program);
        assert!(program.ui.toasts.shows("Video saved: "));
    }

    #[test]
    fn a_video_that_is_asked_for_while_recording_is_made_of_that_recording() {
        if video::ffmpeg().is_none() {
            eprintln!("skipped: ffmpeg is not installed");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = AppState::small();
        program.document.scene_mut().capture.folder = folder.path().display().to_string();
        // A frame is missing: no video of all that lies there.
        let mut writer = FrameWriter::open(folder.path(), FRAME, FrameFormat::Png).expect("opens");
        for _ in 0..3 {
            let pixels = vec![80; 3 * 64 * 48];
            writer.write(64, 48, pixels).expect("takes it");
        }
        writer.finish().expect("written");
        let gap = folder.path().join(format!("{FRAME}0001.png"));
        std::fs::remove_file(gap).expect("it goes");
        program.perform(Command::Video);
        let fault = program.ui.video_fault.clone().expect("it cannot be made");
        assert!(program.ui.toasts.shows(&fault));
        let scene = Arc::new(program.document.scene().clone());
        let started = program.session.start_recording(&scene, [64, 48]);
        started.expect("a folder to write to");
        for shade in 0..4 {
            let pixels = vec![20 * shade; 3 * 64 * 48];
            program.session.take_frame(&scene, (64, 48, pixels));
        }
        program.perform(Command::Video);
        assert!(!program.session.recorder().is_recording(), "it ends");
        program.wait("the video", |program| {
            program.ui.toasts.shows("Video saved: ")
        });
        assert!(!program.ui.toasts.shows(&fault), "nobody reads it any more");
    }

    #[test]
    fn a_recording_that_cannot_begin_and_a_step_back_in_one_are_answered() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = AppState::small();
        program.document.scene_mut().capture.folder = folder.path().display().to_string();
        program.perform(Command::Capture);
        assert!(!program.session.recorder().is_recording());
        assert!(program.ui.toasts.dismiss(), "there is no picture yet");
        let scene = program.document.scene();
        let started = program.session.start_recording(scene, [64, 48]);
        started.expect("a folder to write to");
        program.perform(Command::Back);
        assert!(program.session.recorder().is_recording() && !program.session.is_paused());
        assert!(program.ui.toasts.dismiss(), "a recording goes forwards");
    }

    #[test]
    fn a_recording_lets_time_go_on_and_a_pause_in_it_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = AppState::small();
        program.document.scene_mut().capture.folder = folder.path().display().to_string();
        program.ui.picture = [16, 16];
        program.session.pause();
        program.wait("hair", |program| program.session.built().is_some());
        program.perform(Command::Capture);
        assert!(program.session.recorder().is_recording() && !program.session.is_paused());
        for frame in 0..3 {
            program.wait("a frame", |program| {
                program.session.now().frame == Some(frame)
            });
            program.session.next_frame();
        }
        assert!(!program.ui.toasts.shows(PAUSED));
        program.perform(Command::Pause);
        assert!(program.session.is_paused() && program.ui.toasts.shows(PAUSED));
        program.perform(Command::Pause);
        assert!(!program.ui.toasts.shows(PAUSED));
    }

    #[test]
    fn time_stands_still_where_a_recorded_shot_ends() {
        for from_start in [true, false] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut program = AppState::small();
            let capture = &mut program.document.scene_mut().capture;
            capture.folder = folder.path().display().to_string();
            (capture.seconds, capture.from_start) = (2.0 / 24.0, from_start);
            let scene = Arc::new(program.document.scene().clone());
            let started = program.session.start_recording(&scene, [16, 16]);
            started.expect("a folder to write to");
            for frame in 0..2 {
                assert!(program.session.recorder().is_recording(), "{frame}");
                assert!(!program.session.is_paused());
                program
                    .session
                    .take_frame(&scene, (16, 16, vec![0; 3 * 16 * 16]));
            }
            assert!(!program.session.recorder().is_recording());
            assert_eq!(program.session.is_paused(), from_start);
        }
    }

    #[test]
    fn pictures_for_files_have_the_size_that_was_chosen() {
        let mut program = AppState::small();
        program.ui.picture = [700, 500];
        assert_eq!(program.frame_size(), [700, 500]);
        program.document.scene_mut().capture.size = FrameSize::Square;
        assert_eq!(program.frame_size(), [1080, 1080]);
        let capture = &mut program.document.scene_mut().capture;
        (capture.size, capture.width, capture.height) = (FrameSize::Own, 320, 200);
        assert_eq!(program.frame_size(), [320, 200]);
    }
}
