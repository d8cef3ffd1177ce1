//! Plants roots: where strands grow, drawn evenly by area or as a map says.

use super::{
    Mesh, MeshError, Root, RootParams, Sequence,
    map::Map,
    poisson::{self, Candidate},
    scalp,
};
use crate::math::random;
use glam::Vec3;

/// Of so many places one at least must take a root, or a density map is as good
/// as black.
const BARREN: u64 = 2000;

/// Draws `params.strands` roots on the scalp: the group of that name where the
/// mesh has one, else the faces that look like it (module `scalp`). Maps thin
/// them out and say how long and curly hair is.
///
/// The same seed gives the same roots, and fewer strands are the first of more
/// (of spaced ones only about: their places depend on how many they are).
///
/// # Errors
/// [`MeshError::NoScalp`] when no face qualifies, [`MeshError::Map`] when a map
/// cannot be used or leaves no place for hair.
pub fn roots(mesh: &Mesh, params: &RootParams) -> Result<Vec<Root>, MeshError> {
    let scalp = Scalp::new(mesh, params)?;
    let density = Map::read(&params.density_map, mesh)?;
    let length = Map::read(&params.length_map, mesh)?;
    let curl = Map::read(&params.curl_map, mesh)?;
    let at = |map: &Option<Map>, root: &Root| map.as_ref().map_or(1.0, |map| map.at(mesh, root));
    let sequence = match params.sequence {
        Sequence::Poisson => Sequence::Halton,
        other => other,
    };
    let seed = u64::from(params.seed);
    let wanted = params.strands as usize;
    let drawn = match params.sequence {
        Sequence::Poisson => wanted * poisson::CANDIDATES,
        _ => wanted,
    };
    let mut kept = Vec::with_capacity(drawn);
    let (mut i, mut area) = (0, 0.0);
    while kept.len() < drawn {
        let root = scalp.root(sequence, seed, i);
        let dense = at(&density, &root);
        area += f64::from(dense);
        // Another stream than those of the places.
        if density.is_none() || random::uniform(seed ^ 0xde45, i) < dense {
            kept.push(Candidate {
                root,
                density: dense,
            });
        }
        i += 1;
        if i > BARREN * (kept.len() as u64 + 1) {
            return Err(MeshError::Map {
                path: params.density_map.clone(),
                why: "it is black where hair could grow".into(),
                cure: "paint the scalp white, or see whether its rows are upside down".into(),
            });
        }
    }
    let mut roots: Vec<Root> = match params.sequence {
        Sequence::Poisson => {
            // As large as the scalp would be if all of it were dense.
            let area = 0.5 * scalp.total * area / i.max(1) as f64;
            poisson::thin_out(&kept, wanted, area)
        }
        _ => kept.into_iter().map(|candidate| candidate.root).collect(),
    };
    for root in &mut roots {
        (root.length, root.curl) = (at(&length, root), at(&curl, root));
    }
    Ok(roots)
}

/// The faces that carry hair, along a curve that fills space: there even numbers
/// make even places.
struct Scalp<'a> {
    mesh: &'a Mesh,
    faces: Vec<u32>,
    /// Twice the area of each face and all before it. `[m²]`
    ends: Vec<f64>,
    total: f64,
}

impl<'a> Scalp<'a> {
    fn new(mesh: &'a Mesh, params: &RootParams) -> Result<Self, MeshError> {
        let mut faces = scalp::faces(mesh, params)?;
        let [min, max] = mesh.bounds();
        let scale = 1023.0 / (max - min).max_element().max(f32::MIN_POSITIVE);
        let place = |face: &u32| {
            let [a, b, c] = mesh.corners(*face as usize);
            hilbert(((a + b + c) / 3.0 - min) * scale)
        };
        faces.sort_by_cached_key(|face| (place(face), *face));
        let mut total = 0.0f64;
        let ends = faces
            .iter()
            .map(|face| {
                total += f64::from(mesh.area_normal(*face as usize).length());
                total
            })
            .collect();
        Ok(Self {
            mesh,
            faces,
            ends,
            total,
        })
    }

    /// Root number `i` of a sequence.
    fn root(&self, sequence: Sequence, seed: u64, i: u64) -> Root {
        let [along, across] = match sequence {
            Sequence::Random => [0, 1].map(|k| random::uniform64(seed, 2 * i + k)),
            // Rotating the sequence by a random number keeps it even
            // (Cranley & Patterson 1976).
            _ => [2, 3].map(|base| {
                let shift = random::uniform64(seed, base);
                (random::radical_inverse(i + 1, base) + shift).fract()
            }),
        };
        let ends = &self.ends;
        let at = along * self.total;
        let slot = ends
            .partition_point(|end| *end <= at)
            .min(self.faces.len() - 1);
        let start = if slot == 0 { 0.0 } else { ends[slot - 1] };
        // What is left of the number says where in the triangle.
        let rest = ((at - start) / (ends[slot] - start)).clamp(0.0, 1.0);
        root(self.mesh, self.faces[slot], rest, across)
    }
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
        length: 1.0,
        curl: 1.0,
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
