//! Every shader compiles, and a frame draws without an error, on a driver that
//! offers nothing beyond OpenGL 3.3.

use lovelock::{
    groom::{FollowerParams, Groom},
    math::Pose,
    mesh::Mesh,
    render::{Camera, CameraParams, Environment, LightParams, LookParams, View},
};
use std::{collections::BTreeSet, process::Command, sync::Arc};

/// Set for the inner run, whose driver is held to 3.3.
const INNER: &str = "LOVELOCK_ON_OPENGL_3_3";

/// The numbers of the uses that a shader makes of the random numbers of a strand.
fn uses(text: &str) -> BTreeSet<u32> {
    let calls = text.split("strand_random(id, ").skip(1);
    calls
        .filter_map(|call| call.split('u').next()?.parse().ok())
        .collect()
}

#[test]
fn no_strand_has_a_colour_by_the_random_number_of_its_way() {
    let way = uses(include_str!("../../shaders/grow.vert"));
    let colour = uses(include_str!("../../shaders/fibre.glsl"));
    assert!(way.len() > 20 && colour.len() > 5, "{way:?} {colour:?}");
    assert!(way.is_disjoint(&colour), "{way:?} {colour:?}");
}

#[test]
fn one_frame_on_opengl_3_3() {
    if std::env::var_os(INNER).is_some() {
        return draw();
    }
    // A driver reads these when it is loaded, so they need a process of their own.
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "one_frame_on_opengl_3_3", "--nocapture"])
        .env(INNER, "1")
        .env("MESA_GL_VERSION_OVERRIDE", "3.3")
        .env("MESA_GLSL_VERSION_OVERRIDE", "330")
        .output()
        .expect("the inner run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    println!("{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "the frame on OpenGL 3.3 failed");
}

fn draw() {
    let Some((headless, mut renderer)) = crate::still::renderer() else {
        return;
    };
    println!("{}", headless.describe());
    if headless.describe().contains("Mesa") {
        assert!(
            headless.describe().contains("OpenGL 3.3"),
            "not held to 3.3"
        );
    }
    let mesh = crate::still::bust();
    let camera = Camera::new(&CameraParams::default(), mesh.bounds());
    let mut look = LookParams::default();
    let mut frame = |renderer: &mut lovelock::render::Renderer, size, samples| {
        look.samples = samples;
        let view = View {
            camera: &camera,
            look: &look,
            followers: &FollowerParams::default(),
            light: &LightParams::default(),
            environment: None,
            pose: Pose::IDENTITY,
            size,
            exact: samples > 1,
            swift: samples == 1,
        };
        renderer.frame(&view).expect("a frame");
        assert_eq!(renderer.gl_error(), None);
        let (width, height, pixels) = renderer.read_rgb();
        assert_eq!(pixels.len(), (width * height * 3) as usize);
        (width, height, pixels)
    };

    // Nothing to draw, then a head, then hair; every size and count of samples.
    frame(&mut renderer, [64, 64], 4);
    renderer.set_head(&Mesh::default());
    renderer.set_groom(&Groom::default());
    let (_, _, empty) = frame(&mut renderer, [64, 64], 4);
    renderer.set_head(&mesh);
    let (_, _, bald) = frame(&mut renderer, [64, 64], 4);
    assert_ne!(bald, empty, "no head is drawn");
    renderer.set_groom(&crate::still::curls(&mesh, 300, 30));
    let (_, _, curly) = frame(&mut renderer, [64, 64], 4);
    assert_ne!(curly, bald, "no hair is drawn");
    for (size, samples) in [([1, 1], 4), ([333, 77], 1), ([77, 333], 8), ([0, 5], 2)] {
        let (width, height, _) = frame(&mut renderer, size, samples);
        assert_eq!([width, height], size.map(|s: u32| s.max(1)));
    }
    // Positions of a groom that is gone change nothing.
    renderer.upload_positions(&[glam::Vec3::ZERO; 7]);
    let (_, _, again) = frame(&mut renderer, [64, 64], 4);
    assert_eq!(again, curly);
    // The same in the light of an environment, which is seen.
    let light = LightParams {
        environment: "sunset".into(),
        environment_seen: true,
        ..LightParams::default()
    };
    let sunset = Environment::load(&light).expect("one of the program's");
    let sunset = sunset.map(Arc::new);
    for swift in [false, true] {
        look.samples = if swift { 1 } else { 4 };
        let view = View {
            camera: &camera,
            look: &look,
            followers: &FollowerParams::default(),
            light: &light,
            environment: sunset.as_ref(),
            pose: Pose::IDENTITY,
            size: [64, 64],
            exact: !swift,
            swift,
        };
        renderer.frame(&view).expect("a frame");
        assert_eq!(renderer.gl_error(), None);
        assert_ne!(renderer.read_rgb().2, curly);
    }
    drop(renderer);
    drop(headless);
}
