//! Averages pictures of the same moment.

use super::{
    RenderError,
    gl::{Blend, Gl, Program, State, Target, TextureFormat, units},
};

/// Averages pictures.
pub(super) struct Sum {
    program: Program,
    /// For pictures without a backdrop.
    clear: Program,
}

impl Sum {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        let program = |name, define: &str| {
            let shared = format!("{define}{}", include_str!("../../shaders/frame.glsl"));
            let shaders = [
                include_str!("../../shaders/screen.vert"),
                include_str!("../../shaders/sum.frag"),
            ];
            Program::new(gl, name, &shared, shaders)
        };
        Ok(Self {
            program: program("sum", "")?,
            clear: program("sum (transparent)", "#define TRANSPARENT\n")?,
        })
    }

    /// An empty sum of pictures of that size; the `old` one where it is as large. `[px]`
    ///
    /// # Errors
    /// When the driver makes no picture of that size.
    pub fn begin(gl: &Gl, size: [u32; 2], old: Option<Target>) -> Result<Target, RenderError> {
        let sum = match old {
            Some(old) if old.size == size => old,
            _ => Target::texture(gl, TextureFormat::Sum, size, false)?,
        };
        sum.bind();
        sum.clear();
        Ok(sum)
    }

    /// Adds a picture, by its share in the uniform block: a scene over its own `backdrop`,
    /// which another place on the lens sees elsewhere, or without one.
    pub fn add(&self, gl: &Gl, sum: &Target, scene: &Target, backdrop: Option<&Target>) {
        for (unit, target) in [(units::PICTURE, Some(scene)), (units::BEHIND, backdrop)] {
            if let Some(texture) = target.and_then(|target| target.texture.as_ref()) {
                texture.bind(unit);
            }
        }
        sum.bind();
        gl.set_state(State {
            blend: Blend::Add,
            ..State::FLAT
        });
        match backdrop {
            Some(_) => self.program.bind(),
            None => self.clear.bind(),
        }
        gl.draw_screen();
    }
}
