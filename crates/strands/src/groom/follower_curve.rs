//! The curves of guides and followers, many of their points at once.

use super::{Follower, FollowerParams, drawn::DrawnHair};
use crate::math::{
    lanes::{Lane, LaneFrame, V3},
    random::strand_random,
    sine::sine,
};
use glam::Vec3;
use std::f64::consts::FRAC_PI_2;

/// A curve whose points are worked out side by side. What it calls is to be inlined, for
/// the sake of the widest instructions.
pub(super) trait StrandCurve {
    /// The places at `t`, 0 at the root and 1 at the tip. `[m]`
    fn places<T: Lane>(&self, t: T) -> V3<T>;
}

/// A guide of these vertices. `[m]`
pub(super) struct GuideCurve<'a>(pub &'a [Vec3]);

impl StrandCurve for GuideCurve<'_> {
    #[inline(always)]
    fn places<T: Lane>(&self, t: T) -> V3<T> {
        curve(self.0, t)
    }
}

/// Sub-locks around each guide.
const SUB_LOCKS: f32 = 4.0;
/// They wind around one another by so much at the most. `[rad/m]`
const TURN: f32 = 60.0;
/// How fast the waves of frizz run; their lengths have no common measure. `[rad/m]`
const PACES: Vec3 = Vec3::new(238.0, 381.0, 609.0);

/// What does not change along a follower.
pub(super) struct FollowerCurve<'a> {
    hair: &'a DrawnHair<'a>,
    follower: &'a Follower,
    id: u32,
    fly: bool,
    /// How far it reaches along its guides, 0..=1.
    reach: f32,
    /// From the guides' place to its own, in the world. `[m]`
    offset: Vec3,
    /// Where its sub-lock is beside its guide and how fast that winds, in the head's
    /// space, and its own place in it, in shares of the radius. `[rad/m]`
    wind: f32,
    first: Vec3,
    second: Vec3,
    wide: f32,
    own: Vec3,
    /// How far it is shifted along its guide, a share of that.
    along: f32,
    clump: f32,
    /// Waves of frizz. `[rad]`, `[rad/m]`, `[m]`
    phase: Vec3,
    pace: Vec3,
    frizz: f32,
}

impl<'a> FollowerCurve<'a> {
    /// That of a `follower` that is drawn as number `id`.
    pub fn new(hair: &'a DrawnHair<'a>, follower: &'a Follower, id: u32) -> Self {
        let p: &FollowerParams = hair.params;
        let random = |slot: u32| strand_random(id, slot);
        let fly = random(7) < p.fly_aways;
        // The sub-lock that it belongs to, one of a few around its guide.
        let sub = follower.guides[0]
            .wrapping_mul(16)
            .wrapping_add((random(5) * SUB_LOCKS) as u32);
        let shared = |slot: u32| strand_random(sub, slot);
        let three = |id: u32, first: u32| {
            Vec3::from([first, first + 1, first + 2].map(|slot| strand_random(id, slot)))
        };
        let shorter = 0.6 * shared(9) + 0.4 * random(9);
        let broken = if fly { 0.35 + 0.65 * random(16) } else { 1.0 };
        let out_of_step = 0.75 * shared(10) + 0.25 * random(4);
        let loose = if fly { 0.35 } else { 1.0 };
        Self {
            hair,
            follower,
            id,
            fly,
            reach: (1.0 - p.length_spread * shorter) * broken * follower.grown(id),
            offset: hair.pose.vector(follower.offset),
            wind: (shared(7) * 2.0 - 1.0) * TURN,
            first: three(sub, 1) * 2.0 - 1.0,
            second: three(sub, 4) * 2.0 - 1.0,
            wide: 0.7 + 0.6 * shared(8),
            own: three(id, 1) * 2.0 - 1.0,
            along: p.shift * (out_of_step * 2.0 - 1.0) / follower.length.max(1e-3),
            clump: p.clump * (0.8 + 0.4 * random(6)) * loose,
            phase: std::f32::consts::TAU * three(id, 11),
            pace: PACES * (0.7 + 0.6 * random(14)),
            frizz: p.frizz * (0.35 + 0.65 * random(15)),
        }
    }

    /// Where a fly-away is that would be at `place`; few are. `[m]`
    fn stand_off<T: Lane>(&self, place: V3<T>, u: T) -> V3<T> {
        let (hair, id) = (self.hair, self.id);
        let mut out = place;
        for lane in 0..T::LANES {
            let (p, along) = (place.at(lane), [self.follower.length, u.single(lane)]);
            let off = hair.flying.off(hair.params, hair.pose, p, id, along);
            out.put(lane, p + off);
        }
        out
    }
}

