//! Curly springs against the energies of their paper, and ordeals.

use crate::common::{coil, falling, groom, helix, input, straight};
use glam::{DMat3, DVec3, Vec3};
use lovelock::{
    math::{
        Pose,
        lanes::F,
        random::{signed, uniform},
    },
    project::{built_scene, scene::Scene},
    sim::{
        MotionPreset, SimParams,
        solver::{
            Instructions, Scratch, SpringParams, Width,
            dispatch::{Kernel as _, prepared},
            material::line_density,
            spring::Spring,
        },
        state::{Block, LANES},
    },
};

fn params() -> SimParams {
    let mut params = falling();
    params.step.solver = "spring".into();
    // Stiffer than hair, so that the core and the bend of a curl count beside
    // the stretch of its edges.
    params.of_mut::<SpringParams>().bend = 8.0;
    params.of_mut::<SpringParams>().core = 2.0;
    params
}

fn spring(params: &SimParams) -> Spring {
    Spring::new(&params.of::<SpringParams>(), &params.material, &params.step)
}

/// The springs of one strand as the paper writes them, plainly.
struct Paper {
    rest: Vec<DVec3>,
    stretch: f64,
    bend: f64,
    core: f64,
    fresh: [f64; 2],
}

impl Paper {
    fn new(rest: &[DVec3], params: &SimParams) -> Self {
        let density = line_density(&params.material);
        let radius = 0.5e-6 * f64::from(params.material.diameter);
        let moment = std::f64::consts::PI * radius.powi(4) / 4.0;
        let length: f64 = rest.windows(2).map(|e| e[0].distance(e[1])).sum();
        let mean = length / (rest.len() - 1) as f64;
        let fresh =
            |millimetres: f32| 1.0 - (-mean / (1e-3 * f64::from(millimetres)).max(mean)).exp();
        let p = &params.of::<SpringParams>();
        Self {
            rest: rest.to_vec(),
            stretch: 1e-3 * f64::from(p.stretch) / density,
            bend: f64::from(p.bend) * 1e9 * f64::from(params.material.young) * moment / density,
            core: 1e-3 * f64::from(p.core) / density,
            fresh: [fresh(p.bend_smoothing), fresh(p.core_smoothing)],
        }
    }

    /// The running average of section 3.2.1.
    fn smooth(edges: &[DVec3], fresh: f64) -> Vec<DVec3> {
        let mut out: Vec<DVec3> = Vec::new();
        for (i, edge) in edges.iter().enumerate() {
            let at = |k: usize| if i > k { out[i - 1 - k] } else { edges[0] };
            out.push(if i == 0 {
                *edge
            } else {
                2.0 * (1.0 - fresh) * at(0) - (1.0 - fresh).powi(2) * at(1) + fresh * fresh * *edge
            });
        }
        out
    }

    /// Frames along the smoothed curve, each turned the shortest way from the
    /// one before; as rotation matrices.
    fn frames(smooth: &[DVec3]) -> Vec<DMat3> {
        let mut frames = vec![DMat3::IDENTITY];
        for pair in smooth.windows(2) {
            let (a, b) = (pair[0].normalize(), pair[1].normalize());
            // Rodrigues' formula between two unit vectors.
            let v = a.cross(b);
            let cross = DMat3::from_cols(
                DVec3::new(0.0, v.z, -v.y),
                DVec3::new(-v.z, 0.0, v.x),
                DVec3::new(v.y, -v.x, 0.0),
            );
            let turn = DMat3::IDENTITY + cross + cross * cross * (1.0 / (1.0 + a.dot(b)));
            frames.push(turn * frames[frames.len() - 1]);
        }
        frames
    }

    fn edges(points: &[DVec3]) -> Vec<DVec3> {
        points.windows(2).map(|p| p[1] - p[0]).collect()
    }

    /// Energy of stretch, bending and core for each unit of linear density.
    fn energy(&self, points: &[DVec3]) -> f64 {
        let (rest, now) = (Self::edges(&self.rest), Self::edges(points));
        let frames = |edges: &[DVec3]| Self::frames(&Self::smooth(edges, self.fresh[0]));
        let core = |edges: &[DVec3]| Self::smooth(edges, self.fresh[1]);
        let (rest_frames, now_frames) = (frames(&rest), frames(&now));
        let (rest_core, now_core) = (core(&rest), core(&now));
        let mut energy = 0.0;
        for i in 0..now.len() {
            let length = rest[i].length();
            energy += 0.5 * self.stretch / length * (now[i].length() - length).powi(2);
            let before = i.saturating_sub(1);
            let target = now_frames[before] * (rest_frames[before].transpose() * rest[i]);
            energy += 0.5 * self.bend / length.powi(3) * now[i].distance_squared(target);
            let length = rest_core[i].length();
            energy += 0.5 * self.core / length * (now_core[i].length() - length).powi(2);
        }
        energy
    }

