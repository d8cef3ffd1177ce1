//! Dynamic Follow-The-Leader against a plain scalar program and against what
//! the method promises.

use crate::common::{Floor, falling, groom, helix, input, straight};
use glam::{DQuat, DVec3, Vec3};
use lovelock::{
    math::{
        Pose,
        lanes::{F, Lane, V3},
        random::uniform,
    },
    project::{built_scene, scene::Scene},
    sim::{
        MotionPreset, SimParams,
        attachment::{Attachment, AttachmentKind},
        contact::{CollisionSurface, Tangent},
        solver::{FtlParams, Scratch, dispatch::Kernel as _, ftl::Ftl},
        state::{Block, PINNED},
        trace::Unobserved,
    },
};

/// Müller, Kim, Chentanez 2012 as plain as it can be written, in f64 and with
/// quaternions: one strand, a floor instead of a head.
struct Plain {
    rest: Vec<DVec3>,
    x: Vec<DVec3>,
    v: Vec<DVec3>,
}

/// Vertices before and behind an edge between which its chord runs.
const REACH: usize = 6;

impl Plain {
    fn new(rest: &[Vec3]) -> Self {
        let rest: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
        Self {
            x: rest.clone(),
            v: vec![DVec3::ZERO; rest.len()],
            rest,
        }
    }

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

