//! What can be wrong with a groom's file.

use std::{
    fmt,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePlace {
    /// The file as a whole.
    Whole,
    /// So many bytes from its beginning.
    Byte(usize),
    /// A line, from 1.
    Line(usize),
}

/// What is wrong with a file's content, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: FilePlace,
    /// What, and what to do about it.
    pub text: String,
}

impl Fault {
    /// Of the whole file.
    pub fn whole(text: String) -> Self {
        Self {
            place: FilePlace::Whole,
            text,
        }
    }

    /// Of what begins at a byte.
    pub fn byte(at: usize, text: String) -> Self {
        Self {
            place: FilePlace::Byte(at),
            text,
        }
    }

    /// Of a line, from 1.
    pub fn line(line: usize, text: String) -> Self {
        Self {
            place: FilePlace::Line(line),
            text,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            FilePlace::Whole => write!(f, ": {}", self.text),
            FilePlace::Byte(at) => write!(f, ", byte {at}: {}", self.text),
            FilePlace::Line(line) => write!(f, ":{line}: {}", self.text),
        }
    }
}

/// Why a groom's file could not be read or written; one sentence.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StrandsError {
    /// The file cannot be read.
    #[error("cannot read the groom {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file is not what it should be.
    #[error("{}{fault}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The file cannot be written.
    #[error("cannot write the groom {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl StrandsError {
    /// The same of the file `path`, which was written under another name first.
    #[must_use]
    pub fn of_file(self, path: &Path) -> Self {
        let path = path.into();
        match self {
            Self::Read { reason, .. } => Self::Read { path, reason },
            Self::Content { fault, .. } => Self::Content { path, fault },
            Self::Write { reason, .. } => Self::Write { path, reason },
        }
    }
}
