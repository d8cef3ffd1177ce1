//! Pictures for files: the recording, single pictures, and what they took.

use super::AppState;
use crate::{
    io::video::{Take, VideoError, VideoJob},
    render::PassTiming,
    session::{recorder::Note, sim_handle::SimCommand},
};
use std::path::Path;

impl AppState {
    /// Frames that are in the video being made, and how many there will be; none
    /// while none is made.
    pub fn video(&self) -> Option<[u32; 2]> {
        self.video.as_ref().map(VideoJob::progress)
    }

    /// Makes a video of the last recording, or of all frames in the folder where
    /// nothing was recorded since the start; or gives up the one being made.
    pub(super) fn toggle_video(&mut self) {
        if let Some(job) = &self.video {
            return job.cancel();
        }
        if self.recorder.is_busy() {
            return self.toasts.tell(match self.recorder.is_recording() {
                true => "Stop the recording first, then make a video of it",
                false => "The last frames are being written; try again in a moment",
            });
        }
        let capture = &self.document.scene().capture;
        let found = match self.recorder.last() {
            Some((take, fps)) => Ok((take.clone(), *fps)),
            None => Take::all(Path::new(&capture.folder)).map(|take| (take, capture.fps)),
        };
        let keep = capture.keep_frames;
        match found.and_then(|(take, fps)| VideoJob::start(take, fps, keep)) {
            Ok(job) => {
                let [_, frames] = job.progress();
                self.toasts
                    .tell(format!("Making a video of {frames} frames"));
                self.video = Some(job);
            }
            Err(error) => self.toasts.error(capital(&error)),
        }
    }

    /// Tells what has come of the video.
    pub(super) fn poll_video(&mut self) {
        let Some(outcome) = self.video.as_mut().and_then(VideoJob::outcome) else {
            return;
        };
        self.video = None;
        match outcome {
            Ok(video) => {
                if !self.document.scene().capture.keep_frames {
                    self.recorder.forget_last();
                }
                self.toasts.tell(format!(
                    "{}: {} frames, {:.1} s",
                    video.path.display(),
                    video.frames,
                    video.seconds
                ));
            }
            Err(error @ VideoError::Cancelled) => self.toasts.tell(capital(&error)),
            Err(error) => self.toasts.error(capital(&error)),
        }
    }

    pub(super) fn take_note(&mut self, note: Note) {
        match note {
            Note::Finished { recorded, folder } => {
                let frames = recorded.progress.written;
                self.toasts.tell(match frames {
                    0 => "Nothing was recorded".into(),
                    1 => format!("1 frame in {}", folder.display()),
                    _ => format!(
                        "{frames} frames in {}, {:.1} s of video; \"Make video\" joins them",
                        folder.display(),
                        recorded.seconds
                    ),
                });
            }
            Note::Screenshot(path) => self.toasts.tell(format!("Saved {}", path.display())),
            Note::Failed(error) => self.toasts.error(error.to_string()),
            Note::Stopped(error) => {
                if !self.recorder.is_recording() {
                    self.worker.order(SimCommand::Record(None));
                }
                self.toasts.error(format!("Recording stopped: {error}"));
            }
        }
    }

    pub(super) fn toggle_recording(&mut self) {
        if self.recorder.is_recording() {
            self.recorder.stop();
            self.worker.order(SimCommand::Record(None));
            return;
        }
        if self.built.is_none() || self.picture.contains(&0) {
            return;
        }
        if self.recorder.is_closing() {
            // Its frames have to be there before others are numbered, and the
            // window does not wait for a disk.
            self.toasts
                .tell("The last recording is still being written; start again in a moment");
            return;
        }
        match self
            .recorder
            .start(&self.document.scene().capture, self.frame_size())
        {
            Ok(()) => {
                if self.paused {
                    self.toasts
                        .tell("Paused: a frame is recorded with each step");
                }
                self.worker
                    .order(SimCommand::Record(Some(self.document.scene().capture.fps)));
            }
            Err(error) => self.toasts.error(error.to_string()),
        }
    }

