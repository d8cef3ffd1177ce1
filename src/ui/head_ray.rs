//! Where a ray from the eye meets the head as the picture shows it: turned, and where it
//! deforms or its torso stays behind, in the shape that it has now.

use crate::{math::Pose, mesh::CollisionMesh, session::Session};
use glam::Vec3;
use rayon::prelude::*;

/// Rays from the eye go no farther. `[m]`
const FARTHEST: f32 = 100.0;

/// Triangles that one thread looks at before another helps.
const EACH: usize = 1 << 13;

/// The head as the picture shows it.
#[derive(Clone, Copy, Debug)]
pub struct ShownHead<'a> {
    /// The head at rest.
    pub body: &'a CollisionMesh,
    /// The places of its vertices in its own space; none where it is as at rest. `[m]`
    pub shape: &'a [Vec3],
    /// Where it is.
    pub pose: Pose,
}

/// Where a ray meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadHit {
    /// How far along the ray. `[m]`
    pub distance: f32,
    /// The place on the head. `[m]`
    pub place: Vec3,
    /// Where this place of the skin is on the head at rest, in its own space. `[m]`
    pub at_rest: Vec3,
}

impl<'a> ShownHead<'a> {
    /// The head that the window shows; none before there is one with hair.
    pub fn of(session: &'a Session) -> Option<Self> {
        let (built, now) = (session.built()?, session.now());
        Some(Self {
            body: &built.body,
            shape: &now.shape,
            pose: now.pose,
        })
    }

    /// The first place of the head on the way from `origin` along `direction`, a unit
    /// vector.
    pub fn ray(&self, origin: Vec3, direction: Vec3) -> Option<HeadHit> {
        let mesh = &self.body.mesh;
        let from = self.pose.inverse_point(origin);
        let along = self.pose.rotation.inverse() * direction;
        let (distance, at_rest) = if self.shape.len() == mesh.positions.len() {
            let meet = |(number, corners): (usize, &[u32; 3])| {
                let corners = corners.map(|vertex| self.shape[vertex as usize]);
                let (distance, weights) = meet(from, along, corners)?;
                Some((distance, number, weights))
            };
            let triangles = mesh.triangles.par_iter().enumerate();
            let (distance, number, weights) = triangles
                .with_min_len(EACH)
                .filter_map(meet)
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
            let rest = mesh.triangles[number].map(|vertex| mesh.positions[vertex as usize]);
            let [a, b, c] = [0, 1, 2].map(|k| rest[k] * weights[k]);
            (distance, a + b + c)
        } else {
            let hit = self.body.surface.ray(from, along, FARTHEST)?;
            (hit.distance, from + along * hit.distance)
        };
        Some(HeadHit {
            distance,
            place: origin + direction * distance,
            at_rest,
        })
    }
}

/// Where a ray meets a triangle, seen from either side: how far away, and the weights of
/// its corners there (Möller, Trumbore 1997, "Fast, Minimum Storage Ray/Triangle
/// Intersection", eq. 6).
fn meet(from: Vec3, along: Vec3, [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    let (first, second) = (b - a, c - a);
    let across = along.cross(second);
    let inverse = 1.0 / first.dot(across);
    let way = from - a;
    let u = way.dot(across) * inverse;
    let turned = way.cross(first);
    let v = along.dot(turned) * inverse;
    let distance = second.dot(turned) * inverse;
    // A ray along the triangle's plane has no finite answer, and fails here.
    let meets = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=FARTHEST).contains(&distance);
    meets.then_some((distance, [1.0 - u - v, u, v]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mesh::{self, HeadParams},
        sim::SimParams,
    };
    use glam::Quat;

    #[test]
    fn a_ray_meets_the_head_as_it_is_and_tells_where_that_skin_is_at_rest() {
        let head = mesh::load(&HeadParams::default()).expect("the built-in head");
        let cell = SimParams::default().collision.cell;
        let body = CollisionMesh::new(head.mesh.clone(), cell);
        let rest = &body.mesh.positions;
        let pose = Pose {
            rotation: Quat::from_rotation_y(0.6),
            translation: Vec3::new(0.02, 0.1, -0.05),
        };
        let eye = pose.point(Vec3::new(0.1, 0.15, 0.9));
        let aim = |p: Vec3| (pose.point(p) - eye).normalize();
        let shown = |shape| ShownHead {
            body: &body,
            shape,
            pose,
        };
        let along = aim(Vec3::new(0.0, 0.05, 0.0));
        let plain = shown(&[]).ray(eye, along).expect("a hit");
        // The shape at rest, brute force: the same place.
        let same = shown(rest).ray(eye, along).expect("a hit");
        assert!((plain.distance - same.distance).abs() < 1e-5);
        assert!(plain.at_rest.distance(same.at_rest) < 1e-5);
        assert!(same.place.distance(pose.point(same.at_rest)) < 1e-5);
        // A head that is pulled aside is met there, and its skin is known.
        let aside = Vec3::new(0.03, 0.0, 0.0);
        let moved: Vec<Vec3> = rest.iter().map(|p| *p + aside).collect();
        let along = aim(same.at_rest + aside);
        let hit = shown(&moved).ray(eye, along).expect("a hit");
        assert!(hit.at_rest.distance(same.at_rest) < 1e-4, "{hit:?}");
        assert!(shown(rest).ray(eye, -along).is_none());
    }
}
