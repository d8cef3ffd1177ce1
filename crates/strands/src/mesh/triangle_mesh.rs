//! A triangle mesh with its named parts and its materials.

use super::{Face, Maps};
use glam::{Vec2, Vec3};
use std::{ops::Range, sync::Arc};

/// A named range of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The name in the file.
    pub name: String,
    /// Its triangles; groups do not overlap.
    pub triangles: Range<usize>,
}

impl Group {
    /// Whether one of the words in its name is "scalp".
    pub fn is_scalp(&self) -> bool {
        names_scalp(&self.name)
    }
}

/// Whether one of the words in a name is "scalp".
pub(super) fn names_scalp(name: &str) -> bool {
    name.split(|c: char| !c.is_alphabetic())
        .any(|word| word.eq_ignore_ascii_case("scalp"))
}

/// A surface colour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// The name in the file.
    pub name: String,
    /// Diffuse reflectance, linear RGB, 0..=1.
    pub diffuse: [f32; 3],
    /// What is laid over the surface; a colour there is tinted by `diffuse`.
    pub maps: Maps,
    /// How much light goes through it, 0..=1.
    pub clear: f32,
}

/// A validated triangle mesh: every index in range, every number finite, every
/// triangle with an area, at least one triangle.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The file it came from, for messages.
    pub name: String,
    /// Vertex positions; a vertex shared by faces is one entry. `[m]`
    pub positions: Vec<Vec3>,
    /// Indices into `positions`, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Unit normals of each triangle's corners (from the file, else angle-weighted).
    pub normals: Vec<[Vec3; 3]>,
    /// Texture coordinates of each triangle's corners; empty without any.
    pub uvs: Vec<[Vec2; 3]>,
    /// Named parts, in file order; may be empty.
    pub groups: Vec<Group>,
    /// Materials; may be empty.
    pub materials: Vec<Material>,
    /// Index into `materials` for each triangle; empty without materials.
    pub triangle_material: Vec<u32>,
    /// Colours and hair of its face; none where nothing is known of it.
    pub face: Option<Arc<Face>>,
}

impl Mesh {
    /// The corners of triangle `index`. `[m]`
    pub fn corners(&self, index: usize) -> [Vec3; 3] {
        self.triangles[index].map(|v| self.positions[v as usize])
    }

    /// The normal of triangle `index` times twice its area. `[m²]`
    pub fn area_normal(&self, index: usize) -> Vec3 {
        let [a, b, c] = self.corners(index);
        (b - a).cross(c - a)
    }

    /// Removes all triangles but those that are `wanted`, groups that have none left, and
    /// vertices that no triangle uses.
    pub(super) fn keep(&mut self, wanted: &[bool]) {
        fn pick<T>(list: &mut Vec<T>, wanted: &[bool]) {
            let mut wanted = wanted.iter();
            list.retain(|_| wanted.next().copied().unwrap_or(false));
        }
        let mut start = 0;
        for group in &mut self.groups {
            let left = wanted[group.triangles.clone()].iter().filter(|w| **w);
            group.triangles = start..start + left.count();
            start = group.triangles.end;
        }
        self.groups.retain(|group| !group.triangles.is_empty());
        pick(&mut self.triangles, wanted);
        pick(&mut self.normals, wanted);
        pick(&mut self.uvs, wanted);
        pick(&mut self.triangle_material, wanted);
        self.drop_unused_vertices();
    }

    /// Removes vertices that no triangle uses.
    pub(crate) fn drop_unused_vertices(&mut self) {
        let mut place = vec![u32::MAX; self.positions.len()];
        for v in self.triangles.as_flattened() {
            place[*v as usize] = 0;
        }
        let mut next = 0;
        for (old, new) in place.iter_mut().enumerate() {
            if *new == 0 {
                *new = next;
                self.positions[next as usize] = self.positions[old];
                next += 1;
            }
        }
        self.positions.truncate(next as usize);
        for v in self.triangles.as_flattened_mut() {
            *v = place[*v as usize];
        }
    }

    /// Smallest and largest coordinates. `[m]`
    pub fn bounds(&self) -> [Vec3; 2] {
        let start = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        self.positions
            .iter()
            .fold(start, |[min, max], p| [min.min(*p), max.max(*p)])
    }
}
