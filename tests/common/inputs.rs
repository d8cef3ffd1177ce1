//! Heads and grooms made by other people. They are not part of the project: a
//! test that uses them skips, saying so, where they are absent, and fails where
//! `REQUIRE_INPUTS=1` says that they must be there.

use std::path::{Path, PathBuf};

/// The folder of the inputs: the one that `LOVELOCK_INPUTS` names, or that beside
/// the project; none where there is none.
///
/// # Panics
/// Where there is none and must be one.
pub fn inputs() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/inputs");
    let folder = std::env::var_os("LOVELOCK_INPUTS").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    let required = std::env::var("REQUIRE_INPUTS").is_ok_and(|v| v == "1");
    assert!(!required, "there is no folder {}", folder.display());
    println!(
        "skipped: there is no folder {}; LOVELOCK_INPUTS may name it",
        folder.display()
    );
    None
}
