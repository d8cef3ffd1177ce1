//! OpenGL objects that free themselves, and the few calls the passes make.
//!
//! The only place that calls OpenGL. Everything here asks one thing of its
//! caller, once, at [`Gl::new`]: that the context is current on this thread
//! for as long as the objects made from it live. [`Renderer`](super::Renderer)
//! passes that on to its owner.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; they are all made here"
)]

mod buffer;
mod query;
mod reload;
mod target;

pub(super) use buffer::{Buffer, Format, Reals, TexelView, VertexArray};
pub(super) use query::Stamp;
pub(super) use target::{Target, Texels, Texture};

use super::RenderError;
use glow::HasContext as _;
use reload::Watch;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex},
    time::Instant,
};

/// Whether shaders are compiled anew when their files change, for whoever
/// writes them.
const RELOADS: bool = cfg!(any(debug_assertions, test));
/// Where the files lie.
const SHADERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");

/// What the driver says of programs whose files are wrong now, by their names.
type Faults = Arc<Mutex<BTreeMap<String, String>>>;

/// A current context; cheap to clone.
#[derive(Clone)]
pub(in crate::render) struct Gl(Arc<glow::Context>, f32, Faults);

/// The fixed-function state of a pass; every pass sets all of it, because the
/// panel's painter leaves its own behind.
#[derive(Clone, Copy)]
pub(in crate::render) struct State {
    /// Nearer fragments win.
    pub depth_test: bool,
    /// Depth is written.
    pub depth_write: bool,
    /// Surfaces are pushed away from the camera by this many depth steps (and
    /// as many times their slope).
    pub depth_bias: f32,
    /// How what is drawn meets what was there.
    pub blend: Blend,
}

/// How a pass's colours meet those that are there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::render) enum Blend {
    /// They take their place.
    Replace,
    /// They lie over them, by their alpha, which they come multiplied with.
    Over,
    /// They are added.
    Add,
}

impl State {
    /// Everything is replaced, and depth is neither asked nor written.
    pub const FLAT: Self = Self {
        depth_test: false,
        depth_write: false,
        depth_bias: 0.0,
        blend: Blend::Replace,
    };

    /// Solid surfaces: the nearest is seen.
    pub const SOLID: Self = Self {
        depth_test: true,
        depth_write: true,
        ..Self::FLAT
    };
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
    fn mode(self) -> u32 {
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
        // SAFETY: the context is current; an unknown width is an error code.
        let widest = unsafe {
            while context.get_error() != glow::NO_ERROR {}
            context.line_width(2.0);
            let refused = context.get_error() != glow::NO_ERROR;
            context.line_width(1.0);
            let mut range = [1.0; 2];
            context.get_parameter_f32_slice(glow::ALIASED_LINE_WIDTH_RANGE, &mut range);
            if refused { 1.0 } else { range[1] }
        };
        Self(context, widest, Faults::default())
    }

    /// Lines of the next draws are this wide, or as near as the driver allows,
    /// but no thinner than a pixel. `[px]`
    pub fn set_line_width(&self, width: f32) {
        // SAFETY: the width is positive and one the driver took in `new`.
        unsafe { self.0.line_width(width.clamp(1.0, self.1.max(1.0))) }
    }

    /// The width of the widest lines. `[px]`
    pub fn widest_line(&self) -> f32 {
        self.1
    }

    /// The most samples a multisampled target of this driver can have, at least 1.
    pub fn max_samples(&self) -> u32 {
        // SAFETY: the context is current, and this only reads a limit.
        let samples = unsafe { self.0.get_parameter_i32(glow::MAX_SAMPLES) };
        u32::try_from(samples).unwrap_or(1).max(1)
    }

    /// The largest width or height of a target.
    pub fn max_size(&self) -> u32 {
        // SAFETY: the context is current, and this only reads limits.
        let size = unsafe {
            self.0
                .get_parameter_i32(glow::MAX_RENDERBUFFER_SIZE)
                .min(self.0.get_parameter_i32(glow::MAX_TEXTURE_SIZE))
        };
        u32::try_from(size).unwrap_or(1).max(1)
    }

