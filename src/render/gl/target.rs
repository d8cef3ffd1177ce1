//! What is drawn into.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{Gl, Texture, TextureFormat, traffic::Functions};
use crate::render::RenderError;
use glow::HasContext as _;

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

/// Sees whether the driver makes pictures of that size at all. `[px]`
///
/// # Errors
/// When it does not.
fn fits(gl: &Gl, [width, height]: [u32; 2], samples: u32) -> Result<(), RenderError> {
    match width.max(height) <= gl.max_size() {
        true => Ok(()),
        false => Err(RenderError::Target {
            width,
            height,
            samples,
            status: glow::INVALID_VALUE,
        }),
    }
}

/// Something to draw into.
pub(in crate::render) struct Target {
    gl: Gl,
    framebuffer: glow::Framebuffer,
    /// What was drawn, unless it is multisampled.
    pub texture: Option<Texture>,
    /// The depths of all samples, where shaders can fetch them.
    pub depths: Option<Texture>,
    _renderbuffers: Vec<Renderbuffer>,
    /// Width and height. `[px]`
    pub size: [u32; 2],
    /// Samples of each pixel.
    pub samples: u32,
}

impl Target {
    /// A target whose result is a texture; `depth` adds a depth buffer. With
    /// [`TextureFormat::Depth`] the texture is the depth buffer, and there is no colour.
    ///
    /// # Errors
    /// When the driver refuses the size.
    pub fn texture(
        gl: &Gl,
        texels: TextureFormat,
        size: [u32; 2],
        depth: bool,
    ) -> Result<Self, RenderError> {
        fits(gl, size, 1)?;
        let texture = Texture::new(gl, texels)?;
        texture.resize(size);
        let place = match texels {
            TextureFormat::Depth => glow::DEPTH_ATTACHMENT,
            _ => glow::COLOR_ATTACHMENT0,
        };
        let mut target = Self::empty(gl, size, 1)?;
        // SAFETY: `empty` left the framebuffer bound; the texture is two-dimensional.
        unsafe {
            let (kind, raw) = (glow::TEXTURE_2D, Some(texture.raw));
            gl.0.framebuffer_texture_2d(glow::DRAW_FRAMEBUFFER, place, kind, raw, 0);
            if texels == TextureFormat::Depth {
                // Each is said of the framebuffer that is bound for it.
                gl.0.draw_buffers(&[glow::NONE]);
                gl.0.bind_read(target.framebuffer);
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
    /// `fetched` lets shaders fetch its depths.
    ///
    /// # Errors
    /// When the driver refuses the size or the count.
    pub fn multisampled(
        gl: &Gl,
        size: [u32; 2],
        samples: u32,
        fetched: bool,
    ) -> Result<Self, RenderError> {
        fits(gl, size, samples)?;
        let depth = glow::DEPTH_ATTACHMENT;
        let mut target = Self::empty(gl, size, samples)?;
        target.attach(glow::COLOR_ATTACHMENT0, glow::RGBA16F)?;
        if !fetched {
            target.attach(depth, glow::DEPTH_COMPONENT24)?;
            return target.complete();
        }
        let depths = Texture::new(gl, TextureFormat::SampledDepth)?;
        depths.resize_sampled(size, samples);
        // SAFETY: `empty` left the framebuffer bound; the texture is of that kind.
        unsafe {
            let (kind, raw) = (glow::TEXTURE_2D_MULTISAMPLE, Some(depths.raw));
            gl.0.framebuffer_texture_2d(glow::DRAW_FRAMEBUFFER, depth, kind, raw, 0);
        }
        target.depths = Some(depths);
        target.complete()
    }

    fn empty(gl: &Gl, size: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        // SAFETY: the context is current.
        let framebuffer = unsafe {
            let framebuffer = gl.0.create_framebuffer().map_err(RenderError::Driver)?;
            gl.0.bind_drawn(framebuffer);
            framebuffer
        };
        Ok(Self {
            gl: gl.clone(),
            framebuffer,
            texture: None,
            depths: None,
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
                glow::DRAW_FRAMEBUFFER,
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
        let status = unsafe { self.gl.0.check_framebuffer_status(glow::DRAW_FRAMEBUFFER) };
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

    /// What it was made from.
    pub(super) fn gl(&self) -> &Gl {
        &self.gl
    }

    /// Its name in the driver.
    pub(super) fn framebuffer(&self) -> glow::Framebuffer {
        self.framebuffer
    }

    /// Makes it what the next draws go to, all of it.
    pub fn bind(&self) {
        self.bind_part([0, 0], self.size);
    }

    /// Makes a part of it what the next draws go to: its lower left corner and size.
    pub fn bind_part(&self, [x, y]: [u32; 2], [w, h]: [u32; 2]) {
        self.gl.0.draw_to(self.framebuffer, [x, y, w, h]);
    }

    /// Copies the depths of a part back, which is bound to lie inside: its lower left
    /// corner and size; the bottom row comes first. Waits until they are drawn.
    pub fn read_depth(&self, corner: [u32; 2], size: [u32; 2], to: &mut Vec<f32>) {
        to.resize(size[0] as usize * size[1] as usize, 1.0);
        self.read_reals(corner, size, glow::DEPTH_COMPONENT, to);
    }

    /// The same of colours, which are four reals each.
    pub fn read_light(&self, corner: [u32; 2], size: [u32; 2], to: &mut Vec<[f32; 4]>) {
        to.resize(size[0] as usize * size[1] as usize, [0.0; 4]);
        self.read_reals(corner, size, glow::RGBA, to.as_flattened_mut());
    }

    /// Copies reals of a part back: `to` has room for all that `format` says.
    fn read_reals(&self, [x, y]: [u32; 2], [w, h]: [u32; 2], format: u32, to: &mut [f32]) {
        let gl = &*self.gl.0;
        gl.reads(size_of_val(to));
        let [x, y, w, h] = [x, y, w, h].map(|side| side as i32);
        gl.bind_read(self.framebuffer);
        // SAFETY: the slice has room for the part, and no pack buffer takes its place.
        unsafe {
            reset_packing(gl);
            let to = glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(to)));
            gl.read_pixels(x, y, w, h, format, glow::FLOAT, to);
        }
    }

    /// Empties it, to nothing at the farthest depth; it must be bound.
    pub fn clear(&self) {
        let gl = &*self.gl.0;
        gl.draw_all();
        gl.discard(false);
        gl.write_depth(true);
        // SAFETY: the context is current.
        unsafe { gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT) }
    }

    /// Empties its depth alone; it must be bound.
    pub fn clear_depth(&self) {
        let gl = &*self.gl.0;
        gl.draw_all();
        gl.discard(false);
        gl.write_depth(true);
        // SAFETY: the context is current.
        unsafe { gl.clear(glow::DEPTH_BUFFER_BIT) }
    }

    /// Averages the samples of each pixel into `to`, which has the same size.
    pub fn resolve(&self, to: &Self) {
        let gl = &*self.gl.0;
        gl.bind_read(self.framebuffer);
        gl.bind_drawn(to.framebuffer);
        blit(gl, self.size, [0, 0], to.size);
    }

    /// How much of each pixel is covered, 0..=1, bottom row first.
    #[cfg(test)]
    pub fn read_cover(&self) -> Vec<f32> {
        let mut light = Vec::new();
        self.read_light([0, 0], self.size, &mut light);
        light.iter().map(|pixel| pixel[3]).collect()
    }

    /// Width, height, and three bytes a pixel (red, green, blue), top row first.
    pub fn read_rgb(&self) -> (u32, u32, Vec<u8>) {
        let [width, height] = self.size;
        let pixels = self.read();
        let mut rgb = Vec::with_capacity(pixels.len() / 4 * 3);
        for row in pixels.chunks_exact(width as usize * 4).rev() {
            rgb.extend(row.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]));
        }
        (width, height, rgb)
    }

    /// Width, height, and four bytes a pixel (red, green, blue, alpha), top row
    /// first.
    pub fn read_rgba(&self) -> (u32, u32, Vec<u8>) {
        let [width, height] = self.size;
        let rows = self.read();
        let rows = rows.chunks_exact(width as usize * 4).rev();
        (width, height, rows.flatten().copied().collect())
    }

    /// The pixels as they lie in the driver: bottom row first, red, green,
    /// blue, alpha.
    pub fn read(&self) -> Vec<u8> {
        let [w, h] = self.size;
        let mut pixels = vec![0; w as usize * h as usize * 4];
        let gl = &*self.gl.0;
        gl.reads(pixels.len());
        gl.bind_read(self.framebuffer);
        // SAFETY: the slice holds the whole picture, four bytes a pixel, and
        // no pack buffer takes its place.
        unsafe {
            reset_packing(gl);
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

/// Lets pixels be read into memory of ours, row after row without gaps.
pub(super) fn reset_packing(gl: &Functions) {
    // SAFETY: the context is current; all values are the initial ones.
    unsafe {
        gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
        for name in [
            glow::PACK_ROW_LENGTH,
            glow::PACK_SKIP_ROWS,
            glow::PACK_SKIP_PIXELS,
        ] {
            gl.pixel_store_i32(name, 0);
        }
        gl.pixel_store_i32(glow::PACK_ALIGNMENT, 4);
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // Another framebuffer may get its name.
        self.gl.0.forget();
        // SAFETY: made in `empty`, deleted once.
        unsafe { self.gl.0.delete_framebuffer(self.framebuffer) }
    }
}

impl Gl {
    /// Copies colours and depths of `from` into `to`, which has its size and formats.
    pub fn copy(&self, from: &Target, to: &Target) {
        let gl = &*self.0;
        gl.draw_all();
        gl.bind_read(from.framebuffer());
        gl.bind_drawn(to.framebuffer());
        gl.draws();
        let [w, h] = from.size.map(|side| side as i32);
        let all = glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT;
        // SAFETY: both framebuffers are bound by now, and as large.
        unsafe { gl.blit_framebuffer(0, 0, w, h, 0, 0, w, h, all, glow::NEAREST) }
    }

    /// Copies the colours of `from` into the window's own framebuffer, stretched
    /// where the sizes differ, and leaves that one bound.
    pub fn blit_to_window(&self, from: &Target, origin: [u32; 2], size: [u32; 2]) {
        let gl = &*self.0;
        gl.draw_all();
        gl.bind_window();
        gl.bind_read(from.framebuffer());
        blit(gl, from.size, origin, size);
        gl.bind_window();
        gl.hold_array(None);
    }

    /// Makes the window black, and leaves its own framebuffer bound.
    pub fn clear_window(&self) {
        let gl = &*self.0;
        gl.draw_all();
        gl.bind_window();
        gl.draws();
        // SAFETY: the window's framebuffer is bound and has colours.
        unsafe { gl.clear(glow::COLOR_BUFFER_BIT) }
        gl.hold_array(None);
    }

    /// Copies the colours of `from` into `to`, unstretched, its lower left
    /// corner to `origin`.
    pub fn blit_to(&self, from: &Target, to: &Target, origin: [u32; 2]) {
        let gl = &*self.0;
        gl.draw_all();
        gl.bind_read(from.framebuffer());
        gl.bind_drawn(to.framebuffer());
        blit(gl, from.size, origin, from.size);
    }
}

fn blit(gl: &Functions, from: [u32; 2], origin: [u32; 2], size: [u32; 2]) {
    let filter = if from == size {
        glow::NEAREST
    } else {
        glow::LINEAR
    };
    let [w, h] = from.map(|s| s as i32);
    let [x, y] = origin.map(|s| s as i32);
    let [right, top] = [x + size[0] as i32, y + size[1] as i32];
    gl.draws();
    // SAFETY: both framebuffers are bound by the caller; OpenGL leaves out what lies
    // outside of them.
    unsafe { gl.blit_framebuffer(0, 0, w, h, x, y, right, top, glow::COLOR_BUFFER_BIT, filter) }
}
