//! Plants roots: where strands grow, drawn evenly by area or as a map says.

use super::{
    Growth, Mesh, MeshError, Root, RootParams, Sequence, hairline::Hairline, poisson::Spaced,
    root::root_of, scalp,
};
use crate::math::random;
use glam::Vec3;
use std::sync::Arc;

/// Draws `params.strands` roots on the scalp: the group of that name where the
/// mesh has one, else the faces that look like it (module `scalp`). A density map
/// and the brush thin them out; other maps say how long and curly hair is.
///
/// The same seed gives the same roots, and fewer strands are the first of more.
/// What is thinned out moves no other root.
///
/// # Errors
/// [`MeshError::NoScalp`] when no face qualifies, [`MeshError::Map`] and
/// [`MeshError::Paint`] when what thins hair out cannot be read,
/// [`MeshError::Barren`] when it leaves none.
pub fn roots(mesh: &Mesh, params: &RootParams) -> Result<Vec<Root>, MeshError> {
    let growth = Growth::read(mesh, params, None)?;
    Places::draw(mesh, params)?.grown(mesh, params, &growth)
}

/// The roots that come after those of [`roots`], `each` times as many, for
/// strands between them, as far as `growth` lets them; evenly drawn where those
/// are evenly spaced, but for the scalp's rim, where they thin out over
/// `params.hairline`.
///
/// # Errors
/// [`MeshError::NoScalp`] when no face qualifies.
pub fn more_roots(
    mesh: &Mesh,
    params: &RootParams,
    growth: &Growth,
    each: u32,
) -> Result<Vec<Root>, MeshError> {
    let strands = u64::from(params.strands);
    let sequence = match params.sequence {
        Sequence::Poisson => Sequence::Halton,
        other => other,
    };
    let scalp = Scalp::new(mesh, params)?;
    let seed = u64::from(params.seed);
    let hairline = Hairline::new(mesh, &scalp.faces, params.hairline, seed);
    let places = scalp.stream(sequence, seed, strands..u64::MAX);
    // Those that the hairline lacks grow elsewhere: there are as many as asked.
    let places = places.filter(|root| hairline.keeps(root) && hairline.is_within(root));
    let places = places.take((strands * u64::from(each)) as usize);
    let grows = |root| growth.by_chance(mesh, seed, root);
    Ok(places.filter_map(grows).collect())
}

/// Places on a scalp before anything is thinned out: what stays as it is while
/// maps, the brush and the hairstyle change.
#[derive(Clone)]
pub struct Places {
    params: RootParams,
    roots: Arc<Vec<Root>>,
}

impl Places {
    /// Draws as many as `params` wants.
    ///
    /// # Errors
    /// [`MeshError::NoScalp`] when no face qualifies.
    pub fn draw(mesh: &Mesh, params: &RootParams) -> Result<Self, MeshError> {
        let scalp = Scalp::new(mesh, params)?;
        let strands = u64::from(params.strands);
        let seed = u64::from(params.seed);
        let roots = match params.sequence {
            Sequence::Poisson => {
                // Another stream than that of strands between them, which would
                // grow out of the same places.
                let stream = scalp.stream(Sequence::Halton, seed ^ 0x9d15, 0..u64::MAX);
                let numbered = Spaced::new(stream).zip(0..strands);
                numbered
                    .map(|(root, number)| Root { number, ..root })
                    .collect()
            }
            sequence => scalp.stream(sequence, seed, 0..strands).collect(),
        };
        Ok(Self {
            params: params.clone(),
            roots: Arc::new(roots),
        })
    }

    /// Whether they are those that `params` wants on the same mesh, or begin with
    /// them.
    pub fn serve(&self, params: &RootParams) -> bool {
        let drawn = &self.params;
        let bare = RootParams {
            strands: drawn.strands,
            hairline: drawn.hairline,
            vellus: drawn.vellus,
            parting: drawn.parting.clone(),
            density_map: drawn.density_map.clone(),
            length_map: drawn.length_map.clone(),
            curl_map: drawn.curl_map.clone(),
            stiffness_map: drawn.stiffness_map.clone(),
            colour_map: drawn.colour_map.clone(),
            painted: drawn.painted.clone(),
            painted_length: drawn.painted_length.clone(),
            painted_curl: drawn.painted_curl.clone(),
            painted_stiffness: drawn.painted_stiffness.clone(),
            ..params.clone()
        };
        bare == *drawn && params.strands <= drawn.strands
    }

    /// The roots that maps and brush leave of the first `params.strands`.
    ///
    /// # Errors
    /// [`MeshError::Barren`] when they leave none.
    pub fn grown(
        &self,
        mesh: &Mesh,
        params: &RootParams,
        growth: &Growth,
    ) -> Result<Vec<Root>, MeshError> {
        let seed = u64::from(params.seed);
        let places = self.roots.iter().take(params.strands as usize).copied();
        let roots: Vec<Root> = match params.sequence {
            Sequence::Poisson => {
                let grows = |root| growth.by_rank(mesh, root, params.strands);
                places.filter_map(grows).collect()
            }
            _ => {
                let grows = |root| growth.by_chance(mesh, seed, root);
                places.filter_map(grows).collect()
            }
        };
        match roots.is_empty() {
            true => Err(MeshError::Barren {
                name: mesh.name.clone(),
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

    /// The roots of those numbers.
    fn stream(
        &self,
        sequence: Sequence,
        seed: u64,
        numbers: std::ops::Range<u64>,
    ) -> impl Iterator<Item = Root> {
        numbers.map(move |number| Root {
            number,
            ..self.root(sequence, seed, number)
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
    root_of(
        mesh,
        triangle,
        [(side * (1.0 - y)) as f32, (side * y) as f32],
    )
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
