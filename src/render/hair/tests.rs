//! What shaders compute, against what must hold.

mod colours;
mod highlights;

use super::super::{
    Camera, CameraParams, Geometry, Headless, LightParams, LookParams, Renderer, Shading, View,
    frame::FrameBlock,
    gl::{Buffer, Gl, Program, Target, TextureFormat},
    pigment::PIGMENTS,
};
use crate::{
    groom::{
        Bed, FollowerParams, Followers, Groom, GroomParams,
        drawn::{self, DrawnStrand},
        grow, styles,
    },
    math::Pose,
    mesh::{CollisionMesh, HeadParams, RootParams, load::load, scatter},
};
use glam::{Quat, Vec3};

/// Directions that light is scattered to.
const DIRECTIONS: usize = 20_000;

/// Light that is sent in all directions: by a fibre by itself, weighted by the
/// cosine to its normal plane; and by the skin of a body of hair that faces the
/// light, weighted by the cosine to its normal.
const ALL_AROUND: &str = r"
out vec4 alone;
out vec4 skin;
void main() {
    // A spiral over the sphere (Vogel 1979).
    float y = 1.0 - (2.0 * float(gl_VertexID) + 1.0) / 20000.0;
    float angle = 2.399963 * float(gl_VertexID);
    vec3 to_eye = vec3(sqrt(1.0 - y * y) * vec2(cos(angle), sin(angle)), y).xzy;
    vec3 tangent = vec3(0.0, 1.0, 0.0);
    vec3 to_light = light_direction[0].xyz;
    uint id = uint(gl_VertexID);
    // In open air, nothing is scattered by other fibres.
    Spot by_itself = Spot(vec4(0.0), vec3(0.0), 1.0);
    alone = vec4(fibre_light(by_itself, tangent, to_eye, absorption(id, 0.5), id) * sqrt(1.0 - to_eye.y * to_eye.y), 1.0);
    Spot outermost = Spot(vec4(0.0), to_light, 0.0);
    skin = vec4(fibre_light(outermost, tangent, to_eye, absorption(id, 0.5), id) * max(dot(to_eye, to_light), 0.0), 1.0);
}
";

#[test]
fn a_fibre_sends_out_no_more_light_than_it_gets() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let gl = Gl::new(headless.gl());
    let shared = [
        include_str!("../../../shaders/frame.glsl"),
        include_str!("../../../shaders/strand.glsl"),
        include_str!("../../../shaders/occlusion_volume.glsl"),
        &super::fibre_glsl(),
    ];
    let program = Program::capturing(
        &gl,
        "all around",
        &shared.concat(),
        ALL_AROUND,
        &["alone", "skin"],
    )
    .expect("compiles");
    // Without a window nothing runs unless something could be drawn into.
    let target = Target::texture(&gl, TextureFormat::Light, [1, 1], false).expect("a target");
    target.bind();
    let (mut block, mut out) = (
        Buffer::new(&gl).expect("a buffer"),
        Buffer::new(&gl).expect("a buffer"),
    );
    out.reserve(32 * DIRECTIONS);
    let mut sent = |height: f32, look: &LookParams| {
        let towards = Vec3::new((1.0 - height * height).sqrt(), height, 0.0);
        block.stream_uniforms(bytemuck::bytes_of(&FrameBlock::of_one_light(towards, look)));
        program.bind();
        gl.capture(DIRECTIONS, &out);
        let mut seen = vec![[0f32; 8]; DIRECTIONS];
        out.read(bytemuck::cast_slice_mut(&mut seen));
        let part = 4.0 * std::f32::consts::PI / DIRECTIONS as f32;
        [0, 4].map(|i| {
            let sum: Vec3 = seen
                .iter()
                .map(|c| Vec3::new(c[i], c[i + 1], c[i + 2]))
                .sum();
            sum * part
        })
    };
    let mut brightest = 0f32;
    for pigment in PIGMENTS {
        for roughness in [0.15, 0.31, 0.6] {
            for height in [-0.9, -0.5, 0.0, 0.3, 0.7, 0.95] {
                let mut look = LookParams::default();
                pigment.apply_to(&mut look);
                look.roughness = roughness;
                for all in sent(height, &look) {
                    let case = format!("{} of roughness {roughness} at {height}", pigment.id);
                    assert!(all.is_finite() && all.min_element() > 0.0, "{case}: {all}");
                    assert!(all.max_element() <= 1.0, "{case}: {all}");
                    brightest = brightest.max(all.max_element());
                }
            }
        }
    }
    assert_eq!(gl.error(), None);
    // White hair in the light is bright, and the darkest is not black.
    println!("the brightest sends out {brightest}");
    assert!(brightest > 0.4, "{brightest}");
    let mut black = LookParams::default();
    PIGMENTS[0].apply_to(&mut black);
    assert!(
        sent(0.0, &black)
            .iter()
            .all(|all| all.max_element() < 0.5 * brightest)
    );
}

