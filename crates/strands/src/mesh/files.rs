//! Files that a head is in, read whole.

use super::MeshError;
use std::{io::Read, path::Path};

/// Larger files are refused: no head needs them, and memory is finite.
pub(super) const LARGEST_FILE: u64 = 512 << 20;

/// The bytes of a file that is no larger than `limit`.
pub(super) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, MeshError> {
    let failed = |source| MeshError::Read {
        path: path.into(),
        source,
    };
    let file = std::fs::File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(MeshError::NotAFile { path: path.into() });
    }
    if metadata.len() > limit {
        return Err(MeshError::TooLarge {
            path: path.into(),
            bytes: metadata.len(),
            limit,
        });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // The file may grow while it is read.
    file.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}