    fn step(&mut self, params: &SimParams, floor: Option<f64>) {
        let n = self.x.len();
        let p = &params.of::<FtlParams>();
        let substeps = f64::from(params.step.substeps);
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
        for _ in 0..params.step.substeps {
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

/// A floor that claims to be close, so that every row looks at it always.
struct Watched(Floor);

impl CollisionSurface for Watched {
    fn tangent(&self, from: Vec3, to: Vec3) -> Tangent {
        Tangent {
            distance: 0.0,
            ..self.0.tangent(from, to)
        }
    }
    fn distance(&self, p: Vec3) -> f32 {
        self.0.distance(p)
    }
}

fn curl() -> Vec<Vec3> {
    helix(Vec3::new(0.02, 0.3, -0.01), 0.008, 0.034, 0.2, 40)
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
    let ftl = Ftl::new(&params.of::<FtlParams>(), &params.step);
    for _ in 0..steps {
        let input = input(params, skin);
        ftl.advance::<T, P, _>(&mut block, &mut scratch, &input, &mut Unobserved);
    }
    block
}

/// Largest relative change of length of any edge of the first strand.
fn stretch<T: Lane>(block: &Block<T>) -> f64 {
    let length = |rows: &[V3<T>], i: usize| DVec3::from((rows[i] - rows[i - 1]).get(0)).length();
    (1..block.counts[0])
        .map(|i| (length(&block.position, i) / length(&block.rest, i) - 1.0).abs())
        .fold(0.0, f64::max)
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
        params.step.substeps = substeps;
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
            plain.step(&params, floor.map(f64::from));
        }
        let mut moved = 0.0f64;
        for i in 0..40 {
            let off = block.point(i, 0).distance(plain.x[i]);
            assert!(
                off < 1e-9,
                "curl {curl_stiffness}, floor {floor:?}, vertex {i}: {off} m"
            );
            let off = lanes.point(i, 0).distance(plain.x[i]);
            assert!(
                off < 1e-4,
                "curl {curl_stiffness}, floor {floor:?}, vertex {i}: {off} m in f32"
            );
            moved = moved.max(plain.x[i].distance(plain.rest[i]));
        }
        assert!(
            moved > 1e-3,
            "the strand must have moved for this to prove anything"
        );
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
fn a_minute_of_shaking_and_gusts_leaves_the_hair_whole() {
    let mut scene = Scene::default();
    scene.roots.strands = 32;
    scene.groom.vertices = 32;
    scene.sim.step.solver = "ftl".into();
    scene.sim.wind.on = true;
    scene.sim.wind.strength = 15.0;
    scene.sim.wind.oscillation = 1.0;
    scene.sim.motion.preset = MotionPreset::Shake;
    scene.sim.motion.amplitude = 60.0;
    scene.sim.motion.frequency = 2.0;
    let mut stage = built_scene::build(&scene).expect("the default scene");
    let simulation = &mut stage.simulation;
    let mut longest = 0.0f32;
    for step in 0..3600 {
        simulation.step(&scene.sim);
        if step % 12 == 11 {
            let now = simulation.statistics(&scene.sim);
            longest = longest.max(now.max_stretch);
        }
    }
    assert_eq!(simulation.statistics(&scene.sim).nonfinite, 0);
    assert!(longest < 1e-3, "{longest}");
}

/// Mean distance of a strand's vertices from the axis through the middles of
/// its turns, over the middle of the strand. `[m]`
fn radius(points: &[DVec3], turn: usize) -> f64 {
    let middle = |i: usize| {
        let part = &points[i - turn / 2..=i + turn / 2];
        // Over a whole turn, its two ends counting half.
        let ends = (part[0] + part[turn]) * 0.5;
        (part[1..turn].iter().sum::<DVec3>() + ends) / turn as f64
    };
    let range = turn..points.len() - turn;
    let count = range.len() as f64;
    range.map(|i| points[i].distance(middle(i))).sum::<f64>() / count
}

#[test]
fn a_curl_is_kept_under_gravity_and_only_with_its_stiffness() {
    // 12 vertices a turn.
    let rest = helix(Vec3::new(0.0, 0.5, 0.0), 0.008, 0.034, 0.17, 61);
    let held = |curl: f32| {
        let mut params = falling();
        params.of_mut::<FtlParams>().curl = curl;
        params.of_mut::<FtlParams>().shape = 0.0;
        let block = run::<F<32>, F<1>>(&rest, &params, None, 600);
        let points: Vec<DVec3> = (0..61).map(|i| block.point(i, 0)).collect();
        radius(&points, 12)
    };
    let modelled: Vec<DVec3> = rest.iter().map(|p| p.as_dvec3()).collect();
    let modelled = radius(&modelled, 12);
    let default = held(falling().of::<FtlParams>().curl) / modelled;
    let limp = held(0.0) / modelled;
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
    let strands: Vec<Vec<Vec3>> = (0..32)
        .map(|i| {
            let root = Vec3::new(0.01 * i as f32, 0.3, 0.0);
            helix(root, 0.006, 0.03, 0.05 + 0.004 * i as f32, 2 + (i * 7) % 60)
        })
        .collect();
    let all = groom(&strands);
    let params = falling();
    let ftl = Ftl::new(&params.of::<FtlParams>(), &params.step);
    let mut mixed = Block::<F<32>>::new(&all, 0, 32, &Pose::IDENTITY);
    let mut scratch = Scratch::new();
    let step = |block: &mut Block<F<32>>, scratch: &mut Scratch<F<32>>| {
        ftl.advance::<F<32>, F<1>, _>(block, scratch, &input(&params, None), &mut Unobserved);
    };
    for _ in 0..60 {
        step(&mut mixed, &mut scratch);
    }
    for (lane, strand) in strands.iter().enumerate() {
        let mut alone = Block::<F<32>>::new(&all, lane, 1, &Pose::IDENTITY);
        for _ in 0..60 {
            step(&mut alone, &mut scratch);
        }
        for i in 0..strand.len() {
            assert_eq!(
                mixed.point(i, lane),
                alone.point(i, 0),
                "strand {lane}, vertex {i}"
            );
        }
    }
}

#[test]
fn no_slider_position_makes_a_number_that_is_not_finite() {
    let strand = |i: u32| {
        let root = Vec3::new(0.01 * i as f32, 0.0, 0.0);
        helix(
            root,
            0.012,
            0.02,
            0.005 + 0.045 * i as f32,
            2 + 8 * (i as usize % 9),
        )
    };
    let all = groom(&(0..32).map(strand).collect::<Vec<_>>());
    let floor = Floor { height: -0.3 };
    for case in 0..100u64 {
        // Ends of the ranges as often as their middles.
        let pick = |salt: u64, low: f32, high: f32| match (uniform(salt + 500, case) * 4.0) as u32 {
            0 => low,
            1 => high,
            _ => low + (high - low) * uniform(salt, case),
        };
        let mut params = falling();
        params.step.rate = pick(1, 24.0, 240.0) as u32;
        params.step.substeps = pick(2, 1.0, 8.0) as u32;
        params.of_mut::<FtlParams>().damping = pick(3, 0.0, 1.0);
        params.of_mut::<FtlParams>().curl = pick(4, 0.0, 1.0);
        params.of_mut::<FtlParams>().shape = pick(5, 0.0, 1.0);
        params.of_mut::<FtlParams>().shape_tip = pick(6, 0.0, 1.0);
        params.of_mut::<FtlParams>().calm = pick(7, 0.0, 0.9);
        params.forces.gravity = pick(12, -100.0, 100.0);
        params.forces.drag = pick(13, 0.0, 20.0);
        params.wind.on = true;
        params.wind.strength = pick(14, 0.0, 50.0);
        params.collision.friction = pick(15, 0.0, 2.0);
        params.collision.restitution = pick(16, 0.0, 1.0);
        let mut block = Block::<F<32>>::new(&all, 0, 32, &Pose::IDENTITY);
        let ftl = Ftl::new(&params.of::<FtlParams>(), &params.step);
        let mut scratch = Scratch::new();
        for _ in 0..60 {
            let input = input(&params, Some(&floor));
            ftl.advance::<F<32>, F<1>, _>(&mut block, &mut scratch, &input, &mut Unobserved);
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
    let params = falling();
    let all = groom(&vec![curl(); 3]);
    let mut free = Block::<F<8>>::new(&all, 0, 3, &Pose::IDENTITY);
    let mut held = free.clone();
    let (tip, target) = (39, Vec3::new(0.1, 0.25, 0.05));
    held.attachments = [(1, AttachmentKind::Pin), (2, AttachmentKind::Hand)]
        .map(|(lane, hold)| Attachment {
            lane,
            row: tip,
            target,
            hold,
        })
        .to_vec();
    let ftl = Ftl::new(&params.of::<FtlParams>(), &params.step);
    let mut scratch = Scratch::new();
    let mut hand = Vec::new();
    for _ in 0..240 {
        let input = input(&params, None);
        ftl.advance::<F<8>, F<1>, _>(&mut free, &mut scratch, &input, &mut Unobserved);
        ftl.advance::<F<8>, F<1>, _>(&mut held, &mut scratch, &input, &mut Unobserved);
        hand.push(held.point(tip, 2).distance(target.as_dvec3()));
        for i in 0..=tip {
            assert_eq!(free.point(i, 0), held.point(i, 0), "vertex {i}");
        }
    }
    let pinned = held.point(tip, 1).distance(target.as_dvec3());
    assert!(pinned < 1e-3, "the pin is off by {pinned} m");
    let alone = free.point(tip, 1).distance(target.as_dvec3());
    assert!(hand[0] > 0.1 && alone > 0.1, "{} {alone}", hand[0]);
    assert!(hand[239] < 0.5 * alone, "{} of {alone}", hand[239]);
    for lane in 0..3 {
        for i in 1..=tip {
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
