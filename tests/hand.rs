//! What a hand does to hair in motion, with every method.

use glam::Vec3;
use lovelock::{
    app::{scene::Scene, stage},
    groom::edit,
    sim::{
        CollisionMode, MotionPreset, SimParams, Simulation,
        hand::Grasp,
        solver::SOLVERS,
        state::{Hold, LANES},
    },
};

/// Ringlets on the head, that have come to rest for a while.
fn ringlets(solver: &str, steps: usize) -> (Simulation, SimParams) {
    let mut scene = Scene::default();
    scene.roots.strands = 96;
    scene.groom.vertices = 20;
    scene.sim.step.solver = solver.into();
    scene.sim.motion.preset = MotionPreset::None;
    scene.sim.collision.mode = CollisionMode::Grid;
    let mut simulation = stage::build(&scene).expect("builds").simulation;
    for _ in 0..steps {
        simulation.step(&scene.sim);
    }
    (simulation, scene.sim)
}

fn places(simulation: &Simulation) -> Vec<Vec3> {
    let mut out = Vec::new();
    simulation.write_positions(&mut out);
    out
}

fn strand(simulation: &Simulation, places: &[Vec3], index: usize) -> Vec<Vec3> {
    places[simulation.groom().range(index)].to_vec()
}

fn fastest(simulation: &Simulation, strand: usize) -> f64 {
    let block = &simulation.state().blocks[strand / LANES];
    let speed = |i: usize| {
        let v = block.velocity[i].get(strand % LANES);
        v.iter().map(|c| c * c).sum::<f64>().sqrt()
    };
    (0..block.rows).map(speed).fold(0.0, f64::max)
}

#[test]
fn cut_hair_is_as_short_as_it_was_cut_and_does_not_jump() {
    for method in SOLVERS {
        let id = method.id;
        let (mut simulation, params) = ringlets(id, 20);
        let cut = [5, 40, 41, 95];
        let groom = simulation.groom().clone();
        let half = |s: &usize| {
            let rest = groom.strand(*s);
            (
                *s,
                edit::cut(rest, 0.5 * edit::length(rest)).expect("longer"),
            )
        };
        let curves: Vec<(usize, Vec<Vec3>)> = cut.iter().map(half).collect();
        let before = places(&simulation);
        simulation.reshape(curves.iter().map(|(s, c)| (*s, &c[..])), &params);
        let after = places(&simulation);
        for index in 0..96 {
            let (old, new) = (
                strand(&simulation, &before, index),
                strand(&simulation, &after, index),
            );
            if !cut.contains(&index) {
                assert_eq!(old, new, "{id}: strand {index} was not touched");
                continue;
            }
            assert_eq!(old[0], new[0]);
            // The curve stays where it was, only its end is gone.
            for p in &new {
                let on = |edge: &[Vec3]| {
                    let d = edge[1] - edge[0];
                    let t = (*p - edge[0]).dot(d) / d.length_squared().max(1e-12);
                    p.distance(edge[0] + d * t.clamp(0.0, 1.0))
                };
                let off = old.windows(2).map(on).fold(f32::MAX, f32::min);
                assert!(off < 0.004, "{id}: {off} m beside the old curve");
            }
        }
        let (mut most, mut usual) = (0.0f64, 0.0f64);
        for _ in 0..120 {
            simulation.step(&params);
            for index in 0..96 {
                let speed = fastest(&simulation, index);
                match cut.contains(&index) {
                    true => most = most.max(speed),
                    false => usual = usual.max(speed),
                }
            }
        }
        assert!(
            most < 2.0 * usual + 0.5,
            "{id}: {most} m/s where cut, {usual} elsewhere"
        );
        let end = places(&simulation);
        for (s, curve) in &curves {
            let (long, wanted) = (
                edit::length(&strand(&simulation, &end, *s)),
                edit::length(curve),
            );
            let spare = if id == "spring" { 0.08 } else { 0.02 };
            assert!(
                (long / wanted - 1.0).abs() < spare,
                "{id}: {long} m for {wanted}"
            );
        }
        assert_eq!(simulation.statistics(&params).nonfinite, 0, "{id}");
    }
}

#[test]
fn uncut_hair_grows_back() {
    let (mut simulation, params) = ringlets("pbd", 20);
    let groom = simulation.groom().clone();
    let cut = edit::cut(groom.strand(7), 0.03).expect("longer");
    simulation.reshape([(7, &cut[..])], &params);
    for _ in 0..30 {
        simulation.step(&params);
    }
    simulation.reshape([(7, groom.strand(7))], &params);
    for _ in 0..240 {
        simulation.step(&params);
    }
    let long = edit::length(&strand(&simulation, &places(&simulation), 7));
    assert!((long / edit::length(groom.strand(7)) - 1.0).abs() < 0.02);
    assert!(fastest(&simulation, 7) < 0.3);
}

#[test]
fn a_pin_goes_with_the_head_and_a_hand_stays_where_it_is() {
    for method in SOLVERS {
        let id = method.id;
        let (mut simulation, mut params) = ringlets(id, 10);
        let rest = simulation.groom().strand(50)[12];
        let pull = Vec3::new(0.0, 0.01, 0.0);
        let grasp = |strand, on_head, hold, place| Grasp {
            strand,
            vertex: 12,
            place,
            on_head,
            hold,
        };
        let elsewhere = simulation.groom().strand(20)[12] + pull;
        simulation.hold(vec![
            grasp(50, true, Hold::Pin, rest + pull),
            grasp(20, false, Hold::Hand, elsewhere),
            // Nobody.
            grasp(96, true, Hold::Pin, rest),
            grasp(usize::MAX, true, Hold::Pin, rest),
            Grasp {
                vertex: 500,
                ..grasp(3, true, Hold::Pin, rest)
            },
        ]);
        params.motion.preset = MotionPreset::Sway;
        for _ in 0..90 {
            simulation.step(&params);
        }
        let now = places(&simulation);
        let wanted = simulation.pose().point(rest + pull);
        let off = strand(&simulation, &now, 50)[12].distance(wanted);
        assert!(off < 0.003, "{id}: the pin is {off} m off");
        let off = strand(&simulation, &now, 20)[12].distance(elsewhere);
        assert!(off < 0.05, "{id}: the hand is {off} m off");
        let free = places(&simulation);
        simulation.hold(Vec::new());
        for _ in 0..90 {
            simulation.step(&params);
        }
        let now = places(&simulation);
        let way = strand(&simulation, &now, 50)[12].distance(strand(&simulation, &free, 50)[12]);
        assert!(way > 0.002, "{id}: let go, it moves: {way} m");
    }
}
