//! What hair among hair keeps: the momentum of free hair, and the volume of hair
//! that is shaken or rests.

use super::{
    GridMotion, HairVolume,
    rest_density::{RUN_LENGTH, Rest},
};
use crate::{
    groom::{Groom, GroomParams, grow},
    math::{
        Pose,
        elementary::{cos, sin},
        lanes::Lane,
        random::signed,
    },
    mesh::{CollisionMesh, HeadParams, RootParams, load, scatter},
    sim::{
        CollisionMode, MotionPreset, SimParams, Simulation, VolumeParams,
        keyframes::{Keyframe, Keyframes},
        solver::{Integrator, RodParams, SOLVERS, der, hold_all, rod, set_sag_free},
        state::{Block, LANES, Row, StrandState},
    },
};
use glam::{DVec3, Vec3};
use std::{
    f32::consts::{PI, TAU},
    sync::{Arc, LazyLock},
};

const DT: f64 = 1.0 / 60.0;

static HEAD: LazyLock<Arc<CollisionMesh>> = LazyLock::new(|| {
    let head = load(&HeadParams::default()).expect("the head");
    Arc::new(CollisionMesh::new(head.mesh, 0.01))
});

/// Hair on the head.
fn head_hair(strands: u32, groom: &GroomParams) -> Arc<Groom> {
    let roots = RootParams {
        strands,
        ..RootParams::default()
    };
    let roots = scatter::roots(&HEAD.mesh, &roots).expect("roots");
    Arc::new(grow::grow(&roots, groom, 1, &HEAD))
}

/// Momentum, and angular momentum about the middle; half of each segment's mass is
/// at each of its ends.
fn momenta(state: &StrandState) -> [DVec3; 2] {
    let mut all = Vec::new();
    for block in &state.blocks {
        for lane in 0..block.strands {
            let rest = |i: usize| DVec3::from(block.rest[i].get(lane));
            let count = block.counts[lane];
            let segment = |i: usize| rest(i).distance(rest(i - 1)) / block.inverse_mass.get(lane);
            for i in 0..count {
                let before = if i > 0 { segment(i) } else { 0.0 };
                let after = if i + 1 < count { segment(i + 1) } else { 0.0 };
                let velocity = DVec3::from(block.velocity[i].get(lane));
                all.push((0.5 * (before + after), block.point(i, lane), velocity));
            }
        }
    }
    let whole: f64 = all.iter().map(|(mass, ..)| mass).sum();
    let middle = all.iter().map(|(mass, at, _)| mass * at).sum::<DVec3>() / whole;
    let momentum: DVec3 = all.iter().map(|(mass, _, speed)| mass * speed).sum();
    let turning = all.iter().map(|(mass, at, speed)| {
        let speed = speed - momentum / whole;
        mass * (at - middle).cross(speed)
    });
    [momentum, turning.sum()]
}

/// Free hair that flies, turns and moves against itself, each strand a little
/// otherwise, in nothing.
fn thrown(params: &SimParams) -> Simulation {
    let groom = head_hair(300, &GroomParams::default());
    let mut simulation = Simulation::new(groom, HEAD.clone(), params);
    simulation.set_free();
    // Methods begin with hair that rests.
    simulation.step(params);
    for (number, block) in simulation.state.blocks.iter_mut().enumerate() {
        for lane in 0..block.strands {
            let draw = |what: u64| f64::from(signed(what, (LANES * number + lane) as u64));
            let own = 0.5 * DVec3::new(draw(1), draw(2), draw(3));
            for i in 0..block.counts[lane] {
                let turn = 3.0 * DVec3::Y.cross(block.point(i, lane));
                block.velocity[i].set(lane, (DVec3::X + own + turn).to_array());
            }
        }
    }
    simulation
}

/// Share of its momentum that free hair loses in a second: to the grid, each step's
/// counted by itself, and to everything; and of its angular momentum.
fn lost(method: &str, friction: f32, repulsion: f32, hold: f32) -> [f64; 3] {
    let mut params = SimParams::default();
    hold_all(&mut params);
    params.step.solver = method.into();
    params.motion.preset = MotionPreset::None;
    params.collision.mode = CollisionMode::Off;
    params.forces.gravity_on = false;
    params.forces.drag = 0.0;
    (params.volume.friction, params.volume.repulsion) = (friction, repulsion);
    params.cohesion.hold = hold;
    let mut simulation = thrown(&params);
    let start = momenta(&simulation.state);
    let mut own = 0.0;
    for _ in 0..60 {
        // By itself it changes velocities at once; within a step rods have the same gains later.
        let mut grid = simulation.clone();
        grid.step_volume(&params, DT);
        own += (momenta(&grid.state)[0] - momenta(&simulation.state)[0]).length();
        simulation.step(&params);
    }
    let end = momenta(&simulation.state);
    let [linear, angular] = [0, 1].map(|i| (end[i] - start[i]).length() / start[i].length());
    let own = own / start[0].length();
    println!(
        "{method}, friction {friction}, repulsion {repulsion}, hold {hold}: \
         {:.4} % by the grid, {:.4} % in all, {:.2} % of the turn",
        100.0 * own,
        100.0 * linear,
        100.0 * angular
    );
    [own, linear, angular]
}

