//! Recording in the window: which size, how many frames, and what to say when
//! it ends. The files themselves are [`io::frames`](crate::io::frames).

use crate::{
    io::{
        CaptureParams,
        frames::{FRAME, FrameError, FrameWriter, FramesProgress, SCREENSHOT},
        video::Take,
    },
    project::scene::Scene,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// A picture for a file: width and height `[px]`, and three or four bytes a pixel.
pub type FilePicture = (u32, u32, Vec<u8>);

/// A recording in progress.
struct Active {
    writer: FrameWriter,
    size: [u32; 2],
    /// As they were at its start: all its frames are alike.
    params: CaptureParams,
    /// The scene that the frames hold which are taken now.
    shown: Option<Arc<Scene>>,
    /// Why a frame was not taken.
    refused: Option<FrameError>,
    /// Frames after which it ends by itself; none where it goes on.
    wanted: Option<u32>,
    /// Frames that were begun to be drawn, and those of them that were taken.
    begun: u32,
    taken: u32,
    /// When the last frame was taken.
    last: Option<Instant>,
    /// How long frames took, the last ones more than those before: pauses are forgotten.
    pace: Option<Duration>,
}

/// What a recording has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recorded {
    /// Frames on disk and on the way.
    pub progress: FramesProgress,
    /// Seconds of video that the frames on disk make. `[s]`
    pub seconds: f64,
    /// Frames after which it ends by itself; none where it goes on.
    pub wanted: Option<u32>,
    /// How long it will go on if frames come as they did; none where that is not known.
    pub left: Option<Duration>,
}

/// What the window should be told.
#[derive(Debug)]
pub enum Note {
    /// All frames of a recording are written.
    Finished {
        /// What was recorded.
        recorded: Recorded,
        /// Where.
        folder: PathBuf,
    },
    /// A picture is written.
    Screenshot(PathBuf),
    /// A recording had to stop.
    Stopped(FrameError),
    /// A picture could not be written.
    Failed(FrameError),
}

/// Recordings, the one in progress and those whose last frames are being
/// written. Dropping it writes what was taken.
#[derive(Default)]
pub struct Recorder {
    active: Option<Active>,
    closing: Vec<Active>,
    /// The last recording that is whole, and its frames a second.
    last: Option<(Take, u32)>,
    screenshots: Vec<(FrameWriter, PathBuf)>,
}

impl Recorder {
    /// Starts a recording of pictures of this size. `[px]`
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn start(&mut self, params: &CaptureParams, size: [u32; 2]) -> Result<(), FrameError> {
        // Numbers are given by what lies in the folder: the last recording has
        // to be there first.
        for active in self.closing.drain(..) {
            active.writer.finish()?;
        }
        params.check()?;
        let folder = Path::new(&params.folder);
        self.active = Some(Active {
            writer: FrameWriter::open(folder, FRAME, params.format)?,
            size,
            params: params.clone(),
            shown: None,
            refused: None,
            wanted: params.frames(),
            begun: 0,
            taken: 0,
            last: None,
            pace: None,
        });
        Ok(())
    }

    /// Ends the recording; [`notes`](Self::notes) says when its last frame is
    /// written.
    pub fn stop(&mut self) {
        if let Some(mut active) = self.active.take() {
            active.writer.close();
            self.closing.push(active);
        }
    }

    /// Whether a recording is in progress.
    pub fn is_recording(&self) -> bool {
        self.active.is_some()
    }

    /// Whether the last frames of a recording that has ended are being written.
    pub fn is_closing(&self) -> bool {
        !self.closing.is_empty()
    }

    /// How the recording in progress takes its pictures, as it was at its start.
    pub fn params(&self) -> Option<&CaptureParams> {
        self.active.as_ref().map(|active| &active.params)
    }

    /// The size of the pictures of the recording in progress. `[px]`
    pub fn size(&self) -> Option<[u32; 2]> {
        self.active.as_ref().map(|active| active.size)
    }

    /// Whether a frame would be taken without waiting for the disk.
    pub fn has_room(&self) -> bool {
        self.active
            .as_ref()
            .is_some_and(|active| active.writer.has_room())
    }

    /// The frames of the last recording that is whole, and how many a second.
    pub fn last(&self) -> Option<&(Take, u32)> {
        self.last.as_ref()
    }

    /// The frames of the last recording are gone.
    pub fn forget_last(&mut self) {
        self.last = None;
    }

    /// A frame of the recording begins to be drawn.
    pub fn begin_frame(&mut self) {
        if let Some(active) = &mut self.active {
            active.begun += 1;
        }
    }

    /// No frame comes after those that were begun: with them the recording is full.
    pub fn want_no_more(&mut self) {
        if let Some(active) = &mut self.active {
            active.wanted = Some(active.begun);
        }
    }

