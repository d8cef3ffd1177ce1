//! The base of a bust, which the stand carries: where that goes while the rest of
//! the mesh turns or deforms.

use crate::math::Pose;
use glam::{Mat3, Quat, Vec3};

/// What lies within this share of the mesh's height from its lowest point is base.
const LOW: f32 = 0.05;

/// A base whose sides change by more is none that goes as one piece.
const RIGID: f32 = 0.01;

/// Three vertices of the base, far apart.
pub(super) struct Base {
    vertices: [usize; 3],
    rest: [Vec3; 3],
}

impl Base {
    /// The base of a mesh with these vertices at rest; none without an extent. `[m]`
    pub fn new(positions: &[Vec3]) -> Option<Self> {
        let heights = || positions.iter().map(|p| p.y);
        let low = heights().fold(f32::INFINITY, f32::min);
        let high = heights().fold(f32::NEG_INFINITY, f32::max);
        let is_low = |i: &usize| positions[*i].y <= low + LOW * (high - low);
        let all: Vec<usize> = (0..positions.len()).filter(is_low).collect();
        let most = |of: &dyn Fn(Vec3) -> f32| {
            let compare =
                |a: &&usize, b: &&usize| of(positions[**a]).total_cmp(&of(positions[**b]));
            all.iter().max_by(compare).copied()
        };
        let (left, right) = (most(&|p| -p.x)?, most(&|p| p.x)?);
        let [a, b] = [left, right].map(|i| positions[i]);
        let aside = most(&|p| (b - a).cross(p - a).length_squared())?;
        let vertices = [left, right, aside];
        let rest = vertices.map(|i| positions[i]);
        let [a, b, c] = rest;
        ((b - a).cross(c - a).length() > 1e-6).then_some(Self { vertices, rest })
    }

    /// Where it is when the vertices are there, from where it rests. `[m]`
    pub fn pose(&self, positions: &[Vec3]) -> Pose {
        let now = self.vertices.map(|i| positions[i]);
        let sides = |[a, b, c]: [Vec3; 3]| [a.distance(b), b.distance(c), c.distance(a)];
        let pairs = sides(self.rest).into_iter().zip(sides(now));
        let rigid = pairs.fold(true, |rigid, (rest, now)| {
            rigid && (now - rest).abs() <= RIGID * rest
        });
        if !rigid {
            return Pose::IDENTITY;
        }
        let rotation = (turned(now) * turned(self.rest).conjugate()).normalize();
        let middle = |[a, b, c]: [Vec3; 3]| (a + b + c) / 3.0;
        Pose {
            rotation,
            translation: middle(now) - rotation * middle(self.rest),
        }
    }
}

/// How a triangle is turned.
fn turned([a, b, c]: [Vec3; 3]) -> Quat {
    let x = (b - a).normalize_or(Vec3::X);
    let z = x.cross(c - a).normalize_or(x.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_goes_with_its_vertices_and_stays_where_they_deform() {
        let rest: Vec<Vec3> = (0..200)
            .map(|i| {
                let angle = i as f32 * 0.7;
                let height = if i < 100 { 0.0 } else { 0.01 * i as f32 };
                Vec3::new(angle.cos(), height, angle.sin()) * 0.2
            })
            .collect();
        let base = Base::new(&rest).expect("a base");
        let wanted = Pose {
            rotation: Quat::from_rotation_z(0.4) * Quat::from_rotation_y(-0.9),
            translation: Vec3::new(0.1, -0.2, 0.3),
        };
        let mut now: Vec<Vec3> = rest.iter().map(|p| wanted.point(*p)).collect();
        let found = base.pose(&now);
        for p in [Vec3::X, Vec3::Y, Vec3::Z] {
            assert!(found.point(p).distance(wanted.point(p)) < 1e-5);
        }
        for p in &mut now {
            *p *= 1.1;
        }
        assert_eq!(base.pose(&now), Pose::IDENTITY);
        assert!(Base::new(&[Vec3::ZERO; 3]).is_none() && Base::new(&[]).is_none());
    }
}
