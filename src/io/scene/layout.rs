//! The version of scene files, and how they name other files.

use crate::groom::import::BUILT_IN;
use std::path::Path;

/// The newest layout of scene files that this program reads, and the one it writes.
pub const VERSION: i64 = 1;

/// Tunables that name a file; a relative name counts from the scene's folder.
pub(super) const PATHS: &[(&str, &str)] = &[
    ("head", "file"),
    ("import", "file"),
    ("import", "head"),
    ("motion", "sequence"),
    ("roots", "density_map"),
    ("roots", "length_map"),
    ("roots", "curl_map"),
    ("roots", "stiffness_map"),
    ("roots", "colour_map"),
];

/// A file named in the scene `path`, as seen from the working folder.
pub(super) fn beside(path: &Path, file: &str) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    if file.is_empty() || file == BUILT_IN || folder.as_os_str().is_empty() {
        return file.into();
    }
    // An absolute `file` replaces the folder.
    folder.join(file).to_string_lossy().into_owned()
}

/// A file named from the working folder, as seen from the scene `path`: short
/// where the file lies beside or below the scene, absolute elsewhere.
pub(super) fn from_scene(path: &Path, file: &str) -> String {
    if file.is_empty() || file == BUILT_IN {
        return file.into();
    }
    let (Ok(scene), Ok(full)) = (std::path::absolute(path), std::path::absolute(file)) else {
        return file.into();
    };
    let folder = scene.parent().unwrap_or(Path::new(""));
    full.strip_prefix(folder)
        .unwrap_or(&full)
        .to_string_lossy()
        .into_owned()
}
