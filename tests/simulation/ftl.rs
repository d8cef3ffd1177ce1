//! Dynamic Follow-The-Leader against a plain scalar program and against what
//! the method promises.

use crate::{
    common::{Floor, falling, groom, input, straight},
    particles::{
        Plain, Watched, curl, curls_of_all_lengths, draw_surroundings, drawn,
        grips_pull_their_vertices, radius_left, shaken_for_twenty_seconds, strands_share_a_block,
        stretch,
    },
};
use glam::{DQuat, DVec3, Vec3};
use lovelock::{
    math::{
        Pose,
        lanes::{F, Lane},
    },
    project::{built_scene, scene::Scene},
    sim::{
        MotionPreset, SimParams,
        contact::CollisionSurface,
        solver::{FtlParams, Scratch, StepInput, dispatch::Kernel as _, ftl::Ftl},
        state::{Block, PINNED},
        trace::Unobserved,
    },
};

/// Vertices before and behind an edge between which its chord runs.
const REACH: usize = 6;

/// Müller, Kim, Chentanez 2012 as plain as it can be written, in f64 and with
/// quaternions: one strand, a floor instead of a head.
impl Plain {
    /// Orientations carried along the chords of `points`, from one that takes
    /// the z axis to the first edge at rest.
    fn frames(&self, points: &[DVec3]) -> Vec<DQuat> {
        let first = (self.rest[1] - self.rest[0]).normalize();
        let mut q = DQuat::from_rotation_arc(DVec3::Z, first);
        let mut all = vec![q];
        for i in 1..points.len() {
            // Two edges share a frame.
            if i.is_multiple_of(2) {
                all.push(q);
                continue;
            }
            let (from, to) = (
                i.saturating_sub(1 + REACH),
                (i + REACH).min(points.len() - 1),
            );
            let along = q * DVec3::Z;
            let length = self.rest[i].distance(self.rest[i - 1]);
            let chord = (points[to] - points[from] + along * length).normalize();
            q = (DQuat::from_rotation_arc(along, chord) * q).normalize();
            all.push(q);
        }
        all
    }

    fn step_ftl(&mut self, params: &SimParams, floor: Option<f64>) {
        let n = self.x.len();
        let p = &params.of::<FtlParams>();
        let substeps = f64::from(params.step.substeps());
        let rate = f64::from(params.step.rate);
        let h = 1.0 / (rate * substeps);
        let stiffness = |k: f64| 1.0 - (1.0 - k).powf(240.0 / (rate * substeps));
        let curl = stiffness(f64::from(p.curl));
        // The share of speed at which x'' = (1 - k) (x + (1 - c) (x - x')) has
        // a double root, found by halving.
        let (mut low, mut calm) = (0.0, 1.0);
        for _ in 0..200 {
            let c = 0.5 * (low + calm);
            if (1.0 - curl) * (2.0 - c) * (2.0 - c) < 4.0 * (1.0 - c) {
                low = c;
            } else {
                calm = c;
            }
        }
        for _ in 0..params.step.substeps() {
            let old = self.x.clone();
            let (frames, resting) = (self.frames(&old), self.frames(&self.rest));
            let slow = 1.0 / (1.0 + f64::from(params.forces.drag) * h);
            let mut v = self.v.clone();
            // Velocities already found in this sweep stand in for older ones.
            let mut gave = vec![DVec3::ZERO; n + 1];
            for i in 1..n {
                if i < PINNED {
                    v[i - 1] = (self.x[i - 1] - old[i - 1]) / h + gave[i - 1];
                    continue;
                }
                let (from, to) = (i.saturating_sub(1 + REACH), (i + REACH).min(n - 1));
                let mut speed = self.v[i];
                if curl > 0.0 {
                    let t = (i - from) as f64 / (to - from) as f64;
                    let inner = if from < i { v[from] } else { self.v[from] };
                    speed += (inner.lerp(self.v[to], t) - speed) * calm;
                }
                let left = (1.0 - f64::from(p.calm)).powf(60.0 * h);
                let speed =
                    (speed * left + DVec3::Y * (-f64::from(params.forces.gravity) * h)) * slow;
                let mut x = old[i] + speed * h;
                let t = i as f64 / (n - 1) as f64;
                let shape = [1.0, p.shape_tip].map(|share| stiffness(f64::from(p.shape * share)));
                x += (self.rest[i] - x) * (shape[0] + (shape[1] - shape[0]) * t);
                let mut drawn = DVec3::ZERO;
                if curl > 0.0 {
                    let edge = self.rest[i] - self.rest[i - 1];
                    let goal = self.x[i - 1] + frames[i] * (resting[i].conjugate() * edge);
                    drawn = (goal - x) * curl;
                    x += drawn;
                }
                let ground =
                    floor.map_or(f64::MIN, |floor| floor + f64::from(params.collision.margin));
                x.y = x.y.max(ground);
                let length = self.rest[i].distance(self.rest[i - 1]);
                let inner = self.x[i - 1];
                let way = (x - inner).normalize();
                let mut kept = inner + way * length;
                if kept.y < ground {
                    let rise = (ground - inner.y).clamp(-length, length);
                    let along = DVec3::new(way.x, 0.0, way.z).normalize();
                    kept = inner + DVec3::Y * rise + along * (length.powi(2) - rise.powi(2)).sqrt();
                }
                // The head feels nothing of a hair.
                if i > PINNED {
                    gave[i - 1] = -(kept - x + drawn) * (f64::from(p.damping) / h);
                }
                v[i - 1] = (self.x[i - 1] - old[i - 1]) / h + gave[i - 1];
                self.x[i] = kept;
            }
            v[n - 1] = (self.x[n - 1] - old[n - 1]) / h;
            self.v = v;
        }
    }
}

