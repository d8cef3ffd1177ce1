//! Gradients against differences of the energies, minimisers against a dense
//! solution.

use super::{
    Der, DerState,
    elastic::{Elastic, Pulled},
    lanes::{DerGroup, Held},
};
use crate::{
    groom::Groom,
    math::{Pose, elementary::sin_cos, lanes::V3, random::signed},
    sim::{
        MaterialParams, SimParams,
        attachment::AttachmentKind,
        solver::{
            DerParams,
            rod_fixture::{curled, input},
        },
        state::Block,
    },
};
use glam::DVec3;

const VERTICES: usize = 9;

fn noise(seed: u64, i: usize, what: u64) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|c| f64::from(signed(100 * seed + 10 * what + c, i as u64))))
}

/// One curled strand of elliptic hair in f64, bent and twisted by noise of
/// that strength, with the frames of that configuration.
fn group(seed: u64, strength: f64, sag_free: bool, free: bool) -> (DerGroup<f64>, Elastic<f64>) {
    let groom = curled(VERTICES);
    let der = DerParams {
        sag_free,
        ..DerParams::default()
    };
    let material = MaterialParams {
        ellipticity: 1.5,
        ..MaterialParams::default()
    };
    let params = SimParams::default();
    let der = Der::new(&der, &material, &crate::sim::StepParams::default());
    let mut block = Block::<f64>::new(&groom, 0, 1, &Pose::IDENTITY);
    if free {
        block.pinned = 0;
    }
    let input = input(&params, 1.0 / 240.0);
    let mut memory = DerState::default();
    der.prepare(&mut block, &mut memory, &input);
    let mut places = block.position.clone();
    for (i, place) in places.iter_mut().enumerate() {
        let hold = if i == 0 && !free { 0.0 } else { strength };
        let away = 0.006 * hold * noise(seed, i, 1);
        *place = *place + V3::splat(away.to_array());
        memory.vertices[i].theta += strength * noise(seed, i, 2).x;
    }
    let mut group = DerGroup::default();
    group.load(&block, &memory, &places, 0);
    let elastic = Elastic {
        bend: der.hair.material.bend,
        twist: der.hair.material.twist,
        damping: 0.0,
    };
    group.turn();
    let clamp = group.clamp;
    group.frames(clamp, 1.0, None);
    (group, elastic)
}

/// Leaves what the energy pulls with in the vertices' ways.
struct Told;

impl Pulled<f64> for Told {
    fn vertex(&mut self, group: &mut DerGroup<f64>, i: usize, pull: V3<f64>) {
        group.nodes[i].way = pull;
    }
}

fn energy(group: &mut DerGroup<f64>, elastic: &Elastic<f64>) -> f64 {
    group.turn();
    let clamp = group.clamp;
    // Nothing is carried on: the frame of a free root stays where it was.
    group.frames(clamp, 0.0, None);
    group.energy(elastic)
}

fn vector(v: V3<f64>) -> DVec3 {
    DVec3::from_array(v.get(0))
}

fn slope(f: impl Fn(f64) -> f64, step: f64) -> f64 {
    // Richardson: of fourth order.
    let d = |s: f64| (f(s) - f(-s)) / (2.0 * s);
    (4.0 * d(0.5 * step) - d(step)) / 3.0
}

#[test]
fn forces_are_the_gradient_of_the_energy() {
    for seed in 0..12 {
        // Curled as at rest, bent hard, twisted free of any equilibrium; with
        // frames that are at rest and with frames that are not.
        let strength = [0.1, 0.5, 1.0][seed as usize % 3];
        let free = seed % 4 == 3;
        let (mut b, s) = group(seed, strength, seed % 2 == 0, free);
        if seed % 2 == 1 {
            for _ in 0..60 {
                b.newton(&s, 1.0);
            }
        }
        let clamp = b.clamp;
        b.forces(&s, clamp, 0.0, &mut Told);
        let found: Vec<DVec3> = b.nodes[..VERTICES].iter().map(|n| vector(n.way)).collect();
        let scale = found.iter().map(|f| f.length()).fold(0.0, f64::max);
        assert!(scale > 0.0);
        for (i, found) in found.iter().enumerate() {
            for axis in DVec3::AXES {
                if i == 0 && !free {
                    continue;
                }
                let at = |step: f64| {
                    let mut moved = DerGroup {
                        nodes: b.nodes.clone(),
                        ..DerGroup::default()
                    };
                    (moved.rows, moved.shortest) = (b.rows, b.shortest);
                    (moved.clamp, moved.carried, moved.free) = (b.clamp, b.carried, b.free);
                    let place = vector(moved.nodes[i].x) + step * axis;
                    moved.nodes[i].x = V3::splat(place.to_array());
                    energy(&mut moved, &s)
                };
                let wanted = -slope(at, 1e-6);
                let error = (wanted - found.dot(axis)).abs() / scale;
                assert!(error < 1e-6, "case {seed}, vertex {i}: {error:e}");
            }
        }
    }
}

