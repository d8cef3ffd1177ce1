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

#[cfg(test)]
mod tests {
    use crate::{
        groom::{FollowerParams, Groom},
        math::Pose,
        render::{
            Camera, CameraParams, Geometry, Headless, LightParams, LookParams, Renderer, View,
        },
    };
    use glam::Vec3;

    #[test]
    fn solid_strands_are_as_bright_in_colours_of_a_display_as_in_light() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
        // A curtain of strands.
        let at = |i: usize| {
            Vec3::new(
                2e-4 * (i / 20) as f32 - 0.1,
                0.1 - 0.01 * (i % 20) as f32,
                0.0,
            )
        };
        renderer.set_groom(&Groom {
            points: (0..20_000).map(at).collect(),
            starts: (0..=1000).map(|strand| 20 * strand).collect(),
            masses: vec![1.0; 1000],
            ..Groom::default()
        });
        let camera = Camera::new(
            &CameraParams::default(),
            [Vec3::splat(-0.1), Vec3::splat(0.1)],
        );
        let mut brightness = |geometry, swift| {
            let look = LookParams {
                geometry,
                samples: 1,
                ..LookParams::default()
            };
            let view = View {
                camera: &camera,
                look: &look,
                followers: &FollowerParams::default(),
                light: &LightParams::default(),
                environment: None,
                pose: Pose::IDENTITY,
                size: [64, 48],
                exact: true,
                swift,
            };
            renderer.frame(&view).expect("a frame");
            let pixels = renderer.read_rgb().2;
            let middle = &pixels[3 * 64 * 20..3 * 64 * 28];
            middle.iter().map(|p| f32::from(*p)).sum::<f32>() / middle.len() as f32
        };
        for geometry in [Geometry::Tubes, Geometry::Lines] {
            let [light, display] = [false, true].map(|swift| brightness(geometry, swift));
            assert!(
                (light - display).abs() < 0.5,
                "{geometry:?}: {light} {display}"
            );
        }
        drop(renderer);
        drop(headless);
    }
}
