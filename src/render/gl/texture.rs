//! Textures: pictures and boxes of numbers that shaders read.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::Gl;
use crate::render::RenderError;
use glow::HasContext as _;

/// What a texture holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::render) enum TextureFormat {
    /// Linear light, half precision.
    Light,
    /// Sums of linear light, full precision.
    Sum,
    /// Finished 8-bit colours.
    Display,
    /// Depth, compared when read.
    Depth,
    /// Depth of several samples a pixel.
    SampledDepth,
    /// Linear light of all directions, which goes round from its right edge to its left.
    Panorama,
    /// A box of four reals each.
    Volume,
    /// 8-bit sRGB colours of a file, in all sizes.
    Colours,
    /// 8-bit numbers of a file, in all sizes.
    Numbers,
}

/// A picture or a box of numbers that shaders read.
pub(in crate::render) struct Texture {
    gl: Gl,
    pub(super) raw: glow::Texture,
    texels: TextureFormat,
}

impl Texture {
    /// A texture without content, read with linear filtering and clamped edges.
    ///
    /// # Errors
    /// When the driver cannot make one.
    pub fn new(gl: &Gl, texels: TextureFormat) -> Result<Self, RenderError> {
        // SAFETY: the context is current.
        let raw = unsafe { gl.0.create_texture() }.map_err(RenderError::Driver)?;
        let texture = Self {
            gl: gl.clone(),
            raw,
            texels,
        };
        let kind = texture.kind();
        if texels == TextureFormat::SampledDepth {
            // Samples are fetched one by one: nothing says how.
            return Ok(texture);
        }
        // SAFETY: the texture is of this context; names and values are allowed
        // for its kind.
        unsafe {
            texture.hold();
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
            if texels == TextureFormat::Panorama {
                gl.0.tex_parameter_i32(kind, glow::TEXTURE_WRAP_S, glow::REPEAT as i32);
            }
            if texels == TextureFormat::Depth {
                let mode = glow::COMPARE_REF_TO_TEXTURE as i32;
                gl.0.tex_parameter_i32(kind, glow::TEXTURE_COMPARE_MODE, mode);
                gl.0.tex_parameter_i32(kind, glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL as i32);
            }
        }
        Ok(texture)
    }

