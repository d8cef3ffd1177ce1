//! Draws, and the buffers that they read vertex by vertex.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{Buffer, Gl, Shape};
use crate::render::RenderError;
use glow::HasContext as _;
use std::ops::Range;

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
    /// A vertex array that reads nothing yet.
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
        gl.hold_array(Some(self.raw));
        gl.hold_buffer(buffer.raw);
        // SAFETY: array and buffer are of this context.
        unsafe {
            gl.enable_vertex_attrib_array(index);
            gl.vertex_attrib_pointer_f32(
                index,
                count,
                glow::FLOAT,
                false,
                stride as i32,
                offset as i32,
            );
        }
        gl.hold_array(None);
    }

    /// Vertices are taken in the order of these 32-bit indices.
    pub fn indices(&self, buffer: &Buffer) {
        let gl = &*self.gl.0;
        gl.hold_array(Some(self.raw));
        // SAFETY: array and buffer are of this context.
        unsafe {
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(buffer.raw));
        }
        gl.hold_array(None);
    }

    /// Draws the first `count` indices with the bound program. The caller keeps
    /// `count` within the index buffer and the indices within the attributes'.
    pub fn draw_indexed(&self, shape: Shape, count: usize) {
        let gl = &*self.gl.0;
        gl.draws();
        gl.discard(false);
        gl.bind_array(self.raw);
        // SAFETY: the passes fill indices and attributes together, so every
        // index has its vertex.
        unsafe {
            gl.draw_elements(shape.mode(), count as i32, glow::UNSIGNED_INT, 0);
        }
    }

    /// Draws the first `count` indices `copies` times. The vertices' numbers are counted
    /// from `base` on: for programs that fetch what they draw by numbers, and read no
    /// attributes. The caller keeps `count` within the index buffer.
    pub fn draw_copies(&self, shape: Shape, count: usize, copies: usize, base: usize) {
        let gl = &*self.gl.0;
        gl.draws();
        gl.discard(false);
        gl.bind_array(self.raw);
        // SAFETY: as above, and no attribute is read.
        unsafe {
            gl.draw_elements_instanced_base_vertex(
                shape.mode(),
                count as i32,
                glow::UNSIGNED_INT,
                0,
                copies as i32,
                base as i32,
            );
        }
    }

    /// Draws a range of the indices; as above, the caller keeps it within them.
    pub fn draw_range(&self, shape: Shape, range: Range<usize>) {
        let gl = &*self.gl.0;
        gl.draws();
        let (count, offset) = (range.len() as i32, 4 * range.start as i32);
        gl.discard(false);
        gl.bind_array(self.raw);
        // SAFETY: as above; an index has four bytes.
        unsafe {
            gl.draw_elements(shape.mode(), count, glow::UNSIGNED_INT, offset);
        }
    }

    /// Runs the bound [`Program::capturing`] for the first `count` vertices and keeps what
    /// it puts out in `to`, which must have room for all of it. The caller keeps `count`
    /// within the attributes.
    pub fn capture(&self, count: usize, to: &Buffer) {
        self.gl.0.bind_array(self.raw);
        self.gl.capture_bound(count, to);
    }
}

impl Drop for VertexArray {
    fn drop(&mut self) {
        // Another array may get its name.
        self.gl.0.forget();
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_vertex_array(self.raw) }
    }
}

impl Gl {
    /// Draws the vertices of these numbers, which is all that the shader makes them
    /// from.
    pub fn draw(&self, shape: Shape, numbers: Range<usize>) {
        let gl = &*self.0;
        gl.draws();
        gl.discard(false);
        gl.bind_empty_array();
        // SAFETY: no attribute is read.
        unsafe {
            gl.draw_arrays(shape.mode(), numbers.start as i32, numbers.len() as i32);
        }
    }

    /// Runs the bound [`Program::capturing`] for vertices `0..count` and keeps
    /// what it puts out in `to`, which must have room for all of it.
    pub fn capture(&self, count: usize, to: &Buffer) {
        self.0.bind_empty_array();
        self.capture_bound(count, to);
    }

    /// The same with the bound array's attributes, or with none.
    fn capture_bound(&self, count: usize, to: &Buffer) {
        let gl = &*self.0;
        gl.draws();
        gl.discard(true);
        // SAFETY: all is of this context; OpenGL itself drops what would not
        // fit. Capturing has ended before anything reads the buffer.
        unsafe {
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(to.raw));
            gl.begin_transform_feedback(glow::POINTS);
            gl.draw_arrays(Shape::Points.mode(), 0, count as i32);
            gl.end_transform_feedback();
        }
    }

    /// Draws one triangle that covers the target; the shader makes its corners.
    pub fn draw_screen(&self) {
        let gl = &*self.0;
        gl.draws();
        gl.discard(false);
        gl.bind_empty_array();
        // SAFETY: no attribute is read.
        unsafe {
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
        }
    }
}
