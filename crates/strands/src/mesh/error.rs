//! What can be wrong with a head: every message says what, where, what to do.

use super::SequenceError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a head could not be read, or could not be given hair.
#[derive(Debug, Error)]
pub enum MeshError {
    /// The file cannot be opened or read.
    #[error("cannot read the head {}: {}; check the path", path.display(), reason(source))]
    Read {
        /// the file
        path: PathBuf,
        /// the system's reason
        source: std::io::Error,
    },
    /// The path names a folder or a device.
    #[error("{} is not a file; name that of a head", path.display())]
    NotAFile {
        /// the path given
        path: PathBuf,
    },
    /// The file is larger than any head.
    #[error(
        "{} has {} MB, more than the {} MB allowed; simplify the model", path.display(), bytes >> 20, limit >> 20
    )]
    TooLarge {
        /// the file
        path: PathBuf,
        /// its size
        bytes: u64,
        /// the largest size read
        limit: u64,
    },
    /// Nothing is in the file.
    #[error("{}, line 1: the file is empty; export the model again", path.display())]
    Empty {
        /// the file
        path: PathBuf,
    },
    /// The file is something other than OBJ text.
    #[error("{}, line {line}: this is not OBJ text but {found}; {cure}", path.display())]
    NotObj {
        /// the file
        path: PathBuf,
        /// first line that shows it
        line: usize,
        /// what stands there
        found: String,
        /// what to do
        cure: &'static str,
    },
    /// A model in another format than OBJ is not what it should be.
    #[error("{}{place}: {why}", path.display())]
    Model {
        /// the file
        path: PathBuf,
        /// where in it, with what parts it from the name; empty for all of it
        place: String,
        /// what is wrong, and what to do
        why: String,
    },
    /// The last line stops in the middle.
    #[error("{}, line {line}: the file is cut short here ({why}); copy or export it again", path.display())]
    Truncated {
        /// the file
        path: PathBuf,
        /// its last line
        line: usize,
        /// what is missing there
        why: String,
    },
    /// Readable, but without a surface.
    #[error(
        "{}, line {line}: the file ends after {vertices} vertices without any face; \
         export the model with faces (it may have been cut short)", path.display()
    )]
    NoFaces {
        /// the file
        path: PathBuf,
        /// its last line
        line: usize,
        /// vertices read
        vertices: usize,
    },
    /// Every face is unusable.
    #[error("{}, line {line}: {why}, and none of the {faces} faces can be used; export the model again", path.display())]
    BadFaces {
        /// the file
        path: PathBuf,
        /// the first bad face
        line: usize,
        /// what is wrong with it
        why: String,
        /// faces in the file
        faces: usize,
    },
    /// Text without a surface, of a kind that is known.
    #[error("{}, line {line}: {what}; {cure}", path.display())]
    NoSurface {
        /// the file
        path: PathBuf,
        /// where it shows
        line: usize,
        /// what stands there
        what: String,
        /// what to do
        cure: &'static str,
    },
    /// Every triangle is a point or a line.
    #[error("{}, line {line}: no triangle has an area (the first face is here); export the model again", path.display())]
    NoArea {
        /// the file
        path: PathBuf,
        /// the first face
        line: usize,
    },
    /// Only helper geometry is in the file.
    #[error("{}: every group is named helper-* or joint-*, so no skin is left; export the body too", path.display())]
    OnlyHelpers {
        /// the file
        path: PathBuf,
    },
    /// The files are no moving head.
    #[error(transparent)]
    MeshSequence(#[from] SequenceError),
    /// A map cannot be used.
    #[error("cannot lay the map {path} over the head: {why}; {cure}")]
    Map {
        /// the picture's file
        path: String,
        /// what is wrong
        why: String,
        /// what to do
        cure: String,
    },
    /// What was painted cannot be read.
    #[error("roots.{key} cannot be read: {why}")]
    Paint {
        /// which of the painted texts
        key: &'static str,
        /// which dab, and what is wrong with it
        why: String,
    },
    /// All hair was thinned out.
    #[error(
        "{name}: no strand is left to grow: the density map or the brush has thinned out all of the \
         scalp; make some of it white, or plant some hair back"
    )]
    Barren {
        /// the head
        name: String,
    },
    /// No face may carry hair.
    #[error("{name}: no hair can grow on this head: {why}; {cure}")]
    NoScalp {
        /// the head
        name: String,
        /// what was looked for and not found
        why: String,
        /// which parameter to change
        cure: String,
    },
}

/// The system's words without the number of the error.
pub(super) fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}
