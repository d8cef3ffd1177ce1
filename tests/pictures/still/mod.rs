//! A head with curls that never moves: what the picture tests draw. Nothing of
//! it comes from the simulation or from the program's own hairstyles, so that
//! work on those does not change the pictures.

#![allow(dead_code, reason = "each test program uses its own part of this")]

use glam::Vec3;
use lovelock::{
    groom::Groom,
    math::random::uniform,
    mesh::{HeadParams, Mesh, load::load},
    render::{Headless, Renderer},
};
use std::f32::consts::TAU;

/// A renderer without a window; `None`, with a word of it, where there is no
/// OpenGL, unless REQUIRE_GL=1 asks for a failure.
pub fn renderer() -> Option<(Headless, Renderer)> {
    match Headless::new() {
        Ok(headless) => {
            let renderer = Renderer::new(headless.gl()).expect("every shader compiles");
            Some((headless, renderer))
        }
        Err(error) if std::env::var("REQUIRE_GL").is_ok_and(|v| v == "1") => panic!("{error}"),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

/// The built-in bust.
pub fn bust() -> Mesh {
    let head = load(&HeadParams::default()).expect("the built-in head");
    Mesh::clone(&head.mesh)
}

/// Curls on the scalp of `mesh`: helices that leave it and fall.
pub fn curls(mesh: &Mesh, strands: u64, vertices: usize) -> Groom {
    let scalp = mesh.groups.iter().find(|group| group.is_scalp());
    let scalp = scalp.map_or(0..mesh.triangles.len(), |group| group.triangles.clone());
    let mut groom = Groom {
        starts: vec![0],
        ..Groom::default()
    };
    for strand in 0..strands {
        let draw = |which: u64| uniform(which, strand);
        let t = scalp.start + (draw(1) * scalp.len() as f32) as usize;
        let [a, b, c] = mesh.corners(t);
        let root = (a + b + c) / 3.0;
        let normal = mesh.normals[t].iter().sum::<Vec3>().normalize();
        let away = Vec3::new(root.x * 1.6, 0.0, root.z * 0.5 - 0.03).normalize_or(Vec3::X);
        let length = 0.2 * (0.85 + 0.3 * draw(4));
        let radius = 0.008 * (0.75 + 0.5 * draw(5));
        // Neighbours curl together.
        let cell = (root * 40.0).floor();
        let lock = (cell.x * 73.0 + cell.y * 151.0 + cell.z * 283.0).abs() as u64;
        let phase = TAU * uniform(6, lock) + 1.3 * (draw(7) - 0.5);
        let turn = if uniform(8, lock) < 0.5 { 1.0 } else { -1.0 };
        let step = length / (vertices - 1) as f32;
        let (mut middle, mut heading) = (root, normal);
        for i in 0..vertices {
            let s = i as f32 * step;
            let side = Vec3::Y.cross(heading).normalize_or(Vec3::X);
            let other = heading.cross(side);
            let angle = phase + turn * TAU * s / 0.034;
            let wide = radius * (s / (0.3 * length)).min(1.0);
            let curl = side * (angle.cos() - phase.cos()) + other * (angle.sin() - phase.sin());
            groom.points.push(middle + curl * wide);
            heading = (heading + (Vec3::NEG_Y + away * 0.25) * step * 30.0).normalize();
            // Around the head, not through it.
            let out = (middle - Vec3::new(0.0, 0.02, 0.0)) / Vec3::new(0.088, 0.112, 0.112);
            if out.length() < 1.0 {
                middle += out.normalize() * (1.0 - out.length()) * 0.1;
                heading = (heading + out.normalize() * 0.2).normalize();
            }
            middle += heading * step * 0.72;
        }
        groom.starts.push(groom.points.len() as u32);
        groom.masses.push(1.0);
    }
    groom
}
