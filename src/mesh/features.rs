//! Normals of faces, edges and vertices, by which inside is told from outside.

use super::{Mesh, edges, normals};
use glam::Vec3;

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
        for (i, triangle) in mesh.triangles.iter().enumerate() {
            let angles = normals::angles(mesh.corners(i));
            for (v, angle) in triangle.iter().zip(angles) {
                vertex_normals[*v as usize] += faces[i] * angle;
            }
        }
        let mut others = vec![[Vec3::ZERO; 6]; count];
        let mut rim = vec![0u8; count];
        let mut on_rim = vec![false; mesh.positions.len()];
        let sides = edges::sides(mesh);
        for edge in edges::edges(&sides) {
            let sum: Vec3 = edge.iter().map(|side| faces[side.triangle as usize]).sum();
            for side in edge {
                let triangle = side.triangle as usize;
                // Two faces back to back cancel out; then the face's own will do.
                others[triangle][usize::from(side.corner)] = sum.normalize_or(faces[triangle]);
                rim[triangle] |= u8::from(edge.len() == 1) << side.corner;
            }
            if let [side] = edge {
                on_rim[side.ends[0] as usize] = true;
                on_rim[side.ends[1] as usize] = true;
            }
        }
        for (i, triangle) in mesh.triangles.iter().enumerate() {
            for (corner, v) in triangle.iter().enumerate() {
                let sum = vertex_normals[*v as usize];
                others[i][3 + corner] = sum.normalize_or(faces[i]);
                rim[i] |= u8::from(on_rim[*v as usize]) << (3 + corner);
            }
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
