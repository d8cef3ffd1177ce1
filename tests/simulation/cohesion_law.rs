//! What a lock does, held against the law as it is written, one run of vertices at a
//! time in f64.

use crate::common::groom;
use glam::{DQuat, DVec3, Quat, Vec3};
use lovelock::{
    math::{Pose, lanes::Lane as _},
    sim::{
        CohesionParams,
        cohesion::{Cohesion, Locks},
        state::{LANES, StrandState},
        volume::GridMotion,
    },
};
use std::f64::consts::TAU;

const DT: f64 = 1.0 / 60.0;

/// A run of vertices of the lock, by its mean.
#[derive(Clone, Copy)]
struct Vertex {
    row: usize,
    mass: f64,
    place: DVec3,
    velocity: DVec3,
    rest: DVec3,
}

/// The lock at one height.
#[derive(Clone, Copy, Default)]
struct Mean {
    place: DVec3,
    velocity: DVec3,
    rest: DVec3,
    turn: DQuat,
    spin: DVec3,
}

impl Mean {
    fn missing(&self, v: &Vertex) -> DVec3 {
        v.place - self.place - self.turn * (v.rest - self.rest)
    }

    fn slip(&self, v: &Vertex) -> DVec3 {
        v.velocity - self.velocity - self.spin.cross(self.turn * (v.rest - self.rest))
    }
}

/// The means at all heights with these weights, on a head turned by `head`.
fn means(lock: &[Vertex], weights: &[f64], rows: usize, head: DQuat) -> Vec<Mean> {
    let mut means = vec![Mean::default(); rows];
    for (row, mean) in means.iter_mut().enumerate() {
        let here = lock.iter().zip(weights).filter(|(v, _)| v.row == row);
        let all: f64 = here.clone().map(|(_, weight)| weight).sum();
        for (v, weight) in here {
            mean.place += weight / all * v.place;
            mean.velocity += weight / all * v.velocity;
            mean.rest += weight / all * v.rest;
        }
    }
    let half = ((rows - 1) / 8).max(1);
    for row in 0..rows {
        let [a, b] = [row.saturating_sub(half), (row + half).min(rows - 1)];
        let chord = means[b].place - means[a].place;
        let rest = head * (means[b].rest - means[a].rest);
        let rate = means[b].velocity - means[a].velocity;
        let arc = DQuat::from_rotation_arc(rest.normalize(), chord.normalize());
        means[row].turn = arc * head;
        means[row].spin = chord.cross(rate) / chord.length_squared();
    }
    means
}

/// What the vertices of each run gain.
fn gains(lock: &[Vertex], rows: usize, head: DQuat, params: &CohesionParams) -> Vec<DVec3> {
    let [hold, reach] = [params.hold, params.reach].map(f64::from);
    let rate = TAU * 8.0 * hold;
    let (stiffness, damping) = (rate * rate * DT, 2.0 * 0.7 * rate * DT);
    let whole = 1.0 + damping + stiffness * DT;
    let masses: Vec<f64> = lock.iter().map(|v| v.mass).collect();
    let all = means(lock, &masses, rows, head);
    let weights: Vec<f64> = lock
        .iter()
        .map(|v| {
            let torn = all[v.row].missing(v) / reach;
            let slips = all[v.row].slip(v) / (rate * reach);
            v.mass / (1.0 + torn.length_squared() + slips.length_squared())
        })
        .collect();
    let bound = means(lock, &weights, rows, head);
    let gain = |(v, weight): (&Vertex, &f64)| {
        let pull = stiffness / whole * bound[v.row].missing(v);
        let loss = (damping + stiffness * DT) / whole * bound[v.row].slip(v);
        -weight / v.mass * (pull + loss)
    };
    lock.iter().zip(&weights).map(gain).collect()
}

/// Numbers without pattern, -1 to 1.
fn noise(seed: &mut u64) -> f32 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as f32 / (1u32 << 30) as f32 - 1.0
}

