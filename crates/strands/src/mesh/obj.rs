//! Reads a Wavefront OBJ file into a mesh, in the file's own units.

use super::{
    Group, Material, Mesh, MeshError,
    check::{self, UNNAMED},
    explain, normals, orient,
    orient::Turned,
    polygon,
    texture::{Maps, Shelf, wanted},
    weld::Weld,
};
use glam::{DVec2, DVec3, Vec3};
use std::{
    collections::HashMap,
    io::Read,
    path::{Path, PathBuf},
};

/// Larger files are refused: no head needs them, and memory is finite.
const LARGEST_FILE: u64 = 512 << 20;
/// The same for material libraries, which are a few lines long.
const LARGEST_LIBRARY: u64 = 16 << 20;

/// Diffuse reflectance where a material names none.
const BARE: [f32; 3] = [0.6; 3];

/// An OBJ file as it was read, before any change of unit.
#[derive(Clone, Debug)]
pub struct ObjFile {
    /// Where it came from.
    pub path: PathBuf,
    /// The surface in the file's units and axes: vertices at the same place
    /// are one, unused vertices and zero-area triangles are gone.
    pub mesh: Mesh,
    /// What was taken from all coordinates before they became f32; zero but for
    /// a model far away from there.
    pub origin: DVec3,
    /// `v` lines in the file.
    pub vertices: usize,
    /// Faces that can be used.
    pub faces: usize,
    /// Triangles these faces make, zero-area ones included.
    pub triangles: usize,
    /// Smallest and largest coordinates of all vertices in the file.
    pub bounds: [Vec3; 2],
    /// What was odd about the file, a sentence each.
    pub warnings: Vec<String>,
}

/// Reads the OBJ file at `path`.
///
/// # Errors
/// Says what is wrong, in which line, when no usable face is left.
pub fn read(path: &Path) -> Result<ObjFile, MeshError> {
    let bytes = read_file(path, LARGEST_FILE)?;
    parse(&bytes, path)
}

/// Reads OBJ text from memory; `path` serves messages and finds materials.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<ObjFile, MeshError> {
    let checked = check::check(bytes, path);
    let checked = checked.map_err(|error| explain::explained(error, bytes, path))?;
    let mut warnings = checked.warnings.clone();
    let (library, mut maps) = materials(&checked.libraries, path, &mut warnings);
    let names = library.iter().enumerate().map(|(i, m)| (m.name.clone(), i));
    let names: HashMap<String, usize> = names.collect();
    // Polygons come as they are, to be cut by `polygon`; positions, texture
    // coordinates and normals keep an index of their own each.
    let options = tobj::LoadOptions {
        ignore_points: true,
        ignore_lines: true,
        ..tobj::LoadOptions::default()
    };
    let loaded = tobj::load_obj_buf(&mut checked.text.as_bytes(), &options, |_| {
        Ok((library.clone(), names.clone().into_iter().collect()))
    });
    let models = match loaded {
        Ok((models, _)) => models,
        // The check leaves nothing to stumble over; should it ever, say so.
        Err(error) => {
            return Err(MeshError::BadFaces {
                path: path.into(),
                line: checked.first_face_line,
                why: error.to_string(),
                faces: checked.faces,
            });
        }
    };
    let (size, origin) = extent(&models);
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
        materials: library
            .iter()
            .zip(maps.drain(..))
            .map(|(source, maps)| material(source, maps))
            .collect(),
        triangle_material: Vec::new(),
    };
    for model in &models {
        builder.add(model, checked.has_uvs);
    }
    let mut mesh = builder.finish();
    if mesh.triangles.is_empty() {
        return Err(MeshError::NoArea {
            path: path.into(),
            line: checked.first_face_line,
        });
    }
    let degenerate = checked.triangles.saturating_sub(mesh.triangles.len());
    if degenerate > 0 {
        warnings.push(format!(
            "{degenerate} of {} triangles have no area and are left out",
            checked.triangles
        ));
    }
    match orient::turn_outward(&mut mesh) {
        Turned::None => {}
        Turned::Some(count) => warnings.push(format!(
            "{count} triangles look another way than their neighbours; they are turned around"
        )),
        Turned::All => warnings.push("the faces look inward; they are turned around".into()),
    }
    normals::fill_missing(&mut mesh);
    Ok(ObjFile {
        path: path.into(),
        mesh,
        origin,
        vertices: checked.vertices,
        faces: checked.faces,
        triangles: checked.triangles,
        bounds: checked.bounds,
        warnings,
    })
}

