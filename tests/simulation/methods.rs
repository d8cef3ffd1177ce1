//! What is measured of any method, and changing the method while hair moves.

use crate::common::{groom, straight};
use glam::Vec3;
use lovelock::{
    groom::Groom,
    mesh::{CollisionMesh, HeadParams, load},
    project::{built_scene, examples::EXAMPLES, scene::Scene},
    sim::{
        CollisionMode, MotionPreset, SimParams, Simulation,
        solver::{Effort, RodParams, SOLVERS},
    },
};
use std::{path::Path, sync::Arc};

/// Strands in empty air, moved by rods.
fn in_air(strands: &[Vec<Vec3>], params: &SimParams) -> Simulation {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let groom: Arc<Groom> = Arc::new(groom(strands));
    Simulation::new(groom, Arc::new(CollisionMesh::new(head.mesh, 0.02)), params)
}

fn rods() -> SimParams {
    let mut params = SimParams::default();
    params.step.solver = "rod".into();
    params.collision.mode = CollisionMode::Off;
    params.motion.preset = MotionPreset::None;
    params
}

/// What rides on the head moves as the head does, whatever the strand does to it:
/// other hair, damping and statistics see that velocity. (A rod is clamped by its
/// first frame, its second vertex is free.)
#[test]
fn a_vertex_on_a_resting_head_rests_however_hard_the_strand_pulls() {
    for method in SOLVERS.iter() {
        let mut params = SimParams::default();
        params.step.solver = method.id.into();
        params.collision.mode = CollisionMode::Off;
        params.motion.preset = MotionPreset::None;
        params.volume.on = false;
        // Ten times what hair weighs, sideways: every limit of length is reached.
        params.forces.gravity = 98.1;
        let strand = straight(Vec3::new(0.0, 0.5, 0.0), Vec3::X, 0.2, 24);
        let mut simulation = in_air(&[strand], &params);
        let start = simulation.state().blocks[0].position.clone();
        for _ in 0..20 {
            simulation.step(&params);
            let block = &simulation.state().blocks[0];
            let rides = if method.rods { 1 } else { block.pinned };
            for (row, place) in start.iter().enumerate().take(rides) {
                assert_eq!(block.position[row].get(0), place.get(0), "{}", method.id);
                let speed = Vec3::from_array(block.velocity[row].get(0).map(|c| c as f32)).length();
                assert!(
                    speed < 1e-6,
                    "{}: row {row} moves at {speed} m/s",
                    method.id
                );
            }
        }
    }
}

/// A weak load bends a clamped beam in proportion, so half of the height's
/// energy is stored in it and the other half was lost on the way.
#[test]
fn a_bent_beam_stores_half_of_what_its_weight_gave() {
    let beam = straight(Vec3::new(0.0, 0.5, 0.0), Vec3::X, 0.05, 33);
    let mut params = rods();
    params.of_mut::<RodParams>().sag_free = false;
    params.of_mut::<RodParams>().stiffness = 20.0;
    params.forces.drag = 3.0;
    let mut simulation = in_air(&[beam], &params);
    simulation.step(&params);
    // Counted from the beam as it was: straight, at one height.
    let height = |simulation: &Simulation| simulation.statistics(&params).potential;
    for _ in 0..600 {
        simulation.step(&params);
    }
    let after = simulation.statistics(&params);
    let fallen = -height(&simulation);
    assert!(fallen > 1e-10, "it sags: {fallen:e} J");
    let stored = after.elastic.expect("rods know it");
    let share = stored / fallen;
    assert!((share - 0.5).abs() < 0.01, "{share} of the fall is stored");
    assert!(after.kinetic < 1e-3 * stored, "it rests");
}

