//! The brushes: which strands scissors, a comb or another brush reach, and what becomes of
//! their rest curves.

use super::{mirror_plane::MirrorPlane, pick_ray::PickRay};
use crate::{
    groom::{
        edit::{self, EditedCurve, Edits},
        lift,
        ragged::ragged,
        smooth::{self, RootNeighbours, SmoothDab, StrandTangents},
    },
    math::Pose,
    session::sim_handle::BuildResult,
};
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// Hair so much deeper than the middle of the comb is left alone. `[radii]`
const DEPTH: f32 = 2.0;

/// Ragged scissors leave what is no longer than this behind their cut. `[m]`
pub const SPARED: f32 = 0.005;

/// Of two combs that take a strand along by shares that differ by less than this, the one on
/// its own side of the head does.
const EVEN: f32 = 1e-3;

/// The hair that a brush works on.
#[derive(Clone, Copy)]
pub struct BrushTarget<'a> {
    /// Head and groom.
    pub built: &'a BuildResult,
    /// What was changed of it so far.
    pub edits: &'a Edits,
    /// Where its vertices are. `[m]`
    pub positions: &'a [Vec3],
    /// Where the head is.
    pub pose: Pose,
    /// The share of strands that is drawn; the others are not touched.
    pub drawn: f32,
}

/// A brush at the cursor.
#[derive(Clone, Copy, Debug)]
pub struct Brush {
    /// What the eye sees there.
    pub sight: PickRay,
    /// How far around the cursor it reaches. `[m]`
    pub radius: f32,
}

/// A brush at the cursor, and where both sides are worked on, the one on the other side of
/// the head.
#[derive(Clone, Copy, Debug)]
pub struct Brushes {
    /// The one at the cursor.
    pub here: Brush,
    /// The other one, and what lies between them.
    pub there: Option<(Brush, MirrorPlane)>,
}

impl Brushes {
    /// A brush that reaches as far as `radius` `[m]` at `sight`, and its mirrored one, if
    /// there is a plane.
    pub fn new(sight: &PickRay, radius: f32, plane: Option<MirrorPlane>) -> Self {
        let brush = |sight| Brush { sight, radius };
        Self {
            here: brush(*sight),
            there: plane.map(|plane| (brush(sight.mirrored(&plane)), plane)),
        }
    }

    /// Both, or the one.
    pub fn all(&self) -> impl Iterator<Item = Brush> {
        let there = self.there.map(|(brush, _)| brush);
        [self.here].into_iter().chain(there)
    }

    /// Where a brush enters a strand first ([`Brush::enters`]).
    pub fn enters(&self, points: &[Vec3], most: f32) -> Option<(usize, f32)> {
        let places = self.all().filter_map(|brush| brush.enters(points, most));
        let along = |(i, t): &(usize, f32)| *i as f32 + t;
        places.min_by(|a, b| along(a).total_cmp(&along(b)))
    }

    /// The same as the way along the strand. `[m]`
    fn meets(&self, points: &[Vec3], most: f32) -> Option<f32> {
        let (i, t) = self.enters(points, most)?;
        let long = |i: usize| points[i].distance(points[i - 1]);
        Some((1..i).map(long).sum::<f32>() + t * long(i))
    }

    /// Where scissors of that raggedness `[%]` cut the strand of that number, in vertices from
    /// its root; none where that is behind its tip.
    pub fn cuts(&self, points: &[Vec3], most: f32, number: usize, raggedness: f32) -> Option<f32> {
        let line = self.meets(points, most)?;
        let mut left = ragged(line, number, 0.01 * raggedness);
        for (i, edge) in points.windows(2).enumerate() {
            let long = edge[0].distance(edge[1]);
            if left <= long {
                return Some(i as f32 + left / long.max(f32::MIN_POSITIVE));
            }
            left -= long;
        }
        None
    }

    /// How much of each vertex brushes without a direction take, of both the more; none where
    /// they touch nothing.
    fn covers(&self, points: &[Vec3], depth: f32) -> Option<Vec<f32>> {
        let share = |p: &Vec3| {
            let shares = self.all().filter_map(|brush| brush.share(*p, depth));
            shares.fold(0.0, f32::max)
        };
        let shares: Vec<f32> = points.iter().map(share).collect();
        let touched = shares.iter().any(|share| *share > 0.0);
        touched.then_some(shares)
    }

