//! Normals of faces, edges and vertices, by which inside is told from outside.

use super::{Mesh, normals};
use glam::Vec3;
use std::collections::HashMap;

/// The part of a triangle that a nearest point lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Feature {
    /// The inside.
    Face,
    /// The edge from this corner to the next.
    Edge(u8),
    /// This corner.
    Vertex(u8),
}

/// Angle-weighted pseudonormals (Bærentzen & Aanæs 2005) of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Features {
    faces: Vec<Vec3>,
    /// For each triangle its edges' normals, then its vertices'.
    others: Vec<[Vec3; 6]>,
    /// For each triangle a bit for each of these: whether it is on a rim.
    rim: Vec<u8>,
    /// Whether every edge is shared by two triangles.
    pub closed: bool,
}

impl Features {
    pub fn new(mesh: &Mesh) -> Self {
        let count = mesh.triangles.len();
        let faces: Vec<Vec3> = (0..count)
            .map(|i| mesh.area_normal(i).normalize_or(Vec3::Y))
            .collect();
        let mut vertex_normals = vec![Vec3::ZERO; mesh.positions.len()];
        // Each edge, named by its lower and higher vertex: sum of face
        // normals, number of faces.
        let mut edges: HashMap<[u32; 2], (Vec3, u32)> = HashMap::with_capacity(count * 3 / 2);
        for (i, triangle) in mesh.triangles.iter().enumerate() {
            let angles = normals::angles(mesh.corners(i));
            for corner in 0..3 {
                vertex_normals[triangle[corner] as usize] += faces[i] * angles[corner];
                let edge = edges.entry(edge_name(triangle, corner)).or_default();
                edge.0 += faces[i];
                edge.1 += 1;
            }
        }
        let mut on_rim = vec![false; mesh.positions.len()];
        for (name, (_, faces)) in &edges {
            if *faces == 1 {
                name.iter().for_each(|v| on_rim[*v as usize] = true);
            }
        }
        let mut others = Vec::with_capacity(count);
        let mut rim = Vec::with_capacity(count);
        for (i, triangle) in mesh.triangles.iter().enumerate() {
            let mut normals = [Vec3::ZERO; 6];
            let mut bits = 0u8;
            for corner in 0..3 {
                let (sum, shared) = edges[&edge_name(triangle, corner)];
                let v = triangle[corner] as usize;
                // Two faces back to back cancel out; then the face's own will do.
                normals[corner] = sum.normalize_or(faces[i]);
                normals[3 + corner] = vertex_normals[v].normalize_or(faces[i]);
                bits |= u8::from(shared == 1) << corner;
                bits |= u8::from(on_rim[v]) << (3 + corner);
            }
            others.push(normals);
            rim.push(bits);
        }
        Self {
            faces,
            others,
            closed: rim.iter().all(|bits| *bits == 0),
            rim,
        }
    }

    /// The unit pseudonormal of a feature, and whether it is on a rim.
    pub fn normal(&self, triangle: u32, feature: Feature) -> (Vec3, bool) {
        let triangle = triangle as usize;
        let slot = match feature {
            Feature::Face => return (self.faces[triangle], false),
            Feature::Edge(corner) => corner,
            Feature::Vertex(corner) => 3 + corner,
        };
        (
            self.others[triangle][usize::from(slot)],
            self.rim[triangle] >> slot & 1 == 1,
        )
    }

    /// The unit normal of a face.
    pub fn face(&self, triangle: u32) -> Vec3 {
        self.faces[triangle as usize]
    }
}

fn edge_name(triangle: &[u32; 3], corner: usize) -> [u32; 2] {
    let (a, b) = (triangle[corner], triangle[(corner + 1) % 3]);
    [a.min(b), a.max(b)]
}
