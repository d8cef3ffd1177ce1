//! Discrete elastic rods against closed forms, a plain form of the paper's
//! equations, their own f64 instance, and ordeals.

use crate::{
    common::{groom, helix, input, straight},
    rods::{
        self, Draw, Shaken, Wide, assert_bits_are_the_same, block, bust, extreme, hair,
        sinks_as_the_elastica, speed, tilt,
    },
};
use glam::{DVec3, Vec3};
use lovelock::{
    math::{Pose, lanes::Lane, random::uniform},
    mesh::{RootParams, scatter},
    param::Value,
    sim::{
        MotionPreset, SimParams, Simulation,
        attachment::{Attachment, AttachmentKind},
        solver::{
            DerParams, Instructions, MethodStatus, Minimiser, Scratch, Solver, Width,
            der::{Der, DerState},
            dispatch::{Kernel as _, prepared},
            material::RodMaterial,
            method,
        },
        state::{Block, LANES},
    },
};

fn params(substeps: u32) -> SimParams {
    let mut params = SimParams::default();
    params.step.solver = "der".into();
    params.step.set_substeps(substeps);
    params
}

fn solver(params: &SimParams) -> Box<dyn Solver> {
    method("der").expect("listed").solver(params)
}

fn memory<T: Lane>(block: &Block<T>) -> &DerState<T> {
    block
        .memories
        .get()
        .expect("the method has moved the block")
}

fn stretch(block: &Wide, lane: usize) -> f64 {
    rods::stretch(block, lane, |i| memory(block).vertices[i].length.get(lane))
}

#[test]
fn a_cantilever_follows_the_elastica() {
    // H / W of the heavy elastica theta'' = Gamma (1 - s) cos theta.
    for (gamma, reference, tolerance) in [
        (1.0, 0.124_562, 2e-3),
        (10.0, 1.066_802, 4e-3),
        (100.0, 5.888_105, 3e-2),
    ] {
        let mut params = params(4);
        params.of_mut::<DerParams>().sag_free = false;
        params.of_mut::<DerParams>().steps = 20_000;
        params.forces.drag = 8.0;
        let material = RodMaterial::new(&params.material, 1.0);
        params.of_mut::<DerParams>().stiffness = (9.81 * 0.008 / (gamma * material.bend[0])) as f32;
        // Errors are of second order in the edges: a third of the rod's tests'.
        let block = sinks_as_the_elastica(&params, 33, [gamma, reference, tolerance]);
        assert!(stretch(&block, 0) < 1e-5);
    }
}

/// The paper, plainly: energy from positions and angles, forces by differences
/// of it, symplectic Euler, and lengths by Newton to the last digit.
struct Plain {
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    theta: Vec<f64>,
    length: Vec<f64>,
    mass: Vec<f64>,
    clamp: [DVec3; 2],
    rest: Vec<[f64; 4]>,
    bend: f64,
    twist: f64,
}

impl Plain {
    fn new(rest: &[DVec3], material: &RodMaterial) -> Self {
        let n = rest.len();
        let edge = |i: usize| rest[i + 1] - rest[i];
        let length: Vec<f64> = (0..n - 1).map(|i| edge(i).length()).collect();
        let half = |i: usize| length.get(i).copied().unwrap_or(0.0) / 2.0;
        let mass = (0..n)
            .map(|i| half(i) + if i > 0 { half(i - 1) } else { 0.0 })
            .collect();
        // Half of the next joint's turn lies before the first edge.
        let (a, b) = (edge(0).normalize(), edge(1).normalize());
        let turn = glam::DQuat::from_rotation_arc(b, a);
        let turn = glam::DQuat::IDENTITY.slerp(turn, 0.5);
        let tangent = turn * a;
        let director = tangent.any_orthonormal_vector();
        let mut plain = Self {
            x: rest.to_vec(),
            v: vec![DVec3::ZERO; n],
            theta: vec![0.0; n - 1],
            length,
            mass,
            clamp: [tangent, director],
            rest: Vec::new(),
            bend: material.bend[0],
            twist: material.twist,
        };
        plain.rest = plain.curvatures(&plain.x, &plain.theta);
        plain
    }

