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

use super::RenderError;
use glow::HasContext as _;
use std::sync::Arc;

/// A current context; cheap to clone.
#[derive(Clone)]
pub(super) struct Gl(Arc<glow::Context>, f32);

/// The fixed-function state of a pass; every pass sets all of it, because the
/// panel's painter leaves its own behind.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// Nearer fragments win.
    pub depth_test: bool,
    /// Depth is written.
    pub depth_write: bool,
    /// Surfaces are pushed away from the camera by this many depth steps (and
    /// as many times their slope).
    pub depth_bias: f32,
}

/// What a pass draws its vertices as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Three vertices a triangle.
    Triangles,
    /// Two vertices a line, one pixel wide.
    Lines,
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
        Self(context, widest)
    }

    /// Lines of the next draws are this wide, or as near as the driver allows,
    /// but no thinner than a pixel. `[px]`
    pub fn set_line_width(&self, width: f32) {
        // SAFETY: the width is positive and one the driver took in `new`.
        unsafe { self.0.line_width(width.clamp(1.0, self.1.max(1.0))) }
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
        for off in [
            glow::BLEND,
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
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(from.framebuffer));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, None);
        }
        blit(gl, from.size, origin, size);
        // SAFETY: binds the window's own framebuffer.
        unsafe { gl.bind_framebuffer(glow::FRAMEBUFFER, None) }
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
pub(super) struct Program {
    gl: Gl,
    raw: glow::Program,
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
        let fail = |stage: &str, log: String| RenderError::Shader {
            shader: format!("{name}.{stage}"),
            log: log.trim().replace('\n', "; "),
        };
        // SAFETY: the context is current; shader and program names are made
        // here and used only with calls meant for them.
        unsafe {
            let raw = gl.0.create_program().map_err(|log| fail("program", log))?;
            // Owned from here on, so that an early return frees it.
            let program = Self {
                gl: gl.clone(),
                raw,
            };
            let gl = &*gl.0;
            let stages = [
                ("vert", glow::VERTEX_SHADER, vertex),
                ("frag", glow::FRAGMENT_SHADER, fragment),
            ];
            for (stage, kind, text) in stages {
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
            Ok(program)
        }
    }

    /// Makes it the program of the next draws.
    pub fn bind(&self) {
        // SAFETY: the program is linked and of this context.
        unsafe { self.gl.0.use_program(Some(self.raw)) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_program(self.raw) }
    }
}

/// Memory of the driver.
pub(super) struct Buffer {
    gl: Gl,
    raw: glow::Buffer,
    bytes: usize,
}

impl Buffer {
    /// An empty buffer.
    ///
    /// # Errors
    /// When the driver cannot make one.
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        // SAFETY: the context is current.
        let raw = unsafe { gl.0.create_buffer() }.map_err(RenderError::Driver)?;
        Ok(Self {
            gl: gl.clone(),
            raw,
            bytes: 0,
        })
    }

    /// Replaces what it holds by something that stays.
    pub fn set(&mut self, data: &[u8]) {
        self.fill(data, glow::STATIC_DRAW);
    }

    /// Replaces what it holds by something that is replaced every frame.
    pub fn stream(&mut self, data: &[u8]) {
        self.fill(data, glow::STREAM_DRAW);
    }

    fn fill(&mut self, data: &[u8], usage: u32) {
        let gl = &*self.gl.0;
        self.bytes = data.len();
        // ARRAY_BUFFER is no part of a vertex array's state, so nothing that
        // is bound elsewhere changes.
        // SAFETY: the buffer is of this context.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.raw));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, data, usage);
        }
    }

    /// Takes fresh memory, so that nobody waits for a frame that still reads
    /// the old one, and copies `data` to `offset` in it; `padding` bytes follow.
    pub fn orphan(&mut self, offset: usize, data: &[u8], padding: usize) {
        let gl = &*self.gl.0;
        self.bytes = offset + data.len() + padding;
        // SAFETY: the buffer is of this context; the copy lies inside it.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.raw));
            gl.buffer_data_size(glow::ARRAY_BUFFER, self.bytes as i32, glow::STREAM_DRAW);
            gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, offset as i32, data);
        }
    }

    /// Binds it as the uniform block `Frame` of every program.
    pub fn bind_uniforms(&self) {
        // SAFETY: the buffer is of this context.
        unsafe {
            self.gl
                .0
                .bind_buffer_base(glow::UNIFORM_BUFFER, 0, Some(self.raw));
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_buffer(self.raw) }
    }
}

