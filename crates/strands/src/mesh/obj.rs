//! Reads a Wavefront OBJ file into a mesh, in the file's own units.

use super::{
    HeadFile, Material, MeshError,
    assemble::{BARE, Polygons, assemble, put_right},
    check, explain,
    files::{LARGEST_FILE, read_file},
    texture::{Maps, Shelf, wanted},
};
use glam::{DVec2, DVec3};
use std::{
    collections::HashMap,
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