    /// omega of every joint in the frames of both its edges.
    fn curvatures(&self, x: &[DVec3], theta: &[f64]) -> Vec<[f64; 4]> {
        let [mut t, mut u] = self.clamp;
        let mut before = 0.0;
        let mut out = Vec::new();
        for (i, angle) in theta.iter().enumerate() {
            let next = (x[i + 1] - x[i]).normalize();
            let kb = 2.0 * t.cross(next) / (1.0 + t.dot(next));
            let on = |u: DVec3, t: DVec3, a: f64| {
                let v = t.cross(u);
                let m1 = a.cos() * u + a.sin() * v;
                let m2 = -a.sin() * u + a.cos() * v;
                [kb.dot(m1), kb.dot(m2)]
            };
            let [a, b] = on(u, t, before);
            u = glam::DQuat::from_rotation_arc(t, next) * u;
            t = next;
            let [c, d] = on(u, t, *angle);
            out.push([a, b, c, d]);
            before = *angle;
        }
        out
    }

    fn span(&self, i: usize) -> f64 {
        0.5 * (self.length[i] + if i > 0 { self.length[i - 1] } else { 0.0 })
    }

    fn energy(&self, x: &[DVec3], theta: &[f64]) -> f64 {
        let mut sum = 0.0;
        let mut before = 0.0;
        for (i, now) in self.curvatures(x, theta).iter().enumerate() {
            let squares = (0..4).map(|k| (now[k] - self.rest[i][k]).powi(2));
            sum += self.bend * squares.sum::<f64>() / (4.0 * self.span(i));
            let twist = theta[i] - before;
            sum += self.twist * twist * twist / (2.0 * self.span(i));
            before = theta[i];
        }
        sum
    }

    /// Angles of least energy: Newton on differences, one angle after another,
    /// until nothing moves.
    fn minimise(&mut self) {
        for _ in 0..4000 {
            let mut most: f64 = 0.0;
            for i in 0..self.theta.len() {
                let start = self.theta[i];
                let mut at = |d: f64| {
                    self.theta[i] = start + d;
                    self.energy(&self.x, &self.theta)
                };
                let d = 1e-3;
                let (low, middle, high) = (at(-d), at(0.0), at(d));
                let step = 0.5 * d * (low - high) / (high - 2.0 * middle + low);
                self.theta[i] = start + 1.6 * step;
                most = most.max(step.abs());
            }
            if most < 1e-9 {
                return;
            }
        }
    }

    #[allow(clippy::needless_range_loop, reason = "rows and columns of a matrix")]
    fn step(&mut self, h: f64, gravity: DVec3, minimise: bool) {
        if minimise {
            self.minimise();
        }
        let n = self.x.len();
        let mut y = self.x.clone();
        for i in 1..n {
            let slope = |axis: DVec3| {
                let d = 1e-6;
                let at = |d: f64| {
                    let mut x = self.x.clone();
                    x[i] += d * axis;
                    self.energy(&x, &self.theta)
                };
                (at(d) - at(-d)) / (2.0 * d)
            };
            let pull = DVec3::from(DVec3::AXES.map(slope));
            self.v[i] += h * (gravity - pull / self.mass[i]);
            y[i] += h * self.v[i];
        }
        // Goldenthal et al. 2007: Newton on all lengths at once, here with the
        // whole matrix and elimination.
        for _ in 0..30 {
            let w = |i: usize| if i > 0 { 1.0 / self.mass[i] } else { 0.0 };
            let edge: Vec<DVec3> = (0..n - 1).map(|i| y[i + 1] - y[i]).collect();
            let t: Vec<DVec3> = edge.iter().map(|e| e.normalize()).collect();
            let m = n - 1;
            let mut a = vec![vec![0.0; m + 1]; m];
            for i in 0..m {
                a[i][i] = w(i) + w(i + 1);
                if i + 1 < m {
                    a[i][i + 1] = -w(i + 1) * t[i].dot(t[i + 1]);
                    a[i + 1][i] = a[i][i + 1];
                }
                a[i][m] = edge[i].length() - self.length[i];
            }
            let worst = a.iter().map(|row| row[m].abs()).fold(0.0, f64::max);
            for i in 0..m {
                for k in i + 1..m {
                    let share = a[k][i] / a[i][i];
                    for j in i..=m {
                        a[k][j] -= share * a[i][j];
                    }
                }
            }
            let mut tension = vec![0.0; m];
            for i in (0..m).rev() {
                let known: f64 = (i + 1..m).map(|j| a[i][j] * tension[j]).sum();
                tension[i] = (a[i][m] - known) / a[i][i];
            }
            for i in 0..m {
                y[i] += w(i) * tension[i] * t[i];
                y[i + 1] -= w(i + 1) * tension[i] * t[i];
            }
            if worst < 1e-14 {
                break;
            }
        }
        for i in 1..n {
            self.v[i] = (y[i] - self.x[i]) / h;
            self.x[i] = y[i];
        }
    }
}

