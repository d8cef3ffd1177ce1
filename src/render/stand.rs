//! The stand on which a bust is whose hair hangs lower than itself, or that would rest on
//! one point of its rim.

use super::{
    RenderError,
    gl::{Gl, Program, Shape, State},
    tone::DISPLAYED,
};

/// Sides of the column.
const SIDES: usize = 64;

pub(super) struct Stand {
    program: Program,
    displayed: Program,
}

impl Stand {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let program = |name, define| {
            let shared = concat!(
                include_str!("../../shaders/frame.glsl"),
                include_str!("../../shaders/display.glsl"),
                include_str!("../../shaders/occlusion_volume.glsl"),
                include_str!("../../shaders/skin.glsl"),
            );
            let shaders = [
                include_str!("../../shaders/stand.vert"),
                include_str!("../../shaders/stand.frag"),
            ];
            Program::new(gl, name, &format!("{define}{shared}"), shaders)
        };
        Ok(Self {
            program: program("stand", "")?,
            displayed: program("stand (displayed)", DISPLAYED)?,
        })
    }

    /// Draws it into the bound target; in a `swift` frame with display colours.
    pub fn draw(&self, gl: &Gl, swift: bool) {
        gl.set_state(State::SOLID);
        match swift {
            true => self.displayed.bind(),
            false => self.program.bind(),
        }
        gl.draw(Shape::Triangles, 0..9 * SIDES);
    }
}
