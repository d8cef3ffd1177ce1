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

/// A place on a curve: the number of an edge, and which share of the edge leads there from its
/// beginning; a share of more than one, of the last edge, is straight on behind the tip.
pub type EdgePlace = (usize, f32);

/// The first share `ratio` of a curve, with as many vertices at the same shares
/// of its length; more than all of it goes on straight.
///
/// Of a coarse curve, which turns by a tenth of a whole turn or more at its vertices, such
/// vertices would cut the corners off: there the corners stay, and edges between them are
/// divided.
pub fn first(points: &[Vec3], ratio: f32) -> Vec<Vec3> {
    points_at(points, &places_of_first(points, ratio))
}

/// The points of a curve at these places. `[m]`
pub fn points_at(points: &[Vec3], places: &[EdgePlace]) -> Vec<Vec3> {
    let on = |(edge, part): &EdgePlace| match points.get(*edge..*edge + 2) {
        Some([from, to]) => *from + (*to - *from) * *part,
        _ => points[0],
    };
    places.iter().map(on).collect()
}

/// Where the vertices of the [`first`] share of a curve are on it.
pub fn places_of_first(points: &[Vec3], ratio: f32) -> Vec<EdgePlace> {
    let ends = along(points);
    if points.is_empty() {
        return Vec::new();
    }
    if ratio >= 1.0 || !is_coarse(points) {
        return places(&ends, ends.iter().map(|end| end * ratio));
    }
    let long = ratio * ends[ends.len() - 1];
    // So many corners are left, the root among them. The last of them goes where the tip
    // would be close behind it: no edge is much shorter than the others.
    let mut left = ends.partition_point(|end| *end < long).max(1);
    if left > 1 && long - ends[left - 1] < STUB * (ends[left] - ends[left - 1]) {
        left -= 1;
    }
    let corners = [&ends[..left], &[long]].concat();
    // As many edges as the whole curve has are dealt out to those between the corners, by
    // their number: each gets one or more.
    let all = ends.len() - 1;
    let divided = (0..left).flat_map(|edge| {
        let parts = (edge + 1) * all / left - edge * all / left;
        let (from, to) = (corners[edge], corners[edge + 1]);
        (1..=parts).map(move |i| from + (to - from) * i as f32 / parts as f32)
    });
    places(&ends, std::iter::once(0.0).chain(divided))
}

/// Whether a curve turns so much at its vertices that it loses more than `CORNERS` of its
/// length where each is cut off from the middle of one edge to that of the next. A curl has
/// ten vertices a turn then, or fewer.
fn is_coarse(points: &[Vec3]) -> bool {
    let middles = points.windows(2).map(|edge| edge[0].midpoint(edge[1]));
    let ends = [points.first(), points.last()].map(|end| end.copied());
    let cut: Vec<Vec3> = (ends[0].into_iter())
        .chain(middles)
        .chain(ends[1])
        .collect();
    length(&cut) < (1.0 - CORNERS) * length(points)
}

/// So much of its length a curve may lose to its corners, as a share, and is not coarse.
const CORNERS: f32 = 0.04;

/// The last edge is no less than that share of the one that it is a part of.
const STUB: f32 = 0.5;

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

/// The share of a curve whose [`first`] part is so long; more than one where that is longer
/// than the curve. A part with corners cut off is shorter than its share. `[m]`
pub fn share(points: &[Vec3], long: f32) -> f32 {
    let all = length(points).max(f32::MIN_POSITIVE);
    let part = |share: f32| length(&first(points, share)).max(f32::MIN_POSITIVE);
    if long >= all {
        return (0..3).fold(long / all, |share, _| share * long / part(share));
    }
    // Straight hair is as long as its share to the last digit.
    if part(long / all) >= long * (1.0 - 1e-6) {
        return long / all;
    }
    // A part is no longer than its share of the curve, and all of it is longer than `long`.
    let [mut short, mut enough] = [long / all, 1.0];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (short + enough);
        match part(middle) < long {
            true => short = middle,
            false => enough = middle,
        }
    }
    enough
}

/// So often the search for a share is halved: to the last digit of a number.
const HALVINGS: usize = 24;

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

    fn coarse_curl() -> Vec<Vec3> {
        let corner = |i: usize| {
            let [x, z] = [[0.01, 0.0], [0.0, 0.01], [-0.01, 0.0], [0.0, -0.01]][i % 4];
            Vec3::new(x, -0.006 * i as f32, z)
        };
        (0..64).map(corner).collect()
    }

    #[test]
    fn the_share_of_a_first_part_is_found_again() {
        for (curve, near) in [(coarse_curl(), 0.008), (helix(), 1e-3)] {
            for i in 1..=500 {
                let part = i as f32 / 500.0;
                let found = share(&curve, length(&first(&curve, part)));
                assert!((found - part).abs() < near, "{part}: {found}");
            }
        }
    }

    #[test]
    fn a_coarse_curl_keeps_its_corners_and_never_goes_on_behind_its_tip() {
        // Four vertices a turn, as the tightest curl has.
        let curl = coarse_curl();
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
