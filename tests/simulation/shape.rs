//! Shape constraints against a plain scalar program with quaternions and dense
//! solves, and against what the method promises.

use crate::{
    common::{falling, groom, input, straight},
    particles::{
        Plain, curl, curls_of_all_lengths, draw_surroundings, drawn, grips_pull_their_vertices,
        radius_left, shaken_for_twenty_seconds, strands_share_a_block,
    },
};
use glam::{DQuat, DVec3, Quat, Vec3};
use lovelock::{
    math::{
        Pose,
        lanes::{F, Lane},
    },
    project::scene::Scene,
    sim::{
        SimParams,
        solver::{
            Scratch, ShapeParams, StepInput,
            dispatch::Kernel as _,
            shape::{LengthSolver, Shape},
        },
        state::{Block, PINNED},
        trace::Unobserved,
    },
};

/// Han and Harada 2012 and 2013 as plain as they can be written, in f64: one
/// strand in empty air on a resting head.
impl Plain {
    fn length(&self, i: usize) -> f64 {
        self.rest[i].distance(self.rest[i - 1])
    }

    /// Each edge in its frame at rest.
    fn local(&self) -> Vec<DVec3> {
        let mut q = self.root();
        let mut local = vec![DVec3::ZERO];
        for i in 1..self.rest.len() {
            q = self.turned(q, &self.rest, i);
            local.push(q.conjugate() * (self.rest[i] - self.rest[i - 1]));
        }
        local
    }

    /// The frame before edge `i`, turned by the shortest arc to the chord from
    /// seven vertices before the edge's end to six behind, and a little less.
    fn turned(&self, q: DQuat, points: &[DVec3], i: usize) -> DQuat {
        // Two edges share a frame.
        if i.is_multiple_of(2) {
            return q;
        }
        let (from, to) = (i.saturating_sub(7), (i + 6).min(points.len() - 1));
        let along = q * DVec3::Z;
        let chord = points[to] - points[from] + along * self.length(i);
        (DQuat::from_rotation_arc(along, chord.normalize()) * q).normalize()
    }

    fn root(&self) -> DQuat {
        DQuat::from_rotation_arc(DVec3::Z, (self.rest[1] - self.rest[0]).normalize())
    }

    fn step_shape(&mut self, params: &SimParams) {
        let n = self.x.len();
        let p = &params.of::<ShapeParams>();
        let per_second = f64::from(params.step.rate) * f64::from(params.step.substeps());
        let h = 1.0 / per_second;
        let passes = f64::from(p.iterations);
        let stiffness = |k: f32, n: f64| 1.0 - (1.0 - f64::from(k)).powf(240.0 / (n * per_second));
        let slow = (1.0 - f64::from(p.damping)).powf(60.0 / per_second)
            / (1.0 + f64::from(params.forces.drag) * h);
        let gravity =
            -f64::from(params.forces.gravity) * h / (1.0 + f64::from(params.forces.drag) * h);
        let (local, s_l) = (self.local(), stiffness(p.local, passes));
        for _ in 0..params.step.substeps() {
            let start = self.x.clone();
            for i in PINNED..n {
                let velocity = self.v[i] * slow + DVec3::Y * gravity;
                self.x[i] += velocity * h;
                let t = i as f64 / (n - 1) as f64;
                if t <= f64::from(p.global_range) {
                    let ends = [1.0, p.global_tip].map(|share| stiffness(p.global * share, 1.0));
                    let s_g = ends[0] + (ends[1] - ends[0]) * t;
                    self.x[i] = self.x[i].lerp(self.rest[i], s_g);
                }
            }
            for _ in 0..p.iterations {
                let mut q = self.root();
                for (i, local) in local.iter().enumerate().skip(1) {
                    q = self.turned(q, &self.x, i);
                    // Half to each end; a pinned end moves not at all.
                    let inner = if i > PINNED { 0.5 } else { 0.0 };
                    let edge = self.x[i] - self.x[i - 1];
                    let drawn = edge.lerp(q * *local, s_l);
                    if i >= PINNED {
                        let kept = match p.length {
                            LengthSolver::GaussSeidel => drawn.normalize() * self.length(i),
                            LengthSolver::Tridiagonal => drawn,
                        };
                        self.x[i] += (kept - edge) * (1.0 - inner);
                        self.x[i - 1] -= (kept - edge) * inner;
                    }
                }
                if p.length == LengthSolver::Tridiagonal {
                    self.solve_densely();
                }
            }
            let mut v = vec![DVec3::ZERO; n];
            for i in PINNED..n {
                let edge = self.x[i] - self.x[i - 1];
                let longest = self.length(i) * (1.0 + f64::from(p.stretch_limit));
                let kept = self.x[i - 1] + edge.clamp_length_max(longest);
                v[i - 1] += (self.x[i] - kept) * (0.9 / h);
                self.x[i] = kept;
                v[i] = (kept - start[i]) / h;
            }
            self.v = v;
        }
    }

