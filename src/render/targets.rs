//! The pictures that a frame is drawn into.

use super::{
    RenderError,
    frame::FrameBlock,
    gl::{Gl, Target, TextureFormat},
};
use crate::math::Pose;

/// The pictures on the way to the finished one.
pub(super) struct Targets {
    /// Wall and floor, coarser than the rest: they have no edges.
    pub backdrop: Target,
    /// The same as fine as the rest, in display colours; in swift frames.
    pub wall: Option<Target>,
    /// What the two show.
    pub built: Option<BackdropKey>,
    /// Where head and hair are drawn with several samples a pixel.
    pub sampled: Option<Target>,
    /// Linear light, one value a pixel, and how much of it head and hair cover;
    /// not in swift frames.
    pub light: Option<Target>,
    /// Display colours.
    pub finished: Target,
}

/// State that a backdrop was drawn for.
pub(super) struct BackdropKey {
    /// What the shaders knew of the frame.
    pub frame: FrameBlock,
    /// Who throws the shade: the head, drawn or not, and the hair, by
    /// [`sweeps`](super::occlusion::Occlusion::sweeps).
    pub shade: (Pose, u64),
    /// Frames since.
    pub age: u32,
}

/// Largest age of the shade on the floor in swift frames `[frames]`; it is soft, so
/// that a little delay is not seen.
const MAX_STALE_FRAMES: u32 = 3;

impl BackdropKey {
    /// Counts a frame, and returns whether the backdrop may be used again for `now`.
    pub fn serves(&mut self, now: &Self, swift: bool) -> bool {
        self.age += 1;
        let recent = swift && self.age <= MAX_STALE_FRAMES;
        self.frame == now.frame && (self.shade == now.shade || recent)
    }
}

impl Targets {
    /// For a picture of that size, with so many samples a pixel. `[px]`
    pub fn new(gl: &Gl, size: [u32; 2], samples: u32, swift: bool) -> Result<Self, RenderError> {
        let sampled = match samples {
            1 => None,
            _ => Some(Target::multisampled(gl, size, samples)?),
        };
        let coarse = size.map(|s| s.div_ceil(4));
        Ok(Self {
            backdrop: Target::texture(gl, TextureFormat::Light, coarse, false)?,
            wall: match swift {
                true => Some(Target::texture(gl, TextureFormat::Display, size, false)?),
                false => None,
            },
            built: None,
            light: match swift {
                true => None,
                false => Some(Target::texture(
                    gl,
                    TextureFormat::Light,
                    size,
                    sampled.is_none(),
                )?),
            },
            finished: Target::texture(gl, TextureFormat::Display, size, swift)?,
            sampled,
        })
    }

    /// Whether they are for such a picture.
    pub fn fit(&self, size: [u32; 2], samples: u32, swift: bool) -> bool {
        self.finished.size == size
            && self.light.is_none() == swift
            && self.sampled.as_ref().map_or(1, |s| s.samples) == samples
    }

    /// What head and hair are drawn into.
    pub fn scene(&self) -> &Target {
        let light = self.light.as_ref().unwrap_or(&self.finished);
        self.sampled.as_ref().unwrap_or(light)
    }

    /// Itself and what is not yet in display colours.
    pub fn to_tone(&self) -> Option<(&Self, &Target)> {
        Some((self, self.light.as_ref()?))
    }
}
