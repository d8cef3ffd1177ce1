//! Pictures for files: the recording, single pictures, and what they took.

use super::Program;
use crate::{
    app::{recorder::Note, worker::Order},
    render::Lap,
};

impl Program {
    pub(super) fn take_note(&mut self, note: Note) {
        match note {
            Note::Finished { recorded, folder } => {
                let frames = recorded.progress.written;
                self.toasts.tell(match frames {
                    0 => "Nothing was recorded".into(),
                    1 => format!("1 frame in {}", folder.display()),
                    _ => format!(
                        "{frames} frames in {}, {:.1} s of video; ./make_video.sh joins them",
                        folder.display(),
                        recorded.seconds
                    ),
                });
            }
            Note::Screenshot(path) => self.toasts.tell(format!("Saved {}", path.display())),
            Note::Failed(error) => self.toasts.error(error.to_string()),
            Note::Stopped(error) => {
                if !self.recorder.is_recording() {
                    self.worker.order(Order::Record(None));
                }
                self.toasts.error(format!("Recording stopped: {error}"));
            }
        }
    }

    pub(super) fn toggle_recording(&mut self) {
        if self.recorder.is_recording() {
            self.recorder.stop();
            self.worker.order(Order::Record(None));
            return;
        }
        if self.built.is_none() || self.picture.contains(&0) {
            return;
        }
        match self.recorder.start(&self.scene.capture, self.picture) {
            Ok(()) => {
                if self.paused {
                    self.toasts
                        .tell("Paused: a frame is recorded with each step");
                }
                self.worker
                    .order(Order::Record(Some(self.scene.capture.fps)));
            }
            Err(error) => self.toasts.error(error.to_string()),
        }
    }

    /// Lets the simulation go on to the next frame of the recording.
    pub fn next_frame(&self) {
        self.worker.order(Order::NextFrame);
    }

    /// Takes a frame of the recording.
    pub fn take_frame(&mut self, width: u32, height: u32, rgb: Vec<u8>) {
        self.recorder.take(width, height, rgb);
    }

    /// Whether a single picture is wanted, once.
    pub fn wants_screenshot(&mut self) -> bool {
        self.built.is_some() && std::mem::take(&mut self.screenshot)
    }

    /// What the passes of the last frame took; empty unless they are timed.
    pub fn passes(&self) -> &[Lap] {
        &self.passes
    }

    /// What is wrong with shaders that are being written, a text each.
    pub fn shader_faults(&self) -> &[String] {
        &self.shader_faults
    }

    /// Told what the picture took, and what is wrong with its shaders.
    pub fn set_drawing(&mut self, passes: &[Lap], faults: Vec<String>) {
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
    pub fn take_screenshot(&mut self, width: u32, height: u32, rgb: Vec<u8>) {
        if let Err(error) = self
            .recorder
            .screenshot(&self.scene.capture, width, height, rgb)
        {
            self.toasts.error(error.to_string());
        }
    }

    /// Ends the recording, if there is one: the window is about to close.
    pub fn end(&mut self) {
        self.recorder.stop();
    }
}
