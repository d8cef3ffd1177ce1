//! Draws a frame, pass after pass.

use super::{
    Camera, Geometry, HairParts, HeadParts, PassTiming, RenderError, Timing, View, backdrop, band,
    environment_map::{self, EnvironmentMap},
    every_third::Third,
    face_hair,
    floor::Floor,
    frame::{FrameBlock, Part},
    gl::{Buffer, Gl, GlTraffic},
    hair,
    head::{self, HeadStance},
    lighting::Lighting,
    occlusion, shadow, stand, sum,
    targets::{TargetKind, Targets},
    timings, tone,
};
use crate::math::Pose;
use bytemuck::Zeroable as _;
use glam::{Vec3, Vec4};
use std::{ops::Range, sync::Arc};

/// What earlier pictures of the same view have left for the next one.
#[derive(Default)]
pub(super) struct Before {
    /// Strands that were made and lit: they are the same.
    pub hair: Option<hair::HairDrawParams>,
    /// Whether the backdrop is: the next picture differs within a pixel alone.
    pub backdrop: bool,
}

/// Draws a head and its hair into a picture of its own.
///
/// The context it was made from must be current on this thread at every call,
/// and when it is dropped.
pub struct Renderer {
    pub(super) gl: Gl,
    block: Buffer,
    pub(super) backdrop: backdrop::Backdrop,
    pub(super) environment_map: EnvironmentMap,
    pub(super) shadow: shadow::Shadow,
    pub(super) occlusion: occlusion::Occlusion,
    pub(super) head: head::Head,
    pub(super) stand: stand::Stand,
    pub(super) face_hair: face_hair::FaceHairPass,
    pub(super) bands: band::BandPass,
    pub(super) hair: hair::HairPass,
    pub(super) tone: tone::Tone,
    pub(super) sum: sum::Sum,
    pub(super) laps: timings::PassTimings,
    /// Of this frame.
    pub(super) third: Third,
    pub(super) targets: Option<Targets>,
    /// Whether pictures have no backdrop.
    pub(super) transparent: bool,
    /// Whether the processor draws strokes itself, and what stands is kept: where the
    /// processor draws everything, that is faster.
    pub(super) as_software: bool,
    pub(super) floor: Floor,
    /// Middle and radius of the head at rest. `[m]`
    pub(super) sphere: (Vec3, f32),
    /// Where the head was last.
    pub(super) pose: Pose,
    /// What the shaders know of the frame.
    pub(super) told: FrameBlock,
    /// What the key light's picture of the head shows: from where, and the head
    /// in which place; none where that has to be drawn.
    pub(super) shadowed: Option<(Vec4, HeadStance)>,
    /// What was worked out of head and guides; none before the first.
    pub(super) made: (Option<Arc<HeadParts>>, Option<Arc<HairParts>>),
}

