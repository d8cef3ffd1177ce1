//! Shaders that make four reals for each of many points and keep them in a buffer.
//!
//! They are vertex shaders whose output is captured. A driver that draws in software runs
//! those on one thread, but fragment shaders on all: there the points are the pixels of a
//! picture, which is then copied into the buffer.
#![expect(
    unsafe_code,
    reason = "every call of glow is unsafe; see the module above"
)]

use super::{Buffer, Gl, Program, State, Target, TextureFormat, target::reset_packing};
use crate::render::RenderError;
use glow::HasContext as _;
use std::cell::OnceCell;

/// How the shader is told the number of its point.
const CAPTURED: &str = "#define NUMBER gl_VertexID\n";

/// Points in a row of the picture. What is made has room for whole rows.
const ROW: usize = 4096;

/// Bytes of what is made for a point.
const POINT: usize = 16;

/// A shader for points.
pub(in crate::render) struct PointProgram {
    sources: PointSources,
    /// The vertex shader; where the driver draws in software compiled when it is first
    /// asked for.
    captured: OnceCell<Program>,
    /// The same as a fragment shader, where the driver draws in software.
    painted: Option<Program>,
}

/// What a [`PointProgram`] is compiled from.
struct PointSources {
    /// What messages call it.
    name: String,
    /// What goes before the text.
    shared: String,
    text: String,
    /// The variable in which the text leaves four reals.
    output: String,
}

/// What points are painted into before they are copied; large enough for the most so far.
#[derive(Default)]
pub(in crate::render) struct PointPicture(Option<Target>);

impl PointProgram {
    /// Compiles `text`, whose `output` are four reals made from `NUMBER`; `shared` goes
    /// before it.
    ///
    /// # Errors
    /// The driver's own log.
    pub fn new(
        gl: &Gl,
        name: &str,
        shared: &str,
        text: &str,
        output: &str,
    ) -> Result<Self, RenderError> {
        let paint = || {
            let number = format!("{ROW} * int(gl_FragCoord.y) + int(gl_FragCoord.x)");
            let shared = format!("#define NUMBER ({number})\n{shared}");
            let screen = include_str!("../../../shaders/screen.vert");
            Program::new(gl, &format!("{name} (painted)"), &shared, [screen, text])
        };
        let program = Self {
            sources: PointSources {
                name: name.into(),
                shared: shared.into(),
                text: text.into(),
                output: output.into(),
            },
            captured: OnceCell::new(),
            painted: gl.is_software().then(paint).transpose()?,
        };
        if program.painted.is_none() {
            program.captured(gl)?;
        }
        Ok(program)
    }

    fn captured(&self, gl: &Gl) -> Result<&Program, RenderError> {
        if let Some(program) = self.captured.get() {
            return Ok(program);
        }
        let sources = &self.sources;
        let shared = format!("{CAPTURED}{}", sources.shared);
        let outputs = [sources.output.as_str()];
        let program = Program::capturing(gl, &sources.name, &shared, &sources.text, &outputs)?;
        Ok(self.captured.get_or_init(|| program))
    }

    /// Makes points `0..count` and keeps them in `to`, which is given the room; by way of
    /// a `picture` if there is one and the driver draws in software.
    ///
    /// # Errors
    /// When the driver makes no picture for so many, or refuses the shader.
    pub fn run(
        &self,
        gl: &Gl,
        count: usize,
        to: &mut Buffer,
        picture: Option<&mut PointPicture>,
    ) -> Result<(), RenderError> {
        let Some((program, picture)) = self.painted.as_ref().zip(picture) else {
            // Lines also read the point after the last one.
            to.reserve((count + 1) * POINT);
            self.captured(gl)?.bind();
            gl.capture(count, to);
            return Ok(());
        };
        let size = [ROW as u32, count.div_ceil(ROW).max(1) as u32];
        to.reserve(ROW * (size[1] as usize + 1) * POINT);
        let target = match picture.0.take() {
            Some(target) if target.size[1] >= size[1] => target,
            _ => Target::texture(gl, TextureFormat::Sum, size, false)?,
        };
        target.bind_part([0, 0], size);
        gl.set_state(State::FLAT);
        program.bind();
        gl.draw_screen();
        target.copy_to(to, size);
        picture.0 = Some(target);
        Ok(())
    }
}

impl Target {
    /// Copies the pixels of a part from the lower left corner on into `to`, four reals
    /// each, row after row from below; `to` has the room.
    fn copy_to(&self, to: &Buffer, [w, h]: [u32; 2]) {
        let gl = &*self.gl().0;
        gl.bind_read(self.framebuffer());
        // SAFETY: the buffer is of this context and has room for the part; it is let go
        // of after that, so that no later read goes there.
        unsafe {
            reset_packing(gl);
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(to.raw));
            let to = glow::PixelPackData::BufferOffset(0);
            gl.read_pixels(0, 0, w as i32, h as i32, glow::RGBA, glow::FLOAT, to);
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
        }
    }
}
