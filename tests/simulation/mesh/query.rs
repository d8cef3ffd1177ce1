//! Nearest points and rays against trying every triangle.

use super::{bust, from_text, point_near};
use glam::{DVec3, Vec3};
use lovelock::{
    math::random,
    mesh::{Mesh, Surface},
};

/// The distance from a triangle in f64, by trying its inside, edges and corners.
fn triangle_distance(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a).normalize();
    let edges = [(a, b), (b, c), (c, a)];
    let inside = edges
        .iter()
        .all(|(from, to)| (to - from).cross(p - from).dot(normal) >= 0.0);
    if inside {
        return (p - a).dot(normal).abs();
    }
    edges
        .iter()
        .map(|(from, to)| {
            let along = to - from;
            let t = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            p.distance(from + along * t)
        })
        .fold(f64::INFINITY, f64::min)
}

fn brute_distance(mesh: &Mesh, p: Vec3) -> f64 {
    (0..mesh.triangles.len())
        .map(|t| triangle_distance(p.as_dvec3(), mesh.corners(t).map(Vec3::as_dvec3)))
        .fold(f64::INFINITY, f64::min)
}

/// Solid angles of all triangles as seen from `p`, over 4π (van Oosterom &
/// Strackee 1983): one inside a closed mesh, zero outside.
fn winding(mesh: &Mesh, p: Vec3) -> f64 {
    let angle = |i: usize| {
        let [a, b, c] = mesh.corners(i).map(|q| (q - p).as_dvec3());
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    (0..mesh.triangles.len()).map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

#[test]
fn closest_agrees_with_trying_every_triangle() {
    let mesh = bust();
    let surface = Surface::new(&mesh);
    assert!(surface.is_closed());
    for i in 0..300 {
        let p = point_near(&mesh, 0.05, i);
        let exact = brute_distance(&mesh, p);
        let nearest = surface.closest(p, f32::INFINITY).unwrap();
        let length = nearest.distance.abs();
        assert!(
            (f64::from(length) - exact).abs() < 2e-7,
            "{p} {nearest:?} {exact}"
        );
        assert_eq!(
            nearest.distance < 0.0,
            winding(&mesh, p) > 0.5,
            "{p} {nearest:?}"
        );
        assert!((nearest.point.distance(p) - length).abs() < 1e-6);
        let on_triangle = triangle_distance(
            nearest.point.as_dvec3(),
            mesh.corners(nearest.triangle as usize).map(Vec3::as_dvec3),
        );
        assert!(on_triangle < 1e-7);
        let back = nearest.point + nearest.normal * nearest.distance;
        assert!(back.distance(p) < 1e-6 && (nearest.normal.length() - 1.0).abs() < 1e-4);
        assert_eq!(surface.signed_distance(p), nearest.distance);
        // A limit changes nothing but whether the answer is given.
        assert_eq!(surface.closest(p, 1.001 * length), Some(nearest));
        assert_eq!(surface.closest(p, 0.999 * length), None);
    }
}

#[test]
fn the_sign_is_right_next_to_every_feature() {
    // Just off each vertex, edge and face of the bust, where plain face
    // normals would often be wrong.
    let mesh = bust();
    let surface = Surface::new(&mesh);
    for (i, triangle) in mesh.triangles.iter().enumerate().step_by(23) {
        let [a, b, c] = mesh.corners(i);
        let normal = surface.face_normal(i as u32);
        for q in [a, b, c, a.midpoint(b), b.midpoint(c), (a + b + c) / 3.0] {
            for k in 0..2u64 {
                let away = Vec3::from_array(
                    [0, 1, 2].map(|axis| random::signed(9 + axis, 2 * i as u64 + k)),
                );
                let p = q + 3e-4 * away;
                let nearest = surface.closest(p, 0.01).unwrap();
                if nearest.distance.abs() > 2e-6 {
                    assert_eq!(
                        nearest.distance < 0.0,
                        winding(&mesh, p) > 0.5,
                        "{triangle:?} {p} {nearest:?}"
                    );
                }
            }
        }
        // On the skin itself there is still a normal.
        let on = surface.closest((a + b + c) / 3.0, 0.01).unwrap();
        assert!(
            on.distance.abs() < 1e-7 && on.normal.dot(normal) > 0.99,
            "{on:?}"
        );
    }
}

#[test]
fn the_sign_is_right_around_spikes() {
    // Narrow pyramids, where the faces at the tip look away from each other:
    // the normal of any one of them tells the wrong side half of the time.
    for corners in [3, 4, 7] {
        let mut text = String::from("v 0 1 0\n");
        for k in 0..corners {
            let a = std::f32::consts::TAU * k as f32 / corners as f32;
            text += &format!("v {} 0 {}\n", 0.1 * a.sin(), 0.07 * a.cos());
        }
        let around: Vec<String> = (0..corners).map(|k| (k + 2).to_string()).collect();
        for k in 0..corners {
            text += &format!("f 1 {} {}\n", k + 2, (k + 1) % corners + 2);
        }
        let base: Vec<&str> = around.iter().rev().map(String::as_str).collect();
        text += &format!("f {}\n", base.join(" "));
        let mesh = from_text(&text);
        let surface = Surface::new(&mesh);
        assert!(surface.is_closed());
        for i in 0..4000 {
            let p = point_near(&mesh, 0.2, i);
            let nearest = surface.closest(p, f32::INFINITY).unwrap();
            if nearest.distance.abs() > 1e-5 {
                assert_eq!(
                    nearest.distance < 0.0,
                    winding(&mesh, p) > 0.5,
                    "{p} {nearest:?}"
                );
            }
        }
    }
}

#[test]
fn rays_agree_with_trying_every_triangle() {
    let mesh = bust();
    let surface = Surface::new(&mesh);
    let mut hits = 0;
    for i in 0..400 {
        let a = point_near(&mesh, 0.05, i);
        let b = point_near(&mesh, 0.05, i + 5000);
        let expected = (0..mesh.triangles.len())
            .filter_map(|t| {
                let [p, q, r] = mesh.corners(t).map(Vec3::as_dvec3);
                let (from, along) = (a.as_dvec3(), (b - a).as_dvec3());
                let normal = (q - p).cross(r - p);
                let at = normal.dot(p - from) / normal.dot(along);
                let x = from + along * at;
                let inside = [(p, q), (q, r), (r, p)]
                    .iter()
                    .all(|(s, e)| (e - s).cross(x - s).dot(normal) >= 0.0);
                (inside && (0.0..=1.0).contains(&at)).then_some(at)
            })
            .min_by(f64::total_cmp);
        let hit = surface.ray(a, b - a, 1.0);
        match (hit, expected) {
            (None, None) => {}
            (Some(hit), Some(at)) => {
                hits += 1;
                assert!((f64::from(hit.distance) - at).abs() < 1e-5, "{hit:?} {at}");
                assert_eq!(hit.normal, surface.face_normal(hit.triangle));
                let entering = hit.normal.dot(b - a) < 0.0;
                assert_eq!(entering, winding(&mesh, a) < 0.5);
                // Half the way there is nothing.
                assert_eq!(surface.ray(a, b - a, 0.99 * hit.distance), None);
            }
            other => panic!("{a} {b} {other:?}"),
        }
    }
    assert!(hits > 100, "{hits}");
    assert_eq!(
        surface.ray(Vec3::new(0.0, 1.0, 0.0), Vec3::NEG_Y, 0.5),
        None
    );
    assert!(
        surface
            .ray(Vec3::new(0.0, 1.0, 0.0), Vec3::NEG_Y, 1.0)
            .is_some()
    );
}

#[test]
fn no_ray_slips_through_an_edge_or_a_corner() {
    let mesh = bust();
    let surface = Surface::new(&mesh);
    for (i, corners) in (0..mesh.triangles.len())
        .map(|i| mesh.corners(i))
        .enumerate()
        .step_by(5)
    {
        let [a, b, c] = corners;
        let normal = surface.face_normal(i as u32);
        for q in [a, b, c, a.midpoint(b), a.lerp(c, 0.3)] {
            let from = q + 0.002 * normal;
            let hit = surface.ray(from, -0.004 * normal, 1.0);
            assert!(hit.is_some(), "{q} {normal}");
        }
    }
}

#[test]
fn beyond_the_rim_of_an_open_sheet_there_is_no_inside() {
    // A bowl: the lower half of a ball, open above.
    let mut text = String::new();
    let (rings, segments) = (12, 24);
    for ring in 0..=rings {
        for segment in 0..segments {
            let a = std::f32::consts::FRAC_PI_2 * (1.0 + ring as f32 / rings as f32);
            let b = std::f32::consts::TAU * segment as f32 / segments as f32;
            text += &format!(
                "v {} {} {}\n",
                0.1 * a.sin() * b.sin(),
                0.1 * a.cos(),
                0.1 * a.sin() * b.cos()
            );
        }
    }
    for ring in 0..rings {
        for segment in 0..segments {
            let at = |r: usize, s: usize| r * segments + s % segments + 1;
            text += &format!(
                "f {} {} {} {}\n",
                at(ring, segment),
                at(ring + 1, segment),
                at(ring + 1, segment + 1),
                at(ring, segment + 1)
            );
        }
    }
    let mesh = from_text(&text);
    let surface = Surface::new(&mesh);
    assert!(!surface.is_closed());
    let distance = |x: f32, y: f32| surface.signed_distance(Vec3::new(x, y, 0.001));
    assert!(distance(0.05, -0.05) < -0.02 && distance(0.0, -0.12) > 0.019);
    // Above the rim, inward and outward of it.
    for x in [0.02, 0.08, 0.095, 0.11, 0.2] {
        assert!(distance(x, 0.03) > 0.0, "{x}");
    }
}

#[test]
fn odd_numbers_are_answered() {
    let mesh = bust();
    let surface = Surface::new(&mesh);
    for p in [Vec3::NAN, Vec3::INFINITY, Vec3::MAX, Vec3::splat(1e12)] {
        let _ = surface.closest(p, f32::INFINITY);
        let _ = surface.closest(p, 0.01);
        let _ = surface.ray(p, Vec3::Y, f32::INFINITY);
        let _ = surface.ray(Vec3::ZERO, p, 1.0);
    }
    assert_eq!(surface.closest(Vec3::ZERO, 0.0), None);
    assert_eq!(surface.ray(Vec3::ZERO, Vec3::ZERO, 1.0), None);
    assert_eq!(surface.closest(Vec3::ZERO, f32::NAN), None);
}
