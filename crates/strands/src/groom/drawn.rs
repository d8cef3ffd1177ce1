//! Drawn strands as points: what the picture grows on the graphics card, here
//! for files. The formulas are those of `shaders/grow.vert`.

use super::{FlyAways, Follower, FollowerParams, Followers, Groom};
use crate::math::{Pose, random::strand_random, smoothstep};
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
    let flying = FlyAways::of(groom);
    let one = |(index, follower): (usize, &Follower)| {
        if !go_on() {
            return Vec::new();
        }
        let id = (followers.guides + index) as u32;
        let count = groom.range(follower.guides[0] as usize).len();
        let last = (count - 1).max(1) as f32;
        let points = (0..count).map(|i| {
            let way = Way {
                groom,
                positions,
                pose,
                params,
                follower,
                flying,
                id,
            };
            way.point(i as f32 / last)
        });
        points.collect()
    };
    followers.list.par_iter().enumerate().map(one).collect()
}

/// Sub-locks around each guide.
const SUB_LOCKS: f32 = 4.0;
/// They wind around one another by so much at the most. `[rad/m]`
const TURN: f32 = 60.0;

struct Way<'a> {
    groom: &'a Groom,
    positions: &'a [Vec3],
    pose: &'a Pose,
    params: &'a FollowerParams,
    follower: &'a Follower,
    flying: FlyAways,
    id: u32,
}

impl Way<'_> {
    /// The place at `t`, 0 at the root and 1 at the tip.
    fn point(&self, t: f32) -> Vec3 {
        let (p, follower, id) = (self.params, self.follower, self.id);
        let random = |slot: u32| strand_random(id, slot);
        let fly = random(7) < p.fly_aways;
        let leader = follower.guides[0];
        // The sub-lock that it belongs to, one of a few around its guide.
        let sub = leader
            .wrapping_mul(16)
            .wrapping_add((random(5) * SUB_LOCKS) as u32);
        let shared = |slot: u32| strand_random(sub, slot);
        let shorter = 0.6 * shared(9) + 0.4 * random(9);
        let broken = if fly { 0.35 + 0.65 * random(16) } else { 1.0 };
        let u = t * (1.0 - p.length_spread * shorter) * broken * follower.grown(id);
        let mut between = self.pose.vector(follower.offset);
        for (weight, guide) in follower.weights.iter().zip(follower.guides) {
            if *weight > 0.0 {
                between += *weight * self.curve(guide, u);
            }
        }
        let three = |id: u32, first: u32| {
            Vec3::new(
                strand_random(id, first),
                strand_random(id, first + 1),
                strand_random(id, first + 2),
            )
        };
        let arc = u * follower.length;
        // Sub-locks wind around one another, and each comes to a point.
        let wind = (shared(7) * 2.0 - 1.0) * TURN * arc;
        let [first, second] = [1, 4].map(|slot| three(sub, slot) * 2.0 - 1.0);
        let tip = smoothstep(0.3, 1.0, u);
        let wide = (0.7 + 0.6 * shared(8)) * (1.0 - 0.4 * tip);
        let off = three(id, 1) * 2.0 - 1.0;
        let aside = (first * wind.cos() + second * wind.sin()) * wide + off * (0.5 - 0.42 * tip);
        let aside = aside * p.radius;
        let out_of_step = 0.75 * shared(10) + 0.25 * random(4);
        let along = p.shift * (out_of_step * 2.0 - 1.0) / follower.length.max(1e-3);
        let gathered =
            self.curve(leader, u + along * smoothstep(0.0, 0.3, u)) + self.pose.vector(aside);
        let loose = if fly { 0.35 } else { 1.0 };
        let clump = p.clump * smoothstep(0.03, 0.45, u) * (0.8 + 0.4 * random(6)) * loose;
        let mut point = between.lerp(gathered, clump.clamp(0.0, 1.0));
        let phase = std::f32::consts::TAU * three(id, 11);
        let pace = Vec3::new(238.0, 381.0, 609.0) * (0.7 + 0.6 * random(14)) * arc;
        let sin = |v: Vec3| v.to_array().map(f32::sin).into();
        let slow: Vec3 = sin(Vec3::new(pace.x, 0.83 * pace.x, 1.13 * pace.x) + phase);
        let turned = Vec3::new(phase.z, phase.x, phase.y);
        let fast: Vec3 = sin(Vec3::new(pace.y, pace.z, 1.3 * pace.y) + turned);
        let strength = p.frizz * smoothstep(0.0, 0.25, u) * (0.35 + 0.65 * random(15));
        point += self.pose.vector(strength * (0.75 * slow + 0.25 * fast));
        if fly {
            let along = [follower.length, u];
            point += self.flying.off(p, self.pose, point, id, along);
        }
        point
    }

    /// The place at `u` of a guide, on a smooth curve through its vertices.
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
        between(vertices, k + 1, f)
    }
}

