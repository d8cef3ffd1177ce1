//! Reads the file of a head, whatever format it is in.

use super::{
    HeadFile, MeshError,
    files::{LARGEST_FILE, read_file},
    model, obj,
};
use std::path::Path;

/// How names of heads end, lower case.
pub const ENDINGS: [&str; 8] = ["obj", "usda", "usdc", "usdz", "usd", "glb", "gltf", "abc"];

/// Reads the head in the file at `path`: OBJ, USD, glTF or Alembic, as its content says.
///
/// # Errors
/// Says what is wrong, where, and what to do, when no usable face is left.
pub fn read(path: &Path) -> Result<HeadFile, MeshError> {
    parse(&read_file(path, LARGEST_FILE)?, path)
}

/// The same from memory; `path` serves messages and finds materials.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<HeadFile, MeshError> {
    match model::is(bytes, path) {
        true => model::parse(bytes, path),
        false => obj::parse(bytes, path),
    }
}

/// How many poses the head in the file at `path` has: more than one only in Alembic
/// archives and USD layers. Zero where it cannot be read.
pub fn poses(path: &Path) -> usize {
    match may_move(path) {
        true => sound_poses(path).unwrap_or(0),
        false => usize::from(path.is_file()),
    }
}

/// The same of a file whose name is that of an archive or a layer.
///
/// # Errors
/// Says what is wrong with the file, where, and what to do.
pub(super) fn sound_poses(path: &Path) -> Result<usize, MeshError> {
    model::poses(&read_file(path, LARGEST_FILE)?, path)
}

/// How many of them are in a second; none where there is one, or the file does not say
/// it. `[1/s]`
pub fn rate(path: &Path) -> Option<f64> {
    model::rate(&film(path)?)
}

/// When the first of them is `[s]`, and time codes in a second where the format has them;
/// none where there is one, or the file does not say it.
pub fn start(path: &Path) -> Option<(f64, Option<f64>)> {
    model::start(&film(path)?)
}

/// Whether a file may hold several poses, by its name.
pub(super) fn may_move(path: &Path) -> bool {
    let mut films = ["abc", "usda", "usdc", "usdz", "usd"].iter();
    path.extension()
        .is_some_and(|ending| films.any(|film| ending.eq_ignore_ascii_case(film)))
}

/// What is in a file that may hold several poses.
fn film(path: &Path) -> Option<Vec<u8>> {
    let film = may_move(path);
    film.then(|| read_file(path, LARGEST_FILE).ok()).flatten()
}
