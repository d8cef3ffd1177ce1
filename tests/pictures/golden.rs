//! Pictures of a frozen state, compared with stored ones.
//!
//! On failure the picture and an enlarged difference lie under target/golden.
//! `UPDATE_GOLDEN=1 cargo test --test pictures golden` stores failing pictures anew: look
//! at each before it is committed.

use glam::{Quat, Vec3};
use image::{RgbImage, imageops::FilterType};
use lovelock::{
    groom::{Bed, FollowerParams, Followers, Groom},
    math::Pose,
    mesh::{Material, Mesh, RootParams},
    project::{built_scene, scene::Scene},
    render::{
        Camera, CameraParams, Environment, Exposure, Geometry, Lens, LightParams, LookParams,
        Renderer, Shading, Timing, View,
        pigment::{self, pigment},
    },
    sim::solver::SOLVERS,
};
use std::{path::PathBuf, sync::Arc};

const SIDE: u32 = 256;
/// Pictures are compared in squares of this side, for drivers may put a thin
/// line into the next pixel. `[px]`
const SQUARE: u32 = 4;
/// Difference allowed in steps of 255: the mean over the picture, and over the
/// worst of its 64 parts. Lines may be drawn a little differently from driver to
/// driver, surfaces hardly.
const LINES: [f32; 2] = [0.5, 4.0];
const SURFACES: [f32; 2] = [0.15, 1.0];
/// The stored pictures are a software driver's. Lines of graphics cards may differ so much
/// more from them: 0.76 and 3.9 at most on an H100.
const ON_A_CARD: f32 = 2.0;

/// The one head and groom of all pictures, and how they are shown.
struct BuiltScene {
    renderer: Renderer,
    bounds: [Vec3; 2],
    look: LookParams,
    light: LightParams,
    environment: Option<Arc<Environment>>,
    camera: CameraParams,
    pose: Pose,
    size: [u32; 2],
    swift: bool,
    // After the renderer, which must go first.
    _headless: lovelock::render::Headless,
}

impl BuiltScene {
    fn new(mesh: &Mesh, groom: &Groom) -> Option<Self> {
        let (headless, mut renderer) = crate::still::renderer()?;
        renderer.set_head(mesh);
        renderer.set_groom(groom);
        Some(Self {
            renderer,
            bounds: mesh.bounds(),
            look: LookParams::default(),
            light: LightParams::default(),
            environment: None,
            camera: CameraParams::default(),
            pose: Pose::IDENTITY,
            size: [SIDE; 2],
            swift: false,
            _headless: headless,
        })
    }

    fn with_curls() -> Option<Self> {
        let mesh = crate::still::bust();
        Self::new(&mesh, &crate::still::curls(&mesh, 1200, 40))
    }

    fn draw(&mut self) -> RgbImage {
        self.take(None)
    }

    /// Difference allowed between drivers where there are lines.
    fn lines(&self) -> [f32; 2] {
        match self.renderer.is_software() {
            true => LINES,
            false => LINES.map(|most| ON_A_CARD * most),
        }
    }

    fn still(&mut self, size: [u32; 2], samples: u32, aperture: f32) -> RgbImage {
        let before = std::mem::replace(&mut self.size, size);
        let picture = self.take(Some(Exposure {
            samples,
            lens: Lens {
                aperture,
                ..Lens::default()
            },
        }));
        self.size = before;
        picture
    }

    fn take(&mut self, exposure: Option<Exposure>) -> RgbImage {
        let view = View {
            camera: &Camera::new(&self.camera, self.bounds),
            look: &self.look,
            followers: &FollowerParams::default(),
            light: &self.light,
            environment: self.environment.as_ref(),
            pose: self.pose,
            size: self.size,
            exact: true,
            swift: self.swift,
        };
        let (width, height, pixels) = match exposure {
            None => {
                self.renderer.frame(&view).expect("a frame");
                self.renderer.read_rgb()
            }
            Some(exposure) => {
                let mut done = 0.0;
                let mut progress = |share: f32| {
                    assert!(share > done && share <= 1.0, "{share} after {done}");
                    done = share;
                };
                let still = self.renderer.still(&view, &exposure, &mut progress);
                let still = still.expect("a still");
                assert_eq!(done, 1.0);
                still
            }
        };
        assert_eq!(self.renderer.gl_error(), None);
        RgbImage::from_raw(width, height, pixels).expect("three bytes a pixel")
    }
}

