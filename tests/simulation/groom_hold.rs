//! The hold of a hairstyle, joint by joint.

use crate::common::{coil, groom, input, straight};
use glam::Vec3;
use lovelock::{
    groom::TieStyle,
    lab::strays::{VIOLENT_SHAKE, at_rest, measure},
    math::{
        Pose,
        lanes::{F, Lane},
    },
    project::{
        built_scene::{self, BuiltScene},
        examples,
        scene::Scene,
        tools::StrandQuantity,
    },
    session::strand_colours::StrandColours,
    sim::{
        MotionPreset, SimParams,
        solver::{
            self, DerParams, RodParams, Scratch,
            groom_hold::{HoldProfile, RESERVE, groom_hold, holds},
            material::RodMaterial,
            rod::RodState,
        },
        state::{Block, LANES},
    },
};

/// Curls and straight strands of three lengths, upright, level and hanging.
fn strands() -> Vec<Vec<Vec3>> {
    let mut all = Vec::new();
    for length in [0.1, 0.2, 0.3] {
        for radius in [0.0, 0.005, 0.02] {
            let down = coil(Vec3::ZERO, radius, 0.012, length, 64);
            all.push(down.iter().map(|p| Vec3::new(p.x, -p.y, -p.z)).collect());
            all.push(down.iter().map(|p| Vec3::new(-p.y, p.x, p.z)).collect());
            all.push(down);
        }
    }
    all
}

fn material() -> RodMaterial {
    RodMaterial::new(&SimParams::default().material, 1.0)
}

fn found(strand: &[Vec3]) -> (Block<f64>, HoldProfile<f64>) {
    let block = Block::new(&groom(&[strand.to_vec()]), 0, 1, &Pose::IDENTITY);
    let hold = groom_hold(&block, &material(), 256.0);
    (block, hold)
}

#[test]
fn the_second_variation_is_positive_with_the_hold_and_not_with_less() {
    let mut held = 0;
    for (number, strand) in strands().iter().enumerate() {
        let (block, hold) = found(strand);
        let positive = |share| holds(&block, &material(), &hold, share) > 0.5;
        assert!(positive(1.0), "strand {number} topples");
        if hold.at(0) > 1.0 {
            held += 1;
            // The reserve, and no more than it.
            assert!(positive(1.0 / RESERVE), "strand {number} has no reserve");
            assert!(!positive(0.8), "strand {number} is held by too much");
        }
    }
    assert!((10..27).contains(&held), "{held} of 27 strands are held");
}

#[test]
fn a_hold_falls_smoothly_from_the_root_to_one() {
    for (number, strand) in strands().iter().enumerate() {
        let (_, hold) = found(strand);
        let joints: Vec<f64> = (0..63).map(|j| hold.at(j)).collect();
        for pair in joints.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((1.0..1.35).contains(&ratio), "strand {number}: {joints:?}");
        }
        if hold.at(0) > 2.0 {
            // Less in the middle, and hardly any of it left at the tip.
            let left = |j: usize| (joints[j] - 1.0) / (joints[0] - 1.0);
            assert!(left(32) < 0.75, "strand {number}: {joints:?}");
            assert!(left(62) < 0.02, "strand {number}: {joints:?}");
        }
    }
    // What hangs needs none anywhere.
    let (_, hold) = found(&straight(Vec3::ZERO, Vec3::NEG_Y, 0.3, 64));
    assert!((0..64).all(|j| hold.at(j) == 1.0));
}

/// The lanes are set up in f32.
#[test]
fn the_lanes_find_the_same_hold_whatever_lies_beside() {
    let strands = strands();
    let wide = Block::<F<LANES>>::new(&groom(&strands), 0, strands.len(), &Pose::IDENTITY);
    let all = groom_hold(&wide, &material(), 256.0);
    for (lane, strand) in strands.iter().enumerate() {
        let (_, exact) = found(strand);
        for j in 0..63 {
            let (here, there) = (all.at(j).get(lane), exact.at(j));
            assert!(
                (here / there - 1.0).abs() < 0.1,
                "strand {lane}, joint {j}: {here} for {there}"
            );
        }
        let alone = groom(std::slice::from_ref(strand));
        let alone = Block::<F<LANES>>::new(&alone, 0, 1, &Pose::IDENTITY);
        let alone = groom_hold(&alone, &material(), 256.0);
        assert!((0..64).all(|j| alone.at(j).get(0) == all.at(j).get(lane)));
    }
}

