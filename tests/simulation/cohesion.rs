//! Locks: what the strands of one do to one another.

use crate::common::{groom, straight};
use glam::{DVec3, Quat, Vec3};
use lovelock::{
    groom::Groom,
    lab::strays::{self, SHAKE, WIND},
    math::Pose,
    param::{Kind, Params as _, Value},
    project::{built_scene, examples},
    sim::{
        CohesionParams, MotionPreset, SimParams,
        cohesion::{Cohesion, Locks},
        solver::SOLVERS,
        state::{LANES, StrandState},
        volume::GridMotion,
    },
};
use std::f64::consts::TAU;

const DT: f64 = 1.0 / 60.0;

fn params(hold: f32) -> CohesionParams {
    CohesionParams {
        hold,
        ..CohesionParams::default()
    }
}

fn act(state: &mut StrandState, params: &CohesionParams) {
    Cohesion::default().act(state, &GridMotion::still(Pose::IDENTITY), params, DT);
}

/// Numbers without pattern, -1 to 1.
fn noisy(seed: &mut u64) -> DVec3 {
    let mut next = || {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    };
    DVec3::new(next(), next(), next())
}

/// Changes place (from its strand's root) and velocity of every vertex.
fn each(state: &mut StrandState, mut deed: impl FnMut(usize, DVec3, DVec3) -> [DVec3; 2]) {
    let mut first = 0;
    for block in &mut state.blocks {
        for lane in 0..block.strands {
            for i in 0..block.counts[lane] {
                let place = DVec3::from(block.position[i].get(lane));
                let velocity = DVec3::from(block.velocity[i].get(lane));
                let [place, velocity] = deed(first + lane, place, velocity);
                block.position[i].set(lane, place.into());
                block.velocity[i].set(lane, velocity.into());
            }
        }
        first += block.strands;
    }
}

/// Hanging strands on a line, so far apart, of that many vertices.
fn hanging(roots: &[f32], vertices: usize) -> Groom {
    let strands = roots.iter();
    let strands: Vec<_> = strands
        .map(|x| straight(Vec3::new(*x, 0.0, 0.0), Vec3::NEG_Y, 0.2, vertices))
        .collect();
    groom(&strands)
}

/// The velocity of a strand's vertex.
fn velocity(state: &StrandState, strand: usize, vertex: usize) -> DVec3 {
    DVec3::from(state.blocks[strand / LANES].velocity[vertex].get(strand % LANES))
}

#[test]
fn a_lock_keeps_its_momentum_to_rounding() {
    let mut seed = 3;
    let strands: Vec<Vec<Vec3>> = (0..300)
        .map(|i| {
            let root = (0.05 * noisy(&mut seed)).as_vec3();
            let way = (noisy(&mut seed).as_vec3() + 2.0 * Vec3::NEG_Y).normalize();
            // Of one vertex count, so that no pinned one is bound to a free one.
            straight(root, way, 0.05 + 0.002 * (i % 100) as f32, 24)
        })
        .collect();
    let mut groom = groom(&strands);
    for mass in &mut groom.masses {
        *mass = (1.0 + 0.8 * noisy(&mut seed).x) as f32;
    }
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    each(&mut state, |_, place, _| {
        [place + 0.02 * noisy(&mut seed), noisy(&mut seed)]
    });
    // What rides on the head does not swing.
    for block in &mut state.blocks {
        for i in 0..block.pinned {
            block.position[i] = block.rest[i];
            block.velocity[i] = block.velocity[i] - block.velocity[i];
        }
    }
    let momentum = |state: &StrandState| {
        let (mut sum, mut amount) = (DVec3::ZERO, 0.0);
        for strand in 0..groom.strands() {
            let rest = groom.strand(strand);
            let segment = rest[0].distance(rest[1]);
            let mass = f64::from(groom.masses[strand] * segment);
            for i in 2..rest.len() {
                let v = mass * velocity(state, strand, i);
                (sum, amount) = (sum + v, amount + v.length());
            }
        }
        (sum, amount)
    };
    let (start, amount) = momentum(&state);
    for step in 0..20 {
        act(&mut state, &params(0.7));
        let (now, _) = momentum(&state);
        let change = (now - start).length() / amount;
        println!("step {step}: momentum changed by {change:.1e} of all that moves");
        assert!(change < 2e-6, "{change}");
    }
    let (_, left) = momentum(&state);
    assert!((left - amount).abs() > 0.05 * amount, "locks must act");
}

