//! What bound hair follows behind its tie: the middle of a tail, of a braid's locks,
//! of a bun, and how wide hair is around it.

use super::{GroomParams, TieStyle, tails::Tails};
use crate::{
    math::{
        elementary::{cos, exp, sin},
        smoothstep,
    },
    mesh::CollisionMesh,
};
use glam::{Quat, Vec3};
use std::{f32::consts::TAU, ops::Range};

/// Distance between the points of a line. `[m]`
const STEP: f32 = 0.002;

/// A tail turns to where it falls within this length. `[m]`
const BEND_LENGTH: f32 = 0.03;

/// Locks of a braid.
const LOCKS: usize = 3;

/// A lock of a braid goes so many times as far as the braid.
const PLAIT: f32 = 1.25;

/// A braid ends where no more than this share of its hair goes on. It has a brush behind
/// that of no less than such a share of its length, or so much. `[m]`
const BRAIDED: f32 = 0.35;
const BRUSH: [f32; 2] = [0.16, 0.06];

/// Turns of a bun whose hair is neither long nor short for its tie, and the radius of the
/// first, as a share of the tie's.
const TURNS: f32 = 2.6;
const TURN: f32 = 1.75;

/// A bun is wound up where no more than this share of its hair goes on; the rest lies in
/// its middle. Between these sizes it grows with what hair there is, as a share of the
/// usual one.
const WOUND: f32 = 0.25;
const BUN_SIZES: [f32; 2] = [0.6, 1.4];

/// The edges of a strand behind its tie draw a wave of a plait, or a turn of a bun, if it
/// has so many of them.
const EDGES_A_TURN: f32 = 7.0;

/// Lines go on so much farther than the longest hair: strands beside their middle may be
/// shorter than they are.
const LINE_ROOM: f32 = 1.3;

/// Points along the turns of a bun.
const BUN_POINTS: usize = 600;

/// Hair on the inside of a bend comes no nearer to the middle of that bend than leaves it this
/// share of the way around less: strands that go around beside one another would fold there.
const INSIDE: f32 = 0.65;

/// A line that hangs is rounded off in so many rounds: a corner is as wide as the root of half
/// of them, in steps.
const SMOOTHED: usize = 60;

/// So far behind its tie a lock of a braid is rounded off as well. `[m]`
const BEGUN: f32 = 0.08;

/// A line bends as it does over this length on both sides. `[m]`
const BEND: f32 = 0.008;

/// What is bound stays as narrow as its tie for so long, under the band. `[m]`
const UNDER_BAND: f32 = 0.016;

/// Share of a strand's vertices that lie between root and tie, the same for all
/// strands, so that vertices of one number hang side by side.
const COMB_SHARE: f32 = 0.35;

/// The vertex that is at the tie, of so many.
pub(super) fn combed(vertices: u32) -> usize {
    let count = vertices as usize;
    ((count as f32 * COMB_SHARE) as usize).clamp(2, count - 2)
}

/// A line with a frame and a width at each point.
pub struct CentreLine {
    points: Vec<Vec3>,
    /// To the right and up, across the line.
    frames: Vec<[Vec3; 2]>,
    /// Radius of the hair around it. `[m]`
    widths: Vec<f32>,
    /// Which way the line bends, and how much. `[1/m]`
    bends: Vec<Vec3>,
    /// How far behind the tie hair is bound once more. `[m]`
    neck: Option<f32>,
    /// Where the first turn around the tie begins and ends. `[m]`
    turn: Option<[f32; 2]>,
}

