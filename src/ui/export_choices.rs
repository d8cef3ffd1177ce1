//! How hair was exported last: the dialog begins with that, also after the next start.
//!
//! It is kept in the state folder; losing it loses nothing.

use crate::project::{
    export::{ExportOptions, ExportUp, LengthUnit},
    state_folder,
};
use std::path::{Path, PathBuf};

/// Name of the file that remembers it.
const FILE: &str = "export";

/// Where hair goes that was exported nowhere yet.
const USUAL: &str = "hair.usda";

/// How hair was exported last.
#[derive(Debug, Default)]
pub struct ExportChoices {
    options: ExportOptions,
    /// The file of the last export since the program was started.
    last: Option<PathBuf>,
    kept: Option<PathBuf>,
}

impl ExportChoices {
    /// What is remembered; what the command line does without options where nothing is.
    pub fn load() -> Self {
        Self::at(state_folder::path().map(|folder| folder.join(FILE)))
    }

    /// What the file `kept` remembers; with none, nothing is remembered.
    pub(crate) fn at(kept: Option<PathBuf>) -> Self {
        let text = kept
            .as_ref()
            .and_then(|file| std::fs::read_to_string(file).ok())
            .unwrap_or_default();
        let mut options = ExportOptions::default();
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("strands", word)) => options.drawn = word == "drawn",
                Some(("unit", word)) => {
                    let unit = LengthUnit::ALL.into_iter().find(|unit| unit.name() == word);
                    options.unit = unit.unwrap_or_default();
                }
                Some(("up", word)) => {
                    let up = ExportUp::ALL.into_iter().find(|up| up.name() == word);
                    options.up = up.unwrap_or_default();
                }
                Some(("head", word)) => options.head = word == "on",
                // Another make of the program may know more.
                _ => {}
            }
        }
        Self {
            options,
            last: None,
            kept,
        }
    }

    /// The choices.
    pub fn options(&self) -> ExportOptions {
        self.options
    }

    /// Where the hair might go.
    pub fn suggestion(&self) -> PathBuf {
        self.last.clone().unwrap_or_else(|| USUAL.into())
    }

    /// Hair goes to `path`, by these choices.
    pub fn keep(&mut self, path: &Path, options: ExportOptions) {
        self.last = Some(path.into());
        if std::mem::replace(&mut self.options, options) == options {
            return;
        }
        let Some(file) = &self.kept else { return };
        let text = format!(
            "strands {}\nunit {}\nup {}\nhead {}\n",
            if options.drawn { "drawn" } else { "simulated" },
            options.unit.name(),
            options.up.name(),
            if options.head { "on" } else { "off" },
        );
        state_folder::keep(file, &text, "how hair is exported");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_remembered_from_start_to_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = || Some(folder.path().join("none yet").join(FILE));
        let mut choices = ExportChoices::at(kept());
        assert_eq!(choices.options(), ExportOptions::default());
        assert_eq!(choices.suggestion(), Path::new(USUAL));
        let options = ExportOptions {
            drawn: true,
            unit: LengthUnit::Mm,
            up: ExportUp::Z,
            head: true,
        };
        choices.keep(Path::new("out/a.abc"), options);
        assert_eq!(choices.suggestion(), Path::new("out/a.abc"));
        let again = ExportChoices::at(kept());
        assert_eq!(again.options(), options);
        assert_eq!(again.suggestion(), Path::new(USUAL));
    }

    #[test]
    fn a_damaged_file_does_no_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = folder.path().join(FILE);
        std::fs::write(&kept, "unit furlong\nup\nstrands drawn\nsize 2\n\u{1}").expect("written");
        let choices = ExportChoices::at(Some(kept)).options();
        let drawn = ExportOptions {
            drawn: true,
            ..ExportOptions::default()
        };
        assert_eq!(choices, drawn);
    }
}
