//! Buffers, and how shaders read them.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::Gl;
use crate::render::RenderError;
use glow::HasContext as _;
use std::cell::Cell;

/// Memory of the driver.
pub(in crate::render) struct Buffer {
    gl: Gl,
    pub(super) raw: glow::Buffer,
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
        gl.hold_buffer(self.raw);
        // SAFETY: the buffer is of this context and bound.
        unsafe {
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
        gl.hold_buffer(self.raw);
        // SAFETY: the buffer is of this context and bound; the copy lies inside it.
        unsafe {
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
            gl.hold_buffer(self.raw);
            // SAFETY: the buffer is of this context and bound; no memory is read.
            unsafe {
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
        gl.hold_buffer(self.raw);
        // SAFETY: the buffer is of this context, bound, and holds so many bytes.
        unsafe {
            gl.get_buffer_sub_data(glow::ARRAY_BUFFER, 0, &mut to[..count]);
        }
    }

    /// Makes `data` the uniform block `Frame` of every program, to be replaced in every
    /// frame.
    pub fn stream_uniforms(&mut self, data: &[u8]) {
        let gl = &*self.gl.0;
        (self.bytes, self.stores) = (data.len(), self.stores + 1);
        gl.sends(data.len());
        gl.bind_frame(self.raw);
        // SAFETY: the buffer is of this context; a block is bound for its content, too.
        unsafe { gl.buffer_data_u8_slice(glow::UNIFORM_BUFFER, data, glow::STREAM_DRAW) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // Another buffer may get its name.
        self.gl.0.forget();
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_buffer(self.raw) }
    }
}

/// What a texel of a [`TexelView`] holds.
#[derive(Clone, Copy)]
pub(in crate::render) enum TexelFormat {
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
    pub fn new(gl: &Gl, texels: TexelFormat) -> Result<Self, RenderError> {
        // SAFETY: the context is current.
        let raw = unsafe { gl.0.create_texture() }.map_err(RenderError::Driver)?;
        let format = match texels {
            TexelFormat::One => glow::R32F,
            TexelFormat::Four => glow::RGBA32F,
            TexelFormat::Whole => glow::R32UI,
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
        gl.bind_unit(unit, glow::TEXTURE_BUFFER, self.raw);
        if !shown {
            gl.activate(unit);
            // SAFETY: texture and buffer are of this context; the texture is bound to
            // the active unit.
            unsafe { gl.tex_buffer(glow::TEXTURE_BUFFER, self.format, Some(buffer.raw)) }
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
