//! Makes all faces look outward.

use super::{
    Mesh,
    edges::{edges, sides},
};
use crate::math::elementary::pow;

/// What had to be turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turned {
    /// Nothing.
    None,
    /// So many faces, to look the same way as their neighbours.
    Some(usize),
    /// The whole surface was inside out.
    All,
}

/// Turns faces that look another way than their neighbours, then the whole
/// surface if it is inside out.
pub(super) fn turn_outward(mesh: &mut Mesh) -> Turned {
    let odd = odd_faces(mesh);
    for triangle in &odd {
        turn(mesh, *triangle as usize);
    }
    let inside_out = face_outward(mesh);
    for triangle in &odd {
        turn_normals(mesh, *triangle as usize);
    }
    match (inside_out, odd.len()) {
        (true, _) => Turned::All,
        (false, 0) => Turned::None,
        (false, count) => Turned::Some(count),
    }
}

/// Reverses the order of a triangle's corners.
fn turn(mesh: &mut Mesh, triangle: usize) {
    mesh.triangles[triangle].swap(1, 2);
    mesh.normals[triangle].swap(1, 2);
    if let Some(uvs) = mesh.uvs.get_mut(triangle) {
        uvs.swap(1, 2);
    }
}

/// Turns those normals of a triangle to its outer side that are on its inner one: a face
/// that was written the wrong way round may have had its normals computed from that.
fn turn_normals(mesh: &mut Mesh, triangle: usize) {
    let outward = mesh.area_normal(triangle);
    for normal in &mut mesh.normals[triangle] {
        if normal.dot(outward) < 0.0 {
            *normal = -*normal;
        }
    }
}

/// The smaller part, by area, of each connected piece whose faces disagree
/// about which side is out.
fn odd_faces(mesh: &Mesh) -> Vec<u32> {
    let sides = sides(mesh);
    // Neighbours agree when they run along their common edge in opposite
    // directions; more than two faces at an edge say nothing.
    let pairs: Vec<(u32, u32, bool)> = edges(&sides)
        .filter_map(|edge| match edge {
            [a, b] => Some((a.triangle, b.triangle, a.forward != b.forward)),
            _ => None,
        })
        .collect();
    if pairs.iter().all(|(.., agree)| *agree) {
        return Vec::new();
    }
    let count = mesh.triangles.len();
    let mut neighbours = vec![Vec::new(); count];
    for (a, b, agree) in pairs {
        neighbours[a as usize].push((b, agree));
        neighbours[b as usize].push((a, agree));
    }
    let mut side: Vec<Option<bool>> = vec![None; count];
    let mut odd = Vec::new();
    for start in 0..count {
        if side[start].is_some() {
            continue;
        }
        side[start] = Some(true);
        let mut piece = vec![start as u32];
        let mut next = 0;
        let mut area = [0.0f64; 2];
        while let Some(triangle) = piece.get(next).map(|t| *t as usize) {
            next += 1;
            let own = side[triangle] == Some(true);
            area[usize::from(own)] += f64::from(mesh.area_normal(triangle).length());
            for (other, agree) in &neighbours[triangle] {
                let place = &mut side[*other as usize];
                if place.is_none() {
                    *place = Some(own == *agree);
                    piece.push(*other);
                }
            }
        }
        let right = Some(area[1] >= area[0]);
        odd.extend(piece.into_iter().filter(|t| side[*t as usize] != right));
    }
    odd
}

/// Turns all faces around when the surface is inside out; says whether it was.
///
/// A surface that encloses a volume is judged by the sign of that volume, a
/// sheet by the normals of the file.
fn face_outward(mesh: &mut Mesh) -> bool {
    let [min, max] = mesh.bounds();
    let middle = min.midpoint(max);
    let (mut volume, mut area, mut agreement) = (0.0f64, 0.0f64, 0.0f64);
    for (i, normals) in mesh.normals.iter().enumerate() {
        let [a, b, c] = mesh.corners(i).map(|p| (p - middle).as_dvec3());
        let normal = (b - a).cross(c - a);
        volume += a.dot(b.cross(c)) / 6.0;
        area += 0.5 * normal.length();
        let given: glam::Vec3 = normals.iter().sum();
        agreement += normal.dot(given.as_dvec3());
    }
    // A sphere encloses 0.094 area^1.5.
    let fullness = volume / pow(area, 1.5).max(f64::MIN_POSITIVE);
    let inside_out = fullness < -0.01 || (fullness.abs() <= 0.01 && agreement < 0.0);
    if inside_out {
        (0..mesh.triangles.len()).for_each(|triangle| turn(mesh, triangle));
    }
    // Normals that agreed with the wrong winding are wrong too.
    if (agreement < 0.0) != inside_out {
        for normal in mesh.normals.as_flattened_mut() {
            *normal = -*normal;
        }
    }
    inside_out
}
