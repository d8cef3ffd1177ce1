//! Shoulders that stay, hair on them, and contact that agrees with what is drawn.

mod skin;

use crate::{
    groom::Groom,
    math::{Pose, lanes::V3},
    mesh::{CollisionMesh, HeadParams, load},
    sim::{
        MotionPreset, SimParams, Simulation, TorsoMode,
        contact::{Carrier, CollisionSurface, ContactQuery},
        torso::{BentSurface, NeckBend},
    },
};
use glam::{Quat, Vec3};
use std::sync::{Arc, LazyLock};

static HEAD: LazyLock<Arc<CollisionMesh>> = LazyLock::new(|| {
    let head = load(&HeadParams::default()).expect("the built-in head");
    Arc::new(CollisionMesh::new(head.mesh, 0.004))
});

/// Strands that stand out of the skin of the crown or hang over the shoulders.
fn groom(roots: &[(Vec3, Vec3)]) -> Arc<Groom> {
    let strand = |(root, way): (Vec3, Vec3)| (0..12).map(move |i| root + way * (0.01 * i as f32));
    Arc::new(Groom {
        points: roots.iter().copied().flat_map(strand).collect(),
        starts: (0..=roots.len() as u32).map(|i| 12 * i).collect(),
        masses: vec![1.0; roots.len()],
        ..Groom::default()
    })
}

/// A place on the skin, straight below `p`.
fn below(p: Vec3) -> Vec3 {
    let hit = HEAD.surface.ray(p, Vec3::NEG_Y, 1.0).expect("skin");
    p + Vec3::NEG_Y * hit.distance
}

fn crown() -> Vec<(Vec3, Vec3)> {
    let spot = |i: i32| {
        below(Vec3::new(
            0.004 * (i % 5) as f32,
            0.5,
            0.01 * (i / 5) as f32,
        ))
    };
    (0..20).map(|i| (spot(i), Vec3::Y)).collect()
}

/// Strands whose roots are on the shoulders or that lie over them.
fn draped() -> Vec<(Vec3, Vec3)> {
    let side = |i: i32| 0.07 + 0.002 * (i % 12) as f32;
    (0..48)
        .map(|i| {
            let spot = below(Vec3::new(side(i), -0.1, -0.05 + 0.01 * (i / 12) as f32));
            (spot, Vec3::Y)
        })
        .collect()
}

fn params() -> SimParams {
    let mut params = SimParams::default();
    params.motion.preset = MotionPreset::None;
    params.torso.mode = TorsoMode::Auto;
    params
}

/// The neck bent by a turn of the torso as the head sees it.
fn bend(turn: Vec3) -> NeckBend {
    let simulation = Simulation::new(groom(&crown()), HEAD.clone(), &params());
    NeckBend::new(simulation.neck().band, Quat::from_scaled_axis(turn))
}

/// Turns of thirty degrees any way.
fn turns() -> [Vec3; 6] {
    let [x, y, z] = Vec3::AXES.map(|axis| axis * 30.0f32.to_radians());
    [x, -x, y, -y, z, -z]
}

/// Where the mesh's vertices are in the world.
fn skin(simulation: &Simulation) -> Vec<Vec3> {
    let shape = simulation.shape();
    let places = shape.as_deref().unwrap_or(&HEAD.mesh.positions);
    places.iter().map(|p| simulation.pose().point(*p)).collect()
}

#[test]
fn a_bust_of_one_piece_turns_as_one_from_the_first_step() {
    let mut params = params();
    params.torso.mode = TorsoMode::Off;
    params.motion.preset = MotionPreset::Shake;
    let mut simulation = Simulation::new(groom(&crown()), HEAD.clone(), &params);
    for _ in 0..30 {
        simulation.step(&params);
        assert!(simulation.shape().is_none());
    }
}

