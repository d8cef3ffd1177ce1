//! The head: asking it for points, rays, distances and roots.

#![allow(clippy::unwrap_used)]

mod grid;
mod query;
mod read;
mod roots;

use glam::Vec3;
use lovelock::{
    math::random,
    mesh::{self, DistanceGrid, HeadParams, Mesh, RootParams, Surface, obj},
};
use std::{path::Path, sync::Arc, time::Instant};

fn bust() -> Arc<Mesh> {
    mesh::load(&HeadParams::default()).unwrap().mesh
}

fn from_text(text: &str) -> Mesh {
    obj::parse(text.as_bytes(), Path::new("test.obj"))
        .unwrap()
        .mesh
}

/// A random point in a box that is `margin` larger than the mesh.
fn point_near(mesh: &Mesh, margin: f32, index: u64) -> Vec3 {
    let [min, max] = mesh.bounds();
    let t = Vec3::from_array([0, 1, 2].map(|k| random::uniform(5, 3 * index + k)));
    min - margin + t * (max - min + 2.0 * margin)
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
            let t = i / 11 % head.mesh.triangles.len();
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
