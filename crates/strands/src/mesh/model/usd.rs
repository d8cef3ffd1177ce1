//! Heads in USD layers: meshes with their transforms, subsets and materials.

use super::{
    parts::{Corners, Faces, ModelParts, RowsPer, group_name, keep, refuse},
    pictures::Pictures,
    usd_film::FrameTimes,
    usd_look::Looks,
};
use crate::mesh::{MeshError, Up, assemble::Polygons, triangle_mesh::names_scalp};
use glam::{DMat4, Vec2, Vec3};
use lovelock_usd::{
    Layer, Package, Prim, Specifier, UsdError, UsdPlace, Value, is_crate, is_package, is_text,
};
use std::path::Path;

/// In a crate file several meshes may share one array; vertices are no more than so many
/// times the file all the same.
const SHARED: usize = 16;

pub fn is(bytes: &[u8]) -> bool {
    is_text(bytes) || is_crate(bytes) || is_package(bytes)
}

/// How many poses the meshes of a layer have, one a frame.
pub fn poses(bytes: &[u8]) -> Result<usize, UsdError> {
    let layer = Layer::open(bytes)?;
    Ok(FrameTimes::of(&layer)?.map_or(1, |frames| frames.count()))
}

/// How many of them are in a second; none where the layer does not say it. `[1/s]`
pub fn rate(bytes: &[u8]) -> Result<Option<f64>, UsdError> {
    let layer = Layer::open(bytes)?;
    Ok(FrameTimes::of(&layer)?.and_then(|frames| frames.rate()))
}

/// When the first of them is `[s]`, and time codes in a second; none where there is one.
pub fn start(bytes: &[u8]) -> Result<Option<[f64; 2]>, UsdError> {
    let layer = Layer::open(bytes)?;
    Ok(FrameTimes::of(&layer)?.map(|frames| frames.start()))
}

/// What is wrong with a layer, and where.
pub fn fault(error: UsdError, path: &Path) -> MeshError {
    MeshError::Model {
        path: path.into(),
        place: match error.place {
            UsdPlace::Whole => String::new(),
            UsdPlace::Line(line) => format!(", line {line}"),
            UsdPlace::Byte(at) => format!(", byte {at}"),
        },
        why: error.to_string(),
    }
}

/// The meshes of a layer of any kind in their pose of that number.
pub fn read(
    bytes: &[u8],
    path: &Path,
    pose: usize,
    pictures: Pictures,
) -> Result<ModelParts, MeshError> {
    let fault = |error: UsdError| fault(error, path);
    let layer = Layer::open(bytes).map_err(fault)?;
    let package = match is_package(bytes) {
        true => Some(Package::open(bytes).map_err(fault)?),
        false => None,
    };
    let frames = FrameTimes::of(&layer).map_err(fault)?;
    let mut reader = Reader {
        time: frames.map(|frames| frames.at(pose)),
        looks: Looks::new(&layer, package.as_ref(), path, pictures),
        out: ModelParts {
            metres_per_unit: layer.metres_per_unit.filter(|metres| *metres > 0.0),
            up: layer.up_axis.as_deref().map(|axis| match axis {
                "Z" => Up::Z,
                _ => Up::Y,
            }),
            ..ModelParts::default()
        },
        curves: 0,
        refers: false,
        room: bytes.len().saturating_mul(SHARED),
    };
    for prim in &layer.prims {
        reader
            .prim(prim, DMat4::IDENTITY, &[], None)
            .map_err(fault)?;
    }
    let Reader {
        mut out,
        looks,
        curves,
        refers,
        ..
    } = reader;
    out.warnings.extend(looks.warnings);
    out.materials = looks.materials;
    if out.parts.is_empty() {
        return Err(refuse(
            path,
            match (refers, curves) {
                (true, _) => {
                    "it has no mesh of its own and refers to other files; flatten it, \
                     `usdcat --flatten in.usda -o out.usdc`"
                }
                (_, 0) => "it has no Mesh; export the head's polygons",
                _ => {
                    "it has curves and no Mesh; give it as the groom, and the head's polygons as \
                     the head"
                }
            },
        ));
    }
    if refers {
        let text = "what it refers to in other files is left out; flatten it to have that, too";
        out.warnings.push(text.into());
    }
    Ok(out)
}

struct Reader<'a, 'l> {
    /// The time code of the pose, of what moves.
    time: Option<f64>,
    looks: Looks<'a, 'l>,
    out: ModelParts,
    curves: usize,
    refers: bool,
    /// How many more bytes of vertices and corners are taken.
    room: usize,
}