#[test]
fn shoulders_stay_while_the_head_turns_and_go_where_it_is_moved() {
    let mut params = params();
    let mut simulation = Simulation::new(groom(&crown()), HEAD.clone(), &params);
    let rest = skin(&simulation);
    assert_eq!(rest, HEAD.mesh.positions);
    let weight = |p: &Vec3| simulation.neck().band.weight(*p);
    let [low, high]: [Vec<usize>; 2] = [1.0, 0.0].map(|wanted| {
        let all = rest.iter().enumerate();
        all.filter(|(_, p)| weight(p) == wanted)
            .map(|(i, _)| i)
            .collect()
    });
    assert!(
        low.len() > 1500 && high.len() > 5000,
        "{} {}",
        low.len(),
        high.len()
    );
    (params.motion.pitch, params.motion.yaw) = (25.0, -20.0);
    for moved in [0.0, 0.3] {
        params.motion.x = moved;
        for _ in 0..30 {
            simulation.step(&params);
            let (now, pose) = (skin(&simulation), simulation.pose());
            let pivot = simulation.neck().band.pivot;
            let way = pose.point(pivot) - pivot;
            for i in &low {
                let off = now[*i].distance(rest[*i] + way);
                assert!(off < 2e-5, "{i}: {off}");
            }
            for i in &high {
                assert!(now[*i].distance(pose.point(rest[*i])) < 1e-5);
            }
        }
    }
    assert!(simulation.pose().rotation.angle_between(Quat::IDENTITY) > 0.4);
    params.torso.mode = TorsoMode::Off;
    for _ in 0..240 {
        simulation.step(&params);
    }
    assert!(simulation.shape().is_none());
}

/// Hair on shoulders need not ask in each substep: the plane that turns with the torso
/// is the one that it would find.
#[test]
fn a_plane_that_the_torso_carries_is_the_one_that_is_found_there() {
    let v3 = |v: Vec3| V3::<f64>::splat(v.as_dvec3().to_array());
    for turn in turns() {
        let [still, turned] = [0.7, 0.75].map(|share| bend(turn * share));
        let bends = [still, still, turned];
        let skin = BentSurface::new(&HEAD.grid, &bends);
        let low = HEAD.mesh.positions.iter();
        let low = low.filter(|p| still.band.level(**p) < -0.05);
        let (mut asked, mut carried) = (0, 0);
        for p in low.step_by(23) {
            let root = Vec3::new(0.05, 0.1, -0.02);
            let ask = |to: Vec3, substep| ContactQuery {
                root,
                ..ContactQuery::of_point(still.point(*p), to, substep)
            };
            let met = skin.query(&ask(still.point(*p), 0));
            asked += 1;
            let found = skin.query(&ask(turned.point(*p), 1));
            // Near the head it is asked anew.
            if [met.carrier, found.carrier] != [Carrier::Torso; 2] {
                continue;
            }
            carried += 1;
            let turn = skin.torso_turn(1);
            let here = [v3(root), v3(still.point(*p))];
            let offset = f64::from(met.tangent.offset - met.tangent.normal.dot(root));
            let (normal, offset, drift) = turn.take(here, v3(met.tangent.normal), offset);
            let normal = Vec3::from_array(normal.get(0).map(|c| c as f32));
            let wanted = f64::from(found.tangent.offset - found.tangent.normal.dot(root));
            assert!(normal.distance(found.tangent.normal) < 1e-4, "{p}");
            assert!((offset - wanted).abs() < 2e-6, "{p}: {offset} {wanted}");
            let drift = Vec3::from_array(drift.get(0).map(|c| c as f32));
            let way = turned.point(*p) - still.point(*p);
            assert!(drift.distance(way) < 1e-6, "{p}");
        }
        assert!(2 * carried > asked, "{carried} of {asked}");
    }
}

#[test]
fn a_torso_follows_late_and_no_neck_turns_farther_than_it_can() {
    let mut params = params();
    (params.torso.follow, params.torso.delay) = (1.0, 0.5);
    params.motion.yaw = 80.0;
    params.torso.reach = 45.0;
    let mut simulation = Simulation::new(
        groom(&crown()),
        HEAD.clone(),
        &SimParams {
            motion: Default::default(),
            ..params.clone()
        },
    );
    let mut most: f32 = 0.0;
    for step in 0..300 {
        simulation.step(&params);
        let turned = simulation.neck().turn.length();
        most = most.max(turned);
        if step == 30 {
            assert!(turned > 0.3, "late: {turned}");
        }
    }
    assert!((0.6..45.1f32.to_radians()).contains(&most), "{most}");
    assert!(simulation.neck().turn.length() < 0.01);
}

