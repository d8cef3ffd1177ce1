//! Files in and out: scene files, statistics, captured frames, caches.

pub mod cache;
pub mod frames;
pub mod scene;
pub mod stats;
pub mod strands;
pub mod video;

use crate::{choice, param, param::Kind, params};
use frames::FrameError;
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

choice! {
    /// Width and height of pictures for files.
    pub enum FrameSize {
        /// That of the picture in the window.
        Shown = "shown",
        /// 720p.
        Hd = "1280x720",
        /// 1080p.
        FullHd = "1920x1080",
        /// 2160p.
        UltraHd = "3840x2160",
        /// A square.
        Square = "1080x1080",
        /// Upright.
        Upright = "1080x1920",
        /// Width and height of their own.
        Own = "own",
    }
}

params! {
    /// Recording of frames.
    pub struct CaptureParams: "capture" {
        /// Frames per simulated second.
        fps: u32 = 24u32, param::int(1, 120), "fps", "Frame rate";
        /// Size of frames and pictures: as shown in the window, or one that does not change with it.
        size: FrameSize = FrameSize::Shown, Kind::Choice(FrameSize::NAMES), "", "Size";
        /// Width of frames whose size is their own.
        width: u32 = 1920u32, param::int(16, 8192), "px", "Own width";
        /// Height of frames whose size is their own.
        height: u32 = 1080u32, param::int(16, 8192), "px", "Own height";
        /// Whether frames and pictures have no backdrop: where neither head nor hair is they are transparent (PNG alone).
        transparent: bool = false, Kind::Bool, "", "Transparent";
        /// Pictures that each frame is averaged from: 1 is fastest, 16 has smooth edges and, where the camera has an aperture, its blur.
        frame_samples: u32 = 1u32, param::int(1, 256), "", "Samples of a frame";
        /// Pictures that a single one is averaged from: smooth edges, and a blur where
        /// the camera has an aperture.
        samples: u32 = 16u32, param::int(1, 256), "", "Samples of one picture";
        /// File format of the frames.
        format: FrameFormat = FrameFormat::Png, Kind::Choice(FrameFormat::NAMES), "", "Format";
        /// Folder that frames go to.
        folder: String = "renders", Kind::Text, "", "Folder";
        /// Whether frames stay when a video is made of them.
        keep_frames: bool = true, Kind::Bool, "", "Keep frames";
    }
}

impl CaptureParams {
    /// Width and height of pictures for files; none where they are as large as
    /// what is shown. `[px]`
    pub fn pixels(&self) -> Option<[u32; 2]> {
        Some(match self.size {
            FrameSize::Shown => return None,
            FrameSize::Hd => [1280, 720],
            FrameSize::FullHd => [1920, 1080],
            FrameSize::UltraHd => [3840, 2160],
            FrameSize::Square => [1080, 1080],
            FrameSize::Upright => [1080, 1920],
            FrameSize::Own => [self.width, self.height],
        })
    }

    /// Sees whether pictures can be written so.
    ///
    /// # Errors
    /// When they shall be transparent in a format that is not.
    pub fn check(&self) -> Result<(), FrameError> {
        match (self.transparent, self.format) {
            (true, FrameFormat::Bmp) => Err(FrameError::Opaque),
            _ => Ok(()),
        }
    }
}

/// Bytes that are written between two questions whether to go on.
const PIECE: usize = 1 << 20;

/// Writes a file whole or not at all: to a temporary name beside `path`, then
/// renamed. What stood there before survives any failure.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_while(path, bytes, &mut |_| true).map(|_| ())
}

/// The same as long as one is to `go_on`, which is told the share that is
/// written; false, and nothing has changed, where it was given up.
pub fn write_while(
    path: &Path,
    bytes: &[u8],
    go_on: &mut dyn FnMut(f32) -> bool,
) -> io::Result<bool> {
    let Some((target, temporary)) = places(path)? else {
        return fs::write(path, bytes).map(|()| true);
    };
    let mut write = || {
        let mut file = fs::File::create(&temporary)?;
        for (index, piece) in bytes.chunks(PIECE).enumerate() {
            if !go_on((index * PIECE) as f32 / bytes.len() as f32) {
                return Ok(false);
            }
            file.write_all(piece)?;
        }
        file.sync_all()?;
        if !go_on(1.0) {
            return Ok(false);
        }
        fs::rename(&temporary, &target)?;
        // The new name is on the disk only when its folder is. Where a folder
        // cannot be opened or synced the file is there all the same.
        if let Some(folder) = target.parent()
            && let Ok(folder) = fs::File::open(folder)
        {
            let _ = folder.sync_all();
        }
        Ok(true)
    };
    let result = write();
    if !matches!(result, Ok(true)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_given_up_stays_as_it_was_and_leaves_no_half() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        fs::write(&path, "old").expect("writes");
        let bytes = vec![7u8; 2 * PIECE + 10];
        for last in 0..4 {
            let mut asked = 0;
            let mut shares = Vec::new();
            let written = write_while(&path, &bytes, &mut |share| {
                asked += 1;
                shares.push(share);
                asked <= last
            });
            assert!(!written.expect("no error"), "given up at {last}");
            assert!(shares.is_sorted() && shares.iter().all(|s| (0.0..=1.0).contains(s)));
            assert_eq!(fs::read(&path).expect("reads"), b"old");
            assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
        }
        assert!(write_while(&path, &bytes, &mut |_| true).expect("no error"));
        assert_eq!(fs::read(&path).expect("reads"), bytes);
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
    }
}
