//! The tone pass: the scene over the backdrop, linear light to display colours.
//! In a swift frame all comes in such colours, and is drawn over the backdrop.

use super::{
    RenderError,
    gl::{Gl, Program, State, Target, units},
    screen,
};

/// Lets a shader put out colours of a display in place of light.
pub(super) const DISPLAYED: &str = "#define DISPLAYED\n";

pub(super) struct Tone {
    program: Program,
    clear: Program,
    wall: Program,
}

impl Tone {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let fragment = include_str!("../../shaders/tone.frag");
        let program = |name, define| screen::program(gl, name, define, fragment);
        Ok(Self {
            program: program("tone", "")?,
            clear: program("tone (transparent)", "#define TRANSPARENT\n")?,
            wall: program("wall", DISPLAYED)?,
        })
    }

    /// Writes the finished colours of `scene` to the bound target: over a `backdrop`, or
    /// without one transparent where nothing is, colour and cover apart.
    pub fn draw(&self, gl: &Gl, scene: &Target, backdrop: Option<&Target>) {
        for (unit, target) in [(units::PICTURE, Some(scene)), (units::BEHIND, backdrop)] {
            if let Some(texture) = target.and_then(|target| target.texture.as_ref()) {
                texture.bind(unit);
            }
        }
        gl.set_state(State {
            // Its target has no depths; hair, which comes before, asks for them.
            depth_test: true,
            ..State::FLAT
        });
        match backdrop {
            Some(_) => self.program.bind(),
            None => self.clear.bind(),
        }
        gl.draw_screen();
    }

    /// Writes `backdrop`, which is in display colours, to the bound target.
    pub fn draw_wall(&self, gl: &Gl, backdrop: &Target) {
        if let Some(texture) = &backdrop.texture {
            texture.bind(units::BEHIND);
        }
        gl.set_state(State::FLAT);
        self.wall.bind();
        gl.draw_screen();
    }
}
