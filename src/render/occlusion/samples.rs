//! What hides light: points that stand for the hair, and places on the head.

use crate::{groom::Groom, math::random, mesh::Mesh};
use glam::Vec3;

/// Cell size where the hair does not reach too far. `[m]`
pub(super) const CELL: f32 = 0.012;
/// The most hair samples spread over the box at each upload.
pub(super) const SAMPLES: usize = 60_000;
/// The most samples of the head's surface.
const HEAD_SAMPLES: usize = 20_000;

/// A place on the head's surface and what it hides.
#[derive(Clone, Copy)]
pub(in super::super) struct Shell {
    pub position: Vec3,
    pub normal: Vec3,
    pub area: f32,
    /// Its triangle, and its shares of that one's corners.
    triangle: u32,
    shares: Vec3,
}

impl Shell {
    /// The same place of a mesh of these `triangles` whose vertices are there. Its
    /// area counts as before: skin that bends stretches little. `[m]`
    pub fn on(&self, triangles: &[[u32; 3]], positions: &[Vec3]) -> Self {
        let [a, b, c] = triangles[self.triangle as usize].map(|v| positions[v as usize]);
        Self {
            position: a * self.shares.x + b * self.shares.y + c * self.shares.z,
            normal: (b - a).cross(c - a).normalize_or_zero(),
            ..*self
        }
    }
}

/// Points that stand for all the hair, and the length of it each stands for.
/// `[m]`
pub(in super::super) fn samples(groom: &Groom) -> Vec<(u32, f32)> {
    let strands = groom.strands();
    let points = groom.points.len();
    if strands == 0 {
        return Vec::new();
    }
    // A chance for each strand and the same stride along all of them.
    let share = (2.0 * SAMPLES as f32 / points as f32).min(1.0);
    let stride = if share < 1.0 || points > SAMPLES {
        2
    } else {
        1
    };
    let chosen: Vec<usize> = (0..strands)
        .filter(|strand| random::uniform(0x0cc1, *strand as u64) < share)
        .collect();
    let crowd = strands as f32 / chosen.len().max(1) as f32;
    let mut samples = Vec::with_capacity(SAMPLES + SAMPLES / 4);
    for strand in chosen {
        let curve = groom.strand(strand);
        let length: f32 = curve.windows(2).map(|w| w[0].distance(w[1])).sum();
        let count = curve.len().div_ceil(stride);
        let share = length * crowd / count as f32;
        if share.is_finite() {
            let range = groom.range(strand);
            samples.extend(range.step_by(stride).map(|point| (point as u32, share)));
        }
    }
    samples
}

/// Places spread over the surface, none farther from the next than a cell or so.
pub(in super::super) fn shell(mesh: &Mesh) -> Vec<Shell> {
    let mut shell = Vec::new();
    for triangle in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(triangle);
        let cross = (b - a).cross(c - a);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        let parts = (longest / (0.7 * CELL)).ceil().clamp(1.0, 40.0) as usize;
        let area = 0.5 * cross.length() / (parts * parts) as f32;
        let normal = cross.normalize_or_zero();
        let corner = |i: f32, j: f32| a + ((b - a) * i + (c - a) * j) / parts as f32;
        for i in 0..parts {
            for j in 0..parts - i {
                // The middle of the upright and of the hanging part.
                for (inset, there) in [(1.0 / 3.0, true), (2.0 / 3.0, i + j + 1 < parts)] {
                    if there {
                        let [i, j] = [i as f32 + inset, j as f32 + inset];
                        let [b, c] = [i, j].map(|along| along / parts as f32);
                        shell.push(Shell {
                            position: corner(i, j),
                            normal,
                            area,
                            triangle: triangle as u32,
                            shares: Vec3::new(1.0 - b - c, b, c),
                        });
                    }
                }
            }
        }
    }
    let stride = shell.len().div_ceil(HEAD_SAMPLES).max(1);
    shell
        .iter()
        .step_by(stride)
        .map(|s| Shell {
            area: s.area * stride as f32,
            ..*s
        })
        .collect()
}