#[test]
fn hair_rooted_on_a_shoulder_is_not_dragged_by_a_nod() {
    for method in crate::sim::solver::SOLVERS.iter() {
        let mut params = params();
        params.step.solver = method.id.into();
        let mut simulation = Simulation::new(groom(&draped()), HEAD.clone(), &params);
        let mut places = Vec::new();
        simulation.write_positions(&mut places);
        let roots: Vec<Vec3> = places.iter().step_by(12).copied().collect();
        params.motion.pitch = 30.0;
        for _ in 0..40 {
            simulation.step(&params);
            simulation.write_positions(&mut places);
            for (root, now) in roots.iter().zip(places.iter().step_by(12)) {
                let off = root.distance(*now);
                assert!(off < 5e-5, "{}: {off}", method.id);
            }
        }
        let found = simulation.statistics(&params);
        assert!(found.max_penetration < 1e-3, "{}: {found:?}", method.id);
        // Brought back, they rest.
        params.motion.pitch = 0.0;
        for _ in 0..240 {
            simulation.step(&params);
        }
        assert!(simulation.shape().is_none());
        simulation.write_positions(&mut places);
        assert!(roots[0].distance(places[0]) < 1e-5);
    }
}

/// Loose strands just above a shoulder, falling onto it.
fn loose() -> Vec<(Vec3, Vec3)> {
    draped()
        .iter()
        .map(|(p, _)| (*p + Vec3::Y * 0.004, Vec3::X * 0.3))
        .collect()
}

#[test]
fn a_lock_that_lies_on_a_shoulder_is_not_dragged_by_a_shake() {
    // Where loose strands on the same skin come to, under a head that turns or rests.
    let come = |mode, yaw| {
        let mut params = params();
        params.torso.mode = mode;
        params.collision.friction = 1.0;
        params.volume.on = false;
        let mut simulation = Simulation::new(groom(&loose()), HEAD.clone(), &params);
        simulation.set_free();
        for step in 0..45 {
            params.motion.yaw = if step < 25 { 0.0 } else { yaw };
            simulation.step(&params);
        }
        let mut places = Vec::new();
        simulation.write_positions(&mut places);
        places
    };
    let dragged = |mode| {
        let (turned, rests) = (come(mode, 25.0), come(mode, 0.0));
        let way = turned.iter().zip(&rests).map(|(a, b)| a.distance(*b));
        way.sum::<f32>() / rests.len() as f32
    };
    let (stays, turns) = (dragged(TorsoMode::Auto), dragged(TorsoMode::Off));
    assert!(stays < 0.1 * turns, "{stays} m, rigid {turns} m");
}

#[test]
fn hair_rooted_on_a_shoulder_lies_there_while_the_head_shakes() {
    // Limp, so that only friction and the roots hold it.
    let lying: Vec<(Vec3, Vec3)> = draped()
        .iter()
        .map(|(p, _)| (*p + Vec3::Y * 0.001, Vec3::new(0.9, 0.0, 0.3)))
        .collect();
    for method in crate::sim::solver::SOLVERS.iter() {
        let come = |yaw| {
            let mut params = params();
            params.step.solver = method.id.into();
            params.collision.friction = 1.0;
            params.volume.on = false;
            crate::sim::solver::set_sag_free(&mut params, false);
            params
                .methods
                .set_all("stiffness", &crate::param::Value::Float(0.02));
            let mut simulation = Simulation::new(groom(&lying), HEAD.clone(), &params);
            // From when they lie, one state after the other.
            let mut states = Vec::new();
            for step in 0..150 {
                params.motion.yaw = if step < 120 { 0.0 } else { yaw };
                simulation.step(&params);
                if step >= 120 {
                    let mut places = Vec::new();
                    simulation.write_positions(&mut places);
                    states.push(places);
                }
            }
            states
        };
        let (turned, rests) = (come(25.0), come(0.0));
        let off = |(a, b): (&Vec<Vec3>, &Vec<Vec3>)| {
            a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum::<f32>() / a.len() as f32
        };
        let most = turned.iter().zip(&rests).map(off).fold(0.0, f32::max);
        let touching = rests[0]
            .iter()
            .filter(|p| HEAD.surface.signed_distance(**p) < 1e-3);
        assert!(touching.count() > 50, "{}: nothing lies there", method.id);
        // Friction that counts the way of the torso twice drags limp rods 15 mm.
        assert!(most < 2e-3, "{}: {most} m", method.id);
    }
}

