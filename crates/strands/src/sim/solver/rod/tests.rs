//! Moments against differences of the energy, a pass against the quadratic
//! model that it minimises.

use super::{
    joint::{elastic, joint},
    lanes::RodGroup,
    state::RodState,
    substep::Substep,
    sweep::{GAUGE, times},
};
use crate::{
    groom::Groom,
    math::{Pose, lanes::V3, random::signed, rotation::Q},
    sim::{
        SimParams,
        params::MaterialParams,
        solver::{
            RodParams, StepInput,
            rod::Rod,
            rod_fixture::{curled, input},
        },
        state::Block,
    },
};
use glam::{DQuat, DVec3, Quat, Vec3};

const VERTICES: usize = 7;

/// A group of one bent, twisted and moving strand in f64, after the prediction.
fn group(params: &SimParams, free: bool) -> (RodGroup<f64>, Substep<f64>) {
    let (mut group, s) = begin(params, free, Pose::IDENTITY);
    group.predict(&s);
    (group, s)
}

/// The same before the prediction, on a head that goes to `pose`.
fn begin(params: &SimParams, free: bool, pose: Pose) -> (RodGroup<f64>, Substep<f64>) {
    let groom = Groom {
        // No two joints alike.
        stiffness: (0..VERTICES).map(|i| 1.3 - 0.15 * i as f32).collect(),
        ..curled(VERTICES)
    };
    let mut block = Block::<f64>::new(&groom, 0, 1, &Pose::IDENTITY);
    block.pinned = if free { 0 } else { 2 };
    let input = StepInput {
        gravity: [0.5, -9.81, 1.0],
        drag: 2.0,
        poses: vec![Pose::IDENTITY, pose],
        still: pose == Pose::IDENTITY,
        ..input(params, 1.0 / 120.0)
    };
    let rod = Rod::new(&params.of::<RodParams>(), &params.material, &params.step);
    let mut memory = RodState::default();
    rod.prepare(&mut block, &mut memory, &input);
    let noise = |i: usize, what: u64| {
        DVec3::from_array([0, 1, 2].map(|c| f64::from(signed(10 * what + c, i as u64))))
    };
    for i in 0..VERTICES {
        block.velocity[i].set(0, (0.5 * noise(i, 1)).to_array());
        memory.vertices[i]
            .turn
            .set(0, (0.05 * noise(i, 2)).to_array());
        // The strand hangs on its inner forces: all edges are pulled.
        memory.vertices[i]
            .net
            .set(0, (0.05 * noise(i, 3)).to_array());
    }
    let mut group = RodGroup::default();
    group.load(&block, &memory, &[V3::zero(); VERTICES], 0, false);
    let s = Substep::new(&rod, &mut group, &input, 0, free);
    (group, s)
}

fn params() -> SimParams {
    SimParams {
        material: MaterialParams {
            ellipticity: 1.5,
            ..MaterialParams::default()
        },
        ..SimParams::default()
    }
    .with(RodParams {
        sag_free: false,
        damping: 0.004,
        ..RodParams::default()
    })
}

fn vector(v: V3<f64>) -> DVec3 {
    DVec3::from_array(v.get(0))
}

fn lanes(q: DQuat) -> Q<f64> {
    Q {
        w: q.w,
        v: V3::splat([q.x, q.y, q.z]),
    }
}

#[test]
fn a_moment_is_the_gradient_of_the_energy() {
    let (b, s) = group(&params(), false);
    let mut node = b.nodes[3];
    assert!((node.stiff - 0.85).abs() < 1e-6);
    node.inverse_span = 120.0;
    for k in 0..100 {
        let draw = |what: u64| f64::from(signed(what, k));
        let axis = |what| DVec3::new(draw(what), draw(what + 1), draw(what + 2));
        let before = DQuat::from_scaled_axis(2.0 * axis(1));
        // Every other one is folded far.
        let folded = axis(4).normalize() * (2.6 + 0.5 * draw(10).abs());
        // There the energy bends more, and so a difference is farther from a slope.
        let (across, most) = match k % 2 {
            0 => (0.8 * axis(4), 1e-7),
            _ => (folded, 1e-6),
        };
        let q = before * DQuat::from_scaled_axis(across);
        node.memory.rest = V3::splat((40.0 * axis(7)).to_array());
        let at = |turn: DVec3| {
            let mut node = node;
            node.memory.q = lanes(DQuat::from_scaled_axis(turn) * q);
            node
        };
        let energy = |turn: DVec3| joint(lanes(before), &at(turn), &s).1;
        let moment = vector(joint(lanes(before), &at(DVec3::ZERO), &s).0);
        for axis in DVec3::AXES {
            let step = 1e-5;
            let slope = (energy(step * axis) - energy(-step * axis)) / (2.0 * step);
            let error = (slope - moment.dot(axis)).abs();
            assert!(
                error < most * (1.0 + moment.length()),
                "strand {k}: {error}"
            );
        }
        let short = elastic(lanes(before), &at(DVec3::ZERO), &s);
        assert!((short - energy(DVec3::ZERO)).abs() < 1e-12 * (1.0 + short));
    }
}