    /// Acceleration of every vertex by central differences of the energy.
    fn accelerations(&self, points: &[DVec3]) -> Vec<DVec3> {
        let lengths: Vec<f64> = Self::edges(&self.rest).iter().map(|e| e.length()).collect();
        let step = 1e-7;
        let along = |i: usize, axis: usize| {
            let at = |sign: f64| {
                let mut moved = points.to_vec();
                moved[i][axis] += sign * step;
                self.energy(&moved)
            };
            (at(1.0) - at(-1.0)) / (2.0 * step)
        };
        (0..points.len())
            .map(|i| {
                let before = if i > 0 { lengths[i - 1] } else { 0.0 };
                let after = lengths.get(i).copied().unwrap_or(0.0);
                -DVec3::new(along(i, 0), along(i, 1), along(i, 2)) / (0.5 * (before + after))
            })
            .collect()
    }
}

fn points(block: &Block<f64>) -> Vec<DVec3> {
    (0..block.rows).map(|i| block.point(i, 0)).collect()
}

/// Block of one strand, bent out of shape by `amount` metres.
fn bent(rest: &[Vec3], amount: f64, seed: u64) -> Block<f64> {
    let mut block = Block::<f64>::new(&groom(&[rest.to_vec()]), 0, 1, &Pose::IDENTITY);
    for i in block.pinned..block.rows {
        let draw = |k: u64| f64::from(signed(seed + k, i as u64));
        let off = DVec3::new(draw(1), draw(2), draw(3)) * amount;
        let place = DVec3::from(block.position[i].get(0)) + off;
        block.position[i].set(0, place.to_array());
    }
    block
}

#[test]
fn forces_are_the_gradient_of_the_papers_springs() {
    let mut params = params();
    params.step.set_substeps(1);
    params.forces.gravity_on = false;
    params.forces.drag = 0.0;
    params.of_mut::<SpringParams>().stretch_limit = 1.0;
    params.of_mut::<SpringParams>().stretch_damping = 0.0;
    params.of_mut::<SpringParams>().bend_damping = 0.0;
    params.of_mut::<SpringParams>().core_damping = 0.0;
    for (seed, rest) in [
        (1, coil(Vec3::new(0.0, 0.1, 0.0), 0.008, 0.02, 0.15, 26)),
        (2, straight(Vec3::ZERO, Vec3::new(0.6, 0.0, 0.8), 0.1, 17)),
        (3, helix(Vec3::ZERO, 0.02, 0.05, 0.3, 40)),
    ] {
        let mut block = bent(&rest, 6e-4, 10 * seed);
        let from = points(&block);
        let curve: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
        let expected = Paper::new(&curve, &params).accelerations(&from);
        // So short a step that nothing moves: what is left is the force.
        let mut input = input(&params, None);
        input.h = 1e-9;
        spring(&params).advance_one(&mut block, &input);
        let largest = expected.iter().map(|a| a.length()).fold(0.0, f64::max);
        for (i, expected) in expected.iter().enumerate().skip(block.pinned) {
            let measured = DVec3::from(block.velocity[i].get(0)) / input.h;
            let error = measured.distance(*expected) / largest;
            assert!(
                error < 2e-6,
                "strand {seed}, vertex {i}: {measured} where {expected} is the gradient"
            );
        }
    }
}

