//! Corner normals where the file has none.

use super::Mesh;
use glam::Vec3;
use std::collections::HashMap;

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

/// Around a vertex with more corners than this, faces that look almost the same way count
/// together.
const MANY: usize = 512;
/// A face there has at least this angle: smaller ones are rounded to none. `[rad]`
const SLIGHT: f32 = 1e-4;
/// Side of the cells of unit normals that do.
const CELL: f32 = 1.0 / 16.0;

/// The cell of a unit normal.
fn cell(normal: Vec3) -> [i32; 3] {
    (normal / CELL).round().as_ivec3().to_array()
}

/// The normals of the corners around one vertex, for each cell of faces' normals, from the
/// normals and weights of its faces.
fn smooth_cells(faces: impl Iterator<Item = (Vec3, f32)>) -> HashMap<[i32; 3], Vec3> {
    let mut place: HashMap<[i32; 3], usize> = HashMap::new();
    // Of each cell its number, the sum of its normals, and that of them times their weights.
    let mut sums: Vec<([i32; 3], Vec3, Vec3)> = Vec::new();
    for (face, weight) in faces {
        let at = cell(face);
        let index = *place.entry(at).or_insert(sums.len());
        if index == sums.len() {
            sums.push((at, Vec3::ZERO, Vec3::ZERO));
        }
        sums[index].1 += face;
        sums[index].2 += face * weight.max(SLIGHT);
    }
    for (_, mean, _) in &mut sums {
        *mean = mean.normalize_or_zero();
    }
    let smooth = |(at, own, _): &([i32; 3], Vec3, Vec3)| {
        let near = sums
            .iter()
            .filter(|(_, mean, _)| mean.dot(*own) > CREASE_COSINE);
        let sum: Vec3 = near.map(|(.., sum)| *sum).sum();
        (*at, sum.normalize_or(*own))
    };
    sums.iter().map(smooth).collect()
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
    let around = |v: usize| {
        let corners = &corners[starts[v] as usize..starts[v + 1] as usize];
        let face = |at: &u32| {
            let (triangle, corner) = (*at as usize / 3, *at as usize % 3);
            (faces[triangle], weights[triangle][corner])
        };
        corners.iter().map(face)
    };
    let mut crowded: HashMap<usize, HashMap<[i32; 3], Vec3>> = HashMap::new();
    for (triangle, own) in faces.iter().copied().enumerate() {
        for corner in 0..3 {
            if mesh.normals[triangle][corner] != Vec3::ZERO {
                continue;
            }
            let v = mesh.triangles[triangle][corner] as usize;
            if around(v).len() > MANY {
                let cells = crowded.entry(v).or_insert_with(|| smooth_cells(around(v)));
                mesh.normals[triangle][corner] = cells.get(&cell(own)).copied().unwrap_or(own);
                continue;
            }
            let sum: Vec3 = around(v)
                .filter(|(face, _)| face.dot(own) > CREASE_COSINE)
                .map(|(face, weight)| face * weight)
                .sum();
            mesh.normals[triangle][corner] = sum.normalize_or(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};

    /// A cone of so many faces, its tip first, which rises by `height` over its rim.
    fn cone(faces: u32, height: f32) -> Mesh {
        let rim = (0..faces).map(|i| {
            let angle = std::f32::consts::TAU * i as f32 / faces as f32;
            Vec3::new(sin(angle), 0.0, cos(angle))
        });
        Mesh {
            positions: std::iter::once(Vec3::Y * height).chain(rim).collect(),
            triangles: (0..faces)
                .map(|i| [0, 1 + i, 1 + (i + 1) % faces])
                .collect(),
            normals: vec![[Vec3::ZERO; 3]; faces as usize],
            ..Mesh::default()
        }
    }

    #[test]
    fn many_faces_around_one_vertex_are_smoothed_as_few_are() {
        // Every face beside every other would be 10^10 pairs, and this would not end.
        for faces in [MANY as u32, 4 * MANY as u32, 100_000] {
            let mut mesh = cone(faces, 0.3);
            fill_missing(&mut mesh);
            for normals in &mesh.normals {
                let off = normals[0].distance(Vec3::Y);
                assert!(off < 0.01, "{faces} faces: {:?}", normals[0]);
            }
        }
        // A steep one has a crease between faces that are opposite.
        let mut mesh = cone(4 * MANY as u32, 3.0);
        fill_missing(&mut mesh);
        for (i, normals) in mesh.normals.iter().enumerate() {
            let own = mesh.area_normal(i).normalize();
            assert!(normals[0].dot(own) > 0.8, "{:?} {own}", normals[0]);
        }
    }
}