/// How large the model is, and the origin that serves it, whatever a few stray
/// vertices say.
fn extent(models: &[tobj::Model]) -> (f64, DVec3) {
    let [low, high] = [0, 1, 2]
        .map(|axis| {
            let positions = models.iter().flat_map(|m| m.mesh.positions.chunks_exact(3));
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
    let step = 5.0 * 10f64.powf(size.log10().ceil());
    match step.is_normal() {
        true => (middle / step).round() * step + DVec3::ZERO,
        false => DVec3::ZERO,
    }
}

fn material(source: &tobj::Material, maps: Maps) -> Material {
    // Under a picture no colour means no tint; and exporters write black there,
    // which nobody means.
    let textured = maps.colour.is_some();
    let none = if textured { [1.0; 3] } else { BARE };
    let own = source.diffuse.filter(|c| !textured || *c != [0.0; 3]);
    Material {
        name: source.name.clone(),
        diffuse: own.map_or(none, |colour| colour.map(|c| (c as f32).clamp(0.0, 1.0))),
        maps,
    }
}

/// Collects the parser's models into one mesh.
struct Builder {
    mesh: Mesh,
    /// The point of the file that becomes the origin.
    origin: DVec3,
    /// Joins what the parser parts, which numbers each model anew.
    weld: Weld,
    /// Group names in file order, their numbers, and each triangle's group.
    names: Vec<String>,
    group_number: HashMap<String, u32>,
    triangle_group: Vec<u32>,
    materials: Vec<Material>,
    triangle_material: Vec<Option<u32>>,
}

impl Builder {
    fn add(&mut self, model: &tobj::Model, has_uvs: bool) {
        let source = &model.mesh;
        if source.indices.is_empty() {
            return;
        }
        let vector = |list: &[f64], i: usize| DVec3::from_slice(&list[3 * i..3 * i + 3]);
        let place = |i: usize| (vector(&source.positions, i) - self.origin).as_vec3();
        let vertices: Vec<u32> = (0..source.positions.len() / 3)
            .map(|i| self.weld.vertex(place(i)))
            .collect();
        let group = self.group(&model.name);
        let material = source.material_id.map(|i| i as u32);
        let mut cut = Vec::new();
        let mut polygon = Vec::new();
        let mut start = 0;
        let mut face = 0;
        while start < source.indices.len() {
            let count = source.face_arities.get(face).map_or(3, |n| *n as usize);
            face += 1;
            let corners = start..start + count;
            start += count;
            polygon.clear();
            let welded = |i: &u32| self.weld.positions[vertices[*i as usize] as usize];
            polygon.extend(source.indices[corners.clone()].iter().map(welded));
            cut.clear();
            polygon::triangulate(&polygon, &mut cut);
            for triangle in &cut {
                if is_degenerate(triangle.map(|i| polygon[i])) {
                    continue;
                }
                let at = triangle.map(|i| corners.start + i);
                self.mesh
                    .triangles
                    .push(at.map(|i| vertices[source.indices[i] as usize]));
                self.mesh.normals.push(at.map(|i| {
                    let normal = vector(&source.normals, source.normal_indices[i] as usize);
                    normal.as_vec3().normalize_or_zero()
                }));
                if has_uvs {
                    self.mesh.uvs.push(at.map(|i| {
                        let i = source.texcoord_indices[i] as usize;
                        DVec2::from_slice(&source.texcoords[2 * i..2 * i + 2]).as_vec2()
                    }));
                }
                self.triangle_group.push(group);
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

fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, MeshError> {
    let failed = |source| MeshError::Read {
        path: path.into(),
        source,
    };
    let file = std::fs::File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(MeshError::NotAFile { path: path.into() });
    }
    if metadata.len() > limit {
        return Err(MeshError::TooLarge {
            path: path.into(),
            bytes: metadata.len(),
            limit,
        });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // The file may grow while it is read.
    file.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Reads the material libraries that exist, with the pictures they name; the
/// others earn a warning.
fn materials(
    libraries: &[(usize, String)],
    obj: &Path,
    warnings: &mut Vec<String>,
) -> (Vec<tobj::Material>, Vec<Maps>) {
    let (mut found, mut maps, mut shelf) = (Vec::new(), Vec::new(), Shelf::default());
    for (line, written) in libraries {
        let mut missing = Vec::new();
        for name in library_names(written, obj) {
            let mtl = beside(obj, &name);
            match read_file(&mtl, LARGEST_LIBRARY) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes);
                    let clean = library_text(&text);
                    if let Ok((materials, _)) = tobj::load_mtl_buf(&mut clean.as_bytes()) {
                        let mut wanted = wanted(&text).into_iter();
                        for material in materials {
                            let wanted = wanted.next().unwrap_or_default();
                            maps.push(shelf.maps(&wanted, &mtl, warnings));
                            found.push(material);
                        }
                    }
                }
                Err(_) => missing.push(name),
            }
        }
        if !missing.is_empty() {
            warnings.push(format!(
                "line {line}: material library {} cannot be read, the head has one colour; put it beside the head's file",
                missing.join(", ")
            ));
        }
    }
    (found, maps)
}

fn beside(obj: &Path, name: &str) -> PathBuf {
    // Windows programs write backslashes.
    obj.with_file_name("").join(name.replace('\\', "/"))
}

/// The file names of an `mtllib` line: one name with spaces in it where such a
/// file exists, else several names, in which a space may be escaped.
fn library_names(written: &str, obj: &Path) -> Vec<String> {
    if beside(obj, written).is_file() {
        return vec![written.into()];
    }
    let marked = written.replace("\\ ", "\0");
    marked
        .split_ascii_whitespace()
        .map(|name| name.replace('\0', " "))
        .collect()
}

/// Leaves of a material library what is used, in a form that parses: names and
/// complete diffuse colours.
fn library_text(text: &str) -> String {
    let mut clean = String::new();
    for line in text.lines().map(str::trim) {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("newmtl") if words.next().is_some() => {
                clean.push_str(line);
                clean.push('\n');
            }
            Some("Kd") => {
                let colour: Vec<f32> = words.map_while(|w| w.parse().ok()).take(3).collect();
                if let [r, g, b] = colour[..]
                    && colour.iter().all(|c| c.is_finite())
                {
                    clean.push_str(&format!("Kd {r} {g} {b}\n"));
                }
            }
            _ => {}
        }
    }
    clean
}
