//! Wind occlusion: attenuation of wind behind the head and deep in the hair.
//!
//! A coarse grid in the head's space knows how much head and hair at rest stand
//! in each cell. Wind and fan are sent through it once, cell after cell, and
//! again when they come from somewhere else.

use crate::{groom::Groom, mesh::CollisionMesh};
use glam::{Quat, Vec3};
use std::sync::Arc;

/// Side of a cell, where the groom is no larger than usual. `[m]`
const CELL: f32 = 0.016;

/// No grid has more cells along a side.
const MOST: f32 = 56.0;

/// What a metre through the head leaves of wind, as a power of e. `[1/m]`
const SOLID: f32 = 80.0;

/// Width of a hair times the number of hairs that a strand stands for: what
/// strands take of wind that passes them. `[m]`
const SHADE: f32 = 4.0 * 80e-6;

/// The thickest hair takes no more than that. `[1/m]`
const THICK: f32 = 80.0;

/// Behind what it met, wind is whole again after about this way. `[m]`
const WAKE: f32 = 0.5;

/// A wind that turns by less comes from where it came. `[rad]`
const TURN: f32 = 0.05;

/// How much of a wind each cell of the head's space takes away, and what is left of two
/// winds there.
#[derive(Clone, Debug)]
pub struct WindOcclusion {
    origin: Vec3,
    cell: f32,
    dims: [usize; 3],
    /// What a metre of each cell takes, as a power of e. `[1/m]`
    thickness: Arc<Vec<f32>>,
    fields: [Field; 2],
}

/// What is left of a wind in each cell.
#[derive(Clone, Debug, Default)]
struct Field {
    from: Vec3,
    left: Arc<Vec<f32>>,
}

/// What is left of wind and fan at each place of a step.
#[derive(Clone, Debug)]
pub struct WindAttenuation {
    origin: Vec3,
    per_metre: f32,
    dims: [usize; 3],
    left: [Arc<Vec<f32>>; 2],
    /// World to head: turn, then the head's place. `[m]`
    turn: Quat,
    place: Vec3,
    /// How much of the shelter counts.
    share: f32,
}

impl WindOcclusion {
    /// Of `groom` at rest on `body`, with its vertices at `points`, in the head's space: cut
    /// hair is shorter than it grew. `[m]`
    pub fn new(groom: &Groom, points: &[Vec3], body: &CollisionMesh) -> Self {
        let [mut low, mut high] = body.grid.bounds;
        for p in points {
            (low, high) = (low.min(*p), high.max(*p));
        }
        let size = high - low + 4.0 * CELL;
        let cell = CELL.max(size.max_element() / MOST);
        let dims = size
            .to_array()
            .map(|side| (side / cell).ceil().max(2.0) as usize + 1);
        let origin =
            0.5 * (low + high) - 0.5 * cell * Vec3::from_array(dims.map(|n| (n - 1) as f32));
        let last = Vec3::from_array(dims.map(|n| (n - 1) as f32));
        let mut hair = vec![0.0f32; dims.iter().product()];
        for strand in 0..groom.strands() {
            let bundle = groom.bundle(strand);
            for pair in points[groom.range(strand)].windows(2) {
                let (middle, length) = (0.5 * (pair[0] + pair[1]), pair[0].distance(pair[1]));
                let mut add = |at: Vec3, length: f32| {
                    let (index, t) = corner((at - origin) / cell, dims);
                    for (offset, weight) in corners(t, dims) {
                        hair[index + offset] += length * weight;
                    }
                };
                add(middle, length);
                let others = bundle.strands - 1.0;
                if others <= 0.0 {
                    continue;
                }
                // Those that it stands for are around it: at the corners of a cube.
                let side = bundle.radius / 3.0f32.sqrt();
                for i in 0..8u32 {
                    let sign = |k: u32| if i >> k & 1 == 0 { -side } else { side };
                    let away = Vec3::new(sign(0), sign(1), sign(2));
                    let at = (middle + away).clamp(origin, origin + cell * last);
                    add(at, 0.125 * others * length);
                }
            }
        }
        let per_volume = SHADE / (cell * cell * cell);
        for (i, value) in hair.iter_mut().enumerate() {
            let (x, y, z) = (i % dims[0], i / dims[0] % dims[1], i / dims[0] / dims[1]);
            let p = origin + cell * Vec3::new(x as f32, y as f32, z as f32);
            let inside = (0.5 - body.grid.sample(p) / cell).clamp(0.0, 1.0);
            *value = (*value * per_volume).min(THICK) + SOLID * inside;
        }
        Self {
            origin,
            cell,
            dims,
            thickness: Arc::new(hair),
            fields: Default::default(),
        }
    }