impl Renderer {
    /// Compiles the shaders on a context that is current on this thread.
    ///
    /// # Errors
    /// When the driver refuses a shader or makes no objects.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        let gl = Gl::new(gl);
        Ok(Self {
            as_software: gl.is_software(),
            block: Buffer::new(&gl)?,
            backdrop: backdrop::Backdrop::new(&gl)?,
            environment_map: EnvironmentMap::new(&gl)?,
            shadow: shadow::Shadow::new(&gl)?,
            occlusion: occlusion::Occlusion::new(&gl)?,
            head: head::Head::new(&gl)?,
            stand: stand::Stand::new(&gl)?,
            face_hair: face_hair::FaceHairPass::new(&gl)?,
            bands: band::BandPass::new(&gl)?,
            hair: hair::HairPass::new(&gl)?,
            tone: tone::Tone::new(&gl)?,
            sum: sum::Sum::new(&gl)?,
            laps: timings::PassTimings::new(),
            third: Third::Shade,
            targets: None,
            transparent: false,
            floor: Floor::under([Vec3::ZERO; 2], None),
            sphere: (Vec3::ZERO, 0.1),
            pose: Pose::IDENTITY,
            told: FrameBlock::zeroed(),
            shadowed: None,
            made: (None, None),
            gl,
        })
    }

    /// Lets the head deform: the places of all its vertices in its own space;
    /// none for those of its mesh. Another number than the mesh's is ignored. `[m]`
    pub fn deform_head(&mut self, positions: &[Vec3]) {
        if self.head.deform(positions) {
            self.occlusion.deform_head(positions);
        }
    }

    /// The head is another one than was drawn.
    pub(super) fn forget_shadow(&mut self) {
        self.shadowed = None;
        self.forget_set();
    }

    /// Set or head look other than when they were drawn, as they stand.
    pub(super) fn forget_set(&mut self) {
        if let Some(targets) = &mut self.targets {
            targets.forget();
        }
    }

    /// Moves the strands: positions of all vertices in the groom's order, in
    /// the world. Another number than the groom's is ignored. `[m]`
    pub fn upload_positions(&mut self, positions: &[Vec3]) {
        if self.hair.upload(positions) {
            self.bands.follow(positions);
            self.occlusion.spread(positions, self.pose);
        }
    }

    /// Draws the view into the renderer's own picture, which
    /// [`Renderer::present`] and [`Renderer::read_rgb`] then show.
    ///
    /// # Errors
    /// When the driver makes no picture of that size.
    pub fn frame(&mut self, view: &View) -> Result<(), RenderError> {
        let part = Part::whole(view.size.map(|s| s.max(1)));
        let swift = view.swift && view.look.samples == 1 && self.head.is_fine();
        let swift = swift && !self.transparent;
        let stroke = self.begin(view, &part, swift, Before::default())?;
        self.draw_strands(view, &stroke, 0..self.pieces(view, &stroke))?;
        self.resolve();
        if let Some((targets, light)) = self.targets.as_ref().and_then(Targets::to_tone) {
            targets.finished.bind();
            let backdrop = (!self.transparent).then_some(&targets.backdrop);
            self.tone.draw(&self.gl, light, backdrop);
            self.laps.end(&self.gl, "tone");
        }
        Ok(())
    }

    /// Draws all that comes before the strands, in the order of a frame: what a frame and a
    /// still have in common. Strands and what follows them are drawn by the caller, a still
    /// bit by bit. `before` is left from earlier pictures of the same view.
    ///
    /// # Errors
    /// When the driver makes no picture of that size, or has no room for the strands.
    pub(super) fn begin(
        &mut self,
        view: &View,
        part: &Part,
        swift: bool,
        before: Before,
    ) -> Result<hair::HairDrawParams, RenderError> {
        self.prepare(view, part, swift)?;
        let stroke = match before.hair {
            Some(stroke) => stroke,
            None => self.light_hair(view, swift)?,
        };
        self.draw_set(view, before.backdrop)?;
        Ok(stroke)
    }

    /// Makes targets for `part`, and tells all shaders what it shows.
    fn prepare(&mut self, view: &View, part: &Part, swift: bool) -> Result<(), RenderError> {
        self.gl.others_drew();
        // Averaged pictures have smooth edges anyway.
        let samples = match part.share < 1.0 {
            true => 1,
            false => view.look.samples.clamp(1, self.gl.max_samples()),
        };
        let edged = environment_map::has_edges(view) && !swift;
        let wanted = TargetKind {
            size: part.size,
            samples,
            swift,
            edged,
        };
        let targets = match self.targets.take() {
            Some(targets) if targets.fit(&wanted) => targets,
            _ => Targets::new(&self.gl, &wanted)?,
        };
        self.gl.set_environment(view.environment.is_some());
        self.environment_map.follow(view, self.gl.max_size());
        // Without a window nothing runs unless something could be drawn into.
        targets.backdrop.bind();
        self.targets = Some(targets);
        self.pose = view.pose;
        self.laps.begin(&self.gl);
        let lighting = Lighting::of(view);
        let lights = lighting.towards;
        // It costs the processor time, however fast a card draws.
        self.third = self.third.next(self.occlusion.has_leapt(view.pose));
        let third = view.swift.then_some(self.third);
        let shade = self.occlusion.update(lights, view.pose, third);
        self.laps.end(&self.gl, "occlusion");
        let (middle, radius) = self.sphere;
        let to_shadow = shadow::Shadow::matrix(lights[0], view.pose.point(middle), radius);
        let stroke = self.stroke(view);
        let block = FrameBlock::new(
            view,
            part,
            &lighting,
            &self.floor,
            &shade,
            to_shadow,
            &stroke,
        )
        .sampled(samples > 1)
        .tinted(self.head.is_tinted())
        .on_base(&self.head.base(), &self.floor);
        self.told = block;
        self.block.stream_uniforms(bytemuck::bytes_of(&block));
        Ok(())
    }

    /// What is drawn of the strands.
    fn stroke(&self, view: &View) -> hair::HairDrawParams {
        let magnified = self.pixels_per_metre(view.camera, view.size);
        let live = view.swift && self.as_software;
        self.hair.stroke(view.look, magnified, live)
    }

    /// Makes the strands' points, lights and orders them.
    ///
    /// # Errors
    /// When the driver has no room for them.
    fn light_hair(
        &mut self,
        view: &View,
        swift: bool,
    ) -> Result<hair::HairDrawParams, RenderError> {
        let mut stroke = self.stroke(view);
        let ribbons = view.look.geometry == Geometry::Ribbons;
        if ribbons {
            let width = stroke.width * self.pixels_per_metre(view.camera, view.size);
            let widest = width * self.hair.widest(view.look);
            if swift {
                stroke.line_width = self.hair.line_width(&self.gl, widest);
            }
            if let Some(targets) = self.targets.as_ref().filter(|_| self.as_software) {
                stroke.by_processor = self.hair.layer(&self.gl, widest, targets.scene(), swift);
            }
        }
        if !view.look.show_hair {
            stroke.strands = 0;
        }
        if stroke.strands > 0 {
            let (followers, pose) = (view.followers, &view.pose);
            self.hair.grow(&self.gl, &stroke, followers, pose)?;
            self.laps.end(&self.gl, "points");
            self.occlusion.bind();
            let third = swift.then_some(self.third);
            self.hair.shade(&self.gl, &stroke, &self.told, third)?;
            self.laps.end(&self.gl, "shading");
            if ribbons {
                let exact = view.exact && !swift;
                self.hair.sort(&stroke, view.camera.position(), exact);
                self.laps.end(&self.gl, "order");
            }
        }
        Ok(stroke)
    }

    /// In how many pieces the strands may be drawn one after the other: segments
    /// of ribbons; lines and tubes are drawn at once.
    pub(super) fn pieces(&self, view: &View, stroke: &hair::HairDrawParams) -> usize {
        match view.look.geometry {
            _ if stroke.strands == 0 => 0,
            Geometry::Lines | Geometry::Tubes => 1,
            Geometry::Ribbons => self.hair.segments(),
        }
    }

    /// Draws these pieces of the strands over set and head, in linear light.
    ///
    /// # Errors
    /// When the driver has no room for them.
    pub(super) fn draw_strands(
        &mut self,
        view: &View,
        stroke: &hair::HairDrawParams,
        pieces: Range<usize>,
    ) -> Result<(), RenderError> {
        let Some(targets) = self.targets.as_ref().filter(|_| !pieces.is_empty()) else {
            return Ok(());
        };
        targets.scene().bind();
        let width = stroke.width * self.pixels_per_metre(view.camera, view.size);
        match view.look.geometry {
            Geometry::Lines => self.hair.draw_lines(&self.gl, stroke, width),
            Geometry::Tubes => self.hair.draw_tubes(&self.gl, stroke),
            Geometry::Ribbons => {
                let (target, frame) = (targets.scene(), &self.told);
                self.hair
                    .draw_ribbons(&self.gl, stroke, pieces, frame, target)?;
            }
        }
        self.laps.end(&self.gl, "strands");
        Ok(())
    }

    /// Makes one value a pixel of several samples.
    pub(super) fn resolve(&self) {
        if let Some(targets) = &self.targets
            && let (Some(sampled), Some(light)) = (&targets.sampled, &targets.light)
        {
            sampled.resolve(light);
        }
    }

    /// Size of a metre in the picture, where the hair is. `[px/m]`
    pub(super) fn pixels_per_metre(&self, camera: &Camera, size: [u32; 2]) -> f32 {
        let (middle, radius) = self.sphere;
        let distance = camera.position().distance(self.pose.point(middle));
        // On the side that is seen.
        let distance = (distance - 0.5 * radius).max(0.05);
        0.5 * size[1] as f32 / ((camera.fov * 0.5).tan() * distance)
    }

    /// Copies the finished frame to the window: its lower left corner to
    /// `origin`, stretched to `size` `[px]`; before the first frame the window
    /// becomes black. Leaves the window's framebuffer bound.
    pub fn present(&mut self, origin: [u32; 2], size: [u32; 2]) {
        match &self.targets {
            Some(targets) => self.gl.blit_to_window(&targets.finished, origin, size),
            None => self.gl.clear_window(),
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

    /// What was asked of OpenGL since the last call, for those who measure.
    pub fn take_traffic(&self) -> GlTraffic {
        self.gl.take_traffic()
    }

    /// What draws, in the driver's words.
    pub fn describe(&self) -> String {
        format!("{}, OpenGL {}", self.gl.renderer(), self.gl.version())
    }

    /// Whether the processor draws, not graphics hardware: then fewer samples
    /// keep a window fluid.
    pub fn is_software(&self) -> bool {
        self.gl.is_software()
    }

    /// Draws as without a graphics card from now on, or as with one, for those who
    /// measure or compare. At first it is as the driver is.
    pub fn draw_as_software(&mut self, on: bool) {
        self.as_software = on;
        self.hair.draw_as_software(on);
        self.forget_set();
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
