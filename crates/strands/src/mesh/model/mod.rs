//! Heads in other files than OBJ: USD, glTF and Alembic, each read to the same parts,
//! faces of any size, and these to a head's file.

mod accessor;
mod alembic;
mod gltf;
mod gltf_files;
mod gltf_skin;
mod parts;
mod pictures;
mod usd;
mod usd_film;
mod usd_look;

use self::{parts::ModelParts, pictures::Pictures};
use super::{
    HeadFile, MeshError,
    assemble::{Polygons, assemble, put_right},
};
use glam::{DVec3, Vec3};
use std::path::Path;

/// Whether the bytes are those of a model in one of these formats; an ending counts for
/// JSON alone, which could be anything.
pub(super) fn is(bytes: &[u8], path: &Path) -> bool {
    usd::is(bytes) || lovelock_alembic::is_ogawa(bytes) || gltf::is(bytes, path)
}

/// How many poses a model in one of these formats has: none where it has no mesh.
///
/// # Errors
/// What is wrong, where, and what to do.
pub(super) fn poses(bytes: &[u8], path: &Path) -> Result<usize, MeshError> {
    if usd::is(bytes) {
        return usd::poses(bytes).map_err(|error| usd::fault(error, path));
    }
    match lovelock_alembic::is_ogawa(bytes) {
        true => alembic::poses(bytes).map_err(|error| alembic::fault(error, path)),
        false => Ok(1),
    }
}

/// How many of them are in a second; none where there is one, where it does not say it,
/// or is damaged. `[1/s]`
pub(super) fn rate(bytes: &[u8]) -> Option<f64> {
    if usd::is(bytes) {
        return usd::rate(bytes).ok().flatten();
    }
    match lovelock_alembic::is_ogawa(bytes) {
        true => alembic::rate(bytes).ok().flatten(),
        false => None,
    }
}

/// When the first of them is `[s]`, and time codes in a second where the format has them;
/// none where there is one, or the file is damaged.
pub(super) fn start(bytes: &[u8]) -> Option<(f64, Option<f64>)> {
    if usd::is(bytes) {
        let [start, codes] = usd::start(bytes).ok().flatten()?;
        return Some((start, Some(codes)));
    }
    match lovelock_alembic::is_ogawa(bytes) {
        true => Some((alembic::start(bytes).ok().flatten()?, None)),
        false => None,
    }
}

/// The faces of a model in its pose of that number, for formats that have several; its
/// pictures are not read.
///
/// # Errors
/// What is wrong, where, and what to do.
pub(super) fn geometry(bytes: &[u8], path: &Path, pose: usize) -> Result<Vec<Polygons>, MeshError> {
    Ok(parts(bytes, path, pose, Pictures::none())?.parts)
}

fn parts(
    bytes: &[u8],
    path: &Path,
    pose: usize,
    pictures: Pictures,
) -> Result<ModelParts, MeshError> {
    match lovelock_alembic::is_ogawa(bytes) {
        _ if usd::is(bytes) => usd::read(bytes, path, pose, pictures),
        true => alembic::read(bytes, path, pose),
        false => gltf::read(bytes, path, pictures),
    }
}

/// The head in a model's file.
///
/// # Errors
/// What is wrong, where, and what to do, when it has no usable face.
pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<HeadFile, MeshError> {
    let mut model = parts(bytes, path, 0, Pictures::default())?;
    let (units, metres_per_unit) = model.unit();
    let mut warnings = std::mem::take(&mut model.warnings);
    let counts = model.count();
    model.drop_unsound(&mut warnings);
    let refused = |why: &str| MeshError::Model {
        path: path.into(),
        place: String::new(),
        why: why.into(),
    };
    let all = model.parts.iter();
    let triangles = all.flat_map(|part| &part.arities).map(|n| *n as usize - 2);
    let triangles: usize = triangles.sum();
    if triangles == 0 {
        return Err(refused(
            "none of its faces can be used; export the model again",
        ));
    }
    let positions = || model.parts.iter().flat_map(|part| &part.positions);
    let finite = || positions().filter(|p| p.is_finite());
    let low = finite().fold(DVec3::INFINITY, |low, p| low.min(*p));
    let high = finite().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
    let bounds: [Vec3; 2] = [low, high].map(|p| p.as_vec3());
    let materials = std::mem::take(&mut model.materials);
    let (mut mesh, origin) = assemble(&model.parts, materials, path);
    if mesh.triangles.is_empty() {
        return Err(refused("no triangle has an area; export the model again"));
    }
    put_right(&mut mesh, triangles, &mut warnings);
    Ok(HeadFile {
        path: path.into(),
        mesh,
        origin,
        vertices: counts[0],
        faces: counts[1],
        triangles,
        bounds,
        units,
        metres_per_unit,
        up: model.up,
        warnings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_read_for_a_head_and_not_for_each_of_its_poses() {
        let text = b"#usda 1.0\n\
            def Mesh \"a\" {\nrel material:binding = </m>\nint[] faceVertexCounts = [3]\n\
            int[] faceVertexIndices = [0, 1, 2]\n\
            point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}\n\
            def Material \"m\" {\ndef Shader \"s\" {\n\
            uniform token info:id = \"UsdPreviewSurface\"\n\
            color3f inputs:diffuseColor.connect = </m/t.outputs:rgb>\n}\n\
            def Shader \"t\" {\nasset inputs:file = @none.png@\n}\n}\n";
        let read = |pictures| parts(text, Path::new("a.usda"), 0, pictures).expect("reads");
        let head = read(Pictures::default());
        assert!(head.warnings[0].contains("none.png"), "{:?}", head.warnings);
        let pose = read(Pictures::none());
        assert_eq!((pose.warnings.len(), pose.parts.len()), (0, 1));
    }
}
