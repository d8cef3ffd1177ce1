//! The head's skin where the head is now, which keeps hair that follows out of it.

use super::LANES;
use crate::{math::Pose, mesh::CollisionMesh};
use glam::{Mat3A, Vec3, Vec3A, Vec4};

/// Steps out of the head at most.
const WAYS: usize = 4;

/// The head's skin where the head is now.
pub(super) struct Skin<'a> {
    body: &'a CollisionMesh,
    pose: &'a Pose,
    back: Mat3A,
    /// Below it there is a torso, which need not be where the head would have it. `[m]`
    neck: f32,
}

impl<'a> Skin<'a> {
    /// That of `body` at `pose`.
    pub fn new(body: &'a CollisionMesh, pose: &'a Pose) -> Self {
        Self {
            body,
            pose,
            back: Mat3A::from_quat(pose.rotation.conjugate()),
            neck: body.neck.map_or(f32::MIN, |neck| neck.centre.y),
        }
    }

    /// Which of the points with these coordinates may be inside the head: a bit for
    /// each. `[m]`
    #[inline(always)]
    pub fn near(&self, x: Vec4, y: Vec4, z: Vec4) -> u32 {
        let [x0, y0, z0] = self.pose.translation.to_array();
        let (x, y, z) = (x - x0, y - y0, z - z0);
        let columns = [self.back.x_axis, self.back.y_axis, self.back.z_axis];
        let [a, b, c] = columns.map(|column| column.to_array());
        let own = |k: usize| a[k] * x + b[k] * y + c[k] * z;
        self.body.grid.near([own(0), own(1), own(2)])
    }

    /// Moves those points out of the head that may be in it, a bit for each.
    #[cold]
    #[inline(never)]
    pub fn keep_out(&self, near: u32, points: &mut [Vec3; LANES]) {
        for (lane, point) in points.iter_mut().enumerate() {
            if near & (1 << lane) != 0 {
                *point = self.nearest_outside(Vec3A::from(*point)).into();
            }
        }
    }

    /// The nearest point that is not inside the head.
    fn nearest_outside(&self, point: Vec3A) -> Vec3A {
        let own = self.back * (point - Vec3A::from(self.pose.translation));
        let grid = &self.body.grid;
        if own.y < self.neck || grid.sample(own.into()) >= 0.0 {
            return point;
        }
        // The way out is straight only near the skin.
        let mut out = Vec3::from(own);
        for _ in 0..WAYS {
            let (distance, normal) = grid.sample_with_normal(out);
            if distance >= 0.0 {
                break;
            }
            out -= normal * distance;
        }
        self.pose.point(out).into()
    }
}