fn folder(parts: &[&str]) -> PathBuf {
    parts
        .iter()
        .fold(PathBuf::from(env!("CARGO_MANIFEST_DIR")), |path, part| {
            path.join(part)
        })
}

/// Mean and worst difference of two pictures, in steps of 255.
fn difference(a: &RgbImage, b: &RgbImage) -> (f32, f32) {
    if a.dimensions() != b.dimensions() {
        return (255.0, 255.0);
    }
    let coarse =
        |image| image::imageops::resize(image, SIDE / SQUARE, SIDE / SQUARE, FilterType::Triangle);
    let (a, b) = (coarse(a), coarse(b));
    let mean = |x0: u32, y0: u32, side: u32| {
        let at = |i: u32| (x0 + i % side, y0 + i / side);
        let sum: f32 = (0..side * side)
            .flat_map(|i| {
                let (x, y) = at(i);
                let (p, q) = (a.get_pixel(x, y).0, b.get_pixel(x, y).0);
                [0, 1, 2].map(|c| (f32::from(p[c]) - f32::from(q[c])).abs())
            })
            .sum();
        sum / (3 * side * side) as f32
    };
    let side = SIDE / SQUARE;
    let tile = side / 8;
    let tiles = (0..64).map(|i| mean(i % 8 * tile, i / 8 * tile, tile));
    (mean(0, 0, side), tiles.fold(0.0, f32::max))
}

fn stored(name: &str) -> Option<RgbImage> {
    let path = folder(&["tests", "golden", &format!("{name}.png")]);
    image::open(path).ok().map(|image| image.to_rgb8())
}

/// Compares with the stored picture, or stores it where that is asked for.
fn check(name: &str, actual: &RgbImage, [most, most_in_part]: [f32; 2]) {
    let expected = stored(name);
    let (mean, worst) = expected
        .as_ref()
        .map_or((255.0, 255.0), |e| difference(e, actual));
    if mean <= most && worst <= most_in_part {
        return;
    }
    if std::env::var("UPDATE_GOLDEN").is_ok_and(|v| v == "1") {
        let path = folder(&["tests", "golden"]);
        std::fs::create_dir_all(&path).expect("tests/golden");
        actual
            .save(path.join(format!("{name}.png")))
            .expect("the picture is stored");
        return;
    }
    let out = folder(&["target", "golden"]);
    std::fs::create_dir_all(&out).expect("target/golden");
    actual
        .save(out.join(format!("{name}.png")))
        .expect("written");
    if let Some(expected) = expected.filter(|e| e.dimensions() == actual.dimensions()) {
        let mut off = actual.clone();
        for (pixel, other) in off.pixels_mut().zip(expected.pixels()) {
            for (a, b) in pixel.0.iter_mut().zip(other.0) {
                *a = a.abs_diff(b).saturating_mul(8);
            }
        }
        off.save(out.join(format!("{name}-difference.png")))
            .expect("written");
    }
    panic!(
        "{name} differs by {mean:.2} (at most {most}), in its worst part by {worst:.2} (at most {most_in_part}); \
         see target/golden, and store it with UPDATE_GOLDEN=1 if it is right"
    );
}

#[test]
fn a_swift_frame_looks_nearly_the_same() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    stage.look.samples = 1;
    for shading in [Shading::Flat, Shading::KajiyaKay, Shading::Fibre] {
        stage.look.shading = shading;
        stage.swift = false;
        let usual = stage.draw();
        stage.swift = true;
        let swift = stage.draw();
        assert_ne!(usual, swift, "not drawn another way");
        let (mean, worst) = difference(&usual, &swift);
        println!("{shading:?}: {mean} {worst}");
        let most = 2.4 * stage.lines()[1];
        assert!(mean < 1.75 && worst < most, "{shading:?}: {mean} {worst}");
    }
    // What is kept between frames is given up when it is wrong: at once where it
    // is sharp, and what is soft or goes with its points within five frames.
    let turn = |stage: &mut BuiltScene| {
        stage.pose.rotation = Quat::from_rotation_y(0.5);
        stage.light.key_yaw = 30.0;
    };
    turn(&mut stage);
    let first = stage.draw();
    stage.pose.translation.x = 0.02;
    let moved: Vec<_> = (0..5).map(|_| stage.draw()).collect();
    let Some(mut fresh) = BuiltScene::with_curls() else {
        return;
    };
    fresh.look = stage.look.clone();
    fresh.swift = true;
    turn(&mut fresh);
    assert!(first == fresh.draw(), "another light");
    fresh.pose = stage.pose;
    assert!(first != moved[0]);
    let Some(mut anew) = BuiltScene::with_curls() else {
        return;
    };
    (anew.look, anew.light, anew.pose) = (fresh.look, fresh.light, fresh.pose);
    anew.swift = true;
    assert!(moved[4] == anew.draw(), "another pose");
}

