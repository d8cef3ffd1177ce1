//! Where the frames of a sequence are: one a file, or all in an Alembic archive or a USD layer.

use super::{find, scan::Scan};
use crate::mesh::{
    MeshError, SequenceError,
    files::{LARGEST_FILE, read_file},
    model,
    read::poses,
};
use std::path::{Path, PathBuf};

/// Whether one file holds a head in several poses.
pub fn moves(path: &Path) -> bool {
    poses(path) > 1
}

/// How many poses in a second a file of them says it has. `[1/s]`
pub fn rate(path: &Path) -> Option<f64> {
    crate::mesh::read::rate(path)
}

/// The frames of a sequence.
pub(super) enum Frames {
    /// One a file.
    Files(Vec<PathBuf>),
    /// So many poses in the bytes of one file.
    Poses(PathBuf, Vec<u8>, usize),
}

impl Frames {
    /// Those that the file `path` is one of, or that it holds.
    pub fn of(path: &Path) -> Result<Self, MeshError> {
        match poses(path) {
            0 | 1 => Ok(Self::Files(find::files(path)?)),
            count => Ok(Self::Poses(
                path.into(),
                read_file(path, LARGEST_FILE)?,
                count,
            )),
        }
    }

    /// How many there are; at least two.
    pub fn len(&self) -> usize {
        match self {
            Self::Files(files) => files.len(),
            Self::Poses(_, _, count) => *count,
        }
    }

    /// The file that one is in.
    pub fn file(&self, number: usize) -> &Path {
        match self {
            Self::Files(files) => &files[number],
            Self::Poses(file, ..) => file,
        }
    }

    /// The vertices and faces of one.
    pub fn scan(&self, number: usize) -> Result<Scan, MeshError> {
        let file = self.file(number);
        match self {
            Self::Files(_) => {
                let bytes = std::fs::read(file).map_err(|error| SequenceError::Read {
                    path: file.into(),
                    reason: find::reason(&error),
                })?;
                match model::is(&bytes, file) {
                    true => Scan::of(&model::parts(&bytes, file, 0)?.parts, file),
                    false => Ok(Scan::read(&bytes, file)?),
                }
            }
            Self::Poses(_, bytes, _) => Scan::of(&model::parts(bytes, file, number)?.parts, file),
        }
    }
}
