//! Averages pictures of the same moment.

use super::{
    RenderError,
    gl::{Blend, Gl, Program, State, Target, TextureFormat, units},
};

/// Averages pictures.
pub(super) struct Sum {
    program: Program,
    /// The sum so far.
    pub target: Option<Target>,
}

impl Sum {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        Ok(Self {
            program: Program::new(
                gl,
                "sum",
                include_str!("../../shaders/frame.glsl"),
                [
                    include_str!("../../shaders/screen.vert"),
                    include_str!("../../shaders/sum.frag"),
                ],
            )?,
            target: None,
        })
    }

    /// Begins anew with pictures of that size. `[px]`
    pub fn begin(&mut self, gl: &Gl, size: [u32; 2]) -> Result<(), RenderError> {
        let target = match self.target.take() {
            Some(target) if target.size == size => target,
            _ => Target::texture(gl, TextureFormat::Sum, size, false)?,
        };
        target.bind();
        target.clear();
        self.target = Some(target);
        Ok(())
    }

    /// Adds a picture, by its share in the uniform block.
    pub fn add(&self, gl: &Gl, picture: &Target) {
        let (Some(target), Some(texture)) = (&self.target, &picture.texture) else {
            return;
        };
        target.bind();
        texture.bind(units::PICTURE);
        gl.set_state(State {
            blend: Blend::Add,
            ..State::FLAT
        });
        self.program.bind();
        gl.draw_screen();
    }
}