#[test]
fn head_from_the_front() {
    let Some(mut stage) = BuiltScene::new(&crate::still::bust(), &Groom::default()) else {
        return;
    };
    stage.camera.yaw = 0.0;
    check("head-front", &stage.draw(), SURFACES);
}

#[test]
fn curls_from_the_side() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    check("curls", &stage.draw(), stage.lines());
}

#[test]
fn curls_in_the_light_of_an_environment() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    stage.light.environment = "sunset".into();
    stage.light.environment_seen = true;
    let sunset = Environment::load(&stage.light).expect("one of the program's");
    stage.environment = sunset.map(Arc::new);
    check("sunset", &stage.draw(), stage.lines());
    // The camera goes round, and the light stays.
    stage.camera.yaw = -120.0;
    stage.light.environment_seen = false;
    check("sunset-behind", &stage.draw(), stage.lines());
}

#[test]
fn hair_alone() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    stage.look.show_head = false;
    stage.camera.yaw = 200.0;
    check("hair-alone", &stage.draw(), stage.lines());
}

#[test]
fn every_geometry_and_shading() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    // The curls of the other pictures are ribbons of fibres.
    type Change = (&'static str, fn(&mut LookParams));
    let looks: [Change; 7] = [
        ("tubes", |look| look.geometry = Geometry::Tubes),
        ("lines", |look| look.geometry = Geometry::Lines),
        ("one-sample", |look| {
            (look.geometry, look.samples, look.rounding) = (Geometry::Lines, 1, 1.0);
        }),
        ("flat", |look| look.shading = Shading::Flat),
        ("kajiya-kay", |look| look.shading = Shading::KajiyaKay),
        ("no-shadow", |look| look.shadow = 0.0),
        ("blond", |look| {
            pigment("blond").expect("a colour").apply_to(look);
        }),
    ];
    for (name, change) in looks {
        stage.look = LookParams::default();
        change(&mut stage.look);
        check(name, &stage.draw(), stage.lines());
    }
}

/// Few guides, many followers: what is drawn between them.
#[test]
fn followers_fill_the_hair() {
    let mesh = crate::still::bust();
    let groom = crate::still::curls(&mesh, 150, 40);
    let Some(mut stage) = BuiltScene::new(&mesh, &groom) else {
        return;
    };
    let sparse = stage.draw();
    let roots = RootParams::default();
    let followers = Followers::plant(
        &groom,
        &mesh,
        &Bed::Scalp(Box::new(roots), Default::default()),
        15,
    );
    assert_eq!(followers.list.len(), 150 * 15);
    stage.renderer.set_followers(&groom, &followers);
    let filled = stage.draw();
    check("followers", &filled, stage.lines());
    let (mean, _) = difference(&sparse, &filled);
    assert!(mean > 2.0, "followers are hardly seen: {mean}");
    // None of them are none.
    stage.renderer.set_followers(&groom, &Followers::default());
    assert_eq!(stage.draw(), sparse);
}

#[test]
fn painted_head_that_has_turned() {
    let mut mesh = crate::still::bust();
    let colours = [[0.5, 0.02, 0.02], [0.02, 0.4, 0.04], [0.03, 0.03, 0.5]];
    for (index, diffuse) in colours.into_iter().enumerate() {
        mesh.materials.push(Material {
            name: index.to_string(),
            diffuse,
            ..Material::default()
        });
    }
    mesh.triangle_material = vec![0; mesh.triangles.len()];
    for (index, group) in mesh.groups.iter().enumerate() {
        mesh.triangle_material[group.triangles.clone()].fill(index as u32 % 3);
    }
    let groom = crate::still::curls(&mesh, 1200, 40);
    let Some(mut stage) = BuiltScene::new(&mesh, &groom) else {
        return;
    };
    stage.pose = Pose {
        rotation: Quat::from_rotation_y(-0.9) * Quat::from_rotation_x(0.2),
        translation: Vec3::new(0.02, 0.03, 0.0),
    };
    let moved: Vec<Vec3> = groom.points.iter().map(|p| stage.pose.point(*p)).collect();
    stage.renderer.upload_positions(&moved);
    check("painted-turned", &stage.draw(), stage.lines());
}

