//! The scenes that were opened or saved last, for the dialog that opens one.
//!
//! They are kept beside the measured heads; losing them loses nothing.

use crate::{io, mesh::cache};
use std::path::{Path, PathBuf};

/// So many are remembered.
const MOST: usize = 8;

/// Name of the file that remembers them, one a line.
const FILE: &str = "recent";

/// Paths of scenes, the last one first.
#[derive(Debug, Default)]
pub struct Recent {
    list: Vec<PathBuf>,
    kept: Option<PathBuf>,
}

impl Recent {
    /// Those that are remembered; none where nothing is.
    pub fn load() -> Self {
        Self::at(cache::open().map(|folder| folder.join(FILE)))
    }

    fn at(kept: Option<PathBuf>) -> Self {
        let text = kept
            .as_ref()
            .and_then(|file| std::fs::read_to_string(file).ok());
        let lines = text.as_deref().unwrap_or_default().lines();
        let list = lines.filter(|line| !line.is_empty()).map(PathBuf::from);
        Self {
            list: list.take(MOST).collect(),
            kept,
        }
    }

    /// Puts a scene first.
    pub fn note(&mut self, scene: &Path) {
        let Ok(scene) = std::path::absolute(scene) else {
            return;
        };
        // A line is a path.
        if scene.to_string_lossy().contains('\n') {
            return;
        }
        self.list.retain(|known| *known != scene);
        self.list.insert(0, scene);
        self.list.truncate(MOST);
        let Some(file) = &self.kept else { return };
        let lines: Vec<String> = self
            .list
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        if let Err(error) = io::write_atomic(file, lines.join("\n").as_bytes()) {
            log::warn!(
                "cannot remember recent scenes in {}: {error}",
                file.display()
            );
        }
    }

    /// Those that are still there.
    pub fn list(&self) -> Vec<PathBuf> {
        self.list
            .iter()
            .filter(|path| path.is_file())
            .cloned()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_comes_first_and_is_remembered() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = folder.path().join(FILE);
        let scene = |i: usize| folder.path().join(format!("{i}.toml"));
        let mut recent = Recent::at(Some(kept.clone()));
        assert!(recent.list().is_empty());
        for i in 0..12 {
            std::fs::write(scene(i), "").expect("written");
            recent.note(&scene(i));
        }
        recent.note(&scene(9));
        std::fs::remove_file(scene(10)).expect("removed");
        let expected: Vec<PathBuf> = [9, 11, 8, 7, 6, 5, 4].map(scene).to_vec();
        assert_eq!(recent.list(), expected);
        assert_eq!(Recent::at(Some(kept)).list(), expected);
    }
}
