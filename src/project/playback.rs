//! Hair that moved once, out of a file: a cache with the scene that it knows of, or a
//! groom in many poses.

use super::{
    built_scene::BuiltScene, moving_groom::MovingGroom, scene::Scene, tools::StrandQuantity,
};
use crate::io::{
    cache::{self, CacheError, Frame, Header, QUANTUM, Reader},
    scene::SceneError,
    strands::{self, StrandsError},
};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a cache cannot be played; the text is one sentence.
#[derive(Debug, Error)]
pub enum PlaybackError {
    /// The file is at fault.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The groom's file is at fault.
    #[error(transparent)]
    Groom(#[from] StrandsError),
    /// The groom does not move.
    #[error(
        "the groom {} has one pose, and there is nothing to play; let it move here first: lovelock simulate --groom {0} --cache hair.cache",
        path.display()
    )]
    Still {
        /// the groom
        path: PathBuf,
    },
    /// All poses do not fit into memory.
    #[error(
        "the poses of {} take {needed} MB of memory, more than {limit}; make a cache of it first: lovelock convert {0} hair.cache",
        path.display()
    )]
    Large {
        /// the groom
        path: PathBuf,
        /// what they take `[MB]`
        needed: usize,
        /// what they may take `[MB]`
        limit: usize,
    },
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
    /// The scene has other hair than the groom that moves.
    #[error(
        "the groom {} moves other hair than the scene has now; open it again, and change neither \
         its import nor its head while it plays",
        path.display()
    )]
    OtherGroom {
        /// the groom
        path: PathBuf,
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

/// Frames that were made before: those of a cache, or the poses of a groom's file.
pub enum RecordedHair {
    /// A cache.
    Cache(Box<Reader>),
    /// A groom that moves.
    Groom(Box<MovingGroom>),
}

impl RecordedHair {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Cache(reader) => reader.path(),
            Self::Groom(groom) => groom.path(),
        }
    }

    /// Frames in a second. `[1/s]`
    pub fn fps(&self) -> f64 {
        match self {
            Self::Cache(reader) => reader.header().fps,
            Self::Groom(groom) => groom.rate(),
        }
    }

    /// The number of the first frame that is there.
    pub fn first(&self) -> u32 {
        match self {
            Self::Cache(reader) => reader.first(),
            Self::Groom(_) => 0,
        }
    }

    /// The number of the last frame that is there, plus one.
    pub fn end(&self) -> u32 {
        match self {
            Self::Cache(reader) => reader.end(),
            Self::Groom(groom) => groom.poses(),
        }
    }

    /// The frame that is there and nearest to `number`, before it if possible.
    pub fn nearest(&self, number: u32) -> Option<u32> {
        match self {
            Self::Cache(reader) => reader.nearest(number),
            Self::Groom(groom) => Some(number.min(groom.poses().saturating_sub(1))),
        }
    }

    /// Whether all is there that was to be recorded.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Cache(reader) => reader.is_whole(),
            Self::Groom(_) => true,
        }
    }

    /// What is there, as a sentence's end.
    pub fn told(&self) -> String {
        match self {
            Self::Cache(reader) => reader.told(),
            Self::Groom(groom) => format!("{} poses", groom.poses()),
        }
    }

    /// Reads frame `number` into `frame`, whose memory is used again. What is there must
    /// be hair of a stage, as [`wear`](Self::wear) finds it.
    ///
    /// # Errors
    /// When it is not there or damaged; the sentence names it.
    pub fn read(&mut self, number: u32, frame: &mut Frame) -> Result<(), CacheError> {
        match self {
            Self::Cache(reader) => reader.read(number, frame),
            Self::Groom(groom) => {
                groom.write(number, frame);
                Ok(())
            }
        }
    }

    /// Brings it onto a stage.
    ///
    /// # Errors
    /// When its hair is not that of the stage: the sentence says what differs.
    pub fn wear(&mut self, stage: &BuiltScene) -> Result<(), PlaybackError> {
        match self {
            Self::Cache(reader) => check(reader, stage),
            Self::Groom(groom) => groom.wear(stage),
        }
    }
}

/// Whether a file is a cache, or a groom that moves.
pub fn is_recorded(path: &Path) -> bool {
    cache::is_cache(path) || strands::is_named_like_groom(path) && strands::moves(path)
}

/// Opens what can be played, and the scene that it is played in: of a cache, which holds
/// at least one whole frame, the one in it, of a groom that moves `base` with that groom.
///
/// # Errors
/// When the file or its scene cannot be read.
pub fn open(path: &Path, base: &Scene) -> Result<(RecordedHair, Scene), PlaybackError> {
    if strands::is_named_like_groom(path) && !cache::is_cache(path) {
        let (groom, scene) = MovingGroom::open(path, base)?;
        return Ok((RecordedHair::Groom(Box::new(groom)), scene));
    }
    let (reader, scene) = open_cache(path)?;
    Ok((RecordedHair::Cache(Box::new(reader)), scene))
}

fn open_cache(path: &Path) -> Result<(Reader, Scene), PlaybackError> {
    let reader = Reader::open(path)?;
    if reader.whole() == 0 {
        return Err(CacheError::Empty { path: path.into() }.into());
    }
    let mut scene = Scene::default();
    scene.read_text(path, &reader.header().scene)?;
    keep_to_frames(&mut scene);
    Ok((reader, scene))
}

/// What was recorded has one side, and no motion between frames.
pub fn keep_to_frames(scene: &mut Scene) {
    scene.compare.on = false;
    scene.slice.on = false;
    scene.colours.show = StrandQuantity::Nothing;
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