    /// The driver's name for the machine that draws.
    pub fn renderer(&self) -> String {
        // SAFETY: the context is current, and this only reads a name.
        unsafe { self.0.get_parameter_string(glow::RENDERER) }
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

    /// What is wrong with shaders that were changed while the program runs, a
    /// sentence each; the last good ones are used.
    pub fn faults(&self) -> Vec<String> {
        let faults = self.2.lock();
        faults.map_or_else(|_| Vec::new(), |faults| faults.values().cloned().collect())
    }

    /// Waits until all that was asked for is drawn.
    pub fn finish(&self) {
        // SAFETY: the context is current.
        unsafe { self.0.finish() }
    }

    /// Sets every fixed-function state that the passes rely on.
    pub fn set_state(&self, state: State) {
        let gl = &*self.0;
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
        switch(glow::DEPTH_TEST, state.depth_test);
        switch(glow::POLYGON_OFFSET_FILL, state.depth_bias != 0.0);
        switch(glow::MULTISAMPLE, true);
        switch(glow::BLEND, state.blend != Blend::Replace);
        for off in [
            glow::CULL_FACE,
            glow::SCISSOR_TEST,
            glow::STENCIL_TEST,
            glow::FRAMEBUFFER_SRGB,
            glow::SAMPLE_ALPHA_TO_COVERAGE,
            glow::RASTERIZER_DISCARD,
            glow::PRIMITIVE_RESTART,
        ] {
            switch(off, false);
        }
        // SAFETY: the context is current; all values are allowed ones.
        unsafe {
            gl.blend_equation(glow::FUNC_ADD);
            let kept = match state.blend {
                Blend::Over => glow::ONE_MINUS_SRC_ALPHA,
                Blend::Replace | Blend::Add => glow::ONE,
            };
            gl.blend_func(glow::ONE, kept);
            gl.depth_func(glow::LEQUAL);
            gl.depth_mask(state.depth_write);
            gl.color_mask(true, true, true, true);
            gl.polygon_offset(state.depth_bias, state.depth_bias);
            gl.polygon_mode(glow::FRONT_AND_BACK, glow::FILL);
        }
    }

    /// Copies the colours of `from` into the window's own framebuffer, stretched
    /// where the sizes differ, and leaves that one bound.
    pub fn blit_to_window(&self, from: &Target, origin: [u32; 2], size: [u32; 2]) {
        let gl = &*self.0;
        // SAFETY: `from` is complete and of this context; the rectangles lie
        // inside both framebuffers.
        unsafe {
            gl.disable(glow::SCISSOR_TEST);
            gl.disable(glow::FRAMEBUFFER_SRGB);
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(from.framebuffer()));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, None);
        }
        blit(gl, from.size, origin, size);
        // SAFETY: binds the window's own framebuffer.
        unsafe { gl.bind_framebuffer(glow::FRAMEBUFFER, None) }
    }

    /// Copies the colours of `from` into `to`, unstretched, its lower left
    /// corner to `origin`.
    pub fn blit_to(&self, from: &Target, to: &Target, origin: [u32; 2]) {
        let gl = &*self.0;
        // SAFETY: both are complete and of this context; what lies outside of
        // `to` is left out by OpenGL.
        unsafe {
            gl.disable(glow::SCISSOR_TEST);
            gl.disable(glow::FRAMEBUFFER_SRGB);
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(from.framebuffer()));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(to.framebuffer()));
        }
        blit(gl, from.size, origin, from.size);
    }
}

fn blit(gl: &glow::Context, from: [u32; 2], origin: [u32; 2], size: [u32; 2]) {
    let filter = if from == size {
        glow::NEAREST
    } else {
        glow::LINEAR
    };
    let [w, h] = from.map(|s| s as i32);
    let [x, y] = origin.map(|s| s as i32);
    let [right, top] = [x + size[0] as i32, y + size[1] as i32];
    // SAFETY: both framebuffers are bound by the caller.
    unsafe { gl.blit_framebuffer(0, 0, w, h, x, y, right, top, glow::COLOR_BUFFER_BIT, filter) }
}

/// A linked pair of shaders.
pub(in crate::render) struct Program {
    gl: Gl,
    raw: Cell<glow::Program>,
    /// What it was made of, where that may change.
    recipe: Option<RefCell<Recipe>>,
}

