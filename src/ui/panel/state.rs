//! Which part of the panel is shown and which sections are open, from start to
//! start.
//!
//! It is kept in the state folder; losing it loses nothing.

use crate::project::state_folder;
use std::{collections::BTreeMap, path::PathBuf};

/// Name of the file that remembers it.
const FILE: &str = "panel";

/// What the panel shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The few controls that are wanted first.
    #[default]
    Basic,
    /// Every parameter, section by section.
    All,
}

impl Tab {
    /// Both, in the order of the panel, with their names.
    pub const BOTH: [(Self, &'static str); 2] =
        [(Self::Basic, "Basic"), (Self::All, "All parameters")];

    fn word(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::All => "all",
        }
    }
}

/// What is open in the panel.
#[derive(Debug, Default)]
pub struct PanelState {
    tab: Tab,
    /// Sections that somebody has opened (true) or folded.
    folds: BTreeMap<String, bool>,
    /// How often the search field was asked for by key.
    finds: u32,
    kept: Option<PathBuf>,
}

impl PanelState {
    /// What is remembered; the basic controls where nothing is.
    pub fn load() -> Self {
        Self::at(state_folder::path().map(|folder| folder.join(FILE)))
    }

    /// What the file `kept` remembers; with none, nothing is remembered.
    pub(crate) fn at(kept: Option<PathBuf>) -> Self {
        let text = state_folder::remembered(kept.as_deref());
        let mut state = Self {
            kept,
            ..Self::default()
        };
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("tab", name)) if name == Tab::All.word() => state.tab = Tab::All,
                Some(("open", section)) => _ = state.folds.insert(section.into(), true),
                Some(("folded", section)) => _ = state.folds.insert(section.into(), false),
                // Another make of the program may know more.
                _ => {}
            }
        }
        state
    }

    /// What is shown.
    pub fn tab(&self) -> Tab {
        self.tab
    }

    /// Shows that.
    pub fn show(&mut self, tab: Tab) {
        if self.tab != tab {
            self.tab = tab;
            self.keep();
        }
    }

    /// Whether a section is open; `usual` says it of one that nobody has touched.
    pub fn is_open(&self, section: &str, usual: bool) -> bool {
        self.folds.get(section).copied().unwrap_or(usual)
    }

    /// Opens a section, or folds it.
    pub fn fold(&mut self, section: &str, open: bool) {
        if self.folds.insert(section.into(), open) != Some(open) {
            self.keep();
        }
    }

    /// The search field is wanted.
    pub fn find(&mut self) {
        self.finds += 1;
    }

    /// How often it was.
    pub fn finds(&self) -> u32 {
        self.finds
    }

    fn keep(&self) {
        let Some(file) = &self.kept else { return };
        let mut text = format!("tab {}\n", self.tab.word());
        for (section, open) in &self.folds {
            let word = if *open { "open" } else { "folded" };
            text += &format!("{word} {section}\n");
        }
        state_folder::keep(file, &text, "the panel's sections");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_remembered_from_start_to_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = || Some(folder.path().join("none yet").join(FILE));
        let mut state = PanelState::at(kept());
        assert_eq!(state.tab(), Tab::Basic);
        assert!(state.is_open("wind", true) && !state.is_open("fan", false));
        state.show(Tab::All);
        state.fold("wind", false);
        state.fold("fan", true);
        let mut again = PanelState::at(kept());
        assert_eq!(again.tab(), Tab::All);
        assert!(!again.is_open("wind", true) && again.is_open("fan", false));
        assert!(again.is_open("groom", true), "never touched");
        again.show(Tab::Basic);
        again.fold("wind", true);
        let last = PanelState::at(kept());
        assert_eq!(last.tab(), Tab::Basic);
        assert!(last.is_open("wind", false));
    }

    #[test]
    fn a_file_of_another_make_or_a_damaged_one_does_no_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = folder.path().join(FILE);
        std::fs::write(&kept, "tab sideways\nopen\nsize 12\nopen fan\n\u{1}").expect("written");
        let state = PanelState::at(Some(kept));
        assert_eq!(state.tab(), Tab::Basic);
        assert!(state.is_open("fan", false) && state.is_open("wind", true));
    }
}
