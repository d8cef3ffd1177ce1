//! Buffers, and how draws read them.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{Gl, Shape};
use crate::render::RenderError;
use glow::HasContext as _;
use std::{cell::Cell, ops::Range};

/// Memory of the driver.
pub(in crate::render) struct Buffer {
    gl: Gl,
    raw: glow::Buffer,
    bytes: usize,
    /// How often its memory was taken anew.
    stores: u32,
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
            stores: 0,
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
        self.stores += 1;
        gl.sends(data.len());
        // ARRAY_BUFFER is no part of a vertex array's state, so nothing that
        // is bound elsewhere changes.
        // SAFETY: the buffer is of this context.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.raw));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, data, usage);
        }
    }

    /// Copies `data` to `offset`; `padding` bytes follow. Memory is taken anew
    /// only when the size changes: for tens of megabytes that costs more than
    /// the copy. The caller sees to it that no frame on its way reads the old.
    pub fn write(&mut self, offset: usize, data: &[u8], padding: usize) {
        let gl = &*self.gl.0;
        let bytes = offset + data.len() + padding;
        gl.sends(data.len());
        // SAFETY: the buffer is of this context; the copy lies inside it.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.raw));
            if bytes != self.bytes {
                gl.buffer_data_size(glow::ARRAY_BUFFER, bytes as i32, glow::STREAM_DRAW);
                self.bytes = bytes;
                self.stores += 1;
            }
            gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, offset as i32, data);
        }
    }

    /// Makes room for so many bytes of no content, unless it has that room.
    pub fn reserve(&mut self, bytes: usize) {
        if bytes > self.bytes {
            let gl = &*self.gl.0;
            // SAFETY: the buffer is of this context; no memory is read.
            unsafe {
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.raw));
                gl.buffer_data_size(glow::ARRAY_BUFFER, bytes as i32, glow::DYNAMIC_COPY);
            }
            self.bytes = bytes;
            self.stores += 1;
        }
    }

    /// Copies its first bytes back, as many as `to` has; waits until they are
    /// written. What it does not hold is left as it was.
    pub fn read(&self, to: &mut [u8]) {
        let count = to.len().min(self.bytes);
        let gl = &*self.gl.0;
        gl.reads(count);
        // SAFETY: the buffer is of this context and holds so many bytes.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.raw));
            gl.get_buffer_sub_data(glow::ARRAY_BUFFER, 0, &mut to[..count]);
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

/// What a texel of a [`TexelView`] holds.
#[derive(Clone, Copy)]
pub(in crate::render) enum Reals {
    /// One 32-bit real.
    One,
    /// Four 32-bit reals.
    Four,
    /// One 32-bit whole number without sign.
    Whole,
}

/// A buffer as shaders read it: texel by texel, by number.
pub(in crate::render) struct TexelView {
    gl: Gl,
    raw: glow::Texture,
    format: u32,
    /// The buffer that it shows, and which memory of it.
    shows: Cell<Option<(glow::Buffer, u32)>>,
}

impl TexelView {
    /// A view of whatever buffer it is bound with.
    ///
    /// # Errors
    /// When the driver cannot make one.
    pub fn new(gl: &Gl, texels: Reals) -> Result<Self, RenderError> {
        // SAFETY: the context is current.
        let raw = unsafe { gl.0.create_texture() }.map_err(RenderError::Driver)?;
        let format = match texels {
            Reals::One => glow::R32F,
            Reals::Four => glow::RGBA32F,
            Reals::Whole => glow::R32UI,
        };
        Ok(Self {
            gl: gl.clone(),
            raw,
            format,
            shows: Cell::new(None),
        })
    }

    /// Lets samplers of texture unit `unit` read `buffer`.
    pub fn bind(&self, unit: u32, buffer: &Buffer) {
        let gl = &*self.gl.0;
        let now = Some((buffer.raw, buffer.stores));
        let shown = self.shows.replace(now) == now;
        if !gl.must_bind(unit, self.raw) && shown {
            return;
        }
        // SAFETY: texture and buffer are of this context.
        unsafe {
            gl.active_texture(glow::TEXTURE0 + unit);
            gl.bind_texture(glow::TEXTURE_BUFFER, Some(self.raw));
            if !shown {
                gl.tex_buffer(glow::TEXTURE_BUFFER, self.format, Some(buffer.raw));
            }
            gl.active_texture(glow::TEXTURE0);
        }
    }
}

impl Drop for TexelView {
    fn drop(&mut self) {
        // Another texture may get its name.
        self.gl.0.forget();
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_texture(self.raw) }
    }
}

/// How a vertex attribute lies in its buffer.
#[derive(Clone, Copy)]
pub(in crate::render) enum Format {
    /// This many 32-bit reals.
    Floats(i32),
}

/// Which buffers a draw reads, and how.
pub(in crate::render) struct VertexArray {
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

    /// Attribute `index` is read from `buffer`, `stride` and `offset` in bytes,
    /// once a vertex.
    pub fn attribute(
        &self,
        index: u32,
        buffer: &Buffer,
        format: Format,
        stride: usize,
        offset: usize,
    ) {
        let gl = &*self.gl.0;
        let Format::Floats(count) = format;
        // SAFETY: array and buffer are of this context.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.raw));
            gl.enable_vertex_attrib_array(index);
            gl.vertex_attrib_pointer_f32(
                index,
                count,
                glow::FLOAT,
                false,
                stride as i32,
                offset as i32,
            );
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
        let gl = &*self.gl.0;
        gl.draws();
        // SAFETY: the passes fill indices and attributes together, so every
        // index has its vertex.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.draw_elements(shape.mode(), count as i32, glow::UNSIGNED_INT, 0);
            gl.bind_vertex_array(None);
        }
    }

    /// Draws a range of the indices; as above, the caller keeps it within them.
    pub fn draw_range(&self, shape: Shape, range: Range<usize>) {
        let gl = &*self.gl.0;
        gl.draws();
        let (count, offset) = (range.len() as i32, 4 * range.start as i32);
        // SAFETY: as above; an index has four bytes.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.draw_elements(shape.mode(), count, glow::UNSIGNED_INT, offset);
            gl.bind_vertex_array(None);
        }
    }

    /// Draws the vertices of these numbers, which is all that the shader makes them
    /// from.
    pub fn draw(&self, shape: Shape, numbers: Range<usize>) {
        let gl = &*self.gl.0;
        gl.draws();
        // SAFETY: no attribute is read.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.draw_arrays(shape.mode(), numbers.start as i32, numbers.len() as i32);
            gl.bind_vertex_array(None);
        }
    }

    /// Runs the bound [`Program::capturing`] for vertices `0..count` and keeps
    /// what it puts out in `to`, which must have room for all of it.
    pub fn capture(&self, count: usize, to: &Buffer) {
        let gl = &*self.gl.0;
        gl.draws();
        // SAFETY: all is of this context; OpenGL itself drops what would not
        // fit. The buffer is let go before anything reads it.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.enable(glow::RASTERIZER_DISCARD);
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(to.raw));
            gl.begin_transform_feedback(glow::POINTS);
            gl.draw_arrays(Shape::Points.mode(), 0, count as i32);
            gl.end_transform_feedback();
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, None);
            gl.disable(glow::RASTERIZER_DISCARD);
            gl.bind_vertex_array(None);
        }
    }

    /// Draws one triangle that covers the target; the shader makes its corners.
    pub fn draw_screen(&self) {
        let gl = &*self.gl.0;
        gl.draws();
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