impl StrandCurve for FollowerCurve<'_> {
    #[inline(always)]
    fn places<T: Lane>(&self, t: T) -> V3<T> {
        let (follower, frame) = (self.follower, LaneFrame::new(self.hair.pose));
        let u = t * splat(self.reach);
        let arc = u * splat(follower.length);
        let mut between: V3<T> = self.offset.into();
        for (weight, guide) in follower.weights.iter().zip(follower.guides) {
            if *weight > 0.0 {
                let curve = curve(self.hair.guide(guide), u);
                between = between + curve.scale(splat(*weight));
            }
        }
        // Sub-locks wind around one another, and each comes to a point.
        let wind = arc * splat(self.wind);
        let tip = smooth(0.3, 1.0, u);
        let wide = splat::<T>(self.wide) * (T::splat(1.0) - tip * splat(0.4));
        let (cos, sin) = (sine(wind + T::splat(FRAC_PI_2)), sine(wind));
        let lock = V3::from(self.first).scale(cos) + V3::from(self.second).scale(sin);
        let own = V3::from(self.own).scale(splat::<T>(0.5) - tip * splat(0.42));
        let aside = (lock.scale(wide) + own).scale(splat(self.hair.params.radius));
        let shifted = u + splat::<T>(self.along) * smooth(0.0, 0.3, u);
        let leader = self.hair.guide(follower.guides[0]);
        let gathered = curve(leader, shifted) + frame.vector(aside);
        let clump = splat::<T>(self.clump) * smooth(0.03, 0.45, u);
        let clump = clump.max(T::zero()).min(splat(1.0));
        let place = between + (gathered - between).scale(clump);
        let (x, y) = (arc * splat(self.pace.x), arc * splat(self.pace.y));
        let z = arc * splat(self.pace.z);
        let (a, b, c) = (
            splat::<T>(self.phase.x),
            splat::<T>(self.phase.y),
            splat::<T>(self.phase.z),
        );
        let slow = V3 {
            x: sine(x + a),
            y: sine(x * splat(0.83) + b),
            z: sine(x * splat(1.13) + c),
        };
        let fast = V3 {
            x: sine(y + c),
            y: sine(z + a),
            z: sine(y * splat(1.3) + b),
        };
        let strength = splat::<T>(self.frizz) * smooth(0.0, 0.25, u);
        let waves = slow.scale(splat(0.75)) + fast.scale(splat(0.25));
        let place = place + frame.vector(waves.scale(strength));
        match self.fly {
            true => self.stand_off(place, u),
            false => place,
        }
    }
}

#[inline(always)]
fn splat<T: Lane>(value: f32) -> T {
    T::splat(value.into())
}

/// [`smoothstep`](crate::math::smoothstep) of each lane.
#[inline(always)]
fn smooth<T: Lane>(from: f32, to: f32, x: T) -> T {
    let t = (x - splat(from)) * splat(1.0 / (to - from));
    let t = t.max(T::zero()).min(splat(1.0));
    t * t * (splat::<T>(3.0) - t - t)
}

/// The widest register has so many lanes.
const MOST_LANES: usize = 16;

/// Places from memory, a lane each.
#[inline(always)]
fn gathered<T: Lane>(places: &[[f32; MOST_LANES]; 3]) -> V3<T> {
    let row = |axis: usize| T::from_floats(&places[axis][..T::LANES]).unwrap_or(T::zero());
    V3 {
        x: row(0),
        y: row(1),
        z: row(2),
    }
}

/// The places at `u`, 0 at the root and 1 at the tip, of a strand of these vertices: on
/// the smooth curve of [`between`](super::drawn::between).
#[inline(always)]
fn curve<T: Lane>(vertices: &[Vec3], u: T) -> V3<T> {
    let last = vertices.len().saturating_sub(1);
    if last < 1 {
        return vertices.first().copied().unwrap_or_default().into();
    }
    let x = u.max(T::zero()).min(splat(1.0)) * splat(last as f32);
    let mut below = [0.0; MOST_LANES];
    let mut near = [[[0.0; MOST_LANES]; 3]; 4];
    for lane in 0..T::LANES {
        let k = (x.single(lane) as usize).min(last - 1);
        below[lane] = k as f32;
        let (b, c) = (vertices[k], vertices[k + 1]);
        let a = if k > 0 { vertices[k - 1] } else { 2.0 * b - c };
        let d = match vertices.get(k + 2) {
            Some(d) => *d,
            None => 2.0 * c - b,
        };
        for (near, p) in near.iter_mut().zip([a, b, c, d]) {
            (near[0][lane], near[1][lane], near[2][lane]) = (p.x, p.y, p.z);
        }
    }
    let share = x - T::from_floats(&below[..T::LANES]).unwrap_or(x);
    let (a, b) = (gathered::<T>(&near[0]), gathered::<T>(&near[1]));
    let (c, d) = (gathered::<T>(&near[2]), gathered::<T>(&near[3]));
    let (ab, bc, cd) = (root(b - a), root(c - b), root(d - c));
    let edge = c - b;
    let from = (b - a).scale(bc / ab) - (c - a).scale(bc / (ab + bc)) + edge;
    let to = (d - c).scale(bc / cd) - (d - b).scale(bc / (bc + cd)) + edge;
    on_edge([b, c], [from, to], share)
}

/// The root of a length, as centripetal curves take it.
#[inline(always)]
fn root<T: Lane>(v: V3<T>) -> T {
    v.dot(v).sqrt().sqrt() + splat(1e-6)
}

/// See [`on_edge`](super::drawn::on_edge).
#[inline(always)]
fn on_edge<T: Lane>([b, c]: [V3<T>; 2], [from, to]: [V3<T>; 2], f: T) -> V3<T> {
    let (half, two, three) = (T::splat(0.5), T::splat(2.0), T::splat(3.0));
    let least = splat(1e-20);
    let (square_from, square_to) = (from.dot(from), to.dot(to));
    let slow = (square_from * square_to).sqrt();
    let turn = from.dot(to) / slow.max(splat(1e-15));
    let turn = splat::<T>(1e-15).less(slow, turn, splat(1.0));
    let edge = c - b;
    let part = (half + half * turn).max(T::zero()).sqrt();
    let speed = two * edge.dot(edge).sqrt() / (part + splat(1.0));
    let from = from.scale(speed / square_from.max(least).sqrt());
    let to = to.scale(speed / square_to.max(least).sqrt());
    // Hermite's cubic.
    let (f2, f3) = (f * f, f * f * f);
    let reached = three * f2 - two * f3;
    b + edge.scale(reached) + from.scale(f3 - f2 - f2 + f) + to.scale(f3 - f2)
}