fn step<T: Lane, P: Lane>(block: &mut Block<T>, scratch: &mut Scratch<T>, input: &StepInput) {
    let ftl = Ftl::new(&input.params.of::<FtlParams>(), &input.params.step);
    ftl.advance::<T, P, _>(block, scratch, input, &mut Unobserved);
}

fn run<T: Lane, P: Lane>(
    rest: &[Vec3],
    params: &SimParams,
    skin: Option<&dyn CollisionSurface>,
    steps: usize,
) -> Block<T> {
    let groom = groom(&[rest.to_vec()]);
    let mut block = Block::<T>::new(&groom, 0, 1, &Pose::IDENTITY);
    let mut scratch = Scratch::new();
    for _ in 0..steps {
        step::<T, P>(&mut block, &mut scratch, &input(params, skin));
    }
    block
}

#[test]
fn the_kernel_is_the_plain_program_in_f64() {
    for (damping, curl_stiffness, shape, substeps, floor) in [
        (0.9, 0.0, 0.0, 4, None),
        (0.5, 0.0, 0.0, 2, Some(0.17)),
        (0.9, 0.35, 0.02, 4, None),
        (0.9, 0.2, 0.0, 4, Some(0.16)),
    ] {
        let mut params = falling();
        // The plain program knows no direction of drag.
        params.forces.drag_along = 1.0;
        params.collision.friction = 0.0;
        params.step.set_substeps(substeps);
        params.of_mut::<FtlParams>().damping = damping;
        params.of_mut::<FtlParams>().curl = curl_stiffness;
        params.of_mut::<FtlParams>().shape = shape;
        let ground = floor.map(|height| Watched(Floor { height }));
        let skin = ground
            .as_ref()
            .map(|ground| ground as &dyn CollisionSurface);
        // Without curls a strand is a chaotic pendulum: differences grow.
        let steps = if curl_stiffness > 0.0 { 40 } else { 12 };
        let block = run::<f64, f64>(&curl(), &params, skin, steps);
        let lanes = run::<F<32>, F<1>>(&curl(), &params, skin, steps);
        let mut plain = Plain::new(&curl());
        for _ in 0..steps {
            plain.step_ftl(&params, floor.map(f64::from));
        }
        let case = format!("curl {curl_stiffness}, floor {floor:?}");
        plain.assert_followed(&block, &lanes, &case);
    }
}

#[test]
fn lengths_are_kept_in_wind_on_the_head() {
    let mut scene = Scene::default();
    scene.roots.strands = 300;
    scene.sim.step.solver = "ftl".into();
    scene.sim.wind.on = true;
    scene.sim.wind.strength = 12.0;
    let mut stage = built_scene::build(&scene).expect("the default scene");
    let simulation = &mut stage.simulation;
    for step in 0..240 {
        simulation.step(&scene.sim);
        let now = simulation.statistics(&scene.sim);
        assert!(now.max_stretch < 1e-3, "step {step}: {}", now.max_stretch);
    }
}

#[test]
fn twenty_seconds_of_shaking_and_gusts_leave_the_hair_whole() {
    let mut scene = Scene::default();
    scene.sim.step.solver = "ftl".into();
    let longest = shaken_for_twenty_seconds(scene);
    assert!(longest < 1e-3, "{longest}");
}