#[test]
fn the_kernel_does_what_the_paper_says() {
    for minimiser in [Minimiser::None, Minimiser::Newton] {
        let mut params = params(1);
        params.of_mut::<DerParams>().sag_free = false;
        params.of_mut::<DerParams>().damping = 0.0;
        params.of_mut::<DerParams>().minimiser = minimiser;
        params.of_mut::<DerParams>().passes = 8;
        params.of_mut::<DerParams>().projections = 12;
        params.of_mut::<DerParams>().steps = 1000;
        params.forces.drag = 0.0;
        params.step.scale_to(240);
        let curl = crate::common::coil(Vec3::ZERO, 0.01, 0.02, 0.07, 9);
        let material = RodMaterial::new(&params.material, 1.0);
        let rest: Vec<DVec3> = curl.iter().map(|p| p.as_dvec3()).collect();
        let mut plain = Plain::new(&rest, &material);
        let groom = groom(&[curl]);
        let mut exact = Block::<f64>::new(&groom, 0, 1, &Pose::IDENTITY);
        let mut lanes = Block::new(&groom, 0, 1, &Pose::IDENTITY);
        let (one, rods) = (
            Der::new(&params.of::<DerParams>(), &params.material, &params.step),
            solver(&params),
        );
        let mut scratch = Scratch::new();
        let (mut apart, mut lane_apart, mut inner): (f64, f64, u64) = (0.0, 0.0, 0);
        for step in 0..24 {
            let mut input = input(&params, None);
            // A push from the side for a moment.
            input.gravity[2] = if step < 8 { 30.0 } else { 0.0 };
            one.advance_one(&mut exact, &input);
            rods.step(&mut lanes, &mut scratch, &input);
            let steps = memory(&exact).effort.inner - inner;
            inner += steps;
            for _ in 0..steps {
                let gravity = DVec3::from(input.gravity);
                plain.step(
                    input.h / steps as f64,
                    gravity,
                    minimiser == Minimiser::Newton,
                );
            }
            for (i, x) in plain.x.iter().enumerate() {
                apart = apart.max(exact.point(i, 0).distance(*x));
                lane_apart = lane_apart.max(exact.point(i, 0).distance(lanes.point(i, 0)));
            }
        }
        let moved = exact.point(8, 0).distance(rest[8]);
        println!("{minimiser:?}: {inner} inner steps, {moved} m, {apart} and {lane_apart} apart");
        assert!(moved > 0.005, "nothing happened: {moved} m");
        assert!(apart < 2e-6, "{minimiser:?}: {apart} m apart");
        assert!(lane_apart < 2e-5, "{minimiser:?}: {lane_apart} m apart");
    }
}

#[test]
fn the_bits_depend_on_neither_instructions_nor_neighbours() {
    for minimiser in [Minimiser::None, Minimiser::Newton, Minimiser::Bfgs] {
        let mut params = params(2);
        params.of_mut::<DerParams>().minimiser = minimiser;
        params.material.ellipticity = 1.2;
        let strand = |k: usize, seed: u64| {
            let turn = tilt(k, seed);
            let length = 0.1 + 0.01 * (k % 7) as f32;
            let curl = helix(Vec3::ZERO, 0.008, 0.02, length, 20 + k % 9);
            curl.iter().map(|p| turn * *p).collect::<Vec<_>>()
        };
        let run = |strands: &[Vec<Vec3>], limit: Instructions| {
            let mut block = block(strands);
            let der = Der::new(&params.of::<DerParams>(), &params.material, &params.step);
            let rods = prepared(der, Width::AtMost(limit));
            let mut scratch = Scratch::new();
            for step in 0..30 {
                let mut input = input(&params, None);
                input.gravity[0] = if step < 10 { 20.0 } else { 0.0 };
                rods.step(&mut block, &mut scratch, &input);
            }
            block
        };
        assert_bits_are_the_same(strand, run, &format!("{minimiser:?}"));
    }
}