    /// J W J^T l = C by Gaussian elimination of the whole matrix, x -= W J^T l.
    fn solve_densely(&mut self) {
        let n = self.x.len();
        let edges = n - PINNED;
        // Row of an edge: the gradient of its constraint by each vertex.
        let gradient = |e: usize, vertex: usize| {
            let i = e + PINNED;
            let edge = self.x[i] - self.x[i - 1];
            match vertex {
                v if v < PINNED => DVec3::ZERO,
                v if v == i => edge,
                v if v == i - 1 => -edge,
                _ => DVec3::ZERO,
            }
        };
        let mut a = vec![vec![0.0; edges + 1]; edges];
        for (row, line) in a.iter_mut().enumerate() {
            for (column, value) in line.iter_mut().take(edges).enumerate() {
                *value = (0..n)
                    .map(|v| gradient(row, v).dot(gradient(column, v)))
                    .sum();
            }
            let i = row + PINNED;
            line[edges] =
                0.5 * (self.x[i].distance_squared(self.x[i - 1]) - self.length(i).powi(2));
        }
        for k in 0..edges {
            let best = (k..edges).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()));
            a.swap(k, best.expect("a row"));
            for row in k + 1..edges {
                let factor = a[row][k] / a[k][k];
                let pivot = a[k].clone();
                for (value, above) in a[row].iter_mut().zip(pivot) {
                    *value -= factor * above;
                }
            }
        }
        let mut l = vec![0.0; edges];
        for k in (0..edges).rev() {
            let known: f64 = (k + 1..edges).map(|c| a[k][c] * l[c]).sum();
            l[k] = (a[k][edges] - known) / a[k][k];
        }
        let moved: Vec<DVec3> = (0..n)
            .map(|v| (0..edges).map(|e| gradient(e, v) * l[e]).sum())
            .collect();
        for (x, moved) in self.x.iter_mut().zip(moved) {
            *x -= moved;
        }
    }
}

fn step<T: Lane, P: Lane>(block: &mut Block<T>, scratch: &mut Scratch<T>, input: &StepInput) {
    let (params, step) = (&input.params.of::<ShapeParams>(), &input.params.step);
    let shape = Shape::new(params, step);
    shape.advance::<T, P, _>(block, scratch, input, &mut Unobserved);
}

fn run<T: Lane, P: Lane>(rest: &[Vec3], params: &SimParams, steps: usize) -> Block<T> {
    let groom = groom(&[rest.to_vec()]);
    let mut block = Block::<T>::new(&groom, 0, 1, &Pose::IDENTITY);
    let mut scratch = Scratch::new();
    for _ in 0..steps {
        step::<T, P>(&mut block, &mut scratch, &input(params, None));
    }
    block
}

