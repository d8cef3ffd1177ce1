//! A mesh as the head pass draws it: corners, the triangles of each picture, and
//! how corners follow vertices.

use super::{ambient, base::Base, draw_order, eyes, scalp};
use crate::mesh::{Image, Material, Mesh};
use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec2, Vec3};
use rayon::prelude::*;
use std::{collections::HashMap, ops::Range, sync::Arc};

/// A corner as the shader reads it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct Corner {
    position: Vec3,
    normal: Vec3,
    /// Linear colour, and 1, where the mesh brings one; of an eyeball where it lies from the
    /// pole of the iris, in its radii, and 2; else what the skin's colour is multiplied by,
    /// and 0.
    diffuse: [f32; 4],
    /// Place in the material's pictures: v upwards.
    uv: Vec2,
}

/// What is worked out of a mesh before it can be drawn.
pub(super) struct HeadGeometry {
    pub name: String,
    /// The corners at rest.
    pub corners: Vec<Corner>,
    /// Three corners for each triangle, in the order of `parts`.
    pub sorted: Vec<u32>,
    pub parts: Vec<Pictured>,
    positions: Vec<Vec3>,
    /// Which corners belong to the scalp group; empty without one.
    scalp: Vec<bool>,
    /// How much of the sky each corner sees.
    pub sky: Vec<f32>,
    pub bones: Bones,
    /// Whether nobody sees a triangle from behind: the surface is closed, its outside out.
    pub closed: bool,
    /// What a stand carries; none of a mesh without an extent.
    pub base: Option<Base>,
}

/// Triangles of one material, and its pictures.
pub(super) struct Pictured {
    pub indices: Range<usize>,
    pub colour: Option<Arc<Image>>,
    pub normal: Option<Arc<Image>>,
}

impl HeadGeometry {
    /// Works it out.
    pub fn new(mesh: &Mesh) -> Self {
        let mut parts = parts(mesh);
        for (_, triangles) in &mut parts {
            draw_order::sort_into_patches(mesh, triangles);
        }
        let (corners, indices) = corners(mesh, &parts);
        let facing: Vec<_> = corners.iter().map(|c| (c.position, c.normal)).collect();
        let mut sorted = Vec::with_capacity(indices.len());
        let mut pictured = Vec::new();
        for (material, triangles) in parts {
            let start = sorted.len();
            for triangle in triangles {
                sorted.extend_from_slice(&indices[3 * triangle..3 * triangle + 3]);
            }
            let maps = material
                .and_then(|m| mesh.materials.get(m))
                .map(|m| &m.maps);
            pictured.push(Pictured {
                indices: start..sorted.len(),
                colour: maps.and_then(|m| m.colour.clone()),
                normal: maps.and_then(|m| m.normal.clone()),
            });
        }
        Self {
            name: mesh.name.clone(),
            positions: corners.iter().map(|corner| corner.position).collect(),
            scalp: scalp_corners(mesh, &indices, corners.len()),
            sky: ambient::visibility(&facing, &indices),
            bones: Bones::new(mesh, &indices, corners.len()),
            base: Base::new(&mesh.positions),
            closed: is_closed(mesh),
            parts: pictured,
            sorted,
            corners,
        }
    }

    /// How much each corner is painted like hair around these roots, whose hair goes
    /// the ways that `leans` says. `[m]`, head's space
    pub fn painted(&self, roots: &[Vec3], leans: &[Vec3]) -> Vec<f32> {
        scalp::paint(&self.positions, &self.scalp, roots, leans)
    }
}

/// Whether each side of a triangle is one of another triangle, run the other way, and the
/// triangles around the space within run counterclockwise from outside.
fn is_closed(mesh: &Mesh) -> bool {
    let mut sides: HashMap<[u32; 2], u32> = HashMap::with_capacity(3 * mesh.triangles.len());
    let mut volume = 0.0;
    for triangle in &mesh.triangles {
        let [a, b, c] = *triangle;
        for side in [[a, b], [b, c], [c, a]] {
            *sides.entry(side).or_default() += 1;
        }
        let [a, b, c] = triangle.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
        volume += a.dot(b.cross(c));
    }
    let matched = |([a, b], count): (&[u32; 2], &u32)| *count == 1 && sides.contains_key(&[*b, *a]);
    volume > 0.0 && sides.iter().all(matched)
}

/// What it takes to move corners with the vertices of a mesh.
#[derive(Default)]
pub(super) struct Bones {
    pub triangles: Vec<[u32; 3]>,
    /// The vertex of each corner.
    pub vertices: Vec<u32>,
    /// The normal of each vertex at rest.
    pub normals: Vec<Vec3>,
}

