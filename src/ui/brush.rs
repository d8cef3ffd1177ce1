//! The brushes: which strands a cut or a comb reaches, and what becomes of
//! their rest curves.

use super::pick_ray::PickRay;
use crate::{
    groom::edit::{self, EditedCurve, Edits},
    math::Pose,
    session::sim_handle::BuildResult,
};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// Hair so much deeper than the middle of the comb is left alone. `[radii]`
const DEPTH: f32 = 2.0;

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
pub struct Brush<'a> {
    /// What the eye sees there.
    pub sight: &'a PickRay,
    /// How far around the cursor it reaches. `[m]`
    pub radius: f32,
}

impl BrushTarget<'_> {
    /// The numbers of the strands that the brush `touches`, and what `change` makes of their
    /// rest curves with what it found there.
    fn changed<T>(
        &self,
        touches: impl Fn(&[Vec3]) -> Option<T> + Sync,
        change: impl Fn(T, &[Vec3]) -> Option<Vec<Vec3>> + Sync,
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
                let curve = change(found, rest)?;
                Some((
                    groom.numbers.number(strand),
                    EditedCurve::of(curve, groom, strand),
                ))
            })
            .collect()
    }

    /// Cuts what the brush touches and the eye sees before `most`. `[m]`
    pub fn cut(&self, brush: &Brush, most: f32) -> Vec<(usize, EditedCurve)> {
        let touches = |points: &[Vec3]| brush.meets(points, most);
        self.changed(touches, |long, rest| edit::cut(rest, long))
    }

    /// Combs what the brush touches about as far away as `depth` by `way`, in
    /// the world. `[m]`
    pub fn comb(
        &self,
        brush: &Brush,
        depth: f32,
        way: Vec3,
        margin: f32,
    ) -> Vec<(usize, EditedCurve)> {
        let way = self.pose.rotation.inverse() * way;
        let grid = &self.built.body.grid;
        let touches = |points: &[Vec3]| brush.shares(points, depth);
        self.changed(touches, |shares, rest| {
            let free = |i: usize, place: Vec3| {
                let (distance, out) = grid.sample_with_normal(place);
                // What was grown closer to the skin may stay so.
                let keep = margin.min(grid.sample(rest[i]));
                place + out * (keep - distance).max(0.0)
            };
            Some(edit::combed(rest, |i| way * shares[i], free))
        })
    }
}

impl Brush<'_> {
    /// Where a curve comes under the brush first, as the way along it. `[m]`
    fn meets(&self, points: &[Vec3], most: f32) -> Option<f32> {
        let (i, t) = self.enters(points, most)?;
        let long = |i: usize| points[i].distance(points[i - 1]);
        Some((1..i).map(long).sum::<f32>() + t * long(i))
    }

    /// The same as the vertex behind that place, and the share of the segment
    /// before it.
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

    #[test]
    fn the_reach_fades_to_its_rim() {
        assert_eq!([falloff(0.0), falloff(1.0), falloff(7.0)], [1.0, 0.0, 0.0]);
        assert!(falloff(0.5) > 0.5);
    }
}
