//! Position Based Dynamics against a plain scalar program, closed forms and
//! conservation laws.

use crate::{
    common::{Floor, falling, groom, helix, input, straight},
    particles::{
        Plain, Watched, curl, draw_surroundings, drawn, grips_pull_their_vertices,
        strands_share_a_block,
    },
};
use glam::{DMat3, DVec3, Vec3};
use lovelock::{
    math::{
        Pose,
        lanes::{F, Lane, V3},
        random::{signed, uniform},
    },
    sim::{
        SimParams,
        constraint::{distance, stiffness_per_pass},
        contact::{CollisionSurface, plane},
        solver::{PbdParams, Scratch, StepInput, dispatch::Kernel as _, pbd::Pbd},
        state::{Block, PINNED},
    },
};

/// The same method as plain as it can be written: one strand, f64, one loop a
/// constraint, floor instead of a head.
impl Plain {
    fn step_pbd(&mut self, params: &SimParams, floor: Option<f64>) {
        let p = &params.of::<PbdParams>();
        let n = self.x.len();
        let substeps = f64::from(params.step.substeps());
        let rate = f64::from(params.step.rate);
        let h = 1.0 / (rate * substeps);
        let passes = p.iterations;
        let k =
            |k: f32| 1.0 - (1.0 - f64::from(k)).powf(240.0 / (f64::from(passes) * rate * substeps));
        let taper = f64::from(p.mass_taper);
        self.damp(1.0 - (1.0 - f64::from(p.damping)).powf(60.0 / rate));
        for _ in 0..params.step.substeps() {
            let start = self.x.clone();
            let slow = 1.0 / (1.0 + f64::from(params.forces.drag) * h);
            for i in PINNED..n {
                self.v[i] = (self.v[i]
                    + DVec3::new(0.0, -f64::from(params.forces.gravity) * h, 0.0))
                    * slow;
                self.x[i] += self.v[i] * h;
            }
            for _ in 0..passes {
                for i in PINNED..n {
                    if p.shape_stiffness > 0.0 {
                        // The table of the kernel has 257 entries.
                        let t = (i as f64 * 256.0 / (n - 1) as f64).floor() / 256.0;
                        let share = f64::from(p.shape_stiffness)
                            * (1.0 + t * (f64::from(p.shape_tip) - 1.0));
                        let pull =
                            1.0 - (1.0 - share).powf(240.0 / (f64::from(passes) * rate * substeps));
                        self.x[i] = self.x[i] + (self.rest[i] - self.x[i]) * pull;
                    }
                    for (span, k) in [
                        (3, k(p.twist_stiffness)),
                        (2, k(p.bend_stiffness)),
                        (1, k(p.stretch_stiffness)),
                    ] {
                        if i < span {
                            continue;
                        }
                        let j = i - span;
                        let rest = self.rest[i].distance_squared(self.rest[j]);
                        let d = self.x[i] - self.x[j];
                        let now = d.length_squared();
                        let correction =
                            d * (k * 0.5 * (now - rest) / now.max(0.25 * rest).max(1e-16));
                        // Inverse masses 1 and taper^-span; a pinned vertex has none.
                        let inner = if j < PINNED {
                            0.0
                        } else {
                            1.0 / (1.0 + taper.powi(span as i32))
                        };
                        self.x[i] -= correction * (1.0 - inner);
                        self.x[j] += correction * inner;
                    }
                    if let Some(floor) = floor {
                        self.x[i].y = self.x[i].y.max(floor + f64::from(params.collision.margin));
                    }
                }
            }
            let mut v = vec![DVec3::ZERO; n];
            for i in PINNED..n {
                let inner = i.saturating_sub(16);
                let way = self.x[i] - self.x[inner];
                let kept = self.x[inner]
                    + way.clamp_length_max(self.curl_span(i, inner, p).max(way.length() - 5.0 * h));
                if inner >= PINNED {
                    v[inner] += (self.x[i] - kept) * (0.5 / h);
                }
                self.x[i] = kept;
                if let Some(floor) = floor {
                    self.x[i].y = self.x[i].y.max(floor + f64::from(params.collision.margin));
                }
                let d = self.x[i] - self.x[i - 1];
                let limit = f64::from(p.stretch_limit);
                let rest = self.rest[i].distance(self.rest[i - 1]);
                let [shortest, longest] = [1.0 - limit, 1.0 + limit].map(|share| share * rest);
                let length = d.length().clamp(shortest, longest);
                let mut kept = self.x[i - 1] + d * (length / d.length());
                let ground = floor.map(|floor| floor + f64::from(params.collision.margin));
                if let Some(ground) = ground.filter(|ground| kept.y < *ground) {
                    // On the ground, as near to the inner vertex and as far as may be.
                    let inner = self.x[i - 1];
                    let rise = (ground - inner.y).min(longest);
                    let along = DVec3::new(kept.x - inner.x, 0.0, kept.z - inner.z);
                    let [least, most] = [shortest, longest]
                        .map(|length| (length * length - rise * rise).max(0.0).sqrt());
                    let reach = along.length().clamp(least, most);
                    kept = inner + DVec3::Y * rise + along * (reach / along.length().max(1e-9));
                }
                if i > PINNED {
                    v[i - 1] += (self.x[i] - kept) * (0.9 / h);
                }
                self.x[i] = kept;
                v[i] = (kept - start[i]) / h;
            }
            self.v = v;
        }
    }

