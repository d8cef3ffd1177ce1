//! Cuts a polygon with any number of corners into triangles.

use glam::{Vec2, Vec3};

/// Appends the `n - 2` triangles of polygon `points` as indices into it, by
/// cutting ears (Meisters 1975); convex quads take the shorter diagonal.
/// Polygons that touch or cross themselves still give `n - 2` triangles.
pub(super) fn triangulate(points: &[Vec3], out: &mut Vec<[usize; 3]>) {
    match points.len() {
        0..=2 => {}
        3 => out.push([0, 1, 2]),
        _ => cut(points, out),
    }
}

/// Beyond this many corners the quadratic search gives way to a plain fan.
const LARGEST: usize = 2000;

fn cut(points: &[Vec3], out: &mut Vec<[usize; 3]>) {
    let flat = project(points);
    let mut left: Vec<usize> = (0..points.len()).collect();
    while left.len() > 3 && left.len() <= LARGEST {
        let n = left.len();
        let corner = |i: usize| flat[left[i % n]];
        let is_ear = |i: usize| {
            let (a, b, c) = (corner(i + n - 1), corner(i), corner(i + 1));
            let area = cross(b - a, c - a);
            area > 0.0
                && (0..n)
                    .filter(|j| ![(i + n - 1) % n, i, (i + 1) % n].contains(j))
                    .map(corner)
                    .filter(|p| *p != a && *p != b && *p != c)
                    .all(|p| !inside(p, [a, b, c]))
        };
        // Of all ears the one with the shortest cut makes the best triangles.
        let length =
            |i: usize| points[left[(i + n - 1) % n]].distance_squared(points[left[(i + 1) % n]]);
        let ear = (0..n)
            .filter(|i| is_ear(*i))
            .min_by(|a, b| length(*a).total_cmp(&length(*b)))
            .unwrap_or(1);
        out.push([left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]]);
        left.remove(ear);
    }
    for i in 1..left.len() - 1 {
        out.push([left[0], left[i], left[i + 1]]);
    }
}

/// The polygon seen along its mean normal (Newell's method).
fn project(points: &[Vec3]) -> Vec<Vec2> {
    let origin = points[0];
    let normal: Vec3 = (0..points.len())
        .map(|i| (points[i] - origin).cross(points[(i + 1) % points.len()] - origin))
        .sum();
    let normal = normal.try_normalize().unwrap_or(Vec3::Y);
    let (u, v) = normal.any_orthonormal_pair();
    points
        .iter()
        .map(|p| Vec2::new((p - origin).dot(u), (p - origin).dot(v)))
        .collect()
}

fn cross(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

fn inside(p: Vec2, [a, b, c]: [Vec2; 3]) -> bool {
    cross(b - a, p - a) >= 0.0 && cross(c - b, p - b) >= 0.0 && cross(a - c, p - c) >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[Vec3]) -> (usize, f32, f32) {
        let mut triangles = Vec::new();
        triangulate(points, &mut triangles);
        let areas = triangles.iter().map(|t| {
            let [a, b, c] = t.map(|i| points[i]);
            0.5 * (b - a).cross(c - a).z
        });
        let sum = areas.clone().sum();
        (triangles.len(), sum, areas.fold(f32::INFINITY, f32::min))
    }

    #[test]
    fn a_concave_polygon_keeps_its_area_and_side() {
        // An arrowhead whose fan from the first corner would fold over itself.
        let arrow =
            [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        for turn in 0..4 {
            let mut turned = arrow;
            turned.rotate_left(turn);
            let (count, sum, smallest) = area(&turned);
            assert_eq!(count, 2);
            assert!(
                (sum - 1.0).abs() < 1e-6 && smallest > 0.0,
                "{sum} {smallest}"
            );
        }
        // A comb: n - 2 triangles that cover exactly the polygon.
        let comb: Vec<Vec3> = [
            [0.0, 0.0],
            [5.0, 0.0],
            [5.0, 3.0],
            [4.0, 3.0],
            [4.0, 1.0],
            [3.0, 1.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 1.0],
            [0.0, 1.0],
        ]
        .map(|[x, y]| Vec3::new(x, y, 0.0))
        .to_vec();
        let (count, sum, smallest) = area(&comb);
        assert_eq!(count, 8);
        assert!(
            (sum - 9.0).abs() < 1e-5 && smallest > 0.0,
            "{sum} {smallest}"
        );
        // A notch whose mouth is the shortest cut, but lies outside.
        let notch = [
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [2.1, 4.0],
            [2.0, 1.0],
            [1.9, 4.0],
            [0.0, 4.0],
        ];
        let (count, sum, smallest) = area(&notch.map(|[x, y]| Vec3::new(x, y, 0.0)));
        assert_eq!(count, 5);
        assert!(
            (sum - 15.7).abs() < 1e-4 && smallest > 0.0,
            "{sum} {smallest}"
        );
    }

    #[test]
    fn a_degenerate_polygon_still_gives_n_minus_two_triangles() {
        for n in 3..9 {
            let points = vec![Vec3::ONE; n];
            assert_eq!(area(&points).0, n - 2);
        }
    }
}
