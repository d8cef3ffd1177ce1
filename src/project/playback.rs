//! Simulated hair out of a file: what of a scene a cache knows.

use super::{built_scene::BuiltScene, scene::Scene};
use crate::io::{
    cache::{self, CacheError, Header, QUANTUM, Reader},
    scene::SceneError,
};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a cache cannot be played; the text is one sentence.
#[derive(Debug, Error)]
pub enum PlaybackError {
    /// The file is at fault.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The scene in it is not understood.
    #[error("the scene inside the cache cannot be read: {0}")]
    Scene(#[from] SceneError),
    /// The scene grows other hair here.
    #[error(
        "the cache {} was made of {what} than its scene gives now; leave that as it was, or simulate it again",
        path.display()
    )]
    Other {
        /// the cache
        path: PathBuf,
        /// what differs
        what: &'static str,
    },
}

/// What a cache `path` of `planned` frames says of the hair on that stage.
pub fn header(path: &Path, scene: &Scene, stage: &BuiltScene, planned: u32) -> Header {
    let head = &stage.head.mesh.positions;
    Header {
        quantum: QUANTUM,
        fps: f64::from(scene.capture.fps),
        planned,
        groom: cache::fingerprint(&stage.groom.points),
        head: cache::fingerprint(head),
        head_vertices: u32::try_from(head.len()).unwrap_or(u32::MAX),
        starts: stage.groom.starts.clone(),
        scene: scene.text(path),
    }
}

/// Opens a cache that holds at least one whole frame, and the scene in it.
///
/// # Errors
/// When the file or its scene cannot be read.
pub fn open(path: &Path) -> Result<(Reader, Scene), PlaybackError> {
    let reader = Reader::open(path)?;
    if reader.whole() == 0 {
        return Err(CacheError::Empty { path: path.into() }.into());
    }
    let mut scene = Scene::default();
    scene.read_text(path, &reader.header().scene)?;
    // It holds one side, and no motion between frames.
    scene.compare.on = false;
    scene.slice.on = false;
    scene.hold.on = false;
    Ok((reader, scene))
}

/// Sees whether the hair of a cache is that of a stage.
///
/// # Errors
/// When it is not: the sentence says what differs.
pub fn check(reader: &Reader, stage: &BuiltScene) -> Result<(), PlaybackError> {
    let header = reader.header();
    let head = &stage.head.mesh.positions;
    let what =
        if header.head_vertices as usize != head.len() || header.head != cache::fingerprint(head) {
            "another head"
        } else if header.starts != stage.groom.starts
            || header.groom != cache::fingerprint(&stage.groom.points)
        {
            "other hair"
        } else {
            return Ok(());
        };
    let path = reader.path().into();
    Err(PlaybackError::Other { path, what })
}
