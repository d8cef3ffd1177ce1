//! Corner normals where the file has none.

use super::Mesh;
use glam::Vec3;

/// Faces that meet at a sharper angle than this keep an edge between them.
const CREASE_COSINE: f32 = 0.5;

/// The angles of a triangle at its corners. `[rad]`
pub(super) fn angles([a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let angle = |at: Vec3, p: Vec3, q: Vec3| (p - at).angle_between(q - at);
    let angles = [angle(a, b, c), angle(b, c, a), angle(c, a, b)];
    angles.map(|angle| if angle.is_finite() { angle } else { 0.0 })
}

/// For each vertex the corners `3 * triangle + corner` that use it, as
/// `corners[starts[v]..starts[v + 1]]`.
fn corners_of_vertices(mesh: &Mesh) -> (Vec<u32>, Vec<u32>) {
    let flat = mesh.triangles.as_flattened();
    let mut starts = vec![0u32; mesh.positions.len() + 1];
    for v in flat {
        starts[*v as usize + 1] += 1;
    }
    for v in 0..mesh.positions.len() {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut corners = vec![0; flat.len()];
    for (corner, v) in flat.iter().enumerate() {
        corners[next[*v as usize] as usize] = corner as u32;
        next[*v as usize] += 1;
    }
    (starts, corners)
}

/// Gives every corner whose normal is zero the angle-weighted mean (Thürmer &
/// Wüthrich 1998) of the faces around it that make no crease with its own.
pub(super) fn fill_missing(mesh: &mut Mesh) {
    if mesh.normals.as_flattened().iter().all(|n| *n != Vec3::ZERO) {
        return;
    }
    let faces: Vec<Vec3> = (0..mesh.triangles.len())
        .map(|i| mesh.area_normal(i).normalize_or(Vec3::Y))
        .collect();
    let weights: Vec<[f32; 3]> = (0..mesh.triangles.len())
        .map(|i| angles(mesh.corners(i)))
        .collect();
    let (starts, corners) = corners_of_vertices(mesh);
    for triangle in 0..mesh.triangles.len() {
        for corner in 0..3 {
            if mesh.normals[triangle][corner] != Vec3::ZERO {
                continue;
            }
            let v = mesh.triangles[triangle][corner] as usize;
            let own = faces[triangle];
            let sum: Vec3 = corners[starts[v] as usize..starts[v + 1] as usize]
                .iter()
                .map(|at| {
                    (
                        faces[*at as usize / 3],
                        weights[*at as usize / 3][*at as usize % 3],
                    )
                })
                .filter(|(face, _)| face.dot(own) > CREASE_COSINE)
                .map(|(face, weight)| face * weight)
                .sum();
            mesh.normals[triangle][corner] = sum.normalize_or(own);
        }
    }
}
