//! What a lock does to its strands.

use super::Motion;
use crate::sim::{CohesionParams, volume::GridMotion};
use glam::{Mat3A, Quat, Vec3, Vec3A};
use std::f64::consts::TAU;

/// How often a strand would swing about its lock where it holds best. `[Hz]`
const FASTEST: f64 = 8.0;

/// Damping of that swing, as a share of what stops it in one go.
const DAMPING: f64 = 0.7;

/// The turn of a lock at some height is that of the way between so many parts of
/// its length around it: less would follow every curl.
const CHORDS: usize = 8;

/// A vertex of a strand in a lock.
#[derive(Clone, Copy, Default)]
struct Vertex {
    /// Its height in the lock.
    row: usize,
    /// From the strand's root, in the world's directions. `[m]`
    place: Vec3A,
    /// `[m/s]`
    velocity: Vec3A,
    /// Where it was modelled, in the head's space. `[m]`
    rest: Vec3A,
    /// How much it counts in the mean: its mass, less the more it is torn off.
    weight: f32,
}

impl Vertex {
    /// What it is off its place in the lock. `[m]`
    #[inline(always)]
    fn missing(&self, mean: &Mean) -> Vec3A {
        self.place - mean.place - mean.turn * (self.rest - mean.rest)
    }

    /// How it moves against the lock, which moves and turns. `[m/s]`
    #[inline(always)]
    fn slip(&self, mean: &Mean) -> Vec3A {
        let offset = mean.turn * (self.rest - mean.rest);
        self.velocity - mean.velocity - mean.spin.cross(offset)
    }
}

/// A lock at some height: the mean of its strands.
#[derive(Clone, Copy, Default)]
struct Mean {
    weight: f32,
    place: Vec3A,
    velocity: Vec3A,
    rest: Vec3A,
    /// From the lock as it was modelled, in the head's space, to the lock as it is.
    turn: Mat3A,
    /// How fast it turns. `[rad/s]`
    spin: Vec3A,
}

/// Reused memory.
#[derive(Default)]
pub(super) struct Scratch {
    vertices: Vec<Vertex>,
    means: Vec<Mean>,
}

/// How locks pull in one step.
pub(super) struct Bond {
    /// Share of what is missing that a vertex gains as velocity. `[1/s]`
    pull: f32,
    /// Share of its velocity against the lock that a vertex loses.
    loss: f32,
    /// Where a bond is at half of its strength. `[m]`
    gives: f32,
    /// The speed at which it is: that of a swing so wide. No bond pulls harder than
    /// it would there, so that hair which strikes the head is not driven into it by
    /// the rest of its lock. `[m/s]`
    tears: f32,
    /// From the head's space.
    head: Mat3A,
    /// How fast the head turns. `[rad/s]`
    spin: Vec3A,
}

impl Bond {
    pub fn new(params: &CohesionParams, ride: &GridMotion, seconds: f64) -> Self {
        let rate = TAU * FASTEST * f64::from(params.hold);
        // Euler's backward formula for x'' = -k x - c x': stable for any step.
        let stiffness = rate * rate * seconds;
        let damping = 2.0 * DAMPING * rate * seconds;
        let whole = 1.0 + damping + stiffness * seconds;
        let [now, before] = [ride.now.rotation, ride.before.rotation];
        let turn = now * before.conjugate();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        Self {
            pull: (stiffness / whole) as f32,
            loss: ((damping + stiffness * seconds) / whole) as f32,
            gives: params.reach,
            tears: (rate * f64::from(params.reach)) as f32,
            head: Mat3A::from_quat(now),
            spin: Vec3A::from(turn.xyz()) * (2.0 / ride.seconds as f32),
        }
    }

    /// What the vertices of `strands` gain, strand after strand `[m/s]`: of each,
    /// the masses of its vertices, their motion and its rest curve.
    pub fn pull<'a, I>(&self, strands: I, scratch: &mut Scratch, gains: &mut [Vec3])
    where
        I: Iterator<Item = (&'a [f32], &'a [Motion], &'a [Vec3])> + Clone,
    {
        let Scratch { vertices, means } = scratch;
        let counts = strands.clone().map(|(_, motion, _)| motion.len());
        let rows = counts.max().unwrap_or(0);
        vertices.clear();
        for (masses, motion, rest) in strands.clone() {
            let count = motion.len();
            let all = motion.iter().zip(rest).zip(masses).enumerate();
            vertices.extend(all.map(|(i, ((motion, rest), mass))| Vertex {
                // A strand with fewer vertices has them at the same shares.
                row: match count == rows {
                    true => i,
                    false => (i * (rows - 1) + (count - 1) / 2) / (count - 1),
                },
                place: motion.place.into(),
                velocity: motion.velocity.into(),
                rest: (*rest).into(),
                weight: *mass,
            }));
        }
        // Once with all alike, to see which are torn off, and once without those.
        average(vertices, rows, means);
        self.turn(means);
        for vertex in vertices.iter_mut() {
            let mean = &means[vertex.row];
            let torn = vertex.missing(mean) / self.gives;
            let slips = vertex.slip(mean) / self.tears;
            vertex.weight /= 1.0 + torn.length_squared() + slips.length_squared();
        }
        average(vertices, rows, means);
        self.turn(means);
        let masses = strands.flat_map(|(masses, ..)| masses);
        for ((vertex, mass), gain) in vertices.iter().zip(masses).zip(gains) {
            let mean = &means[vertex.row];
            let missing = vertex.missing(mean);
            let whole = missing * self.pull + vertex.slip(mean) * self.loss;
            *gain = (whole * (-vertex.weight / mass)).into();
        }
    }

    /// How the lock has turned at each height, by the way from a little below to
    /// a little above.
    fn turn(&self, means: &mut [Mean]) {
        let last = means.len() - 1;
        let half = (last / CHORDS).max(1);
        for row in 0..=last {
            let (a, b) = (row.saturating_sub(half), (row + half).min(last));
            let chord = means[b].place - means[a].place;
            let rest = self.head * (means[b].rest - means[a].rest);
            let rate = means[b].velocity - means[a].velocity;
            let square = chord.length_squared();
            let (from, to) = (rest.normalize_or_zero(), chord.normalize_or_zero());
            let mean = &mut means[row];
            if from == Vec3A::ZERO || to == Vec3A::ZERO {
                (mean.turn, mean.spin) = (self.head, Vec3A::ZERO);
            } else {
                let turn = Quat::from_rotation_arc(from.into(), to.into());
                mean.turn = Mat3A::from_quat(turn) * self.head;
                // It turns across its way by itself, and about it with the head.
                mean.spin = chord.cross(rate) / square + to * to.dot(self.spin);
            }
        }
    }
}

/// The means of all heights. A height without a vertex has the mean below it.
fn average(vertices: &[Vertex], rows: usize, means: &mut Vec<Mean>) {
    means.clear();
    means.resize(rows, Mean::default());
    for vertex in vertices {
        let (mean, weight) = (&mut means[vertex.row], vertex.weight);
        mean.weight += weight;
        mean.place += vertex.place * weight;
        mean.velocity += vertex.velocity * weight;
        mean.rest += vertex.rest * weight;
    }
    for row in 0..rows {
        if means[row].weight > 0.0 {
            let mean = &mut means[row];
            let share = 1.0 / mean.weight;
            mean.place *= share;
            mean.velocity *= share;
            mean.rest *= share;
        } else if row > 0 {
            means[row] = means[row - 1];
        }
    }
}