#[test]
fn hair_stays_out_of_head_neck_and_shoulders_that_turn_against_each_other() {
    for (mode, solver) in [
        ("mesh", "pbd"),
        ("grid", "ftl"),
        ("grid", "rod"),
        ("mesh", "rod"),
    ] {
        let mut params = params();
        params.step.solver = solver.into();
        params.collision.mode = crate::sim::CollisionMode::from_name(mode).expect("a mode");
        params.motion.preset = MotionPreset::Nod;
        (params.motion.amplitude, params.motion.frequency) = (30.0, 0.8);
        // From below the ears to just above the shoulders.
        let over = |i: i32| {
            let side = if i % 2 == 0 { 1.0 } else { -1.0 };
            let deep = -0.06 + 0.003 * i as f32;
            let from = Vec3::new(0.4 * side, -0.05, 0.4 * deep);
            let hit = HEAD.surface.ray(from, Vec3::X * -side, 1.0).expect("skin");
            let root = from - Vec3::X * (side * hit.distance);
            let shoulder = below(Vec3::new(0.105 * side, -0.1, deep)) + Vec3::Y * 0.006;
            (root, (shoulder - root) * 10.0)
        };
        let roots: Vec<_> = (0..20).map(over).collect();
        let mut simulation = Simulation::new(groom(&roots), HEAD.clone(), &params);
        let (mut deepest, mut touched, mut places) = (0.0f32, 0, Vec::new());
        for _ in 0..180 {
            simulation.step(&params);
            let now = simulation.statistics(&params).max_penetration;
            deepest = deepest.max(now);
            simulation.write_positions(&mut places);
            let seen = places.iter().map(|p| simulation.pose().inverse_point(*p));
            let low = seen.filter(|p| simulation.neck().band.level(*p) < -0.2);
            touched += low.filter(|p| simulation.distance(*p) < 3e-3).count();
        }
        assert!(
            touched > 20,
            "{solver} {mode}: nothing lies on the shoulders"
        );
        assert!(deepest < 2e-3, "{solver} {mode}: {deepest}");
    }
}

#[test]
fn threads_change_no_bit_of_it() {
    let hash = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let mut params = params();
            params.motion.preset = MotionPreset::HeadBang;
            params.motion.amplitude = 40.0;
            params.torso.follow = 0.3;
            let roots: Vec<_> = crown().into_iter().chain(draped()).chain(loose()).collect();
            let mut simulation = Simulation::new(groom(&roots), HEAD.clone(), &params);
            for _ in 0..60 {
                simulation.step(&params);
            }
            let shape = simulation.shape().map(|shape| shape.to_vec());
            (simulation.state_hash(), simulation.pose(), shape)
        })
    };
    let one = hash(1);
    assert!(one.2.is_some());
    assert!(hash(2) == one && hash(3) == one);
}

#[test]
fn a_head_and_torso_that_are_carried_stay_as_they_are_to_one_another() {
    let mut params = params();
    params.motion.yaw = 30.0;
    let mut simulation = Simulation::new(groom(&crown()), HEAD.clone(), &params);
    simulation.step(&params);
    let before = simulation.neck().turn;
    assert!(before.length() > 0.5);
    let there = Pose {
        rotation: Quat::from_rotation_x(1.0) * simulation.pose().rotation,
        translation: Vec3::new(3.0, 1.0, 0.0),
    };
    simulation.carry(there);
    for _ in 0..20 {
        simulation.step(&params);
    }
    let after = simulation.neck().turn;
    assert!(before.distance(after) < 1e-3, "{before} {after}");
}