/// What is no gradient pumps energy; the springs must not.
#[test]
fn energy_stays_where_nothing_damps() {
    let mut params = params();
    params.forces.gravity_on = false;
    params.forces.drag = 0.0;
    params.of_mut::<SpringParams>().stretch_limit = 1.0;
    params.of_mut::<SpringParams>().stretch_damping = 0.0;
    params.of_mut::<SpringParams>().bend_damping = 0.0;
    params.of_mut::<SpringParams>().core_damping = 0.0;
    let rest = coil(Vec3::new(0.0, 0.1, 0.0), 0.008, 0.02, 0.15, 32);
    let curve: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
    let paper = Paper::new(&curve, &params);
    let mut block = bent(&rest, 1e-3, 5);
    let start = paper.energy(&points(&block));
    let (solver, input) = (spring(&params), input(&params, None));
    let mut most = 0.0f64;
    for _ in 0..600 {
        solver.advance_one(&mut block, &input);
        let mut energy = paper.energy(&points(&block));
        let lengths: Vec<f64> = Paper::edges(&curve).iter().map(|e| e.length()).collect();
        for i in 0..block.rows {
            let before = if i > 0 { lengths[i - 1] } else { 0.0 };
            let mass = 0.5 * (before + lengths.get(i).copied().unwrap_or(0.0));
            energy += 0.5 * mass * DVec3::from(block.velocity[i].get(0)).length_squared();
        }
        most = most.max(energy);
    }
    assert!(most < 1.15 * start, "{most} of {start}");
}

#[test]
fn a_helix_keeps_its_radius_under_gravity() {
    for (radius, pitch, length) in [
        (0.008, 0.02, 0.2),
        (0.012, 0.03, 0.25),
        (0.005, 0.012, 0.15),
    ] {
        let params = params();
        let rest = coil(Vec3::new(0.0, 0.3, 0.0), radius, pitch, length, 32);
        let mut block = bent(&rest, 0.0, 1);
        let (solver, input) = (spring(&params), input(&params, None));
        for _ in 0..300 {
            solver.advance_one(&mut block, &input);
        }
        // Mean distance from the axis, over whole turns around the middle.
        let measured = |points: &[DVec3]| {
            let rise = f64::from(pitch) / std::f64::consts::TAU;
            let turn = std::f64::consts::TAU * rise.hypot(f64::from(radius));
            let half = (0.5 * turn / (f64::from(length) / 31.0)).round() as usize;
            let axis = |i: usize| {
                let window = &points[i - half..=i + half];
                window.iter().sum::<DVec3>() / window.len() as f64
            };
            let way = |i: usize| {
                let axis_way = (axis(i + 1) - axis(i - 1)).normalize();
                let off = points[i] - axis(i);
                (off - axis_way * off.dot(axis_way)).length()
            };
            let places = half + 2..points.len() - half - 2;
            let count = places.len() as f64;
            places.map(way).sum::<f64>() / count
        };
        let curve: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
        let (before, after) = (measured(&curve), measured(&points(&block)));
        assert!(
            (after / before - 1.0).abs() < 0.1,
            "radius {radius}: {before} m became {after} m"
        );
    }
}

#[test]
fn lanes_in_f32_follow_the_f64_instance_on_all_instructions() {
    let params = params();
    let rest = helix(Vec3::new(0.0, 0.3, 0.1), 0.008, 0.03, 0.2, 40);
    let input = input(&params, None);
    let mut one = Block::<f64>::new(&groom(std::slice::from_ref(&rest)), 0, 1, &Pose::IDENTITY);
    let wide = Block::<F<LANES>>::new(&groom(&[rest.clone(), rest]), 0, 2, &Pose::IDENTITY);
    let mut all = [wide.clone(), wide.clone(), wide];
    let mut scratch = Scratch::new();
    for _ in 0..60 {
        spring(&params).advance_one(&mut one, &input);
        for (block, limit) in all.iter_mut().zip(Instructions::ALL) {
            prepared(spring(&params), Width::AtMost(limit)).step(block, &mut scratch, &input);
        }
    }
    for i in 0..one.rows {
        let expected = one.point(i, 0);
        for block in &all {
            let error = block.point(i, 1).distance(expected);
            assert!(error < 2e-4, "vertex {i} is {error} m off");
            let bits = [0, 1].map(|lane| block.position[i].get(lane));
            assert_eq!(bits, [all[0].position[i].get(0); 2], "vertex {i}");
        }
    }
}

