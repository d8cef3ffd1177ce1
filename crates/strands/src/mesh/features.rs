//! Normals of faces, edges and vertices, by which inside is told from outside.

use super::{Mesh, edges, normals};
use glam::Vec3;
use std::ops::Range;

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
    /// Whether no edge is a rim: each is one of two triangles or more.
    pub closed: bool,
    /// The surface as it is now where it is not as it was indexed.
    bent: Option<Bent>,
}

/// A surface that deforms: its normals are made when they are asked for, since
/// few of them are.
#[derive(Clone, Debug)]
struct Bent {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The triangles on each triangle's three edges, itself included: two
    /// where the edge is an ordinary one, one at a rim, any number else.
    beside: Vec<[Range<u32>; 3]>,
    sides: Vec<u32>,
    /// The triangles around each vertex.
    starts: Vec<u32>,
    around: Vec<u32>,
}

impl Bent {
    fn bytes(&self) -> usize {
        size_of_val(&self.positions[..])
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.beside[..])
            + size_of_val(&self.sides[..])
            + size_of_val(&self.starts[..])
            + size_of_val(&self.around[..])
    }

    fn new(mesh: &Mesh) -> Self {
        let count = mesh.triangles.len();
        let sides = edges::sides(mesh);
        let mut beside = vec![[0..0, 0..0, 0..0]; count];
        let mut start = 0;
        for edge in edges::edges(&sides) {
            let range = start..start + edge.len() as u32;
            start = range.end;
            for side in edge {
                beside[side.triangle as usize][usize::from(side.corner)] = range.clone();
            }
        }
        let mut starts = vec![0u32; mesh.positions.len() + 1];
        for v in mesh.triangles.as_flattened() {
            starts[*v as usize + 1] += 1;
        }
        for v in 0..mesh.positions.len() {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut around = vec![0; 3 * count];
        for (corner, v) in mesh.triangles.as_flattened().iter().enumerate() {
            around[next[*v as usize] as usize] = corner as u32 / 3;
            next[*v as usize] += 1;
        }
        Self {
            positions: mesh.positions.clone(),
            triangles: mesh.triangles.clone(),
            beside,
            sides: sides.iter().map(|side| side.triangle).collect(),
            starts,
            around,
        }
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.positions[v as usize])
    }

    fn face(&self, triangle: u32) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a).normalize_or(Vec3::Y)
    }

    fn edge(&self, triangle: u32, corner: u8) -> Vec3 {
        let range = &self.beside[triangle as usize][usize::from(corner)];
        let sides = &self.sides[range.start as usize..range.end as usize];
        let sum: Vec3 = sides.iter().map(|other| self.face(*other)).sum();
        sum.try_normalize().unwrap_or_else(|| self.face(triangle))
    }

    fn vertex(&self, triangle: u32, corner: u8) -> Vec3 {
        let v = self.triangles[triangle as usize][usize::from(corner)] as usize;
        let around = &self.around[self.starts[v] as usize..self.starts[v + 1] as usize];
        let part = |other: &u32| {
            let own = &self.triangles[*other as usize];
            let at = own.iter().position(|w| *w as usize == v).unwrap_or(0);
            self.face(*other) * normals::angles(self.corners(*other))[at]
        };
        let sum: Vec3 = around.iter().map(part).sum();
        sum.try_normalize().unwrap_or_else(|| self.face(triangle))
    }
}

impl Features {
    /// Memory that it takes. `[bytes]`
    pub fn bytes(&self) -> usize {
        size_of_val(&self.faces[..])
            + size_of_val(&self.others[..])
            + size_of_val(&self.rim[..])
            + self.bent.as_ref().map_or(0, Bent::bytes)
    }

    /// From now on the vertices of `mesh`, which was indexed, are there. `[m]`
    pub fn bend(&mut self, mesh: &Mesh, positions: &[Vec3]) {
        let bent = self.bent.get_or_insert_with(|| Bent::new(mesh));
        bent.positions.copy_from_slice(positions);
    }

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
            bent: None,
        }
    }

    /// The unit pseudonormal of a feature, and whether it is on a rim.
    pub fn normal(&self, triangle: u32, feature: Feature) -> (Vec3, bool) {
        if let Some(bent) = &self.bent {
            let rim = |slot: u8| self.rim[triangle as usize] >> slot & 1 == 1;
            return match feature {
                Feature::Face => (bent.face(triangle), false),
                Feature::Edge(corner) => (bent.edge(triangle, corner), rim(corner)),
                Feature::Vertex(corner) => (bent.vertex(triangle, corner), rim(3 + corner)),
            };
        }
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
        match &self.bent {
            Some(bent) => bent.face(triangle),
            None => self.faces[triangle as usize],
        }
    }
}
