//! The head: asking it for points, rays, distances and roots.

#![allow(clippy::unwrap_used)]

use glam::{DVec3, Vec3};
use lovelock::{
    math::random,
    mesh::{self, DistanceGrid, HeadParams, Mesh, RootParams, Surface},
};
use std::{sync::Arc, time::Instant};

fn bust() -> Arc<Mesh> {
    mesh::load(&HeadParams::default()).unwrap().mesh
}

/// A random point in a box that is `margin` larger than the mesh.
fn point_near(mesh: &Mesh, margin: f32, index: u64) -> Vec3 {
    let [min, max] = mesh.bounds().map(|p| p);
    let t = Vec3::from_array([0, 1, 2].map(|k| random::uniform(5, 3 * index + k)));
    min - margin + t * (max - min + 2.0 * margin)
}

/// The distance from a triangle in f64, by trying its inside, edges and corners.
fn triangle_distance(p: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).normalize();
    let inside = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(from, to)| (to - from).cross(p - from).dot(normal) >= 0.0);
    if inside {
        return (p - a).dot(normal).abs();
    }
    [(a, b), (b, c), (c, a)]
        .iter()
        .map(|(from, to)| {
            let along = to - from;
            let t = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            p.distance(from + along * t)
        })
        .fold(f64::INFINITY, f64::min)
}

/// Solid angles of all triangles as seen from `p`, over 4 pi (van Oosterom &
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
    for i in 0..200 {
        let p = point_near(&mesh, 0.05, i);
        let exact = (0..mesh.triangles.len())
            .map(|t| triangle_distance(p.as_dvec3(), mesh.corners(t).map(Vec3::as_dvec3)))
            .fold(f64::INFINITY, f64::min);
        let inside = winding(&mesh, p) > 0.5;
        let nearest = surface.closest(p, f32::INFINITY).unwrap();
        assert!(
            (f64::from(nearest.distance.abs()) - exact).abs() < 2e-7,
            "{p} {nearest:?} {exact}"
        );
        assert_eq!(nearest.distance < 0.0, inside, "{p} {nearest:?}");
        assert!((nearest.point.distance(p) - nearest.distance.abs()).abs() < 1e-6);
        let back = nearest.point + nearest.normal * nearest.distance;
        assert!(back.distance(p) < 1e-6 && (nearest.normal.length() - 1.0).abs() < 1e-4);
        // A limit changes nothing but whether the answer is given.
        let limit = 1.001 * nearest.distance.abs();
        assert_eq!(surface.closest(p, limit), Some(nearest));
        assert_eq!(surface.closest(p, 0.99 * nearest.distance.abs()), None);
    }
}

#[test]
#[ignore = "prints timings"]
fn timing() {
    let start = Instant::now();
    let head = mesh::load(&HeadParams::default()).unwrap();
    println!("load {:?} {}", start.elapsed(), head.report.summary);
    let start = Instant::now();
    let roots = mesh::roots(&head.mesh, &RootParams::default()).unwrap();
    println!("roots {:?} {}", start.elapsed(), roots.len());
    let start = Instant::now();
    let surface = Surface::new(&head.mesh);
    println!(
        "surface {:?} closed {}",
        start.elapsed(),
        surface.is_closed()
    );
    for cell in [0.004, 0.003, 0.002] {
        let start = Instant::now();
        let grid = DistanceGrid::bake(&head.mesh, &surface, cell, 0.05);
        println!(
            "grid {cell} {:?} {:?} {:?}",
            start.elapsed(),
            grid.dims,
            grid.warning
        );
        let (mut worst, mut sum, mut count) = (0.0f32, 0.0f64, 0);
        let mut wrong = 0;
        let mut far: f32 = 0.0;
        for i in 0..400_000 {
            let p = point_near(&head.mesh, 0.04, i);
            let exact = surface.signed_distance(p);
            let error = (grid.sample(p) - exact).abs();
            if exact.abs() < 0.006 {
                worst = worst.max(error);
                sum += f64::from(error).powi(2);
                count += 1;
            } else {
                far = far.max(error);
                wrong += u32::from(grid.sample(p) * exact < 0.0);
            }
        }
        println!(
            "  near: worst {:.2} mm rms {:.3} mm of {count}; far: worst {:.2} mm, {wrong} wrong sides",
            1e3 * worst,
            1e3 * (sum / f64::from(count)).sqrt(),
            1e3 * far
        );
    }
    let n = 200_000;
    let points: Vec<_> = (0..n)
        .map(|i| {
            let t = i * 7919 % head.mesh.triangles.len();
            let [a, b, c] = head.mesh.corners(t);
            let r = random::uniform(1, i as u64);
            (a + b + c) / 3.0 + surface.face_normal(t as u32) * (0.004 * r - 0.001)
        })
        .collect();
    for max in [0.002, 0.004, 0.01, 1.0] {
        let start = Instant::now();
        let hits = points
            .iter()
            .filter(|p| surface.closest(**p, max).is_some())
            .count();
        println!(
            "closest {max}: {:.0} ns, {hits}",
            start.elapsed().as_nanos() as f64 / n as f64
        );
    }
    for max in [0.003, 3.0] {
        let start = Instant::now();
        let hits = points
            .iter()
            .enumerate()
            .filter(|(i, p)| {
                let a = *i as f32;
                surface
                    .ray(**p, Vec3::new(a.sin(), a.cos(), 0.3), max)
                    .is_some()
            })
            .count();
        println!(
            "ray {max}: {:.0} ns, {hits}",
            start.elapsed().as_nanos() as f64 / n as f64
        );
    }
}