/// What a program is made of.
struct Recipe {
    name: String,
    /// What goes before all stages, then the text of each.
    texts: Vec<String>,
    /// Name and kind of each stage.
    stages: Vec<(String, u32)>,
    samplers: Vec<(String, u32)>,
    outputs: Vec<String>,
    watch: Watch,
}

impl Program {
    /// Compiles and links. `shared` goes before both stages; `samplers` names
    /// the texture unit of each sampler; a uniform block `Frame` is bound to 0.
    ///
    /// # Errors
    /// The driver's own log, with the stage it speaks of.
    pub fn new(
        gl: &Gl,
        name: &str,
        shared: &str,
        [vertex, fragment]: [&str; 2],
        samplers: &[(&str, u32)],
    ) -> Result<Self, RenderError> {
        let stages = [
            ("vert", glow::VERTEX_SHADER, vertex),
            ("frag", glow::FRAGMENT_SHADER, fragment),
        ];
        Self::link(gl, name, shared, &stages, samplers, &[])
    }

    /// The same for a vertex shader alone, whose `outputs` are kept instead of
    /// drawn: see [`VertexArray::capture`].
    ///
    /// # Errors
    /// The driver's own log.
    pub fn capturing(
        gl: &Gl,
        name: &str,
        shared: &str,
        vertex: &str,
        samplers: &[(&str, u32)],
        outputs: &[&str],
    ) -> Result<Self, RenderError> {
        let stages = [("vert", glow::VERTEX_SHADER, vertex)];
        Self::link(gl, name, shared, &stages, samplers, outputs)
    }

    fn link(
        gl: &Gl,
        name: &str,
        shared: &str,
        stages: &[(&str, u32, &str)],
        samplers: &[(&str, u32)],
        outputs: &[&str],
    ) -> Result<Self, RenderError> {
        let fail = |stage: &str, log: String| RenderError::Shader {
            shader: format!("{name}.{stage}"),
            log: log.trim().replace('\n', "; "),
        };
        // SAFETY: the context is current; shader and program names are made
        // here and used only with calls meant for them.
        unsafe {
            let raw = gl.0.create_program().map_err(|log| fail("program", log))?;
            // Owned from here on, so that an early return frees it.
            let mut program = Self {
                gl: gl.clone(),
                raw: Cell::new(raw),
                recipe: None,
            };
            let gl = &*gl.0;
            for &(stage, kind, text) in stages {
                let shader = gl.create_shader(kind).map_err(|log| fail(stage, log))?;
                gl.shader_source(
                    shader,
                    &format!("#version 330 core\n{shared}\n#line 1 1\n{text}"),
                );
                gl.compile_shader(shader);
                let compiled = gl.get_shader_compile_status(shader);
                let log = gl.get_shader_info_log(shader);
                gl.attach_shader(raw, shader);
                // Freed together with the program it is attached to.
                gl.delete_shader(shader);
                if !compiled {
                    return Err(fail(stage, log));
                }
            }
            if !outputs.is_empty() {
                gl.transform_feedback_varyings(raw, outputs, glow::INTERLEAVED_ATTRIBS);
            }
            gl.link_program(raw);
            if !gl.get_program_link_status(raw) {
                return Err(fail("program", gl.get_program_info_log(raw)));
            }
            if let Some(block) = gl.get_uniform_block_index(raw, "Frame") {
                gl.uniform_block_binding(raw, block, 0);
            }
            gl.use_program(Some(raw));
            for (sampler, unit) in samplers {
                let place = gl.get_uniform_location(raw, sampler);
                gl.uniform_1_i32(place.as_ref(), *unit as i32);
            }
            if RELOADS {
                let mut texts = vec![shared.to_string()];
                texts.extend(stages.iter().map(|stage| stage.2.to_string()));
                program.recipe = Some(RefCell::new(Recipe {
                    name: name.into(),
                    watch: Watch::new(Path::new(SHADERS), &texts, Instant::now()),
                    texts,
                    stages: stages.iter().map(|s| (s.0.into(), s.1)).collect(),
                    samplers: samplers.iter().map(|s| (s.0.into(), s.1)).collect(),
                    outputs: outputs.iter().map(|o| (*o).into()).collect(),
                }));
            }
            Ok(program)
        }
    }

