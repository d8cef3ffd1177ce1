//! The head that hair is on, as a mesh in the file of the hair or in one of its own.

use crate::mesh::Mesh;
use glam::{Vec2, Vec3};
use std::{collections::HashMap, fmt::Write as _, sync::Arc};

/// A head in a file, in the file's unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WornHead {
    /// Where its vertices are.
    pub points: Vec<Vec3>,
    /// How fast they go, in units a second; empty where nobody asked. `[1/s]`
    pub velocities: Vec<Vec3>,
    /// What does not change while it moves.
    pub faces: Arc<HeadFaces>,
}

/// The faces of a head, and its places on a texture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadFaces {
    /// Triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates, each once; empty without any.
    pub uvs: Vec<[f32; 2]>,
    /// Which of them each triangle's corners have: a vertex on a seam has several. Empty
    /// without any.
    pub corners: Vec<[u32; 3]>,
}

impl HeadFaces {
    /// That of a mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let mut out = Self {
            triangles: mesh.triangles.clone(),
            ..Self::default()
        };
        if mesh.uvs.len() != mesh.triangles.len() {
            return out;
        }
        let mut known = HashMap::new();
        let uvs = &mut out.uvs;
        let mut number = |uv: Vec2| {
            let uv = uv.to_array();
            *known.entry(uv.map(f32::to_bits)).or_insert_with(|| {
                uvs.push(uv);
                uvs.len() as u32 - 1
            })
        };
        out.corners = mesh.uvs.iter().map(|uvs| uvs.map(&mut number)).collect();
        out
    }
}

impl WornHead {
    /// The head as OBJ text.
    pub fn obj(&self) -> String {
        let mut out = String::from("# Lovelock: the head\no head\n");
        for p in &self.points {
            let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
        }
        for [u, v] in &self.faces.uvs {
            let _ = writeln!(out, "vt {u} {v}");
        }
        let mut corners = self.faces.corners.iter();
        for triangle in &self.faces.triangles {
            let [a, b, c] = triangle.map(|v| v + 1);
            let _ = match corners.next().map(|corners| corners.map(|uv| uv + 1)) {
                Some([d, e, f]) => writeln!(out, "f {a}/{d} {b}/{e} {c}/{f}"),
                None => writeln!(out, "f {a} {b} {c}"),
            };
        }
        out
    }

    /// Smallest and largest coordinates; zero without points.
    pub fn bounds(&self) -> [Vec3; 2] {
        let Some(first) = self.points.first() else {
            return [Vec3::ZERO; 2];
        };
        let grow = |[min, max]: [Vec3; 2], p: &Vec3| [min.min(*p), max.max(*p)];
        self.points.iter().fold([*first; 2], grow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_on_a_seam_has_a_place_on_either_side_of_it() {
        let uv = |u: f32, v: f32| Vec2::new(u, v);
        let mesh = Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE],
            triangles: vec![[0, 1, 2], [2, 1, 3]],
            uvs: vec![
                [uv(0.0, 0.0), uv(0.5, 0.0), uv(0.0, 0.5)],
                [uv(0.0, 0.5), uv(0.9, 0.0), uv(1.0, 1.0)],
            ],
            ..Mesh::default()
        };
        let head = WornHead {
            points: mesh.positions.clone(),
            faces: Arc::new(HeadFaces::of(&mesh)),
            ..WornHead::default()
        };
        let text = head.obj();
        assert_eq!(text.matches("vt ").count(), 5, "{text}");
        assert!(text.contains("\nf 1/1 2/2 3/3\nf 3/3 2/4 4/5\n"), "{text}");
        let bare = WornHead {
            faces: Arc::new(HeadFaces {
                uvs: Vec::new(),
                corners: Vec::new(),
                ..HeadFaces::of(&mesh)
            }),
            ..head
        };
        let text = bare.obj();
        assert!(
            text.contains("\nf 1 2 3\n") && !text.contains("vt"),
            "{text}"
        );
        assert_eq!(bare.bounds(), [Vec3::ZERO, Vec3::ONE]);
    }
}
