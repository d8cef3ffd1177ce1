//! The backdrop pass: wall, floor, and the shade of the bust on it.

use super::{
    RenderError,
    gl::{Gl, Program, State, VertexArray},
};

pub(super) struct Backdrop {
    program: Program,
    screen: VertexArray,
}

impl Backdrop {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        Ok(Self {
            program: Program::new(
                gl,
                "backdrop",
                include_str!("../../shaders/frame.glsl"),
                [
                    include_str!("../../shaders/screen.vert"),
                    include_str!("../../shaders/backdrop.frag"),
                ],
                &[("towards_lights", 0), ("key_sees", 1)],
            )?,
            screen: VertexArray::new(gl)?,
        })
    }

    /// Covers the bound target.
    pub fn draw(&self, gl: &Gl) {
        gl.set_state(State::FLAT);
        self.program.bind();
        self.screen.draw_screen();
    }
}
