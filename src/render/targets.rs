//! The pictures that a frame is drawn into.

use super::{
    RenderError,
    frame::FrameBlock,
    gl::{Gl, Target, TextureFormat},
};
use crate::math::Pose;

/// The pictures on the way to the finished one.
pub(super) struct Targets {
    kind: TargetKind,
    /// Wall and floor, coarser than the rest where they have no edges.
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

/// What targets are for.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct TargetKind {
    /// Width and height of the picture. `[px]`
    pub size: [u32; 2],
    /// Samples a pixel.
    pub samples: u32,
    /// Whether all is drawn in display colours.
    pub swift: bool,
    /// Whether the backdrop has edges, as a sharp environment has.
    pub edged: bool,
}

/// State that a backdrop was drawn for.
pub(super) struct BackdropKey {
    /// What the shaders knew of the frame.
    pub frame: FrameBlock,
    /// Which picture of an environment is seen, by
    /// [`serial`](super::environment_map::EnvironmentMap::serial).
    pub environment: u64,
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
        let same = self.frame == now.frame && self.environment == now.environment;
        same && (self.shade == now.shade || recent)
    }
}

impl Targets {
    /// Makes them.
    pub fn new(gl: &Gl, kind: &TargetKind) -> Result<Self, RenderError> {
        let TargetKind {
            size,
            samples,
            swift,
            edged,
        } = *kind;
        let sampled = match samples {
            1 => None,
            _ => {
                // The processor may draw hair between what stands there.
                let fetched = samples == 4 && gl.is_software() && gl.shades_samples();
                Some(Target::multisampled(gl, size, samples, fetched)?)
            }
        };
        let coarse = match edged {
            true => size,
            false => size.map(|s| s.div_ceil(4)),
        };
        Ok(Self {
            kind: *kind,
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
    pub fn fit(&self, kind: &TargetKind) -> bool {
        self.kind == *kind
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