#[test]
fn energies_follow_the_material() {
    let strand = straight(Vec3::new(0.0, 0.5, 0.0), Vec3::X, 0.2, 17);
    let mut params = rods();
    params.forces.drag = 6.0;
    params.of_mut::<RodParams>().sag_free = false;
    let mut simulation = in_air(&[strand], &params);
    let modelled = simulation.statistics(&params);
    assert_eq!(
        (modelled.potential, modelled.elastic),
        (0.0, None),
        "not moved yet"
    );
    for _ in 0..240 {
        simulation.step(&params);
    }
    let measured = simulation.statistics(&params);
    let thin = measured.potential;
    // It hangs down all but for the bend at its root: its middle is nearly 0.1 m lower.
    let mass = 1320.0 * std::f64::consts::PI * 40e-6f64.powi(2) * 0.2;
    let fallen = -thin / (mass * 9.81);
    assert!((0.08..0.1).contains(&fallen), "{fallen}");
    assert!(measured.elastic.is_some_and(|stored| stored > 0.0));
    params.material.diameter = 160.0;
    let thick = simulation.statistics(&params).potential;
    assert!((thick / thin - 4.0).abs() < 1e-4, "{thick} against {thin}");
}

#[test]
fn the_groom_hold_counts_the_strands_that_stand() {
    let up = straight(Vec3::new(0.0, 0.5, 0.0), Vec3::Y, 0.25, 33);
    let down = straight(Vec3::new(0.1, 0.5, 0.0), Vec3::NEG_Y, 0.25, 33);
    let strands = [up, down.clone(), down.clone(), down];
    let mut params = rods();
    let mut simulation = in_air(&strands, &params);
    let first = simulation.statistics(&params);
    assert_eq!((first.held, first.hold), (0.0, 1.0), "not moved yet");
    simulation.step(&params);
    let held = simulation.statistics(&params);
    assert_eq!(held.held, 0.25);
    // A column that stands holds up to 7.837 EI = weight x length squared.
    let needed = 0.25f64.powi(3) / (7.837 * 0.25 * 3.9e9 * 40e-6f64.powi(2) / (1320.0 * 9.81));
    let hold = f64::from(held.hold);
    assert!(
        hold > needed && hold < 2.0 * needed,
        "{hold} where {needed} is needed"
    );
    assert!(held.elastic.is_some_and(|stored| stored > 0.0));
    params.of_mut::<RodParams>().sag_free = false;
    simulation.step(&params);
    let free = simulation.statistics(&params);
    assert_eq!((free.held, free.hold), (0.0, 1.0), "nothing is held");
    params.step.solver = "pbd".into();
    params.of_mut::<RodParams>().sag_free = true;
    simulation.step(&params);
    let other = simulation.statistics(&params);
    assert_eq!((other.held, other.hold, other.elastic), (0.0, 1.0, None));
}

#[test]
fn extra_passes_are_a_share_of_the_substeps_between() {
    let strand = straight(Vec3::new(0.0, 0.5, 0.0), Vec3::X, 0.2, 33);
    let mut params = rods();
    let mut simulation = in_air(&[strand], &params);
    for _ in 0..5 {
        simulation.step(&params);
    }
    let calm = simulation.statistics(&params);
    assert!(calm.effort.substeps > 0);
    assert_eq!(calm.extra_passes(&Effort::default()), 0.0);
    // A storm that blows it about in long steps, once it has swelled.
    params.step.set_substeps(1);
    params.wind.on = true;
    params.wind.strength = 50.0;
    params.forces.drag = 20.0;
    for _ in 0..60 {
        simulation.step(&params);
    }
    let share = simulation.statistics(&params).extra_passes(&calm.effort);
    assert!(share > 0.0 && share < 2.0, "{share}");
}

/// Hair that lies on the head and comes to rest is solved for once in a substep: what it has
/// room for is known before a pass, not after one that has to be repeated.
#[test]
fn hair_that_lies_at_rest_needs_no_extra_passes() {
    let mut scene = Scene::default();
    scene.roots.strands = 200;
    let mut stage = built_scene::build(&scene).expect("the default scene");
    let mut params = scene.sim;
    params.step.solver = "rod".into();
    params.of_mut::<RodParams>().sag_free = false;
    params.motion.preset = MotionPreset::None;
    // What other hair does keeps it in motion.
    (params.volume.on, params.cohesion.hold) = (false, 0.0);
    let simulation = &mut stage.simulation;
    for _ in 0..30 {
        simulation.step(&params);
    }
    let falling = simulation.statistics(&params);
    let share = falling.extra_passes(&Effort::default());
    assert!(share > 0.05, "it has not come down on the head: {share}");
    for _ in 0..120 {
        simulation.step(&params);
    }
    let before = simulation.statistics(&params).effort;
    for _ in 0..60 {
        simulation.step(&params);
    }
    let lying = simulation.statistics(&params);
    let share = lying.extra_passes(&before);
    println!("extra passes of {:.2} % of the strands", 100.0 * share);
    assert!(share < 0.01, "{share}");
}

