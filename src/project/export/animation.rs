//! How long an animation is that is exported, and which files it has.

use super::head_beside;
use crate::io::strands;
use std::path::{Path, PathBuf};

/// Frames in a second that an animation may have at most. `[1/s]`
pub const MOST_FRAMES_A_SECOND: f64 = 1000.0;

/// The highest number that a first frame may have.
pub const HIGHEST_START: u32 = 10_000_000;

/// How many frames of so many a second there are up to `seconds`: the one at time zero, and
/// all up to the last.
pub fn frames_in(seconds: f64, fps: f64) -> usize {
    // Seconds that are so many frames may have been rounded.
    1 + (seconds * fps + 1e-6).max(0.0).floor() as usize
}

/// An animation from time zero on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimationOptions {
    /// When the last frame is at the latest. `[s]`
    pub seconds: f64,
    /// Frames in a second. `[1/s]`
    pub fps: f64,
    /// The number of the first frame, in names of files and as time code; none as it is usual:
    /// files from 1, time codes from 0.
    pub start: Option<u32>,
    /// Whether files that can say how fast points go do so.
    pub velocities: bool,
    /// Whether the scene's camera goes with the hair in files that have a place for it.
    pub camera: bool,
}

impl AnimationOptions {
    /// How many frames there are: the one at time zero, and all up to the last.
    pub fn frames(&self) -> usize {
        frames_in(self.seconds, self.fps)
    }

    /// The files that are there already among those that are written where the name is `path`:
    /// one, or where it has a place for a number one a frame; and a head beside each, if there
    /// are `heads`.
    pub fn taken(&self, path: &Path, heads: bool) -> Vec<PathBuf> {
        if strands::numbered(path, 1).is_none() {
            let files = [path.to_path_buf()];
            return files.into_iter().filter(|file| file.is_file()).collect();
        }
        let first = self.start.map_or(1, |start| start as usize);
        let numbers = first..first + self.frames();
        let found = |pattern: PathBuf| {
            // All that are there.
            let there = strands::present(&pattern).into_iter();
            let written = there.filter(|number| numbers.contains(number));
            let files = written.filter_map(|number| strands::numbered(&pattern, number));
            files.collect::<Vec<_>>()
        };
        let mut taken = found(path.into());
        taken.extend(
            heads
                .then(|| found(head_beside(path)))
                .into_iter()
                .flatten(),
        );
        taken
    }

    /// The same with so many frames, one at least.
    #[must_use]
    pub fn with_frames(self, frames: usize) -> Self {
        Self {
            seconds: frames.saturating_sub(1) as f64 / self.fps,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animation_has_its_first_and_its_last_frame() {
        let options = AnimationOptions {
            seconds: 2.0,
            fps: 24.0,
            start: None,
            velocities: false,
            camera: false,
        };
        assert_eq!(options.frames(), 49);
        for fps in [23.976, 24.0, 25.0, 29.97, 60.0, 1000.0] {
            for frames in [1, 2, 48, 49, 1000, 86_400] {
                let options = AnimationOptions { fps, ..options };
                assert_eq!(options.with_frames(frames).frames(), frames, "{fps}");
            }
        }
        assert_eq!(options.with_frames(0).frames(), 1);
    }

    #[test]
    fn files_that_are_there_are_found_among_those_that_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["h.0002.obj", "h.0004.obj", "head_h.0003.obj", "h.abc"] {
            std::fs::write(path(name), "").expect("written");
        }
        let options = AnimationOptions {
            seconds: 2.0,
            fps: 1.0,
            start: None,
            velocities: false,
            camera: false,
        };
        let taken = |name: &str, heads| options.taken(&path(name), heads);
        assert_eq!(taken("h.####.obj", false), [path("h.0002.obj")]);
        let with_head = [path("h.0002.obj"), path("head_h.0003.obj")];
        assert_eq!(taken("h.$F4.obj", true), with_head);
        assert_eq!(taken("h.abc", true), [path("h.abc")]);
        assert!(taken("i.abc", false).is_empty());
        let later = AnimationOptions {
            start: Some(4),
            ..options
        };
        assert_eq!(
            later.taken(&path("h.####.obj"), false),
            [path("h.0004.obj")]
        );
    }
}
