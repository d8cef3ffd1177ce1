//! The parts of a model, as every reader hands them over.

use crate::math::counted;
use crate::mesh::check::LARGEST;
use crate::mesh::{Material, MeshError, Units, Up, assemble::Polygons, triangle_mesh::names_scalp};
use glam::{DMat3, DMat4, DVec3, Vec2, Vec3};
use std::path::Path;

/// The parts of a model and what its file says of them.
#[derive(Debug, Default)]
pub struct ModelParts {
    pub parts: Vec<Polygons>,
    pub materials: Vec<Material>,
    /// The unit that the file says it has. `[m]`
    pub metres_per_unit: Option<f64>,
    /// The axis that the file says points up.
    pub up: Option<Up>,
    pub warnings: Vec<String>,
}

/// What the rows of a property are told for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsPer {
    /// Each corner of each face.
    Corner,
    /// Each vertex.
    Vertex,
    /// Corners where there are as many, or else vertices: the file does not say.
    Either,
    /// Each face, or all of the mesh: such properties are not read.
    Other,
}

impl RowsPer {
    /// How a file calls it: with a word of USD or of Alembic.
    pub fn named(word: &str) -> Self {
        match word {
            "faceVarying" | "fvr" => Self::Corner,
            "vertex" | "varying" | "vtx" | "var" => Self::Vertex,
            "" => Self::Either,
            _ => Self::Other,
        }
    }
}

/// A face-varying property of a part: rows, and for each corner which one.
#[derive(Debug, Default)]
pub struct Corners<T> {
    pub rows: Vec<T>,
    pub index: Vec<u32>,
}

impl<T> Corners<T> {
    /// Rows for the corners of faces, told `per` corner or vertex, directly or by
    /// `indices`; nothing where there is another number of them.
    pub fn spread(
        rows: Vec<T>,
        indices: Option<Vec<u32>>,
        per: RowsPer,
        corners: &[u32],
        vertices: usize,
    ) -> Self {
        let none = Self {
            rows: Vec::new(),
            index: Vec::new(),
        };
        let count = indices.as_ref().map_or(rows.len(), Vec::len);
        let [for_corners, for_vertices] = [corners.len(), vertices].map(|n| n == count);
        let of_corner = |corner: usize, vertex: u32| -> Option<u32> {
            let row = match per {
                RowsPer::Corner | RowsPer::Either if for_corners => corner,
                RowsPer::Vertex | RowsPer::Either if for_vertices => vertex as usize,
                _ => return None,
            };
            let row = match &indices {
                Some(indices) => *indices.get(row)?,
                None => u32::try_from(row).ok()?,
            };
            ((row as usize) < rows.len()).then_some(row)
        };
        let index = corners.iter().enumerate().map(|(i, v)| of_corner(i, *v));
        match index.collect::<Option<Vec<u32>>>() {
            Some(index) if !rows.is_empty() => Self { rows, index },
            _ => none,
        }
    }
}

/// Faces as most files have them.
#[derive(Debug)]
pub struct Faces {
    pub points: Vec<Vec3>,
    pub arities: Vec<u32>,
    pub corners: Vec<u32>,
    pub uvs: Corners<Vec2>,
    pub normals: Corners<Vec3>,
    /// Whether they run clockwise as seen from outside.
    pub clockwise: bool,
}

impl Faces {
    /// The part that they are where they stand, of one group and one material.
    pub fn place(mut self, place: DMat4, group: &str, material: Option<u32>) -> Polygons {
        // A mirror turns the faces over.
        if self.clockwise != (place.determinant() < 0.0) {
            let mut start = 0;
            for count in &self.arities {
                let end = start + *count as usize;
                let lists = [
                    &mut self.corners,
                    &mut self.uvs.index,
                    &mut self.normals.index,
                ];
                for list in lists {
                    if let Some(face) = list.get_mut(start..end) {
                        face.reverse();
                    }
                }
                start = end;
            }
        }
        let turn = DMat3::from_mat4(place).inverse().transpose();
        let positions = self.points.iter().map(|p| match place == DMat4::IDENTITY {
            true => p.as_dvec3(),
            false => place.transform_point3(p.as_dvec3()),
        });
        let direction = |n: &Vec3| match place == DMat4::IDENTITY {
            true => *n,
            false => (turn * n.as_dvec3()).as_vec3(),
        };
        Polygons {
            positions: positions.collect(),
            face_materials: match material {
                Some(_) => vec![material; self.arities.len()],
                None => Vec::new(),
            },
            arities: self.arities,
            corners: self.corners,
            uvs: self.uvs.rows,
            uv_corners: self.uvs.index,
            normals: self.normals.rows.iter().map(direction).collect(),
            normal_corners: self.normals.index,
            groups: vec![group.into()],
            face_groups: Vec::new(),
        }
    }
}