impl<'l> Reader<'_, 'l> {
    fn prim(
        &mut self,
        prim: &'l Prim<'l>,
        parent: DMat4,
        above: &[&str],
        bound: Option<&str>,
    ) -> Result<(), UsdError> {
        if is_hidden(prim)? {
            return Ok(());
        }
        let placed = prim.place_at(parent, self.time)?;
        self.refers |= prim.refers;
        let own = prim.targets("material:binding")?.into_iter().next();
        let bound = own.as_deref().or(bound);
        let names: Vec<&str> = std::iter::once(&prim.name[..])
            .chain(above.iter().copied())
            .collect();
        match &prim.kind[..] {
            "Mesh" => self.mesh(prim, placed, &names, bound)?,
            "BasisCurves" | "NurbsCurves" => self.curves += 1,
            _ => {}
        }
        for child in &prim.children {
            self.prim(child, placed, &names, bound)?;
        }
        Ok(())
    }

    fn mesh(
        &mut self,
        prim: &Prim,
        placed: DMat4,
        names: &[&str],
        bound: Option<&str>,
    ) -> Result<(), UsdError> {
        let counts = |name: &str| -> Result<Vec<u32>, UsdError> {
            Ok(prim
                .value(name)?
                .and_then(Value::counts)
                .unwrap_or_default())
        };
        let points = vectors(prim.value_at("points", self.time)?);
        let (arities, corners) = (counts("faceVertexCounts")?, counts("faceVertexIndices")?);
        let sum: u64 = arities.iter().map(|n| u64::from(*n)).sum();
        if sum != corners.len() as u64 {
            return Err(UsdError {
                place: UsdPlace::Whole,
                text: format!(
                    "faceVertexCounts promises {sum} corners and there are {}, in \"{}\"",
                    corners.len(),
                    prim.name
                ),
            });
        }
        let size = 24 * points.len() + 4 * (corners.len() + arities.len());
        self.room = self.room.checked_sub(size).ok_or_else(|| UsdError {
            place: UsdPlace::Whole,
            text: "its meshes share one array too many times".into(),
        })?;
        if arities.is_empty() {
            return Ok(());
        }
        let holes = counts("holeIndices")?;
        let vertices = points.len();
        let faces = Faces {
            uvs: uvs(prim, &corners, vertices)?,
            normals: normals(prim, &corners, vertices)?,
            points,
            arities,
            corners,
            clockwise: prim.word("orientation")? == "leftHanded",
        };
        let bound = match bound {
            Some(path) => self.looks.material(path)?,
            None => None,
        };
        let material = match bound {
            Some(material) => Some(material),
            None => self.looks.displayed(prim)?,
        };
        let material_name = bound.map(|number| self.looks.materials[number as usize].name.clone());
        let mut all = names.to_vec();
        all.extend(material_name.as_deref());
        let mut part = faces.place(placed, group_name(&all), material);
        for child in prim
            .children
            .iter()
            .filter(|child| child.kind == "GeomSubset")
        {
            self.subset(child, &mut part)?;
        }
        if !holes.is_empty() {
            let mut wanted = vec![true; part.arities.len()];
            for hole in holes {
                if let Some(face) = wanted.get_mut(hole as usize) {
                    *face = false;
                }
            }
            keep(&mut part, &wanted);
        }
        self.out.parts.push(part);
        Ok(())
    }

    /// Gives faces of a part the material of a subset, and the subset's name where it is
    /// that of a scalp.
    fn subset(&mut self, subset: &Prim, part: &mut Polygons) -> Result<(), UsdError> {
        let faces = subset
            .value("indices")?
            .and_then(Value::counts)
            .unwrap_or_default();
        let bound = subset.targets("material:binding")?.into_iter().next();
        let material = match &bound {
            Some(path) => self.looks.material(path)?,
            None => None,
        };
        let named = material.map(|number| self.looks.materials[number as usize].name.clone());
        let names = [Some(&subset.name), named.as_ref()];
        let scalp = names.into_iter().flatten().find(|name| names_scalp(name));
        let count = part.arities.len();
        if material.is_some() && part.face_materials.is_empty() {
            part.face_materials = vec![None; count];
        }
        let group = scalp.map(|name| {
            part.groups.push(name.clone());
            part.face_groups.resize(count, 0);
            part.groups.len() as u32 - 1
        });
        for face in faces
            .iter()
            .map(|face| *face as usize)
            .filter(|face| *face < count)
        {
            if material.is_some() {
                part.face_materials[face] = material;
            }
            if let Some(group) = group {
                part.face_groups[face] = group;
            }
        }
        Ok(())
    }
}

/// Whether a prim and all in it is not to be seen.
pub fn is_hidden(prim: &Prim) -> Result<bool, UsdError> {
    Ok(prim.inactive
        || prim.specifier == Specifier::Class
        || prim.word("visibility")? == "invisible"
        || matches!(&prim.word("purpose")?[..], "proxy" | "guide"))
}

fn vectors(value: Option<Value>) -> Vec<Vec3> {
    let all = value.and_then(Value::floats).unwrap_or_default();
    all.chunks_exact(3).map(Vec3::from_slice).collect()
}

/// What `NAME:indices` says of rows.
fn indices(prim: &Prim, name: &str) -> Result<Option<Vec<u32>>, UsdError> {
    let found = prim.value(&format!("{name}:indices"))?;
    Ok(found
        .and_then(Value::counts)
        .filter(|found| !found.is_empty()))
}

/// Texture coordinates: those that everybody calls `st`, or the first that there are.
fn uvs(prim: &Prim, corners: &[u32], vertices: usize) -> Result<Corners<Vec2>, UsdError> {
    let named = ["primvars:st", "primvars:UVMap"];
    let found = named
        .iter()
        .find_map(|name| prim.property(name))
        .or_else(|| {
            let mut all = prim.properties.iter();
            all.find(|property| {
                property.name.starts_with("primvars:") && property.kind.starts_with("texCoord2")
            })
        });
    let Some(found) = found else {
        return Ok(Corners::default());
    };
    let rows = found.value()?.filter(|value| value.width == 2);
    let rows = rows.and_then(Value::floats).unwrap_or_default();
    let rows = rows.chunks_exact(2).map(Vec2::from_slice).collect();
    Ok(Corners::spread(
        rows,
        indices(prim, &found.name)?,
        RowsPer::named(&found.interpolation),
        corners,
        vertices,
    ))
}

fn normals(prim: &Prim, corners: &[u32], vertices: usize) -> Result<Corners<Vec3>, UsdError> {
    // A primvar says it better than the old attribute.
    for name in ["primvars:normals", "normals"] {
        let Some(property) = prim.property(name) else {
            continue;
        };
        let rows = vectors(property.value()?);
        if !rows.is_empty() {
            return Ok(Corners::spread(
                rows,
                indices(prim, name)?,
                RowsPer::named(&property.interpolation),
                corners,
                vertices,
            ));
        }
    }
    Ok(Corners::default())
}
