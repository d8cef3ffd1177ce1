//! Files in and out: scene files, statistics, captured frames, caches.

pub mod cache;
pub mod frames;
pub mod scene;
pub mod stats;
pub mod strands;

use crate::{choice, param, param::Kind, params};
use std::{
    ffi::OsString,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

choice! {
    /// File format of captured frames.
    pub enum FrameFormat {
        /// Lossless, small.
        Png = "png",
        /// Lossless, large, fast.
        Bmp = "bmp",
    }
}

params! {
    /// Recording of frames.
    pub struct CaptureParams: "capture" {
        /// Frames per simulated second.
        fps: u32 = 24u32, param::int(1, 120), "1/s", "Frame rate";
        /// Pictures that a single one is averaged from: smooth edges, and a blur where
        /// the camera has an aperture.
        samples: u32 = 16u32, param::int(1, 256), "", "Samples of one picture";
        /// File format of the frames.
        format: FrameFormat = FrameFormat::Png, Kind::Choice(FrameFormat::NAMES), "", "Format";
        /// Folder that frames go to.
        folder: String = "renders", Kind::Text, "", "Folder";
    }
}

/// Writes a file whole or not at all: to a temporary name beside `path`, then
/// renamed. What stood there before survives any failure.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Some((target, temporary)) = places(path)? else {
        return fs::write(path, bytes);
    };
    let result = fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, &target));
    if result.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// Sees whether [`write_atomic`] can write to `path`; changes nothing.
pub fn probe(path: &Path) -> io::Result<()> {
    let Some((target, temporary)) = places(path)? else {
        return Ok(());
    };
    if target.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    fs::File::create(&temporary)?;
    fs::remove_file(&temporary)
}

/// Where a file really lies and the temporary name beside it; none for a
/// device or a pipe, which cannot be replaced.
fn places(path: &Path) -> io::Result<Option<(PathBuf, PathBuf)>> {
    let target = match fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => return Ok(None),
        // A link stays a link: what it points to is replaced.
        Ok(_) => fs::canonicalize(path)?,
        Err(_) => path.to_path_buf(),
    };
    let Some(name) = target.file_name() else {
        return Err(io::ErrorKind::IsADirectory.into());
    };
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.part", std::process::id()));
    let temporary = target.with_file_name(hidden);
    Ok(Some((target, temporary)))
}

/// The reason of a file error in plain words, without the system's error number.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::NotADirectory => "a part of its path is not a folder".into(),
        io::ErrorKind::StorageFull => "the disk is full".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".into(),
        _ => {
            let text = error.to_string();
            match text.find(" (os error") {
                Some(end) => text[..end].to_string(),
                None => text,
            }
        }
    }
}
