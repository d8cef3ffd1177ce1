//! What can be wrong with a cache.

use super::layout::VERSION;
use std::path::PathBuf;
use thiserror::Error;

/// Why a cache cannot be written or read; the text is one sentence.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The file cannot be read.
    #[error("cannot read the cache {}: {reason}", path.display())]
    Read {
        /// the cache
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
    /// No frame of the file can be written.
    #[error("cannot write the cache {}: {reason}; choose another place for it", path.display())]
    Begin {
        /// the cache
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
    /// The file cannot be written to its end.
    #[error("cannot write the cache {}: {reason}; the frames before are kept", path.display())]
    Write {
        /// the cache
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
    /// There is a cache already.
    #[error("the cache {} is there already; say --overwrite to replace it, or name another file", path.display())]
    There {
        /// the cache
        path: PathBuf,
    },
    /// There is another file already.
    #[error("{} is there already and is no cache of hair; choose another name", path.display())]
    Taken {
        /// the file
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is no cache of hair; `lovelock simulate --cache FILE` writes one", path.display())]
    Foreign {
        /// the file
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error(
        "{} is a cache of version {found}, and only versions up to {VERSION} are known; use a newer lovelock",
        path.display()
    )]
    Version {
        /// the cache
        path: PathBuf,
        /// the version in the file
        found: u32,
    },
    /// The header is damaged.
    #[error("the header of the cache {} is damaged: {reason}; simulate it again", path.display())]
    Header {
        /// the cache
        path: PathBuf,
        /// what is wrong
        reason: &'static str,
    },
    /// No frame is whole.
    #[error("the cache {} holds no whole frame; simulate it again", path.display())]
    Empty {
        /// the cache
        path: PathBuf,
    },
    /// A frame is damaged.
    #[error("frame {frame} of the cache {} is damaged: {reason}; simulate it again, or choose the frames before or after it with --frames", path.display())]
    Frame {
        /// the cache
        path: PathBuf,
        /// number of the frame
        frame: u32,
        /// what is wrong
        reason: &'static str,
    },
    /// There is no such frame.
    #[error("the cache {} has no whole frame {frame}; it holds {held}", path.display())]
    Missing {
        /// the cache
        path: PathBuf,
        /// what was asked for
        frame: u32,
        /// what there is, in words
        held: String,
    },
    /// The hair cannot be written.
    #[error("frame {frame} cannot go into the cache {}: {reason}", path.display())]
    Unfit {
        /// the cache
        path: PathBuf,
        /// number of the frame
        frame: u32,
        /// what is wrong
        reason: &'static str,
    },
}
