//! One mesh out of the parts of a model, whatever file they are from.

use super::{
    Group, Material, Mesh,
    check::UNNAMED,
    normals,
    orient::{self, Turned},
    polygon,
    texture::Maps,
    weld::Weld,
};
use crate::math::{
    counted,
    elementary::{log10, pow},
};
use glam::{DVec3, Vec2, Vec3};
use std::{collections::HashMap, path::Path};

/// Diffuse reflectance where a material names none.
pub(super) const BARE: [f32; 3] = [0.6; 3];

/// Faces of any size, as a file has them: every index is in range, every number finite.
#[derive(Clone, Debug, Default)]
pub(super) struct Polygons {
    /// Places, in the file's unit.
    pub positions: Vec<DVec3>,
    /// Corners of each face, three or more.
    pub arities: Vec<u32>,
    /// Indices into `positions`, face after face.
    pub corners: Vec<u32>,
    /// Texture coordinates, and for each corner an index into them; empty without any.
    pub uvs: Vec<Vec2>,
    pub uv_corners: Vec<u32>,
    /// Normals of any length, none where it is zero; and for each corner an index.
    pub normals: Vec<Vec3>,
    pub normal_corners: Vec<u32>,
    /// Names of groups, at least one; and of each face which it is of, where not all are of
    /// the first.
    pub groups: Vec<String>,
    pub face_groups: Vec<u32>,
    /// Of each face its material; empty where none has one.
    pub face_materials: Vec<Option<u32>>,
}

/// Joins parts to one mesh around an origin that serves it, which is told beside.
pub(super) fn assemble(parts: &[Polygons], materials: Vec<Material>, path: &Path) -> (Mesh, DVec3) {
    let (size, origin) = extent(parts);
    let mut builder = Builder {
        origin,
        mesh: Mesh {
            name: path.display().to_string(),
            ..Mesh::default()
        },
        weld: Weld::new(size as f32),
        names: Vec::new(),
        group_number: HashMap::new(),
        triangle_group: Vec::new(),
        materials,
        triangle_material: Vec::new(),
    };
    let has_uvs = parts.iter().any(|part| !part.uvs.is_empty());
    for part in parts {
        builder.add(part, has_uvs);
    }
    (builder.finish(), origin)
}

/// Turns all faces outwards and gives corners the normals that they lack; says what was
/// odd, of a file whose faces make so many `triangles`.
pub(super) fn put_right(mesh: &mut Mesh, triangles: usize, warnings: &mut Vec<String>) {
    let degenerate = triangles.saturating_sub(mesh.triangles.len());
    if degenerate > 0 {
        warnings.push(format!(
            "{} no area and {} left out",
            counted(
                degenerate,
                &format!("of {triangles} triangles has"),
                &format!("of {triangles} triangles have")
            ),
            if degenerate == 1 { "is" } else { "are" }
        ));
    }
    match orient::turn_outward(mesh) {
        Turned::None => {}
        Turned::Some(count) => warnings.push(format!(
            "{} turned around",
            counted(
                count,
                "triangle looks another way than its neighbours and is",
                "triangles look another way than their neighbours and are"
            )
        )),
        Turned::All => warnings.push("the faces look inward; they are turned around".into()),
    }
    normals::fill_missing(mesh);
}

/// How large the model is, and the origin that serves it, whatever a few stray
/// vertices say.
fn extent(models: &[Polygons]) -> (f64, DVec3) {
    let [low, high] = [0, 1, 2]
        .map(|axis| {
            let positions = models.iter().flat_map(|model| &model.positions);
            let mut all: Vec<f64> = positions.map(|p| p[axis]).collect();
            let last = all.len().saturating_sub(1);
            if all.is_empty() {
                return [0.0; 2];
            }
            let low = *all.select_nth_unstable_by(last / 20, f64::total_cmp).1;
            let high = *all
                .select_nth_unstable_by(last - last / 20, f64::total_cmp)
                .1;
            [low, high]
        })
        .into_iter()
        .fold(
            [Vec::new(), Vec::new()],
            |[mut lows, mut highs], [low, high]| {
                lows.push(low);
                highs.push(high);
                [lows, highs]
            },
        )
        .map(|ends| DVec3::from_slice(&ends));
    let size = (high - low).max_element();
    (size, origin(low.midpoint(high), size))
}

/// A round place beside a model of that size around `middle`: zero where it is
/// near, so that it and the hair made for it stay where they are.
fn origin(middle: DVec3, size: f64) -> DVec3 {
    // So large that a head is moved by whole metres, in whatever unit.
    let step = 5.0 * pow(10f64, log10(size).ceil());
    match step.is_normal() {
        true => (middle / step).round() * step + DVec3::ZERO,
        false => DVec3::ZERO,
    }
}