impl Bones {
    fn new(mesh: &Mesh, indices: &[u32], count: usize) -> Self {
        let mut vertices = vec![0; count];
        for (corner, vertex) in indices.iter().zip(mesh.triangles.as_flattened()) {
            vertices[*corner as usize] = *vertex;
        }
        Self {
            normals: normals(&mesh.triangles, &mesh.positions),
            triangles: mesh.triangles.clone(),
            vertices,
        }
    }

    /// The corners when the vertices are there: a normal turns as that of the
    /// surface around its vertex does, so creases and smooth parts stay so.
    pub fn deform(&self, rest: &[Corner], positions: &[Vec3]) -> Vec<Corner> {
        let now = normals(&self.triangles, positions);
        let corner = |(corner, vertex): (&Corner, &u32)| {
            let v = *vertex as usize;
            let turn = Quat::from_rotation_arc(self.normals[v], now[v]);
            Corner {
                position: positions[v],
                normal: turn * corner.normal,
                diffuse: corner.diffuse,
                uv: corner.uv,
            }
        };
        rest.par_iter()
            .zip(&self.vertices)
            .with_min_len(1 << 12)
            .map(corner)
            .collect()
    }
}

/// The unit normal of each vertex, by the area of the triangles around it.
fn normals(triangles: &[[u32; 3]], positions: &[Vec3]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let normal = (b - a).cross(c - a);
        for v in triangle {
            normals[*v as usize] += normal;
        }
    }
    normals.iter().map(|n| n.normalize_or(Vec3::Y)).collect()
}

/// The triangles of each material that has pictures, and of all others.
fn parts(mesh: &Mesh) -> Vec<(Option<usize>, Vec<usize>)> {
    let mut parts: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for triangle in 0..mesh.triangles.len() {
        let material = mesh.triangle_material.get(triangle).map(|m| *m as usize);
        let material = material.filter(|m| {
            let maps = mesh.materials.get(*m).map(|material| &material.maps);
            maps.is_some_and(|maps| maps.colour.is_some() || maps.normal.is_some())
        });
        match parts.iter_mut().find(|(other, _)| *other == material) {
            Some((_, triangles)) => triangles.push(triangle),
            None => parts.push((material, vec![triangle])),
        }
    }
    parts
}

/// A white that a lit surface can have in this set without burning out; colours
/// of files, in which paper is 1, are brought down to it.
const WHITE: f32 = 0.5;

/// The colour of each material, as the shader wants it: the fourth is 1 for a
/// colour, 0 for skin. A light grey counts as skin: exporters write one where
/// nobody chose a colour.
fn diffuse(mesh: &Mesh) -> Vec<[f32; 4]> {
    let colours = mesh.materials.iter().map(|material| {
        let [r, g, b] = material.diffuse;
        let (least, most) = (r.min(g).min(b), r.max(g).max(b));
        let chosen = most - least > 0.02 || most < 0.4 || material.maps.colour.is_some();
        [r * WHITE, g * WHITE, b * WHITE, f32::from(chosen)]
    });
    colours.collect()
}

/// Whether an eye of that material keeps its colour: a grey stands for what a picture would
/// show.
fn is_coloured(material: &Material) -> bool {
    let [r, g, b] = material.diffuse;
    r.max(g).max(b) - r.min(g).min(b) > 0.02 || material.maps.colour.is_some()
}

/// The mesh's corners without repetition, and three indices for each triangle.
fn corners(mesh: &Mesh, parts: &[(Option<usize>, Vec<usize>)]) -> (Vec<Corner>, Vec<u32>) {
    let diffuse = diffuse(mesh);
    let eyes = eyes::eye_places(mesh);
    // Seams part corners; where there is no picture nobody would see why.
    let textured = parts.iter().any(|(material, _)| material.is_some());
    let mut seen = HashMap::new();
    let mut corners: Vec<Corner> = Vec::with_capacity(mesh.positions.len());
    let mut indices = vec![0; mesh.triangles.len() * 3];
    // Numbered as they are drawn, those of neighbours lie together.
    for index in parts.iter().flat_map(|(_, triangles)| triangles).copied() {
        let triangle = &mesh.triangles[index];
        let material = mesh.triangle_material.get(index).copied();
        for (corner, vertex) in triangle.iter().enumerate() {
            let normal = mesh.normals[index][corner];
            let uvs = mesh.uvs.get(index).filter(|_| textured);
            let uv = uvs.map_or(Vec2::ZERO, |uvs| uvs[corner]);
            let key = (
                *vertex,
                normal.to_array().map(f32::to_bits),
                uv.to_array().map(f32::to_bits),
                material,
            );
            indices[3 * index + corner] = *seen.entry(key).or_insert_with(|| {
                let own = material.and_then(|m| diffuse.get(m as usize));
                let own = own.filter(|own| own[3] > 0.0).copied();
                let source = material.and_then(|m| mesh.materials.get(m as usize));
                let eye = eyes[*vertex as usize].filter(|_| !source.is_some_and(is_coloured));
                let own = eye.map(|at| at.extend(2.0).to_array()).or(own);
                let face = mesh.face.as_ref();
                let flush = face.and_then(|face| face.flush.get(*vertex as usize));
                let [r, g, b] = flush.copied().unwrap_or([1.0; 3]);
                corners.push(Corner {
                    position: mesh.positions[*vertex as usize],
                    normal,
                    diffuse: own.unwrap_or([r, g, b, 0.0]),
                    uv,
                });
                corners.len() as u32 - 1
            });
        }
    }
    (corners, indices)
}

