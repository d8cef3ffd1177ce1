//! The tone pass: the scene over the backdrop, linear light to display colours.

use super::{
    RenderError,
    gl::{Gl, Program, State, Target, VertexArray},
};

pub(super) struct Tone {
    program: Program,
    screen: VertexArray,
}

impl Tone {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        Ok(Self {
            program: Program::new(
                gl,
                "tone",
                include_str!("../../shaders/frame.glsl"),
                [
                    include_str!("../../shaders/screen.vert"),
                    include_str!("../../shaders/tone.frag"),
                ],
                &[("light", 0), ("behind", 1)],
            )?,
            screen: VertexArray::new(gl)?,
        })
    }

    /// Writes the finished colours of `scene` over `backdrop` to the bound target.
    pub fn draw(&self, gl: &Gl, scene: &Target, backdrop: &Target) {
        for (unit, target) in [(0, scene), (1, backdrop)] {
            if let Some(texture) = &target.texture {
                texture.bind(unit);
            }
        }
        gl.set_state(State::FLAT);
        self.program.bind();
        self.screen.draw_screen();
    }
}
