//! Strands with other numbers of points: even along their length, ends kept.

use super::{
    Strands,
    attribute::{Mixture, Of},
};
use glam::Vec3;

/// The same strands with `count` points each. A strand that has as many is
/// left as it is; strands without points are left out.
pub fn resample(strands: &Strands, count: usize) -> Strands {
    let mut out = Strands {
        starts: vec![0],
        up: strands.up,
        metres_per_unit: strands.metres_per_unit,
        ..Strands::default()
    };
    let (mut kept, mut blends) = (Vec::new(), Vec::new());
    for index in 0..strands.len() {
        let range = strands.range(index);
        let points = &strands.points[range.clone()];
        let places = places(points, count);
        for (i, t) in &places {
            let mix = |a: f32, b: f32| a + (b - a) * t;
            let pick = |all: &[f32], each: usize, k: usize| {
                let at = |i: usize| all[each * (range.start + i) + k];
                mix(at(*i), at((i + 1).min(points.len() - 1)))
            };
            if !strands.widths.is_empty() {
                out.widths.push(pick(&strands.widths, 1, 0));
            }
            if !strands.colours.is_empty() {
                let all = strands.colours.as_flattened();
                out.colours.push([0, 1, 2].map(|k| pick(all, 3, k)));
            }
            out.points.push(point(points, (*i, *t)));
            let (a, b) = (range.start + i, range.start + (i + 1).min(points.len() - 1));
            let t = f64::from(*t);
            let blend: Mixture = [(a, 1.0 - t), (b, t), (a, 0.0), (a, 0.0)];
            blends.push(blend);
        }
        if !places.is_empty() {
            out.starts.push(out.points.len() as u32);
            out.root_uvs.extend(strands.root_uvs.get(index));
            kept.push(index);
        }
    }
    let columns = strands.attributes.iter();
    out.attributes = columns
        .map(|column| match column.of {
            Of::Groom => column.clone(),
            Of::Strand => column.picked(kept.iter().copied()),
            Of::Point => column.blended(&blends),
        })
        .collect();
    out
}

/// A curve through `points` with `count` points, even along its length.
pub fn curve(points: &[Vec3], count: usize) -> Vec<Vec3> {
    let places = places(points, count);
    places.into_iter().map(|at| point(points, at)).collect()
}

fn point(points: &[Vec3], (i, t): (usize, f32)) -> Vec3 {
    match points.get(i + 1) {
        Some(next) if t > 0.0 => points[i].lerp(*next, t),
        _ => points[i],
    }
}

/// Where the new points lie: on which edge, and how far along it.
fn places(points: &[Vec3], count: usize) -> Vec<(usize, f32)> {
    if points.len() == count || points.is_empty() {
        return (0..points.len()).map(|i| (i, 0.0)).collect();
    }
    let last = points.len() - 1;
    let mut along = vec![0.0f64];
    for edge in points.windows(2) {
        let length = f64::from(edge[0].distance(edge[1]));
        along.push(along[along.len() - 1] + length);
    }
    let total = along[last];
    let steps = count.saturating_sub(1).max(1) as f64;
    let place = |k: usize| {
        if k + 1 >= count {
            return (last, 0.0);
        }
        let wanted = total * k as f64 / steps;
        let i = along.partition_point(|s| *s <= wanted).saturating_sub(1);
        let i = i.min(last);
        let edge = along.get(i + 1).map_or(0.0, |end| end - along[i]);
        if edge <= 0.0 {
            return (i, 0.0);
        }
        (i, ((wanted - along[i]) / edge) as f32)
    };
    (0..count).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_points_are_even_along_the_strand_and_ends_are_kept() {
        let bent = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 3.0, 0.0)];
        let fine = curve(&bent, 9);
        assert_eq!((fine[0], fine[8]), (bent[0], bent[2]));
        assert!(
            fine.windows(2)
                .all(|e| (e[0].distance(e[1]) - 0.5).abs() < 1e-6)
        );
        assert_eq!(curve(&bent, 3), bent);
        // No length, or one point: still finite.
        assert_eq!(curve(&[Vec3::Y; 3], 4), [Vec3::Y; 4]);
        assert_eq!(curve(&[Vec3::Y], 4), [Vec3::Y; 4]);
        assert!(curve(&[], 4).is_empty());
    }
}