    /// What combs touch of a strand ([`Brush::touches`]): the one of them that takes it along.
    pub fn touches(&self, points: &[Vec3], depth: f32) -> Option<(usize, f32)> {
        let touched = self.all().filter_map(|brush| brush.touches(points, depth));
        touched.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// How much of the way of a comb each vertex of a strand goes along, and whether of that
    /// on the other side. No strand goes along with both: the one that takes more of it has
    /// it, and of two that take as much the one on the side of its root.
    fn shares(&self, points: &[Vec3], depth: f32) -> Option<(Vec<f32>, bool)> {
        let here = self.here.shares(points, depth);
        let there = self.there.and_then(|(brush, plane)| {
            let shares = brush.shares(points, depth)?;
            Some((shares, plane))
        });
        match (here, there) {
            (here, None) => here.map(|shares| (shares, false)),
            (None, Some((there, _))) => Some((there, true)),
            (Some(here), Some((there, plane))) => {
                // What hangs on a vertex goes as far as that: the last one goes farthest.
                let more = there.last().unwrap_or(&0.0) - here.last().unwrap_or(&0.0);
                let other = match more.abs() < EVEN {
                    true => !plane.same_side(points[0], self.here.sight.at(depth)),
                    false => more > 0.0,
                };
                Some(if other { (there, true) } else { (here, false) })
            }
        }
    }
}

impl BrushTarget<'_> {
    /// The numbers of the strands that the brush `touches`, and what `change` makes of each
    /// strand's rest curve with what it found there.
    fn changed<T>(
        &self,
        touches: impl Fn(&[Vec3]) -> Option<T> + Sync,
        change: impl Fn(usize, T, &[Vec3]) -> Option<Vec<Vec3>> + Sync,
    ) -> Vec<(usize, EditedCurve)> {
        let groom = &self.built.groom;
        if self.positions.len() != groom.points.len() {
            return Vec::new();
        }
        (0..groom.strands())
            .into_par_iter()
            .with_min_len(256)
            .filter(|strand| crate::render::is_drawn(*strand, self.drawn))
            .filter_map(|strand| {
                let found = touches(&self.positions[groom.range(strand)])?;
                let edited = self.edits.curve(groom, strand, &self.built.body.grid);
                let rest = edited.as_deref().unwrap_or(groom.strand(strand));
                let curve = change(strand, found, rest)?;
                Some((
                    groom.numbers.number(strand),
                    EditedCurve::of(curve, groom, strand),
                ))
            })
            .collect()
    }

    /// Cuts what the brushes touch and the eye sees before `most` `[m]`, with that raggedness.
    /// `[%]`
    pub fn cut(&self, brushes: &Brushes, most: f32, raggedness: f32) -> Vec<(usize, EditedCurve)> {
        let touches = |points: &[Vec3]| brushes.meets(points, most);
        let numbers = &self.built.groom.numbers;
        self.changed(touches, |strand, line, rest| {
            let long = ragged(line, numbers.number(strand), 0.01 * raggedness);
            // A strand that was cut there is measured anew with its fewer vertices, and would
            // be cut a little shorter with each stroke over it.
            let spared = if raggedness > 0.0 { SPARED } else { 0.0 };
            let goes = edit::length(rest) - long > spared;
            goes.then(|| edit::cut(rest, long)).flatten()
        })
    }

    /// Smooths what the brushes touch about as far away as `depth` `[m]`.
    pub fn smooth(
        &self,
        brushes: &Brushes,
        depth: f32,
        neighbours: &RootNeighbours,
        dab: SmoothDab,
        margin: f32,
    ) -> Vec<(usize, EditedCurve)> {
        let touches = |points: &[Vec3]| brushes.covers(points, depth);
        let (groom, grid) = (&self.built.groom, &self.built.body.grid);
        if self.positions.len() != groom.points.len() {
            return Vec::new();
        }
        // All strands turn at once, by where they and their neighbours were before.
        let around: HashMap<usize, Vec<(usize, f32)>> = (0..groom.strands())
            .into_par_iter()
            .with_min_len(256)
            .filter(|strand| crate::render::is_drawn(*strand, self.drawn))
            .filter(|strand| touches(&self.positions[groom.range(*strand)]).is_some())
            .map(|strand| (strand, neighbours.around(groom, strand)))
            .collect();
        let others = around.values().flatten().map(|(other, _)| *other);
        let needed: BTreeSet<usize> = around.keys().copied().chain(others).collect();
        let tangents: HashMap<usize, StrandTangents> = needed
            .into_par_iter()
            .map(|strand| {
                let grown = groom.strand(strand);
                let edited = self.edits.curve(groom, strand, grid);
                let curve = edited.as_deref().unwrap_or(grown);
                (strand, StrandTangents::of(curve, grown))
            })
            .collect();
        self.changed(touches, |strand, shares, rest| {
            let known = |(other, say): &(usize, f32)| Some((tangents.get(other)?, *say));
            let others = around.get(&strand)?.iter().filter_map(known);
            let others: Vec<(&StrandTangents, f32)> = others.collect();
            let free = self.outside(margin, rest);
            smooth::smoothed(rest, tangents.get(&strand)?, &others, &shares, dab, free)
        })
    }