/// Nothing damps: what a kick gives stays within a little of what it was.
#[test]
fn energy_stays_bounded_without_damping() {
    for minimiser in [Minimiser::None, Minimiser::Newton] {
        let mut params = params(4);
        params.of_mut::<DerParams>().sag_free = false;
        params.of_mut::<DerParams>().damping = 0.0;
        params.of_mut::<DerParams>().minimiser = minimiser;
        params.of_mut::<DerParams>().steps = 400;
        params.forces.drag = 0.0;
        let strands = [
            straight(Vec3::ZERO, Vec3::NEG_Y, 0.2, 33),
            crate::common::coil(Vec3::ZERO, 0.008, 0.012, 0.2, 33),
        ];
        let mut block = block(&strands);
        for (i, lane) in (0..33).flat_map(|i| [(i, 0), (i, 1)]) {
            block.velocity[i].set(lane, [i as f64 / 32.0, 0.0, 0.0]);
        }
        let (rods, mut scratch) = (solver(&params), Scratch::new());
        let energy = |block: &Wide, lane: usize| {
            let length = |i: usize| memory(block).vertices[i].length.get(lane);
            let mass = |i: usize| 0.5 * (length(i) + if i > 0 { length(i - 1) } else { 0.0 });
            let of = |i: usize| {
                let (v, y) = (speed(block, i, lane), block.point(i, lane).y);
                mass(i) * (0.5 * v * v + 9.81 * y)
            };
            (0..33).map(of).sum::<f64>() + rods.figures(block, &Pose::IDENTITY).elastic[lane]
        };
        rods.step(&mut block, &mut scratch, &input(&params, None));
        let start = [0, 1].map(|lane| energy(&block, lane));
        let kick = 0.2 / 6.0;
        let (mut high, mut low) = ([0.0f64; 2], [0.0f64; 2]);
        for _ in 0..300 {
            rods.step(&mut block, &mut scratch, &input(&params, None));
            for lane in [0, 1] {
                let change = (energy(&block, lane) - start[lane]) / kick;
                high[lane] = high[lane].max(change);
                low[lane] = low[lane].min(change);
            }
        }
        println!("{minimiser:?}: rises by {high:?}, falls by {low:?} kicks");
        assert!(high.iter().all(|rise| *rise < 0.05), "{high:?} kicks");
        assert!(low.iter().all(|fall| *fall > -2.0), "{low:?} kicks");
    }
}

#[test]
fn a_hand_pulls_softly_and_a_pin_holds() {
    let mut params = params(4);
    params.of_mut::<DerParams>().sag_free = false;
    params.forces.drag = 3.0;
    let mut block = block(&[helix(Vec3::ZERO, 0.008, 0.02, 0.25, 33)]);
    let (rods, mut scratch) = (solver(&params), Scratch::new());
    for step in 0..240 {
        let t = step as f32 / 60.0;
        let (target, hold) = match t < 2.0 {
            true => (
                Vec3::new(0.1 * (8.0 * t).sin(), -0.1, 0.05),
                AttachmentKind::Hand,
            ),
            // Out of reach.
            false => (Vec3::new(1.5, 0.5, 0.0), AttachmentKind::Pin),
        };
        block.attachments = vec![Attachment::in_world([0, 24], target, hold)];
        rods.step(&mut block, &mut scratch, &input(&params, None));
        assert!(stretch(&block, 0) < 1e-3, "{}", stretch(&block, 0));
        if step == 118 {
            let away = block.point(24, 0).distance(target.as_dvec3());
            assert!(away < 0.08, "the hand does not draw: {away} m");
        }
    }
    assert!(block.point(24, 0).x > 0.12, "not drawn out");
    // A limp strand pinned at both ends hangs in a catenary, and the pin holds.
    let length = 0.25;
    params.of_mut::<DerParams>().stiffness = 0.01;
    let down = Vec3::new(0.5, -0.866_025_4, 0.0);
    let mut block = rods::block(&[straight(Vec3::ZERO, down, length, 33)]);
    let rods = solver(&params);
    let end = Vec3::new(0.6 * length, 0.0, 0.0);
    for step in 0..600 {
        let t = (step as f32 / 120.0).min(1.0);
        let target = (down * length).lerp(end, t);
        block.attachments = vec![Attachment::in_world([0, 32], target, AttachmentKind::Pin)];
        rods.step(&mut block, &mut scratch, &input(&params, None));
    }
    let slip = block.point(32, 0).distance(end.as_dvec3());
    assert!(slip < 5e-5, "the pin slips by {slip} m");
    let sag = (0..33).map(|i| -block.point(i, 0).y).fold(0.0, f64::max);
    assert!((sag / 0.25 - 0.3628).abs() < 0.02, "sag {sag} m");
}

