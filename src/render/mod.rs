//! The picture: an OpenGL 3.3 core renderer that a window and a headless
//! context share.

mod ambient;
mod backdrop;
mod camera;
mod canvas;
mod context;
mod frame;
mod gl;
mod hair;
mod head;
mod lock;
mod look;
mod occlusion;
mod output;
mod parts;
pub mod pigment;
mod scalp;
mod screen;
mod shadow;
mod stand;
mod still;
pub mod surface;
mod targets;
mod timings;
mod tone;
mod view;
mod view_preset;

pub use camera::Camera;
pub use canvas::Canvas;
pub use context::Headless;
pub use hair::is_drawn;
pub use lock::Lock;
pub use look::{Geometry, LookParams, Shading};
pub use output::TINTS;
pub use parts::{HairParts, HeadParts, Planted};
pub use still::{Exposure, Still};
pub use timings::{PassTiming, Timing};
pub use view::View;
pub use view_preset::{Bookmark, ViewPreset};

use crate::{math::Pose, param, param::Kind, params};
use bytemuck::Zeroable as _;
use frame::{Floor, FrameBlock, Part};
use gl::{Buffer, Gl};
use glam::{Mat4, Vec3};
use std::sync::Arc;
use targets::{BackdropKey, Targets};
use thiserror::Error;

params! {
    /// The lights of the set. They turn with the camera, so that no side of the head is ever unlit.
    pub struct LightParams: "light" {
        /// Direction of the key light around the head, from the camera's: negative is on the left.
        key_yaw: f32 = -47.8, param::float(-180.0, 180.0), "°", "Key direction";
        /// Height of the key light over the horizon.
        key_pitch: f32 = 44.2, param::float(-30.0, 90.0), "°", "Key height";
        /// Strength of the key light, which throws the shadows; 1 is the studio's own.
        key: f32 = 1.0, param::float(0.0, 4.0), "x", "Key";
        /// Strength of the fill light, which lifts what the key leaves dark.
        fill: f32 = 1.0, param::float(0.0, 4.0), "x", "Fill";
        /// Strength of the two lights from behind, which draw bright edges.
        rim: f32 = 1.0, param::float(0.0, 4.0), "x", "Rim lights";
        /// Strength of the light that the room sends from everywhere.
        room: f32 = 1.0, param::float(0.0, 4.0), "x", "Ambient";
    }
}

params! {
    /// Where the picture is taken from.
    pub struct CameraParams: "camera" {
        /// Turn around the head; 0 is the front view.
        yaw: f32 = 28.0, param::float(-360.0, 360.0), "°", "Yaw";
        /// Height of the camera over the horizon.
        pitch: f32 = 6.0, param::float(-89.0, 89.0), "°", "Pitch";
        /// Distance from the point looked at; 0 frames the head.
        distance: f32 = 0.0, param::float(0.0, 50.0), "m", "Distance";
        /// Vertical field of view.
        fov: f32 = 24.0, param::float(5.0, 100.0), "°", "Field of view";
        /// Radius of the lens in stills: what is nearer or farther than the point looked at blurs; 0 is sharp.
        aperture: f32 = 0.0, param::float(0.0, 0.05), "m", "Aperture";
        /// Sideways offset of the point looked at from the middle of the head.
        shift_x: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift x";
        /// Upward offset of the point looked at.
        shift_y: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift y";
        /// Forward offset of the point looked at.
        shift_z: f32 = 0.0, param::float(-10.0, 10.0), "m", "Shift z";
        /// Whether another field of view changes the distance too, so that the head keeps its size.
        dolly: bool = true, Kind::Bool, "", "Keep size";
        /// Whether the picture goes on turning for a moment when the mouse lets go of it.
        inertia: bool = true, Kind::Bool, "", "Inertia";
        /// Whether the camera goes round the head by itself.
        turntable: bool = false, Kind::Bool, "", "Turntable";
        /// How fast it goes round: degrees for each second, of simulated time while frames are recorded.
        turn_speed: f32 = 30.0, param::float(-180.0, 180.0), "°/s", "Turntable speed";
    }
}