/// How a vertex attribute lies in its buffer.
#[derive(Clone, Copy)]
pub(super) enum Format {
    /// This many 32-bit reals.
    Floats(i32),
    /// Two 16-bit numbers that stand for 0..=1.
    UnitPair,
}

/// Which buffers a draw reads, and how.
pub(super) struct VertexArray {
    gl: Gl,
    raw: glow::VertexArray,
}

impl VertexArray {
    /// A vertex array that reads nothing.
    ///
    /// # Errors
    /// When the driver cannot make one.
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        // SAFETY: the context is current.
        let raw = unsafe { gl.0.create_vertex_array() }.map_err(RenderError::Driver)?;
        Ok(Self {
            gl: gl.clone(),
            raw,
        })
    }

    /// Attribute `index` is read from `buffer`, `stride` and `offset` in bytes.
    pub fn attribute(
        &self,
        index: u32,
        buffer: &Buffer,
        format: Format,
        stride: usize,
        offset: usize,
    ) {
        let gl = &*self.gl.0;
        let (count, kind, unit) = match format {
            Format::Floats(count) => (count, glow::FLOAT, false),
            Format::UnitPair => (2, glow::UNSIGNED_SHORT, true),
        };
        // SAFETY: array and buffer are of this context.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.raw));
            gl.enable_vertex_attrib_array(index);
            gl.vertex_attrib_pointer_f32(index, count, kind, unit, stride as i32, offset as i32);
            gl.bind_vertex_array(None);
        }
    }

    /// Vertices are taken in the order of these 32-bit indices.
    pub fn indices(&self, buffer: &Buffer) {
        let gl = &*self.gl.0;
        // SAFETY: array and buffer are of this context.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(buffer.raw));
            gl.bind_vertex_array(None);
        }
    }

    /// Draws the first `count` indices with the bound program. The caller keeps
    /// `count` within the index buffer and the indices within the attributes'.
    pub fn draw_indexed(&self, shape: Shape, count: usize) {
        let mode = match shape {
            Shape::Triangles => glow::TRIANGLES,
            Shape::Lines => glow::LINES,
        };
        let gl = &*self.gl.0;
        // SAFETY: the passes fill indices and attributes together, so every
        // index has its vertex.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.draw_elements(mode, count as i32, glow::UNSIGNED_INT, 0);
            gl.bind_vertex_array(None);
        }
    }

    /// Draws one triangle that covers the target; the shader makes its corners.
    pub fn draw_screen(&self) {
        let gl = &*self.gl.0;
        // SAFETY: no attribute is read.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.bind_vertex_array(None);
        }
    }
}

impl Drop for VertexArray {
    fn drop(&mut self) {
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_vertex_array(self.raw) }
    }
}

/// What a texture holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Texels {
    /// Linear light, half precision.
    Light,
    /// Finished 8-bit colours.
    Display,
    /// Depth, compared when read.
    Depth,
    /// A box of four reals each.
    Volume,
}

/// A picture or a box of numbers that shaders read.
pub(super) struct Texture {
    gl: Gl,
    raw: glow::Texture,
    texels: Texels,
}