/// Strands of these vertex counts, curled and side by side: one lock, and so bent and
/// thrown about that some are torn off. On a head turned by `head`.
fn thrown(counts: &[usize], head: Quat) -> (Vec<Vec<Vec3>>, StrandState) {
    let mut seed = 9;
    let strands: Vec<Vec<Vec3>> = counts
        .iter()
        .enumerate()
        .map(|(strand, count)| {
            let vertex = |i: usize| {
                let t = i as f32 / (count - 1) as f32;
                let (sin, cos) = (9.0 * t + strand as f32).sin_cos();
                let root = Vec3::new(1e-4 * strand as f32, 0.0, 0.0);
                root + Vec3::new(0.004 * (cos - 1.0) * t, -0.2 * t, 0.004 * sin * t)
            };
            (0..*count).map(vertex).collect()
        })
        .collect();
    let mut groom = groom(&strands);
    for mass in &mut groom.masses {
        *mass = 1.0 + 0.6 * noise(&mut seed);
    }
    let pose = Pose {
        rotation: head,
        ..Pose::IDENTITY
    };
    let mut state = StrandState::new(&groom, &pose);
    let swing = Quat::from_rotation_x(0.7);
    for (strand, count) in counts.iter().enumerate() {
        let (block, lane) = (&mut state.blocks[strand / LANES], strand % LANES);
        let far = if strand % 5 == 3 { 0.06 } else { 0.004 };
        for i in block.pinned..*count {
            let place = Vec3::from_array(block.position[i].get(lane).map(|c| c as f32));
            let mut noisy = || Vec3::from_array(std::array::from_fn(|_| noise(&mut seed)));
            let place = swing * place + far * noisy();
            let velocity = Vec3::Z.cross(3.0 * place) + 0.3 * noisy();
            let store = |v: Vec3| v.to_array().map(f64::from);
            block.position[i].set(lane, store(place));
            block.velocity[i].set(lane, store(velocity));
        }
    }
    (strands, state)
}

#[test]
fn a_lock_of_strands_long_and_short_does_what_the_law_says() {
    // Whole groups of heights and not, blocks of strands that are full and not.
    let alike = [
        (vec![64; 40], Quat::IDENTITY),
        (vec![30; 7], Quat::from_rotation_y(0.5)),
        (vec![9; 33], Quat::from_rotation_x(-0.4)),
    ];
    let mixed = (0..41).map(|strand| 4 + strand * 37 % 60).collect();
    for (counts, head) in alike
        .into_iter()
        .chain([(mixed, Quat::from_rotation_z(1.1))])
    {
        let (strands, mut state) = thrown(&counts, head);
        let params = CohesionParams {
            hold: 0.7,
            width: 0.1,
            ..CohesionParams::default()
        };
        let locks = Locks::of(&state, params.width);
        assert_eq!(locks.count(), 1);
        let runs = locks.runs();
        // Runs of three where strands have 64 vertices: 21 whole ones, and a single vertex.
        let most = counts.iter().max().copied().expect("strands");
        assert_eq!(runs.whole(64), if counts[0] == 64 { 21 } else { 64 });
        let rows = runs.count(most);
        let mut lock = Vec::new();
        for (strand, count) in counts.iter().enumerate() {
            let (block, lane) = (&state.blocks[strand / LANES], strand % LANES);
            let points = &strands[strand];
            for run in 0..runs.count(*count) {
                let length = |k: usize| f64::from(points[k].distance(points[k - 1]));
                let half = |i: usize| {
                    let before = if i > 0 { length(i) } else { 0.0 };
                    let after = if i + 1 < *count { length(i + 1) } else { 0.0 };
                    0.5 * (before + after)
                };
                let inside = runs.rows(run, *count);
                let mean = |of: &dyn Fn(usize) -> DVec3| {
                    inside.clone().map(of).sum::<DVec3>() / inside.len() as f64
                };
                let last = runs.count(*count) - 1;
                lock.push(Vertex {
                    row: (run * (rows - 1) + last / 2) / last,
                    mass: inside.clone().map(half).sum::<f64>() / block.inverse_mass.get(lane),
                    place: mean(&|i| DVec3::from(block.position[i].get(lane))),
                    velocity: mean(&|i| DVec3::from(block.velocity[i].get(lane))),
                    rest: mean(&|i| (points[i] - points[0]).as_dvec3()),
                });
            }
        }
        let pose = Pose {
            rotation: head,
            ..Pose::IDENTITY
        };
        let before = state.blocks.clone();
        Cohesion::default().act(&mut state, &GridMotion::still(pose), &params, DT);
        let wanted = gains(&lock, rows, head.as_dquat(), &params);
        let (mut at, mut worst, mut most) = (0, 0.0f64, 0.0f64);
        for (strand, count) in counts.iter().enumerate() {
            let (block, lane) = (&state.blocks[strand / LANES], strand % LANES);
            for run in 0..runs.count(*count) {
                for i in runs.rows(run, *count).filter(|i| *i >= block.pinned) {
                    let [now, then] = [block, &before[strand / LANES]]
                        .map(|block| DVec3::from(block.velocity[i].get(lane)));
                    worst = worst.max((now - then - wanted[at]).length());
                    most = most.max(wanted[at].length());
                }
                at += 1;
            }
        }
        println!("{rows} heights: {worst:.1e} m/s off, of {most:.2} m/s");
        assert!(most > 0.1 && worst < 2e-5 * most, "{counts:?}");
    }
}
