//! How long a strand is, and the first part of one.

use super::limits::SHORTEST;
use glam::Vec3;

/// Length of a curve. `[m]`
pub fn length(points: &[Vec3]) -> f32 {
    points
        .windows(2)
        .map(|edge| edge[0].distance(edge[1]))
        .sum()
}

/// Where the vertices of a curve are along it, root first. `[m]`
pub fn along(points: &[Vec3]) -> Vec<f32> {
    let edges = points.windows(2).map(|edge| edge[0].distance(edge[1]));
    let mut along = vec![0.0];
    for (i, edge) in edges.enumerate() {
        along.push(along[i] + edge);
    }
    along
}

/// The first share `ratio` of a curve, with as many vertices at the same shares
/// of its length; more than all of it goes on straight.
pub fn first(points: &[Vec3], ratio: f32) -> Vec<Vec3> {
    let Some(start) = points.first() else {
        return Vec::new();
    };
    let ends = along(points);
    let mut out = vec![*start];
    let mut edge = 1;
    for end in &ends[1..] {
        let place = end * ratio;
        while edge + 1 < points.len() && ends[edge] < place {
            edge += 1;
        }
        let (from, to) = (points[edge - 1], points[edge]);
        let long = (ends[edge] - ends[edge - 1]).max(f32::MIN_POSITIVE);
        out.push(from + (to - from) * ((place - ends[edge - 1]) / long));
    }
    out
}

/// The share of a curve whose [`first`] part is so long. Fewer corners make a
/// part shorter than its share, hence the correction. `[m]`
pub fn share(points: &[Vec3], long: f32) -> f32 {
    let mut share = long / length(points).max(f32::MIN_POSITIVE);
    for _ in 0..3 {
        share *= long / length(&first(points, share)).max(f32::MIN_POSITIVE);
    }
    share
}

/// A rest curve that goes no farther than `long` metres; none where it is no
/// longer than that.
pub fn cut(points: &[Vec3], long: f32) -> Option<Vec<Vec3>> {
    let now = length(points);
    let long = long.max(SHORTEST);
    (long < now * 0.999).then(|| first(points, share(points, long)))
}

#[cfg(test)]
mod tests {
    use super::{super::fixture::helix, *};

    #[test]
    fn a_cut_leaves_the_first_part_of_the_curve() {
        let curve = helix();
        let long = length(&curve);
        let cut = cut(&curve, 0.5 * long).expect("is shorter");
        assert_eq!(cut.len(), curve.len());
        assert!((length(&cut) / long - 0.5).abs() < 1e-4);
        assert_eq!(cut[0], curve[0]);
        let tip = cut[39];
        assert!(tip.distance(curve[19].midpoint(curve[20])) < 0.004);
        assert!(super::cut(&curve, 2.0 * long).is_none(), "nothing to cut");
        let stub = super::cut(&curve, 0.0).expect("is shorter");
        assert!((length(&stub) - SHORTEST).abs() < 1e-4);
    }

    #[test]
    fn more_than_all_of_a_line_goes_on_straight() {
        let line = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        assert_eq!(first(&line, 1.5)[2], Vec3::X * 3.0);
    }
}