    /// How far vertex `i` gets from vertex `inner`: along the axis of the modelled
    /// curl, and the parameter's share of the way from there to a straight strand. `[m]`
    fn curl_span(&self, i: usize, inner: usize, p: &PbdParams) -> f64 {
        let (share, stretch) = (p.curl_limit, 1.0 + f64::from(p.stretch_limit));
        if share >= 1.0 {
            return f64::INFINITY;
        }
        let rest = &self.rest;
        let opened = |i: usize| {
            let from = i.saturating_sub(8);
            let axis = rest[i].distance(rest[from]) / (i - from) as f64;
            let straight = rest[i].distance(rest[i - 1]);
            axis + (straight - axis).max(0.0) * f64::from(share)
        };
        let span: f64 = (inner + 1..=i).map(opened).sum();
        (span * stretch).max(rest[i].distance(rest[inner]))
    }

    /// Müller et al. 2007, section 3.5, with the same floor under the inertia.
    fn damp(&mut self, k: f64) {
        let n = self.x.len() as f64;
        let centre = self.x.iter().sum::<DVec3>() / n;
        let drift = self.v.iter().sum::<DVec3>() / n;
        let mut momentum = DVec3::ZERO;
        let mut inertia = DMat3::ZERO;
        let mut spread = 0.0;
        for (x, v) in self.x.iter().zip(&self.v) {
            let r = *x - centre;
            momentum += r.cross(*v);
            inertia += DMat3::from_diagonal(DVec3::splat(r.length_squared()))
                - DMat3::from_cols(r * r.x, r * r.y, r * r.z);
            spread += r.length_squared();
        }
        inertia += DMat3::from_diagonal(DVec3::splat(spread * 1e-4 + 1e-12));
        let turn = inertia.inverse() * momentum;
        for i in PINNED..self.x.len() {
            let rigid = drift + turn.cross(self.x[i] - centre);
            let lag = rigid - self.v[i];
            self.v[i] += lag * k;
        }
    }
}

fn step<T: Lane>(block: &mut Block<T>, scratch: &mut Scratch<T>, input: &StepInput) {
    let pbd = Pbd::new(&input.params.of::<PbdParams>(), &input.params.step);
    pbd.advance_rows(block, scratch, input);
}

fn run<T: Lane>(
    rest: &[Vec3],
    params: &SimParams,
    skin: Option<&dyn CollisionSurface>,
    steps: usize,
) -> Block<T> {
    let groom = groom(&[rest.to_vec()]);
    let mut block = Block::<T>::new(&groom, 0, 1, &Pose::IDENTITY);
    let mut scratch = Scratch::new();
    for _ in 0..steps {
        step(&mut block, &mut scratch, &input(params, skin));
    }
    block
}

fn worst<T: Lane>(block: &Block<T>, plain: &Plain) -> f64 {
    let distance = |i: usize| block.point(i, 0).distance(plain.x[i]);
    (0..plain.x.len()).map(distance).fold(0.0, f64::max)
}

