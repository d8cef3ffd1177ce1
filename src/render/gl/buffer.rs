//! Buffers, and how draws read them.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{Gl, Shape};
use crate::render::RenderError;
use glow::HasContext as _;

/// Memory of the driver.
pub(in crate::render) struct Buffer {
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

    /// Copies `data` to `offset`; `padding` bytes follow. Memory is taken anew
    /// only when the size changes: for tens of megabytes that costs more than
    /// the copy. The caller sees to it that no frame on its way reads the old.
    pub fn write(&mut self, offset: usize, data: &[u8], padding: usize) {
        let gl = &*self.gl.0;
        let bytes = offset + data.len() + padding;
        // SAFETY: the buffer is of this context; the copy lies inside it.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.raw));
            if bytes != self.bytes {
                gl.buffer_data_size(glow::ARRAY_BUFFER, bytes as i32, glow::STREAM_DRAW);
                self.bytes = bytes;
            }
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
pub(in crate::render) enum Format {
    /// This many 32-bit reals.
    Floats(i32),
    /// Two 16-bit numbers that stand for 0..=1.
    UnitPair,
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

    /// Attribute `index`, set up before, is read once an instance instead.
    pub fn each_instance(&self, index: u32) {
        let gl = &*self.gl.0;
        // SAFETY: the array is of this context.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.vertex_attrib_divisor(index, 1);
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
        // SAFETY: the passes fill indices and attributes together, so every
        // index has its vertex.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.draw_elements(shape.mode(), count as i32, glow::UNSIGNED_INT, 0);
            gl.bind_vertex_array(None);
        }
    }

    /// The same, `instances` times over.
    pub fn draw_instances(&self, shape: Shape, count: usize, instances: usize) {
        let gl = &*self.gl.0;
        let (count, instances) = (count as i32, instances as i32);
        // SAFETY: as above; the caller keeps the instances within the attributes.
        unsafe {
            gl.bind_vertex_array(Some(self.raw));
            gl.draw_elements_instanced(shape.mode(), count, glow::UNSIGNED_INT, 0, instances);
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