/// The place between the vertices `i - 1`, at `f` = 0, and `i`, at 1, of a strand
/// as it is drawn. It leaves and reaches them where a Catmull-Rom curve does,
/// centripetal (Yuksel et al. 2011), so that uneven vertices make no loops.
pub fn between(vertices: &[Vec3], i: usize, f: f32) -> Vec3 {
    let (b, c) = (vertices[i - 1], vertices[i]);
    let a = if i > 1 { vertices[i - 2] } else { 2.0 * b - c };
    let d = vertices.get(i + 1).copied().unwrap_or(2.0 * c - b);
    let ab = a.distance(b).sqrt() + 1e-6;
    let bc = b.distance(c).sqrt() + 1e-6;
    let cd = c.distance(d).sqrt() + 1e-6;
    let from = bc * ((b - a) / ab - (c - a) / (ab + bc)) + (c - b);
    let to = bc * ((d - c) / cd - (d - b) / (bc + cd)) + (c - b);
    on_edge([b, c], [from, to], f)
}

/// The place at `f`, 0 to 1, of the edge with these ends: a cubic along `tangents`
/// there, as fast as one that is an arc of a circle, `chord / cos²(turn / 4)`
/// (Goldapp 1991). A curl stays round however few edges it has; at Catmull and
/// Rom's own speed, `chord * cos(turn / 2)`, edges that turn far are flat in
/// their middle.
fn on_edge([b, c]: [Vec3; 2], tangents: [Vec3; 2], f: f32) -> Vec3 {
    let [from, to] = tangents.map(Vec3::normalize_or_zero);
    let turn = match from == Vec3::ZERO || to == Vec3::ZERO {
        true => 1.0,
        false => from.dot(to),
    };
    // cos²(x / 2) = (1 + cos x) / 2, twice.
    let speed = 2.0 * b.distance(c) / (1.0 + (0.5 + 0.5 * turn).max(0.0).sqrt());
    let (f2, f3) = (f * f, f * f * f);
    (2.0 * f3 - 3.0 * f2 + 1.0) * b
        + (f3 - 2.0 * f2 + f) * speed * from
        + (3.0 * f2 - 2.0 * f3) * c
        + (f3 - f2) * speed * to
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far the curve leaves a circle of 1 m on which it has `edges` vertices
    /// a turn. `[m]`
    fn out_of_round(edges: usize) -> f32 {
        let angle = |i: usize| std::f32::consts::TAU * i as f32 / edges as f32;
        let vertices: Vec<Vec3> = (0..=edges + 2)
            .map(|i| Vec3::new(angle(i).cos(), angle(i).sin(), 0.0))
            .collect();
        (0..=20 * edges)
            .map(|i| between(&vertices, 2 + i / 20 % edges, (i % 20) as f32 / 20.0))
            .fold(0.0, |most, p| (p.length() - 1.0).abs().max(most))
    }

    #[test]
    fn a_curl_of_four_edges_a_turn_is_round() {
        // Catmull and Rom's curve is 0.116 off at four, 0.009 at eight.
        for (edges, most) in [(4, 3e-4), (5, 1e-4), (8, 1e-5)] {
            let off = out_of_round(edges);
            assert!(off < most, "{edges} edges a turn: {off}");
        }
    }

    #[test]
    fn edges_that_fold_back_or_have_no_length_stay_where_they_are() {
        let (o, x) = (Vec3::ZERO, Vec3::X);
        for vertices in [[o, x, o, x], [o, o, o, o], [o, x, x, o], [o, o, x, x]] {
            for f in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let p = between(&vertices, 2, f);
                assert!(p.is_finite() && p.length() < 2.0, "{vertices:?} {f}: {p}");
            }
            assert!(between(&vertices, 2, 0.0).distance(vertices[1]) < 1e-6);
            assert!(between(&vertices, 2, 1.0).distance(vertices[2]) < 1e-6);
        }
    }
}
