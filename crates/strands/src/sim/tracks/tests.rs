//! Hair under forces that change over time.

use super::*;
use crate::{
    groom::Groom,
    mesh::{CollisionMesh, HeadParams, load},
    sim::{
        keyframes::{Keyframe, Keyframes},
        solver::PbdParams,
    },
};
use glam::Vec3;
use std::sync::{Arc, LazyLock};

static HEAD: LazyLock<Arc<CollisionMesh>> = LazyLock::new(|| {
    let head = load(&HeadParams::default()).expect("the built-in head");
    Arc::new(CollisionMesh::new(head.mesh, 0.004))
});

/// A few strands that stand beside the head.
fn groom() -> Arc<Groom> {
    let strand = |root: u32| {
        let root = Vec3::new(0.1, 0.05, 0.01 * root as f32);
        (0..10).map(move |i| root + Vec3::X * (0.015 * i as f32))
    };
    Arc::new(Groom {
        points: (0..12).flat_map(strand).collect(),
        starts: (0..=12).map(|i| 10 * i).collect(),
        masses: vec![1.0; 12],
        ..Groom::default()
    })
}

/// Hair that a shaken head moves.
fn params(solver: &str) -> SimParams {
    let mut params = SimParams::default();
    params.motion.choose(MotionPreset::Shake);
    params.step.solver = solver.into();
    params
}

fn keyed(mut params: SimParams, name: &str, keys: &[(f64, f64)]) -> SimParams {
    for (time, value) in keys {
        params.tracks.keys.set_key(name, *time, *value);
    }
    params
}

/// Hashes of the hair after each step.
fn hashes(params: &SimParams, steps: usize) -> Vec<u64> {
    let mut simulation = Simulation::new(groom(), HEAD.clone(), params);
    let step = |_| {
        simulation.step(params);
        simulation.state_hash()
    };
    (0..steps).map(step).collect()
}

#[test]
fn hair_moves_as_without_wind_until_the_wind_rises() {
    for solver in ["pbd", "rod"] {
        let calm = params(solver);
        let mut windy = calm.clone();
        windy.wind.on = true;
        let windy = keyed(
            windy,
            "wind.strength",
            &[(0.0, 0.0), (1.0, 0.0), (1.5, 12.0)],
        );
        let (calm, windy) = (hashes(&calm, 75), hashes(&windy, 75));
        // The step that begins at 1 s still has none.
        assert_eq!(calm[..60], windy[..60], "{solver}");
        assert!((62..75).all(|i| calm[i] != windy[i]), "{solver}");
    }
}

