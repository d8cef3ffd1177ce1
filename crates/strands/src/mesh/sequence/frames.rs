//! Where the frames of a sequence are: one a file, or all in an Alembic archive or a USD layer.

use super::{find, scan::Scan};
use crate::mesh::{
    MeshError, SequenceError,
    files::{LARGEST_FILE, read_file},
    model,
    read::{may_move, poses, sound_poses},
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
        if !may_move(path) {
            return Ok(Self::Files(find::files(path)?));
        }
        let count = sound_poses(path)?;
        if count > 1 {
            let bytes = read_file(path, LARGEST_FILE)?;
            return Ok(Self::Poses(path.into(), bytes, count));
        }
        match find::files(path) {
            Ok(files) => Ok(Self::Files(files)),
            Err(SequenceError::Unnumbered { path }) => Err(SequenceError::OnePose { path }.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// How many there are; at least two.
    pub fn len(&self) -> usize {
        match self {
            Self::Files(files) => files.len(),
            Self::Poses(_, _, count) => *count,
        }
    }

    /// What one is called in a message: its file, and its number where others are in it too.
    pub fn name(&self, number: usize) -> String {
        let file = self.file(number).display();
        match self {
            Self::Files(_) => file.to_string(),
            Self::Poses(..) => format!("{file}, frame {}", number + 1),
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
                let bytes = read_file(file, LARGEST_FILE)?;
                match model::is(&bytes, file) {
                    true => Scan::of(&model::geometry(&bytes, file, 0)?, file),
                    false => Ok(Scan::read(&bytes, file)?),
                }
            }
            Self::Poses(_, bytes, _) => Scan::of(&model::geometry(bytes, file, number)?, file),
        }
    }
}
