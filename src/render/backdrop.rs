//! The backdrop pass: wall, floor, and the shade of the bust on it.

use super::{
    RenderError,
    gl::{Gl, Program, State},
    screen,
    tone::DISPLAYED,
};

pub(super) struct Backdrop {
    program: Program,
    displayed: Program,
}

impl Backdrop {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let fragment = concat!(
            include_str!("../../shaders/occlusion_volume.glsl"),
            include_str!("../../shaders/stand.glsl"),
            include_str!("../../shaders/backdrop.frag")
        );
        let program = |name, define| screen::program(gl, name, define, fragment);
        Ok(Self {
            program: program("backdrop", "")?,
            displayed: program("backdrop (displayed)", DISPLAYED)?,
        })
    }

    /// Covers the bound target; in a `swift` frame with display colours.
    pub fn draw(&self, gl: &Gl, swift: bool) {
        // Its target has no depths; head and hair, which follow, are solid.
        gl.set_state(State::SOLID);
        match swift {
            true => self.displayed.bind(),
            false => self.program.bind(),
        }
        gl.draw_screen();
    }
}