#[test]
fn free_hair_keeps_its_momentum() {
    let usual = SimParams::default().volume;
    for [friction, repulsion] in [
        [0.0, 0.0],
        [usual.friction, 0.0],
        [0.6, 0.0],
        [0.0, usual.repulsion],
        [usual.friction, usual.repulsion],
    ] {
        let [grid, all, _] = lost(rod::ID, friction, repulsion, 0.0);
        assert!(grid < 1e-4 && all < 1e-3, "{grid} {all}");
    }
    // With everything on.
    let hold = SimParams::default().cohesion.hold;
    let [_, all, _] = lost(rod::ID, usual.friction, usual.repulsion, hold);
    assert!(all < 1e-3, "{all}");
}

/// What each strand of hair whose strands fly apart gains from the hair around it, as
/// the mean of its vertices, where those within so many cells are taken together.
/// `[m/s]`
fn gained(vertices: u32, apart: f64) -> Vec<DVec3> {
    let groom = GroomParams {
        vertices,
        ..GroomParams::default()
    };
    let params = SimParams {
        volume: VolumeParams {
            friction: 0.5,
            ..VolumeParams::default()
        },
        ..SimParams::default()
    };
    let groom = head_hair(300, &groom);
    let mut state = Simulation::new(groom, HEAD.clone(), &params).state;
    for (number, block) in state.blocks.iter_mut().enumerate() {
        for lane in 0..block.strands {
            let draw = |what: u64| f64::from(signed(what, (LANES * number + lane) as u64));
            let own = DVec3::new(draw(1), draw(2), draw(3)).to_array();
            (0..block.rows).for_each(|i| block.velocity[i].set(lane, own));
        }
    }
    let before = state.blocks.clone();
    let cell = f64::from(params.volume.cell);
    let mut volume = HairVolume {
        rest: Some(Arc::new(Rest::sampled(&state, cell, apart))),
        ..HairVolume::default()
    };
    let still = GridMotion::still(Pose::IDENTITY);
    volume.act(&mut state, &still, &params.volume, DT);
    let blocks = state.blocks.iter().zip(&before);
    let strands = blocks.flat_map(|(block, before)| {
        (0..block.strands).map(move |lane| {
            let velocity = |block: &Block<Row>, i: usize| DVec3::from(block.velocity[i].get(lane));
            let gains =
                (block.pinned..block.rows).map(|i| velocity(block, i) - velocity(before, i));
            gains.sum::<DVec3>() / (block.rows - block.pinned) as f64
        })
    });
    strands.collect()
}

#[test]
fn a_strand_gains_the_same_where_its_vertices_are_taken_together() {
    for vertices in [64, 128] {
        let (alone, together) = (gained(vertices, 0.0), gained(vertices, RUN_LENGTH));
        let off = alone.iter().zip(&together).map(|(a, b)| a.distance(*b));
        let all: f64 = alone.iter().map(|gain| gain.length()).sum();
        let share = off.sum::<f64>() / all;
        println!("{vertices} vertices: {:.1} % off", 100.0 * share);
        assert!(share < 0.1, "{share}");
    }
}

/// A tail of curls, 25 cm long: so many strands tied in a disc of 24 mm.
fn tail(strands: u16, flare: f32) -> Groom {
    let mut groom = Groom {
        starts: vec![0],
        ..Groom::default()
    };
    for n in 0..strands {
        let draw = |what: u64| signed(what, u64::from(n));
        let share = (f32::from(n) + 0.5) / f32::from(strands);
        let (radius, angle) = (0.012 * share.sqrt(), 2.39996 * f32::from(n));
        let root = Vec3::new(radius * cos(angle), 0.0, radius * sin(angle));
        let curl = 0.006 * (1.0 + 0.2 * draw(1));
        let pitch = 0.07 * (1.0 + 0.15 * draw(2));
        let phase = PI * draw(3);
        let axis = (root * flare - Vec3::Y).normalize();
        let side = axis.any_orthonormal_vector();
        let up = axis.cross(side);
        let way = (pitch * pitch + (TAU * curl).powi(2)).sqrt();
        groom.points.extend((0..32u8).map(|i| {
            let turns = 0.25 * f32::from(i) / 31.0 / way;
            let angle = TAU * turns + phase;
            root + axis * (pitch * turns)
                + side * (curl * (cos(angle) - cos(phase)))
                + up * (curl * (sin(angle) - sin(phase)))
        }));
        groom.starts.push(groom.points.len() as u32);
        groom.masses.push(1.0);
    }
    groom
}