    /// A picture that repeats in both directions, with smaller copies of itself
    /// for surfaces far away; `texels` are as many as the size says. A picture
    /// larger than the driver takes is not one.
    ///
    /// # Errors
    /// When the driver cannot make one.
    pub fn repeated(
        gl: &Gl,
        texels: TextureFormat,
        size: [u32; 2],
        content: &[[u8; 4]],
    ) -> Result<Self, RenderError> {
        let texture = Self::new(gl, texels)?;
        let [w, h] = size;
        if content.len() != w as usize * h as usize || w.max(h) > gl.max_size() {
            return Err(RenderError::Driver(format!(
                "it takes no texture of {w}x{h} texels"
            )));
        }
        let inner = match texels {
            TextureFormat::Colours => glow::SRGB8_ALPHA8,
            _ => glow::RGBA8,
        };
        let gl = &*gl.0;
        gl.unpack_rows();
        gl.sends(size_of_val(content));
        // SAFETY: the slice is as long as the picture, as checked above; names
        // and values are allowed for a texture of two dimensions.
        unsafe {
            texture.hold();
            gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                inner as i32,
                w as i32,
                h as i32,
                0,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                glow::PixelUnpackData::Slice(Some(bytemuck::cast_slice(content))),
            );
            for (name, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::LINEAR_MIPMAP_LINEAR),
                (glow::TEXTURE_WRAP_S, glow::REPEAT),
                (glow::TEXTURE_WRAP_T, glow::REPEAT),
                (glow::TEXTURE_MAX_LEVEL, 1000),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
            }
            gl.generate_mipmap(glow::TEXTURE_2D);
        }
        Ok(texture)
    }

    /// Binds it to the first unit, where its content and parameters are set.
    fn hold(&self) {
        self.gl.0.hold_texture(self.kind(), self.raw);
    }

    fn kind(&self) -> u32 {
        match self.texels {
            TextureFormat::Volume => glow::TEXTURE_3D,
            TextureFormat::SampledDepth => glow::TEXTURE_2D_MULTISAMPLE,
            _ => glow::TEXTURE_2D,
        }
    }

    /// Gives it `size` texels without content.
    pub fn resize(&self, [w, h]: [u32; 2]) {
        let (inner, format, kind) = match self.texels {
            TextureFormat::Display | TextureFormat::Colours | TextureFormat::Numbers => {
                (glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE)
            }
            TextureFormat::Depth | TextureFormat::SampledDepth => (
                glow::DEPTH_COMPONENT24,
                glow::DEPTH_COMPONENT,
                glow::UNSIGNED_INT,
            ),
            TextureFormat::Sum => (glow::RGBA32F, glow::RGBA, glow::FLOAT),
            TextureFormat::Light | TextureFormat::Panorama | TextureFormat::Volume => {
                (glow::RGBA16F, glow::RGBA, glow::FLOAT)
            }
        };
        let gl = &*self.gl.0;
        // SAFETY: the texture is of this context; no memory is read.
        unsafe {
            self.hold();
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

    /// Gives a texture of [`SampledDepth`](TextureFormat::SampledDepth) `size` pixels of
    /// so many samples, which lie as those of a renderbuffer.
    pub(super) fn resize_sampled(&self, [w, h]: [u32; 2], samples: u32) {
        let (kind, format) = (self.kind(), glow::DEPTH_COMPONENT24 as i32);
        let [w, h, samples] = [w, h, samples].map(|v| v as i32);
        // SAFETY: the texture is of this context and kind; no memory is read.
        unsafe {
            self.hold();
            let gl = &*self.gl.0;
            gl.tex_image_2d_multisample(kind, samples, format, w, h, true);
        }
    }

    /// Replaces a part of finished colours, or of light: its lower left corner and size,
    /// and the `texels`, four bytes each of colours and four reals of light; with another
    /// number of bytes nothing happens.
    pub fn set_part(&self, [x, y]: [u32; 2], [w, h]: [u32; 2], texels: &[u8]) {
        let (kind, each) = match self.texels {
            TextureFormat::Display => (glow::UNSIGNED_BYTE, 4),
            TextureFormat::Light => (glow::FLOAT, 16),
            _ => return,
        };
        if texels.len() != each * w as usize * h as usize {
            return;
        }
        let gl = &*self.gl.0;
        gl.unpack_rows();
        gl.sends(size_of_val(texels));
        let [x, y, w, h] = [x, y, w, h].map(|side| side as i32);
        // SAFETY: the slice is as long as the part, as checked above; the unpack
        // state is the initial one. OpenGL refuses a part that is not inside.
        unsafe {
            self.hold();
            gl.tex_sub_image_2d(
                glow::TEXTURE_2D,
                0,
                x,
                y,
                w,
                h,
                glow::RGBA,
                kind,
                glow::PixelUnpackData::Slice(Some(texels)),
            );
        }
    }

    /// Replaces a panorama's content; `texels` are as many as the size says, its top row
    /// first, else nothing happens.
    pub fn set_light(&self, [w, h]: [u32; 2], texels: &[[f32; 3]]) {
        if self.texels != TextureFormat::Panorama || texels.len() != w as usize * h as usize {
            return;
        }
        let gl = &*self.gl.0;
        gl.unpack_rows();
        gl.sends(size_of_val(texels));
        // SAFETY: the slice is as long as the picture, as checked above, and rows of
        // three reals are multiples of four bytes; the unpack state is the initial one.
        unsafe {
            self.hold();
            gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                glow::RGB16F as i32,
                w as i32,
                h as i32,
                0,
                glow::RGB,
                glow::FLOAT,
                glow::PixelUnpackData::Slice(Some(bytemuck::cast_slice(texels))),
            );
        }
    }

    /// Replaces a volume's content; `data` runs x first, then y, then z, and is
    /// as long as the three sizes' product, else nothing happens. It is set while bound
    /// to `unit`, where shaders read it, and not to the first one.
    pub fn set_volume(&self, unit: u32, size: [usize; 3], data: &[[f32; 4]]) {
        if self.texels != TextureFormat::Volume || data.len() != size.iter().product::<usize>() {
            return;
        }
        let gl = &*self.gl.0;
        gl.unpack_rows();
        gl.sends(size_of_val(data));
        let [x, y, z] = size.map(|s| s as i32);
        // SAFETY: the slice is as long as the box, as checked above; the
        // unpack state is the initial one.
        unsafe {
            self.bind(unit);
            gl.activate(unit);
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
        self.gl.0.bind_unit(unit, self.kind(), self.raw);
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        // Another texture may get its name.
        self.gl.0.forget();
        // SAFETY: made in `new`, deleted once.
        unsafe { self.gl.0.delete_texture(self.raw) }
    }
}
