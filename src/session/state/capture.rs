//! Pictures for files: the recording, single pictures, and videos of recordings.

use super::Session;
use crate::{
    io::{
        frames::FrameError,
        video::{Take, Video, VideoError, VideoJob},
    },
    project::scene::Scene,
    session::{
        recorder::{FilePicture, Note},
        sim_handle::SimCommand,
    },
};
use std::sync::Arc;

impl Session {
    /// Starts a recording of pictures of that size `[px]`: from now on the
    /// simulation goes from frame to frame, at once or from time zero on.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn start_recording(&mut self, scene: &Scene, size: [u32; 2]) -> Result<(), FrameError> {
        let params = &scene.capture;
        self.recorder.start(params, size)?;
        self.made = None;
        self.order(SimCommand::Record {
            fps: params.fps,
            from_start: params.from_start,
        });
        Ok(())
    }

    /// Ends the recording, if there is one; false where there was none.
    pub fn stop_recording(&mut self) -> bool {
        let recording = self.recorder.is_recording();
        if recording {
            self.recorder.stop();
            self.order(SimCommand::EndRecording);
        }
        recording
    }

    /// The window is about to close: no frame is taken any more.
    pub fn end(&mut self) {
        self.recorder.stop();
    }

    /// A frame of the recording begins to be drawn: lets the simulation go on to the next.
    pub fn next_frame(&mut self) {
        self.recorder.begin_frame();
        self.order(SimCommand::NextFrame);
    }

    /// What is recorded has come to its end: the recording ends with the frame that is
    /// being drawn.
    pub fn conclude_recording(&mut self) {
        self.recorder.want_no_more();
        if self.recorder.is_full() {
            self.stop_recording();
        }
    }

    /// Takes a frame of the recording, which shows that scene; it ends with the last frame
    /// that is wanted.
    pub fn take_frame(&mut self, scene: &Arc<Scene>, picture: FilePicture) {
        self.recorder.take(scene, picture);
        if self.recorder.is_full() {
            if scene.capture.from_start {
                // The shot is over: time does not run away from it.
                self.pause();
            }
            self.stop_recording();
        }
    }

    /// Keeps a single picture of the scene.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn take_screenshot(
        &mut self,
        scene: &Arc<Scene>,
        picture: FilePicture,
    ) -> Result<(), FrameError> {
        self.recorder.screenshot(scene, picture)
    }

    /// What has become of recordings and pictures since the last call.
    pub fn recorder_notes(&mut self) -> Vec<Note> {
        let notes = self.recorder.notes();
        let stopped = notes.iter().any(|note| matches!(note, Note::Stopped(_)));
        if stopped && !self.recorder.is_recording() {
            self.order(SimCommand::EndRecording);
        }
        notes
    }

    /// Frames that are in the video being made, and how many there will be; none
    /// while none is made.
    pub fn video(&self) -> Option<[u32; 2]> {
        self.video.as_ref().map(VideoJob::progress)
    }

    /// Makes a video of recorded frames; answers how many it will have.
    ///
    /// # Errors
    /// When there are no frames, or ffmpeg is not installed.
    pub fn start_video(&mut self, take: Take, fps: u32, keep: bool) -> Result<u32, VideoError> {
        let job = VideoJob::start(take, fps, keep)?;
        let [_, frames] = job.progress();
        (self.video, self.made) = (Some(job), None);
        Ok(frames)
    }

    /// Gives the video up.
    pub fn cancel_video(&self) {
        if let Some(job) = &self.video {
            job.cancel();
        }
    }

    /// What has come of the video, once.
    pub fn poll_video(&mut self) -> Option<Result<Video, VideoError>> {
        let outcome = self.video.as_mut().and_then(VideoJob::outcome)?;
        self.video = None;
        if outcome.as_ref().is_ok_and(|video| !video.kept) {
            self.recorder.forget_last();
        }
        self.made = outcome.as_ref().ok().cloned();
        Some(outcome)
    }

    /// The last video since the last recording began; none while another is made.
    pub fn made_video(&self) -> Option<&Video> {
        self.made.as_ref()
    }
}
