//! Plants roots: where strands grow, drawn evenly by area.

use super::{Mesh, MeshError, Root, RootParams, Sequence, scalp};
use crate::math::random;
use glam::Vec3;

/// Draws `params.strands` roots on the scalp: the group of that name where the
/// mesh has one, else the faces that look like it (module `scalp`).
///
/// The same seed gives the same roots, and fewer strands are the first of more.
///
/// # Errors
/// [`MeshError::NoScalp`] when no face qualifies.
pub fn roots(mesh: &Mesh, params: &RootParams) -> Result<Vec<Root>, MeshError> {
    let mut faces = scalp::faces(mesh, params)?;
    // Along a curve that fills space, even numbers make even places.
    let [min, max] = mesh.bounds();
    let scale = 1023.0 / (max - min).max_element().max(f32::MIN_POSITIVE);
    let place = |face: &u32| {
        let [a, b, c] = mesh.corners(*face as usize);
        hilbert(((a + b + c) / 3.0 - min) * scale)
    };
    faces.sort_by_cached_key(|face| (place(face), *face));
    let mut total = 0.0f64;
    let ends: Vec<f64> = faces
        .iter()
        .map(|face| {
            total += f64::from(mesh.area_normal(*face as usize).length());
            total
        })
        .collect();
    let seed = u64::from(params.seed);
    let roots = (0..u64::from(params.strands)).map(|i| {
        let [along, across] = match params.sequence {
            // Rotating the sequence by a random number keeps it even
            // (Cranley & Patterson 1976).
            Sequence::Halton => [2, 3].map(|base| {
                let shift = random::uniform64(seed, base);
                (random::radical_inverse(i + 1, base) + shift).fract()
            }),
            Sequence::Random => [0, 1].map(|k| random::uniform64(seed, 2 * i + k)),
        };
        let at = along * total;
        let slot = ends.partition_point(|end| *end <= at).min(faces.len() - 1);
        let start = if slot == 0 { 0.0 } else { ends[slot - 1] };
        // What is left of the number says where in the triangle.
        let rest = ((at - start) / (ends[slot] - start)).clamp(0.0, 1.0);
        root(mesh, faces[slot], rest, across)
    });
    Ok(roots.collect())
}

/// The root on `triangle` for two numbers in 0..=1, uniform over its area
/// (Osada et al. 2002, equation 1).
fn root(mesh: &Mesh, triangle: u32, x: f64, y: f64) -> Root {
    let side = x.sqrt();
    let (u, v) = ((side * (1.0 - y)) as f32, (side * y) as f32);
    let [a, b, c] = mesh.corners(triangle as usize);
    let [na, nb, nc] = mesh.normals[triangle as usize];
    let face = mesh.area_normal(triangle as usize).normalize_or(Vec3::Y);
    Root {
        triangle,
        uv: [u, v],
        position: a + (b - a) * u + (c - a) * v,
        normal: (na * (1.0 - u - v) + nb * u + nc * v).normalize_or(face),
    }
}

/// The place of a point with coordinates in 0..1024 along Hilbert's curve
/// (Skilling 2004, "Programming the Hilbert curve").
fn hilbert(p: Vec3) -> u32 {
    const BITS: u32 = 10;
    let mut x = p
        .to_array()
        .map(|c| (c.max(0.0) as u32).min((1 << BITS) - 1));
    let mut bit = 1 << (BITS - 1);
    while bit > 1 {
        let low = bit - 1;
        for i in 0..3 {
            if x[i] & bit != 0 {
                x[0] ^= low;
            } else {
                let swap = (x[0] ^ x[i]) & low;
                x[0] ^= swap;
                x[i] ^= swap;
            }
        }
        bit >>= 1;
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    let mut flip = 0;
    let mut bit = 1 << (BITS - 1);
    while bit > 1 {
        if x[2] & bit != 0 {
            flip ^= bit - 1;
        }
        bit >>= 1;
    }
    let x = x.map(|c| c ^ flip);
    (0..BITS).rev().fold(0, |code, bit| {
        x.iter().fold(code, |code, c| code << 1 | (c >> bit & 1))
    })
}