    /// Compiles anew what has changed; keeps the last good one.
    fn renew(&self, recipe: &mut Recipe) {
        if !recipe.watch.refresh(&mut recipe.texts, Instant::now()) {
            return;
        }
        let (shared, texts) = match recipe.texts.split_first() {
            Some((shared, texts)) => (shared, texts),
            None => return,
        };
        let stages = recipe.stages.iter().zip(texts);
        let stages: Vec<_> = stages
            .map(|((s, kind), t)| (s.as_str(), *kind, t.as_str()))
            .collect();
        let samplers = recipe
            .samplers
            .iter()
            .map(|(name, unit)| (name.as_str(), *unit));
        let samplers: Vec<_> = samplers.collect();
        let outputs: Vec<_> = recipe.outputs.iter().map(String::as_str).collect();
        let fresh = Self::link(&self.gl, &recipe.name, shared, &stages, &samplers, &outputs);
        let Ok(mut faults) = self.gl.2.lock() else {
            return;
        };
        match fresh {
            Ok(fresh) => {
                // The old one goes with the value that was made for the new one.
                self.raw.swap(&fresh.raw);
                faults.remove(&recipe.name);
            }
            Err(error) => {
                log::warn!("{error}");
                faults.insert(recipe.name.clone(), error.to_string());
            }
        }
    }

    /// Makes it the program of the next draws.
    pub fn bind(&self) {
        if let Some(recipe) = &self.recipe {
            self.renew(&mut recipe.borrow_mut());
        }
        // SAFETY: the program is linked and of this context.
        unsafe { self.gl.0.use_program(Some(self.raw.get())) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A program in use would live on until another takes its place.
        // SAFETY: made in `new`, deleted once.
        unsafe {
            self.gl.0.use_program(None);
            self.gl.0.delete_program(self.raw.get());
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
    fn a_dropped_renderer_leaves_nothing_in_the_context() {
        let headless = match Headless::new() {
            Ok(headless) => headless,
            Err(error) if std::env::var("REQUIRE_GL").is_ok_and(|v| v == "1") => panic!("{error}"),
            Err(error) => return println!("skipped: {error}"),
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
            });
            let view = View {
                camera: &camera,
                look: &LookParams::default(),
                followers: &crate::groom::FollowerParams::default(),
                light: &LightParams::default(),
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

    #[test]
    fn a_changed_shader_is_taken_up_and_a_wrong_one_is_not() {
        let headless = match Headless::new() {
            Ok(headless) => headless,
            Err(error) if std::env::var("REQUIRE_GL").is_ok_and(|v| v == "1") => panic!("{error}"),
            Err(error) => return println!("skipped: {error}"),
        };
        let gl = Gl::new(headless.gl());
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |text: &str, age: u64| {
            let path = folder.path().join("a.frag");
            std::fs::write(&path, text).expect("written");
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
            let file = std::fs::File::options().write(true).open(path);
            file.and_then(|file| file.set_modified(time))
                .expect("a time");
        };
        let vertex = "void main() { gl_Position = vec4(0.0); }";
        let good = "out vec4 colour; void main() { colour = vec4(1.0); }";
        write(good, 90);
        let program = Program::new(&gl, "test", "", [vertex, good], &[]).expect("compiles");
        let first = program.raw.get();
        let long_ago = Instant::now() - std::time::Duration::from_secs(9);
        let recipe = || program.recipe.as_ref().expect("kept").borrow_mut();
        let texts = recipe().texts.clone();
        recipe().watch = Watch::new(folder.path(), &texts, long_ago);
        write("out vec4 colour; void main() { colour = nonsense; }", 60);
        program.bind();
        assert_eq!(program.raw.get(), first, "the last good one stays");
        let faults = gl.faults();
        assert!(
            faults.len() == 1 && faults[0].contains("test.frag"),
            "{faults:?}"
        );
        recipe().watch.looked = long_ago;
        write("out vec4 colour; void main() { colour = vec4(0.5); }", 30);
        program.bind();
        assert!(program.raw.get() != first && gl.faults().is_empty());
        assert_eq!(gl.error(), None);
    }
}
