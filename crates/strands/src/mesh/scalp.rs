//! Finds the faces that carry hair.

use super::{
    Measure, Mesh, MeshError, RootParams,
    edges::{edges, sides},
    surface::Surface,
};
use crate::math::{
    elementary::{cos, sin_cos},
    length_text,
};
use glam::Vec3;

/// Parts thinner than this are ears, lids and noses. `[m]`
const THIN: f32 = 0.02;
/// A patch smaller than this part of the largest one is not scalp.
const PATCH: f32 = 0.25;
/// A rule of taste that leaves less than this part of the area is not applied.
const LEFT: f32 = 0.3;

/// The group `scalp` where the mesh names one; else the faces that lean at
/// most `limit_angle` from up and lie above the hairline, without those under
/// a roof (mouth, sockets), on thin parts (ears, lids) and in small patches
/// of their own (brows, cheeks).
///
/// # Errors
/// [`MeshError::NoScalp`] when no face lies so.
pub(super) fn faces(mesh: &Mesh, params: &RootParams) -> Result<Vec<u32>, MeshError> {
    if params.use_scalp {
        let scalp = mesh.groups.iter().filter(|group| group.is_scalp());
        let faces: Vec<u32> = scalp
            .flat_map(|group| group.triangles.clone())
            .map(|i| i as u32)
            .collect();
        if !faces.is_empty() {
            return Ok(faces);
        }
    }
    let faces = above_hairline(mesh, params)?;
    let surface = Surface::new(mesh);
    let [min, max] = mesh.bounds();
    let (lift, far) = (1e-4 * (max - min).max_element(), 2.0 * (max - min).length());
    let open = keep(mesh, faces, |i| {
        let normal = surface.face_normal(i);
        // Away from the skin and up, to clear the curve of the head itself.
        let direction = if normal.y > -0.5 {
            (normal + Vec3::Y).normalize_or(normal)
        } else {
            normal
        };
        let from = middle(mesh, i) + lift * normal;
        surface.ray(from, direction, far).is_none()
    });
    let thick = keep(mesh, open, |i| {
        let normal = surface.face_normal(i);
        let from = middle(mesh, i) - lift * normal;
        surface.ray(from, -normal, THIN).is_none()
    });
    Ok(without_patches(mesh, thick))
}

/// How much each vertex belongs to what may carry hair, 0 or 1: the group
/// `scalp`, else all that lies above the hairline.
pub fn shares(mesh: &Mesh, params: &RootParams) -> Vec<f32> {
    let mut shares = vec![0.0; mesh.positions.len()];
    let named = mesh.groups.iter().filter(|group| group.is_scalp());
    let mut faces: Vec<u32> = match params.use_scalp {
        true => named
            .flat_map(|group| group.triangles.clone())
            .map(|triangle| triangle as u32)
            .collect(),
        false => Vec::new(),
    };
    if faces.is_empty() {
        // A head without any such face has no hair to be shown.
        faces = above_hairline(mesh, params).unwrap_or_default();
    }
    for face in faces {
        for vertex in mesh.triangles[face as usize] {
            shares[vertex as usize] = 1.0;
        }
    }
    shares
}

fn middle(mesh: &Mesh, triangle: u32) -> Vec3 {
    let [a, b, c] = mesh.corners(triangle as usize);
    (a + b + c) / 3.0
}

fn area(mesh: &Mesh, faces: &[u32]) -> f32 {
    faces
        .iter()
        .map(|i| 0.5 * mesh.area_normal(*i as usize).length())
        .sum()
}

/// Faces that look up and lie above the hairline, a plane that is tilted back.
fn above_hairline(mesh: &Mesh, params: &RootParams) -> Result<Vec<u32>, MeshError> {
    let cosine = cos(params.limit_angle.to_radians());
    let upward: Vec<u32> = (0..mesh.triangles.len() as u32)
        .filter(|i| {
            let normal = mesh.area_normal(*i as usize).normalize_or_zero();
            normal.y >= cosine - 1e-6
        })
        .collect();
    if upward.is_empty() {
        return Err(MeshError::NoScalp {
            name: mesh.name.clone(),
            why: format!("no face leans at most {}° from up", params.limit_angle),
            cure: "raise roots.limit_angle, or set head.up if the head lies on its side".into(),
        });
    }
    let (sine, cosine) = sin_cos(params.tilt.to_radians());
    let height = |p: Vec3| p.y * cosine - p.z * sine;
    let crown = mesh.positions.iter().map(|p| height(*p));
    let crown = crown.fold(f32::NEG_INFINITY, f32::max);
    let reach = params.reach * Measure::of(mesh).head;
    let above = upward
        .into_iter()
        .filter(|i| height(middle(mesh, *i)) >= crown - reach);
    let above: Vec<u32> = above.collect();
    if above.is_empty() {
        return Err(MeshError::NoScalp {
            name: mesh.name.clone(),
            why: format!(
                "no upward face lies within {} head heights ({}) of the crown",
                params.reach,
                length_text(reach)
            ),
            cure: "raise roots.reach".into(),
        });
    }
    Ok(above)
}

/// The faces that pass `rule`, unless it would take most of the area.
fn keep(mesh: &Mesh, faces: Vec<u32>, rule: impl Fn(u32) -> bool) -> Vec<u32> {
    let kept: Vec<u32> = faces.iter().copied().filter(|i| rule(*i)).collect();
    if area(mesh, &kept) < LEFT * area(mesh, &faces) {
        return faces;
    }
    kept
}

/// Drops connected patches that are much smaller than the largest.
fn without_patches(mesh: &Mesh, faces: Vec<u32>) -> Vec<u32> {
    let mut patch: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
    let mut chosen = vec![false; mesh.triangles.len()];
    faces.iter().for_each(|i| chosen[*i as usize] = true);
    for edge in edges(&sides(mesh)) {
        let mut among = edge.iter().filter(|side| chosen[side.triangle as usize]);
        if let Some(first) = among.next() {
            for side in among {
                let (a, b) = (
                    find(&mut patch, first.triangle),
                    find(&mut patch, side.triangle),
                );
                patch[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut areas = vec![0.0f32; mesh.triangles.len()];
    for i in &faces {
        areas[find(&mut patch, *i) as usize] += area(mesh, &[*i]);
    }
    let largest = areas.iter().copied().fold(0.0, f32::max);
    let is_large = |i: &u32| areas[find(&mut patch, *i) as usize] >= PATCH * largest;
    faces.into_iter().filter(is_large).collect()
}

/// The least triangle of a patch, with the way to it shortened.
fn find(patch: &mut [u32], mut i: u32) -> u32 {
    while patch[i as usize] != i {
        patch[i as usize] = patch[patch[i as usize] as usize];
        i = patch[i as usize];
    }
    i
}