impl CentreLine {
    /// The lines of a style that is tied at `middle`, over skin of that `normal`, in a
    /// tie of that `radius`, behind which hair goes on as `tails` say. `[m]`
    pub fn of(
        params: &GroomParams,
        body: &CollisionMesh,
        middle: Vec3,
        normal: Vec3,
        radius: f32,
        tails: &Tails,
    ) -> Vec<Self> {
        let steps = (params.vertices as usize - 1 - combed(params.vertices)) as f32;
        let most = (steps / EDGES_A_TURN).max(1.0);
        // Hair that is tied on top falls to the back.
        let back = Vec3::NEG_Z * (0.4 * normal.y.max(0.0).powi(4));
        match params.tie {
            TieStyle::Bun => vec![bun(middle, normal, radius, tails, most)],
            TieStyle::Braid => {
                let longest = tails.longest().max(0.1);
                let length = longest / PLAIT;
                let [share, longest] = BRUSH;
                let brush = (share * length).min(longest);
                let end = (tails.reached_by(BRAIDED) / PLAIT).clamp(0.4 * length, length - brush);
                let swell = |s: f32| {
                    let s = s.min(end);
                    let thick = tails.thickness(PLAIT * s).max(0.5);
                    1.5 * radius * (1.0 - 0.15 * s / length) * thick
                };
                // Down at once, close to the neck.
                let axis = (normal + 0.9 * Vec3::NEG_Y + back).normalize_or(normal);
                let room = LINE_ROOM * length;
                let middle = fall(body, middle, axis, room, |s| 1.5 * swell(s));
                (0..LOCKS)
                    .map(|lock| plait(&middle, lock, radius, swell, [end, length / most]))
                    .collect()
            }
            _ => {
                let longest = tails.longest().max(0.1);
                // Out and a little down, so that the band is seen over the tail.
                let axis = (normal + 0.6 * Vec3::NEG_Y + back).normalize_or(normal);
                let width = |s: f32| {
                    let swell = 1.0 + 1.1 * smoothstep(UNDER_BAND, 0.1, s);
                    radius * swell * (1.0 - 0.55 * smoothstep(0.1, 1.0, s / longest))
                };
                let points = fall(body, middle, axis, LINE_ROOM * longest, width);
                let widths: Vec<f32> = (0..points.len()).map(|i| width(i as f32 * STEP)).collect();
                let (points, widths) = even(&points, &widths);
                vec![Self::new(points, widths, axis, Vec3::X, 0.0)]
            }
        }
    }

    /// A line whose frames are carried along it, from `right` on, and turn about it by so
    /// much on the way. `[rad/m]`
    fn new(points: Vec<Vec3>, widths: Vec<f32>, axis: Vec3, right: Vec3, twist: f32) -> Self {
        let mut frames = Vec::with_capacity(points.len());
        let mut tangent = axis;
        let mut across = (right - axis * right.dot(axis)).normalize_or(Vec3::X);
        for i in 0..points.len() {
            let next = points[(i + 1).min(points.len() - 1)] - points[i.saturating_sub(1)];
            // The tie's cross-section is upright to its axis.
            let next = if i == 0 {
                axis
            } else {
                next.normalize_or(tangent)
            };
            across = Quat::from_rotation_arc(tangent, next) * across;
            across = (across - next * across.dot(next)).normalize_or(across);
            tangent = next;
            let turned = Quat::from_axis_angle(tangent, twist * STEP * i as f32) * across;
            frames.push([turned, turned.cross(tangent)]);
        }
        Self {
            bends: bends(&points),
            points,
            frames,
            widths,
            neck: None,
            turn: None,
        }
    }

    /// How far behind the tie hair is bound once more, as a braid is at its end. `[m]`
    pub fn neck(&self) -> Option<f32> {
        self.neck
    }

    /// Where the first turn of a bun begins and ends. `[m]`
    pub fn turn(&self) -> Option<[f32; 2]> {
        self.turn
    }

    /// How freely hair curls so far behind the tie: 0 where it is plaited or wound up, 1
    /// where it hangs. `[m]`
    pub fn free(&self, s: f32) -> f32 {
        match (self.neck, self.turn) {
            (Some(neck), _) => smoothstep(neck - 0.005, neck + 0.03, s),
            (None, Some(_)) => 0.0,
            (None, None) => 1.0,
        }
    }

    /// The point so far behind the tie `[m]`, at a place on the disc around the line.
    pub fn point(&self, s: f32, disc: [f32; 2]) -> Vec3 {
        let (i, t) = self.at(s);
        let point = |i: usize| {
            let [right, up] = self.frames[i];
            let beside = (right * disc[0] + up * disc[1]) * self.widths[i];
            self.points[i] + unfolded(beside, self.bends[i])
        };
        // Beyond its end it goes straight on.
        let [right, up] = self.frames[self.frames.len() - 1];
        let beyond = (s - (self.points.len() - 1) as f32 * STEP).max(0.0);
        point(i).lerp(point(i + 1), t) + up.cross(right) * beyond
    }

