//! Stiffness along and among strands, in every method.

use crate::common::{coil, groom, input, straight};
use glam::Vec3;
use lovelock::{
    groom::Groom,
    math::{Pose, lanes::F},
    mesh::CollisionMesh,
    param::Ramp,
    project::{built_scene, scene::Scene},
    sim::{
        MotionPreset, SimParams, Simulation,
        solver::{
            self, DerParams, FtlParams, PbdParams, RodParams, SOLVERS, Scratch, ShapeParams,
            SpringParams, material::RodMaterial,
        },
        state::{Block, LANES},
    },
};
use std::sync::Arc;

type Wide = Block<F<LANES>>;

/// Those whose rest shape is an equilibrium of a material.
const RODS: [&str; 2] = ["rod", "der"];

fn params(id: &str) -> SimParams {
    let mut params = SimParams::default();
    params.step.solver = id.into();
    params
}

fn advance(block: &mut Wide, params: &SimParams, steps: usize) {
    let method = solver::method(&params.step.solver).expect("listed");
    let (solver, mut scratch) = (method.solver(params), Scratch::new());
    for _ in 0..steps {
        solver.step(block, &mut scratch, &input(params, None));
    }
}

/// A beam whose softness differs along it, clamped level under its small weight,
/// has the curvature M / (E I f) everywhere, with M = w (L - s)² / 2: its tip
/// sags by w / (2 E I) times the integral of (L - s)³ / f(s).
#[test]
fn a_beam_sags_by_the_integral_of_its_softness() {
    const VERTICES: usize = 65;
    let (length, gamma) = (0.2, 0.1);
    let softer = |t: f64| 1.0 - 0.8 * t;
    let steps = 100_000;
    let moment = |k: usize| {
        let t = (k as f64 + 0.5) / steps as f64;
        (1.0 - t).powi(3) / softer(t)
    };
    let integral = (0..steps).map(moment).sum::<f64>() / steps as f64;
    for id in RODS {
        let mut params = params(id);
        let hair = RodMaterial::new(&params.material, 1.0);
        let multiple = (9.81 * length * length * length / (gamma * hair.bend[0])) as f32;
        params.of_mut::<RodParams>().sag_free = false;
        params.of_mut::<DerParams>().sag_free = false;
        params.of_mut::<RodParams>().stiffness = multiple;
        params.of_mut::<DerParams>().stiffness = multiple;
        params.of_mut::<DerParams>().steps = 2000;
        params.forces.drag = 8.0;
        let mut beams = groom(&[
            straight(Vec3::ZERO, Vec3::X, length as f32, VERTICES),
            straight(Vec3::ZERO, Vec3::X, length as f32, VERTICES),
        ]);
        let along = (0..VERTICES).map(|i| softer(i as f64 / (VERTICES - 1) as f64) as f32);
        beams.stiffness = vec![1.0; VERTICES];
        beams.stiffness.extend(along);
        let mut block = Wide::new(&beams, 0, 2, &Pose::IDENTITY);
        advance(&mut block, &params, 480);
        let sag = |lane: usize| -block.point(VERTICES - 1, lane).y / length;
        // Gamma / 8 for the even one.
        let (even, tapered) = (sag(0), sag(1));
        let errors = [even / (gamma / 8.0), tapered / (0.5 * gamma * integral)];
        for error in errors {
            assert!((error - 1.0).abs() < 4e-3, "{id}: {errors:?}");
        }
        assert!(tapered > 1.2 * even, "{id}: {tapered} and {even}");
    }
}

/// Limp tips hang no lower than they were modelled.
#[test]
fn a_groom_of_many_stiffnesses_rests_as_it_was_modelled() {
    const VERTICES: usize = 48;
    for id in RODS {
        let params = params(id);
        let curl = coil(Vec3::ZERO, 0.006, 0.014, 0.16, VERTICES);
        let mut hair = groom(&[curl.clone(), curl]);
        hair.stiffness = vec![1.0; VERTICES];
        let share = |i: usize| 1.0 - 0.7 * i as f32 / (VERTICES - 1) as f32;
        hair.stiffness.extend((0..VERTICES).map(share));
        let start = Wide::new(&hair, 0, 2, &Pose::IDENTITY);
        let mut block = start.clone();
        advance(&mut block, &params, 300);
        let off = |lane: usize| {
            let far = |i: usize| block.point(i, lane).distance(start.point(i, lane));
            (0..VERTICES).map(far).fold(0.0, f64::max)
        };
        // As calm as hair of one stiffness.
        let most = (3.0 * off(0)).max(2e-5);
        assert!(off(1) < most, "{id}: {} m off, {} m even", off(1), off(0));
    }
}

fn hair() -> (Groom, Arc<CollisionMesh>) {
    let mut scene = Scene::default();
    scene.roots.strands = 70;
    scene.groom.vertices = 20;
    let stage = built_scene::build(&scene).expect("the default scene");
    (Groom::clone(&stage.groom), stage.body)
}