/// Mean distance between two states. `[m]`
fn apart(from: &[Vec3], to: &[Vec3]) -> f32 {
    let distances = from.iter().zip(to).map(|(a, b)| a.distance(*b));
    distances.sum::<f32>() / from.len() as f32
}

/// Methods disagree on where hair hangs. It goes there in its own time: the
/// first step is the begin of a motion, not all of it.
#[test]
fn another_method_takes_over_without_a_jump() {
    let mut scene = Scene::default();
    scene.roots.strands = 200;
    let mut stage = built_scene::build(&scene).expect("the default scene");
    let simulation = &mut stage.simulation;
    let mut params = scene.sim;
    let positions = |simulation: &Simulation| {
        let mut out = Vec::new();
        simulation.write_positions(&mut out);
        out
    };
    for _ in 0..60 {
        simulation.step(&params);
    }
    for method in SOLVERS.iter().cycle().skip(1).take(2 * SOLVERS.len()) {
        let earlier = positions(simulation);
        simulation.step(&params);
        params.step.solver = method.id.into();
        let before = positions(simulation);
        let last = apart(&earlier, &before);
        simulation.step(&params);
        let first = positions(simulation);
        simulation.step(&params);
        let second = positions(simulation);
        for _ in 0..60 {
            simulation.step(&params);
        }
        let there = positions(simulation);
        let id = method.id;
        let (begun, next) = (apart(&before, &first), apart(&first, &second));
        let way = apart(&before, &there);
        assert!(
            begun < 0.006,
            "{id} moves the hair by {begun} m in its first step"
        );
        // What moves already goes on moving.
        assert!(
            begun < 1.2 * next.max(last),
            "{id} jerks: {last} m a step before, {begun} m, then {next} m"
        );
        assert!(begun < 0.4 * way, "{id}: {begun} m of {way} m at once");
    }
}

/// Springs that come in softly carry no more than they can: hair at rest does
/// not fall before they are there, and ends where springs alone would have it.
#[test]
fn springs_take_over_hair_at_rest_without_letting_it_fall() {
    let mut scene = Scene::default();
    scene.sim.motion.preset = MotionPreset::None;
    let mut stage = built_scene::build(&scene).expect("the default scene");
    let mut alone = stage.simulation.clone();
    let (simulation, groom) = (&mut stage.simulation, &stage.groom);
    let mut params = scene.sim;
    let tips = |simulation: &Simulation| -> Vec<Vec3> {
        let mut out = Vec::new();
        simulation.write_positions(&mut out);
        (0..groom.strands())
            .map(|strand| out[groom.range(strand).end - 1])
            .collect()
    };
    let median = |mut values: Vec<f32>| {
        values.sort_by(f32::total_cmp);
        values[values.len() / 2]
    };
    let fallen = |now: &[Vec3], then: &[Vec3]| {
        median(then.iter().zip(now).map(|(a, b)| a.y - b.y).collect())
    };
    for _ in 0..180 {
        simulation.step(&params);
    }
    params.step.solver = "spring".into();
    let rest = tips(simulation);
    let mut lowest = f32::MIN;
    for _ in 0..180 {
        simulation.step(&params);
        lowest = lowest.max(fallen(&tips(simulation), &rest));
    }
    let after = tips(simulation);
    for _ in 0..180 {
        alone.step(&params);
    }
    let alone = tips(&alone);
    let apart = median(
        after
            .iter()
            .zip(&alone)
            .map(|(a, b)| a.distance(*b))
            .collect(),
    );
    let last = fallen(&after, &rest);
    println!("lowest {lowest} m, at last {last} m, {apart} m from springs alone");
    assert!(
        lowest < last.max(0.0) + 0.01,
        "{lowest} m on the way to {last} m"
    );
    assert!(apart < 0.01, "{apart} m from where springs alone hold it");
}

