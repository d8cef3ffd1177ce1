//! Programs that run once for every pixel of the screen.

use super::{
    RenderError,
    gl::{Gl, Program},
};

/// The program `name` of that `fragment` shader, with what `define` switches on.
pub(super) fn program(
    gl: &Gl,
    name: &str,
    define: &str,
    fragment: &str,
) -> Result<Program, RenderError> {
    let shared = concat!(
        include_str!("../../shaders/frame.glsl"),
        include_str!("../../shaders/display.glsl")
    );
    let shaders = [include_str!("../../shaders/screen.vert"), fragment];
    Program::new(gl, name, &format!("{define}{shared}"), shaders)
}