#[test]
fn the_kernel_is_the_plain_program_in_f64() {
    for (length, iterations, local, global, range) in [
        (LengthSolver::GaussSeidel, 1, 0.5, 0.02, 1.0),
        (LengthSolver::GaussSeidel, 4, 0.2, 0.1, 0.5),
        (LengthSolver::Tridiagonal, 1, 0.5, 0.02, 1.0),
        (LengthSolver::Tridiagonal, 3, 0.3, 0.0, 1.0),
    ] {
        let mut params = falling();
        // The plain program knows no direction of drag.
        params.forces.drag_along = 1.0;
        params.of_mut::<ShapeParams>().length = length;
        params.of_mut::<ShapeParams>().iterations = iterations;
        params.of_mut::<ShapeParams>().local = local;
        params.of_mut::<ShapeParams>().global = global;
        params.of_mut::<ShapeParams>().global_range = range;
        let block = run::<f64, f64>(&curl(), &params, 30);
        let lanes = run::<F<32>, F<1>>(&curl(), &params, 30);
        let mut plain = Plain::new(&curl());
        for _ in 0..30 {
            plain.step_shape(&params);
        }
        let case = format!("{length:?}, {iterations} iterations");
        plain.assert_followed(&block, &lanes, &case);
    }
}

/// A step in which the head goes from one pose to another.
fn moving<'a>(params: &'a SimParams, from: Pose, to: Pose) -> StepInput<'a> {
    let mut input = input(params, None);
    let parts = input.substeps as f32;
    input.poses = (0..=input.substeps)
        .map(|i| from.between(&to, i as f32 / parts))
        .collect();
    input.still = false;
    input
}

fn pose(angle: f32, shift: Vec3) -> Pose {
    Pose {
        rotation: Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle),
        translation: shift,
    }
}

#[test]
fn at_full_global_shape_hair_is_rigid() {
    let mut params = falling();
    params.of_mut::<ShapeParams>().global = 1.0;
    params.of_mut::<ShapeParams>().global_tip = 1.0;
    let strands = [curl(), straight(Vec3::ZERO, Vec3::X, 0.6, 17)];
    let all = groom(&strands);
    let mut block = Block::<F<32>>::new(&all, 0, 2, &Pose::IDENTITY);
    let mut scratch = Scratch::new();
    let mut at = Pose::IDENTITY;
    for i in 1..=60 {
        let t = i as f32 / 10.0;
        let to = pose(t.sin(), Vec3::new(0.1 * t, (2.0 * t).sin() * 0.05, 0.0));
        step::<_, F<1>>(&mut block, &mut scratch, &moving(&params, at, to));
        at = to;
        for (lane, strand) in strands.iter().enumerate() {
            for (vertex, rest) in strand.iter().enumerate() {
                let off = block
                    .point(vertex, lane)
                    .distance(at.point(*rest).as_dvec3());
                assert!(
                    off < 2e-6,
                    "step {i}, strand {lane}, vertex {vertex}: {off} m"
                );
            }
        }
    }
}

#[test]
fn a_curl_is_kept_under_gravity_and_only_by_the_local_shape() {
    let held = |local: f32| {
        let mut params = falling();
        params.of_mut::<ShapeParams>().local = local;
        params.of_mut::<ShapeParams>().global = 0.0;
        radius_left(|rest| run::<F<32>, F<1>>(rest, &params, 600))
    };
    let default = held(falling().of::<ShapeParams>().local);
    let limp = held(0.0);
    println!("held {default}, limp {limp}");
    assert!(
        default > 0.55 && default < 1.2,
        "{default} of the radius is left"
    );
    assert!(
        limp < 0.3,
        "without local shape {limp} of the radius is left"
    );
}

