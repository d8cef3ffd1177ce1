//! How frames and pictures are captured.

use super::frames::FrameError;
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

/// Pictures that a frame is averaged from where the camera goes round and nobody says:
/// with single ones, hair that stands still shimmers (docs/guide.md, Flicker).
const TURNING: u32 = 4;

/// The same where the lens is open: its blur is made of them, and with fewer one sees each.
const BLURRED: u32 = 16;

params! {
    /// Recording of frames.
    pub struct CaptureParams: "capture" {
        /// Frames per simulated second.
        fps: u32 = 24u32, param::int(1, 120), "fps", "Frame rate";
        /// Simulated time after which a recording ends by itself; 0 goes on until it is stopped.
        seconds: f32 = 0.0, param::float(0.0, 120.0), "s", "Length";
        /// Whether a recording begins with hair and head as they are at time zero; off, it begins where they are.
        from_start: bool = false, Kind::Bool, "", "From the start";
        /// Size of frames and pictures: as shown in the window, or one that does not change with it.
        size: FrameSize = FrameSize::Shown, Kind::Choice(FrameSize::NAMES), "", "Size";
        /// Width of frames whose size is their own.
        width: u32 = 1920u32, param::int(16, 8192), "px", "Own width";
        /// Height of frames whose size is their own.
        height: u32 = 1080u32, param::int(16, 8192), "px", "Own height";
        /// Whether frames and pictures have no backdrop: where neither head nor hair is they are transparent (PNG alone).
        transparent: bool = false, Kind::Bool, "", "Transparent";
        /// Pictures that each frame is averaged from: 1 is fastest, 16 has smooth edges; 0 takes 1, 4 where the turntable turns, and 16 where the camera has an aperture, whose blur is made of them.
        frame_samples: u32 = 0u32, param::int(0, 256), "", "Frame samples";
        /// Pictures that a single one is averaged from: smooth edges, and a blur where
        /// the camera has an aperture.
        samples: u32 = 16u32, param::int(1, 256), "", "Picture samples";
        /// File format of frames and single pictures.
        format: FrameFormat = FrameFormat::Png, Kind::Choice(FrameFormat::NAMES), "", "Format";
        /// Folder that frames and single pictures go to.
        folder: String = "renders", Kind::Text, "", "Folder";
        /// Whether frames stay when "Make video" has made a video of them. The script make_video.sh deletes them unless it is given --keep.
        keep_frames: bool = true, Kind::Bool, "", "Keep frames";
        /// Whether pictures hold their scene (PNG alone): one that is opened or dropped on the window brings it back.
        scene: bool = true, Kind::Bool, "", "Scene in pictures";
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

    /// Pictures that each frame is averaged from, where the camera goes round or not and its
    /// lens is open or not.
    pub fn frame_samples(&self, goes_round: bool, lens_open: bool) -> u32 {
        match self.frame_samples {
            0 if lens_open => BLURRED,
            0 if goes_round => TURNING,
            samples => samples.max(1),
        }
    }

    /// Frames after which a recording ends by itself; none where it goes on.
    pub fn frames(&self) -> Option<u32> {
        let frames = (self.seconds * self.fps as f32).round() as u32;
        (self.seconds > 0.0).then_some(frames.max(1))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_lens_has_its_blur_where_nobody_says_otherwise() {
        let mut params = CaptureParams::default();
        let samples = |params: &CaptureParams| {
            [[false, false], [true, false], [false, true], [true, true]]
                .map(|[turns, open]| params.frame_samples(turns, open))
        };
        assert_eq!(samples(&params), [1, TURNING, BLURRED, BLURRED]);
        params.frame_samples = 2;
        assert_eq!(samples(&params), [2; 4]);
    }
}