#[test]
fn a_strand_held_at_its_root_returns_when_it_is_pushed() {
    for method in ["rod", "der"] {
        let mut params = SimParams::default();
        params.step.solver = method.into();
        params.step.set_substeps(1);
        params.forces.drag = 2.0;
        params.volume.on = false;
        params.of_mut::<DerParams>().steps = 4000;
        let count = 32;
        let stands = straight(
            Vec3::ZERO,
            Vec3::new(0.5, 0.8, 0.0).normalize(),
            0.16,
            count,
        );
        let mut block = Block::new(&groom(&[stands]), 0, 1, &Pose::IDENTITY);
        let start = block.clone();
        let solver = solver::method(method).expect("listed").solver(&params);
        let mut scratch = Scratch::new();
        let drift = |block: &Block<F<LANES>>| {
            (0..count)
                .map(|i| block.point(i, 0).distance(start.point(i, 0)))
                .fold(0.0, f64::max)
        };
        let mut farthest: f64 = 0.0;
        for step in 0..1200 {
            if step == 60 {
                assert!(
                    drift(&block) < 1e-5,
                    "{method} sagged by {} m",
                    drift(&block)
                );
                for i in 0..count {
                    let v = 0.1 * i as f64 / count as f64;
                    block.velocity[i].set(0, [0.3 * v, 0.5 * v, 0.8 * v]);
                }
            }
            solver.step(&mut block, &mut scratch, &input(&params, None));
            farthest = farthest.max(drift(&block));
        }
        assert!(farthest > 2e-3, "{method}: nothing happened");
        assert!(drift(&block) < 2e-4, "{method}: {} m off", drift(&block));
        if let Some(memory) = block.memories.get::<RodState<F<LANES>>>() {
            let hold = [0, count - 3].map(|j| memory.hold.at(j).get(0));
            assert!(hold[0] > 2.0 && hold[1] == 1.0, "{hold:?}");
        }
    }
}

#[test]
fn no_joint_is_held_beyond_the_cap_and_what_needs_more_is_counted() {
    let stands = straight(Vec3::ZERO, Vec3::Y, 0.3, 64);
    let strand = [stands.clone(), straight(Vec3::ZERO, Vec3::NEG_Y, 0.3, 64)];
    let block = Block::<F<LANES>>::new(&groom(&strand), 0, 2, &Pose::IDENTITY);
    // It needs 1.2 x 28 where all of it is held alike.
    for (cap, topples) in [(256.0, 0.0), (40.0, 0.0), (20.0, 1.0)] {
        let hold = groom_hold(&block, &material(), cap);
        let most = (0..64).map(|j| hold.at(j).get(0)).fold(0.0, f64::max);
        assert!(
            most <= cap && (most > 1.0) == (topples == 0.0),
            "{most} with {cap}"
        );
        let found = hold.topples.expect("held");
        assert_eq!([0, 1].map(|lane| found.get(lane)), [topples, 0.0], "{cap}");
        assert!((0..64).all(|j| hold.at(j).get(1) == 1.0));
    }
    let mut params = SimParams::default();
    params.step.solver = "rod".into();
    params.of_mut::<RodParams>().hold_cap = 20.0;
    let mut block = block;
    let solver = solver::chosen(&params).solver(&params);
    solver.step(&mut block, &mut Scratch::new(), &input(&params, None));
    let told = solver.figures(&block, &Pose::IDENTITY).hold.expect("held");
    assert_eq!((told.held, told.toppling, told.largest), (0, 1, 1.0));
    assert_eq!(told.median(), 1.0);
}

/// What no hold allowed keeps up hangs down: it must not rise as the shape would that
/// makes up for its weight.
#[test]
fn a_strand_that_no_hold_keeps_up_hangs() {
    for method in ["rod", "der"] {
        let mut params = SimParams::default();
        params.step.solver = method.into();
        params.forces.drag = 4.0;
        params.volume.on = false;
        let along = Vec3::new(0.8, 0.6, 0.0);
        let strand = straight(Vec3::ZERO, along, 1.0, 32);
        let mut block = Block::new(&groom(&[strand]), 0, 1, &Pose::IDENTITY);
        let solver = solver::method(method).expect("listed").solver(&params);
        let mut scratch = Scratch::new();
        let mut highest = f64::MIN;
        for _ in 0..240 {
            solver.step(&mut block, &mut scratch, &input(&params, None));
            highest = highest.max(block.point(31, 0).y);
        }
        assert!(highest < 0.61, "{method}: the tip rose to {highest} m");
        let tip = block.point(31, 0);
        assert!(tip.y < -0.9, "{method}: the tip is at {tip}");
        let told = solver.figures(&block, &Pose::IDENTITY).hold.expect("held");
        assert_eq!((told.held, told.toppling), (0, 1), "{method}");
    }
}