/// Strands of all sorts in one block, sliders at their ends.
#[test]
fn nothing_goes_wild_whatever_the_sliders_say() {
    for round in 0..48u64 {
        let draw = |k: u64| f64::from(uniform(900 + k, round));
        let end = |k: u64, low: f32, high: f32| {
            let t = (draw(k) * 3.0) as u32;
            [low, (low * high).max(0.0).sqrt(), high][t.min(2) as usize]
        };
        let mut params = params();
        params
            .step
            .set_substeps([1, 4, 16][(draw(1) * 3.0) as usize % 3]);
        params.of_mut::<SpringParams>().stretch = end(2, 0.01, 100.0);
        params.of_mut::<SpringParams>().stretch_damping = end(3, 0.0, 1.0);
        params.of_mut::<SpringParams>().stretch_limit = end(4, 0.0, 1.0);
        params.of_mut::<SpringParams>().bend = end(5, 0.01, 100.0);
        params.of_mut::<SpringParams>().bend_damping = end(6, 0.0, 1.0);
        params.of_mut::<SpringParams>().bend_smoothing = end(7, 0.0, 200.0);
        params.of_mut::<SpringParams>().core = end(8, 0.001, 100.0);
        params.of_mut::<SpringParams>().core_damping = end(9, 0.0, 1.0);
        params.of_mut::<SpringParams>().core_smoothing = end(10, 0.0, 200.0);
        params.of_mut::<SpringParams>().most_steps = [1, 8, 64][(draw(11) * 3.0) as usize % 3];
        params.forces.drag = end(12, 0.0, 20.0);
        params.material.diameter = end(13, 15.0, 200.0);
        let strands: Vec<Vec<Vec3>> = (0..8)
            .map(|k| {
                let vertices = 2 + (uniform(950 + k, round) * 60.0) as usize;
                let length = 0.005 * 100f32.powf(uniform(970 + k, round) as f32);
                if k % 2 == 0 {
                    straight(Vec3::ZERO, Vec3::new(0.0, 0.6, 0.8), length, vertices)
                } else {
                    helix(Vec3::ZERO, 0.01, 0.02, length, vertices)
                }
            })
            .collect();
        let mut block = Block::<F<LANES>>::new(&groom(&strands), 0, 8, &Pose::IDENTITY);
        let (solver, input) = (
            prepared(spring(&params), Width::Widest),
            input(&params, None),
        );
        let mut scratch = Scratch::new();
        for _ in 0..60 {
            solver.step(&mut block, &mut scratch, &input);
        }
        assert_eq!(block.resets, 0, "round {round}");
        for (lane, strand) in strands.iter().enumerate() {
            let rest = |i: usize| strand[i].distance(strand[i - 1]) as f64;
            let whole: f64 = (1..strand.len()).map(rest).sum();
            let limit = 1.0 + f64::from(params.of::<SpringParams>().stretch_limit);
            for i in 1..strand.len() {
                let length = block.point(i, lane).distance(block.point(i - 1, lane));
                assert!(
                    length < rest(i) * limit * 1.0001 + 1e-6,
                    "round {round}: an edge of {} m is {length} m long",
                    rest(i)
                );
            }
            let speed = (0..strand.len())
                .map(|i| DVec3::from(block.velocity[i].get(lane)).length())
                .fold(0.0, f64::max);
            assert!(
                speed < 12.0,
                "round {round}, strand {lane} of {whole} m: {speed} m/s, {:?}",
                params.of::<SpringParams>()
            );
        }
    }
}

#[test]
fn a_minute_of_shaking_and_gusts_leaves_hair_whole() {
    let mut scene = Scene::default();
    scene.roots.strands = 32;
    scene.sim.step.solver = "spring".into();
    scene.sim.motion.preset = MotionPreset::Shake;
    scene.sim.motion.amplitude = 40.0;
    scene.sim.motion.frequency = 1.5;
    scene.sim.wind.on = true;
    scene.sim.wind.strength = 12.0;
    let mut stage = built_scene::build(&scene).expect("builds");
    let simulation = &mut stage.simulation;
    for second in 0..60 {
        for _ in 0..60 {
            simulation.step(&scene.sim);
        }
        let now = simulation.statistics(&scene.sim);
        assert_eq!(now.nonfinite, 0, "second {second}");
        let limit = scene.sim.of::<SpringParams>().stretch_limit * 1.01 + 1e-4;
        assert!(
            now.max_stretch < limit,
            "second {second}: {}",
            now.max_stretch
        );
    }
    // And then comes to rest.
    scene.sim.motion.preset = MotionPreset::None;
    scene.sim.wind.on = false;
    for second in 1..=10 {
        (0..60).for_each(|_| simulation.step(&scene.sim));
        let kinetic = simulation.statistics(&scene.sim).kinetic;
        println!("{kinetic:.1e} J after {second} s of rest");
    }
    let rest = simulation.statistics(&scene.sim);
    // Of 32 strands of 0.2 m, 1e-10 J is a millimetre a second; some creep on.
    assert!(rest.kinetic < 1.5e-9, "{} J", rest.kinetic);
}
