//! A head that moves, and hair that does not whip for it.

use crate::common::groom;
use glam::{Quat, Vec3};
use lovelock::{
    groom::Groom,
    math::Pose,
    project::{built_scene, scene::Scene},
    sim::{
        MotionPreset, SimParams, Simulation, TorsoMode,
        keyframes::{Keyframe, Keyframes},
        solver::SOLVERS,
    },
};
use std::sync::Arc;

/// A small head of hair.
fn hair(params: impl FnOnce(&mut SimParams)) -> (Simulation, SimParams) {
    let mut scene = Scene::default();
    scene.roots.strands = 60;
    scene.groom.vertices = 24;
    scene.sim.motion.preset = MotionPreset::None;
    params(&mut scene.sim);
    let stage = built_scene::build(&scene).expect("the default head");
    (stage.simulation, scene.sim)
}

fn places(simulation: &Simulation) -> Vec<Vec3> {
    let mut out = Vec::new();
    simulation.write_positions(&mut out);
    out
}

/// As the head sees them.
fn in_head(simulation: &Simulation) -> Vec<Vec3> {
    let pose = simulation.pose();
    let places = places(simulation).into_iter();
    places.map(|p| pose.inverse_point(p)).collect()
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    let apart = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    apart.fold(0.0, f32::max)
}

fn run(simulation: &mut Simulation, params: &SimParams, steps: usize) {
    for _ in 0..steps {
        simulation.step(params);
    }
}

/// Hair that is made while the head moves begins at rest on it and moves with it.
#[test]
fn other_hair_goes_on_where_the_head_is_without_a_jolt() {
    for method in SOLVERS.iter() {
        let calm = |sim: &mut SimParams| {
            sim.step.solver = method.id.into();
            sim.torso.mode = TorsoMode::Off;
            sim.motion.choose(MotionPreset::Shake);
        };
        let (mut first, params) = hair(calm);
        run(&mut first, &params, 50);
        let (mut other, _) = hair(calm);
        other.go_on_from(&first, &params);
        assert_eq!((other.time(), other.pose()), (first.time(), first.pose()));
        let before = [places(&other), in_head(&other)];
        first.step(&params);
        other.step(&params);
        assert_eq!((other.time(), other.pose()), (first.time(), first.pose()));
        let [went, lagged] = [
            farthest(&before[0], &places(&other)),
            farthest(&before[1], &in_head(&other)),
        ];
        assert!(went > 0.004, "{}: the head stands, {went}", method.id);
        assert!(lagged < 0.25 * went, "{}: {lagged} of {went}", method.id);
    }
}

/// Without inertia and gravity nothing tells hair that its head moves.
#[test]
fn hair_without_inertia_rides_rigidly() {
    for method in SOLVERS.iter() {
        let moved = |inertia: f32, preset: MotionPreset| {
            let (mut simulation, mut params) = hair(|sim| {
                sim.step.solver = method.id.into();
                sim.forces.gravity_on = false;
                // Shoulders that stay behind push hair, whatever it feels.
                sim.torso.mode = TorsoMode::Off;
                lovelock::sim::solver::set_sag_free(sim, false);
                sim.motion.inertia = inertia;
                // Hair against hair follows the head a step late.
                sim.volume.on = false;
            });
            run(&mut simulation, &params, 30);
            let before = in_head(&simulation);
            params.motion.preset = preset;
            params.motion.amplitude = 40.0;
            params.motion.frequency = 1.0;
            params.motion.x = 0.4;
            let mut most: f32 = 0.0;
            for _ in 0..90 {
                simulation.step(&params);
                most = most.max(farthest(&before, &in_head(&simulation)));
            }
            most
        };
        for preset in [MotionPreset::Shake, MotionPreset::Jump, MotionPreset::Spin] {
            let (none, half, all) = (moved(0.0, preset), moved(0.5, preset), moved(1.0, preset));
            println!("{} {preset:?}: {none} {half} {all} m", method.id);
            assert!(none < 2e-3, "{} {preset:?}: {none} m", method.id);
            assert!(all > 4e-3, "{} {preset:?}: {all} m", method.id);
            assert!(half < all, "{} {preset:?}: {half} of {all} m", method.id);
        }
    }
}