#[test]
fn a_shock_is_carried_and_does_not_whip() {
    // The head is thrown a quarter of a metre aside within 0.1 s and stops.
    let whip = |share: f32| {
        let mut params = falling();
        params.of_mut::<ShapeParams>().shock = share;
        params.of_mut::<ShapeParams>().global = 0.0;
        let rest = straight(Vec3::ZERO, Vec3::NEG_Y, 0.3, 32);
        let all = groom(std::slice::from_ref(&rest));
        let mut block = Block::<F<32>>::new(&all, 0, 1, &Pose::IDENTITY);
        let mut scratch = Scratch::new();
        let (mut at, mut farthest) = (Pose::IDENTITY, 0.0f32);
        for i in 0..60 {
            let way = 0.25 * ((i + 1) as f32 / 6.0).min(1.0);
            let to = pose(0.0, Vec3::X * way);
            step::<_, F<1>>(&mut block, &mut scratch, &moving(&params, at, to));
            at = to;
            let place = at.point(rest[31]);
            farthest = farthest.max(block.point(31, 0).as_vec3().distance(place));
        }
        farthest
    };
    let (free, carried) = (whip(0.0), whip(1.0));
    println!("the tip strays {free} m, carried {carried} m");
    assert!(
        free > 0.15,
        "it must whip for this to prove anything: {free} m"
    );
    assert!(carried < 0.6 * free, "{carried} m of {free} m");
}

#[test]
fn twenty_seconds_of_shaking_and_gusts_leave_the_hair_whole() {
    for length in [LengthSolver::GaussSeidel, LengthSolver::Tridiagonal] {
        let mut scene = Scene::default();
        scene.sim.step.solver = "shape".into();
        scene.sim.of_mut::<ShapeParams>().length = length;
        let limit = scene.sim.of::<ShapeParams>().stretch_limit + 1e-4;
        let longest = shaken_for_twenty_seconds(scene);
        assert!(longest < limit, "{length:?}: {longest}");
    }
}

#[test]
fn strands_of_different_length_share_a_block_without_touching() {
    for length in [LengthSolver::GaussSeidel, LengthSolver::Tridiagonal] {
        let mut params = falling();
        params.of_mut::<ShapeParams>().length = length;
        params.of_mut::<ShapeParams>().iterations = 2;
        strands_share_a_block(2, &params, step::<F<32>, F<1>>, &format!("{length:?}"));
    }
}

#[test]
fn no_slider_position_makes_a_number_that_is_not_finite() {
    let all = groom(&curls_of_all_lengths());
    let floor = crate::common::Floor { height: -0.3 };
    for case in 0..100u64 {
        let pick = drawn(case);
        let mut params = falling();
        draw_surroundings(&mut params, &pick);
        *params.of_mut::<ShapeParams>() = ShapeParams {
            sag_free: true,
            global: pick(3, 0.0, 1.0),
            global_tip: pick(4, 0.0, 1.0),
            global_range: pick(5, 0.0, 1.0),
            local: pick(6, 0.0, 1.0),
            iterations: pick(7, 1.0, 8.0) as u32,
            length: [LengthSolver::GaussSeidel, LengthSolver::Tridiagonal][case as usize % 2],
            stretch_limit: pick(8, 0.0, 1.0),
            damping: pick(9, 0.0, 1.0),
            shock: pick(10, 0.0, 1.0),
            shock_speed: pick(11, 0.0, 10.0),
        };
        let mut block = Block::<F<32>>::new(&all, 0, 32, &Pose::IDENTITY);
        let mut scratch = Scratch::new();
        for _ in 0..40 {
            let input = input(&params, Some(&floor));
            step::<_, F<1>>(&mut block, &mut scratch, &input);
        }
        assert_eq!(block.resets, 0, "case {case}");
        for lane in 0..32 {
            let strand = all.strand(lane);
            for i in 1..strand.len() {
                let length = block.point(i, lane).distance(block.point(i - 1, lane));
                let most = f64::from(
                    strand[i].distance(strand[i - 1])
                        * (1.0 + params.of::<ShapeParams>().stretch_limit),
                );
                assert!(
                    length < most * 1.001 + 1e-6,
                    "case {case}: {length} of {most} m"
                );
            }
        }
    }
}

#[test]
fn a_grip_pulls_its_vertex_and_no_other_strand() {
    grips_pull_their_vertices(&falling(), [1e-4, 0.6], step::<_, F<1>>);
}