    /// Two unit vectors across the line there.
    pub fn across(&self, s: f32) -> [Vec3; 2] {
        self.frames[self.at(s).0]
    }

    /// The point before, and how much of the way to the next.
    fn at(&self, s: f32) -> (usize, f32) {
        let at = (s / STEP).clamp(0.0, (self.points.len() - 1) as f32 - 1e-3);
        (at as usize, at.fract())
    }
}

/// Which way a line bends at each of its points, and how much: one over the radius. Near its
/// ends as where there is a [`BEND`] on both sides. `[1/m]`
fn bends(points: &[Vec3]) -> Vec<Vec3> {
    let last = points.len() - 1;
    let span = ((BEND / STEP) as usize).min(last / 2);
    if span == 0 {
        return vec![Vec3::ZERO; points.len()];
    }
    (0..=last)
        .map(|i| {
            let at = i.clamp(span, last - span);
            let from = points[at] - points[at - span];
            let to = points[at + span] - points[at];
            let long = 0.5 * (from.length() + to.length());
            (to.normalize_or_zero() - from.normalize_or_zero()) / long.max(1e-6)
        })
        .collect()
}

/// Where what lies `beside` a line lies on the inside of its `bend`, so that it does not fold.
fn unfolded(beside: Vec3, bend: Vec3) -> Vec3 {
    let sharp = bend.length();
    if sharp < 1e-6 || beside.dot(bend) <= 0.0 {
        return beside;
    }
    let inwards = beside.dot(bend) / sharp;
    let share = sharp * inwards / INSIDE;
    // As it was where it is far from that, without a corner in between.
    let kept = 1.0 / (1.0 + share.powi(4)).sqrt().sqrt();
    beside - bend * ((1.0 - kept) * inwards / sharp)
}

/// A line that leaves the tie along `axis` and falls, about as far from the head as it is
/// wide, in points about [`STEP`] apart. `[m]`
fn fall(
    body: &CollisionMesh,
    from: Vec3,
    axis: Vec3,
    length: f32,
    width: impl Fn(f32) -> f32,
) -> Vec<Vec3> {
    let (mut at, mut way) = (from, axis);
    let mut points = vec![from];
    let blend = 1.0 - exp(-STEP / BEND_LENGTH);
    for step in 1..=(length / STEP).ceil() as usize {
        way = (way + (Vec3::NEG_Y - way) * blend).normalize_or(Vec3::NEG_Y);
        let mut next = at + way * STEP;
        let (distance, normal) = body.grid.sample_with_normal(next);
        let wanted = width(step as f32 * STEP) + 0.002;
        if distance < wanted {
            let normal = normal.with_x(0.0).normalize_or(Vec3::NEG_Z);
            next += normal * (wanted - distance).min(0.5 * STEP);
            way = (next - at).normalize_or(way);
            next = at + way * STEP;
        }
        at = next;
        points.push(at);
    }
    // Where it meets the head it has a corner.
    smooth_laplacian(&mut points, 1..(length / STEP).ceil() as usize, SMOOTHED);
    points
}

/// Rounds off corners by Laplacian smoothing: moves each point of this range, which has one on
/// both sides, halfway to the middle of those two, in so many rounds.
pub(super) fn smooth_laplacian(points: &mut [Vec3], range: Range<usize>, rounds: usize) {
    for _ in 0..rounds {
        let Some(mut before) = range.start.checked_sub(1).map(|i| points[i]) else {
            return;
        };
        for i in range.clone() {
            let now = points[i];
            points[i] = 0.5 * now + 0.25 * (before + points[i + 1]);
            before = now;
        }
    }
}