/// How far the shader's points may lie from those for files: its sines are not
/// the processor's, and its sums are in single precision too. `[m]`
const APART: f32 = 2e-6;

#[test]
fn shader_and_processor_grow_the_strands_that_files_get() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
    let head = load(&HeadParams::default()).expect("the built-in head");
    renderer.set_head(&head.mesh);
    let body = CollisionMesh::new(head.mesh.clone(), 0.004);
    let rooted = RootParams {
        strands: 40,
        ..RootParams::default()
    };
    let wild = FollowerParams {
        each: 6,
        clump: 0.6,
        frizz: 0.004,
        fly_aways: 0.4,
        length_spread: 0.5,
        ..FollowerParams::default()
    };
    let pose = Pose {
        rotation: Quat::from_rotation_y(0.7) * Quat::from_rotation_x(0.3),
        translation: Vec3::new(0.05, 0.1, -0.02),
    };
    let straight = styles::style("straight").expect("a style").params;
    // Edges that turn far: what rounds them is the shader's too.
    let few = GroomParams {
        vertices: 24,
        length: 0.3,
        ..GroomParams::default()
    };
    for (params, followed) in [
        (GroomParams::default(), FollowerParams::default()),
        (few, FollowerParams::default()),
        (straight(), wild),
    ] {
        let roots = scatter::roots(&head.mesh, &rooted).expect("a scalp");
        let groom = grow::grow(&roots, &params, 1, &body);
        let bed = Bed::Scalp(Box::new(rooted.clone()), Default::default());
        let followers = Followers::plant(&groom, &head.mesh, &bed, followed.each);
        assert!(followers.list.len() > 100);
        // Not as they grew: the head has moved, and the wind blows.
        let blown = |p: &Vec3| pose.point(*p) + Vec3::X * (0.3 * p.y + 0.01 * (90.0 * p.z).sin());
        let positions: Vec<Vec3> = groom.points.iter().map(blown).collect();
        renderer.set_groom(&groom);
        renderer.set_followers(&groom, &followers);
        renderer.upload_positions(&positions);
        let look = LookParams {
            rounding: 1.0,
            ..LookParams::default()
        };
        let view = View {
            camera: &Camera::new(&CameraParams::default(), head.mesh.bounds()),
            look: &look,
            light: &LightParams::default(),
            environment: None,
            followers: &followed,
            pose,
            size: [64, 48],
            exact: false,
            swift: false,
        };
        let files = drawn::followers(&groom, &followers, &followed, &positions, &pose);
        let following = groom.strands() + followers.list.len();
        let fine = |id: usize, t: f32| {
            let hair = &followers.vellus[id - following];
            let root = positions[groom.range(hair.guide as usize).start];
            hair.point(root, &pose, id as u32, t)
        };
        let count = groom.range(0).len();
        assert!(!followers.vellus.is_empty());
        for software in [false, true] {
            renderer.draw_as_software(software);
            renderer.frame(&view).expect("a frame");
            let records = &renderer.hair.drawn.records;
            assert_eq!(records.len(), following + followers.vellus.len());
            let mut points = vec![[0f32; 4]; records.len() * count];
            let grown = &renderer.hair.points.buffer;
            grown.read(bytemuck::cast_slice_mut(&mut points));
            // A fine hair has its guide in another place than a follower.
            let drawn = &renderer.hair.drawn;
            let guide = |strand: usize| match drawn.strand(strand) {
                DrawnStrand::Vellus(hair, _) => hair.guide as usize,
                DrawnStrand::Guide(guide) => guide as usize,
                DrawnStrand::Follower(follower, _) => follower.guides[0] as usize,
            };
            let (mut farthest, mut aside) = (0f32, 0f32);
            for (strand, curve) in points.chunks_exact(count).enumerate() {
                let id = records[strand][1][3] as usize;
                let expected = match id.checked_sub(groom.strands()) {
                    None => positions[groom.range(id)].to_vec(),
                    Some(index) if id < following => files[index].clone(),
                    Some(_) => (0..count)
                        .map(|i| fine(id, i as f32 / (count - 1) as f32))
                        .collect(),
                };
                for (i, (point, place)) in curve.iter().zip(&expected).enumerate() {
                    let [x, y, z, t] = *point;
                    farthest = farthest.max(place.distance(Vec3::new(x, y, z)));
                    aside = aside.max(place.distance(positions[groom.range(guide(strand))][i]));
                    assert!((t - i as f32 / (count - 1) as f32).abs() < 1e-6);
                }
            }
            println!("{farthest} m apart, followers {aside} m from their guides");
            assert!(farthest < APART, "{farthest} m");
            assert!(
                aside > 100.0 * APART,
                "followers go their own way: {aside} m"
            );
        }
    }
}

