//! Why hair is not exported.

use crate::{
    io::{cache::CacheError, scene::SceneError, strands::StrandsError, write_reason},
    project::built_scene::BuildError,
};
use std::{
    io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Why hair is not exported; the text is one sentence.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// the file
        path: PathBuf,
        /// why not
        reason: String,
    },
    /// A file of the format cannot hold the hair.
    #[error(transparent)]
    Strands(#[from] StrandsError),
    /// What was done by hand cannot be read again.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The scene cannot be built.
    #[error(transparent)]
    Build(BuildError),
    /// The cache is at fault.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A file of the format cannot say which axis points up.
    #[error("{why} ({format})")]
    Axis {
        /// why not
        why: &'static str,
        /// what the format is called
        format: &'static str,
    },
    /// Nobody waits for it any more.
    #[error("the export was given up")]
    GivenUp,
}

impl ExportError {
    /// The file `path` cannot be written.
    pub fn write(path: &Path, error: &io::Error) -> Self {
        Self::Write {
            path: path.into(),
            reason: write_reason(path, error),
        }
    }

    /// The same of the cache `path`, which is written under another name first, and of which
    /// nothing is kept where that fails.
    #[must_use]
    pub fn of_cache(self, path: &Path) -> Self {
        let path = path.into();
        match self {
            Self::Cache(CacheError::Begin { reason, .. } | CacheError::Write { reason, .. }) => {
                Self::Write { path, reason }
            }
            Self::Cache(CacheError::Unfit { frame, reason, .. }) => {
                Self::Cache(CacheError::Unfit {
                    path,
                    frame,
                    reason,
                })
            }
            other => other,
        }
    }
}