#[test]
fn the_kernel_is_the_plain_program_in_f64() {
    let mut params = falling();
    // Stiff enough that nothing folds to half its length, where the kernel's
    // constraints have a floor that the plain ones have not.
    params.of_mut::<PbdParams>().bend_stiffness = 0.6;
    params.of_mut::<PbdParams>().twist_stiffness = 0.3;
    params.of_mut::<PbdParams>().shape_stiffness = 0.02;
    // The plain program knows no direction of drag.
    params.forces.drag_along = 1.0;
    params.collision.friction = 0.0;
    for (iterations, damping, taper, curl_limit, floor) in [
        (1, 0.0, 1.0, 1.0, None),
        (1, 0.0, 1.15, 0.02, None),
        (4, 0.05, 1.15, 0.1, None),
        (7, 0.3, 1.3, 1.0, Some(0.17)),
        (10, 0.05, 1.15, 0.05, Some(0.12)),
    ] {
        params.of_mut::<PbdParams>().curl_limit = curl_limit;
        params.of_mut::<PbdParams>().iterations = iterations;
        params.of_mut::<PbdParams>().damping = damping;
        params.of_mut::<PbdParams>().mass_taper = taper;
        let ground = floor.map(|height| Watched(Floor { height }));
        let skin = ground
            .as_ref()
            .map(|ground| ground as &dyn CollisionSurface);
        let block = run::<f64>(&curl(), &params, skin, 30);
        let mut plain = Plain::new(&curl());
        for _ in 0..30 {
            plain.step_pbd(&params, floor.map(f64::from));
        }
        let off = worst(&block, &plain);
        assert!(
            off < 1e-9,
            "{iterations} iterations, curl limit {curl_limit}, floor {floor:?}: off by {off} m"
        );
        assert!(
            plain.x[39].distance(plain.rest[39]) > 1e-3,
            "the strand must have moved for this to prove anything"
        );
    }
}

#[test]
fn many_times_their_weight_opens_curls_no_farther_than_the_limit() {
    let rest = helix(Vec3::ZERO, 0.008, 0.034, 0.3, 64);
    let mut params = falling();
    params.forces.gravity = 29.0;
    let own: &mut PbdParams = params.of_mut();
    own.shape_stiffness = 0.0;
    own.sag_free = false;
    let mut opened = |curl_limit| {
        params.of_mut::<PbdParams>().curl_limit = curl_limit;
        let block = run::<f64>(&rest, &params, None, 120);
        block.point(63, 0).length() / f64::from(rest[63].length())
    };
    let [free, held] = [1.0, 0.1].map(&mut opened);
    println!("{free} {held}");
    assert!(held < 1.15 && free > 1.3, "{free} {held}");
}

#[test]
fn lanes_in_f32_follow_the_f64_instance() {
    let params = falling();
    let exact = run::<f64>(&curl(), &params, None, 30);
    let lanes = run::<F<32>>(&curl(), &params, None, 30);
    for i in 0..exact.rows {
        let (a, b) = (exact.point(i, 0), lanes.point(i, 0));
        // 30 steps of 4 substeps, each rounding to 2e-8 of 0.3 m.
        assert!(a.distance(b) < 2e-5, "vertex {i}: {a} and {b}");
    }
}

#[test]
fn corrections_run_along_the_gradient_found_by_differences() {
    for case in 0..50 {
        let draw =
            |salt| DVec3::from_array([0, 1, 2].map(|c| f64::from(signed(salt, 3 * case + c))));
        let (a, b) = (draw(1), draw(2));
        let length = 0.5 + f64::from(uniform(3, case));
        let c = |a: DVec3, b: DVec3| 0.5 * ((b - a).length_squared() - length * length);
        let gradient = |at: &dyn Fn(DVec3) -> f64| {
            let e = 1e-5;
            DVec3::new(
                at(DVec3::X * e) - at(DVec3::X * -e),
                at(DVec3::Y * e) - at(DVec3::Y * -e),
                at(DVec3::Z * e) - at(DVec3::Z * -e),
            ) / (2.0 * e)
        };
        let ga = gradient(&|e| c(a + e, b));
        let gb = gradient(&|e| c(a, b + e));
        assert!(
            (ga + gb).length() < 1e-8,
            "the gradients sum to zero: no momentum from inside"
        );
        // Müller et al. 2007, eq. 8, with inverse masses 1 for b and 0 for a.
        let expected = gb * (c(a, b) / gb.length_squared());
        let lane = V3::<f64>::splat;
        let correction = distance(lane(a.to_array()), lane(b.to_array()), length * length, 1.0);
        if (b - a).length() > 0.5 * length {
            assert!(
                (DVec3::from_array(correction.get(0)) - expected).length() < 1e-7,
                "case {case}"
            );
        }
    }
}

#[test]
fn a_satisfied_constraint_does_nothing_and_a_violated_one_is_solved() {
    let lane = V3::<f64>::splat;
    let (a, b) = ([0.0, 0.0, 0.0], [0.0, 0.3, 0.4]);
    assert!(distance(lane(a), lane(b), 0.25, 1.0).dot(lane(b)).abs() < 1e-15);
    let mut p = lane([0.0, 0.6, 0.9]);
    for _ in 0..5 {
        p = p - distance(lane(a), p, 0.25, 1.0);
    }
    assert!(
        (p.dot(p).sqrt() - 0.5).abs() < 1e-12,
        "Newton's method on the length converges"
    );
    assert_eq!(
        plane(lane([0.0, -0.2, 0.0]), lane([0.0, 1.0, 0.0]), 0.1),
        0.1 + 0.2
    );
    assert_eq!(
        plane(lane([0.0, 0.2, 0.0]), lane([0.0, 1.0, 0.0]), 0.1),
        0.0
    );
}

