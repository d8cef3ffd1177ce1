//! Same scene, same bits: for any number of threads and any instruction set.

use crate::common::input;
use lovelock::{
    groom::{Groom, GroomParams, grow},
    math::Pose,
    mesh::{CollisionMesh, HeadParams, RootParams, load, scatter},
    sim::{
        CollisionMode, MotionPreset, SimParams, Simulation,
        collider::Collider,
        solver::{
            Instructions, Integrator, Method, RodParams, SOLVERS, Scratch, Width, method,
            set_sag_free,
        },
        state::StrandState,
        strand_contact::{StrandContact, Touching},
    },
};
use std::{path::Path, sync::Arc};

fn stage(strands: u32) -> (Arc<CollisionMesh>, Arc<Groom>) {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = Arc::new(CollisionMesh::new(head.mesh, 0.005));
    let roots = RootParams {
        strands,
        ..RootParams::default()
    };
    let roots = scatter::roots(&body.mesh, &roots).expect("roots");
    let groom = Arc::new(grow::grow(
        &roots,
        &GroomParams {
            vertices: 24,
            ..GroomParams::default()
        },
        1,
        &body,
    ));
    (body, groom)
}

#[test]
fn the_hash_does_not_depend_on_the_number_of_threads() {
    for method in SOLVERS.iter() {
        let mut params = SimParams::default();
        params.step.solver = method.id.into();
        params.wind.on = true;
        params.wind.gusts = 1.0;
        params.fan.on = true;
        params.motion.preset = lovelock::sim::MotionPreset::Walk;
        params.motion.inertia = 0.7;
        threads_agree(&params);
    }
}

fn threads_agree(params: &SimParams) {
    let id = &params.step.solver;
    let hashes: Vec<Vec<u64>> = [1, 2, 3]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("a pool");
            pool.install(|| {
                // Everything anew: growing hair must not depend on it either.
                let (body, groom) = stage(200);
                let mut simulation = Simulation::new(groom, body, params);
                (0..40)
                    .map(|_| {
                        simulation.step(params);
                        simulation.state_hash()
                    })
                    .collect()
            })
        })
        .collect();
    assert_eq!(hashes[0], hashes[1], "{id}: one and two threads");
    assert_eq!(hashes[0], hashes[2], "{id}: one and three threads");
    assert_ne!(
        hashes[0][0], hashes[0][39],
        "{id}: the hair must move for this to prove anything"
    );
}

#[test]
fn the_hash_of_touching_strands_does_not_depend_on_the_number_of_threads() {
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        for strand_contact in [false, true] {
            let mut params = SimParams::default();
            params.step.solver = method("rod").expect("a row of the table").id.into();
            params.wind.on = true;
            params.motion.preset = MotionPreset::Shake;
            *params.of_mut::<RodParams>() = RodParams {
                strand_contact,
                integrator,
                ..RodParams::default()
            };
            threads_agree(&params);
        }
    }
}

#[test]
fn what_moved_before_on_the_same_thread_changes_nothing() {
    let (body, groom) = stage(64);
    for method in SOLVERS.iter() {
        for (collision, free) in [(CollisionMode::Off, true), (CollisionMode::Grid, false)] {
            let alone = after(None, method, collision, free, &body, &groom);
            for other in SOLVERS.iter() {
                let second = after(Some(other), method, collision, free, &body, &groom);
                assert_eq!(
                    alone, second,
                    "{} after {}, {collision:?}",
                    method.id, other.id
                );
            }
        }
    }
}

/// The state of hair that `method` moves on a thread where `other` has moved hair
/// that lies on the head, if any.
fn after(
    other: Option<&Method>,
    method: &Method,
    collision: CollisionMode,
    free: bool,
    body: &Arc<CollisionMesh>,
    groom: &Arc<Groom>,
) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a pool").install(|| {
        let mut params = SimParams::default();
        params.wind.on = true;
        let run = |params: &SimParams, free: bool, steps: usize| {
            let mut simulation = Simulation::new(groom.clone(), body.clone(), params);
            if free {
                simulation.set_free();
            }
            for _ in 0..steps {
                simulation.step(params);
            }
            simulation.state_hash()
        };
        if let Some(other) = other {
            let mut lying = params.clone();
            lying.step.solver = other.id.into();
            set_sag_free(&mut lying, false);
            run(&lying, false, 20);
        }
        params.step.solver = method.id.into();
        params.collision.mode = collision;
        run(&params, free, 12)
    })
}

