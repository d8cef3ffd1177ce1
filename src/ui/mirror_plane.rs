//! The plane through the head's middle, over which a hand works on both sides at once.

use crate::{math::Pose, mesh::CollisionMesh, project::tools::HandParams, session::Session};
use glam::Vec3;

/// The plane between the head's left and right, where the head is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorPlane {
    pose: Pose,
    /// Where it lies across the head, in the head's space. `[m]`
    middle: f32,
}

impl MirrorPlane {
    /// What a hand works on both sides of, over the head as it is now; none where it works
    /// on one, or where there is no head yet.
    pub fn in_use(hand: &HandParams, session: &Session) -> Option<Self> {
        let built = session.built().filter(|_| hand.mirror)?;
        Some(Self::of(&built.body, session.now().pose))
    }

    /// That of the head `body`, which is at `pose`.
    pub fn of(body: &CollisionMesh, pose: Pose) -> Self {
        let [min, max] = body.mesh.bounds();
        Self::new(pose, 0.5 * (min.x + max.x))
    }

    /// One that lies there across a head at `pose`, in the head's space. `[m]`
    pub fn new(pose: Pose, middle: f32) -> Self {
        Self { pose, middle }
    }

    /// The place on the other side of the head, both in the head's space. `[m]`
    pub fn at_rest(&self, p: Vec3) -> Vec3 {
        Vec3::new(2.0 * self.middle - p.x, p.y, p.z)
    }

    /// The same of places in the world. `[m]`
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.pose.point(self.at_rest(self.pose.inverse_point(p)))
    }

    /// The direction on the other side, both in the world.
    pub fn vector(&self, v: Vec3) -> Vec3 {
        let across = self.pose.rotation * Vec3::X;
        v - across * (2.0 * v.dot(across))
    }

    /// Whether two places of the world lie on the same side of it.
    pub fn same_side(&self, a: Vec3, b: Vec3) -> bool {
        let right = |p: Vec3| self.pose.inverse_point(p).x >= self.middle;
        right(a) == right(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn a_place_and_its_mirrored_one_are_as_far_from_all_that_lies_in_the_plane() {
        let pose = Pose {
            rotation: Quat::from_euler(glam::EulerRot::YXZ, 0.6, -0.3, 0.2),
            translation: Vec3::new(0.1, -0.02, 0.3),
        };
        let plane = MirrorPlane { pose, middle: 0.01 };
        let place = Vec3::new(0.2, 0.1, 0.4);
        let other = plane.point(place);
        assert!(plane.point(other).distance(place) < 1e-6);
        assert!(!plane.same_side(place, other) && plane.same_side(place, place));
        for [y, z] in [[0.0, 0.0], [0.1, -0.3], [-0.2, 0.05]] {
            let within = pose.point(Vec3::new(0.01, y, z));
            let [near, far] = [place, other].map(|p| p.distance(within));
            assert!((near - far).abs() < 1e-6);
            assert!(plane.point(within).distance(within) < 1e-6);
        }
        let way = plane.point(place + Vec3::Y * 0.1) - other;
        assert!(way.distance(plane.vector(Vec3::Y * 0.1)) < 1e-6);
    }
}