/// One upright strand of 20 cm in the middle of the picture, with `widths` of its
/// own where there are some.
fn upright(widths: Vec<f32>) -> Groom {
    Groom {
        points: (0..21).map(|i| Vec3::Y * (0.01 * i as f32 - 0.1)).collect(),
        starts: vec![0, 21],
        masses: vec![1.0],
        widths,
        ..Groom::default()
    }
}

/// Draws what the renderer has, a metre from the strand or so.
fn draw(renderer: &mut Renderer, look: &LookParams, distance: f32, swift: bool) -> Camera {
    let params = CameraParams {
        yaw: 7.0,
        pitch: 0.0,
        distance,
        ..CameraParams::default()
    };
    let camera = Camera::new(&params, [Vec3::splat(-0.001), Vec3::splat(0.001)]);
    renderer
        .frame(&View {
            camera: &camera,
            look,
            light: &LightParams::default(),
            environment: None,
            followers: &FollowerParams::default(),
            pose: Pose::IDENTITY,
            size: [401, 300],
            exact: !swift,
            swift,
        })
        .expect("a frame");
    camera
}

/// How much of each pixel is covered, in that row from below.
fn row(renderer: &Renderer, at: usize) -> Vec<f32> {
    let targets = renderer.targets.as_ref().expect("drawn");
    let cover = targets.light.as_ref().expect("light").read_cover();
    cover[at * 401..(at + 1) * 401].to_vec()
}

#[test]
fn a_strand_covers_what_its_width_covers_at_any_distance() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
    // As wide in its middle as asked.
    renderer.set_groom(&upright(Vec::new()));
    let look = LookParams {
        shading: Shading::Flat,
        width: 0.001,
        fullness: 0.0,
        samples: 1,
        ..LookParams::default()
    };
    for distance in [0.3, 1.2, 6.0] {
        let camera = draw(&mut renderer, &look, distance, false);
        let row = row(&renderer, 150);
        let pixels = 0.001 * 150.0 / ((camera.fov * 0.5).tan() * distance);
        let covered: f32 = row.iter().sum();
        assert!(
            (covered - pixels).abs() < 0.04 * pixels + 0.002,
            "at {distance} m: {covered} of {pixels} px"
        );
        let widest = row.iter().fold(0f32, |most, c| most.max(*c));
        assert!(widest <= pixels.min(1.0) + 0.01, "{widest} at {distance} m");
    }
    drop(renderer);
    drop(headless);
}

#[test]
fn a_strand_is_as_wide_as_its_own_widths_say() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
    let mut look = LookParams {
        shading: Shading::Flat,
        width: 0.001,
        fullness: 0.0,
        samples: 1,
        variation: 0.0,
        show_head: false,
        backdrop: [0.0; 3],
        ..LookParams::default()
    };
    // Below the middle, in it, and above, where the tip is.
    let mut covered = |widths: Vec<f32>| {
        renderer.set_groom(&upright(widths));
        draw(&mut renderer, &look, 1.2, false);
        [110, 150, 190].map(|at| row(&renderer, at).iter().sum::<f32>())
    };
    let near = |a: [f32; 3], b: [f32; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 0.02 * b[k]);
    let plain = covered(Vec::new());
    let same = covered(vec![1.0; 21]);
    assert!(near(same, plain), "{same:?} is not {plain:?}");
    let twice = covered(vec![2.0; 21]);
    assert!(near(twice, plain.map(|c| 2.0 * c)), "{twice:?} {plain:?}");
    // In place of the ramp, vertex by vertex: thick in the middle alone.
    let bulge = (0..21).map(|i| 1.0 + 2.0 * f32::from(u8::from((8..=12).contains(&i))));
    let [below, middle, above] = covered(bulge.collect());
    assert!(
        (middle - 3.0 * plain[1]).abs() < 0.06 * plain[1],
        "{middle} {plain:?}"
    );
    assert!((above - below).abs() < 0.02 * below, "{below} {above}");

    // The other ways of drawing show it too.
    for (geometry, swift) in [(Geometry::Tubes, false), (Geometry::Ribbons, true)] {
        look.geometry = geometry;
        look.width = 0.004;
        let mut light = |widths: Vec<f32>| {
            renderer.set_groom(&upright(widths));
            draw(&mut renderer, &look, 1.2, swift);
            let (_, _, pixels) = renderer.read_rgb();
            pixels.iter().filter(|channel| **channel > 40).count() as f32
        };
        let (plain, twice) = (light(vec![1.0; 21]), light(vec![2.0; 21]));
        println!("{geometry:?}: {plain} pixels, {twice} of twice the width");
        assert!(
            twice > 1.6 * plain && plain > 100.0,
            "{geometry:?}: {plain} {twice}"
        );
    }
    drop(renderer);
    drop(headless);
}

