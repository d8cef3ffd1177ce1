//! What can be wrong with a scene file.

use super::layout::VERSION;
use crate::param::ParamError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a scene file was refused; the text names the file and the line.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file cannot be read.
    #[error("cannot read the scene {}: {reason}", path.display())]
    Read {
        /// the scene file
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
    /// The file is not TOML.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        /// the scene file
        path: PathBuf,
        /// line, from 1
        line: usize,
        /// what is wrong with it
        message: String,
    },
    /// A key or value that no section takes.
    #[error("{}:{line}: {source}", path.display())]
    Value {
        /// the scene file
        path: PathBuf,
        /// line, from 1
        line: usize,
        /// what is wrong with it
        source: Box<ParamError>,
    },
    /// A table or key that is no section.
    #[error("{}:{line}: there is no section [{name}]{guess}", path.display())]
    Section {
        /// the scene file
        path: PathBuf,
        /// line, from 1
        line: usize,
        /// what was written
        name: String,
        /// what may have been meant, as a sentence's end, or empty
        guess: String,
    },
    /// The file was written by a newer program.
    #[error(
        "{}:{line}: this is a scene of version {found}, and only versions up to {VERSION} are known; use a newer lovelock",
        path.display()
    )]
    Version {
        /// the scene file
        path: PathBuf,
        /// line, from 1
        line: usize,
        /// the version in the file
        found: String,
    },
    /// The file cannot be written.
    #[error("cannot write the scene {}: {reason}", path.display())]
    Write {
        /// the scene file
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
}