    /// What is left of wind and fan that come along `towards` (zero for none),
    /// in the world, when the head is turned by `turn` and is at `place`.
    pub fn lee(
        &mut self,
        towards: [Vec3; 2],
        turn: Quat,
        place: Vec3,
        share: f32,
    ) -> WindAttenuation {
        for (i, towards) in towards.into_iter().enumerate() {
            let towards = turn.conjugate() * towards;
            let old = self.fields[i].from;
            if towards != Vec3::ZERO && (old == Vec3::ZERO || old.distance(towards) > TURN) {
                self.fields[i] = Field {
                    from: towards,
                    left: Arc::new(self.march(towards)),
                };
            }
        }
        WindAttenuation {
            origin: self.origin,
            per_metre: 1.0 / self.cell,
            dims: self.dims,
            left: [0, 1].map(|i| self.fields[i].left.clone()),
            turn: turn.conjugate(),
            place,
            share,
        }
    }

    /// Works out the shelter anew for the next winds, wherever they come from.
    pub fn forget_winds(&mut self) {
        self.fields = Default::default();
    }

    /// Sends a wind through the grid: plane after plane along its main axis,
    /// each cell from between the four of the plane before.
    fn march(&self, towards: Vec3) -> Vec<f32> {
        let along = towards.abs().max_position();
        let way = towards / towards[along].abs();
        let length = way.length() * self.cell;
        let strides = [1, self.dims[0], self.dims[0] * self.dims[1]];
        let [u, v] = [(along + 1) % 3, (along + 2) % 3];
        let mut left = vec![1.0f32; self.thickness.len()];
        let planes = self.dims[along];
        let forward = towards[along] > 0.0;
        let recovers = (length / WAKE).min(1.0);
        for step in 1..planes {
            let plane = if forward { step } else { planes - 1 - step };
            let before = if forward { plane - 1 } else { plane + 1 };
            for b in 0..self.dims[v] {
                for a in 0..self.dims[u] {
                    let from = |i: usize, shift: f32, n: usize| {
                        let q = i as f32 - shift;
                        // Beyond the grid the wind is free.
                        (q >= 0.0 && q <= (n - 1) as f32).then(|| {
                            let low = (q as usize).min(n - 2);
                            (low, q - low as f32)
                        })
                    };
                    let free = match (from(a, way[u], self.dims[u]), from(b, way[v], self.dims[v]))
                    {
                        (Some((a0, s)), Some((b0, t))) => {
                            let at = |a: usize, b: usize| {
                                left[before * strides[along] + a * strides[u] + b * strides[v]]
                            };
                            let low = at(a0, b0) + (at(a0 + 1, b0) - at(a0, b0)) * s;
                            let high = at(a0, b0 + 1) + (at(a0 + 1, b0 + 1) - at(a0, b0 + 1)) * s;
                            low + (high - low) * t
                        }
                        _ => 1.0,
                    };
                    let index = plane * strides[along] + a * strides[u] + b * strides[v];
                    let kept = free + (1.0 - free) * recovers;
                    left[index] = kept / (1.0 + self.thickness[index] * length);
                }
            }
        }
        left
    }
}