    /// The driver cannot draw a frame of the recording: that ends here.
    pub fn end_recording(&mut self, why: &str) {
        if self.recorder.is_recording() {
            self.toggle_recording();
        }
        self.toasts.error(format!("Recording stopped: {why}"));
    }

    /// The driver cannot draw a second side: one goes on.
    pub fn end_comparison(&mut self, why: &str) {
        if self.compares() {
            self.toggle_compare();
            self.toasts
                .error(format!("Side by side cannot be drawn: {why}"));
        }
    }

    /// Width and height of pictures for files. `[px]`
    pub fn frame_size(&self) -> [u32; 2] {
        self.document
            .scene()
            .capture
            .pixels()
            .unwrap_or(self.picture)
    }

    /// Lets the simulation go on to the next frame of the recording.
    pub fn next_frame(&self) {
        self.worker.order(SimCommand::NextFrame);
    }

    /// Takes a frame of the recording.
    pub fn take_frame(&mut self, width: u32, height: u32, pixels: Vec<u8>) {
        self.recorder.take(width, height, pixels);
    }

    /// Whether a single picture is wanted, once.
    pub fn wants_screenshot(&mut self) -> bool {
        self.is_planted() && std::mem::take(&mut self.screenshot)
    }

    /// What the passes of the last frame took; empty unless they are timed.
    pub fn passes(&self) -> &[PassTiming] {
        &self.passes
    }

    /// What is wrong with shaders that are being written, a text each.
    pub fn shader_faults(&self) -> &[String] {
        &self.shader_faults
    }

    /// Told what the picture took, and what is wrong with its shaders.
    pub fn set_drawing(&mut self, passes: &[PassTiming], faults: Vec<String>) {
        if !passes.is_empty() {
            self.passes = passes.to_vec();
        }
        if faults != self.shader_faults {
            if !faults.is_empty() {
                let text = "A shader is wrong; the last good one draws on. See the look's section.";
                self.toasts.error(text.to_string());
            }
            self.shader_faults = faults;
        }
    }

    /// Takes a single picture.
    pub fn take_screenshot(&mut self, width: u32, height: u32, pixels: Vec<u8>) {
        if let Err(error) =
            self.recorder
                .screenshot(&self.document.scene().capture, width, height, pixels)
        {
            self.toasts.error(error.to_string());
        }
    }

    /// Ends the recording, if there is one: the window is about to close.
    pub fn end(&mut self) {
        self.recorder.stop();
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
        program.scene_mut().capture.folder = folder.path().display().to_string();
        let video = |number: u32| folder.path().join(format!("video{number:04}.mp4"));
        let wait = |program: &mut AppState| {
            let begun = Instant::now();
            while program.video().is_some() {
                assert!(begun.elapsed().as_secs() < 60, "waited in vain");
                program.poll();
                thread::sleep(Duration::from_millis(20));
            }
        };
        program.perform(Command::Video);
        assert_eq!(program.video().map(|[_, all]| all), Some(12));
        wait(&mut program);
        assert!(video(0).is_file());
        program.perform(Command::Video);
        program.perform(Command::Video);
        wait(&mut program);
        assert!(!video(1).exists(), "it was given up");
        // The frames go when they shall.
        program.scene_mut().capture.keep_frames = false;
        program.perform(Command::Video);
        wait(&mut program);
        let files = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(files, 2, "two videos and no frame");
        // Without frames there is nothing to begin.
        program.perform(Command::Video);
        assert!(program.video().is_none());
    }

    #[test]
    fn pictures_for_files_have_the_size_that_was_chosen() {
        let mut program = AppState::small();
        program.set_picture([700, 500]);
        assert_eq!(program.frame_size(), [700, 500]);
        program.scene_mut().capture.size = FrameSize::Square;
        assert_eq!(program.frame_size(), [1080, 1080]);
        let capture = &mut program.scene_mut().capture;
        (capture.size, capture.width, capture.height) = (FrameSize::Own, 320, 200);
        assert_eq!(program.frame_size(), [320, 200]);
    }
}