impl Texture {
    /// A texture without content, read with linear filtering and clamped edges.
    ///
    /// # Errors
    /// When the driver cannot make one.
    pub fn new(gl: &Gl, texels: Texels) -> Result<Self, RenderError> {
        // SAFETY: the context is current.
        let raw = unsafe { gl.0.create_texture() }.map_err(RenderError::Driver)?;
        let texture = Self {
            gl: gl.clone(),
            raw,
            texels,
        };
        let kind = texture.kind();
        // SAFETY: the texture is of this context; names and values are allowed
        // for its kind.
        unsafe {
            gl.0.bind_texture(kind, Some(raw));
            for (name, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::LINEAR),
                (glow::TEXTURE_MAG_FILTER, glow::LINEAR),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_R, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_MAX_LEVEL, 0),
            ] {
                gl.0.tex_parameter_i32(kind, name, value as i32);
            }
            if texels == Texels::Depth {
                let mode = glow::COMPARE_REF_TO_TEXTURE as i32;
                gl.0.tex_parameter_i32(kind, glow::TEXTURE_COMPARE_MODE, mode);
                gl.0.tex_parameter_i32(kind, glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL as i32);
            }
        }
        Ok(texture)
    }

    fn kind(&self) -> u32 {
        match self.texels {
            Texels::Volume => glow::TEXTURE_3D,
            _ => glow::TEXTURE_2D,
        }
    }

    /// Gives it `size` texels without content.
    fn resize(&self, [w, h]: [u32; 2]) {
        let (inner, format, kind) = match self.texels {
            Texels::Display => (glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE),
            Texels::Depth => (
                glow::DEPTH_COMPONENT24,
                glow::DEPTH_COMPONENT,
                glow::UNSIGNED_INT,
            ),
            Texels::Light | Texels::Volume => (glow::RGBA16F, glow::RGBA, glow::FLOAT),
        };
        let gl = &*self.gl.0;
        // SAFETY: the texture is of this context; no memory is read.
        unsafe {
            gl.bind_texture(glow::TEXTURE_2D, Some(self.raw));
            let none = glow::PixelUnpackData::Slice(None);
            let (w, h) = (w as i32, h as i32);
            gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                inner as i32,
                w,
                h,
                0,
                format,
                kind,
                none,
            );
        }
    }

    /// Replaces a volume's content; `data` runs x first, then y, then z, and is
    /// as long as the three sizes' product, else nothing happens.
    pub fn set_volume(&self, size: [usize; 3], data: &[[f32; 4]]) {
        if self.texels != Texels::Volume || data.len() != size.iter().product::<usize>() {
            return;
        }
        let gl = &*self.gl.0;
        let [x, y, z] = size.map(|s| s as i32);
        // SAFETY: the slice is as long as the box, as checked above; the
        // unpack state is the initial one apart from what is set here.
        unsafe {
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
            for name in [
                glow::UNPACK_ROW_LENGTH,
                glow::UNPACK_SKIP_ROWS,
                glow::UNPACK_SKIP_PIXELS,
            ] {
                gl.pixel_store_i32(name, 0);
            }
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
            gl.bind_texture(glow::TEXTURE_3D, Some(self.raw));
            let data = glow::PixelUnpackData::Slice(Some(bytemuck::cast_slice(data)));
            let inner = glow::RGBA16F as i32;
            gl.tex_image_3d(
                glow::TEXTURE_3D,
                0,
                inner,
                x,
                y,
                z,
                0,
                glow::RGBA,
                glow::FLOAT,
                data,
            );
        }
    }

    /// Binds it to a texture unit.
    pub fn bind(&self, unit: u32) {
        let gl = &*self.gl.0;
        // SAFETY: the texture is of this context. A sampler object, which the
        // panel's painter may have left, would override the filters above.
        unsafe {
            gl.active_texture(glow::TEXTURE0 + unit);
            gl.bind_sampler(unit, None);
            gl.bind_texture(self.kind(), Some(self.raw));
            gl.active_texture(glow::TEXTURE0);
        }
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_texture(self.raw) }
    }
}

struct Renderbuffer {
    gl: Gl,
    raw: glow::Renderbuffer,
}

impl Renderbuffer {
    fn new(gl: &Gl, format: u32, [w, h]: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        // SAFETY: the context is current; a count of 0 samples is a plain one.
        unsafe {
            let raw = gl.0.create_renderbuffer().map_err(RenderError::Driver)?;
            let samples = if samples > 1 { samples as i32 } else { 0 };
            gl.0.bind_renderbuffer(glow::RENDERBUFFER, Some(raw));
            gl.0.renderbuffer_storage_multisample(
                glow::RENDERBUFFER,
                samples,
                format,
                w as i32,
                h as i32,
            );
            Ok(Self {
                gl: gl.clone(),
                raw,
            })
        }
    }
}

impl Drop for Renderbuffer {
    fn drop(&mut self) {
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_renderbuffer(self.raw) }
    }
}

/// Something to draw into.
pub(super) struct Target {
    gl: Gl,
    framebuffer: glow::Framebuffer,
    /// What was drawn, unless it is multisampled.
    pub texture: Option<Texture>,
    _renderbuffers: Vec<Renderbuffer>,
    /// Width and height. `[px]`
    pub size: [u32; 2],
    /// Samples of each pixel.
    pub samples: u32,
}

impl Target {
    /// A target whose result is a texture; `depth` adds a depth buffer. With
    /// [`Texels::Depth`] the texture is the depth buffer, and there is no colour.
    ///
    /// # Errors
    /// When the driver refuses the size.
    pub fn texture(
        gl: &Gl,
        texels: Texels,
        size: [u32; 2],
        depth: bool,
    ) -> Result<Self, RenderError> {
        let texture = Texture::new(gl, texels)?;
        texture.resize(size);
        let place = match texels {
            Texels::Depth => glow::DEPTH_ATTACHMENT,
            _ => glow::COLOR_ATTACHMENT0,
        };
        let mut target = Self::empty(gl, size, 1)?;
        // SAFETY: `empty` left the framebuffer bound; the texture is two-dimensional.
        unsafe {
            let (kind, raw) = (glow::TEXTURE_2D, Some(texture.raw));
            gl.0.framebuffer_texture_2d(glow::FRAMEBUFFER, place, kind, raw, 0);
            if texels == Texels::Depth {
                gl.0.draw_buffers(&[glow::NONE]);
                gl.0.read_buffer(glow::NONE);
            }
        }
        target.texture = Some(texture);
        if depth {
            target.attach(glow::DEPTH_ATTACHMENT, glow::DEPTH_COMPONENT24)?;
        }
        target.complete()
    }

