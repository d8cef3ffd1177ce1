//! Drawn strands as points: what the picture grows on the graphics card, here
//! for files. The formulas are those of `shaders/grow.vert`.

use super::{Follower, FollowerParams, Followers, Groom};
use crate::math::Pose;
use glam::Vec3;
use rayon::prelude::*;

/// The curves of all `followers` of `groom` when its vertices are at
/// `positions` and the head at `pose`; each has as many points as the strand
/// it gathers around. `[m]`
pub fn followers(
    groom: &Groom,
    followers: &Followers,
    params: &FollowerParams,
    positions: &[Vec3],
    pose: &Pose,
) -> Vec<Vec<Vec3>> {
    followers_while(groom, followers, params, positions, pose, &|| true)
}

/// The same as long as one is to `go_on`; what is left then has no points.
pub fn followers_while(
    groom: &Groom,
    followers: &Followers,
    params: &FollowerParams,
    positions: &[Vec3],
    pose: &Pose,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Vec<Vec<Vec3>> {
    let guides = groom.strands();
    let one = |(index, follower): (usize, &Follower)| {
        if !go_on() {
            return Vec::new();
        }
        let id = (guides + index) as u32;
        let count = groom.range(follower.guides[0] as usize).len();
        let last = (count - 1).max(1) as f32;
        let points = (0..count).map(|i| {
            let way = Way {
                groom,
                positions,
                pose,
                params,
                follower,
                id,
            };
            way.point(i as f32 / last)
        });
        points.collect()
    };
    followers.list.par_iter().enumerate().map(one).collect()
}

struct Way<'a> {
    groom: &'a Groom,
    positions: &'a [Vec3],
    pose: &'a Pose,
    params: &'a FollowerParams,
    follower: &'a Follower,
    id: u32,
}

impl Way<'_> {
    /// The place at `t`, 0 at the root and 1 at the tip.
    fn point(&self, t: f32) -> Vec3 {
        let (p, follower, id) = (self.params, self.follower, self.id);
        let own = |slot: u32| draw_priority(id, slot);
        let fly = own(7) < p.fly_aways;
        let u = t * (1.0 - p.length_spread * own(9));
        let mut between = self.pose.vector(follower.offset);
        for (weight, guide) in follower.weights.iter().zip(follower.guides) {
            if *weight > 0.0 {
                between += *weight * self.curve(guide, u);
            }
        }
        let leader = follower.guides[0];
        let wisp = leader.wrapping_mul(16).wrapping_add((own(5) * 6.0) as u32);
        let three = |id: u32, first: u32| {
            Vec3::new(
                draw_priority(id, first),
                draw_priority(id, first + 1),
                draw_priority(id, first + 2),
            )
        };
        let off = three(id, 1) * 2.0 - 1.0;
        let shared = three(wisp, 1) * 2.0 - 1.0;
        let narrow = 1.0 + (0.45 - 1.0) * smoothstep(0.5, 1.0, u);
        let aside = shared.lerp(off, 0.45) * p.radius * narrow;
        let along = p.shift * (own(4) * 2.0 - 1.0) / follower.length.max(1e-3);
        let gathered =
            self.curve(leader, u + along * smoothstep(0.0, 0.3, u)) + self.pose.vector(aside);
        let loose = if fly { 0.35 } else { 1.0 };
        let clump = p.clump * smoothstep(0.03, 0.45, u) * (0.8 + 0.4 * own(6)) * loose;
        let mut point = between.lerp(gathered, clump.clamp(0.0, 1.0));
        let arc = u * follower.length;
        let phase = std::f32::consts::TAU * three(id, 11);
        let pace = Vec3::new(238.0, 381.0, 609.0) * (0.7 + 0.6 * own(14)) * arc;
        let sin = |v: Vec3| v.to_array().map(f32::sin).into();
        let slow: Vec3 = sin(Vec3::new(pace.x, 0.83 * pace.x, 1.13 * pace.x) + phase);
        let turned = Vec3::new(phase.z, phase.x, phase.y);
        let fast: Vec3 = sin(Vec3::new(pace.y, pace.z, 1.3 * pace.y) + turned);
        let strength = p.frizz * smoothstep(0.0, 0.25, u) * (0.35 + 0.65 * own(15));
        let wild = if fly { 1.0 + 3.4 * u } else { 1.0 };
        point += self
            .pose
            .vector(strength * wild * (0.75 * slow + 0.25 * fast));
        point
    }

    /// The place at `u` of a guide, on a centripetal Catmull-Rom curve.
    fn curve(&self, guide: u32, u: f32) -> Vec3 {
        let range = self.groom.range(guide as usize);
        let vertices = &self.positions[range];
        let last = vertices.len().saturating_sub(1);
        if last < 1 {
            return vertices.first().copied().unwrap_or_default();
        }
        let x = u.clamp(0.0, 1.0) * last as f32;
        let k = (x as usize).min(last - 1);
        let f = x - k as f32;
        let (b, c) = (vertices[k], vertices[k + 1]);
        let a = if k > 0 { vertices[k - 1] } else { 2.0 * b - c };
        let d = vertices.get(k + 2).copied().unwrap_or(2.0 * c - b);
        let ab = a.distance(b).sqrt() + 1e-6;
        let bc = b.distance(c).sqrt() + 1e-6;
        let cd = c.distance(d).sqrt() + 1e-6;
        let from = bc * ((b - a) / ab - (c - a) / (ab + bc)) + (c - b);
        let to = bc * ((d - c) / cd - (d - b) / (bc + cd)) + (c - b);
        let (f2, f3) = (f * f, f * f * f);
        (2.0 * f3 - 3.0 * f2 + 1.0) * b
            + (f3 - 2.0 * f2 + f) * from
            + (3.0 * f2 - 2.0 * f3) * c
            + (f3 - f2) * to
    }
}

fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A number in 0..1 that strand `id` keeps, one for each `slot`, as
/// `shaders/strand.glsl` has it (Wellons 2018, "lowbias32").
fn draw_priority(id: u32, slot: u32) -> f32 {
    let mixed = id.wrapping_mul(747_796_405).wrapping_add(hashed(slot));
    (hashed(mixed) >> 8) as f32 / 16_777_216.0
}

fn hashed(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}
