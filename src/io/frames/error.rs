//! Why frames could not be written.

use thiserror::Error;

/// Why frames could not be written.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FrameError {
    /// The folder cannot be made, read or written to.
    #[error("cannot record into the folder {folder}: {reason}; choose another folder")]
    Folder {
        /// The folder.
        folder: String,
        /// What the system says.
        reason: String,
    },
    /// A frame could not be written; those before it are kept.
    #[error("cannot write {path}: {reason}; the frames before it are kept")]
    Write {
        /// The frame.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// Another program writes frames into the same folder.
    #[error(
        "{path} appeared while recording: is another program recording into this folder? Nothing was overwritten; choose another folder"
    )]
    Taken {
        /// The frame.
        path: String,
    },
    /// An encoder ended before its time.
    #[error(
        "{written} of {taken} frames are in {folder}: the program failed while it wrote the next; please report it. Those that are there are whole"
    )]
    Lost {
        /// Where they should be.
        folder: String,
        /// How many are there.
        written: u32,
        /// How many there should be.
        taken: u32,
    },
    /// Transparent pictures in a format without transparency.
    #[error(
        "BMP pictures cannot be transparent; set capture.format to png, or capture.transparent to false"
    )]
    Opaque,
    /// A picture's size and its number of bytes disagree.
    #[error("a picture of {width} x {height} pixels needs {wanted} bytes, not {got}")]
    Size {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// Three bytes a pixel.
        wanted: u64,
        /// What was given.
        got: u64,
    },
}
