//! The context, and the states and shapes that passes draw with.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{
    known,
    state::{Blend, State},
    traffic::{Functions, GlTraffic},
};
use glow::HasContext as _;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

/// What the driver says of programs whose files are wrong now, by their names.
pub(super) type Faults = Arc<Mutex<BTreeMap<String, String>>>;

/// What draws in a context that is current, in the driver's words: renderer and
/// version.
pub(in crate::render) fn describe(gl: &glow::Context) -> String {
    // SAFETY: the context is current; these only read names.
    unsafe {
        format!(
            "{}, OpenGL {}",
            gl.get_parameter_string(glow::RENDERER),
            gl.get_parameter_string(glow::VERSION)
        )
    }
}

/// A current context; cheap to clone.
#[derive(Clone)]
pub(in crate::render) struct Gl(
    pub(super) Arc<Functions>,
    Limits,
    pub(super) Faults,
    /// Whether an environment lights what is drawn.
    Arc<AtomicBool>,
);

/// What the driver allows.
#[derive(Clone, Copy)]
struct Limits {
    /// Whether the processor draws.
    software: bool,
    /// Width of the widest lines. `[px]`
    line_width: f32,
    /// Samples of each pixel of a multisampled target.
    samples: u32,
    /// Width and height of a target. `[px]`
    size: u32,
    /// Texels that a shader can read from a buffer.
    texels: usize,
}

/// What a pass draws its vertices as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::render) enum Shape {
    /// Three vertices a triangle.
    Triangles,
    /// Two vertices a line, one pixel wide.
    Lines,
    /// Each vertex for itself.
    Points,
}

impl Shape {
    pub(super) fn mode(self) -> u32 {
        match self {
            Self::Triangles => glow::TRIANGLES,
            Self::Lines => glow::LINES,
            Self::Points => glow::POINTS,
        }
    }
}

impl Gl {
    /// The context must stay current on this thread while the result, its
    /// clones and what is made from them live.
    pub fn new(context: Arc<glow::Context>) -> Self {
        // Forward-compatible contexts refuse wide lines, whatever range they
        // report, so the way to know is to try.
        // SAFETY: the context is current; an unknown width is an error code. The others
        // read limits, or set what nobody sets otherwise later.
        let (line_width, [samples, buffers, textures, texels]) = unsafe {
            while context.get_error() != glow::NO_ERROR {}
            context.line_width(2.0);
            let refused = context.get_error() != glow::NO_ERROR;
            context.line_width(1.0);
            let mut range = [1.0; 2];
            context.get_parameter_f32_slice(glow::ALIASED_LINE_WIDTH_RANGE, &mut range);
            for on in [glow::MULTISAMPLE, glow::POLYGON_OFFSET_FILL] {
                context.enable(on);
            }
            for off in [
                glow::CULL_FACE,
                glow::FRAMEBUFFER_SRGB,
                glow::STENCIL_TEST,
                glow::SAMPLE_ALPHA_TO_COVERAGE,
                glow::PRIMITIVE_RESTART,
            ] {
                context.disable(off);
            }
            context.color_mask(true, true, true, true);
            context.blend_equation(glow::FUNC_ADD);
            context.depth_func(glow::LEQUAL);
            context.clear_color(0.0, 0.0, 0.0, 0.0);
            context.clear_depth_f32(1.0);
            context.polygon_mode(glow::FRONT_AND_BACK, glow::FILL);
            let limits = [
                glow::MAX_SAMPLES,
                glow::MAX_RENDERBUFFER_SIZE,
                glow::MAX_TEXTURE_SIZE,
                glow::MAX_TEXTURE_BUFFER_SIZE,
            ];
            let limits = limits.map(|name| context.get_parameter_i32(name));
            (if refused { 1.0 } else { range[1] }, limits)
        };
        let at_least_one = |limit: i32| u32::try_from(limit).unwrap_or(1).max(1);
        // Renderers that were made before know nothing of what is set here.
        known::another_drew();
        // SAFETY: the context is current, and this only reads a name.
        let renderer = unsafe { context.get_parameter_string(glow::RENDERER) }.to_lowercase();
        let limits = Limits {
            software: ["llvmpipe", "softpipe", "swrast", "software"]
                .iter()
                .any(|name| renderer.contains(name)),
            line_width,
            samples: at_least_one(samples),
            size: at_least_one(buffers.min(textures)),
            // Every OpenGL 3.3 has so many.
            texels: usize::try_from(texels).unwrap_or(0).max(65_536),
        };
        // Where there is none, draws without attributes fail as the driver says.
        // SAFETY: the context is current.
        let empty = unsafe { context.create_vertex_array() }.ok();
        let functions = Functions::new(context, empty);
        Self(
            Arc::new(functions),
            limits,
            Faults::default(),
            Arc::default(),
        )
    }