#[test]
fn a_curl_is_kept_under_gravity_and_only_with_its_stiffness() {
    let held = |curl: f32| {
        let mut params = falling();
        params.of_mut::<FtlParams>().curl = curl;
        params.of_mut::<FtlParams>().shape = 0.0;
        radius_left(|rest| run::<F<32>, F<1>>(rest, &params, None, 600))
    };
    let default = held(falling().of::<FtlParams>().curl);
    let limp = held(0.0);
    println!("held {default}, limp {limp}");
    assert!(
        default > 0.6 && default < 1.2,
        "{default} of the radius is left"
    );
    assert!(
        limp < 0.3,
        "without curl stiffness {limp} of the radius is left"
    );
}

#[test]
fn a_hanging_strand_comes_to_rest() {
    for rest in [
        straight(Vec3::ZERO, Vec3::NEG_Y, 0.3, 32),
        straight(Vec3::ZERO, Vec3::X, 0.3, 32),
        curl(),
    ] {
        let params = falling();
        let block = run::<F<32>, F<1>>(&rest, &params, None, 1200);
        assert!(stretch(&block) < 1e-5);
        // The velocity kept has more in it than motion.
        let later = run::<F<32>, F<1>>(&rest, &params, None, 1201);
        let fastest = (0..block.rows)
            .map(|i| 60.0 * later.point(i, 0).distance(block.point(i, 0)))
            .fold(0.0, f64::max);
        assert!(fastest < 0.02, "{fastest} m/s: {:?}", &rest[..2]);
    }
}

#[test]
fn strands_of_different_length_share_a_block_without_touching() {
    strands_share_a_block(2, &falling(), step::<F<32>, F<1>>, "ftl");
}

#[test]
fn no_slider_position_makes_a_number_that_is_not_finite() {
    let all = groom(&curls_of_all_lengths());
    let floor = Floor { height: -0.3 };
    for case in 0..100u64 {
        let pick = drawn(case);
        let mut params = falling();
        draw_surroundings(&mut params, &pick);
        params.of_mut::<FtlParams>().damping = pick(3, 0.0, 1.0);
        params.of_mut::<FtlParams>().curl = pick(4, 0.0, 1.0);
        params.of_mut::<FtlParams>().shape = pick(5, 0.0, 1.0);
        params.of_mut::<FtlParams>().shape_tip = pick(6, 0.0, 1.0);
        params.of_mut::<FtlParams>().calm = pick(7, 0.0, 0.9);
        let mut block = Block::<F<32>>::new(&all, 0, 32, &Pose::IDENTITY);
        let mut scratch = Scratch::new();
        for _ in 0..60 {
            let input = input(&params, Some(&floor));
            step::<_, F<1>>(&mut block, &mut scratch, &input);
        }
        assert_eq!(block.resets, 0, "case {case}");
        assert!(stretch(&block) < 1e-3, "case {case}: {}", stretch(&block));
        for lane in 0..32 {
            for i in 0..block.counts[lane] {
                assert!(block.point(i, lane).is_finite(), "case {case}");
            }
        }
    }
}

#[test]
fn a_grip_leads_the_strand_and_lengths_stay() {
    let held = grips_pull_their_vertices(&falling(), [1e-3, 0.5], step::<_, F<1>>);
    for lane in 0..3 {
        for i in 1..40 {
            let length = held.point(i, lane).distance(held.point(i - 1, lane));
            let rest = curl()[i].distance(curl()[i - 1]);
            assert!(
                (length / f64::from(rest) - 1.0).abs() < 1e-3,
                "lane {lane}, edge {i}"
            );
        }
    }
}

#[test]
fn hair_on_a_resting_head_comes_to_rest() {
    let mut scene = Scene::default();
    scene.roots.strands = 300;
    scene.sim.step.solver = "ftl".into();
    scene.sim.motion.preset = MotionPreset::None;
    let mut stage = built_scene::build(&scene).expect("the default scene");
    let simulation = &mut stage.simulation;
    for _ in 0..300 {
        simulation.step(&scene.sim);
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    simulation.write_positions(&mut before);
    simulation.step(&scene.sim);
    simulation.write_positions(&mut after);
    let mut speeds: Vec<f32> = before
        .iter()
        .zip(&after)
        .map(|(a, b)| 60.0 * a.distance(*b))
        .collect();
    speeds.sort_by(f32::total_cmp);
    let at = |share: f32| speeds[((speeds.len() - 1) as f32 * share) as usize];
    assert!(at(0.5) < 1e-4, "half of the hair moves at {} m/s", at(0.5));
    assert!(at(0.97) < 1e-2, "97 % of the hair at {} m/s", at(0.97));
}