/// One of the three locks that are plaited around `middle` as far as `end`: it goes to
/// and fro across once while it goes twice over and under, in no less than `finest`. `[m]`
fn plait(
    middle: &[Vec3],
    lock: usize,
    radius: f32,
    swell: impl Fn(f32) -> f32,
    [end, finest]: [f32; 2],
) -> CentreLine {
    let length = (middle.len() - 1) as f32 * STEP / LINE_ROOM;
    let shift = TAU * lock as f32 / LOCKS as f32;
    let axis = (middle[1] - middle[0]).normalize_or(Vec3::NEG_Y);
    let (mut points, mut widths, mut phase) = (Vec::new(), Vec::new(), shift);
    let last = middle.len() - 1;
    for (i, at) in middle.iter().enumerate() {
        let s = i as f32 * STEP;
        let wide = swell(s);
        // As tight below as above.
        phase += TAU * STEP / (7.6 * wide).max(finest);
        let bound = smoothstep(0.0, 0.035, s) * (1.0 - smoothstep(end - 0.03, end, s));
        let tangent = (middle[(i + 1).min(last)] - middle[i.saturating_sub(1)]).normalize_or(axis);
        let out = Vec3::X.cross(tangent);
        points.push(*at + (Vec3::X * sin(phase) + out * (0.5 * sin(2.0 * phase))) * (wide * bound));
        let brush = smoothstep(end, length, s);
        // What is left of the hair goes through the second tie.
        let left = swell(end) / swell(0.0);
        let tied = (0.6 + 0.8 * brush - 0.7 * brush * brush) * radius * left;
        widths.push(if s < 0.5 * end {
            radius + (0.72 * wide - radius) * bound
        } else {
            tied + (0.72 * wide - tied) * bound
        });
    }
    // Locks part at their tie no more sharply than hair bends.
    smooth_laplacian(
        &mut points,
        1..((BEGUN / STEP) as usize).min(last),
        SMOOTHED,
    );
    let neck = length_of(&points[..=((end / STEP) as usize).min(points.len() - 1)]);
    let (points, widths) = even(&points, &widths);
    CentreLine {
        neck: Some(neck),
        ..CentreLine::new(points, widths, axis, Vec3::X, 0.0)
    }
}

/// A tail wound up on the head around the tie, smaller and higher from turn to turn, as a
/// rope that is twisted; no more turns than `most`.
fn bun(middle: Vec3, normal: Vec3, radius: f32, tails: &Tails, most: f32) -> CentreLine {
    let wanted = tails.reached_by(WOUND).max(0.05);
    let usual = length_of(&coil(middle, normal, radius, [1.0, TURNS], 0.0));
    // As wide as it is high: both grow with the hair.
    let size = (wanted / usual).sqrt().clamp(BUN_SIZES[0], BUN_SIZES[1]);
    let turns = (TURNS * wanted / usual / size).min(most);
    let size = TURNS * wanted / usual / turns;
    let long = LINE_ROOM * tails.longest();
    let points = coil(middle, normal, radius, [size, turns], long);
    let last = BUN_POINTS as f32;
    let rope = 0.95 * radius * size.sqrt();
    let mut along = 0.0;
    let widths: Vec<f32> = (0..points.len())
        .map(|i| {
            along += points[i].distance(points[i.saturating_sub(1)]);
            let thick = tails.thickness(along).max(0.5);
            radius + (rope * thick - radius) * smoothstep(0.0, 0.1, i as f32 / last)
        })
        .collect();
    // Once round, from where it has come out of the tie.
    let first = 0.12 * last;
    let turn = [first, (first + last / turns).min(last)];
    let turn = turn.map(|i| length_of(&points[..=i as usize]));
    let (points, widths) = even(&points, &widths);
    // Hair is now inside, now outside of a turn, and so as long as the rope.
    let twist = 1.0 / (TURN * size * radius);
    CentreLine {
        turn: Some(turn),
        ..CentreLine::new(points, widths, normal, Vec3::X, twist)
    }
}

