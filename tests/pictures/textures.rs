//! A head's pictures: read beside its material library, laid on the right way
//! up, and turned from sRGB into light.

use glam::Vec3;
use image::{Rgb, RgbImage};
use lovelock::{
    groom::FollowerParams,
    math::Pose,
    mesh::{self, HeadParams, LoadedHead, Units, Up},
    render::{Camera, CameraParams, LightParams, LookParams, Renderer, Shading, View},
};
use std::{fmt::Write as _, path::Path};

const SIDE: u32 = 128;
/// Half the side of the plate that is drawn. `[m]`
const HALF: f32 = 0.15;

/// A plate that faces +z, cut in 8 x 8, with texture coordinates from 0 to 2.
fn plate() -> String {
    let mut text = String::from("mtllib plate.mtl\nusemtl skin\n");
    for j in 0..=8 {
        for i in 0..=8 {
            let (u, v) = (i as f32 / 8.0, j as f32 / 8.0);
            let at = |share: f32| (2.0 * share - 1.0) * HALF;
            let _ = writeln!(text, "v {} {} 0\nvt {} {}", at(u), at(v), 2.0 * u, 2.0 * v);
        }
    }
    text += "vn 0 0 1\n";
    for j in 0..8 {
        for i in 0..8 {
            let a = 1 + i + 9 * j;
            let corner = |k: usize| format!("{k}/{k}/1");
            let [a, b, c, d] = [a, a + 1, a + 10, a + 9].map(corner);
            let _ = writeln!(text, "f {a} {b} {c} {d}");
        }
    }
    text
}

/// The plate with that material, beside these pictures.
fn load(material: &str, pictures: &[(&str, &RgbImage)]) -> LoadedHead {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("plate.obj", &plate()).expect("written");
    write("plate.mtl", &format!("newmtl skin\n{material}\n")).expect("written");
    for (name, picture) in pictures {
        picture.save(folder.path().join(name)).expect("written");
    }
    load_file(&folder.path().join("plate.obj"))
}

fn load_file(path: &Path) -> LoadedHead {
    let params = HeadParams {
        file: path.display().to_string(),
        units: Units::Metres,
        up: Up::Y,
        ..HeadParams::default()
    };
    mesh::load(&params).expect("a head")
}

/// The plate from its front; none without OpenGL.
fn draw(head: &LoadedHead) -> Option<RgbImage> {
    let (headless, mut renderer) = crate::still::renderer()?;
    renderer.set_head(&head.mesh);
    let picture = frame(&mut renderer, &LookParams::default());
    drop((renderer, headless));
    Some(picture)
}

/// What `renderer` holds, from the front.
fn frame(renderer: &mut Renderer, look: &LookParams) -> RgbImage {
    let view = View {
        camera: &camera(),
        look,
        light: &LightParams::default(),
        environment: None,
        followers: &FollowerParams::default(),
        pose: Pose::IDENTITY,
        size: [SIDE; 2],
        exact: false,
        swift: false,
    };
    renderer.frame(&view).expect("a frame");
    assert_eq!(renderer.gl_error(), None);
    let (width, height, pixels) = renderer.read_rgb();
    RgbImage::from_raw(width, height, pixels).expect("a picture")
}

fn camera() -> Camera {
    let params = CameraParams {
        yaw: 0.0,
        pitch: 0.0,
        distance: 1.0,
        ..CameraParams::default()
    };
    let bounds = [Vec3::new(-HALF, -HALF, 0.0), Vec3::new(HALF, HALF, 0.0)];
    Camera::new(&params, bounds)
}

/// The pixel in which the plate's texture coordinate is seen.
fn at(picture: &RgbImage, u: f32, v: f32) -> [i32; 3] {
    let camera = camera();
    let place = Vec3::new(u - 1.0, v - 1.0, 0.0) * HALF;
    let seen = (camera.projection(1.0) * camera.view()).project_point3(place);
    let pixel = |share: f32| ((0.5 + 0.5 * share) * SIDE as f32) as u32;
    picture
        .get_pixel(pixel(seen.x), pixel(-seen.y))
        .0
        .map(i32::from)
}

fn plain(colour: [u8; 3]) -> RgbImage {
    RgbImage::from_pixel(4, 4, Rgb(colour))
}