#[test]
fn torques_and_their_hessian_are_derivatives_of_the_energy() {
    for seed in 0..9 {
        let (mut b, s) = group(seed, 0.7, seed % 2 == 0, false);
        for i in 0..VERTICES - 1 {
            let theta = b.nodes[i].memory.theta;
            let mut at = |step: f64| {
                b.nodes[i].memory.theta = theta + step;
                energy(&mut b, &s)
            };
            let d = |f: &mut dyn FnMut(f64) -> f64, h: f64| (f(h) - f(-h)) / (2.0 * h);
            let wanted = (4.0 * d(&mut at, 5e-4) - d(&mut at, 1e-3)) / 3.0;
            let second = (at(1e-3) - 2.0 * at(0.0) + at(-1e-3)) / 1e-6;
            at(0.0);
            let (gradient, bending, twist) = b.torque(&s, i);
            let scale = twist[0] + twist[1] + bending.abs();
            assert!((gradient - wanted).abs() < 1e-6 * scale, "edge {i}");
            let diagonal = bending + twist[0] + twist[1];
            assert!((diagonal - second).abs() < 1e-4 * scale, "edge {i}");
        }
    }
}

/// Solves a system given by its rows with the right side at their ends.
#[allow(clippy::needless_range_loop, reason = "rows and columns of a matrix")]
fn solve(mut m: Vec<Vec<f64>>) -> Vec<f64> {
    let n = m.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|a, b| m[*a][i].abs().total_cmp(&m[*b][i].abs()));
        m.swap(i, pivot.expect("rows are left"));
        for k in 0..n {
            if k != i {
                let share = m[k][i] / m[i][i];
                for j in i..=n {
                    m[k][j] -= share * m[i][j];
                }
            }
        }
    }
    (0..n).map(|i| m[i][n] / m[i][i]).collect()
}

/// The minimum by a dense Newton solution with differences and a line search,
/// which knows only the energy and its gradient.
#[allow(clippy::needless_range_loop, reason = "rows and columns of a matrix")]
fn dense(b: &mut DerGroup<f64>, s: &Elastic<f64>) -> f64 {
    let n = VERTICES - 1;
    for _ in 0..200 {
        let gradient = |b: &mut DerGroup<f64>| -> Vec<f64> {
            energy(b, s);
            (0..n).map(|i| b.torque(s, i).0).collect()
        };
        let g = gradient(b);
        let mut m = vec![vec![0.0; n + 1]; n];
        for j in 0..n {
            b.nodes[j].memory.theta += 1e-6;
            let moved = gradient(b);
            b.nodes[j].memory.theta -= 1e-6;
            for i in 0..n {
                m[i][j] = (moved[i] - g[i]) / 1e-6;
            }
        }
        let shift = 1e-3 * (0..n).map(|i| m[i][i].abs()).fold(0.0, f64::max);
        for i in 0..n {
            m[i][i] += shift;
            m[i][n] = -g[i];
        }
        let step = solve(m);
        let down: f64 = step.iter().zip(&g).map(|(a, b)| a * b).sum();
        let sign = if down < 0.0 { 1.0 } else { -1.0 };
        let start = energy(b, s);
        let mut share = sign;
        for _ in 0..30 {
            for (node, step) in b.nodes.iter_mut().zip(&step) {
                node.memory.theta += share * step;
            }
            if energy(b, s) <= start {
                break;
            }
            for (node, step) in b.nodes.iter_mut().zip(&step) {
                node.memory.theta -= share * step;
            }
            share *= 0.5;
        }
    }
    energy(b, s)
}

#[test]
fn both_minimisers_find_the_same_energy() {
    for seed in 0..12 {
        let start = |kind: usize| {
            let (mut b, s) = group(seed, 0.5, seed % 2 == 0, false);
            let before = energy(&mut b, &s);
            match kind {
                0 => (0..100).for_each(|_| b.newton(&s, 1.0)),
                1 => b.bfgs(&s, 1.0, 200),
                _ => {
                    dense(&mut b, &s);
                }
            }
            (before, energy(&mut b, &s))
        };
        let [(before, newton), (_, bfgs), (_, dense)] = [0, 1, 2].map(start);
        assert!(
            newton < 0.99 * before,
            "nothing to do: {newton} of {before}"
        );
        assert!(
            (newton / dense - 1.0).abs() < 1e-5,
            "{seed}: {newton} {dense}"
        );
        assert!((bfgs / dense - 1.0).abs() < 1e-5, "{seed}: {bfgs} {dense}");
    }
}