#[test]
fn the_processor_draws_the_strokes_that_the_driver_draws() {
    let Some(headless) = Headless::or_skip() else {
        return;
    };
    let mut renderer = Renderer::new(headless.gl()).expect("every shader compiles");
    let head = load(&HeadParams::default()).expect("the built-in head");
    renderer.set_head(&head.mesh);
    let body = CollisionMesh::new(head.mesh.clone(), 0.004);
    let rooted = RootParams {
        strands: 400,
        ..RootParams::default()
    };
    let roots = scatter::roots(&head.mesh, &rooted).expect("a scalp");
    let groom = grow::grow(&roots, &GroomParams::default(), 1, &body);
    let own: Vec<f32> = (0..groom.points.len())
        .map(|i| 1.5 + (0.1 * i as f32).sin())
        .collect();
    // What a moving picture is, a still of many samples, and a frame of a file.
    let kinds = [
        (1, true, false),
        (1, false, true),
        (4, false, true),
        (4, false, false),
    ];
    let cases = kinds.map(|kind| (Vec::new(), kind)).into_iter();
    // As from near: a few pixels wide, and wider.
    let near: Vec<f32> = own.iter().map(|width| 6.0 * width).collect();
    let wide = [kinds[0], kinds[1], kinds[3]].map(|kind| (near.clone(), kind));
    for (widths, (samples, swift, exact)) in cases.chain([(own, kinds[0])]).chain(wide) {
        let look = LookParams {
            samples,
            ..LookParams::default()
        };
        let groom = Groom {
            widths,
            ..groom.clone()
        };
        renderer.set_groom(&groom);
        let camera = Camera::new(&CameraParams::default(), head.mesh.bounds());
        let mut seen = |by_processor: bool, show_hair: bool| {
            renderer.draw_as_software(by_processor);
            let look = LookParams {
                show_hair,
                ..look.clone()
            };
            let view = View {
                camera: &camera,
                look: &look,
                light: &LightParams::default(),
                environment: None,
                followers: &FollowerParams::default(),
                pose: Pose::IDENTITY,
                size: [320, 240],
                exact,
                swift,
            };
            renderer.frame(&view).expect("a frame");
            renderer.read_rgb().2
        };
        let [driver, processor, bald] =
            [[false, true], [true, true], [true, false]].map(|[by, hair]| seen(by, hair));
        let apart = |a: &[u8], b: &[u8]| {
            let sum: u32 = a
                .iter()
                .zip(b)
                .map(|(a, b)| u32::from(a.abs_diff(*b)))
                .sum();
            f64::from(sum) / a.len() as f64
        };
        let (other, hair) = (apart(&driver, &processor), apart(&driver, &bald));
        let light = |pixels: &[u8]| {
            let sum: u64 = pixels.iter().map(|v| u64::from(*v)).sum();
            sum as f64 / pixels.len() as f64
        };
        let brighter = light(&processor) - light(&driver);
        println!(
            "{samples} samples, swift {swift}: {other} apart, {brighter} brighter, where hair \
             makes {hair}"
        );
        assert!(hair > 5.0, "hair is to be seen: {hair}");
        // The driver rounds to 8 bits at every strand that it lays over others; of several
        // samples, each is covered or is not; in the crook of a wide strand its quads lie
        // over one another.
        let most = match (samples, groom.widths.iter().any(|width| *width > 5.0)) {
            (_, true) => 0.15,
            (1, false) => 0.08,
            (_, false) => 0.11,
        };
        assert!(other < most * hair, "{other} of {hair}");
        assert!(brighter.abs() < 0.02 * hair, "{brighter} of {hair}");
    }
    assert_eq!(renderer.gl_error(), None);
    drop(renderer);
    drop(headless);
}