#[test]
fn stiffness_means_the_same_at_any_iteration_count_and_rate() {
    for k in [0.1, 0.5, 0.9] {
        for (passes, rate) in [(1.0, 240.0), (4.0, 240.0), (10.0, 480.0), (3.0, 60.0)] {
            let per_pass = stiffness_per_pass(k, passes, rate);
            let left = (1.0 - per_pass).powf(passes * rate / 240.0);
            assert!(
                (left - (1.0 - k)).abs() < 1e-12,
                "what is left of an error after 1/240 s"
            );
        }
    }
    assert_eq!(stiffness_per_pass(1.0, 7.0, 240.0), 1.0);
}

#[test]
fn without_constraints_a_vertex_falls_as_symplectic_euler_does() {
    let mut params = falling();
    *params.of_mut::<PbdParams>() = PbdParams {
        stretch_stiffness: 0.0,
        bend_stiffness: 0.0,
        twist_stiffness: 0.0,
        shape_stiffness: 0.0,
        damping: 0.0,
        stretch_limit: 1.0,
        curl_limit: 1.0,
        ..params.of::<PbdParams>()
    };
    params.forces.drag = 0.0;
    let rest = straight(Vec3::ZERO, Vec3::X, 2.0, 4);
    let block = run::<f64>(&rest, &params, None, 6);
    // After n substeps: y = -g h² n (n + 1) / 2.
    let (n, h) = (24.0, 1.0 / 240.0);
    let expected = -f64::from(params.forces.gravity) * h * h * n * (n + 1.0) / 2.0;
    assert!((block.point(3, 0).y - expected).abs() < 1e-12);
    assert!((block.point(3, 0).x - 2.0).abs() < 1e-12);
}

#[test]
fn a_strand_at_its_rest_shape_stays_there_without_gravity() {
    let mut params = falling();
    params.forces.gravity_on = false;
    let block = run::<F<32>>(&curl(), &params, None, 1);
    for i in 0..block.rows {
        let moved = block.position[i] - block.rest[i];
        assert!(
            moved.dot(moved).get(0).sqrt() < 1e-7,
            "vertex {i} jumped at the first step"
        );
    }
    params.forces.gravity_on = true;
    let block = run::<F<32>>(&curl(), &params, None, 1);
    for i in 0..block.rows {
        let moved = block.position[i] - block.rest[i];
        // Free fall over 1/60 s is 1.7 mm with four substeps.
        assert!(
            moved.dot(moved).get(0).sqrt() < 1.8e-3,
            "vertex {i} moved farther than it could fall"
        );
    }
}

#[test]
fn a_hanging_strand_stretches_no_more_than_its_limit_and_comes_to_rest() {
    let params = falling();
    for rest in [
        straight(Vec3::ZERO, Vec3::NEG_Y, 0.3, 32),
        straight(Vec3::ZERO, Vec3::X, 0.3, 32),
        curl(),
    ] {
        let block = run::<F<32>>(&rest, &params, None, 1200);
        let later = run::<F<32>>(&rest, &params, None, 1201);
        let (mut stretch, mut speed) = (0.0f64, 0.0f64);
        for i in 1..block.rows {
            let length = |rows: &[V3<F<32>>]| {
                (rows[i] - rows[i - 1])
                    .dot(rows[i] - rows[i - 1])
                    .get(0)
                    .sqrt()
            };
            stretch = stretch.max(length(&block.position) / length(&block.rest) - 1.0);
            let moved = later.position[i] - block.position[i];
            speed = speed.max(60.0 * moved.dot(moved).get(0).sqrt());
        }
        assert!(
            stretch < f64::from(params.of::<PbdParams>().stretch_limit) + 1e-4,
            "stretch {stretch}"
        );
        assert!(
            speed < 1e-3,
            "still moving at {speed} m/s after 20 s: {:?}",
            &rest[..2]
        );
    }
}