/// Collects the parts of a model into one mesh.
struct Builder {
    mesh: Mesh,
    /// The point of the file that becomes the origin.
    origin: DVec3,
    /// Joins what the file parts, which may number each part anew.
    weld: Weld,
    /// Group names in file order, their numbers, and each triangle's group.
    names: Vec<String>,
    group_number: HashMap<String, u32>,
    triangle_group: Vec<u32>,
    materials: Vec<Material>,
    triangle_material: Vec<Option<u32>>,
}

impl Builder {
    fn add(&mut self, part: &Polygons, has_uvs: bool) {
        if part.corners.is_empty() {
            return;
        }
        let place = |p: &DVec3| (*p - self.origin).as_vec3();
        let vertices: Vec<u32> = part
            .positions
            .iter()
            .map(|p| self.weld.vertex(place(p)))
            .collect();
        let groups: Vec<u32> = part.groups.iter().map(|name| self.group(name)).collect();
        let mut cut = Vec::new();
        let mut polygon = Vec::new();
        let mut start = 0;
        for (face, count) in part.arities.iter().enumerate() {
            let corners = start..start + *count as usize;
            start = corners.end;
            let group = part.face_groups.get(face).copied().unwrap_or(0);
            let material = part.face_materials.get(face).copied().unwrap_or(None);
            polygon.clear();
            let welded = |i: &u32| self.weld.positions[vertices[*i as usize] as usize];
            polygon.extend(part.corners[corners.clone()].iter().map(welded));
            cut.clear();
            polygon::triangulate(&polygon, &mut cut);
            for triangle in &cut {
                if is_degenerate(triangle.map(|i| polygon[i])) {
                    continue;
                }
                let at = triangle.map(|i| corners.start + i);
                self.mesh
                    .triangles
                    .push(at.map(|i| vertices[part.corners[i] as usize]));
                self.mesh.normals.push(at.map(|i| {
                    let normal = part
                        .normal_corners
                        .get(i)
                        .map(|n| part.normals[*n as usize]);
                    normal.unwrap_or_default().normalize_or_zero()
                }));
                if has_uvs {
                    self.mesh.uvs.push(at.map(|i| {
                        let uv = part.uv_corners.get(i).map(|uv| part.uvs[*uv as usize]);
                        uv.unwrap_or_default()
                    }));
                }
                self.triangle_group.push(groups[group as usize]);
                self.triangle_material.push(material);
            }
        }
    }

    fn group(&mut self, name: &str) -> u32 {
        let next = self.group_number.len() as u32;
        let number = *self.group_number.entry(name.into()).or_insert(next);
        if number == next {
            self.names.push(name.into());
        }
        number
    }

    /// Sorts the triangles so that each group is one range.
    fn finish(self) -> Mesh {
        let Self {
            mut mesh,
            mut materials,
            weld,
            names,
            triangle_group,
            ..
        } = self;
        mesh.positions = weld.positions;
        let mut order: Vec<usize> = (0..mesh.triangles.len()).collect();
        order.sort_by_key(|i| triangle_group[*i]);
        if !order.is_sorted() {
            mesh.triangles = order.iter().map(|i| mesh.triangles[*i]).collect();
            mesh.normals = order.iter().map(|i| mesh.normals[*i]).collect();
            if !mesh.uvs.is_empty() {
                mesh.uvs = order.iter().map(|i| mesh.uvs[*i]).collect();
            }
        }
        let mut start = 0;
        for run in order.chunk_by(|a, b| triangle_group[*a] == triangle_group[*b]) {
            let name = names[triangle_group[run[0]] as usize].clone();
            mesh.groups.push(Group {
                name,
                triangles: start..start + run.len(),
            });
            start += run.len();
        }
        // A file without names has no groups worth naming.
        if mesh.groups.len() == 1 && mesh.groups[0].name == UNNAMED {
            mesh.groups.clear();
        }
        if self.triangle_material.iter().any(Option::is_some) {
            let none = materials.len() as u32;
            let bare = self.triangle_material.iter().any(Option::is_none);
            mesh.triangle_material = order
                .iter()
                .map(|i| self.triangle_material[*i].unwrap_or(none))
                .collect();
            if bare {
                materials.push(Material {
                    name: UNNAMED.into(),
                    diffuse: BARE,
                    maps: Maps::default(),
                    clear: 0.0,
                });
            }
            mesh.materials = materials;
        }
        mesh.drop_unused_vertices();
        mesh
    }
}

/// Whether a triangle is a point or a line up to the precision of f32.
fn is_degenerate(corners: [Vec3; 3]) -> bool {
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    // Twice the area is the longest edge times the height over it.
    let area = (b - a).cross(c - a).length();
    area <= 1e-7 * longest * longest || (area as f32) < f32::MIN_POSITIVE
}
