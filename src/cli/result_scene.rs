//! The scene that a command writes beside its results. It never takes the place of a scene
//! that somebody saved.

use super::{
    overrides::SceneArgs,
    targets::{keep_own, place},
    usage::Usage,
};
use crate::{io, project::scene::Scene};
use std::path::PathBuf;

/// How such a scene begins: a file that begins otherwise is somebody's own.
const MARK: &str = "# Written beside the results of a lovelock command, which replaces it.\n";

/// A scene beside results, and the option that says where these go.
pub struct ResultScene<'a> {
    /// The file.
    pub path: PathBuf,
    /// The scene that is written.
    pub scene: &'a Scene,
    /// What it was read from.
    pub args: &'a SceneArgs,
    /// How to choose another place, as a sentence's end.
    pub elsewhere: &'static str,
}

impl ResultScene<'_> {
    /// Refuses to replace a scene that was read, and a file that no command wrote beside
    /// its results; one that already is what would be written may stay.
    pub fn check(&self) -> Result<(), Usage> {
        let target = place(&self.path);
        let files = &self.args.overrides.param_file;
        let mut read = self.args.file.iter().chain(files);
        let is_read = read.any(|file| place(file) == target);
        let is_result = |old: &[u8]| {
            let is_own = is_read || !old.starts_with(MARK.as_bytes());
            !is_own || old == self.text().as_bytes()
        };
        let what = "the scene of these results";
        keep_own(what, &self.path, is_result, self.elsewhere)
    }

    /// Writes it, if nothing of somebody's own is in the way.
    pub fn write(&self) -> anyhow::Result<()> {
        self.check()?;
        io::write_atomic(&self.path, self.text().as_bytes())
            .map_err(|error| super::output::cannot_write(&self.path, &error))
    }

    fn text(&self) -> String {
        format!("{MARK}{}", self.scene.text(&self.path))
    }
}