/// The scene of ringlets, with fewer strands.
#[test]
fn ringlets_stay_ringlets_and_out_of_the_head() {
    let mut scene = Scene::default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenes/ringlets.toml");
    scene.read(&path).expect("the scene");
    assert_eq!(
        (scene.sim.step.solver.as_str(), scene.roots.strands),
        ("rod", 2000)
    );
    scene.roots.strands = 400;
    let mut stage = built_scene::build(&scene).expect("ringlets");
    let simulation = &mut stage.simulation;
    let mut params = scene.sim;
    for _ in 0..600 {
        simulation.step(&params);
    }
    let rest = simulation.statistics(&params);
    assert_eq!(rest.penetrating, 0, "{} m deep", rest.max_penetration);
    assert!(rest.max_stretch < 1e-5 && rest.nonfinite == 0);
    let mut positions = Vec::new();
    simulation.write_positions(&mut positions);
    let drift = apart(&stage.groom.points, &positions);
    assert!(
        drift < 1e-3,
        "they hang {drift} m from where they were modelled"
    );
    // In the wind a lash may get through the skin; it does not stay there.
    params.wind.on = true;
    params.wind.strength = 6.0;
    let mut deep = 0;
    for _ in 0..120 {
        simulation.step(&params);
        let now = simulation.statistics(&params);
        assert!(now.max_stretch < 1e-5 && now.nonfinite == 0);
        deep += u32::from(now.max_penetration > 0.002);
    }
    assert!(deep <= 6, "deep in the head in {deep} of 120 steps");
    params.wind.on = false;
    for _ in 0..180 {
        simulation.step(&params);
    }
    let calm = simulation.statistics(&params);
    assert!(
        calm.max_penetration < 5e-4,
        "{} m deep",
        calm.max_penetration
    );
    simulation.write_positions(&mut positions);
    let back = apart(&stage.groom.points, &positions);
    assert!(back < 0.01, "{back} m from their places after the wind");
}

/// Scenes as they come with the program, and their strands as all six methods
/// have them: nothing stops, and hair goes somewhere.
#[test]
fn every_scene_that_comes_with_the_program_moves_in_every_method() {
    let styles = EXAMPLES.iter().filter(|example| !example.study);
    for example in styles {
        let mut scene = example.scene().expect(example.name);
        scene.roots.strands = 33;
        // Without wind a style rests to the last bit.
        scene.sim.wind.on = true;
        let built = built_scene::build(&scene).expect(example.name).simulation;
        for method in SOLVERS.iter() {
            scene.sim.step.solver = method.id.into();
            let mut simulation = built.clone();
            let start = simulation.state_hash();
            for _ in 0..6 {
                simulation.step(&scene.sim);
            }
            let statistics = simulation.statistics(&scene.sim);
            let of = format!("{} by {}", example.name, method.id);
            assert_ne!(simulation.state_hash(), start, "{of}");
            assert_eq!(statistics.nonfinite, 0, "{of}");
            assert!(statistics.max_stretch < 0.06, "{of}: {statistics:?}");
        }
    }
}

/// Limp hair stores much energy of a style that it does not hold; let go at once by the
/// slider, it would leave the head as a burst (20 m/s, here 10 to 20).
#[test]
fn limp_hair_that_becomes_wiry_curls_up_and_does_not_burst() {
    let mut scene = Scene::default();
    (scene.roots.strands, scene.groom.vertices) = (60, 32);
    scene.sim.motion.preset = MotionPreset::None;
    let stage = built_scene::build(&scene).expect("builds");
    for method in SOLVERS.iter() {
        let mut params = scene.sim.clone();
        params.step.solver = method.id.into();
        params.step.softness = 0.0;
        let (groom, body) = (stage.groom.clone(), stage.body.clone());
        let mut simulation = Simulation::new(groom, body, &params);
        let rate = params.step.rate;
        (0..2 * rate).for_each(|_| simulation.step(&params));
        params.step.softness = 1.0;
        let (mut before, mut now) = (Vec::new(), Vec::new());
        simulation.write_positions(&mut before);
        let limp = before.clone();
        let mut fastest = 0.0f32;
        for _ in 0..rate {
            simulation.step(&params);
            simulation.write_positions(&mut now);
            let ways = before.iter().zip(&now).map(|(a, b)| a.distance(*b));
            fastest = fastest.max(ways.fold(0.0, f32::max) * rate as f32);
            std::mem::swap(&mut before, &mut now);
        }
        assert!(fastest < 6.0, "{}: {fastest} m/s", method.id);
        let came: f32 = limp.iter().zip(&before).map(|(a, b)| a.distance(*b)).sum();
        let came = came / limp.len() as f32;
        assert!(came > 0.02, "{}: it answers, {came} m", method.id);
    }
}