/// A head that is suddenly elsewhere takes its hair along as it is, and as fast
/// as it is: on a plane floor it is all one where the head stands.
#[test]
fn no_jump_of_the_head_whips_the_hair() {
    for method in SOLVERS.iter() {
        let (mut simulation, mut params) = hair(|sim| sim.step.solver = method.id.into());
        run(&mut simulation, &params, 60);
        let mut other = simulation.clone();
        simulation.carry(Pose {
            rotation: Quat::from_rotation_y(1.5),
            translation: Vec3::new(1.0, 0.3, -2.0),
        });
        for step in 0..20 {
            let apart = farthest(&in_head(&other), &in_head(&simulation));
            assert!(apart < 1e-3, "{}: {apart} m after {step} steps", method.id);
            simulation.step(&params);
            other.step(&params);
        }
        simulation.reset(&params);
        let rest = in_head(&simulation);
        run(&mut simulation, &params, 3);
        let fallen = farthest(&rest, &in_head(&simulation));
        assert!(fallen < 0.02, "{}: {fallen} m after a reset", method.id);
        // The same on a head that is not where its mesh is.
        params.motion.yaw = 120.0;
        params.motion.y = 0.7;
        run(&mut simulation, &params, 200);
        simulation.reset(&params);
        let there = simulation.pose();
        assert!((there.point(Vec3::ZERO).y - 0.7).abs() < 0.3);
        let rest = in_head(&simulation);
        run(&mut simulation, &params, 3);
        let fallen = farthest(&rest, &in_head(&simulation));
        assert!(fallen < 0.02, "{}: {fallen} m after a reset", method.id);
        assert_eq!(simulation.statistics(&params).nonfinite, 0);
    }
}

/// Whatever is done to the head, the hair's roots stay on it.
#[test]
fn roots_ride_on_every_motion() {
    let strand = crate::common::straight(Vec3::new(0.0, 0.12, 0.0), Vec3::Y, 0.1, 8);
    let groom: Arc<Groom> = Arc::new(groom(&[strand]));
    let (hair, mut params) = hair(|_| ());
    for preset in MotionPreset::NAMES {
        let mut simulation = Simulation::new(groom.clone(), hair.body().clone(), &params);
        params.motion.preset = MotionPreset::from_name(preset).expect("a name");
        params.motion.amplitude = 60.0;
        params.motion.frequency = 2.0;
        params.motion.travel = 0.3;
        for _ in 0..100 {
            simulation.step(&params);
            let root = simulation.pose().point(Vec3::new(0.0, 0.12, 0.0));
            let off = places(&simulation)[0].distance(root);
            assert!(off < 1e-6, "{preset}: {off} m");
        }
    }
}

#[test]
fn a_head_with_keyframes_is_at_each_key_in_time() {
    let keys: Vec<Keyframe> = (0..6)
        .map(|i| {
            let t = i as f32;
            Keyframe {
                time: 0.5 * t,
                rotation: [40.0 * (2.0 * t).sin(), 10.0 * t, -5.0 * t],
                position: [0.02 * t, 0.0, 0.1 * t.cos()],
            }
        })
        .collect();
    let (mut simulation, params) = hair(|sim| {
        sim.motion.preset = MotionPreset::Keyframes;
        sim.motion.keyframes = Keyframes::new(keys.clone()).expect("in order");
        sim.motion.repeat = false;
    });
    let mut places = Vec::new();
    for step in 0..=180 {
        let time = simulation.time();
        let key = keys
            .iter()
            .find(|key| (f64::from(key.time) - time).abs() < 1e-6);
        let pose = simulation.pose();
        if let Some(key) = key {
            let wanted = key.place().rotation.as_quat();
            let off = pose.rotation.angle_between(wanted);
            assert!(off < 2e-3, "{off} rad at {time} s");
            places.push(pose);
        }
        // It begins there, and does not jump to there.
        assert!(step > 0 || key.is_some());
        simulation.step(&params);
    }
    assert_eq!(places.len(), keys.len());
    assert_eq!(simulation.statistics(&params).nonfinite, 0);
}

