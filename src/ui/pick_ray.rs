//! Which strand is under the cursor.

use super::{
    head_ray::{HeadHit, ShownHead},
    mirror_plane::MirrorPlane,
};
use crate::{
    groom::{Groom, drawn::between},
    project::sides::Side,
    render::{Camera, LookParams},
    session::{Session, sim_handle::BuildResult},
};
use egui::{Pos2, Rect};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// A strand so close to the cursor counts as under it. `[points]`
const NEAR: f32 = 5.0;

/// A strand that is this much farther from the cursor `[m]` for each point must
/// be so much nearer to the eye.
const DEPTH_PER_POINT: f32 = 0.0006;

/// Lines that stand for the curve between two vertices while one is picked.
const LINES: usize = 4;

/// Looks at a strand take every so manieth vertex, one look after the other.
const STRIDES: [usize; 2] = [4, 1];

/// Edges as strands are drawn may be so many times as long as they were grown.
pub const STRETCHED: f32 = 2.0;

/// What the eye sees at the cursor.
#[derive(Clone, Copy, Debug)]
pub struct PickRay {
    origin: Vec3,
    /// Unit vectors: to the right, upwards, away from the eye.
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Tangent of the angle that a point takes.
    per_point: f32,
    /// How far around the cursor a strand counts as under it. `[points]`
    reach: f32,
}

impl PickRay {
    /// At `cursor` in a picture that fills `rect`. `[points]`
    pub fn new(camera: &Camera, rect: Rect, cursor: Pos2) -> Self {
        let part = (cursor - rect.min) / rect.size();
        let (x, y) = (2.0 * part.x - 1.0, 1.0 - 2.0 * part.y);
        let (origin, forward) = camera.ray(x, y, rect.aspect_ratio());
        let right = forward.cross(Vec3::Y).normalize_or(Vec3::X);
        Self {
            origin,
            right,
            up: right.cross(forward),
            forward,
            per_point: 2.0 * (0.5 * camera.fov).tan() / rect.height().max(1.0),
            reach: NEAR,
        }
    }

    /// The same for a hand that reaches so far `[m]` around what is `depth` away.
    pub fn reaching(&self, radius: f32, depth: f32) -> Self {
        Self {
            reach: NEAR.max(radius / self.point_at(depth).max(1e-9)),
            ..*self
        }
    }

    /// The same at a cursor on the way from this one to another.
    pub fn between(&self, other: &Self, part: f32) -> Self {
        let forward = self
            .forward
            .lerp(other.forward, part)
            .normalize_or(self.forward);
        let right = forward.cross(Vec3::Y).normalize_or(Vec3::X);
        Self {
            right,
            up: right.cross(forward),
            forward,
            ..*other
        }
    }

    /// The same of an eye on the other side of the head: it sees a place as this one sees the
    /// mirrored place.
    pub fn mirrored(&self, plane: &MirrorPlane) -> Self {
        Self {
            origin: plane.point(self.origin),
            right: plane.vector(self.right),
            up: plane.vector(self.up),
            forward: plane.vector(self.forward),
            ..*self
        }
    }

    /// The place that far before the eye, under the cursor. `[m]`
    pub fn at(&self, depth: f32) -> Vec3 {
        self.origin + self.forward * depth
    }

    /// Where the head is under the cursor; none beside it.
    pub fn on_head(&self, head: &ShownHead) -> Option<HeadHit> {
        head.ray(self.origin, self.forward)
    }

    /// How far away the head is under the cursor; infinitely far where it is
    /// not. `[m]`
    pub fn head_distance(&self, head: &ShownHead) -> f32 {
        self.on_head(head).map_or(f32::INFINITY, |hit| hit.distance)
    }

    /// What a point of the picture measures that far away. `[m]`
    pub fn point_at(&self, depth: f32) -> f32 {
        depth * self.per_point
    }

    /// Where the cursor is on the plane through `p` that faced the eye of
    /// `self`, seen by `later`.
    pub fn follow(&self, p: Vec3, later: &Self) -> Vec3 {
        let toward = later.forward.dot(self.forward).max(1e-3);
        let depth = (p - later.origin).dot(self.forward) / toward;
        later.at(depth)
    }

    /// The vertex that is seen nearest to the cursor, and how far away it is.
    pub fn vertex(&self, points: &[Vec3]) -> Option<(usize, f32)> {
        let seen = points.iter().map(|p| self.project(*p)).enumerate();
        let far = |(_, (off, _)): &(usize, (Vec2, f32))| off.length_squared();
        seen.min_by(|a, b| far(a).total_cmp(&far(b)))
            .map(|(i, (_, depth))| (i, depth))
    }

    /// Whether any place of a strand may be close to the cursor, judged by one
    /// vertex in `stride` when edges are no longer than `edge`. `[m]`
    pub fn may_meet(&self, points: &[Vec3], stride: usize, edge: f32) -> bool {
        // No place is farther along the strand from a vertex that is looked at.
        let gap = 0.5 * stride as f32 * edge;
        let close = |p: &Vec3| {
            let d = *p - self.origin;
            let depth = d.dot(self.forward);
            let reach = self.reach * self.point_at(depth.max(0.0) + gap) + gap;
            d.length_squared() - depth * depth <= reach * reach
        };
        points.iter().step_by(stride).any(close) || points.last().is_some_and(close)
    }