/// The increment of the potential to second order in the turns, written
/// down vertex by vertex and joint by joint.
fn model(b: &RodGroup<f64>, s: &Substep<f64>, root: DVec3, turns: &[DVec3]) -> f64 {
    let mut sum = 0.0;
    let mut d = root;
    for i in 0..VERTICES {
        let node = &b.nodes[i];
        let heavy = node.mass * node.inertia;
        let away = vector(node.x) - vector(node.goal);
        sum += 0.5 * heavy * (away + d).length_squared();
        if i + 1 == VERTICES {
            break;
        }
        let e = vector(node.tangent) * node.memory.length;
        let force: DVec3 = (i + 1..VERTICES)
            .map(|k| vector(b.nodes[k].memory.net))
            .sum();
        let t = vector(node.tangent);
        let across = turns[i] - t * t.dot(turns[i]);
        sum += 0.5 * force.dot(e).max(0.0) * across.length_squared();
        let (before, inner, turn, spin) = if i == 0 {
            (s.clamp, s.clamp.axis3(), DVec3::ZERO, vector(s.root_spin))
        } else {
            let n = &b.nodes[i - 1];
            (n.memory.q, n.tangent, turns[i - 1], vector(n.spin))
        };
        d += turns[i].cross(e);
        if i == 0 && s.free {
            let gauge = GAUGE * s.bend[1] * node.inverse_span * node.stiff;
            sum += 0.5 * gauge * turns[0].length_squared();
            continue;
        }
        let delta = turns[i] - turn;
        sum += vector(joint(before, node, s).0).dot(delta);
        let [stiff, soft] = s.bend.map(|k| k * node.inverse_span * node.stiff);
        let twist = s.twist * node.inverse_span * node.stiff;
        let axis = vector(node.memory.q.axis1());
        let t = (vector(inner) + t).normalize();
        sum += 0.5 * soft * delta.length_squared()
            + 0.5 * (stiff - soft) * axis.dot(delta).powi(2)
            + 0.5 * (twist - soft) * t.dot(delta).powi(2);
        let turned = vector(node.spin) - spin + delta;
        sum += 0.5 * s.damping * soft * turned.length_squared();
    }
    sum
}

/// What the prediction is held against: a predictor that is judged by a potential without what
/// ties pull and the turning head asks is given up where it is needed most.
#[test]
fn staying_has_the_potential_that_a_pass_finds_there() {
    let turned = Pose {
        rotation: Quat::from_rotation_y(0.05),
        translation: Vec3::new(0.002, -0.001, 0.003),
    };
    for free in [false, true] {
        let (mut b, s) = begin(&params(), free, turned);
        let mut goal = b.nodes[4].x;
        goal.y += 0.004;
        b.attachments.push((4, goal, 3e3));
        let stored = |j: usize| joint(b.nodes[j - 1].memory.q, &b.nodes[j], &s).1;
        b.elastic = (1..b.rows - 1).map(stored).sum();
        let staying = b.predict(&s).staying;
        b.stay(1.0);
        let found = b.eliminate(&s);
        assert!(
            (found / staying - 1.0).abs() < 1e-9,
            "free {free}: {staying}, but a pass finds {found}"
        );
    }
}

#[test]
fn a_prediction_tells_its_widest_turn_and_nothing_of_what_is_behind_the_tip() {
    let (mut b, s) = begin(&params(), false, Pose::IDENTITY);
    for (j, node) in b.nodes.iter_mut().enumerate() {
        let turn = match j {
            3 => 0.1_f64,
            j if j + 1 < VERTICES => 0.02,
            _ => 0.5,
        };
        // The vector part of a quaternion, for a small turn.
        node.memory.turn = V3::splat([0.0, 0.5 * turn, 0.0]);
    }
    let prediction = b.predict(&s);
    assert_eq!(prediction.turns_more(0.0999), 1.0);
    assert_eq!(prediction.turns_more(0.1001), 0.0);
}

#[test]
fn a_pass_finds_the_minimum_of_the_quadratic_model() {
    for free in [false, true] {
        let (mut b, s) = group(&params(), free);
        b.eliminate(&s);
        let root = vector(b.root_step);
        assert_eq!(root.length() > 0.0, free);
        // The answer, from the roots outwards, without the cap on turns.
        let (mut d, mut omega) = (root, DVec3::ZERO);
        let mut turns = Vec::new();
        for node in &b.nodes[..VERTICES - 1] {
            let gain = times(&node.gain, V3::splat(omega.to_array()));
            let lever = node.lever.map(|column| vector(column).dot(d));
            omega = vector(gain) - DVec3::from(lever) - vector(node.shift);
            d += omega.cross(vector(node.tangent) * node.memory.length);
            turns.push(omega);
        }
        let scale = model(&b, &s, root, &turns).abs() + 1.0;
        let slope = |change: &dyn Fn(f64) -> f64| (change(1e-4) - change(-1e-4)) / 2e-4;
        for i in 0..VERTICES - 1 {
            for axis in DVec3::AXES {
                let found = slope(&|step| {
                    let mut turns = turns.clone();
                    turns[i] += step * axis;
                    model(&b, &s, root, &turns)
                });
                // The stiffness against rounding is not in the model.
                assert!(found.abs() < 2e-5 * scale, "edge {i}: slope {found}");
            }
        }
        let before = vec![DVec3::ZERO; VERTICES - 1];
        let drop = model(&b, &s, DVec3::ZERO, &before) - model(&b, &s, root, &turns);
        assert!(drop > 1e-4, "nothing was gained: {drop}");
    }
}

#[test]
fn a_pass_lowers_the_potential_and_backing_off_returns() {
    let (mut b, s) = group(&params(), false);
    let start = b.eliminate(&s);
    let places: Vec<_> = b.nodes[..VERTICES].iter().map(|n| n.x).collect();
    let found = b.apply(&s, 1.0, true);
    assert!(found.energy < start, "{} after {start}", found.energy);
    let energy = b.scale_back(&s, 0.0, 1.0, 1.0).energy;
    assert!(
        (energy - start).abs() < 1e-9 * start.abs(),
        "{energy} is not {start}"
    );
    for (node, place) in b.nodes.iter().zip(places) {
        assert!(vector(node.x).distance(vector(place)) < 1e-12);
    }
}
