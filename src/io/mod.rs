//! Files in and out: scene files, statistics, captured frames.

pub mod frames;

use crate::{choice, param, param::Kind, params};

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
        /// File format of the frames.
        format: FrameFormat = FrameFormat::Png, Kind::Choice(FrameFormat::NAMES), "", "Format";
        /// Folder that frames go to.
        folder: String = "renders", Kind::Text, "", "Folder";
    }
}
