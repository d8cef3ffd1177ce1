//! Cuts a polygon with any number of corners into triangles.

use glam::{DVec2, DVec3, Vec3};
use spade::{
    ConstrainedDelaunayTriangulation as Delaunay, HasPosition, Point2, Triangulation,
    handles::DirectedEdgeHandle, mitigate_underflow,
};
use std::collections::HashMap;

/// Polygons with at most so many corners are cut ear by ear: each of the ears is looked
/// for at every corner, and each looks at all others, but these are few steps.
const FEW: usize = 64;

/// Appends the `n - 2` triangles of polygon `points` as indices into it; convex
/// quads take the shorter diagonal. A polygon that crosses itself gives another number,
/// a large tangle few, a large one without area none.
pub(super) fn triangulate(points: &[Vec3], out: &mut Vec<[usize; 3]>) {
    match points.len() {
        0..=2 => {}
        3 => out.push([0, 1, 2]),
        4..=FEW => cut(points, &project(points), out),
        _ => fill(&project(points), out),
    }
}

/// Cuts ears (Meisters 1975).
fn cut(points: &[Vec3], flat: &[DVec2], out: &mut Vec<[usize; 3]>) {
    let mut left: Vec<usize> = (0..points.len()).collect();
    while left.len() > 3 {
        let n = left.len();
        let corner = |i: usize| flat[left[i % n]];
        let is_ear = |i: usize| {
            let (a, b, c) = (corner(i + n - 1), corner(i), corner(i + 1));
            (b - a).perp_dot(c - a) > 0.0
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
    out.push([left[0], left[1], left[2]]);
}

/// A corner of a large polygon, with its number.
struct Corner {
    place: Point2<f64>,
    number: usize,
}

impl HasPosition for Corner {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.place
    }
}

/// Takes the part of a constrained Delaunay triangulation that the outline winds
/// around. No corner is lost, unlike with the usual ear cutters, which pass over
/// corners on a straight line and so tear the mesh open there.
fn fill(flat: &[DVec2], out: &mut Vec<[usize; 3]>) {
    let bits = |p: DVec2| (p + DVec2::ZERO).to_array().map(f64::to_bits);
    let mut known = HashMap::with_capacity(flat.len());
    let mut corners: Vec<Corner> = Vec::with_capacity(flat.len());
    // Where the outline comes back to a place, that place is one corner.
    let slots: Vec<usize> = flat
        .iter()
        .enumerate()
        .map(|(number, place)| {
            *known.entry(bits(*place)).or_insert_with(|| {
                corners.push(Corner {
                    place: mitigate_underflow(Point2::new(place.x, place.y)),
                    number,
                });
                corners.len() - 1
            })
        })
        .collect();
    let ends = slots.iter().zip(slots.iter().cycle().skip(1));
    let edges: Vec<[usize; 2]> = ends
        .map(|(a, b)| [*a, *b])
        .filter(|[a, b]| a != b)
        .collect();
    let number = |slot: usize| corners[slot].number;
    // How often the outline runs along an edge from its lower to its higher
    // corner, less how often it comes back: so much more it winds to the left.
    let mut winds: HashMap<[usize; 2], i32> = HashMap::with_capacity(edges.len());
    for [a, b] in &edges {
        let (a, b) = (number(*a), number(*b));
        *winds.entry([a.min(b), a.max(b)]).or_insert(0) += if a < b { 1 } else { -1 };
    }
    // Edges that cross others are left out.
    let Ok(delaunay) = Delaunay::<Corner>::try_bulk_load_cdt(corners, edges, |_| ()) else {
        return;
    };
    type Edge<'a> = DirectedEdgeHandle<'a, Corner, (), spade::CdtEdge<()>, ()>;
    let more_left = |edge: Edge| {
        let [a, b] = edge.vertices().map(|vertex| vertex.data().number);
        let more = winds.get(&[a.min(b), a.max(b)]).copied().unwrap_or(0);
        if a < b { more } else { -more }
    };
    let mut winding: Vec<Option<i32>> = vec![None; delaunay.num_all_faces()];
    let outside = delaunay.outer_face().fix().index();
    winding[outside] = Some(0);
    // Edges with a known face to their right.
    let mut front: Vec<Edge> = delaunay
        .directed_edges()
        .filter(|edge| edge.is_outer_edge())
        .map(|edge| edge.rev())
        .collect();
    while let Some(edge) = front.pop() {
        let (here, there) = (edge.face(), edge.rev().face());
        let slot = here.fix().index();
        if winding[slot].is_some() {
            continue;
        }
        let beside = winding[there.fix().index()].unwrap_or(0);
        winding[slot] = Some(beside + more_left(edge));
        let around = [edge, edge.next(), edge.prev()];
        front.extend(around.map(|edge| edge.rev()));
    }
    for face in delaunay.inner_faces() {
        if winding[face.fix().index()].unwrap_or(0) > 0 {
            out.push(face.vertices().map(|vertex| vertex.data().number));
        }
    }
}

/// The polygon seen along its mean normal (Newell's method).
fn project(points: &[Vec3]) -> Vec<DVec2> {
    let away = |p: Vec3| p.as_dvec3() - points[0].as_dvec3();
    let normal: DVec3 = (0..points.len())
        .map(|i| away(points[i]).cross(away(points[(i + 1) % points.len()])))
        .sum();
    let normal = normal.try_normalize().unwrap_or(DVec3::Y);
    let (u, v) = normal.any_orthonormal_pair();
    points
        .iter()
        .map(|p| DVec2::new(away(*p).dot(u), away(*p).dot(v)))
        .collect()
}

fn inside(p: DVec2, [a, b, c]: [DVec2; 3]) -> bool {
    let left = |from: DVec2, to: DVec2| (to - from).perp_dot(p - from) >= 0.0;
    left(a, b) && left(b, c) && left(c, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};

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

    /// Where no number is drawn twice in a row.
    fn draw(salt: u64, i: usize) -> f32 {
        crate::math::random::uniform(salt, i as u64)
    }

    /// A star around the origin: one corner a direction, at any distance.
    fn star(n: usize, seed: u64) -> Vec<Vec3> {
        let corner = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / n as f64;
            let far = 0.2 + 0.8 * f64::from(draw(seed, i));
            (far * DVec3::new(cos(angle), sin(angle), 0.0)).as_vec3()
        };
        (0..n).map(corner).collect()
    }

    /// A comb with teeth of any length, and corners on its straight back.
    fn comb(teeth: usize, seed: u64) -> Vec<Vec3> {
        let width = 1.0 / teeth as f32;
        let back = (0..=teeth).map(|i| Vec3::new(i as f32 * width, 0.0, 0.0));
        let tooth = |i: usize| {
            let (from, long) = ((teeth - i) as f32 * width, 0.2 + draw(seed, i));
            let left = from - 0.5 * width;
            [
                Vec3::new(from, 0.1, 0.0),
                Vec3::new(from, long, 0.0),
                Vec3::new(left, long, 0.0),
                Vec3::new(left, 0.1, 0.0),
            ]
        };
        let mut all: Vec<Vec3> = back.chain((0..teeth).flat_map(tooth)).collect();
        all.push(Vec3::new(0.0, 0.1, 0.0));
        all
    }

    fn shoelace(points: &[Vec3]) -> f64 {
        let next = points.iter().cycle().skip(1);
        let doubled = points
            .iter()
            .zip(next)
            .map(|(a, b)| f64::from(a.x) * f64::from(b.y) - f64::from(b.x) * f64::from(a.y));
        0.5 * doubled.sum::<f64>()
    }

    /// Every triangle on the polygon's side, all corners used, the area whole.
    fn check(points: &[Vec3], what: &str) {
        let mut triangles = Vec::new();
        triangulate(points, &mut triangles);
        assert_eq!(triangles.len(), points.len() - 2, "{what}");
        let (mut sum, mut used) = (0.0, vec![false; points.len()]);
        for triangle in &triangles {
            let [a, b, c] = triangle.map(|i| points[i].as_dvec3());
            let area = 0.5 * (b - a).cross(c - a).z;
            assert!(area >= 0.0, "{what}: {triangle:?} is turned over: {area}");
            sum += area;
            triangle.iter().for_each(|i| used[*i] = true);
        }
        let wanted = shoelace(points);
        assert!(
            (sum - wanted).abs() < 1e-9 * wanted,
            "{what}: {sum} {wanted}"
        );
        assert!(used.iter().all(|used| *used), "{what}: a corner is lost");
    }

    #[test]
    fn stars_and_combs_of_any_size_are_covered_once() {
        for seed in 0..40 {
            for n in [5, 12, 40, 64, 65, 200, 1000] {
                check(&star(n, seed), &format!("star {n}, {seed}"));
                check(&comb(n / 4 + 1, seed), &format!("comb {n}, {seed}"));
            }
        }
    }

    #[test]
    fn a_polygon_around_a_hole_leaves_the_hole_open() {
        // A ring cut open by a slit that is run along twice, as programs write
        // a face with a hole.
        let ring = |n: usize, radius: f32, way: f32| {
            (0..=n).map(move |i| {
                // It comes back to the very place it began at.
                let angle = way * std::f32::consts::TAU * (i % n) as f32 / n as f32;
                radius * Vec3::new(cos(angle), sin(angle), 0.0)
            })
        };
        let points: Vec<Vec3> = ring(60, 1.0, 1.0).chain(ring(60, 0.5, -1.0)).collect();
        let (count, sum, smallest) = area(&points);
        let wanted = shoelace(&points) as f32;
        assert_eq!(count, points.len() - 2);
        assert!(
            (sum - wanted).abs() < 1e-4 && smallest >= 0.0,
            "{sum} {wanted}"
        );
    }

    #[test]
    fn a_polygon_that_crosses_itself_ends_well() {
        for n in [65, 300] {
            let tangle: Vec<Vec3> = (0..n)
                .map(|i| Vec3::new(draw(1, i), draw(2, i), draw(3, i)))
                .collect();
            let (count, ..) = area(&tangle);
            assert!((1..=2 * n).contains(&count), "{count} of {n}");
            assert!(area(&vec![Vec3::ONE; n]).0 <= n - 2);
        }
    }

    #[test]
    fn large_stars_and_combs_are_covered_once() {
        check(&star(100_000, 1), "star");
        check(&comb(20_000, 1), "comb");
    }
}
