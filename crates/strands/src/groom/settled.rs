//! A strand of a file on a head: in metres, rooted on the skin, with vertices that can
//! be simulated.

use super::{file_strands::Place, fit::Placement};
use crate::mesh::Surface;
use glam::Vec3;

/// The most vertices that a strand can have.
pub(super) const MOST: usize = 512;
/// Points nearer to one another than this share of the mean edge are one.
const SAME: f32 = 0.02;
/// Shorter strands are none. `[m]`
const SHORTEST: f32 = 2e-4;
/// The way along which a strand is eased from its root on the skin to where
/// the file has it. `[m]`
const EASE: f32 = 0.03;

/// A strand on the head, or none.
#[derive(Clone, Default)]
pub(super) struct Settled {
    /// Which strand of the file.
    pub index: usize,
    /// Its vertices. `[m]`
    pub points: Vec<Vec3>,
    /// Where each of them is in the file.
    pub from: Vec<From>,
    /// Outward, at the root.
    pub normal: Vec3,
    /// From the file's root to the skin. `[m]`
    pub distance: f32,
    /// Of the strand. `[m]`
    pub length: f32,
    /// Whether it has fewer vertices than the file has points, to bound them.
    pub resampled: bool,
    /// All points of the file, and where they lie along the vertices; empty where
    /// they are these.
    pub all: Vec<Vec3>,
    /// The same.
    pub places: Vec<Place>,
}

/// Brings the points `file` of a strand onto that skin, with so many `vertices`, 0 for
/// those of the file; without points where it has no length or there is no skin.
pub(super) fn settle(
    file: &[Vec3],
    placement: &Placement,
    surface: &Surface,
    vertices: u32,
) -> Settled {
    let mut points: Vec<Vec3> = file.iter().map(|p| placement.place(*p)).collect();
    let length = length(&points);
    if !length.is_finite() || length < SHORTEST || points.len() < 2 {
        return Settled::default();
    }
    // Edges of no length have no direction.
    let least = SAME * length / (points.len() - 1) as f32;
    let mut kept = vec![0];
    for (i, p) in points.iter().enumerate().skip(1) {
        let at: Vec3 = points[kept[kept.len() - 1]];
        if p.distance(at) >= least {
            kept.push(i);
        }
    }
    match kept.len() {
        1 => kept.push(points.len() - 1),
        last => kept[last - 1] = points.len() - 1,
    }
    let mut from: Vec<From> = kept.iter().map(|i| From([*i; 2], 0.0)).collect();
    points = kept.iter().map(|i| points[*i]).collect();
    let wanted = match vertices {
        0 => points.len().min(MOST),
        told => (told as usize).clamp(2, MOST),
    };
    let resampled = points.len() != wanted;
    if resampled {
        let places = even(&points, wanted);
        let between = |(i, t): &(usize, f32)| From([kept[*i], kept[i + 1]], *t);
        from = places.iter().map(between).collect();
        let point = |(i, t): &(usize, f32)| points[*i].lerp(points[i + 1], *t);
        points = places.iter().map(point).collect();
    }
    let Some(nearest) = surface.closest(points[0], f32::MAX) else {
        return Settled::default();
    };
    let by = nearest.point - points[0];
    let distance = by.length();
    ease(&mut points, by);
    let (mut all, mut places) = (Vec::new(), Vec::new());
    if resampled || points.len() != file.len() {
        all = file.iter().map(|p| placement.place(*p)).collect();
        ease(&mut all, by);
        places = beside(&all, &points, &from);
    }
    Settled {
        all,
        places,
        normal: nearest.normal,
        distance,
        length,
        resampled,
        points,
        from,
        index: 0,
    }
}

/// Moves the root of a strand `by` so much, onto the skin; what is away from it stays
/// where it is. `[m]`
pub(super) fn ease(points: &mut [Vec3], by: Vec3) {
    let way = EASE.max(4.0 * by.length());
    let (mut along, mut before) = (0.0, points.first().copied().unwrap_or_default());
    for point in points {
        along += point.distance(before);
        before = *point;
        let t = (1.0 - along / way).max(0.0);
        *point += by * (t * t * (3.0 - 2.0 * t));
    }
}

/// Where all points of a strand of a file lie beside its vertices, which are
/// `from` places among those points. `[m]`
fn beside(all: &[Vec3], vertices: &[Vec3], from: &[From]) -> Vec<Place> {
    let at = |From([a, b], t): &From| *a as f32 + t * (b - a) as f32;
    let last = vertices.len() - 2;
    let mut edge = 0;
    let mut places: Vec<Place> = Vec::with_capacity(all.len());
    for (i, point) in all.iter().enumerate() {
        while edge < last && at(&from[edge + 1]) <= i as f32 {
            edge += 1;
        }
        let (a, b) = (at(&from[edge]), at(&from[edge + 1]));
        let along = ((i as f32 - a) / (b - a).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        places.push(Place::beside(vertices, edge, along, *point));
    }
    places
}

/// Between which two points of a strand in the file, and how far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct From([usize; 2], f32);

impl From {
    /// A value there, of values that begin at `base` for this strand.
    pub fn value<const N: usize>(&self, base: usize, of: impl Fn(usize) -> [f32; N]) -> [f32; N] {
        let Self([a, b], t) = *self;
        let (from, to) = (of(base + a), of(base + b));
        match t {
            // To the last bit.
            0.0 => from,
            _ => std::array::from_fn(|k| from[k] + (to[k] - from[k]) * t),
        }
    }
}

/// Whether a strand of a file, whose unit has so many `metres`, is long enough to be
/// simulated.
pub(super) fn has_length(points: &[Vec3], metres: f32) -> bool {
    points.len() > 1 && length(points) * metres >= SHORTEST
}

fn length(points: &[Vec3]) -> f32 {
    let edges = points.windows(2);
    edges.map(|edge| edge[0].distance(edge[1])).sum()
}

/// `count` places even along a curve's length: on which edge, and how far.
fn even(points: &[Vec3], count: usize) -> Vec<(usize, f32)> {
    let total = f64::from(length(points));
    let mut out = vec![(0, 0.0)];
    let mut along = 0.0;
    for (i, edge) in points.windows(2).enumerate() {
        let step = f64::from(edge[0].distance(edge[1]));
        while out.len() + 1 < count {
            let wanted = total * out.len() as f64 / (count - 1) as f64;
            if wanted > along + step {
                break;
            }
            let t = (wanted - along) / step.max(f64::MIN_POSITIVE);
            out.push((i, t as f32));
        }
        along += step;
    }
    out.truncate(count - 1);
    out.push((points.len() - 2, 1.0));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarser_curve_is_even_and_keeps_its_ends() {
        let bent = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 3.0, 0.0)];
        let point = |(i, t): &(usize, f32)| bent[*i].lerp(bent[i + 1], *t);
        let fine: Vec<Vec3> = even(&bent, 9).iter().map(point).collect();
        assert_eq!((fine.len(), fine[0], fine[8]), (9, bent[0], bent[2]));
        let edges = fine.windows(2).map(|e| e[0].distance(e[1]));
        assert!(edges.into_iter().all(|edge| (edge - 0.5).abs() < 1e-5));
    }
}