/// Why nothing can be drawn.
#[derive(Clone, Debug, Error)]
pub enum RenderError {
    /// No headless context; what was tried, and why it failed.
    #[error(
        "OpenGL 3.3 is not to be had without a window ({0}); install a driver, such as Mesa's libegl-mesa0 and libgl1-mesa-dri, or set EGL_PLATFORM=surfaceless"
    )]
    Context(String),
    /// A shader does not compile or link.
    #[error(
        "the driver refuses the shader {shader}: {log}; please report this with your graphics card and driver version"
    )]
    Shader {
        /// File name, or program and "program" when linking fails.
        shader: String,
        /// The driver's words.
        log: String,
    },
    /// The driver makes no picture of this size.
    #[error(
        "the driver makes no picture of {width}x{height} pixels with {samples} samples (status {status:#x}); choose a smaller size or fewer samples"
    )]
    Target {
        /// Width. `[px]`
        width: u32,
        /// Height. `[px]`
        height: u32,
        /// Samples of each pixel.
        samples: u32,
        /// OpenGL's framebuffer status.
        status: u32,
    },
    /// The driver makes no more objects.
    #[error(
        "the graphics driver fails: {0}; close other programs that use the graphics card, then start again"
    )]
    Driver(String),
}

/// Lets a shader put out colours of a display in place of light.
const DISPLAYED: &str = "#define DISPLAYED\n";

/// Draws a head and its hair into a picture of its own.
///
/// The context it was made from must be current on this thread at every call,
/// and when it is dropped.
pub struct Renderer {
    gl: Gl,
    block: Buffer,
    backdrop: backdrop::Backdrop,
    shadow: shadow::Shadow,
    occlusion: occlusion::Occlusion,
    head: head::Head,
    stand: stand::Stand,
    hair: hair::HairPass,
    tone: tone::Tone,
    sum: still::Sum,
    laps: timings::PassTimings,
    targets: Option<Targets>,
    /// Whether pictures have no backdrop.
    transparent: bool,
    floor: Floor,
    /// Middle and radius of the head at rest. `[m]`
    sphere: (Vec3, f32),
    /// Where the head was last.
    pose: Pose,
    /// What the shaders know of the frame.
    told: FrameBlock,
    /// What the key light's picture of the head shows: from where, and the head
    /// in which place; none where that has to be drawn.
    shadowed: Option<(Mat4, Pose)>,
    /// What was worked out of head and guides; none before the first.
    made: (Option<Arc<HeadParts>>, Option<Arc<HairParts>>),
}

