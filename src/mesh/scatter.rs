//! Plants roots: where strands grow, drawn evenly by area or as a map says.

use super::{
    Mesh, MeshError, Root, RootParams, Sequence,
    map::Map,
    paint::Paint,
    poisson::{self, Candidate},
    scalp,
};
use crate::math::random;
use glam::Vec3;

/// Draws `params.strands` roots on the scalp: the group of that name where the
/// mesh has one, else the faces that look like it (module `scalp`). A density map
/// and the brush thin them out; other maps say how long and curly hair is.
///
/// The same seed gives the same roots, and fewer strands are the first of more
/// (of spaced ones only about: their places depend on how many they are). What is
/// thinned out moves no other root.
///
/// # Errors
/// [`MeshError::NoScalp`] when no face qualifies, [`MeshError::Map`] and
/// [`MeshError::Paint`] when what thins hair out cannot be read,
/// [`MeshError::Barren`] when it leaves none.
pub fn roots(mesh: &Mesh, params: &RootParams) -> Result<Vec<Root>, MeshError> {
    let (strands, spaced) = match params.sequence {
        Sequence::Poisson => (u64::from(params.strands), true),
        _ => (u64::from(params.strands), false),
    };
    let ground = Ground::new(mesh, params)?;
    if !spaced {
        let roots = ground.plant(params.sequence, 0..strands);
        let roots: Vec<Root> = roots.map(|candidate| candidate.root).collect();
        return ground.fertile(roots);
    }
    let candidates = strands * poisson::CANDIDATES as u64;
    let kept: Vec<Candidate> = ground.plant(Sequence::Halton, 0..candidates).collect();
    let wanted = (kept.len() as f64 / poisson::CANDIDATES as f64).round() as usize;
    // As large as the scalp would be if all of it were as dense as can be.
    let area = 0.5 * ground.scalp.total * kept.len() as f64 / candidates.max(1) as f64;
    ground.fertile(poisson::thin_out(&kept, wanted.max(1), area))
}

/// The roots that come after those of [`roots`], `each` times as many, for
/// strands between them; evenly drawn where those are evenly spaced.
///
/// # Errors
/// As [`roots`], but none left is none.
pub fn more_roots(mesh: &Mesh, params: &RootParams, each: u32) -> Result<Vec<Root>, MeshError> {
    let strands = u64::from(params.strands);
    let sequence = match params.sequence {
        Sequence::Poisson => Sequence::Halton,
        other => other,
    };
    let ground = Ground::new(mesh, params)?;
    let last = strands * (u64::from(each) + 1);
    let roots = ground.plant(sequence, strands..last);
    Ok(roots.map(|candidate| candidate.root).collect())
}

/// Where hair can grow, and how much of it.
struct Ground<'a> {
    scalp: Scalp<'a>,
    seed: u64,
    density: Option<Map>,
    length: Option<Map>,
    curl: Option<Map>,
    paint: Paint,
}

impl<'a> Ground<'a> {
    fn new(mesh: &'a Mesh, params: &RootParams) -> Result<Self, MeshError> {
        Ok(Self {
            scalp: Scalp::new(mesh, params)?,
            seed: u64::from(params.seed),
            density: Map::read(&params.density_map, mesh)?,
            length: Map::read(&params.length_map, mesh)?,
            curl: Map::read(&params.curl_map, mesh)?,
            paint: Paint::parse(&params.painted).map_err(MeshError::Paint)?,
        })
    }

    /// The roots of those numbers that are not thinned out.
    fn plant(
        &self,
        sequence: Sequence,
        numbers: std::ops::Range<u64>,
    ) -> impl Iterator<Item = Candidate> {
        let at = |map: &Option<Map>, root: &Root| {
            let map = map.as_ref();
            map.map_or(1.0, |map| map.at(self.scalp.mesh, root))
        };
        numbers.filter_map(move |number| {
            let mut root = self.scalp.root(sequence, self.seed, number);
            let density = at(&self.density, &root) * self.paint.at(root.position);
            // Another stream than those of the places.
            if random::uniform(self.seed ^ 0xde45, number) >= density {
                return None;
            }
            (root.length, root.curl) = (at(&self.length, &root), at(&self.curl, &root));
            Some(Candidate { root, density })
        })
    }

    /// Refuses a head without a single root.
    fn fertile(&self, roots: Vec<Root>) -> Result<Vec<Root>, MeshError> {
        match roots.is_empty() {
            true => Err(MeshError::Barren {
                name: self.scalp.mesh.name.clone(),
            }),
            false => Ok(roots),
        }
    }
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
