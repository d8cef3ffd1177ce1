//! What an environment lights, against closed forms.

use glam::Vec3;
use image::RgbImage;
use lovelock::{
    groom::{FollowerParams, Groom},
    io::panorama::Panorama,
    math::Pose,
    mesh::{HeadParams, Mesh, Units, Up, load},
    render::{
        Camera, CameraParams, Environment, HeadFinish, LightParams, LookParams, Renderer, View,
    },
};
use std::{fmt::Write as _, sync::Arc};

const SIDE: u32 = 96;

/// A ball with a radius of 12 cm.
fn ball() -> Mesh {
    let (rows, columns) = (24, 48);
    let mut text = String::new();
    for row in 0..=rows {
        let (sin, cos) = (std::f32::consts::PI * row as f32 / rows as f32).sin_cos();
        for column in 0..columns {
            let around = std::f32::consts::TAU * column as f32 / columns as f32;
            let (x, z) = (0.12 * sin * around.cos(), 0.12 * sin * around.sin());
            let _ = writeln!(text, "v {x} {} {z}", 0.12 * cos);
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let at = |row: usize, column: usize| 1 + row * columns + column % columns;
            let [a, b] = [at(row, column), at(row, column + 1)];
            let [c, d] = [at(row + 1, column + 1), at(row + 1, column)];
            let _ = writeln!(text, "f {a} {b} {c} {d}");
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ball.obj");
    std::fs::write(&file, text).expect("written");
    let params = HeadParams {
        file: file.display().to_string(),
        units: Units::Metres,
        up: Up::Y,
        ..HeadParams::default()
    };
    Mesh::clone(&load::load(&params).expect("a ball").mesh)
}

struct Stage {
    renderer: Renderer,
    bounds: [Vec3; 2],
    look: LookParams,
    light: LightParams,
    // After the renderer, which must go first.
    _headless: lovelock::render::Headless,
}

impl Stage {
    fn new() -> Option<Self> {
        let (headless, mut renderer) = crate::still::renderer()?;
        let mesh = ball();
        renderer.set_head(&mesh);
        renderer.set_groom(&Groom::default());
        Some(Self {
            renderer,
            bounds: mesh.bounds(),
            look: LookParams {
                head: HeadFinish::Mannequin,
                ..LookParams::default()
            },
            light: LightParams::default(),
            _headless: headless,
        })
    }

    fn draw(&mut self, environment: Option<&Arc<Environment>>, yaw: f32) -> RgbImage {
        let camera = CameraParams {
            yaw,
            pitch: 0.0,
            ..CameraParams::default()
        };
        let seen = |environment: &Arc<Environment>| Environment::clone(environment);
        let environment =
            environment.map(|environment| Arc::new(seen(environment).seen_as(&self.light)));
        let view = View {
            camera: &Camera::new(&camera, self.bounds),
            look: &self.look,
            followers: &FollowerParams::default(),
            light: &self.light,
            environment: environment.as_ref(),
            pose: Pose::IDENTITY,
            size: [SIDE; 2],
            exact: true,
            swift: false,
        };
        self.renderer.frame(&view).expect("a frame");
        assert_eq!(self.renderer.gl_error(), None);
        let (width, height, pixels) = self.renderer.read_rgb();
        RgbImage::from_raw(width, height, pixels).expect("a picture")
    }
}

fn environment(light: impl Fn(Vec3) -> Vec3) -> Arc<Environment> {
    let picture = Panorama::of(256, |towards| light(towards.into()).to_array());
    Arc::new(Environment::new(&picture))
}

/// What a display shows of even grey light at a place of the picture, 0..1: the tone
/// curve of shaders/display.glsl.
fn displayed(light: f64, place: [f64; 2]) -> f64 {
    let off: f64 = place.iter().map(|p| (p - 0.5) * (p - 0.5)).sum();
    let v = light * (1.0 - 0.35 * off);
    let c = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    255.0 * (1.055 * c.clamp(0.0, 1.0).powf(1.0 / 2.4) - 0.055)
}

fn close(picture: &RgbImage, [x, y]: [u32; 2], wanted: f64) {
    let found = picture.get_pixel(x, y).0.map(f64::from);
    // The fit's rows do not quite add up to one, and plaster is a little warm.
    for found in found {
        assert!((found - wanted).abs() < 5.0, "{found} {wanted} at {x}, {y}");
    }
}

#[test]
fn in_an_even_room_grey_is_as_bright_as_it_reflects() {
    let Some(mut stage) = Stage::new() else {
        return;
    };
    stage.light.environment_seen = true;
    // Whatever its unit is.
    for unit in [0.001, 300.0] {
        let even = environment(|_| Vec3::splat(unit));
        for strength in [1.0, 0.25] {
            stage.light.environment_strength = strength;
            let room = 2.0 * f64::from(strength);
            let picture = stage.draw(Some(&even), 30.0);
            let corner = 0.5 / f64::from(SIDE);
            close(&picture, [0, 0], displayed(room, [corner; 2]));
            // 0.153 is the luminance of the skin, 1.6 the plaster's factor, and 0.012 what
            // its film mirrors of the room.
            let wanted = room * (0.153 * 1.6 + 0.012);
            let middle = [SIDE / 2, SIDE / 2];
            close(&picture, middle, displayed(wanted, [0.5, 0.5]));
        }
    }
}

#[test]
fn what_is_seen_in_a_direction_is_what_comes_from_there() {
    let Some(mut stage) = Stage::new() else {
        return;
    };
    stage.look.show_head = false;
    (stage.light.environment_seen, stage.light.environment_blur) = (true, 0.0);
    // Red at +z, green at +x, blue at -z, and white above.
    let sides = environment(|d| {
        let red = f32::from(d.z > 0.9);
        let green = f32::from(d.x > 0.9);
        let blue = f32::from(d.z < -0.9);
        Vec3::new(red, green, blue) + 0.05 + f32::from(d.y > 0.9)
    });
    let channel = |stage: &mut Stage, yaw: f32| {
        let picture = stage.draw(Some(&sides), yaw);
        let middle = picture.get_pixel(SIDE / 2, SIDE / 2).0;
        (0..3).max_by_key(|c| middle[*c])
    };
    // A camera before the face looks along -z.
    assert_eq!(channel(&mut stage, 0.0), Some(2));
    assert_eq!(channel(&mut stage, 180.0), Some(0));
    assert_eq!(channel(&mut stage, -90.0), Some(1));
    // Anticlockwise from above: what was at +z is at +x then.
    stage.light.environment_turn = 90.0;
    assert_eq!(channel(&mut stage, -90.0), Some(0));
    assert_eq!(channel(&mut stage, 90.0), Some(2));
}

#[test]
fn the_sun_lights_its_side_wherever_the_camera_is() {
    let Some(mut stage) = Stage::new() else {
        return;
    };
    let towards = Vec3::new(1.0, 0.2, 0.3).normalize();
    let sun = environment(|d| Vec3::splat(0.3 + 900.0 * f32::from(d.dot(towards) > 0.999)));
    let halves = |picture: &RgbImage| {
        let half = |x: u32| -> f64 {
            let row = (SIDE / 3..2 * SIDE / 3).map(|y| picture.get_pixel(x, y).0[1]);
            row.map(f64::from).sum()
        };
        [half(SIDE / 2 - 18), half(SIDE / 2 + 18)]
    };
    let seen = |stage: &mut Stage, yaw: f32| {
        let [left, right] = halves(&stage.draw(Some(&sun), yaw));
        right / left
    };
    // +x is on the right of a camera before the face, and on the left of one behind.
    let (front, back) = (seen(&mut stage, 0.0), seen(&mut stage, 180.0));
    assert!(front > 1.4 && back < 0.7, "{front} {back}");
    stage.light.environment_turn = 180.0;
    let turned = seen(&mut stage, 0.0);
    assert!(turned < 0.7, "{turned}");
    // Without it, three-point light turns with the camera.
    let [a, b] = [0.0, 180.0].map(|yaw| halves(&stage.draw(None, yaw)));
    assert!((a[0] / b[0] - 1.0).abs() < 0.02, "{a:?} {b:?}");
}