    /// Lets what the brushes touch about as far away as `depth` grow by `more` in their middle,
    /// or shortens it where that is negative. `[m]`
    pub fn grow(&self, brushes: &Brushes, depth: f32, more: f32) -> Vec<(usize, EditedCurve)> {
        let touches = |points: &[Vec3]| {
            let shares = brushes.covers(points, depth)?;
            Some(shares.into_iter().fold(0.0, f32::max))
        };
        let (groom, grid) = (&self.built.groom, &self.built.body.grid);
        self.changed(touches, |strand, share, rest| {
            edit::lengthened(rest, groom, strand, more * share, grid)
        })
    }

    /// Lifts what the brushes touch about as far away as `depth` off the skin by `lift` in
    /// their middle; what is laid down stays out of it by `margin`. `[m]`
    pub fn lift(
        &self,
        brushes: &Brushes,
        depth: f32,
        lift: f32,
        margin: f32,
    ) -> Vec<(usize, EditedCurve)> {
        let touches = |points: &[Vec3]| brushes.covers(points, depth);
        let grid = &self.built.body.grid;
        // However small the brush is, a strand does not break.
        let bend = brushes.here.radius.max(2.0 * lift.abs());
        self.changed(touches, |_, shares, rest| {
            let free = self.outside(margin, rest);
            lift::lifted(rest, &shares, [lift, bend], grid, free)
        })
    }

    /// Takes a vertex of the strand whose rest curve that is out of the skin, to at least
    /// `margin`. `[m]`
    fn outside<'a>(
        &'a self,
        margin: f32,
        rest: &'a [Vec3],
    ) -> impl Fn(usize, Vec3) -> Vec3 + use<'a> {
        let grid = &self.built.body.grid;
        move |i, place| {
            let (distance, out) = grid.sample_with_normal(place);
            // What was grown closer to the skin may stay so.
            let keep = margin.min(grid.sample(rest[i]));
            place + out * (keep - distance).max(0.0)
        }
    }

    /// Combs what the brushes touch about as far away as `depth` by `way`, that of the one
    /// at the cursor in the world. `[m]`
    pub fn comb(
        &self,
        brushes: &Brushes,
        depth: f32,
        way: Vec3,
        margin: f32,
    ) -> Vec<(usize, EditedCurve)> {
        let turn = self.pose.rotation.inverse();
        let plane = brushes.there.map(|(_, plane)| plane);
        let mirrored = plane.map_or(way, |plane| plane.vector(way));
        let ways = [way, mirrored].map(|way| turn * way);
        let touches = |points: &[Vec3]| brushes.shares(points, depth);
        self.changed(touches, |_, (shares, other), rest| {
            let way = ways[usize::from(other)];
            let free = self.outside(margin, rest);
            Some(edit::combed(rest, |i| way * shares[i], free))
        })
    }
}

impl Brush {
    /// Where a curve comes under the brush first: the vertex behind that place, and the
    /// share of the segment before it.
    pub fn enters(&self, points: &[Vec3], most: f32) -> Option<(usize, f32)> {
        let mut before = self.sight.project(*points.first()?);
        for (i, point) in points.iter().enumerate().skip(1) {
            let here = self.sight.project(*point);
            let depth = before.1.min(here.1);
            if depth > 0.0 && depth <= most {
                let radius = self.radius / self.sight.point_at(depth);
                if let Some(t) = enters(before.0, here.0, radius) {
                    return Some((i, t));
                }
            }
            before = here;
        }
        None
    }

    /// The first vertex that a comb about as far away as `depth` `[m]` touches,
    /// and the largest share of its way that any of them goes along.
    pub fn touches(&self, points: &[Vec3], depth: f32) -> Option<(usize, f32)> {
        let mut touched: Option<(usize, f32)> = None;
        for (i, p) in points.iter().enumerate() {
            if let Some(share) = self.share(*p, depth) {
                let (first, most) = touched.unwrap_or((i, 0.0));
                touched = Some((first, most.max(share)));
            }
        }
        touched
    }