impl ModelParts {
    /// The program's unit that the file says it has; or else the length of one that no
    /// head's file usually has. `[m]`
    pub fn unit(&mut self) -> (Option<Units>, Option<f64>) {
        let Some(metres) = self.metres_per_unit else {
            return (None, None);
        };
        let same = |unit: &Units| (metres / f64::from(unit.metres()) - 1.0).abs() < 1e-4;
        if let Some(unit) = Units::ALL.into_iter().find(same) {
            return (Some(unit), None);
        }
        if (1e-6..=1e6).contains(&metres) {
            return (None, Some(metres));
        }
        self.warnings.push(format!(
            "its unit of {metres} m is none that a head has; it is judged from its shape"
        ));
        (None, None)
    }

    /// Vertices and faces.
    pub fn count(&self) -> [usize; 2] {
        let sum = |count: fn(&Polygons) -> usize| self.parts.iter().map(count).sum();
        [
            sum(|part| part.positions.len()),
            sum(|part| part.arities.len()),
        ]
    }

    /// Takes away faces that have fewer than three corners, vertices that are not there, or
    /// vertices without a place; says how many.
    pub fn drop_unsound(&mut self, warnings: &mut Vec<String>) {
        let mut lost = 0;
        for part in &mut self.parts {
            let bad = |p: &DVec3| !(p.is_finite() && p.abs().max_element() <= f64::from(LARGEST));
            let positions: Vec<bool> = part.positions.iter().map(bad).collect();
            let unusable = |v: &u32| positions.get(*v as usize).copied().unwrap_or(true);
            let mut start = 0;
            let sound = part.arities.iter().map(|count| {
                let face = start..start + *count as usize;
                start = face.end;
                let corners = part.corners.get(face);
                *count >= 3 && corners.is_some_and(|all| !all.iter().any(unusable))
            });
            let sound: Vec<bool> = sound.collect();
            // No face will use those: they lie where they widen nothing.
            let good = part.positions.iter().find(|p| !bad(p)).copied();
            let place = part.positions.iter_mut().zip(&positions);
            place
                .filter(|(_, bad)| **bad)
                .for_each(|(p, _)| *p = good.unwrap_or_default());
            let odd = |v: &Vec3| !v.is_finite();
            if part.normals.iter().any(odd) {
                part.normals.clear();
                part.normal_corners.clear();
            }
            if part.uvs.iter().any(|uv| !uv.is_finite()) {
                part.uvs.clear();
                part.uv_corners.clear();
            }
            if sound.iter().all(|sound| *sound) {
                continue;
            }
            lost += sound.iter().filter(|sound| !**sound).count();
            keep(part, &sound);
        }
        if lost > 0 {
            warnings.push(format!(
                "{} fewer than three corners or vertices without a place, and {} left out",
                counted(lost, "face has", "faces have"),
                if lost == 1 { "is" } else { "are" }
            ));
        }
    }
}

/// Leaves the faces that are `wanted`.
pub fn keep(part: &mut Polygons, wanted: &[bool]) {
    let corners: Vec<bool> = part
        .arities
        .iter()
        .zip(wanted)
        .flat_map(|(count, wanted)| std::iter::repeat_n(*wanted, *count as usize))
        .collect();
    fn pick<T>(list: &mut Vec<T>, wanted: &[bool]) {
        let mut wanted = wanted.iter();
        list.retain(|_| wanted.next().copied().unwrap_or(false));
    }
    for list in [
        &mut part.corners,
        &mut part.uv_corners,
        &mut part.normal_corners,
    ] {
        pick(list, &corners);
    }
    pick(&mut part.arities, wanted);
    pick(&mut part.face_groups, wanted);
    pick(&mut part.face_materials, wanted);
}

/// A complaint about a model's file.
pub fn refuse(path: &Path, why: impl Into<String>) -> MeshError {
    MeshError::Model {
        path: path.into(),
        place: String::new(),
        why: why.into(),
    }
}

/// The first of several names that has the word "scalp", or else the first.
pub fn group_name<'a>(names: &[&'a str]) -> &'a str {
    let scalp = names.iter().find(|name| names_scalp(name));
    scalp.or(names.first()).copied().unwrap_or_default()
}
