//! The head's skin where the head is now, which keeps hair that follows out of it.

use crate::{
    math::Pose,
    mesh::{CollisionMesh, NearValues},
};
use glam::{Mat3A, Vec3, Vec3A, Vec4};

/// Vertices of a strand that are taken together.
pub(super) const LANES: usize = 4;

/// Steps out of the head at most.
const WAYS: usize = 4;

/// The head's skin where the head is now.
pub(super) struct Skin<'a> {
    body: &'a CollisionMesh,
    pose: &'a Pose,
    back: Mat3A,
    /// What is near the skin, and how to get from the world to its cells: a column of
    /// each axis, and where the world's origin is.
    values: NearValues<'a>,
    cells: [[f32; 3]; 4],
    /// Below it there is a torso, which need not be where the head would have it. `[m]`
    neck: f32,
}

impl<'a> Skin<'a> {
    /// That of `body` at `pose`.
    pub fn new(body: &'a CollisionMesh, pose: &'a Pose) -> Self {
        let (grid, back) = (&body.grid, Mat3A::from_quat(pose.rotation.conjugate()));
        let scale = grid.cell.recip();
        let origin = (back * Vec3A::from(-pose.translation) - Vec3A::from(grid.origin)) * scale;
        let cells = [
            back.x_axis * scale,
            back.y_axis * scale,
            back.z_axis * scale,
            origin,
        ];
        Self {
            body,
            pose,
            back,
            values: grid.near(),
            cells: cells.map(|column| column.to_array()),
            neck: body.neck.map_or(f32::MIN, |neck| neck.centre.y),
        }
    }

    /// Which of the points with these coordinates may be inside the head: a bit for
    /// each. `[m]`
    #[inline(always)]
    pub fn near(&self, x: Vec4, y: Vec4, z: Vec4) -> u32 {
        let [a, b, c, origin] = self.cells;
        let place = |k: usize| a[k] * x + b[k] * y + c[k] * z + origin[k];
        self.values.of([place(0), place(1), place(2)])
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