/// A still is the same picture with smoother edges, whatever its size and from
/// however many tiles.
#[test]
fn a_still_is_the_picture_made_clean() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    let plain = stage.draw();
    let clean = stage.still([SIDE; 2], 16, 0.0);
    let (mean, worst) = difference(&plain, &clean);
    println!("16 exposures against one: {mean:.2} {worst:.2}");
    assert!(mean < 2.0 && worst < 8.0, "another picture: {mean} {worst}");
    // More exposures change ever less.
    let cleaner = stage.still([SIDE; 2], 32, 0.0);
    assert!(
        difference(&clean, &cleaner).0 < 0.5 * mean,
        "it does not settle"
    );
    // A lens blurs what is out of focus, and nothing moves.
    let blurred = stage.still([SIDE; 2], 16, 0.05);
    let (soft, sharp) = (sharpness(&blurred), sharpness(&clean));
    assert!(soft < 0.9 * sharp, "no blur: {soft} of {sharp}");

    // Two tiles side by side: no seam, and as one picture would have it.
    let wide = [2200, 120];
    let tiled = stage.still(wide, 2, 0.0);
    assert_eq!(tiled.dimensions(), (2200, 120));
    let step = |x: u32| {
        let column = |y| {
            let (p, q) = (tiled.get_pixel(x - 1, y).0, tiled.get_pixel(x, y).0);
            (0..3).map(|c| u32::from(p[c].abs_diff(q[c]))).sum::<u32>()
        };
        (0..120).map(column).sum::<u32>() as f32 / 360.0
    };
    assert!(
        step(2048) < step(2040) + 1.0,
        "a seam: {} {}",
        step(2048),
        step(2040)
    );
    stage.size = wide;
    let whole = stage.draw();
    let off = |x: u32, y: u32| {
        let (p, q) = (tiled.get_pixel(x, y).0, whole.get_pixel(x, y).0);
        (0..3).map(|c| f32::from(p[c].abs_diff(q[c]))).sum::<f32>() / 3.0
    };
    let sum: f32 = (0..120)
        .flat_map(|y| (0..2200).map(move |x| (x, y)))
        .map(|(x, y)| off(x, y))
        .sum();
    assert!(
        sum / (2200.0 * 120.0) < 2.0,
        "tiles do not fit: {}",
        sum / (2200.0 * 120.0)
    );
}

/// Mean difference of neighbouring pixels.
fn sharpness(picture: &RgbImage) -> f32 {
    let (width, height) = picture.dimensions();
    let step =
        |x, y| f32::from(picture.get_pixel(x, y).0[1].abs_diff(picture.get_pixel(x - 1, y).0[1]));
    let all = (0..height).flat_map(|y| (1..width).map(move |x| (x, y)));
    all.map(|(x, y)| step(x, y)).sum::<f32>() / (width * height) as f32
}

/// Each method's own hair in the wind, after a second on a head that turns:
/// what it looks like, not only what it measures.
#[test]
fn every_method_in_the_wind() {
    let Some(mut drawn) = BuiltScene::new(&crate::still::bust(), &Groom::default()) else {
        return;
    };
    let mut pictures = Vec::new();
    for method in SOLVERS.iter() {
        let mut scene = Scene::default();
        scene.roots.strands = 500;
        scene.sim.step.solver = method.id.into();
        scene.sim.wind.on = true;
        let mut built = built_scene::build(&scene).expect("the default scene");
        for _ in 0..60 {
            built.simulation.step(&scene.sim);
        }
        let mut positions = Vec::new();
        built.simulation.write_positions(&mut positions);
        drawn.pose = built.simulation.pose();
        drawn.renderer.set_groom(&built.groom);
        drawn.renderer.upload_positions(&positions);
        let picture = drawn.draw();
        check(&format!("method-{}", method.id), &picture, drawn.lines());
        for (other, seen) in &pictures {
            let (mean, worst) = difference(&picture, seen);
            assert!(
                mean > LINES[0] || worst > LINES[1],
                "{} looks like {other}",
                method.id
            );
        }
        pictures.push((method.id, picture));
    }
}

