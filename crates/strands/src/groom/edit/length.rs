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

/// A place on a curve: the number of an edge and the share of it that lies before; more than
/// one is behind the tip, straight on.
pub type EdgePlace = (usize, f32);

/// The first share `ratio` of a curve, with as many vertices at the same shares
/// of its length; more than all of it goes on straight.
///
/// Where the curve is so coarse that such vertices would cut its corners off, as those of a
/// curl with four vertices a turn, the corners stay and edges between them are divided.
pub fn first(points: &[Vec3], ratio: f32) -> Vec<Vec3> {
    at(points, &places_of_first(points, ratio))
}

/// The points of a curve at these places. `[m]`
pub fn at(points: &[Vec3], places: &[EdgePlace]) -> Vec<Vec3> {
    let on = |(edge, part): &EdgePlace| match points.get(*edge..*edge + 2) {
        Some([from, to]) => *from + (*to - *from) * *part,
        _ => points[0],
    };
    places.iter().map(on).collect()
}

/// Where the vertices of the [`first`] share of a curve are on it.
pub fn places_of_first(points: &[Vec3], ratio: f32) -> Vec<EdgePlace> {
    if points.is_empty() {
        return Vec::new();
    }
    let ends = along(points);
    let long = ratio * ends[ends.len() - 1];
    let even = places(&ends, ends.iter().map(|end| end * ratio));
    if ratio >= 1.0 || length(&at(points, &even)) > (1.0 - CORNERS) * long {
        return even;
    }
    let mut kept = ends.partition_point(|end| *end < long).max(1);
    // No edge is much shorter than the others.
    if kept > 1 && long - ends[kept - 1] < STUB * (ends[kept] - ends[kept - 1]) {
        kept -= 1;
    }
    let corners = [&ends[..kept], &[long]].concat();
    let (edges, pieces) = (kept, ends.len() - 1);
    let divided = (0..edges).flat_map(|edge| {
        let [begins, next] = [edge, edge + 1].map(|edge| edge * pieces / edges);
        let (from, to) = (corners[edge], corners[edge + 1]);
        (1..=next - begins).map(move |i| from + (to - from) * i as f32 / (next - begins) as f32)
    });
    places(&ends, std::iter::once(0.0).chain(divided))
}

/// A part that loses more of its length to corners that it cuts off is not good enough.
const CORNERS: f32 = 0.02;

/// The last edge is no less than that share of the one that it is a part of.
const STUB: f32 = 0.3;

/// Where on a curve whose vertices are that far along it are these places, in rising order. `[m]`
fn places(ends: &[f32], along: impl Iterator<Item = f32>) -> Vec<EdgePlace> {
    let mut edge = 1;
    let place = |place: f32| {
        while edge + 1 < ends.len() && ends[edge] < place {
            edge += 1;
        }
        let Some(end) = ends.get(edge) else {
            return (0, 0.0);
        };
        let long = (end - ends[edge - 1]).max(f32::MIN_POSITIVE);
        (edge - 1, (place - ends[edge - 1]) / long)
    };
    along.map(place).collect()
}

/// The share of a curve whose [`first`] part is so long. Fewer corners make a
/// part shorter than its share, hence the correction; but no part of a curve is longer than
/// all of it. `[m]`
pub fn share(points: &[Vec3], long: f32) -> f32 {
    let all = length(points);
    let most = if long > all { f32::INFINITY } else { 1.0 };
    let mut share = long / all.max(f32::MIN_POSITIVE);
    for _ in 0..3 {
        let part = length(&first(points, share));
        share = (share * long / part.max(f32::MIN_POSITIVE)).min(most);
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
    fn a_coarse_curl_keeps_its_corners_and_never_goes_on_behind_its_tip() {
        // Four vertices a turn, as the tightest curl has.
        let corner = |i: usize| {
            let [x, z] = [[0.01, 0.0], [0.0, 0.01], [-0.01, 0.0], [0.0, -0.01]][i % 4];
            Vec3::new(x, -0.006 * i as f32, z)
        };
        let curl: Vec<Vec3> = (0..64).map(corner).collect();
        let all = length(&curl);
        for part in [0.999, 0.98, 0.95, 0.7, 0.5, 0.31, 0.1] {
            let cut = cut(&curl, part * all).unwrap_or_else(|| curl.clone());
            assert_eq!((cut.len(), cut[0]), (curl.len(), curl[0]));
            let long = length(&cut) / (part * all);
            assert!((long - 1.0).abs() < 0.01, "{part}: {long}");
            // Its tip is on the curl where that is so long.
            let [tip, wanted] = [cut[63].y, -0.006 * 63.0 * part];
            assert!((tip - wanted).abs() < 0.004, "{part}: {tip} for {wanted}");
            let edge = |w: &[Vec3]| w[0].distance(w[1]);
            let [least, most] = [f32::min, f32::max].map(|choose| {
                let edges = cut.windows(2).map(edge);
                edges.reduce(choose).expect("edges")
            });
            assert!(least > 0.1 * most, "{part}: {least} to {most}");
        }
    }

    #[test]
    fn more_than_all_of_a_line_goes_on_straight() {
        let line = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        assert_eq!(first(&line, 1.5)[2], Vec3::X * 3.0);
    }
}
