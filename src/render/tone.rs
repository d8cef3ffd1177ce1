//! The tone pass: the scene over the backdrop, linear light to display colours.
//! In a swift frame all comes in such colours, and is drawn over the backdrop.

use super::{
    RenderError,
    gl::{Blend, Gl, Program, State, Target, units},
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

    /// Writes the finished colours of `scene` to the bound target: over
    /// `backdrop`, or `transparent` where nothing is, colour and cover apart.
    pub fn draw(&self, gl: &Gl, scene: &Target, backdrop: &Target, transparent: bool) {
        for (unit, target) in [(units::PICTURE, scene), (units::BEHIND, backdrop)] {
            if let Some(texture) = &target.texture {
                texture.bind(unit);
            }
        }
        // Its target has no depths; hair, which comes before, asks for them, and lies over
        // what was there, which opaque colours hide.
        let blend = match transparent {
            true => Blend::Replace,
            false => Blend::Over,
        };
        gl.set_state(State {
            depth_test: true,
            blend,
            ..State::FLAT
        });
        match transparent {
            true => self.clear.bind(),
            false => self.program.bind(),
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
