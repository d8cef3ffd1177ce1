//! The pictures that a frame is drawn into.

use super::{
    HeadFinish, RenderError,
    frame::FrameBlock,
    gl::{Gl, Target, TextureFormat},
    head::HeadStance,
};

/// The pictures on the way to the finished one.
pub(super) struct Targets {
    kind: TargetKind,
    /// Wall and floor, coarser than the rest where they have no edges.
    pub backdrop: Target,
    /// The same as fine as the rest, in display colours; in swift frames.
    pub wall: Option<Target>,
    /// What the two show.
    pub built: Option<BackdropKey>,
    /// How often they were drawn.
    pub walls: u64,
    /// Set and head, to be copied in swift frames; none before they are.
    pub standing: Option<Target>,
    /// What set and head were drawn for in the last frame.
    pub stands: Option<StandingKey>,
    /// Whether `standing` shows that.
    pub kept: bool,
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
    pub shade: (HeadStance, u64),
    /// Frames since.
    pub age: u32,
}

/// State that set and head were drawn for.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct StandingKey {
    /// What the shaders knew of the frame.
    pub frame: FrameBlock,
    /// Where the head is, and how it is deformed.
    pub head: HeadStance,
    /// What the head is made of, and how much of its brows is drawn.
    pub face: (HeadFinish, f32),
    /// The shade on them: by [`sweeps`](super::occlusion::Occlusion::sweeps), and by
    /// [`walls`](Targets::walls).
    pub shade: (u64, u64),
}

impl StandingKey {
    /// Whether nothing but the shade differs.
    pub fn is_like(&self, other: &Self) -> bool {
        let shade = self.shade;
        *self == Self { shade, ..*other }
    }
}

/// Largest age of the shade on the floor in swift frames `[frames]`; it is soft, so
/// that a little delay is not seen.
const MAX_STALE_FRAMES: u32 = 3;

impl BackdropKey {
    /// Counts a frame, and returns whether the backdrop may be used again for `now`; in a
    /// swift frame with an older shade, but not one older than that in the hair where it
    /// is drawn `in_step`.
    pub fn serves(&mut self, now: &Self, swift: bool, in_step: bool) -> bool {
        self.age += 1;
        let swept = self.shade.1 != now.shade.1;
        let recent = swift && self.age <= MAX_STALE_FRAMES && !(in_step && swept);
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
                let target = |fetched| Target::multisampled(gl, size, samples, fetched);
                Some(match fetched {
                    true => target(true).or_else(|_| target(false))?,
                    false => target(false)?,
                })
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
            walls: 0,
            standing: None,
            stands: None,
            kept: false,
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

    /// Head or set look other than when they were drawn.
    pub fn forget(&mut self) {
        (self.built, self.stands, self.kept) = (None, None, false);
    }

    /// Makes room for set and head that are kept; false where the driver has none.
    pub fn make_room(&mut self, gl: &Gl) -> bool {
        if self.standing.is_none() {
            let size = self.kind.size;
            self.standing = Target::texture(gl, TextureFormat::Display, size, true).ok();
        }
        self.standing.is_some()
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

#[cfg(test)]
mod tests {
    use crate::{
        groom::FollowerParams,
        math::Pose,
        mesh::{HeadParams, load::load},
        render::{
            Camera, CameraParams, HeadFinish, Headless, LightParams, LookParams, Renderer, View,
        },
    };
    use glam::{Quat, Vec3};

    /// What a frame shows.
    #[derive(Clone, Default)]
    struct Shown {
        camera: CameraParams,
        look: LookParams,
        light: LightParams,
        pose: Pose,
        /// Whether colours are painted over the head.
        tinted: bool,
    }

    /// Draws the same frame so often, and answers the last one's pixels.
    fn drawn(renderer: &mut Renderer, shown: &Shown, vertices: usize, times: usize) -> Vec<u8> {
        let head = load(&HeadParams::default()).expect("the built-in head");
        let camera = Camera::new(&shown.camera, head.mesh.bounds());
        let values = vec![[0.5, 1.0]; if shown.tinted { vertices } else { 0 }];
        renderer.tint_head(&values);
        for _ in 0..times {
            let view = View {
                camera: &camera,
                look: &shown.look,
                light: &shown.light,
                environment: None,
                followers: &FollowerParams::default(),
                pose: shown.pose,
                size: [120, 90],
                exact: false,
                swift: true,
            };
            renderer.frame(&view).expect("a frame");
        }
        renderer.read_rgb().2
    }

    #[test]
    fn set_and_head_that_are_kept_look_as_if_they_were_drawn_anew() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let head = load(&HeadParams::default()).expect("the built-in head");
        let vertices = head.mesh.positions.len();
        let renderer = |software: bool| {
            let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
            renderer.draw_as_software(software);
            renderer.set_head(&head.mesh);
            renderer
        };
        let mut keeping = renderer(true);
        let plain = Shown {
            look: LookParams {
                samples: 1,
                ..LookParams::default()
            },
            ..Shown::default()
        };
        let changes: [fn(&mut Shown); 8] = [
            |_| {},
            |shown| shown.look.brows = 0.0,
            |shown| shown.look.head = HeadFinish::Mannequin,
            |shown| shown.camera.yaw += 40.0,
            |shown| shown.pose.rotation = Quat::from_rotation_y(0.5),
            |shown| shown.light.key *= 0.3,
            |shown| shown.look.show_head = false,
            |shown| shown.tinted = true,
        ];
        let mut pictures: Vec<Vec<u8>> = Vec::new();
        for change in changes {
            let mut shown = plain.clone();
            change(&mut shown);
            let anew = drawn(&mut renderer(false), &shown, vertices, 1);
            for times in [1, 1, 4] {
                let kept = drawn(&mut keeping, &shown, vertices, times);
                let worst = kept.iter().zip(&anew).map(|(a, b)| a.abs_diff(*b)).max();
                assert_eq!(worst, Some(0), "change {}, {times} frames", pictures.len());
            }
            assert!(
                !pictures.contains(&anew),
                "change {} is seen",
                pictures.len()
            );
            pictures.push(anew);
        }
        // The head deforms where it stands. The light in the hair and the backdrop follow in
        // one of three frames.
        let swept = keeping.occlusion.sweeps();
        let walls = |renderer: &Renderer| renderer.targets.as_ref().map_or(0, |t| t.walls);
        let built = walls(&keeping);
        for frame in 0..6 {
            let size = 1.0 - 0.01 * frame as f32;
            let shape: Vec<Vec3> = head.mesh.positions.iter().map(|p| *p * size).collect();
            keeping.deform_head(&shape);
            drawn(&mut keeping, &plain, vertices, 1);
        }
        assert_eq!(keeping.occlusion.sweeps() - swept, 2);
        // It may have been old before.
        assert!((2..=3).contains(&(walls(&keeping) - built)));
        let shorter: Vec<Vec3> = head.mesh.positions.iter().map(|p| *p * 0.8).collect();
        keeping.deform_head(&shorter);
        let smaller = drawn(&mut keeping, &plain, vertices, 5);
        assert!(!pictures.contains(&smaller));
        assert_eq!(keeping.gl_error(), None);
        drop(keeping);
        drop(headless);
    }
}