#[test]
fn hair_as_modelled_and_a_lock_that_swings_as_one_are_left_alone() {
    // They fan out, so that a lock that turns must turn their offsets as well.
    let ways = [[0.1, 0.0], [-0.1, 0.05], [0.0, -0.1], [0.0, 0.05]];
    let strands = ways.map(|[x, z]| {
        let way = Vec3::new(x, -1.0, z).normalize();
        straight(Vec3::new(0.05 * x, 0.0, 0.05 * z), way, 0.2, 32)
    });
    let groom = groom(&strands);
    // It swings across its own way, and does not turn about it.
    let turn = Quat::from_rotation_z(0.9);
    let ends = [
        (Quat::IDENTITY, Vec3::ZERO),
        (turn, turn * Vec3::new(3.0, 0.0, 0.0) + 2.0 * Vec3::Z),
    ];
    for (turn, speed) in ends {
        let mut state = StrandState::new(&groom, &Pose::IDENTITY);
        each(&mut state, |_, place, _| {
            let place = turn.as_dquat() * place;
            [place, speed.as_dvec3().cross(place)]
        });
        let before = state.clone();
        act(&mut state, &params(1.0));
        for strand in 0..4 {
            for i in 0..32 {
                let gain = velocity(&state, strand, i) - velocity(&before, strand, i);
                assert!(gain.length() < 2e-5, "strand {strand}, vertex {i}: {gain}");
            }
        }
    }
}

/// Vertices behind the tie of a tail.
const BEHIND: usize = 30;

/// Strands from all around that pass a tie at the origin and hang from it as a tail, each with
/// its own number of vertices before it.
fn tail() -> Groom {
    let count = 24;
    let before = |i: usize| 8 + i % 7;
    let strands: Vec<Vec<Vec3>> = (0..count)
        .map(|i| {
            let angle = TAU as f32 * i as f32 / count as f32;
            let root = Vec3::new(angle.cos(), 0.4, angle.sin()) * (0.05 + 0.004 * (i % 5) as f32);
            let way = Vec3::new(0.1 * angle.sin(), -1.0, 0.1 * angle.cos());
            let pass = |k: usize| root * (1.0 - k as f32 / before(i) as f32);
            let hang = (0..BEHIND).map(|k| 0.007 * k as f32 * way);
            (0..before(i)).map(pass).chain(hang).collect()
        })
        .collect();
    let ties = (0..count).flat_map(|i| [0, 1].map(|k| [i as u32, (before(i) + k) as u32]));
    Groom {
        ties: ties.collect(),
        ..groom(&strands)
    }
}

/// The largest speed that its vertices have in `after` and had not in `before`. `[m/s]`
fn most_gained(groom: &Groom, after: &StrandState, before: &StrandState) -> f64 {
    let each = (0..groom.strands()).flat_map(|strand| {
        let vertices = 0..groom.strand(strand).len();
        vertices.map(move |i| velocity(after, strand, i) - velocity(before, strand, i))
    });
    each.map(DVec3::length).fold(0.0, f64::max)
}

/// As the head goes and turns, so does the tie: a tail that goes along is no tail that is torn.
#[test]
fn a_tail_that_goes_with_its_head_is_left_alone() {
    let groom = tail();
    for (speed, spin) in [
        (DVec3::X, DVec3::ZERO),
        (DVec3::Z, DVec3::new(3.0, 2.0, 1.0)),
    ] {
        let mut state = StrandState::new(&groom, &Pose::IDENTITY);
        let root = |strand: usize| groom.strand(strand)[0].as_dvec3();
        each(&mut state, |strand, place, _| {
            [place, speed + spin.cross(root(strand) + place)]
        });
        let before = state.clone();
        let back = Quat::from_scaled_axis((-DT * spin).as_vec3());
        let ride = GridMotion {
            now: Pose::IDENTITY,
            before: Pose {
                rotation: back,
                translation: Vec3::ZERO,
            },
            seconds: DT,
        };
        Cohesion::default().act(&mut state, &ride, &params(1.0), DT);
        let most = most_gained(&groom, &state, &before);
        assert!(most < 2e-3, "{speed} {spin}: {most} m/s");
    }
}