/// Root mean square distance of the vertices in the outer half of a tail from its
/// middle line. `[m]`
fn radius(state: &StrandState) -> f64 {
    let rows = state.blocks[0].rows;
    let row = |i: usize| -> Vec<DVec3> {
        let blocks = state.blocks.iter();
        let places =
            blocks.flat_map(|block| (0..block.strands).map(move |lane| block.point(i, lane)));
        places.collect()
    };
    let all: Vec<Vec<DVec3>> = (0..rows).map(row).collect();
    let middles: Vec<DVec3> = all
        .iter()
        .map(|row| row.iter().sum::<DVec3>() / row.len() as f64)
        .collect();
    let (mut squares, mut count) = (0.0, 0.0);
    for i in rows / 2..rows {
        let along = (middles[(i + 2).min(rows - 1)] - middles[i - 2]).normalize();
        for place in &all[i] {
            let off = place - middles[i];
            squares += (off - along * off.dot(along)).length_squared();
            count += 1.0;
        }
    }
    (squares / count).sqrt()
}

/// Shakes a tail without groom hold for so many seconds by so many times 3 cm to
/// each side, and waits two more. Answers its radius at the end of each second as a
/// share of the first one, and its kinetic energy in the end. `[J]`
fn shaken(groom: Groom, seconds: u16, times: f32, params: &SimParams) -> (Vec<f64>, f64) {
    let end = f32::from(seconds);
    let key = |i: u16| {
        let time = f32::from(i) / 60.0;
        let swing = |rate: f32| {
            let time = time.min(end);
            time.min(1.0) * sin(TAU * rate * time)
        };
        let back = times * (1.0 - (time - end) / 0.2).clamp(0.0, 1.0);
        Keyframe {
            time,
            rotation: [0.0; 3],
            position: [0.03 * swing(1.5) * back, 0.0, 0.015 * swing(2.055) * back],
        }
    };
    let steps = 60 * (seconds + 2);
    let mut params = params.clone();
    set_sag_free(&mut params, false);
    params.step.solver = rod::ID.into();
    params.collision.mode = CollisionMode::Off;
    params.cohesion.hold = 0.0;
    params.motion.preset = MotionPreset::Keyframes;
    params.motion.keyframes = Keyframes::new((0..=steps).map(key).collect()).expect("in order");
    let mut simulation = Simulation::new(Arc::new(groom), HEAD.clone(), &params);
    let start = radius(&simulation.state);
    let mut kept = Vec::new();
    for step in 1..=steps {
        simulation.step(&params);
        if step % 60 == 0 {
            kept.push(radius(&simulation.state) / start);
        }
    }
    let kinetic = simulation.statistics(&params).kinetic;
    println!(
        "{:.2} mm, kept {kept:.3?}; {kinetic:.1e} J left",
        1e3 * start
    );
    (kept, kinetic)
}

#[test]
fn a_tail_that_is_shaken_keeps_its_radius() {
    let params = SimParams::default();
    let (kept, kinetic) = shaken(tail(1000, 4.0), 10, 1.0, &params);
    for kept in kept {
        assert!((0.9..1.1).contains(&kept), "{kept}");
    }
    assert!(kinetic < 1e-6, "it does not come to rest: {kinetic} J");
    // What holds it is the grid.
    let mut alone = params;
    alone.volume.on = false;
    let (kept, _) = shaken(tail(1000, 4.0), 2, 1.0, &alone);
    assert!(kept[1] < 0.8, "{}", kept[1]);
}

#[test]
fn ringlets_keep_their_volume_in_every_method() {
    // As in the scene of that name, which has five times as many.
    let groom = GroomParams {
        vertices: 112,
        length: 0.19,
        length_spread: 0.12,
        curl_radius: 0.0095,
        curl_pitch: 0.03,
        curl_spread: 0.15,
        curl_start: 0.1,
        phase_spread: 0.0,
        locks: 100,
        clump: 0.96,
        lock_width: 0.0038,
        volume: 0.014,
        droop: 0.8,
        frizz: 0.0015,
        mass_spread: 0.04,
        ..GroomParams::default()
    };
    let groom = head_hair(400, &groom);
    // One method sags in two substeps, with the grid as without it: it has three
    // quarters left after half a second.
    for method in SOLVERS.iter().filter(|method| method.id != der::ID) {
        let mut params = SimParams::default();
        hold_all(&mut params);
        params.step.solver = method.id.into();
        params.step.set_substeps(2);
        params.of_mut::<RodParams>().integrator = Integrator::Bdf2;
        params.collision.mode = CollisionMode::Grid;
        params.motion.preset = MotionPreset::None;
        let mut simulation = Simulation::new(groom.clone(), HEAD.clone(), &params);
        let start = simulation.volume();
        (0..30).for_each(|_| simulation.step(&params));
        let kept = simulation.volume() / start;
        println!("{}: {:.1} %", method.id, 100.0 * kept);
        assert!((0.96..1.04).contains(&kept), "{}: {kept}", method.id);
    }
}