#[test]
fn a_picture_lies_the_right_way_up_and_repeats() {
    // Quarters: above red and green, below blue and yellow.
    let picture = RgbImage::from_fn(64, 64, |x, y| {
        Rgb(match (x < 32, y < 32) {
            (true, true) => [200, 20, 20],
            (false, true) => [20, 200, 20],
            (true, false) => [20, 20, 200],
            (false, false) => [200, 200, 20],
        })
    });
    let head = load(
        "map_Kd -clamp off my skin.png",
        &[("my skin.png", &picture)],
    );
    assert!(
        head.report.warnings.is_empty(),
        "{:?}",
        head.report.warnings
    );
    let Some(seen) = draw(&head) else { return };
    for (i, j) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let part = |u: f32, v: f32| at(&seen, i + u, j + v);
        let [r, g, b] = part(0.25, 0.75);
        assert!(r > g + 40 && r > b + 40, "upper left is red: {r} {g} {b}");
        let [r, g, b] = part(0.75, 0.75);
        assert!(
            g > r + 40 && g > b + 40,
            "upper right is green: {r} {g} {b}"
        );
        let [r, g, b] = part(0.25, 0.25);
        assert!(b > r + 40 && b > g + 40, "lower left is blue: {r} {g} {b}");
        let [r, g, b] = part(0.75, 0.25);
        assert!(
            r > b + 40 && g > b + 40,
            "lower right is yellow: {r} {g} {b}"
        );
    }
}

#[test]
fn a_picture_is_decoded_and_tinted_by_its_material() {
    // 0.8 (200/255 of sRGB) and so on, by the standard's curve.
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        match c <= 0.04045 {
            true => c / 12.92,
            false => ((c + 0.055) / 1.055).powf(2.4),
        }
    };
    let [r, g, b] = [200, 100, 50].map(linear);
    let picture = plain([200, 100, 50]);
    let same = [
        (
            load("map_Kd a.png", &[("a.png", &picture)]),
            load(&format!("Kd {r} {g} {b}"), &[]),
        ),
        (
            load("Kd 0.5 0.9 0.7\nmap_Kd a.png", &[("a.png", &picture)]),
            load(&format!("Kd {} {} {}", 0.5 * r, 0.9 * g, 0.7 * b), &[]),
        ),
    ];
    for (painted, coloured) in &same {
        let (Some(a), Some(b)) = (draw(painted), draw(coloured)) else {
            return;
        };
        let off = a
            .as_raw()
            .iter()
            .zip(b.as_raw())
            .map(|(a, b)| a.abs_diff(*b));
        assert!(off.max() <= Some(2), "sRGB is decoded otherwise");
    }
    // Black under a picture is what exporters write, and nobody means.
    let black = load("Kd 0 0 0\nmap_Kd a.png", &[("a.png", &picture)]);
    assert_eq!(black.mesh.materials[0].diffuse, [1.0; 3]);
}

#[test]
fn a_relief_turns_towards_the_light_and_away() {
    // The key light is above on the left.
    let leaning = |x: i16, y: i16| plain([(128 + x) as u8, (128 + y) as u8, 235]);
    let skin = plain([180, 120, 100]);
    let with = |line: &str, picture: &RgbImage| {
        let material = format!("map_Kd a.png\n{line} n.png");
        draw(&load(&material, &[("a.png", &skin), ("n.png", picture)]))
    };
    let Some(flat) = with("norm", &plain([128, 128, 255])) else {
        return;
    };
    let bright = |picture: &RgbImage| at(picture, 1.1, 1.1).iter().sum::<i32>();
    let lean = |x, y| bright(&with("norm", &leaning(x, y)).expect("drawn once"));
    let straight = bright(&flat);
    assert!(lean(-60, 0) > straight + 8 && lean(60, 0) < straight - 8);
    assert!(lean(0, 60) > lean(0, -60) + 16, "up is up");
    // The same as a picture without relief.
    let without = draw(&load("map_Kd a.png", &[("a.png", &skin)])).expect("drawn once");
    assert_eq!(without, flat);
    // Heights that rise to the right lean to the left.
    let ramp = |sign: i32| {
        RgbImage::from_fn(64, 64, |x, _| {
            Rgb([(128 + sign * (2 * x as i32 - 64)) as u8; 3])
        })
    };
    let [up, down] =
        [1, -1].map(|sign| bright(&with("map_Bump -bm 4", &ramp(sign)).expect("drawn once")));
    assert!(up > down + 8, "{up} {down}");
}