/// Every method is blown where the wind goes, less in the lee of the head.
#[test]
fn wind_moves_the_hair_of_every_method_and_less_behind_the_head() {
    for method in SOLVERS.iter() {
        let blown = |wind: bool, lee: f32| {
            let (mut simulation, params) = hair(|sim| {
                sim.step.solver = method.id.into();
                sim.wind.on = wind;
                sim.wind.strength = 5.0;
                sim.wind.direction = [-1.0, 0.0, 0.0];
                sim.wind.oscillation = 0.0;
                sim.wind.turbulence = 0.0;
                sim.wind.lee = lee;
            });
            run(&mut simulation, &params, 120);
            // Of the hair on the head's left, where the wind comes from, and of
            // the hair on its right.
            let (now, groom) = (places(&simulation), simulation.groom().clone());
            [1.0f32, -1.0].map(|side| {
                let strands =
                    (0..groom.strands()).filter(|strand| side * groom.strand(*strand)[0].x > 0.03);
                let tips: Vec<f32> = strands.map(|s| now[groom.range(s).end - 1].x).collect();
                tips.iter().sum::<f32>() / tips.len() as f32
            })
        };
        let (calm, open, sheltered) = (blown(false, 0.0), blown(true, 0.0), blown(true, 1.0));
        let moved = |now: [f32; 2]| [0, 1].map(|i| calm[i] - now[i]);
        let (open, sheltered) = (moved(open), moved(sheltered));
        println!("{}: {open:?} open, {sheltered:?} sheltered", method.id);
        assert!(open[1] > 0.015, "{}: {open:?} m", method.id);
        assert!(
            sheltered[1] < 0.8 * open[1],
            "{}: behind the head {} of {} m",
            method.id,
            sheltered[1],
            open[1]
        );
        assert!(sheltered[0] > 0.3 * open[0], "{}: {sheltered:?}", method.id);
    }
}

#[test]
fn keyframes_count_from_when_they_begin() {
    let keys = vec![
        Keyframe {
            time: 0.0,
            rotation: [0.0; 3],
            position: [0.0; 3],
        },
        Keyframe {
            time: 1.0,
            rotation: [60.0, 0.0, 0.0],
            position: [0.0; 3],
        },
    ];
    let (mut simulation, mut params) = hair(|sim| sim.motion.preset = MotionPreset::None);
    for _ in 0..90 {
        simulation.step(&params);
    }
    let begun = simulation.time();
    params.motion.preset = MotionPreset::Keyframes;
    params.motion.keyframes = Keyframes::new(keys).expect("in order");
    params.motion.repeat = false;
    let yaw = |simulation: &Simulation| {
        let (yaw, ..) = simulation.pose().rotation.to_euler(glam::EulerRot::YXZ);
        yaw.to_degrees()
    };
    for _ in 0..30 {
        simulation.step(&params);
    }
    assert_eq!(simulation.motion_begun(), begun);
    let middle = yaw(&simulation);
    assert!((20.0..40.0).contains(&middle), "{middle} halfway");
    for _ in 0..60 {
        simulation.step(&params);
    }
    let end = yaw(&simulation);
    assert!((end - 60.0).abs() < 0.1, "{end} at the end");
    simulation.reset(&params);
    assert_eq!(simulation.motion_begun(), 0.0);
    // Keys that were set since the last step count, too.
    let mut turned = params.motion.keyframes.keys().to_vec();
    turned[0].rotation = [-30.0, 0.0, 0.0];
    params.motion.keyframes = Keyframes::new(turned).expect("in order");
    simulation.reset(&params);
    assert!(
        (yaw(&simulation) + 30.0).abs() < 0.1,
        "{}",
        yaw(&simulation)
    );
}