#[test]
fn twenty_seconds_of_shaking_and_gusts_break_nothing() {
    let mut params = params(4);
    params.wind.on = true;
    params.wind.strength = 12.0;
    params.motion.preset = MotionPreset::Shake;
    (params.motion.amplitude, params.motion.frequency) = (45.0, 2.0);
    let mut simulation = Simulation::new(hair(32), bust(), &params);
    let mut stretch: f32 = 0.0;
    for step in 0..1200 {
        params.wind.direction = [1.0, 0.2, (0.01 * step as f32).sin()];
        simulation.step(&params);
        if step % 20 == 0 {
            let now = simulation.statistics(&params);
            stretch = stretch.max(now.max_stretch);
            assert_eq!(now.nonfinite, 0, "after {step} steps");
            assert!(now.kinetic.is_finite());
        }
    }
    println!("largest stretch {stretch}");
    assert!(stretch < 1e-3, "{stretch}");
}

#[test]
fn the_hash_does_not_depend_on_the_number_of_threads() {
    let mut params = params(4);
    params.wind.on = true;
    let hair = hair(150);
    let hashes = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(|| {
            let mut simulation = Simulation::new(hair.clone(), bust(), &params);
            (0..20).for_each(|_| simulation.step(&params));
            simulation.state_hash()
        })
    });
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

