//! The shadow pass: the head's depth as the key light sees it.

use super::{
    RenderError,
    floor::Floor,
    gl::{Gl, Program, State, Target, TextureFormat, units},
    head::Head,
};
use glam::{
    Mat4, Vec3,
    camera::rh::{proj::opengl::orthographic, view::look_at_mat4},
};

/// Width and height of the depth picture. `[px]`
const SIZE: u32 = 1024;

pub(super) struct Shadow {
    program: Program,
    target: Target,
}

impl Shadow {
    pub fn new(gl: &Gl) -> Result<Self, RenderError> {
        Ok(Self {
            program: Program::new(
                gl,
                "shadow",
                include_str!("../../shaders/frame.glsl"),
                [
                    include_str!("../../shaders/shadow.vert"),
                    include_str!("../../shaders/shadow.frag"),
                ],
            )?,
            target: Target::texture(gl, TextureFormat::Depth, [SIZE; 2], false)?,
        })
    }

    /// From the world into the depth picture (0..=1 on all axes) of a light in
    /// direction `towards` (unit), for a head around `middle`.
    pub fn matrix(towards: Vec3, middle: Vec3, radius: f32) -> Mat4 {
        let up = if towards.y.abs() > 0.99 {
            Vec3::Z
        } else {
            Vec3::Y
        };
        let view = look_at_mat4(middle + towards * radius, middle, up);
        let r = radius.max(1e-3);
        let to_unit = Mat4::from_translation(Vec3::splat(0.5)) * Mat4::from_scale(Vec3::splat(0.5));
        to_unit * orthographic(-r, r, -r, r, 0.0, 2.0 * r) * view
    }

    /// Draws the depth picture.
    pub fn draw(&self, gl: &Gl, head: &Head) {
        self.target.bind();
        self.target.clear();
        gl.set_state(State {
            depth_bias: 2.0,
            one_sided: head.is_one_sided(gl),
            ..State::SOLID
        });
        self.program.bind();
        head.draw_triangles();
    }

    /// Lets shaders read the depth picture.
    pub fn bind(&self) {
        if let Some(texture) = &self.target.texture {
            texture.bind(units::KEY_SEES);
        }
    }
}

/// The sphere that holds the head at rest.
pub(super) fn sphere(bounds: [Vec3; 2], floor: &Floor) -> (Vec3, f32) {
    let [min, max] = bounds;
    let radius = (max - min).length() * 0.5;
    if radius.is_finite() && radius > 0.0 {
        ((min + max) * 0.5, radius)
    } else {
        (floor.place, 0.1)
    }
}