    /// How much of the comb's way a vertex goes along; none beyond its reach.
    fn share(&self, p: Vec3, depth: f32) -> Option<f32> {
        let (off, far) = self.sight.project(p);
        let off = off.length() * self.sight.point_at(far) / self.radius;
        (off < 1.0 && (far - depth).abs() < DEPTH * self.radius).then(|| falloff(off))
    }

    /// How much of the comb's way each vertex goes along; none where the comb
    /// touches nothing. What hangs on a vertex goes as far as that.
    fn shares(&self, points: &[Vec3], depth: f32) -> Option<Vec<f32>> {
        let mut share: f32 = 0.0;
        let shares: Vec<f32> = points
            .iter()
            .map(|p| {
                share = share.max(self.share(*p, depth).unwrap_or(0.0));
                share
            })
            .collect();
        (share > 0.0).then_some(shares)
    }
}

/// One in the middle, nothing at a distance of one and beyond.
pub fn falloff(distance: f32) -> f32 {
    let inside = (1.0 - distance * distance).max(0.0);
    inside * inside
}

/// Where the way from `a` to `b` first comes as near as `radius` to the origin,
/// as a share of it.
fn enters(a: Vec2, b: Vec2, radius: f32) -> Option<f32> {
    let d = b - a;
    let (square, half, rest) = (
        d.length_squared(),
        a.dot(d),
        a.length_squared() - radius * radius,
    );
    if rest <= 0.0 {
        return Some(0.0);
    }
    let root = half * half - square * rest;
    if root < 0.0 || square <= 0.0 {
        return None;
    }
    let t = (-half - root.sqrt()) / square;
    (0.0..=1.0).contains(&t).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_enters_a_circle_at_its_edge() {
        let (a, b) = (Vec2::new(-4.0, 0.6), Vec2::new(4.0, 0.6));
        let t = enters(a, b, 1.0).expect("meets");
        assert!((a.lerp(b, t).length() - 1.0).abs() < 1e-5);
        assert!(a.lerp(b, t).x < 0.0, "on the near side");
        assert_eq!(enters(a, a * 2.0, 1.0), None, "leads away");
        assert_eq!(enters(a, b, 0.5), None, "passes by");
        assert_eq!(enters(a, b, 9.0), Some(0.0), "begins inside");
    }

    /// Over strands that hang on both sides of the middle, beside it and in it.
    #[test]
    fn two_combs_take_mirrored_strands_along_alike_and_none_twice() {
        let bounds = [Vec3::new(-0.1, -0.2, -0.1), Vec3::new(0.1, 0.1, 0.1)];
        let params = crate::render::CameraParams {
            yaw: 0.0,
            ..Default::default()
        };
        let camera = crate::render::Camera::new(&params, bounds);
        let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(800.0, 600.0));
        let plane = MirrorPlane::new(Pose::IDENTITY, 0.0);
        let strand = |x: f32| [0.0, -0.02, -0.04, -0.06].map(|y| Vec3::new(x, y, 0.1));
        let mut both = 0;
        for cursor in [400.0, 410.0, 430.0, 470.0] {
            let sight = PickRay::new(&camera, rect, egui::pos2(cursor, 300.0));
            let depth = sight.project(Vec3::new(0.0, -0.03, 0.1)).1;
            let brushes = Brushes::new(&sight, 0.08, Some(plane));
            let alone = Brushes::new(&sight, 0.08, None);
            for step in 1..10 {
                let x = 0.006 * step as f32;
                let [left, right] = [-x, x].map(|x| brushes.shares(&strand(x), depth));
                assert_eq!(left.is_some(), right.is_some(), "{cursor}, {x}");
                let (Some(left), Some(right)) = (left, right) else {
                    continue;
                };
                assert_ne!(left.1, right.1, "each has its own comb");
                for (a, b) in left.0.iter().zip(&right.0) {
                    assert!((a - b).abs() < 2e-3, "{cursor}, {x}: {a} and {b}");
                }
                let one = alone.shares(&strand(-x), depth).is_some();
                both += usize::from(one && alone.shares(&strand(x), depth).is_some());
            }
        }
        assert!(both > 5, "{both} pairs were within both");
    }

    #[test]
    fn the_reach_fades_to_its_rim() {
        assert_eq!([falloff(0.0), falloff(1.0), falloff(7.0)], [1.0, 0.0, 0.0]);
        assert!(falloff(0.5) > 0.5);
    }
}