#[test]
fn what_cannot_be_read_is_a_warning_and_no_more() {
    let head = load(
        "Kd 0.5 0.2 0.1\nmap_Kd lost.png\nnorm C:\\pictures\\lost too.tga",
        &[],
    );
    let told = head.report.warnings.join("\n");
    assert_eq!(head.report.warnings.len(), 2, "{told}");
    assert!(
        told.contains("lost.png cannot be read (there is no such file)"),
        "{told}"
    );
    assert!(
        told.contains("lost too.tga") && told.contains("relief is missing"),
        "{told}"
    );
    assert_eq!(head.mesh.materials[0].diffuse, [0.5, 0.2, 0.1]);
    // Not a picture at all, though its name says so.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("plate.obj", &plate()).expect("written");
    write("plate.mtl", "newmtl skin\nmap_Kd a.png\n").expect("written");
    write("a.png", "version https://git-lfs.github.com/spec/v1\n").expect("written");
    let head = load_file(&folder.path().join("plate.obj"));
    assert_eq!(head.report.warnings.len(), 1);
    assert!(head.mesh.materials[0].maps.colour.is_none());
    // A path of another machine: the picture lies beside the library.
    let head = load(
        "map_Kd D:\\scan\\tex\\a.png",
        &[("a.png", &plain([90, 60, 50]))],
    );
    assert!(head.report.warnings.is_empty());
    assert!(head.mesh.materials[0].maps.colour.is_some());
    if let Some(seen) = draw(&head) {
        assert!(at(&seen, 1.0, 1.0)[0] > 20);
    }
}

/// Mean colour of what strands of those own colours add to a picture without a
/// head, each channel 0..=1. Many strands, for a single fibre is paler than thick hair.
fn mean_of_hair(colours: &[[[f32; 3]; 2]], look: &LookParams) -> Option<Vec3> {
    let (headless, mut renderer) = crate::still::renderer()?;
    let mut groom = crate::still::curls(&crate::still::bust(), 6_000, 24);
    let all = colours.iter().cycle().take(groom.strands());
    groom.colours = all.copied().collect();
    renderer.set_groom(&groom);
    let picture = frame(&mut renderer, look);
    drop((renderer, headless));
    let sum = picture.pixels().fold(Vec3::ZERO, |sum, pixel| {
        sum + Vec3::from(pixel.0.map(f32::from))
    });
    Some(sum / (255.0 * (SIDE * SIDE) as f32))
}

#[test]
fn hair_with_colours_of_its_own_is_drawn_in_them() {
    let red = [[[0.7, 0.02, 0.02]; 2]];
    let blue = [[[0.02, 0.02, 0.7]; 2]];
    for shading in [Shading::Flat, Shading::KajiyaKay, Shading::Fibre] {
        let look = LookParams {
            shading,
            samples: 1,
            // Nothing behind the hair.
            backdrop: [0.0; 3],
            ..LookParams::default()
        };
        let Some(plain) = mean_of_hair(&[], &look) else {
            return;
        };
        let Some(red) = mean_of_hair(&red, &look) else {
            return;
        };
        let Some(blue) = mean_of_hair(&blue, &look) else {
            return;
        };
        println!("{shading:?}: {plain:.3} {red:.3} {blue:.3}");
        assert!(red.x > 1.5 * red.z && blue.z > 1.5 * blue.x, "{shading:?}");
        assert!((red.x - blue.z).abs() < 0.3 * red.x, "{shading:?}");
        assert!(plain.distance(red) > 0.01, "{shading:?}");
    }
    // From root to tip.
    let look = LookParams {
        shading: Shading::Flat,
        backdrop: [0.0; 3],
        ..LookParams::default()
    };
    let both = mean_of_hair(&[[[0.7, 0.02, 0.02], [0.02, 0.02, 0.7]]], &look);
    let Some(both) = both else { return };
    assert!(both.x > 2.0 * both.y && both.z > 2.0 * both.y, "{both}");
}