/// What one method has blown far, another would hold otherwise; it comes in softly.
#[test]
fn another_method_takes_over_hair_in_wind_calmly() {
    let mut scene = Scene::default();
    scene.roots.strands = 120;
    scene.sim.motion.preset = MotionPreset::None;
    (scene.sim.wind.on, scene.sim.wind.strength) = (true, 6.0);
    let mut stage = built_scene::build(&scene).expect("builds");
    let blown = &mut stage.simulation;
    let mut params = scene.sim;
    let rate = params.step.rate;
    (0..2 * rate).for_each(|_| blown.step(&params));
    for method in SOLVERS.iter() {
        let mut simulation = blown.clone();
        params.step.solver = method.id.into();
        let (mut before, mut now) = (Vec::new(), Vec::new());
        simulation.write_positions(&mut before);
        // Of most vertices, and of the fastest.
        let mut speeds = [0.0f32; 2];
        for _ in 0..rate / 2 {
            simulation.step(&params);
            simulation.write_positions(&mut now);
            let ways = before.iter().zip(&now);
            let mut ways: Vec<f32> = ways.map(|(a, b)| a.distance(*b) * rate as f32).collect();
            ways.sort_unstable_by(f32::total_cmp);
            speeds[0] = speeds[0].max(ways[9 * ways.len() / 10]);
            speeds[1] = speeds[1].max(ways[ways.len() - 1]);
            std::mem::swap(&mut before, &mut now);
        }
        println!("{}: {speeds:.2?} m/s", method.id);
        assert!(
            speeds[0] < 1.2 && speeds[1] < 5.5,
            "{}: {speeds:?}",
            method.id
        );
    }
}

/// With touching strands each substep is solved several times; rods come in no sooner for it.
#[test]
fn rods_that_touch_nothing_take_over_as_fast_as_those_that_may_touch() {
    let strand = |x: f32| straight(Vec3::new(x, 0.5, 0.0), Vec3::X, 0.2, 17);
    let mut params = rods();
    params.step.solver = "pbd".into();
    params.forces.drag = 6.0;
    let mut pbd = in_air(&[strand(0.0), strand(1.0)], &params);
    // Bent by another method's idea of weight.
    (0..60).for_each(|_| pbd.step(&params));
    params.step.solver = "rod".into();
    params.of_mut::<RodParams>().sag_free = false;
    let after = |contact: bool| {
        let mut params = params.clone();
        params.of_mut::<RodParams>().strand_contact = contact;
        let mut simulation = pbd.clone();
        (0..12).for_each(|_| simulation.step(&params));
        let mut out = Vec::new();
        simulation.write_positions(&mut out);
        out
    };
    let mut begin = Vec::new();
    pbd.write_positions(&mut begin);
    let (free, touching) = (after(false), after(true));
    let (way, off) = (apart(&begin, &free), apart(&free, &touching));
    // There the share grows from substep to substep, here from step to step. Growing in each
    // solve, it would be nine times as large.
    assert!(way > 1e-3 && off < 0.2 * way, "{off} m of {way} m");
}

/// Wiry hair moves less; it is no other hairstyle.
#[test]
fn wiry_hair_rests_as_it_was_modelled_in_every_method() {
    let mut scene = Scene::default();
    scene.roots.strands = 60;
    scene.sim.motion.preset = MotionPreset::None;
    let stage = built_scene::build(&scene).expect("builds");
    for method in SOLVERS.iter() {
        let mut params = scene.sim.clone();
        params.step.solver = method.id.into();
        let (groom, body) = (stage.groom.clone(), stage.body.clone());
        let mut simulation = Simulation::new(groom, body, &params);
        let mut off = [0.5, 1.0].map(|softness| {
            params.step.softness = softness;
            (0..params.step.rate).for_each(|_| simulation.step(&params));
            let mut now = Vec::new();
            simulation.write_positions(&mut now);
            apart(&now, &simulation.groom().points)
        });
        off[0] += 0.004;
        println!("{}: {off:.4?} m", method.id);
        assert!(off[1] < off[0], "{}: {off:?}", method.id);
    }
}