    /// Takes one frame of the recording, which shows that `scene`. A failure ends the
    /// recording and comes out of [`notes`](Self::notes).
    pub fn take(&mut self, scene: &Arc<Scene>, (width, height, pixels): FilePicture) {
        let Some(active) = &mut self.active else {
            return;
        };
        if active.shown.as_ref() != Some(scene) {
            let shown = scene.clone();
            active.writer.carry_scene_of(move || shown.picture_text());
            active.shown = Some(scene.clone());
        }
        match active.writer.write(width, height, pixels) {
            Ok(_) => active.count_frame(Instant::now()),
            Err(error) => active.refused = Some(error),
        }
    }

    /// Whether the recording has all frames that it was started for.
    pub fn is_full(&self) -> bool {
        let full = |active: &Active| active.wanted.is_some_and(|wanted| active.taken >= wanted);
        self.active.as_ref().is_some_and(full)
    }

    /// Keeps one picture, of that `scene`, beside the recordings.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn screenshot(
        &mut self,
        scene: &Arc<Scene>,
        (width, height, pixels): FilePicture,
    ) -> Result<(), FrameError> {
        let (params, scene) = (&scene.capture, scene.clone());
        params.check()?;
        let folder = Path::new(&params.folder);
        // Those that are being written are not in the folder yet.
        let here = |writer: &FrameWriter| writer.folder() == folder;
        let waiting = self.screenshots.iter().map(|(writer, _)| writer);
        let least = waiting
            .filter(|writer| here(writer))
            .map(|writer| writer.first().saturating_add(1));
        let least = least.max().unwrap_or(0);
        let mut writer = FrameWriter::open_after(folder, SCREENSHOT, params.format, least)?;
        writer.carry_scene_of(move || scene.picture_text());
        let path = writer.write(width, height, pixels)?;
        writer.close();
        self.screenshots.push((writer, path));
        Ok(())
    }

    /// How far the recording in progress is, or the one being finished.
    pub fn recorded(&self) -> Option<Recorded> {
        self.active
            .as_ref()
            .or(self.closing.last())
            .map(Active::recorded)
    }

    /// Whether frames are still to be written.
    pub fn is_busy(&self) -> bool {
        self.active.is_some() || !self.closing.is_empty() || !self.screenshots.is_empty()
    }

    /// What happened since the last call. A recording that cannot go on is
    /// ended here.
    pub fn notes(&mut self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self
            .active
            .as_ref()
            .is_some_and(|active| active.refused.is_some() || active.writer.error().is_some())
        {
            self.stop();
        }
        let (done, closing) = std::mem::take(&mut self.closing)
            .into_iter()
            .partition(|active| active.writer.is_done());
        self.closing = closing;
        let done: Vec<Active> = done;
        for active in done {
            let recorded = active.recorded();
            let folder = active.writer.folder().to_path_buf();
            let take = Take {
                folder: folder.clone(),
                first: active.writer.first(),
                count: recorded.progress.written,
                format: active.writer.format(),
            };
            if take.count > 0 {
                self.last = Some((take, active.params.fps));
            }
            notes.push(match (active.writer.finish(), active.refused) {
                (Ok(_), None) => Note::Finished { recorded, folder },
                (Err(error), _) | (Ok(_), Some(error)) => Note::Stopped(error),
            });
        }
        let (done, waiting): (Vec<_>, Vec<_>) = std::mem::take(&mut self.screenshots)
            .into_iter()
            .partition(|(writer, _)| writer.is_done());
        self.screenshots = waiting;
        for (writer, path) in done {
            notes.push(match writer.finish() {
                Ok(_) => Note::Screenshot(path),
                Err(error) => Note::Failed(error),
            });
        }
        notes
    }
}

impl Active {
    fn count_frame(&mut self, now: Instant) {
        self.taken += 1;
        let Some(last) = self.last.replace(now) else {
            return;
        };
        let took = now.saturating_duration_since(last);
        let pace = self.pace.map_or(took, |pace| (4 * pace + took) / 5);
        self.pace = Some(pace);
    }

    /// How long it will take to be full, if frames take as long as they did.
    fn left(&self) -> Option<Duration> {
        let frames = self.wanted?.checked_sub(self.taken)?;
        (frames > 0).then_some(self.pace? * frames)
    }