/// Strands of all kinds under all settings: nothing may break.
#[test]
fn extreme_strands_under_extreme_settings_survive() {
    let body = bust();
    let roots = RootParams {
        strands: 512,
        ..RootParams::default()
    };
    let roots = scatter::roots(&body.mesh, &roots).expect("roots");
    let strand = |k: usize| {
        let root = &roots[k % roots.len()];
        let mut points = extreme(3000, k as u64, root, [2.0, 257.0]);
        let vertices = points.len();
        // Vertices that coincide, and edges folded right back.
        if uniform(3010, k as u64) < 0.2 && vertices > 4 {
            points[vertices / 2] = points[vertices / 2 - 1];
            points[vertices - 1] = points[vertices - 3];
        }
        points
    };
    let strands: Vec<_> = (0..512).map(strand).collect();
    let mut resets = 0;
    for (number, part) in strands.chunks(LANES).enumerate() {
        let drawn = Draw {
            seed: 4000,
            number: number as u64,
        };
        let draw = |what| drawn.unit(what);
        let range = |what, low, high| drawn.between(what, low, high);
        let mut params = params(1 + (4.0 * draw(0)) as u32);
        params.step.scale_to(range(1, 30.0, 240.0) as u32);
        params.of_mut::<DerParams>().stiffness = range(2, 0.01, 100.0) as f32;
        params.of_mut::<DerParams>().damping = (0.01 * draw(5)) as f32;
        params.of_mut::<DerParams>().sag_free = draw(6) < 0.5;
        params.of_mut::<DerParams>().passes = 1 + (draw(7) * 3.0) as u32;
        params.of_mut::<DerParams>().projections = 1 + (draw(17) * 6.0) as u32;
        params.of_mut::<DerParams>().steps = range(18, 1.0, 40.0) as u32;
        params.of_mut::<DerParams>().minimiser =
            [Minimiser::None, Minimiser::Newton, Minimiser::Bfgs][number % 3];
        params.material.ellipticity = 1.0 + 2.0 * draw(3) as f32;
        params.material.diameter = range(4, 15.0, 200.0) as f32;
        params.material.shear = range(19, 0.02, 20.0) as f32;
        params.material.young = range(20, 0.1, 50.0) as f32;
        params.forces.gravity = if draw(8) < 0.3 {
            9.81
        } else {
            (200.0 * draw(9) - 100.0) as f32
        };
        params.forces.drag = (20.0 * draw(10).powi(3)) as f32;
        params.wind.on = draw(11) < 0.5;
        params.wind.strength = (50.0 * draw(12)) as f32;
        params.collision.friction = 2.0 * draw(13) as f32;
        params.collision.restitution = draw(21) as f32;
        let (shake, turn) = (2.0 * draw(14), 10.0 * draw(15));
        let head = Shaken {
            shake,
            turn,
            frequency: 1.0 + 3.0 * draw(16),
        };
        let mut block = rods::block(part);
        let (rods, mut scratch) = (solver(&params), Scratch::new());
        let steps = 2 * params.step.rate as usize;
        let (mut fastest, mut calm): (f64, f64) = (0.0, 0.0);
        let (mut worst, mut where_worst): (f64, usize) = (0.0, 0);
        for step in 0..steps {
            let input = head.input(&params, &body, step);
            rods.step(&mut block, &mut scratch, &input);
            if step % 8 != 0 && step + 1 != steps {
                continue;
            }
            for (lane, curve) in part.iter().enumerate() {
                for i in 0..block.counts[lane] {
                    let v = speed(&block, i, lane);
                    assert!(v.is_finite() && block.point(i, lane).is_finite());
                    fastest = fastest.max(v);
                    if step + 1 == steps {
                        calm = calm.max(v);
                    }
                }
                let length: f32 = curve.windows(2).map(|w| w[0].distance(w[1])).sum();
                let reach = block.point(block.counts[lane] - 1, lane);
                let reach = reach.distance(block.point(0, lane));
                assert!(
                    reach < 1.1 * f64::from(length) + 0.01,
                    "block {number}, strand {lane}: {length} m reaches {reach} m"
                );
                if stretch(&block, lane) > worst {
                    (worst, where_worst) = (stretch(&block, lane), lane);
                }
            }
        }
        println!(
            "block {number}: {fastest:.1} m/s, at last {calm:.1} m/s, wind {:.1}, {} {:?} sag {} stiff {:.2}, stretch {worst:.1e} of strand {where_worst} \
             with {} vertices, {} resets",
            if params.wind.on {
                params.wind.strength
            } else {
                0.0
            },
            params.of::<DerParams>().steps,
            params.of::<DerParams>().minimiser,
            params.of::<DerParams>().sag_free,
            params.of::<DerParams>().stiffness,
            block.counts[where_worst],
            block.resets
        );
        resets += block.resets;
    }
    assert_eq!(resets, 0, "strands had to be put back");
}

#[test]
fn so_many_inner_steps_as_it_says_are_enough_and_fewer_are_not() {
    let mut params = params(4);
    params.material.young = 16.0;
    let after = |params: &SimParams| {
        let mut simulation = Simulation::new(hair(20), bust(), params);
        (0..20).for_each(|_| simulation.step(params));
        simulation.statistics(params)
    };
    let own: &mut DerParams = params.of_mut();
    (own.sag_free, own.steps) = (false, 16);
    let softened = after(&params);
    assert!(softened.softened > 0.9, "{}", softened.softened);
    let needed = softened.steps_needed;
    assert!((17..20_000).contains(&needed), "{needed}");
    params.of_mut::<DerParams>().steps = needed;
    let true_to_it = after(&params);
    assert_eq!(true_to_it.softened, 0.0, "{needed} steps");
    assert_eq!(true_to_it.steps_needed, 0);
    params.of_mut::<DerParams>().steps = needed / 2;
    assert!(after(&params).softened > 0.0, "{needed} is far too many");
    // In words, with what mends it.
    let method = method("der").expect("listed");
    params.of_mut::<DerParams>().steps = 16;
    let lines = (method.status)(&MethodStatus {
        params: &params,
        statistics: &softened,
        extra_passes: 0.0,
    });
    let remedy = lines.iter().find_map(|line| line.remedy.as_ref());
    let remedy = remedy.expect("a remedy");
    assert_eq!(remedy.parameter, "der.steps");
    let Value::Int(enough) = remedy.value else {
        panic!("{:?}", remedy.value);
    };
    assert!(enough >= i64::from(needed) && enough < i64::from(needed) * 11 / 10 + 2);
}