/// Where a tail has swung to without its roots, it is one lock as well.
#[test]
fn a_tail_that_has_swung_without_its_roots_is_left_alone() {
    let groom = tail();
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    let turn = Quat::from_rotation_z(1.0).as_dquat();
    let root = |strand: usize| groom.strand(strand)[0].as_dvec3();
    each(&mut state, |strand, place, velocity| {
        let at = root(strand) + place;
        let at = if at.y < 0.0 { turn * at } else { at };
        [at - root(strand), velocity]
    });
    let before = state.clone();
    Cohesion::default().act(
        &mut state,
        &GridMotion::still(Pose::IDENTITY),
        &params(1.0),
        DT,
    );
    let most = most_gained(&groom, &state, &before);
    assert!(most < 2e-3, "{most} m/s");
}

#[test]
fn two_strands_swing_about_their_mean_as_a_damped_spring_does() {
    // x'' = -w² x - 2 z w x', by backward Euler, with the weight
    // 1 / (1 + (x / 2 r)² + (x' / 2 w r)²).
    let groom = hanging(&[0.0, 0.01], 16);
    let cohesion = params(0.5);
    let mut state = StrandState::new(&groom, &Pose::IDENTITY);
    let last = 15;
    // All vertices alike, so that nothing seems turned.
    let (mut apart, mut speed) = (0.008f64, 0.0f64);
    each(&mut state, |strand, place, velocity| {
        let side = if strand == 0 { -0.5 } else { 0.5 };
        [place + DVec3::Z * (side * apart), velocity]
    });
    let rate = TAU * 8.0 * 0.5;
    let (stiffness, damping) = (rate * rate, 2.0 * 0.7 * rate);
    let mut most: f64 = 0.0;
    for step in 0..30 {
        act(&mut state, &cohesion);
        each(&mut state, |_, place, velocity| {
            [place + DT * velocity, velocity]
        });
        let torn = 0.5 * apart / f64::from(cohesion.reach);
        let slips = 0.5 * speed / (rate * f64::from(cohesion.reach));
        let weight = 1.0 / (1.0 + torn * torn + slips * slips);
        let whole = 1.0 + damping * DT + stiffness * DT * DT;
        let lost = stiffness * DT * apart + (damping * DT + stiffness * DT * DT) * speed;
        speed -= weight * lost / whole;
        apart += DT * speed;
        let found = velocity(&state, 1, last).z - velocity(&state, 0, last).z;
        assert!(
            (found - speed).abs() < 2e-5 + 1e-3 * speed.abs(),
            "step {step}: {found} of {speed}"
        );
        most = most.max(speed.abs());
    }
    assert!(most > 0.03 && apart.abs() < 1e-3, "{most} {apart}");
}

#[test]
fn a_strand_torn_off_goes_its_own_way_and_is_held_again_when_it_comes_back() {
    let groom = hanging(&[0.0, 0.003, 0.006, 0.009, 0.012, 0.015], 16);
    let cohesion = params(0.5);
    let pull = |off: f64| {
        let mut state = StrandState::new(&groom, &Pose::IDENTITY);
        each(&mut state, |strand, place, velocity| {
            let off = if strand == 2 { off } else { 0.0 };
            [place + DVec3::Z * off, velocity]
        });
        act(&mut state, &cohesion);
        (-velocity(&state, 2, 15).z, velocity(&state, 4, 15).z)
    };
    let (near, far) = (pull(0.002), pull(0.2));
    // Near by, as a spring: five sixths of its way to the others and back.
    let spring = near.0 / 0.002;
    let rate = TAU * 8.0 * 0.5;
    let whole = 1.0 + 2.0 * 0.7 * rate * DT + (rate * DT).powi(2);
    let share = spring / (5.0 / 6.0 * rate * rate * DT / whole);
    assert!((0.98..1.0).contains(&share), "{share}");
    // Ten widths of its reach away a hundredth of that is left.
    let left = far.0 / 0.2 / spring;
    assert!((0.002..0.02).contains(&left), "{left}");
    assert!(far.1 < 0.3 * far.0, "the others are hardly moved: {far:?}");
    // Nothing is remembered: where it is back, it is held as before.
    assert_eq!(near, pull(0.002));
}