/// Nobody sees at which length a strand is let go: it hangs lower and lower.
#[test]
fn the_hold_fades_towards_the_cap() {
    let mut before = 0.0;
    for length in [0.25f32, 0.42, 0.43, 0.44, 0.45, 0.46, 0.47, 0.48, 0.5] {
        let mut params = SimParams::default();
        params.step.solver = "rod".into();
        params.forces.drag = 4.0;
        params.volume.on = false;
        let stands = straight(Vec3::ZERO, Vec3::X, length, 32);
        let mut block = Block::new(&groom(&[stands]), 0, 1, &Pose::IDENTITY);
        let solver = solver::chosen(&params).solver(&params);
        let mut scratch = Scratch::new();
        for _ in 0..360 {
            solver.step(&mut block, &mut scratch, &input(&params, None));
        }
        let sag = -block.point(31, 0).y / f64::from(length);
        assert!(sag > before - 1e-3, "{length}: {sag} after {before}");
        assert!(sag - before < 0.5, "{length}: {sag} after {before}");
        before = sag;
    }
    assert!(before > 0.8, "{before}");
}

/// The shipped scenes with rods, which rest as they were modelled. For the docs, with
/// `--nocapture`: their hold, and with `SHAKEN=1` what a violent shake does to them.
#[test]
#[ignore = "minutes: a table of all shipped scenes"]
fn table_of_the_shipped_scenes() {
    for example in examples::EXAMPLES {
        let mut scene = example.scene().expect("a scene");
        scene.sim.step.solver = "rod".into();
        let mut built = built_scene::build(&scene).expect("built");
        built.simulation.step(&scene.sim);
        let held = built.simulation.statistics(&scene.sim);
        let rest = at_rest(&built.groom, &built.body, &scene.sim);
        println!(
            "{:10} hold median {:.2}, outer half {:.2}, largest {:.1}, sag {:.4}; rest {rest:?}",
            example.name, held.hold_median, held.hold_outer_median, held.hold, held.toppling
        );
        if std::env::var_os("SHAKEN").is_some() {
            let reading = measure(&built.groom, &built.body, &scene.sim, VIOLENT_SHAKE);
            println!("{:10} {reading:?}", example.name);
        }
        // The hold counts from the root and knows no tie: what is bound behind the head
        // is stiffer than it need be.
        let bound = scene.groom.tie != TieStyle::None;
        assert!(bound || held.hold_outer_median < 1.1, "{}", example.name);
        assert!(rest[1] < 0.01, "{}: {rest:?}", example.name);
    }
}

fn held(built: &BuiltScene, scene: &Scene) -> Option<StrandColours> {
    StrandColours::of(&built.simulation, &scene.sim, StrandQuantity::Hold)
}

#[test]
fn the_window_is_told_where_hair_is_held() {
    let mut scene = examples::find("afro")
        .expect("listed")
        .scene()
        .expect("a scene");
    scene.roots.strands = 200;
    scene.sim.step.solver = "rod".into();
    let mut built = built_scene::build(&scene).expect("built");
    built.simulation.step(&scene.sim);
    let view = held(&built, &scene).expect("asked for");
    assert_eq!(view.strands.len(), built.groom.strands());
    let mut places = Vec::new();
    built.simulation.write_positions(&mut places);
    for held in &view.strands {
        let range = built.groom.range(held.strand);
        assert_eq!(held.values.len(), range.len() - 1, "the tip is no joint");
        assert_eq!(held.places, places[range]);
    }
    let all = view.strands.iter().flat_map(|held| &held.values);
    let most = all.copied().fold(0.0, f32::max);
    let told = built.simulation.statistics(&scene.sim).hold;
    assert!(most > 5.0 && most == told, "{most} of {told}");
    // A method that holds no groom shows none.
    scene.sim.step.solver = "pbd".into();
    let mut built = built_scene::build(&scene).expect("built");
    built.simulation.step(&scene.sim);
    let view = held(&built, &scene).expect("asked for");
    assert!(view.strands.is_empty());
}

#[test]
fn the_window_is_told_how_much_longer_and_shorter_each_segment_is() {
    let mut scene = Scene::default();
    scene.roots.strands = 200;
    scene.sim.motion.preset = MotionPreset::HeadBang;
    scene.sim.step.solver = "spring".into();
    let mut built = built_scene::build(&scene).expect("built");
    for _ in 0..30 {
        built.simulation.step(&scene.sim);
    }
    let show = |quantity| StrandColours::of(&built.simulation, &scene.sim, quantity);
    assert_eq!(show(StrandQuantity::Nothing), None);
    let view = show(StrandQuantity::Length).expect("asked for");
    let values = || {
        view.strands
            .iter()
            .flat_map(|strand| &strand.values)
            .copied()
    };
    let told = built.simulation.statistics(&scene.sim);
    let [longest, shortest] = [values().fold(0.0, f32::max), values().fold(0.0, f32::min)];
    assert!((longest - told.max_stretch).abs() < 1e-4, "{longest}");
    assert!((-shortest - told.max_shortening).abs() < 1e-4, "{shortest}");
    assert!(longest > 1e-4 && shortest < -1e-4, "springs give");
    assert_eq!(
        values().count(),
        built.groom.points.len() - built.groom.strands()
    );
}
