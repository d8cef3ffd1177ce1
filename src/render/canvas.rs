//! A picture put together from the pictures of several renderers.

use super::{
    RenderError, Renderer,
    gl::{Gl, Target, TextureFormat},
};

/// A picture that renderers' frames are laid out in.
///
/// Like the renderer it was made for, it needs the context to be current.
pub struct Canvas {
    gl: Gl,
    target: Target,
}

impl Canvas {
    /// An empty one on the context of `renderer`. `[px]`
    ///
    /// # Errors
    /// When the driver makes no picture of that size.
    pub fn new(renderer: &Renderer, size: [u32; 2]) -> Result<Self, RenderError> {
        let gl = renderer.gl.clone();
        let target = Target::texture(&gl, TextureFormat::Display, size, false)?;
        Ok(Self { gl, target })
    }

    /// Width and height. `[px]`
    pub fn size(&self) -> [u32; 2] {
        self.target.size
    }

    /// Makes all of it black.
    pub fn clear(&self) {
        self.target.bind();
        self.target.clear();
    }

    /// Lays the finished frame of `renderer` in, unstretched; `origin` is where
    /// its upper left corner goes, from that of the canvas. What would not fit
    /// is left out whole. `[px]`
    pub fn place(&self, renderer: &Renderer, origin: [u32; 2]) {
        let Some(targets) = &renderer.targets else {
            return;
        };
        let ([width, height], size) = (self.size(), targets.finished.size);
        if origin[0] + size[0] > width || origin[1] + size[1] > height {
            return;
        }
        // OpenGL counts from the bottom.
        let origin = [origin[0], height - origin[1] - size[1]];
        self.gl.blit_to(&targets.finished, &self.target, origin);
    }

    /// Lays in pixels of that width and height, three bytes or four each, top row
    /// first; `origin` as in [`place`](Self::place).
    pub fn place_pixels(&self, (w, h, pixels): (u32, u32, Vec<u8>), origin: [u32; 2]) {
        let [width, height] = self.size();
        if pixels.is_empty() || origin[0] + w > width || origin[1] + h > height {
            return;
        }
        let bytes = pixels.len() / (w as usize * h as usize);
        let rows = pixels.chunks_exact(bytes * w as usize).rev();
        let texels = rows.flat_map(|row| row.chunks_exact(bytes));
        let texels: Vec<[u8; 4]> = texels
            .map(|p| [p[0], p[1], p[2], p.get(3).copied().unwrap_or(255)])
            .collect();
        if let Some(texture) = &self.target.texture {
            texture.set_part(
                [origin[0], height - origin[1] - h],
                [w, h],
                bytemuck::cast_slice(&texels),
            );
        }
    }

    /// Makes it what is painted on next.
    pub fn bind(&self) {
        self.target.bind();
    }

    /// Width, height, and four bytes a pixel (red, green, blue; sRGB; and how much
    /// of it is covered), top row first.
    pub fn read_rgba(&self) -> (u32, u32, Vec<u8>) {
        self.target.read_rgba()
    }

    /// Width, height, and three bytes a pixel (red, green, blue; sRGB), top row
    /// first.
    pub fn read_rgb(&self) -> (u32, u32, Vec<u8>) {
        self.target.read_rgb()
    }
}