    fn recorded(&self) -> Recorded {
        let progress = self.writer.progress();
        Recorded {
            progress,
            seconds: f64::from(progress.written) / f64::from(self.params.fps.max(1)),
            wanted: self.wanted,
            left: self.left(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::FrameFormat;

    fn black(bytes: usize) -> FilePicture {
        (16, 16, vec![0; bytes * 16 * 16])
    }

    fn take(recorder: &mut Recorder) {
        recorder.take(&Arc::new(Scene::default()), black(3));
    }

    /// All that is told until so much is.
    fn told(recorder: &mut Recorder, count: usize) -> Vec<Note> {
        let (begun, mut notes) = (Instant::now(), Vec::new());
        while notes.len() < count {
            assert!(begun.elapsed().as_secs() < 60, "waited in vain");
            std::thread::sleep(Duration::from_millis(2));
            notes.extend(recorder.notes());
        }
        notes
    }

    fn scene_in(folder: &Path) -> Scene {
        let mut scene = Scene::default();
        scene.capture.folder = folder.display().to_string();
        scene
    }

    #[test]
    fn what_is_left_is_as_long_as_frames_took() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut scene = scene_in(folder.path());
        (scene.capture.seconds, scene.capture.fps) = (1.0, 10);
        let mut recorder = Recorder::default();
        recorder.start(&scene.capture, [16, 16]).expect("starts");
        let active = recorder.active.as_mut().expect("records");
        let begun = Instant::now();
        let mut left = Vec::new();
        for frame in 0..4 {
            active.count_frame(begun + frame * Duration::from_secs(2));
            left.push(active.left().map(|left| left.as_secs()));
        }
        assert_eq!(left, [None, Some(16), Some(14), Some(12)]);
        active.taken = 10;
        assert_eq!(active.left(), None, "it is full");
        active.wanted = None;
        assert_eq!(active.left(), None, "nobody knows when it is stopped");
    }

    #[test]
    fn a_frame_holds_the_scene_that_it_shows() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut scene = scene_in(folder.path());
        let mut recorder = Recorder::default();
        recorder.start(&scene.capture, [16, 16]).expect("starts");
        for yaw in [10.0, 20.0, 20.0] {
            scene.camera.yaw = yaw;
            recorder.take(&Arc::new(scene.clone()), black(3));
        }
        recorder.stop();
        told(&mut recorder, 1);
        for (number, yaw) in [10.0, 20.0, 20.0].into_iter().enumerate() {
            let mut read = Scene::default();
            let path = folder.path().join(format!("render{number:04}.png"));
            read.read(&path).expect("a scene");
            assert_eq!(read.camera.yaw, yaw, "frame {number}");
        }
    }

    #[test]
    fn a_recording_keeps_to_what_it_was_started_with_and_a_refused_frame_ends_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut params = scene_in(folder.path()).capture;
        params.format = FrameFormat::Bmp;
        let mut recorder = Recorder::default();
        recorder.start(&params, [16, 16]).expect("starts");
        let kept = recorder.params().expect("in progress");
        assert_eq!((kept.format, kept.transparent), (FrameFormat::Bmp, false));
        take(&mut recorder);
        recorder.take(&Arc::new(Scene::default()), black(4));
        let notes = told(&mut recorder, 1);
        assert!(
            matches!(notes[..], [Note::Stopped(FrameError::Opaque)]),
            "{notes:?}"
        );
        assert!(!recorder.is_recording() && folder.path().join("render0000.bmp").is_file());
    }

    #[test]
    fn single_pictures_in_quick_succession_have_numbers_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = Arc::new(scene_in(folder.path()));
        let mut recorder = Recorder::default();
        for _ in 0..4 {
            let large = (1024, 1024, vec![7; 3 << 20]);
            recorder.screenshot(&scene, large).expect("taken");
        }
        let notes = told(&mut recorder, 4);
        let all = notes.iter().all(|note| matches!(note, Note::Screenshot(_)));
        assert!(all, "{notes:?}");
        for number in 0..4 {
            let path = folder.path().join(format!("screenshot{number:04}.png"));
            assert!(path.is_file(), "{number}");
        }
    }

    #[test]
    fn a_recording_whose_end_is_reached_still_takes_the_frame_that_is_drawn() {
        let folder = tempfile::tempdir().expect("a folder");
        let params = CaptureParams {
            folder: folder.path().display().to_string(),
            ..CaptureParams::default()
        };
        let mut recorder = Recorder::default();
        recorder.start(&params, [16, 16]).expect("starts");
        recorder.begin_frame();
        take(&mut recorder);
        recorder.begin_frame();
        recorder.want_no_more();
        assert!(!recorder.is_full(), "the second is being drawn");
        take(&mut recorder);
        assert!(recorder.is_full());
    }

    #[test]
    fn a_recording_is_full_after_the_length_that_it_was_started_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut params = CaptureParams {
            fps: 4,
            folder: folder.path().display().to_string(),
            ..CaptureParams::default()
        };
        for (seconds, wanted) in [(0.5, Some(2)), (0.01, Some(1)), (0.0, None)] {
            params.seconds = seconds;
            let mut recorder = Recorder::default();
            recorder.start(&params, [16, 16]).expect("starts");
            let recorded = recorder.recorded().expect("in progress");
            assert_eq!(recorded.wanted, wanted, "{seconds} s");
            for frame in 1..=3 {
                take(&mut recorder);
                let full = wanted.is_some_and(|wanted| frame >= wanted);
                assert_eq!(recorder.is_full(), full, "{seconds} s, frame {frame}");
            }
        }
    }
}
