//! Drawn strands as points: what the picture grows on a graphics card, here for files
//! and for pictures that the processor draws. The formulas are those of
//! `shaders/grow.vert`.

use super::{
    FlyAways, Follower, FollowerParams, Followers, Groom, VellusHair,
    follower_curve::{FollowerCurve, GuideCurve, StrandCurve},
};
use crate::math::{
    Pose,
    instructions::Instructions,
    lanes::Lane,
    work::{LaneWork, lane_work},
};
use glam::Vec3;
use rayon::prelude::*;

/// A head of hair at one moment, and how strands between its guides are drawn.
pub struct DrawnHair<'a> {
    /// Where each guide begins among the positions, and the end.
    pub starts: &'a [u32],
    /// The guides' vertices, in the world. `[m]`
    pub positions: &'a [Vec3],
    /// Where the head is.
    pub pose: &'a Pose,
    /// How followers go along with guides.
    pub params: &'a FollowerParams,
    /// How some of them stand off.
    pub flying: FlyAways,
}

/// A strand that is drawn; followers and vellus hair with their numbers, of which their
/// random traits are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawnStrand {
    /// The guide of that number itself.
    Guide(u32),
    /// One that follows guides.
    Follower(Follower, u32),
    /// A fine hair of the hairline.
    Vellus(VellusHair, u32),
}

impl DrawnHair<'_> {
    /// Writes the points of a `strand`, as many as `out` has room for: their places `[m]`,
    /// and 0 at the root to 1 at the tip, in even steps of that. All are zero where a guide
    /// has no positions.
    pub fn points(&self, strand: &DrawnStrand, out: &mut [[f32; 4]]) {
        let last = (out.len().saturating_sub(1)).max(1) as f32;
        match strand {
            DrawnStrand::Guide(guide) => draw(GuideCurve(self.guide(*guide)), last, out),
            DrawnStrand::Follower(follower, id) => {
                draw(FollowerCurve::new(self, follower, *id), last, out);
            }
            DrawnStrand::Vellus(hair, id) => {
                let root = self.guide(hair.guide).first().copied().unwrap_or_default();
                for (i, point) in out.iter_mut().enumerate() {
                    let t = i as f32 / last;
                    let [x, y, z] = hair.point(root, self.pose, *id, t).to_array();
                    *point = [x, y, z, t];
                }
            }
        }
    }

    /// The vertices of a guide. `[m]`
    pub(super) fn guide(&self, guide: u32) -> &[Vec3] {
        let ends = self.starts.get(guide as usize..).unwrap_or_default();
        let [start, end, ..] = ends else {
            return &[];
        };
        let range = *start as usize..*end as usize;
        self.positions.get(range).unwrap_or_default()
    }
}

/// Writes the points of a curve, of which the last has that number.
fn draw(curve: impl StrandCurve, last: f32, out: &mut [[f32; 4]]) {
    lane_work(Instructions::widest(), Points { curve, last, out });
}

/// Points of one curve, a row at a time.
struct Points<'a, C> {
    curve: C,
    /// Number of the last point.
    last: f32,
    out: &'a mut [[f32; 4]],
}

impl<C: StrandCurve> LaneWork for Points<'_, C> {
    #[inline(always)]
    fn run<T: Lane>(self) {
        for (number, points) in self.out.chunks_mut(T::LANES).enumerate() {
            let mut t = T::zero();
            for lane in 0..T::LANES {
                let i = (number * T::LANES + lane) as f32;
                t.set(lane, (i / self.last).min(1.0).into());
            }
            let places = self.curve.places(t);
            for (lane, point) in points.iter_mut().enumerate() {
                let [x, y, z] = places.at(lane).to_array();
                *point = [x, y, z, t.single(lane)];
            }
        }
    }
}

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
    let hair = DrawnHair {
        starts: &groom.starts,
        positions,
        pose,
        params,
        flying: FlyAways::of(groom),
    };
    let one = |room: &mut Vec<[f32; 4]>, (index, follower): (usize, &Follower)| {
        if !go_on() {
            return Vec::new();
        }
        let id = (followers.guides + index) as u32;
        let count = groom.range(follower.guides[0] as usize).len();
        room.resize(count, [0.0; 4]);
        hair.points(&DrawnStrand::Follower(*follower, id), room);
        room.iter()
            .map(|[x, y, z, _]| Vec3::new(*x, *y, *z))
            .collect()
    };
    let list = followers.list.par_iter().enumerate();
    list.map_init(Vec::new, one).collect()
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
pub(super) fn on_edge([b, c]: [Vec3; 2], tangents: [Vec3; 2], f: f32) -> Vec3 {
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
    use crate::math::elementary::{cos, sin};

    /// How far the curve leaves a circle of 1 m on which it has `edges` vertices
    /// a turn. `[m]`
    fn out_of_round(edges: usize) -> f32 {
        let angle = |i: usize| std::f32::consts::TAU * i as f32 / edges as f32;
        let vertices: Vec<Vec3> = (0..=edges + 2)
            .map(|i| Vec3::new(cos(angle(i)), sin(angle(i)), 0.0))
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
