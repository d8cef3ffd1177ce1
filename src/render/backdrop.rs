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

#[cfg(test)]
mod tests {
    use crate::{
        groom::{FollowerParams, Groom},
        math::Pose,
        mesh::{HeadParams, load::load},
        render::{Camera, CameraParams, Headless, LightParams, LookParams, Renderer, View},
    };
    use glam::Vec3;

    #[test]
    fn the_floor_is_shaded_by_what_is_seen_and_by_no_light_that_is_out() {
        let Some(headless) = Headless::or_skip() else {
            return;
        };
        let head = load(&HeadParams::default()).expect("the built-in head");
        let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
        renderer.set_head(&head.mesh);
        // Threads around the head.
        let at = |i: usize| {
            let (sin, cos) = (0.02 * (i / 20) as f32).sin_cos();
            Vec3::new(0.1 * sin, 0.12 - 0.012 * (i % 20) as f32, 0.1 * cos)
        };
        renderer.set_groom(&Groom {
            points: (0..6280).map(at).collect(),
            starts: (0..=314).map(|strand| 20 * strand).collect(),
            masses: vec![1.0; 314],
            ..Groom::default()
        });
        let camera = CameraParams {
            pitch: 25.0,
            distance: 2.5,
            ..CameraParams::default()
        };
        let camera = Camera::new(&camera, head.mesh.bounds());
        let frame = |renderer: &mut Renderer, look: &LookParams, light: &LightParams| {
            let view = View {
                camera: &camera,
                look,
                followers: &FollowerParams::default(),
                light,
                environment: None,
                pose: Pose::IDENTITY,
                size: [120, 90],
                exact: true,
                swift: false,
            };
            renderer.frame(&view).expect("a frame");
            renderer.read()
        };
        let differs = |a: &[u8], b: &[u8]| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 1);

        let (bald, from_left) = (
            LookParams {
                show_hair: false,
                ..LookParams::default()
            },
            LightParams::default(),
        );
        let out = |light: LightParams| LightParams { key: 0.0, ..light };
        let from_right = LightParams {
            key_yaw: 60.0,
            ..LightParams::default()
        };
        let mut lit = |light| frame(&mut renderer, &bald, &light).2;
        let [left, right] = [from_left.clone(), from_right.clone()].map(&mut lit);
        assert!(differs(&left, &right), "the key light's shade is seen");
        let [left, right] = [out(from_left.clone()), out(from_right)].map(&mut lit);
        assert!(
            !differs(&left, &right),
            "a light that is out throws a shade"
        );

        // The places that no hair covers.
        let hidden = LookParams {
            show_head: false,
            ..LookParams::default()
        };
        renderer.set_transparent(true);
        let cover = frame(&mut renderer, &hidden, &from_left).2;
        renderer.set_transparent(false);
        let mut floor = |scale: f32| {
            let places: Vec<Vec3> = head.mesh.positions.iter().map(|p| *p * scale).collect();
            renderer.deform_head(&places);
            let seen = frame(&mut renderer, &hidden, &from_left).2;
            let bare = cover.chunks_exact(4).zip(seen.chunks_exact(3));
            let bare = bare.filter(|(cover, _)| cover[3] == 0);
            bare.flat_map(|(_, seen)| seen.to_vec())
                .collect::<Vec<u8>>()
        };
        let [large, small] = [1.0, 0.3].map(&mut floor);
        assert!(
            large.len() > 9000 && !differs(&large, &small),
            "a hidden head throws a shade"
        );
        assert_eq!(renderer.gl_error(), None);
        drop(renderer);
        drop(headless);
    }
}