impl WindAttenuation {
    /// Shares of wind and fan that are felt at `p`, in the world. `[m]`
    pub fn at(&self, p: Vec3) -> [f32; 2] {
        let q = (self.turn * (p - self.place) - self.origin) * self.per_metre;
        let last = Vec3::from_array(self.dims.map(|n| (n - 1) as f32));
        // Written so that NaN is outside.
        if !(q.cmpge(Vec3::ZERO).all() && q.cmple(last).all()) {
            return [1.0; 2];
        }
        let (index, t) = corner(q, self.dims);
        let weights = corners(t, self.dims);
        [0, 1].map(|i| {
            if self.left[i].is_empty() {
                return 1.0;
            }
            let left: f32 = weights
                .iter()
                .map(|(offset, weight)| self.left[i][index + offset] * weight)
                .sum();
            1.0 - self.share * (1.0 - left)
        })
    }
}

/// The first of the eight values around `q`, and where among them it is. `[cells]`
fn corner(q: Vec3, dims: [usize; 3]) -> (usize, Vec3) {
    let index = |q: f32, n: usize| (q.max(0.0) as usize).min(n - 2);
    let [x, y, z] = [
        index(q.x, dims[0]),
        index(q.y, dims[1]),
        index(q.z, dims[2]),
    ];
    let t = (q - Vec3::new(x as f32, y as f32, z as f32)).clamp(Vec3::ZERO, Vec3::ONE);
    ((z * dims[1] + y) * dims[0] + x, t)
}

/// The others, and the weight of each.
fn corners(t: Vec3, dims: [usize; 3]) -> [(usize, f32); 8] {
    std::array::from_fn(|i| {
        let weight = |axis: usize| {
            if i >> axis & 1 == 1 {
                t[axis]
            } else {
                1.0 - t[axis]
            }
        };
        let offset = (i & 1) + (i >> 1 & 1) * dims[0] + (i >> 2 & 1) * dims[0] * dims[1];
        (offset, weight(0) * weight(1) * weight(2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, load};

    #[test]
    fn behind_the_head_and_deep_in_the_hair_there_is_less_wind() {
        let head = load(&HeadParams::default()).expect("the built-in head");
        let body = CollisionMesh::new(head.mesh, 0.006);
        let mut groom = Groom {
            starts: vec![0],
            ..Groom::default()
        };
        let empty = WindOcclusion::new(&groom, &groom.points, &body);
        // A brush of hair before the face.
        for i in 0..2500u32 {
            let (x, y) = ((i % 50) as f32, (i / 50) as f32);
            for k in 0..9 {
                let z = 0.2 + 0.01 * k as f32;
                groom.points.push(Vec3::new(0.002 * x - 0.05, 0.002 * y, z));
            }
            groom.starts.push(groom.points.len() as u32);
            groom.masses.push(1.0);
        }
        let brush = WindOcclusion::new(&groom, &groom.points, &body);
        let left = |shelter: &WindOcclusion, towards: Vec3, turn: Quat, p: Vec3| {
            let mut shelter = shelter.clone();
            shelter
                .lee([towards, Vec3::ZERO], turn, Vec3::ZERO, 1.0)
                .at(p)[0]
        };
        let none = Quat::IDENTITY;
        for towards in [Vec3::X, Vec3::NEG_Z, Vec3::new(0.6, 0.0, -0.8)] {
            let (before, behind) = (towards * -0.13, towards * 0.13);
            let (open, lee) = (
                left(&empty, towards, none, before),
                left(&empty, towards, none, behind),
            );
            assert!(open > 0.9, "{towards}: {open}");
            assert!(lee < 0.35, "{towards}: {lee}");
            // The same for a head that is turned, and what is beside it is free.
            let turn = Quat::from_rotation_y(1.2);
            let turned = left(&empty, turn * towards, turn, turn * behind);
            assert!((turned - lee).abs() < 0.05, "{turned} for {lee}");
            assert_eq!(left(&empty, towards, none, Vec3::Y * 3.0), 1.0);
        }
        let at = |x: f32, z: f32| left(&brush, Vec3::NEG_X, none, Vec3::new(x, 0.05, z));
        let (rim, deep, far) = (at(0.05, 0.24), at(-0.03, 0.24), at(0.0, 0.32));
        assert!(
            rim > 0.5 && deep < 0.4 * rim && far > 0.9,
            "{rim} {deep} {far}"
        );
    }
}