#[test]
fn the_bits_do_not_depend_on_the_instruction_set() {
    println!("this processor's widest: {:?}", Instructions::widest());
    for method in SOLVERS.iter() {
        same_bits(method);
    }
}

fn same_bits(method: &Method) {
    let (body, groom) = stage(100);
    let params = SimParams::default();
    let run = |limit: Instructions| {
        let mut state = StrandState::new(&groom, &Pose::IDENTITY);
        state.measure_clearance(&body.grid);
        let solver = (method.prepare)(&params, Width::AtMost(limit));
        let mut scratch = Scratch::new();
        for _ in 0..30 {
            for block in &mut state.blocks {
                solver.step(block, &mut scratch, &input(&params, Some(&body.grid)));
            }
        }
        state.hash()
    };
    let baseline = run(Instructions::Baseline);
    assert_eq!(baseline, run(Instructions::Avx2), "{}: AVX2", method.id);
    assert_eq!(
        baseline,
        run(Instructions::Avx512),
        "{}: AVX-512",
        method.id
    );
}

/// Hair that falls together: search, contact and friction, all in registers.
#[test]
fn touching_strands_have_the_same_bits_on_every_instruction_set() {
    let (body, groom) = stage(300);
    let run = |limit: Instructions, friction: f32| {
        let mut params = SimParams::default();
        *params.of_mut::<RodParams>() = RodParams {
            strand_contact: true,
            strand_friction: friction,
            thickness: 3.0,
            sag_free: false,
            ..RodParams::default()
        };
        let mut state = StrandState::new(&groom, &Pose::IDENTITY);
        state.measure_clearance(&body.grid);
        let rod = method("rod").expect("listed");
        let solver = (rod.prepare)(&params, Width::AtMost(limit));
        assert_eq!(solver.instructions(), limit.available());
        let input = input(&params, Some(&body.grid));
        let touching = Touching {
            params: &solver.strand_contact().expect("rods touch"),
            solver: &*solver,
            input: &input,
        };
        let mut contact = StrandContact::default();
        for _ in 0..40 {
            contact.step(&mut state, &touching, None);
        }
        let figures = contact.figures();
        assert!(figures.touching > 100, "{figures:?}");
        state.hash()
    };
    let baseline = run(Instructions::Baseline, 0.3);
    assert_eq!(baseline, run(Instructions::Avx2, 0.3), "AVX2");
    assert_eq!(baseline, run(Instructions::Avx512, 0.3), "AVX-512");
    assert_ne!(baseline, run(Instructions::Baseline, 0.0), "strands rub");
}

#[test]
fn reset_returns_to_the_first_frame_and_the_same_future() {
    let (body, groom) = stage(64);
    let params = SimParams::default();
    let mut simulation = Simulation::new(groom, body, &params);
    let start = simulation.state_hash();
    let run = |simulation: &mut Simulation| {
        for _ in 0..25 {
            simulation.step(&params);
        }
        simulation.state_hash()
    };
    let first = run(&mut simulation);
    simulation.reset(&params);
    assert_eq!(simulation.state_hash(), start);
    assert_eq!(run(&mut simulation), first);
}

/// What was changed in a pause, too: where the neck bends, and where bodies are.
#[test]
fn a_reset_is_as_good_as_a_scene_that_is_opened() {
    let (body, groom) = stage(64);
    let mut params = SimParams::default();
    params.motion.preset = MotionPreset::Shake;
    params.colliders = vec![Collider::default()];
    let mut simulation = Simulation::new(groom.clone(), body.clone(), &params);
    for _ in 0..25 {
        simulation.step(&params);
    }
    params.torso.width = 0.1;
    params.torso.height = 0.02;
    params.colliders[0].centre[0] += 0.05;
    simulation.reset(&params);
    let mut fresh = Simulation::new(groom, body, &params);
    for step in 0..10 {
        simulation.step(&params);
        fresh.step(&params);
        assert_eq!(simulation.state_hash(), fresh.state_hash(), "step {step}");
    }
}

#[test]
fn the_kernels_use_only_exactly_rounded_operations() {
    // A fused multiply-add or an estimate would make bits depend on the machine.
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/strands/src");
    let mut folders = vec![src.join("math"), src.join("sim")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 60, "only {} files were found", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        for word in [
            "mul_add",
            "recip()",
            "rsqrt",
            "target_feature(enable = \"fma",
        ] {
            assert!(!text.contains(word), "{} uses {word}", file.display());
        }
    }
}