#[test]
fn the_clock_of_the_graphics_processor_tells_what_passes_cost() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    stage.renderer.time_passes(Timing::Waiting);
    stage.draw();
    let waited: Vec<&str> = stage.renderer.laps().iter().map(|lap| lap.0).collect();
    stage.renderer.time_passes(Timing::Stamps);
    let begun = std::time::Instant::now();
    for _ in 0..6 {
        stage.draw();
    }
    stage.renderer.finish();
    let spent = 1e3 * begun.elapsed().as_secs_f64();
    let laps = stage.renderer.laps();
    let named: Vec<&str> = laps.iter().map(|lap| lap.0).collect();
    assert_eq!(named, waited);
    let sum: f64 = laps.iter().map(|lap| lap.1).sum();
    assert!(sum > 0.0 && sum < spent, "{sum} ms of {spent}: {laps:?}");
    stage.renderer.time_passes(Timing::Off);
    stage.draw();
    assert!(stage.renderer.laps().is_empty());
}

/// A picture of hair all of which has the second colour is that of hair with the dye alone.
#[test]
fn a_second_colour_is_a_dye_and_streaks_are_a_share_of_the_head() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    stage.look.variation = 0.0;
    let own = stage.draw();
    let copper = [0.45, 0.16, 0.07];
    pigment::dye(&mut stage.look, pigment::dye_of(copper.into()));
    let dyed = stage.draw();
    stage.look = LookParams {
        variation: 0.0,
        tone_colour: copper,
        ..LookParams::default()
    };
    assert_eq!(
        difference(&own, &stage.draw()),
        (0.0, 0.0),
        "nothing has it"
    );
    let far = |picture: &RgbImage| difference(picture, &dyed).0;
    let none = far(&own);
    let mut before = none;
    for share in [0.25, 0.5, 0.75, 1.0] {
        stage.look.tone_streaks = share;
        let now = far(&stage.draw());
        println!("{share} of the streaks: {now:.2} of {none:.2}");
        assert!(now < before, "{now} after {before}");
        before = now;
    }
    stage.look.tone_streaks = 0.5;
    let half = far(&stage.draw());
    assert!((0.25..0.75).contains(&(half / none)), "{half} of {none}");
    // From the roots on, and to where it begins late.
    stage.look.tone_streaks = 0.0;
    (stage.look.tone_tips, stage.look.tone_blend) = (1.0, 0.0);
    let all = far(&stage.draw());
    stage.look.tone_tips = 0.4;
    let tips = far(&stage.draw());
    println!("all {all:.2}, tips {tips:.2}, none {none:.2}");
    assert!(all < 0.15 * none && all < tips && tips < none);
}

/// A comparison that never fails would prove nothing: each of these is a change
/// that someone would see.
#[test]
fn the_comparison_sees_what_a_person_would() {
    let Some(mut stage) = BuiltScene::with_curls() else {
        return;
    };
    let before = stage.draw();
    let plain = |stage: &mut BuiltScene| {
        stage.look = LookParams::default();
        stage.camera = CameraParams::default();
        stage.light = LightParams::default();
    };
    assert_eq!(
        difference(&before, &stage.draw()),
        (0.0, 0.0),
        "twice the same"
    );
    type Change = (&'static str, fn(&mut BuiltScene));
    let changes: [Change; 13] = [
        ("no shadow", |s| s.look.shadow = 0.0),
        ("no shine", |s| s.look.shine = 0.0),
        ("more pigment", |s| s.look.eumelanin = 1.0),
        ("some grey", |s| s.look.grey = 0.1),
        ("more variation", |s| s.look.variation = 1.0),
        ("darker", |s| s.look.exposure = 0.9),
        ("paler skin", |s| s.look.skin_colour = [0.42, 0.34, 0.28]),
        ("half the strands", |s| s.look.drawn = 0.5),
        ("turned by a degree", |s| s.camera.yaw += 1.0),
        ("key from the right", |s| s.light.key_yaw = 47.8),
        ("weaker key", |s| s.light.key = 0.85),
        ("no fill", |s| s.light.fill = 0.0),
        ("no rims", |s| s.light.rim = 0.0),
    ];
    for (name, change) in changes {
        change(&mut stage);
        let (mean, worst) = difference(&before, &stage.draw());
        println!("{name}: {mean:.2} {worst:.2}");
        assert!(
            mean > LINES[0] || worst > LINES[1],
            "{name} goes unseen: {mean} {worst}"
        );
        plain(&mut stage);
    }
    // What drivers may do otherwise: a line in the next pixel's samples.
    stage.camera.shift_x = 0.0005;
    let (mean, worst) = difference(&before, &stage.draw());
    println!("a quarter of a pixel: {mean:.2} {worst:.2}");
    assert!(
        mean <= LINES[0] && worst <= LINES[1],
        "a quarter of a pixel: {mean} {worst}"
    );
}