    /// Where `p` is seen from the cursor `[points]`, and how far away `[m]`.
    #[inline(always)]
    pub fn project(&self, p: Vec3) -> (Vec2, f32) {
        let d = p - self.origin;
        let depth = d.dot(self.forward);
        let scale = 1.0 / (depth.max(1e-6) * self.per_point);
        (Vec2::new(d.dot(self.right), d.dot(self.up)) * scale, depth)
    }
}

/// Where the head is at the cursor; none beside it.
pub fn on_head(session: &Session, sight: &PickRay) -> Option<HeadHit> {
    sight.on_head(&ShownHead::of(session)?)
}

/// The strand of `side` under the cursor, unless the head is before it.
pub fn strand(session: &Session, look: &LookParams, side: Side, sight: &PickRay) -> Option<usize> {
    let (built, head) = (session.built()?, ShownHead::of(session)?);
    let positions = session.positions(side)?;
    strand_of(built, positions, &head, look, sight)
}

/// The same of hair with its vertices at `positions`, on a `head` that may hide it.
pub fn strand_of(
    built: &BuildResult,
    positions: &[Vec3],
    head: &ShownHead,
    look: &LookParams,
    sight: &PickRay,
) -> Option<usize> {
    if !look.show_hair {
        return None;
    }
    let skin = look.show_head.then(|| sight.head_distance(head));
    let most = skin.unwrap_or(f32::INFINITY);
    let drawn = |strand| crate::render::is_drawn(strand, look.drawn);
    let hair = (&*built.groom, built.longest_edge);
    nearest(hair, positions, sight, most, drawn)
}

/// The strand nearest to the eye of those close to the cursor and no farther
/// away than `most`; of hair with its longest edge. `[m]`
fn nearest(
    (groom, longest_edge): (&Groom, f32),
    positions: &[Vec3],
    sight: &PickRay,
    most: f32,
    drawn: impl Fn(usize) -> bool + Sync,
) -> Option<usize> {
    if positions.len() != groom.points.len() {
        return None;
    }
    let edge = STRETCHED * longest_edge;
    let score = |strand: usize| {
        let points = &positions[groom.range(strand)];
        if !STRIDES.iter().all(|by| sight.may_meet(points, *by, edge)) {
            return None;
        }
        let found = closest(points, sight, most).filter(|_| drawn(strand))?;
        Some((found, strand))
    };
    (0..groom.strands())
        .into_par_iter()
        .with_min_len(256)
        .filter_map(score)
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        .map(|(_, strand)| strand)
}

/// How good a choice a strand is, less being better; none where it is out of
/// reach.
fn closest(points: &[Vec3], sight: &PickRay, most: f32) -> Option<f32> {
    let mut best: Option<f32> = None;
    let mut before = sight.project(*points.first()?);
    for i in 1..points.len() {
        let here = sight.project(points[i]);
        // A curve leaves its chord by no more than half a circle does.
        let bulge = 0.5 * (here.0 - before.0).length();
        if before.1 > 0.0
            && here.1 > 0.0
            && distance(before.0, here.0).0 < sight.reach + bulge
            && let Some(score) = on_curve(points, i, sight, most)
        {
            best = Some(best.map_or(score, |best: f32| best.min(score)));
        }
        before = here;
    }
    best
}

/// The same for the drawn curve from vertex `i - 1` to `i`.
fn on_curve(points: &[Vec3], i: usize, sight: &PickRay, most: f32) -> Option<f32> {
    let mut best: Option<f32> = None;
    let mut before = sight.project(points[i - 1]);
    for line in 1..=LINES {
        let here = sight.project(between(points, i, line as f32 / LINES as f32));
        let (off, t) = distance(before.0, here.0);
        let depth = before.1 + t * (here.1 - before.1);
        if off <= sight.reach && depth <= most {
            let score = depth + DEPTH_PER_POINT * off;
            best = Some(best.map_or(score, |best: f32| best.min(score)));
        }
        before = here;
    }
    best
}