    /// A multisampled target for linear light, with depth; see [`Target::resolve`].
    ///
    /// # Errors
    /// When the driver refuses the size or the count.
    pub fn multisampled(gl: &Gl, size: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        let mut target = Self::empty(gl, size, samples)?;
        target.attach(glow::COLOR_ATTACHMENT0, glow::RGBA16F)?;
        target.attach(glow::DEPTH_ATTACHMENT, glow::DEPTH_COMPONENT24)?;
        target.complete()
    }

    fn empty(gl: &Gl, size: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        // SAFETY: the context is current.
        let framebuffer = unsafe {
            let framebuffer = gl.0.create_framebuffer().map_err(RenderError::Driver)?;
            gl.0.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            framebuffer
        };
        Ok(Self {
            gl: gl.clone(),
            framebuffer,
            texture: None,
            _renderbuffers: Vec::new(),
            size,
            samples,
        })
    }

    fn attach(&mut self, place: u32, format: u32) -> Result<(), RenderError> {
        let buffer = Renderbuffer::new(&self.gl, format, self.size, self.samples)?;
        // SAFETY: this framebuffer is bound by `empty`; both are of this context.
        unsafe {
            self.gl.0.framebuffer_renderbuffer(
                glow::FRAMEBUFFER,
                place,
                glow::RENDERBUFFER,
                Some(buffer.raw),
            );
        }
        self._renderbuffers.push(buffer);
        Ok(())
    }

    fn complete(self) -> Result<Self, RenderError> {
        // SAFETY: this framebuffer is bound by `empty`.
        let status = unsafe { self.gl.0.check_framebuffer_status(glow::FRAMEBUFFER) };
        if status == glow::FRAMEBUFFER_COMPLETE {
            Ok(self)
        } else {
            Err(RenderError::Target {
                width: self.size[0],
                height: self.size[1],
                samples: self.samples,
                status,
            })
        }
    }

    /// Makes it what the next draws go to, all of it.
    pub fn bind(&self) {
        let gl = &*self.gl.0;
        // SAFETY: the framebuffer is complete and of this context.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            gl.viewport(0, 0, self.size[0] as i32, self.size[1] as i32);
        }
    }

    /// Empties it, to nothing at the farthest depth; it must be bound.
    pub fn clear(&self) {
        // SAFETY: the context is current.
        unsafe {
            let gl = &*self.gl.0;
            gl.disable(glow::SCISSOR_TEST);
            gl.color_mask(true, true, true, true);
            gl.depth_mask(true);
            gl.clear_color(0.0, 0.0, 0.0, 0.0);
            gl.clear_depth_f32(1.0);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
        }
    }

    /// Averages the samples of each pixel into `to`, which has the same size.
    pub fn resolve(&self, to: &Self) {
        let gl = &*self.gl.0;
        // SAFETY: both framebuffers are complete and of this context.
        unsafe {
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.framebuffer));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(to.framebuffer));
        }
        blit(gl, self.size, [0, 0], to.size);
    }

    /// The pixels as they lie in the driver: bottom row first, red, green,
    /// blue, alpha.
    pub fn read(&self) -> Vec<u8> {
        let [w, h] = self.size;
        let mut pixels = vec![0; w as usize * h as usize * 4];
        let gl = &*self.gl.0;
        // SAFETY: the slice holds the whole picture, four bytes a pixel, and
        // no pack buffer takes its place.
        unsafe {
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.framebuffer));
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
            for name in [
                glow::PACK_ROW_LENGTH,
                glow::PACK_SKIP_ROWS,
                glow::PACK_SKIP_PIXELS,
            ] {
                gl.pixel_store_i32(name, 0);
            }
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 4);
            gl.read_pixels(
                0,
                0,
                w as i32,
                h as i32,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                glow::PixelPackData::Slice(Some(&mut pixels)),
            );
        }
        pixels
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // SAFETY: made in `empty`, deleted once.
        unsafe { self.gl.0.delete_framebuffer(self.framebuffer) }
    }
}