impl Renderer {
    /// Compiles the shaders on a context that is current on this thread.
    ///
    /// # Errors
    /// When the driver refuses a shader or makes no objects.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        let gl = Gl::new(gl);
        Ok(Self {
            block: Buffer::new(&gl)?,
            backdrop: backdrop::Backdrop::new(&gl)?,
            shadow: shadow::Shadow::new(&gl)?,
            occlusion: occlusion::Occlusion::new(&gl)?,
            head: head::Head::new(&gl)?,
            stand: stand::Stand::new(&gl)?,
            hair: hair::HairPass::new(&gl)?,
            tone: tone::Tone::new(&gl)?,
            sum: still::Sum::new(&gl)?,
            laps: timings::PassTimings::new(),
            targets: None,
            transparent: false,
            floor: Floor::under([Vec3::ZERO; 2]),
            sphere: (Vec3::ZERO, 0.1),
            pose: Pose::IDENTITY,
            told: FrameBlock::zeroed(),
            shadowed: None,
            made: (None, None),
            gl,
        })
    }

    /// Lets the head deform: the places of all its vertices in its own space;
    /// none for those of its mesh. Another number than the mesh's is let go. `[m]`
    pub fn deform_head(&mut self, positions: &[Vec3]) {
        if self.head.deform(positions) {
            self.forget_shadow();
        }
    }

    /// The head is another one than was drawn.
    fn forget_shadow(&mut self) {
        self.shadowed = None;
        if let Some(targets) = &mut self.targets {
            targets.built = None;
        }
    }

    /// Moves the strands: positions of all vertices in the groom's order, in
    /// the world. Another number than the groom's is let go. `[m]`
    pub fn upload_positions(&mut self, positions: &[Vec3]) {
        if self.hair.upload(positions) {
            self.occlusion.spread(positions, self.pose);
        }
    }

    /// Draws the view into the renderer's own picture, which
    /// [`Renderer::present`] and [`Renderer::read_rgb`] then show.
    ///
    /// # Errors
    /// When the driver makes no picture of that size.
    pub fn frame(&mut self, view: &View) -> Result<(), RenderError> {
        let part = Part::whole(view.size.map(|s| s.clamp(1, self.gl.max_size())));
        let swift = view.swift && view.look.samples == 1 && self.head.is_fine();
        let swift = swift && !self.transparent;
        self.prepare(view, &part, swift)?;
        let stroke = self.light_hair(view, swift);
        self.draw(view, &stroke);
        if let Some((targets, light)) = self.targets.as_ref().and_then(Targets::to_tone) {
            targets.finished.bind();
            self.tone
                .draw(&self.gl, light, &targets.backdrop, self.transparent);
            self.laps.end(&self.gl, "tone");
        }
        Ok(())
    }

    /// Makes targets for `part`, and tells all shaders what it shows.
    fn prepare(&mut self, view: &View, part: &Part, swift: bool) -> Result<(), RenderError> {
        // Averaged pictures have smooth edges anyway.
        let samples = match part.share < 1.0 {
            true => 1,
            false => view.look.samples.clamp(1, self.gl.max_samples()),
        };
        let targets = match self.targets.take() {
            Some(targets) if targets.fit(part.size, samples, swift) => targets,
            _ => Targets::new(&self.gl, part.size, samples, swift)?,
        };
        // Without a window nothing runs unless something could be drawn into.
        targets.finished.bind();
        self.targets = Some(targets);
        self.pose = view.pose;
        self.laps.begin(&self.gl);
        let lights = frame::light_directions(view.camera, view.light);
        let shade = self.occlusion.update(lights, view.pose);
        self.laps.end(&self.gl, "occlusion");
        let (middle, radius) = self.sphere;
        let to_shadow = shadow::Shadow::matrix(lights[0], view.pose.point(middle), radius);
        let stroke = self.stroke(view);
        let block = FrameBlock::new(view, part, &self.floor, &shade, to_shadow, &stroke)
            .tinted(self.head.is_tinted());
        self.told = block;
        self.block.stream(bytemuck::bytes_of(&block));
        self.block.bind_uniforms();
        Ok(())
    }

    /// What is drawn of the strands.
    fn stroke(&self, view: &View) -> hair::HairDrawParams {
        let magnified = self.pixels_per_metre(view.camera, view.size);
        self.hair.stroke(view.look, magnified)
    }

    /// Makes the strands' points, lights and orders them.
    fn light_hair(&mut self, view: &View, swift: bool) -> hair::HairDrawParams {
        let mut stroke = self.stroke(view);
        if !view.look.show_hair {
            stroke.strands = 0;
        }
        if stroke.strands > 0 {
            self.hair.grow(&stroke);
            self.laps.end(&self.gl, "points");
            self.occlusion.towards_lights.bind(0);
            self.occlusion.open.bind(1);
            self.hair.shade(&stroke, swift);
            self.laps.end(&self.gl, "shading");
            if view.look.geometry == Geometry::Ribbons {
                self.hair.sort(&stroke, view.camera.position(), view.exact);
                self.laps.end(&self.gl, "order");
            }
        }
        stroke
    }

    /// Draws set, head and strands, in linear light.
    fn draw(&mut self, view: &View, stroke: &hair::HairDrawParams) {
        let shadowed = Some((self.told.world_to_shadow, view.pose));
        if view.look.show_head && self.shadowed != shadowed {
            self.shadow.draw(&self.gl, &self.head);
            self.shadowed = shadowed;
        }
        let Some(targets) = &mut self.targets else {
            return;
        };
        let swift = targets.light.is_none();
        let now = BackdropKey {
            frame: self.told.without_moving(),
            shade: (view.pose, self.occlusion.sweeps()),
            age: 0,
        };
        if !targets
            .built
            .as_mut()
            .is_some_and(|built| built.serves(&now, swift))
        {
            targets.backdrop.bind();
            self.occlusion.towards_lights.bind(0);
            self.shadow.bind(1);
            self.backdrop.draw(&self.gl, swift);
            if let Some(wall) = &targets.wall {
                wall.bind();
                self.tone.draw_wall(&self.gl, &targets.backdrop);
            }
            targets.built = Some(now);
        }
        self.laps.end(&self.gl, "backdrop and shadow");
        let Some(targets) = &self.targets else {
            return;
        };
        let scene = targets.scene();
        match &targets.wall {
            Some(wall) => {
                self.gl.blit_to(wall, scene, [0, 0]);
                scene.bind();
                scene.clear_depth();
            }
            None => {
                scene.bind();
                scene.clear();
            }
        }
        if view.look.show_head {
            self.occlusion.hair_only.bind(0);
            self.shadow.bind(1);
            self.head.draw(&self.gl, swift);
            if self.floor.stand > 0.0 {
                self.stand.draw(&self.gl, swift);
            }
        }
        self.laps.end(&self.gl, "head");
        if stroke.strands > 0 {
            match view.look.geometry {
                Geometry::Lines => {
                    let width = stroke.width * self.pixels_per_metre(view.camera, view.size);
                    self.hair.draw_lines(&self.gl, stroke, width);
                }
                Geometry::Tubes => self.hair.draw_tubes(&self.gl, stroke),
                Geometry::Ribbons => {
                    let width = stroke.width * self.pixels_per_metre(view.camera, view.size);
                    let widest = self.hair.widest(view.look);
                    self.hair
                        .draw_ribbons(&self.gl, swift.then_some(width * widest));
                }
            }
            self.laps.end(&self.gl, "strands");
        }
        if let (Some(sampled), Some(light)) = (&targets.sampled, &targets.light) {
            sampled.resolve(light);
        }
    }

    /// Size of a metre in the picture, where the hair is. `[px/m]`
    fn pixels_per_metre(&self, camera: &Camera, size: [u32; 2]) -> f32 {
        let (middle, radius) = self.sphere;
        let distance = camera.position().distance(self.pose.point(middle));
        // On the side that is seen.
        let distance = (distance - 0.5 * radius).max(0.05);
        0.5 * size[1] as f32 / ((camera.fov * 0.5).tan() * distance)
    }

    /// Copies the finished frame to the window: its lower left corner to
    /// `origin`, stretched to `size` `[px]`. Leaves the window's framebuffer
    /// bound.
    pub fn present(&mut self, origin: [u32; 2], size: [u32; 2]) {
        if let Some(targets) = &self.targets {
            self.gl.blit_to_window(&targets.finished, origin, size);
        }
    }

    /// Takes the time of every pass from now on, or does not.
    pub fn time_passes(&mut self, timing: Timing) {
        self.laps.timing = timing;
    }

    /// How passes are best timed here.
    pub fn timing(&self) -> Timing {
        match self.is_software() {
            true => Timing::Waiting,
            false => Timing::Stamps,
        }
    }

    /// What the passes of a frame took, the last one whose times are known;
    /// empty unless they are timed.
    pub fn laps(&mut self) -> &[PassTiming] {
        self.laps.collect();
        &self.laps.passes
    }

    /// Waits until the frame is drawn, for those who measure.
    pub fn finish(&self) {
        self.gl.finish();
    }

    /// What draws, in the driver's words.
    pub fn describe(&self) -> String {
        format!("{}, OpenGL {}", self.gl.renderer(), self.gl.version())
    }

    /// Whether the processor draws, not graphics hardware: then fewer samples
    /// keep a window fluid.
    pub fn is_software(&self) -> bool {
        let renderer = self.gl.renderer().to_lowercase();
        ["llvmpipe", "softpipe", "swrast", "software"]
            .iter()
            .any(|name| renderer.contains(name))
    }

    /// What the driver says of shaders whose files were changed and are wrong
    /// now, in a build that looks at them.
    pub fn shader_faults(&self) -> Vec<String> {
        self.gl.faults()
    }

    /// An error that OpenGL has noted since the last call, by its code.
    pub fn gl_error(&self) -> Option<u32> {
        self.gl.error()
    }
}