#[test]
fn damping_leaves_rigid_motion_and_takes_the_rest() {
    // A free spin plus a ripple, no forces, no constraints: after one step the
    // ripple has lost the share k, the spin nothing.
    let mut params = falling();
    *params.of_mut::<PbdParams>() = PbdParams {
        stretch_stiffness: 0.0,
        bend_stiffness: 0.0,
        twist_stiffness: 0.0,
        shape_stiffness: 0.0,
        damping: 0.5,
        stretch_limit: 1.0,
        curl_limit: 1.0,
        ..params.of::<PbdParams>()
    };
    params.forces.gravity_on = false;
    params.forces.drag = 0.0;
    params.step.set_substeps(1);
    let rest = helix(Vec3::ZERO, 0.02, 0.06, 0.2, 24);
    let groom = groom(&[rest]);
    let mut block = Block::<f64>::new(&groom, 0, 1, &Pose::IDENTITY);
    let spin = DVec3::new(0.3, -0.2, 0.5);
    let centre = (0..24).map(|i| block.point(i, 0)).sum::<DVec3>() / 24.0;
    for i in 0..24 {
        let r = block.point(i, 0) - centre;
        block.velocity[i].set(0, spin.cross(r).to_array());
    }
    let before = block.velocity.clone();
    {
        params.step.set_substeps(1);
        Pbd::new(&params.of::<PbdParams>(), &params.step)
    }
    .advance_rows(&mut block, &mut Scratch::new(), &input(&params, None));
    for (i, before) in before.iter().enumerate().skip(PINNED + 1) {
        let change = DVec3::from_array((block.velocity[i] - *before).get(0)).length();
        // The floor under the inertia costs a ten-thousandth of the spin.
        assert!(
            change < 2e-5,
            "vertex {i} of a rigidly spinning strand lost {change} m/s"
        );
    }
}

#[test]
fn strands_of_different_length_share_a_block_without_touching() {
    strands_share_a_block(4, &falling(), step, "pbd");
}

#[test]
fn no_slider_position_makes_a_number_that_is_not_finite() {
    let all = groom(
        &(0..32)
            .map(|i| {
                helix(
                    Vec3::new(0.01 * i as f32, 0.0, 0.0),
                    0.012,
                    0.02,
                    0.02 + 0.04 * i as f32,
                    4 + 8 * (i % 8),
                )
            })
            .collect::<Vec<_>>(),
    );
    let floor = Floor { height: -0.3 };
    for case in 0..120u64 {
        let pick = drawn(case);
        let mut params = falling();
        draw_surroundings(&mut params, &pick);
        params.of_mut::<PbdParams>().iterations = pick(3, 1.0, 16.0) as u32;
        params.of_mut::<PbdParams>().stretch_stiffness = pick(4, 0.0, 1.0);
        params.of_mut::<PbdParams>().stretch_limit = pick(5, 0.0, 1.0);
        params.of_mut::<PbdParams>().mass_taper = pick(6, 1.0, 3.0);
        params.of_mut::<PbdParams>().bend_stiffness = pick(7, 0.0, 1.0);
        params.of_mut::<PbdParams>().twist_stiffness = pick(8, 0.0, 1.0);
        params.of_mut::<PbdParams>().shape_stiffness = pick(9, 0.0, 1.0);
        params.of_mut::<PbdParams>().shape_tip = pick(10, 0.0, 1.0);
        params.of_mut::<PbdParams>().damping = pick(11, 0.0, 1.0);
        params.of_mut::<PbdParams>().curl_limit = pick(20, 0.0, 1.0);
        let mut block = Block::<F<32>>::new(&all, 0, 32, &Pose::IDENTITY);
        let pbd = Pbd::new(&params.of::<PbdParams>(), &params.step);
        let mut scratch = Scratch::new();
        for _ in 0..40 {
            pbd.advance_rows(&mut block, &mut scratch, &input(&params, Some(&floor)));
        }
        for lane in 0..32 {
            let rest: Vec<Vec3> = all.strand(lane).to_vec();
            let length: f32 = rest.windows(2).map(|w| w[0].distance(w[1])).sum();
            for i in 0..rest.len() {
                let p = block.point(i, lane).as_vec3();
                assert!(p.is_finite(), "case {case}");
                let reach = length * (1.0 + params.of::<PbdParams>().stretch_limit) * 1.001 + 1e-4;
                assert!(
                    p.distance(rest[0]) <= reach,
                    "case {case}: strand {lane} reaches {} of {reach}",
                    p.distance(rest[0])
                );
            }
        }
        assert_eq!(block.resets, 0, "case {case}");
    }
}

#[test]
fn a_grip_pulls_its_vertex_and_no_other_strand() {
    grips_pull_their_vertices(&falling(), [1e-4, 0.5], step);
}