#[test]
fn a_lock_is_strands_that_run_side_by_side() {
    // A parting: to the left of it hair falls to the left, else to the right.
    let strands: Vec<Vec<Vec3>> = (0..400)
        .map(|i| {
            let (column, row) = (i % 20, i / 20);
            let x = 0.004 * (column as f32 - 9.5);
            let way = Vec3::new(x.signum(), -0.3, 0.0).normalize();
            straight(Vec3::new(x, 0.0, 0.004 * row as f32), way, 0.2, 16)
        })
        .collect();
    let groom = groom(&strands);
    let state = StrandState::new(&groom, &Pose::IDENTITY);
    let width = 0.016;
    let locks = Locks::of(&state, width);
    assert!((12..60).contains(&locks.count()), "{}", locks.count());
    let mut seen = vec![0; groom.strands()];
    for lock in 0..locks.count() {
        let roots: Vec<Vec3> = locks
            .strands(lock)
            .iter()
            .map(|member| {
                let strand = member.strand();
                seen[strand] += 1;
                groom.strand(strand)[0]
            })
            .collect();
        for root in &roots {
            assert_eq!(root.x.signum(), roots[0].x.signum(), "across the parting");
            assert!(root.distance(roots[0]) < 3.0 * width);
        }
    }
    assert!(seen.iter().all(|times| *times == 1));
}

/// Strands of a scene, on its head, with that much hold.
fn scene(name: &str, strands: u32, hold: f32) -> (built_scene::BuiltScene, SimParams) {
    let example = examples::find(name).expect("listed");
    let mut scene = example.scene().expect("a scene");
    scene.roots.strands = strands;
    scene.sim.step.solver = "rod".into();
    scene.sim.cohesion.hold = hold;
    (built_scene::build(&scene).expect("built"), scene.sim)
}

#[test]
fn fewer_strands_go_astray_and_the_hair_swings_as_far() {
    for (name, disturbance) in [("fringe", WIND), ("windy", SHAKE)] {
        let [without, with] = [0.0, 0.5].map(|hold| {
            let (built, params) = scene(name, 1500, hold);
            let reading = strays::measure(&built.groom, &built.body, &params, disturbance);
            println!("{name} held by {hold}: {reading:?}");
            reading
        });
        assert!(with.strays < 0.75 * without.strays, "{name}");
        assert!(with.swing > 0.95 * without.swing, "{name}");
        assert!(with.before[2] < 1e-3, "it rests as it was modelled");
    }
}

#[test]
fn locks_act_in_every_method_with_equal_bits_for_all_threads() {
    for method in SOLVERS.iter() {
        let run = |threads: usize, hold: f32| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("a pool");
            pool.install(|| {
                let (mut built, mut params) = scene("windy", 300, hold);
                params.step.solver = method.id.into();
                (0..24).for_each(|_| built.simulation.step(&params));
                built.simulation.state_hash()
            })
        };
        let [one, two, three] = [1, 2, 3].map(|threads| run(threads, 0.5));
        assert_eq!([one, one], [two, three], "{}", method.id);
        assert_ne!(one, run(1, 0.0), "{}", method.id);
    }
}

#[test]
fn every_end_of_every_slider_leaves_finite_hair_in_every_method() {
    for method in SOLVERS.iter() {
        for high in [false, true] {
            let (mut built, mut params) = scene("windy", 100, 1.0);
            params.step.solver = method.id.into();
            let cohesion = &mut params.cohesion;
            for index in 0..cohesion.tunables().len() {
                if let Kind::Float { range, .. } = &cohesion.tunables()[index].kind {
                    let end = if high { *range.end() } else { *range.start() };
                    cohesion.set(index, Value::Float(end)).expect("in range");
                }
            }
            // Without hold the two others say nothing.
            cohesion.hold = 1.0;
            params.motion.preset = MotionPreset::Shake;
            (params.motion.amplitude, params.motion.frequency) = (60.0, 3.0);
            (0..60).for_each(|_| built.simulation.step(&params));
            assert_eq!(built.simulation.statistics(&params).nonfinite, 0);
            let mut places = Vec::new();
            built.simulation.write_positions(&mut places);
            let all = places.iter().all(|p| p.is_finite() && p.length() < 5.0);
            assert!(all, "{} {high}", method.id);
        }
    }
}
