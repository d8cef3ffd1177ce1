//! How the timeline is shown, from start to start.
//!
//! It is kept in the state folder; losing it loses nothing.

use crate::project::state_folder;
use std::path::PathBuf;

/// Name of the file that remembers it.
const FILE: &str = "timeline";

/// How the timeline is shown, and what it does by itself.
#[derive(Debug, Default)]
pub struct TimelineState {
    frames: bool,
    auto_key: bool,
    looping: bool,
    kept: Option<PathBuf>,
}

impl TimelineState {
    /// What is remembered; seconds, and all else off, where nothing is.
    pub fn load() -> Self {
        Self::at(state_folder::path().map(|folder| folder.join(FILE)))
    }

    /// What the file `kept` remembers; with none, nothing is remembered.
    pub(crate) fn at(kept: Option<PathBuf>) -> Self {
        let text = state_folder::remembered(kept.as_deref());
        // Another make of the program may know more.
        let says = |wanted: &str| text.lines().any(|line| line == wanted);
        Self {
            frames: says("time frames"),
            auto_key: says("auto-key on"),
            looping: says("loop on"),
            kept,
        }
    }

    /// Whether it counts frames; else seconds.
    pub fn shows_frames(&self) -> bool {
        self.frames
    }

    /// Whether a camera with keys that is moved gets keys.
    pub fn auto_key(&self) -> bool {
        self.auto_key
    }

    /// Whether time begins anew at the shot's end.
    pub fn looping(&self) -> bool {
        self.looping
    }

    /// Lets it count frames, or seconds.
    pub fn show_frames(&mut self, frames: bool) {
        self.keep(|state| state.frames = frames);
    }

    /// Lets a camera with keys that is moved get keys, or none.
    pub fn set_auto_key(&mut self, on: bool) {
        self.keep(|state| state.auto_key = on);
    }

    /// Lets time begin anew at the shot's end, or go on.
    pub fn set_looping(&mut self, on: bool) {
        self.keep(|state| state.looping = on);
    }

    /// Makes a change, and remembers it.
    fn keep(&mut self, change: impl FnOnce(&mut Self)) {
        let all = |state: &Self| (state.frames, state.auto_key, state.looping);
        let before = all(self);
        change(self);
        if all(self) == before {
            return;
        }
        let Some(file) = &self.kept else { return };
        let time = if self.frames { "frames" } else { "seconds" };
        let switch = |on| if on { "on" } else { "off" };
        let (auto_key, looping) = (switch(self.auto_key), switch(self.looping));
        state_folder::keep(
            file,
            &format!("time {time}\nauto-key {auto_key}\nloop {looping}\n"),
            "how the timeline is shown",
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

    #[test]
    fn its_switches_are_remembered_each_for_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let again = || TimelineState::at(Some(folder.path().join(FILE)));
        let all = |state: TimelineState| [state.shows_frames(), state.auto_key(), state.looping()];
        assert_eq!(all(again()), [false; 3]);
        again().set_auto_key(true);
        assert_eq!(all(again()), [false, true, false]);
        again().set_looping(true);
        again().show_frames(true);
        assert_eq!(all(again()), [true; 3]);
        again().set_auto_key(false);
        assert_eq!(all(again()), [true, false, true]);
    }
}
