//! Buffers that shaders read by number.

use super::{Buffer, Gl, TexelFormat, TexelView};
use crate::render::RenderError;

/// A buffer with the view that shaders read it through.
pub(in crate::render) struct TexelBuffer {
    pub buffer: Buffer,
    view: TexelView,
}

impl TexelBuffer {
    /// An empty one of texels of that kind.
    ///
    /// # Errors
    /// When the driver has no room.
    pub fn new(gl: &Gl, format: TexelFormat) -> Result<Self, RenderError> {
        Ok(Self {
            buffer: Buffer::new(gl)?,
            view: TexelView::new(gl, format)?,
        })
    }

    /// Lets the samplers of that unit read it.
    pub fn bind(&self, unit: u32) {
        self.view.bind(unit, &self.buffer);
    }
}