fn shaken(groom: &Groom, body: &Arc<CollisionMesh>, params: &SimParams) -> Vec<Vec3> {
    let mut simulation = Simulation::new(Arc::new(groom.clone()), body.clone(), params);
    for _ in 0..40 {
        simulation.step(params);
    }
    let mut points = Vec::new();
    simulation.write_positions(&mut points);
    points
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    let apart = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    apart.fold(0.0, f32::max)
}

/// Half of all stiffness is half of what the method's own numbers say, at the
/// rate at which they are quoted.
#[test]
fn half_of_every_share_is_half_of_the_slider() {
    let (plain, body) = hair();
    let mut limp = plain.clone();
    limp.stiffness = vec![0.5; limp.points.len()];
    let mut even = plain.clone();
    even.stiffness = vec![1.0; even.points.len()];
    for method in SOLVERS.iter() {
        let mut params = params(method.id);
        params.motion.preset = MotionPreset::Shake;
        params.step.set_substeps(4);
        // What holds the groom would make up for it.
        params.of_mut::<RodParams>().sag_free = false;
        params.of_mut::<DerParams>().sag_free = false;
        let full = shaken(&plain, &body, &params);
        assert_eq!(
            full,
            shaken(&even, &body, &params),
            "{}: 1 is all",
            method.id
        );
        let mut halved = params.clone();
        halved.of_mut::<PbdParams>().bend_stiffness *= 0.5;
        halved.of_mut::<PbdParams>().twist_stiffness *= 0.5;
        halved.of_mut::<PbdParams>().shape_stiffness *= 0.5;
        // How much of the curl is held, not how much it opens.
        let opens = &mut halved.of_mut::<PbdParams>().curl_limit;
        *opens = 1.0 - 0.5 * (1.0 - *opens);
        halved.of_mut::<FtlParams>().curl *= 0.5;
        halved.of_mut::<FtlParams>().shape *= 0.5;
        halved.of_mut::<ShapeParams>().global *= 0.5;
        halved.of_mut::<ShapeParams>().local *= 0.5;
        halved.of_mut::<SpringParams>().bend *= 0.5;
        halved.of_mut::<SpringParams>().core *= 0.5;
        halved.of_mut::<RodParams>().stiffness *= 0.5;
        halved.of_mut::<DerParams>().stiffness *= 0.5;
        let [by_share, by_slider] = [
            shaken(&limp, &body, &params),
            shaken(&plain, &body, &halved),
        ];
        let (same, other) = (farthest(&by_share, &by_slider), farthest(&by_share, &full));
        assert!(
            same < 1e-4 && same < 0.02 * other,
            "{}: {same} m from the slider's, {other} m from the stiff hair's",
            method.id
        );
    }
}

/// From the scene to the strands: the ramp, the brush and chance, on grown hair
/// and on hair from a file.
#[test]
fn a_scene_says_how_stiff_hair_is() {
    let mut scene = Scene::default();
    scene.roots.strands = 60;
    scene.groom.vertices = 9;
    let plain = built_scene::build(&scene).expect("builds").groom;
    assert!(plain.stiffness.is_empty(), "1 everywhere needs no words");
    let middle = plain.strand(0)[0];
    scene.groom.stiffness_ramp = Ramp([1.0, 1.0, 1.0, 1.0, 0.25]);
    let [x, y, z] = (middle * 1e3).to_array();
    scene.roots.painted_stiffness = format!("{x} {y} {z} 40 1 -0.5");
    let check = |groom: &Groom| {
        assert_eq!(groom.stiffness.len(), groom.points.len());
        let mut touched = 0;
        for strand in 0..groom.strands() {
            let far = groom.strand(strand)[0].distance(middle);
            let share = match far {
                far if far < 0.0395 => 0.5,
                far if far > 0.0405 => 1.0,
                _ => continue,
            };
            touched += usize::from(share < 1.0);
            let along = &groom.stiffness[groom.range(strand)];
            assert!((along[0] - share).abs() < 1e-6, "{along:?} at {far}");
            assert!((along[along.len() - 1] - 0.25 * share).abs() < 1e-6);
        }
        assert!(touched > 3, "{touched} strands were touched");
    };
    let stage = built_scene::build(&scene).expect("builds");
    check(&stage.groom);
    assert_eq!(stage.groom.points, plain.points, "its shape stays");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wig.obj");
    let mut text = String::new();
    for (strand, start) in plain.starts[..60].iter().enumerate() {
        for p in plain.strand(strand) {
            text += &format!("v {} {} {}\n", p.x, p.y, p.z);
        }
        let numbers: Vec<String> = (1..=9).map(|i| (*start + i).to_string()).collect();
        text += &format!("l {}\n", numbers.join(" "));
    }
    std::fs::write(&file, text).expect("written");
    scene.import.file = file.display().to_string();
    let wig = built_scene::build(&scene).expect("builds").groom;
    assert_eq!(wig.strands(), 60);
    check(&wig);
}