/// Which of `count` corners belong to a triangle of the group "scalp"; nothing
/// where the mesh has no such group.
fn scalp_corners(mesh: &Mesh, indices: &[u32], count: usize) -> Vec<bool> {
    let Some(group) = mesh.groups.iter().find(|group| group.is_scalp()) else {
        return Vec::new();
    };
    let mut inside = vec![false; count];
    for index in indices
        .chunks_exact(3)
        .take(group.triangles.end)
        .skip(group.triangles.start)
    {
        for corner in index {
            inside[*corner as usize] = true;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Group;

    /// Two triangles that share an edge; the second is the scalp.
    fn roof() -> Mesh {
        Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z],
            triangles: vec![[0, 2, 1], [1, 2, 3]],
            normals: vec![[Vec3::Y; 3]; 2],
            groups: vec![Group {
                name: "scalp".into(),
                triangles: 1..2,
            }],
            ..Mesh::default()
        }
    }

    #[test]
    fn corners_are_shared_unless_normal_or_material_differs() {
        let mut mesh = roof();
        let (shared, indices) = corners(&mesh, &parts(&mesh));
        assert_eq!(
            (shared.len(), indices.as_slice()),
            (4, &[0, 1, 2, 2, 1, 3][..])
        );
        assert_eq!(scalp_corners(&mesh, &indices, 4), [false, true, true, true]);
        mesh.normals[1] = [Vec3::X; 3];
        assert_eq!(corners(&mesh, &parts(&mesh)).0.len(), 6);
        mesh.normals[1] = [Vec3::Y; 3];
        mesh.triangle_material = vec![0, 1];
        assert_eq!(corners(&mesh, &parts(&mesh)).0.len(), 6);
    }

    #[test]
    fn an_eye_is_painted_unless_its_material_has_a_colour() {
        // A ball of eight triangles.
        let mut mesh = Mesh {
            positions: [Vec3::X, Vec3::Y, Vec3::Z]
                .into_iter()
                .flat_map(|p| [0.012 * p, -0.012 * p])
                .collect(),
            ..Mesh::default()
        };
        for corner in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|axis| 2 * axis + (corner >> axis & 1));
            mesh.triangles.push([x, y, z]);
        }
        mesh.normals = vec![[Vec3::Z; 3]; 8];
        mesh.groups.push(Group {
            name: "eyeball".into(),
            triangles: 0..8,
        });
        let corner = |mesh: &Mesh| {
            let (corners, _) = corners(mesh, &parts(mesh));
            let front = corners.iter().find(|corner| corner.position.z > 0.01);
            front.expect("a pole").diffuse
        };
        assert_eq!(corner(&mesh), [0.0, 0.0, 0.0, 2.0]);
        mesh.triangle_material = vec![0; 8];
        for (diffuse, share) in [([0.2; 3], 2.0), ([0.1, 0.2, 0.5], 1.0)] {
            mesh.materials = vec![Material {
                diffuse,
                ..Material::default()
            }];
            assert_eq!(corner(&mesh)[3], share);
        }
        mesh.materials.clear();
        mesh.triangle_material.clear();
        mesh.groups[0].name = "chin".into();
        assert_eq!(corner(&mesh)[3], 0.0);
    }

    #[test]
    fn a_chosen_colour_is_kept_and_a_light_grey_is_skin() {
        let mut mesh = roof();
        for diffuse in [[0.8; 3], [0.1; 3], [0.9, 0.2, 0.2]] {
            mesh.materials.push(Material {
                diffuse,
                ..Material::default()
            });
        }
        let own: Vec<f32> = diffuse(&mesh).iter().map(|colour| colour[3]).collect();
        assert_eq!(own, [0.0, 1.0, 1.0]);
        mesh.triangle_material = vec![2, 7];
        let (corners, _) = corners(&mesh, &parts(&mesh));
        assert!((corners[0].diffuse[0] - 0.9 * WHITE).abs() < 1e-6);
        assert_eq!(
            corners[5].diffuse,
            [1.0, 1.0, 1.0, 0.0],
            "a material that does not exist"
        );
    }
}