/// An equilibrium under weight: what the energy pulls with and gravity leave
/// only what runs along the edges, which the projection takes.
#[test]
fn the_shape_without_sag_balances_the_weight() {
    let (mut b, s) = group(0, 0.0, true, false);
    let clamp = b.clamp;
    b.forces(&s, clamp, 0.0, &mut Told);
    let mut sum = DVec3::ZERO;
    let mut weight = 0.0;
    for i in (1..VERTICES).rev() {
        let mass = 1.0 / b.nodes[i].memory.inverse_mass;
        weight += 9.81 * mass;
        sum += vector(b.nodes[i].way) + DVec3::NEG_Y * 9.81 * mass;
        let across = sum.cross(vector(b.nodes[i - 1].tangent)).length();
        assert!(across < 1e-6 * weight, "edge {i}: {across} of {weight}");
        let torque = b.torque(&s, i - 1).0;
        assert!(torque.abs() < 1e-9, "edge {i}: a torque of {torque}");
    }
    assert!(weight > 1.0);
}

/// A torque on the tip alone twists a straight round hair evenly, and the
/// twist times its stiffness is that torque.
#[test]
fn twist_at_rest_is_uniform() {
    let length = |i: usize| [0.004, 0.007, 0.005][i % 3];
    let mut places = vec![DVec3::ZERO];
    for i in 0..VERTICES - 1 {
        places.push(places[i] + DVec3::Y * length(i));
    }
    // The last edge goes aside: a bend for the torque to pull at.
    let bent = places[VERTICES - 2] + DVec3::new(1.0, 1.0, 0.0).normalize() * 0.006;
    places[VERTICES - 1] = bent;
    let groom = Groom {
        points: places.iter().map(|p| p.as_vec3()).collect(),
        starts: vec![0, VERTICES as u32],
        masses: vec![1.0],
        ..Groom::default()
    };
    let params = SimParams::default();
    let der = DerParams {
        sag_free: false,
        ..DerParams::default()
    };
    let der = Der::new(
        &der,
        &MaterialParams::default(),
        &crate::sim::StepParams::default(),
    );
    let mut block = Block::<f64>::new(&groom, 0, 1, &Pose::IDENTITY);
    let mut memory = DerState::default();
    der.prepare(&mut block, &mut memory, &input(&params, 1.0 / 240.0));
    // It would bend another way.
    let rest = &mut memory.vertices[VERTICES - 2].rest;
    let (sine, cosine) = sin_cos(1.2f64);
    for k in [0, 2] {
        let (a, b) = (rest[k], rest[k + 1]);
        (rest[k], rest[k + 1]) = (cosine * a - sine * b, sine * a + cosine * b);
    }
    let elastic = Elastic {
        bend: der.hair.material.bend,
        twist: der.hair.material.twist,
        damping: 0.0,
    };
    let mut b = DerGroup::default();
    let places = block.position.clone();
    b.load(&block, &memory, &places, 0);
    b.turn();
    let clamp = b.clamp;
    b.frames(clamp, 1.0, None);
    for _ in 0..50 {
        b.newton(&elastic, 1.0);
    }
    let mut before = 0.0;
    let mut torques = Vec::new();
    for node in &b.nodes[..VERTICES - 2] {
        let twist = node.memory.theta - before;
        torques.push(elastic.twist * node.stiff * twist);
        before = node.memory.theta;
    }
    assert!(before.abs() > 0.1, "hardly any twist: {before} rad");
    for torque in &torques {
        let error = torque / torques[0] - 1.0;
        assert!(error.abs() < 1e-6, "{torques:?}");
    }
}

#[test]
fn segments_get_their_lengths_between_pins_that_stay() {
    let (mut group, _) = group(3, 0.0, true, false);
    let moved = |i: usize| 0.003 * noise(3, i, 5);
    for i in 1..VERTICES {
        group.nodes[i].way = V3::splat(moved(i).to_array());
    }
    let pins = [4, 7];
    // The farther one first: each leads up to the other.
    for row in [7, 4] {
        group.holds.push(Held {
            row,
            lane: 0,
            count: VERTICES as f64,
            target: [0.0; 3],
            kind: AttachmentKind::Pin,
        });
    }
    group.follow(1.0);
    let place = |i: usize| vector(group.nodes[i].x) + vector(group.nodes[i].way);
    for row in pins {
        let off = vector(group.nodes[row].way).distance(moved(row));
        assert!(off < 5e-4, "pin {row} gives way by {off} m");
    }
    for i in 0..VERTICES - 1 {
        let length = group.nodes[i].memory.length;
        let off = (place(i).distance(place(i + 1)) / length - 1.0).abs();
        assert!(off < 1e-6, "segment {i} is {off} of its length off");
    }
}
