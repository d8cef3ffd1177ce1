//! Reads a Wavefront OBJ file into a mesh, in the file's own units.

use super::{
    HeadFile, Material, MeshError,
    assemble::{BARE, Polygons, assemble, put_right},
    check,
    error::reason,
    explain,
    files::{LARGEST_FILE, read_file},
    library::{self, LibraryMaterial},
    texture::{Maps, TextureCache},
};
use glam::{DVec2, DVec3};
use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

/// Larger material libraries are refused: they are a few lines long.
const LARGEST_LIBRARY: u64 = 16 << 20;

/// Reads the OBJ file at `path`.
///
/// # Errors
/// Says what is wrong, in which line, when no usable face is left.
pub fn read(path: &Path) -> Result<HeadFile, MeshError> {
    let bytes = read_file(path, LARGEST_FILE)?;
    parse(&bytes, path)
}

/// Reads OBJ text from memory; `path` serves messages and finds materials.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<HeadFile, MeshError> {
    let checked = check::check(bytes, path);
    let checked = checked.map_err(|error| explain::explained(error, bytes, path))?;
    let mut warnings = checked.warnings.clone();
    let (library, mut maps) = materials(&checked.libraries, path, &mut warnings);
    let names = library.iter().enumerate().map(|(i, m)| (m.name.clone(), i));
    let names: HashMap<String, usize> = names.collect();
    // The parser finds them by name; what else is in them is read here.
    let stand_in = |material: &LibraryMaterial| tobj::Material {
        name: material.name.clone(),
        ..tobj::Material::default()
    };
    let stand_ins: Vec<tobj::Material> = library.iter().map(stand_in).collect();
    // Polygons come as they are, to be cut by `polygon`; positions, texture
    // coordinates and normals keep an index of their own each.
    let options = tobj::LoadOptions {
        ignore_points: true,
        ignore_lines: true,
        ..tobj::LoadOptions::default()
    };
    let loaded = tobj::load_obj_buf(&mut checked.text.as_bytes(), &options, |_| {
        Ok((stand_ins.clone(), names.clone().into_iter().collect()))
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
    let parts: Vec<Polygons> = models
        .into_iter()
        .map(|model| polygons(model, checked.has_uvs))
        .collect();
    let materials = library
        .iter()
        .zip(maps.drain(..))
        .map(|(source, maps)| material(source, maps))
        .collect();
    let (mut mesh, origin) = assemble(&parts, materials, path);
    drop(parts);
    if mesh.triangles.is_empty() {
        return Err(MeshError::NoArea {
            path: path.into(),
            line: checked.first_face_line,
        });
    }
    put_right(&mut mesh, checked.triangles, &mut warnings);
    Ok(HeadFile {
        path: path.into(),
        mesh,
        origin,
        vertices: checked.vertices,
        faces: checked.faces,
        triangles: checked.triangles,
        bounds: checked.bounds,
        units: None,
        metres_per_unit: None,
        up: None,
        warnings,
    })
}

/// The faces of one of the parser's models, which has a group and a material.
fn polygons(model: tobj::Model, has_uvs: bool) -> Polygons {
    let source = model.mesh;
    let vectors =
        |list: &[f64]| -> Vec<DVec3> { list.chunks_exact(3).map(DVec3::from_slice).collect() };
    let uv = |uv: &[f64]| DVec2::from_slice(uv).as_vec2();
    let triangles = source.indices.len() / 3;
    let arities = match source.face_arities.is_empty() {
        true => vec![3; triangles],
        false => source.face_arities,
    };
    Polygons {
        positions: vectors(&source.positions),
        face_materials: match source.material_id {
            Some(material) => vec![Some(material as u32); arities.len()],
            None => Vec::new(),
        },
        arities,
        corners: source.indices,
        uvs: match has_uvs {
            true => source.texcoords.chunks_exact(2).map(uv).collect(),
            false => Vec::new(),
        },
        uv_corners: match has_uvs {
            true => source.texcoord_indices,
            false => Vec::new(),
        },
        normals: source
            .normals
            .chunks_exact(3)
            .map(|n| DVec3::from_slice(n).as_vec3())
            .collect(),
        normal_corners: source.normal_indices,
        groups: vec![model.name],
        face_groups: Vec::new(),
    }
}

fn material(source: &LibraryMaterial, maps: Maps) -> Material {
    // Under a picture no colour means no tint; and exporters write black there,
    // which nobody means.
    let textured = maps.colour.is_some();
    let none = if textured { [1.0; 3] } else { BARE };
    let own = source.diffuse.filter(|c| !textured || *c != [0.0; 3]);
    Material {
        name: source.name.clone(),
        diffuse: own.map_or(none, |colour| colour.map(|c| c.clamp(0.0, 1.0))),
        maps,
        clear: source.clear(),
    }
}

/// Reads the material libraries that exist, each once, with the pictures they name; the
/// others earn a warning.
fn materials(
    libraries: &[(usize, String)],
    obj: &Path,
    warnings: &mut Vec<String>,
) -> (Vec<LibraryMaterial>, Vec<Maps>) {
    let (mut found, mut maps) = (Vec::new(), Vec::new());
    let (mut cache, mut seen) = (TextureCache::default(), HashSet::new());
    for (line, written) in libraries {
        let mut missing = Vec::new();
        for name in library_names(written, obj) {
            let mtl = beside(obj, &name);
            if !seen.insert(mtl.clone()) {
                continue;
            }
            match read_file(&mtl, LARGEST_LIBRARY) {
                Ok(bytes) => {
                    for material in library::read(&String::from_utf8_lossy(&bytes)) {
                        maps.push(cache.maps(&material.wanted, &mtl, warnings));
                        found.push(material);
                    }
                }
                Err(error) => match unreadable(&error) {
                    Some((why, cure)) => warnings.push(format!(
                        "line {line}: material library {name} cannot be read ({why}), the head \
                         has one colour; {cure}"
                    )),
                    None => missing.push(name),
                },
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

/// Why a library that is there cannot be read, and what to do; none where it is not there.
fn unreadable(error: &MeshError) -> Option<(String, &'static str)> {
    Some(match error {
        MeshError::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            return None;
        }
        MeshError::Read { source, .. } => (reason(source), "allow this program to read it"),
        MeshError::TooLarge { limit, .. } => (
            format!("it has more than {} MB", limit >> 20),
            "leave in it only the materials of this head",
        ),
        _ => ("it is not a file".into(), "name the file of a library"),
    })
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
