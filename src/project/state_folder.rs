//! Where the program keeps what it knows from one run to the next and what
//! nobody should lose with a cache: autosaves, hints that were read.

use crate::io;
use std::path::{Path, PathBuf};

/// Names the folder; empty for none.
pub const VARIABLE: &str = "LOVELOCK_STATE";

/// The folder that [`VARIABLE`] names, or the system's for such files; none where
/// nothing is to be kept. It need not be there yet.
pub fn path() -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    if let Some(named) = path(VARIABLE) {
        return (!named.as_os_str().is_empty()).then_some(named);
    }
    let system = if cfg!(windows) {
        path("LOCALAPPDATA").map(|folder| folder.join("lovelock").join("state"))
    } else if cfg!(target_os = "macos") {
        path("HOME").map(|home| home.join("Library/Application Support/lovelock"))
    } else {
        // A relative path here is a mistake (XDG base directories, version 0.8).
        path("XDG_STATE_HOME")
            .filter(|folder| folder.is_absolute())
            .or_else(|| path("HOME").map(|home| home.join(".local/state")))
            .map(|folder| folder.join("lovelock"))
    };
    system.filter(|path| path.is_absolute())
}

/// What `file` of that folder remembers; nothing where there is none, or it cannot be read.
pub fn remembered(file: Option<&Path>) -> String {
    file.and_then(|file| std::fs::read_to_string(file).ok())
        .unwrap_or_default()
}

/// Keeps `text` in `file` of that folder, which is made where it is not there yet. Where that
/// fails a warning says that `what` is not remembered: no reason to disturb anybody.
pub fn keep(file: &Path, text: &str, what: &str) {
    let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = made.and_then(|()| io::write_atomic(file, text.as_bytes()));
    if let Err(error) = written {
        log::warn!("cannot remember {what} in {}: {error}", file.display());
    }
}