#[test]
fn a_track_that_says_what_the_parameter_says_changes_nothing() {
    let plain = params("pbd");
    let gravity = f64::from(plain.forces.gravity);
    let same = keyed(plain.clone(), "forces.gravity", &[(0.5, gravity)]);
    let moved = hashes(&plain, 30);
    assert!(moved.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(moved, hashes(&same, 30));
    // A method's section that nobody named is keyed, too.
    let stiff = keyed(plain.clone(), "pbd.bend_stiffness", &[(0.0, 0.9)]);
    assert_eq!(stiff.at(0.3).of::<PbdParams>().bend_stiffness, 0.9);
    assert!(moved != hashes(&stiff, 30));
}

#[test]
fn tracks_of_the_picture_cost_the_hair_nothing() {
    let plain = params("pbd");
    let lit = keyed(plain.clone(), "light.key", &[(0.0, 1.0), (1.0, 0.0)]);
    assert!(matches!(plain.at(0.5), Cow::Borrowed(_)));
    assert!(matches!(lit.at(0.5), Cow::Borrowed(_)));
    assert!(plain.moves_like(&lit) && lit.moves_like(&plain));
    let windy = keyed(lit.clone(), "wind.strength", &[(0.0, 1.0)]);
    assert!(matches!(windy.at(0.5), Cow::Owned(_)));
    assert!(!windy.moves_like(&lit) && !lit.moves_like(&windy));
}

#[test]
fn a_reset_sets_tracks_back_and_another_motion_begins_them_anew() {
    let falls = keyed(
        params("pbd"),
        "forces.gravity",
        &[(0.2, 9.81), (0.4, -20.0)],
    );
    let mut simulation = Simulation::new(groom(), HEAD.clone(), &falls);
    let run = |simulation: &mut Simulation, params: &SimParams| {
        (0..40).for_each(|_| simulation.step(params));
        simulation.state_hash()
    };
    let first = run(&mut simulation, &falls);
    assert!((simulation.track_time(&falls.motion) - 40.0 / 60.0).abs() < 1e-9);
    simulation.reset(&falls);
    assert_eq!(simulation.track_time(&falls.motion), 0.0);
    assert_eq!(run(&mut simulation, &falls), first);
    // As keyframes of the head do, which begin with the motion that they are.
    let mut nods = falls.clone();
    nods.motion.preset = MotionPreset::Nod;
    assert_eq!(simulation.track_time(&nods.motion), 0.0);
    assert_eq!(simulation.params_now(&nods).forces.gravity, 9.81);
    simulation.step(&nods);
    assert!((simulation.track_time(&nods.motion) - 1.0 / 60.0).abs() < 1e-9);
}

#[test]
fn tracks_repeat_with_the_heads_keyframes() {
    let key = |time| Keyframe {
        time,
        rotation: [0.0; 3],
        position: [0.0; 3],
    };
    let mut motion = MotionParams {
        preset: MotionPreset::Keyframes,
        keyframes: Keyframes::new(vec![key(0.0), key(2.0)]).expect("times grow"),
        ..MotionParams::default()
    };
    assert_eq!((motion.track_time(5.0), motion.rounds()), (5.0, None));
    motion.repeat = true;
    assert_eq!(motion.track_time(5.0), 1.0);
    assert_eq!(motion.rounds(), Some([0.0, 2.0]));
    motion.preset = MotionPreset::Nod;
    assert_eq!(motion.rounds(), None);
    assert_eq!(
        motion.track_time(5.0),
        5.0,
        "nothing that repeats is played"
    );
}

#[test]
fn the_heads_swing_may_grow_without_a_jump() {
    let mut params = params("pbd");
    params.motion.choose(MotionPreset::Nod);
    let turned = |params: &SimParams| {
        let mut simulation = Simulation::new(groom(), HEAD.clone(), params);
        let mut before = simulation.pose();
        let step = |_| {
            simulation.step(params);
            let pose = simulation.pose();
            let turn = before.rotation.angle_between(pose.rotation);
            before = pose;
            turn
        };
        (0..180).map(step).fold(0.0, f32::max)
    };
    let calm = turned(&params);
    let grows = keyed(params, "motion.amplitude", &[(0.5, 5.0), (2.0, 30.0)]);
    let grows = keyed(grows, "motion.frequency", &[(0.5, 0.5), (2.0, 1.0)]);
    let most = turned(&grows);
    // 30° once a second beside 22° at 0.7 Hz.
    assert!((0.5 * calm..2.4 * calm).contains(&most), "{most} of {calm}");
}

#[test]
fn what_can_be_keyed_is_a_number_that_moves() {
    let mut params = SimParams::default();
    hold_all(&mut params);
    let names: Vec<String> = params
        .sections()
        .iter()
        .flat_map(|params| {
            let section = params.section();
            let able = params.tunables().into_iter();
            let able = able.filter(move |tunable| keyable(section, tunable));
            able.map(move |tunable| format!("{section}.{}", tunable.key))
        })
        .collect();
    let is_in = |name: &str| names.iter().any(|other| other == name);
    for name in [
        "wind.strength",
        "fan.x",
        "forces.gravity",
        "material.young",
        "rod.stiffness",
        "motion.amplitude",
        "torso.follow",
        "cohesion.hold",
        "crowd.repulsion",
        "collision.friction",
    ] {
        assert!(is_in(name), "{name}");
    }
    let lists = [MOVING, BUILT, MORE, PICTURE, STEADY].concat();
    for name in BUILT.iter().chain(MORE) {
        let (section, key) = name.rsplit_once('.').expect("a name");
        let exists =
            |p: &&dyn Params| p.section() == section && p.tunables().iter().any(|t| t.key == key);
        assert!(params.sections().iter().any(exists), "{name}");
    }
    assert!(lists.iter().all(|name| !name.starts_with("b.")));
    for name in ["sim.speed", "motion.yaw", "torso.tilt", "collision.cell"] {
        assert!(!is_in(name), "{name}");
    }
    assert_eq!(track_name("b.pbd", "bend_stiffness"), "pbd.bend_stiffness");
}