    /// Lets an environment light what is drawn from now on, or three-point light.
    pub fn set_environment(&self, on: bool) {
        self.3.store(on, Ordering::Relaxed);
    }

    /// Whether an environment lights what is drawn.
    pub(super) fn has_environment(&self) -> bool {
        self.3.load(Ordering::Relaxed)
    }

    /// Lines of the next draws are this wide, or as near as the driver allows,
    /// but no thinner than a pixel. `[px]`
    pub fn set_line_width(&self, width: f32) {
        let widest = self.1.line_width.max(1.0);
        self.0.set_line_width(width.clamp(1.0, widest));
    }

    /// The width of the widest lines. `[px]`
    pub fn widest_line(&self) -> f32 {
        self.1.line_width
    }

    /// The most samples a multisampled target of this driver can have, at least 1.
    pub fn max_samples(&self) -> u32 {
        self.1.samples
    }

    /// The largest width or height of a target.
    pub fn max_size(&self) -> u32 {
        self.1.size
    }

    /// The most texels that a shader can read from a buffer.
    pub fn max_texels(&self) -> usize {
        self.1.texels
    }

    /// Notes that others may have drawn since: the panel's painter, another renderer.
    pub fn others_drew(&self) {
        self.0.others_drew();
    }

    /// What was asked of OpenGL since the last call.
    pub fn take_traffic(&self) -> GlTraffic {
        self.0.take_traffic()
    }

    /// The driver's name for the machine that draws.
    pub fn renderer(&self) -> String {
        // SAFETY: the context is current, and this only reads a name.
        unsafe { self.0.get_parameter_string(glow::RENDERER) }
    }

    /// Whether the processor draws, not graphics hardware.
    pub fn is_software(&self) -> bool {
        self.1.software
    }

    /// Whether shaders can run for each sample of a pixel.
    pub fn shades_samples(&self) -> bool {
        let extensions = self.0.supported_extensions();
        extensions.contains("GL_ARB_sample_shading")
    }

    /// The driver's version.
    pub fn version(&self) -> String {
        // SAFETY: the context is current, and this only reads a name.
        unsafe { self.0.get_parameter_string(glow::VERSION) }
    }

    /// The oldest error that OpenGL has noted since the last call.
    pub fn error(&self) -> Option<u32> {
        // SAFETY: the context is current.
        let code = unsafe { self.0.get_error() };
        (code != glow::NO_ERROR).then_some(code)
    }

    /// Notes what is wrong with the program of that name: a sentence.
    pub(super) fn note_fault(&self, program: &str, fault: String) {
        if let Ok(mut faults) = self.2.lock() {
            faults.insert(program.into(), fault);
        }
    }

    /// Nothing is wrong any more with the program of that name.
    pub(super) fn forget_fault(&self, program: &str) {
        if let Ok(mut faults) = self.2.lock() {
            faults.remove(program);
        }
    }

    /// What is wrong with shaders that were changed while the program runs, and with those
    /// for the light of an environment, a sentence each; others draw in their place.
    pub fn faults(&self) -> Vec<String> {
        let faults = self.2.lock();
        faults.map_or_else(|_| Vec::new(), |faults| faults.values().cloned().collect())
    }

    /// Waits until all that was asked for is drawn.
    pub fn finish(&self) {
        // SAFETY: the context is current.
        unsafe { self.0.finish() }
    }