/// Distance of the origin from the line from `a` to `b`, and where on it.
#[inline(always)]
fn distance(a: Vec2, b: Vec2) -> (f32, f32) {
    let d = b - a;
    let t = (-a.dot(d) / d.length_squared().max(1e-12)).clamp(0.0, 1.0);
    ((a + d * t).length(), t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::CameraParams;
    use egui::pos2;
    use std::time::Instant;

    fn camera() -> Camera {
        let bounds = [Vec3::new(-0.13, -0.23, -0.11), Vec3::new(0.13, 0.12, 0.11)];
        Camera::new(&CameraParams::default(), bounds)
    }

    const RECT: Rect = Rect {
        min: pos2(100.0, 40.0),
        max: pos2(700.0, 540.0),
    };

    fn cursor_on(camera: &Camera, p: Vec3) -> Pos2 {
        let matrix = camera.projection(RECT.aspect_ratio()) * camera.view();
        let ndc = matrix.project_point3(p);
        let part = [0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y];
        RECT.min + egui::vec2(part[0] * RECT.width(), part[1] * RECT.height())
    }

    /// Strands that hang from a line.
    fn curtain(strands: usize, vertices: usize, depth: f32) -> Groom {
        let mut groom = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        for strand in 0..strands {
            let x = 0.2 * (strand as f32 / strands as f32 - 0.5);
            for i in 0..vertices {
                let y = 0.1 - 0.2 * i as f32 / (vertices - 1) as f32;
                let swing = 0.004 * (i as f32 * 0.9).sin();
                groom.points.push(Vec3::new(x + swing, y, depth));
            }
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(1.0);
        }
        groom
    }

    #[test]
    fn the_strand_under_the_cursor_is_found_and_no_other() {
        let (camera, groom) = (camera(), curtain(12, 20, 0.05));
        let look = |cursor, most| {
            let sight = PickRay::new(&camera, RECT, cursor);
            nearest(
                (&groom, groom.longest_edge()),
                &groom.points,
                &sight,
                most,
                |_| true,
            )
        };
        for strand in [0, 5, 11] {
            let place = between(groom.strand(strand), 9, 0.4);
            let cursor = cursor_on(&camera, place);
            assert_eq!(look(cursor, f32::INFINITY), Some(strand));
            // A little beside it is close enough, in the gap between is not.
            let beside = cursor + egui::vec2(0.0, 2.0);
            assert_eq!(look(beside, f32::INFINITY), Some(strand));
            // Behind a head nothing is picked.
            assert_eq!(look(cursor, 0.3), None);
        }
        assert_eq!(look(pos2(110.0, 60.0), f32::INFINITY), None);

        // A hand takes what is within its reach, and nothing beyond.
        let middle = (between(groom.strand(5), 9, 0.4) + between(groom.strand(6), 9, 0.4)) * 0.5;
        let sight = PickRay::new(&camera, RECT, cursor_on(&camera, middle));
        let depth = sight.project(middle).1;
        let hair = (&groom, groom.longest_edge());
        let taken = |radius: f32| {
            let hand = sight.reaching(radius, depth);
            nearest(hair, &groom.points, &hand, f32::INFINITY, |_| true)
        };
        assert_eq!(taken(0.003), None);
        assert!(matches!(taken(0.012), Some(5 | 6)), "{:?}", taken(0.012));
    }

    #[test]
    fn of_two_the_nearer_one_is_meant_unless_it_is_not_drawn() {
        let camera = camera();
        let mut groom = curtain(1, 20, 0.0);
        let front = curtain(1, 20, 0.0);
        let towards = camera.position().normalize() * 0.05;
        groom
            .points
            .extend(front.points.iter().map(|p| *p + towards));
        groom.starts.push(groom.points.len() as u32);
        groom.masses.push(1.0);
        let place = between(groom.strand(0), 10, 0.5);
        let sight = PickRay::new(&camera, RECT, cursor_on(&camera, place));
        let found = |drawn: &(dyn Fn(usize) -> bool + Sync)| {
            nearest(
                (&groom, groom.longest_edge()),
                &groom.points,
                &sight,
                f32::INFINITY,
                drawn,
            )
        };
        assert_eq!(found(&|_| true), Some(1));
        assert_eq!(found(&|strand| strand == 0), Some(0));
    }

    #[test]
    fn a_first_look_at_few_vertices_misses_no_strand() {
        let (camera, groom) = (camera(), curtain(12, 23, 0.02));
        let mut found = 0;
        for i in 0..400 {
            let cursor = pos2(100.0 + 1.5 * i as f32, 60.0 + 37.0 * (i * 7 % 13) as f32);
            let sight = PickRay::new(&camera, RECT, cursor);
            let look = |longest| {
                let hair = (&groom, longest);
                nearest(hair, &groom.points, &sight, f32::INFINITY, |_| true)
            };
            let all = look(f32::INFINITY);
            assert_eq!(look(groom.longest_edge()), all, "{cursor:?}");
            found += usize::from(all.is_some());
        }
        assert!((15..200).contains(&found), "{found} of 400");
    }

    #[test]
    fn a_hundred_thousand_strands_are_searched_in_a_blink() {
        let (camera, groom) = (camera(), curtain(100_000, 32, 0.02));
        let sight = PickRay::new(&camera, RECT, RECT.center());
        let hair = (&groom, groom.longest_edge());
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let begun = Instant::now();
            let found = nearest(hair, &groom.points, &sight, f32::INFINITY, |_| true);
            assert!(found.is_some());
            best = best.min(begun.elapsed().as_secs_f64());
        }
        println!("{:.1} ms", 1e3 * best);
        // Far more than it takes, for machines with other work to do.
        assert!(best < 0.5, "{best} s");
    }
}
