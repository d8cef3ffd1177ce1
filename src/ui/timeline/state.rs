//! How the timeline is shown, from start to start.
//!
//! It is kept in the state folder; losing it loses nothing.

use crate::project::state_folder;
use std::path::PathBuf;

/// Name of the file that remembers it.
const FILE: &str = "timeline";

/// How the timeline is shown.
#[derive(Debug, Default)]
pub struct TimelineState {
    frames: bool,
    kept: Option<PathBuf>,
}

impl TimelineState {
    /// What is remembered; seconds where nothing is.
    pub fn load() -> Self {
        Self::at(state_folder::path().map(|folder| folder.join(FILE)))
    }

    /// What the file `kept` remembers; with none, nothing is remembered.
    pub(crate) fn at(kept: Option<PathBuf>) -> Self {
        let text = state_folder::remembered(kept.as_deref());
        // Another make of the program may know more.
        let frames = text.lines().any(|line| line == "time frames");
        Self { frames, kept }
    }

    /// Whether it counts frames; else seconds.
    pub fn shows_frames(&self) -> bool {
        self.frames
    }

    /// Lets it count frames, or seconds.
    pub fn show_frames(&mut self, frames: bool) {
        if std::mem::replace(&mut self.frames, frames) == frames {
            return;
        }
        let Some(file) = &self.kept else { return };
        let word = if frames { "frames" } else { "seconds" };
        state_folder::keep(
            file,
            &format!("time {word}\n"),
            "what the timeline counts in",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_counts_in_is_remembered_from_start_to_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = || Some(folder.path().join("none yet").join(FILE));
        let mut state = TimelineState::at(kept());
        assert!(!state.shows_frames());
        state.show_frames(true);
        let mut again = TimelineState::at(kept());
        assert!(again.shows_frames());
        again.show_frames(false);
        assert!(!TimelineState::at(kept()).shows_frames());
        // A damaged file does no harm.
        std::fs::write(folder.path().join(FILE), "time\u{1}\nframes").expect("written");
        assert!(!TimelineState::at(Some(folder.path().join(FILE))).shows_frames());
    }
}