    /// Sets every fixed-function state that the passes rely on, as far as it is not
    /// set already.
    pub fn set_state(&self, state: State) {
        let gl = &*self.0;
        gl.draw_all();
        let before = gl.change(|known| known.replace_state(state));
        let switch = |what, on| {
            // SAFETY: `what` is one of the capabilities below.
            unsafe {
                if on {
                    gl.enable(what)
                } else {
                    gl.disable(what)
                }
            }
        };
        if before.depth_test != Some(state.depth_test) {
            switch(glow::DEPTH_TEST, state.depth_test);
        }
        if before.depth_write != Some(state.depth_write) {
            // SAFETY: the context is current.
            unsafe { gl.depth_mask(state.depth_write) }
        }
        if before.depth_bias != Some(state.depth_bias) {
            // SAFETY: the context is current; both are finite.
            unsafe { gl.polygon_offset(state.depth_bias, state.depth_bias) }
        }
        if before.one_sided != Some(state.one_sided) {
            switch(glow::CULL_FACE, state.one_sided);
        }
        if before.blend != Some(state.blend) {
            switch(glow::BLEND, state.blend != Blend::Replace);
            let kept = match state.blend {
                Blend::Replace => return,
                Blend::Over => glow::ONE_MINUS_SRC_ALPHA,
                Blend::Add => glow::ONE,
            };
            // SAFETY: the context is current; both are allowed factors.
            unsafe { gl.blend_func(glow::ONE, kept) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        groom::Groom,
        math::Pose,
        mesh::{HeadParams, load::load},
        render::{Camera, CameraParams, Headless, LightParams, LookParams, Renderer, View},
    };
    use std::num::NonZeroU32;

    /// How many objects of any kind the context has, among the first names.
    fn living(gl: &glow::Context) -> usize {
        (1..400)
            .filter_map(NonZeroU32::new)
            .map(|name| {
                // SAFETY: asking for a name that is not in use is allowed.
                let found = unsafe {
                    [
                        gl.is_buffer(glow::NativeBuffer(name)),
                        gl.is_texture(glow::NativeTexture(name)),
                        gl.is_program(glow::NativeProgram(name)),
                        gl.is_shader(glow::NativeShader(name)),
                        gl.is_framebuffer(glow::NativeFramebuffer(name)),
                        gl.is_renderbuffer(glow::NativeRenderbuffer(name)),
                    ]
                };
                found.iter().filter(|found| **found).count()
            })
            .sum()
    }

    #[test]
    fn another_renderer_on_the_same_context_leaves_lines_as_wide_as_they_are_set() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let first = Gl::new(headless.gl());
        let width = || {
            let mut width = [0.0; 1];
            // SAFETY: the context is current, and that is one number.
            unsafe { (headless.gl()).get_parameter_f32_slice(glow::LINE_WIDTH, &mut width) }
            width[0]
        };
        first.others_drew();
        first.set_line_width(3.0);
        let set = width();
        let _second = Gl::new(headless.gl());
        first.others_drew();
        first.set_line_width(3.0);
        assert_eq!(width(), set);
    }

    #[test]
    fn a_dropped_renderer_leaves_nothing_in_the_context() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let gl = headless.gl();
        let before = living(&gl);
        let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
        let head = load(&HeadParams::default()).expect("the built-in head");
        let camera = Camera::new(&CameraParams::default(), head.mesh.bounds());
        let mut counts = Vec::new();
        for round in 0..6 {
            renderer.set_head(&head.mesh);
            renderer.set_groom(&Groom {
                points: head.mesh.positions[..40].to_vec(),
                starts: vec![0, 20, 40],
                masses: vec![1.0; 2],
                ..Groom::default()
            });
            let view = View {
                camera: &camera,
                look: &LookParams::default(),
                followers: &crate::groom::FollowerParams::default(),
                light: &LightParams::default(),
                environment: None,
                pose: Pose::IDENTITY,
                size: [40 + round, 30],
                exact: round % 2 == 0,
                swift: round % 3 == 0,
            };
            renderer.frame(&view).expect("a frame");
            // A name counts from its first use on, and positions take turns.
            if round > 2 {
                counts.push(living(&gl));
            }
        }
        assert!(
            counts[0] > before + 20,
            "{counts:?} objects are too few to be all"
        );
        assert!(
            counts.iter().all(|c| *c == counts[0]),
            "resizing leaks: {counts:?}"
        );
        drop(renderer);
        assert_eq!(living(&gl), before);
        assert_eq!(Gl::new(gl).error(), None);
    }
}
