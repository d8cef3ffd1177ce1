//! What can be wrong with a sequence of head files.

use std::path::PathBuf;
use thiserror::Error;

/// Why a sequence of files is no moving head.
#[derive(Debug, Error)]
pub enum SequenceError {
    /// Nobody waits for it any more.
    #[error("reading the sequence was given up")]
    GivenUp,
    /// The name does not end in a number.
    #[error(
        "{} is not a file of a sequence: its name does not end in a number; choose one named like head.0001.obj", path.display()
    )]
    Unnumbered {
        /// the file that was named
        path: PathBuf,
    },
    /// It could hold several poses and has one.
    #[error(
        "{} holds one pose and its name does not end in a number; export the head with its animation, or choose a file named like head.0001.usdc", path.display()
    )]
    OnePose {
        /// the file that was named
        path: PathBuf,
    },
    /// The folder cannot be listed, or the file is not there.
    #[error("cannot read the sequence {}: {reason}; check the path", path.display())]
    Read {
        /// the file that was named
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
    /// A number between the first and the last one has no file.
    #[error(
        "frame {number} is missing: there is no {} between frames {first} and {last}; export it again", path.display()
    )]
    Missing {
        /// the first file that is not there
        path: PathBuf,
        /// its number
        number: u64,
        /// the first number that has a file
        first: u64,
        /// the last one
        last: u64,
    },
    /// Only one file bears a number.
    #[error(
        "{} is the only frame of its sequence; a sequence has two or more, numbered one after the other", path.display()
    )]
    Single {
        /// that file
        path: PathBuf,
    },
    /// A frame is another mesh than the first one.
    #[error(
        "{frame}: {what}, unlike {first}; export all frames from the same mesh, without modifiers that add or remove vertices"
    )]
    Topology {
        /// the frame that differs: its file, and its number where others are in it too
        frame: String,
        /// the first frame
        first: String,
        /// what differs
        what: String,
    },
    /// A vertex of a frame has no place.
    #[error("{}, line {line}: {found} is no vertex of three finite numbers; export this frame again", path.display())]
    Vertex {
        /// the file
        path: PathBuf,
        /// the line
        line: usize,
        /// what stands there
        found: String,
    },
    /// All frames together are too large to be kept.
    #[error(
        "the sequence {} has {frames} frames of {vertices} vertices, more than {limit} MB; use fewer frames or a lighter mesh", path.display()
    )]
    TooLarge {
        /// the first file
        path: PathBuf,
        /// how many frames
        frames: usize,
        /// vertices of each
        vertices: usize,
        /// megabytes allowed
        limit: usize,
    },
}
