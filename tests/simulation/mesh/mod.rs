//! The head: asking it for points, rays, distances and roots.

#![allow(clippy::unwrap_used)]

mod formats;
mod grid;
mod query;
mod read;
mod roots;

use glam::Vec3;
use lovelock::{
    math::random,
    mesh::{self, HeadParams, Mesh, obj},
};
use std::{path::Path, sync::Arc};

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