/// The middle of a bun of that size, a share of the usual one, with so many turns; it goes
/// on within until it is so `long`. `[m]`
fn coil(middle: Vec3, normal: Vec3, radius: f32, [size, turns]: [f32; 2], long: f32) -> Vec<Vec3> {
    let up = normal.cross(Vec3::X).normalize_or(Vec3::Y);
    let rope = 0.95 * radius * size.sqrt();
    let point = |i: usize| {
        let t = i as f32 / BUN_POINTS as f32;
        let angle = TAU * turns * t;
        // Out from the tie, and back to the middle at the top.
        let out = smoothstep(0.0, 0.14, t) * (1.0 - 0.85 * smoothstep(0.35, 1.0, t));
        let high = smoothstep(0.2, 0.95, t) - 0.5 * smoothstep(1.0, 1.6, t);
        let round = Vec3::X * cos(angle) + up * sin(angle);
        let high = -0.1 + 2.1 * size.sqrt() * high;
        middle + round * (TURN * size * radius * out) + normal * (rope * high)
    };
    let mut points: Vec<Vec3> = (0..=BUN_POINTS).map(point).collect();
    let mut length = length_of(&points);
    while length < long && points.len() < 20 * BUN_POINTS {
        let (from, to) = (points[points.len() - 1], point(points.len()));
        length += from.distance(to);
        points.push(to);
    }
    points
}

/// How long a line is. `[m]`
pub(super) fn length_of(points: &[Vec3]) -> f32 {
    points.windows(2).map(|w| w[0].distance(w[1])).sum()
}

/// The same line with points at equal distances.
fn even(points: &[Vec3], widths: &[f32]) -> (Vec<Vec3>, Vec<f32>) {
    let length = length_of(points);
    let count = (length / STEP).ceil().max(2.0) as usize + 1;
    let places = places(points, count);
    let at = |(i, t): &(usize, f32)| points[*i].lerp(points[i + 1], *t);
    let wide = |(i, t): &(usize, f32)| widths[*i] + (widths[i + 1] - widths[*i]) * t;
    (
        places.iter().map(at).collect(),
        places.iter().map(wide).collect(),
    )
}

/// `count` points at equal distances along a line. `[m]`
pub(super) fn resample(points: &[Vec3], count: usize) -> Vec<Vec3> {
    let at = |(i, t): &(usize, f32)| points[*i].lerp(points[i + 1], *t);
    places(points, count).iter().map(at).collect()
}

/// Where they lie: the point before, and how much of the way to the next.
fn places(points: &[Vec3], count: usize) -> Vec<(usize, f32)> {
    let length = length_of(points);
    let (mut before, mut edge) = (0.0, 0);
    let last = points.len() - 2;
    (0..count)
        .map(|i| {
            let wanted = length * i as f32 / (count - 1).max(1) as f32;
            let mut long = points[edge].distance(points[edge + 1]);
            while before + long < wanted && edge < last {
                before += long;
                edge += 1;
                long = points[edge].distance(points[edge + 1]);
            }
            (edge, ((wanted - before) / long.max(1e-9)).clamp(0.0, 1.0))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around a circle of 2 cm, hair 3 cm to the inside of it would go backwards.
    #[test]
    fn hair_on_the_inside_of_a_bend_does_not_fold() {
        let round = |i: usize| {
            let angle = i as f32 * STEP / 0.02;
            Vec3::new(0.02 * cos(angle), 0.02 * sin(angle), 0.0)
        };
        let points: Vec<Vec3> = (0..50).map(round).collect();
        let widths = vec![0.03; points.len()];
        let line = CentreLine::new(points, widths, Vec3::Y, Vec3::X, 0.0);
        for disc in [[-1.0, 0.0], [-0.7, 0.7], [0.0, 1.0], [1.0, 0.0]] {
            for i in 5..44 {
                let s = i as f32 * STEP;
                let [right, up] = line.across(s);
                let tangent = up.cross(right);
                let step = line.point(s + STEP, disc) - line.point(s, disc);
                let along = step.dot(tangent) / STEP;
                assert!(along > 0.2, "{disc:?}, {s}: {along}");
            }
        }
        // Where there is room, hair stays where it is, and on the outside always.
        let bend = Vec3::X / 0.02;
        assert!((unfolded(Vec3::X * 0.003, bend) - Vec3::X * 0.003).length() < 1e-4);
        assert_eq!(unfolded(Vec3::X * -0.03, bend), Vec3::X * -0.03);
        assert_eq!(unfolded(Vec3::X * 0.03, Vec3::ZERO), Vec3::X * 0.03);
    }
}
