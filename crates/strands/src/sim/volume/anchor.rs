//! The grid's pose and motion: it moves with the head.

use super::domain::Domain;
use crate::math::{
    Pose,
    lanes::{Lane, LaneFrame, V3},
};
use glam::{DMat3, DVec3};

/// The head as the grid sees it: where it is, and where it was a little before.
#[derive(Clone, Copy, Debug)]
pub struct GridMotion {
    /// The head now.
    pub now: Pose,
    /// The head when the last substep began.
    pub before: Pose,
    /// How long that substep took. `[s]`
    pub seconds: f64,
}

impl GridMotion {
    /// A head at rest.
    pub fn still(pose: Pose) -> Self {
        Self {
            now: pose,
            before: pose,
            seconds: 1.0,
        }
    }

    /// The head was carried to `goal`, as it moved.
    pub fn carried(&self, goal: Pose) -> Self {
        let turn = (goal.rotation * self.now.rotation.conjugate()).normalize();
        Self {
            now: goal,
            before: Pose {
                rotation: (turn * self.before.rotation).normalize(),
                translation: goal.point(self.now.inverse_point(self.before.translation)),
            },
            seconds: self.seconds,
        }
    }
}

/// The same, ready for rows of vertices.
pub(super) struct GridAnchor<T> {
    /// The head's space in the world.
    pub frame: LaneFrame<T>,
    /// The least and the greatest place along each axis, in cells.
    pub inside: [[T; 2]; 3],
    /// From a brick to the next one along each axis, in the table of bricks.
    pub strides: [u32; 3],
    /// Velocity of what rides on the head: at its origin `[m/s]`, and for each
    /// metre along each axis `[1/s]`; in the head's space.
    origin: V3<T>,
    along: [V3<T>; 3],
    scale: T,
    corner: V3<T>,
}

impl<T: Lane> GridAnchor<T> {
    /// The grid in `domain`.
    pub fn new(ride: &GridMotion, domain: &Domain) -> Self {
        // What rides on the head went from before(x) to now(x) on a chord, as
        // the methods see it: u = (now(x) - before(x)) / h.
        let (now, before) = (ride.now, ride.before);
        let turn = |pose: &Pose| DMat3::from_quat(pose.rotation.as_dquat());
        let back = turn(&now).transpose();
        let per_second = 1.0 / ride.seconds;
        let (along, origin) = match now == before {
            true => (DMat3::ZERO, DVec3::ZERO),
            false => (
                (DMat3::IDENTITY - back * turn(&before)) * per_second,
                back * (now.translation - before.translation).as_dvec3() * per_second,
            ),
        };
        let splat = |v: DVec3| V3::splat(v.to_array());
        let scale = 1.0 / domain.cell;
        Self {
            frame: LaneFrame::new(&now),
            inside: domain.places().map(|ends| ends.map(T::splat)),
            strides: domain.strides().map(|stride| stride as u32),
            origin: splat(origin),
            along: [
                splat(along.x_axis),
                splat(along.y_axis),
                splat(along.z_axis),
            ],
            scale: T::splat(scale),
            corner: V3::splat(domain.low.map(|low| -low * scale)),
        }
    }

    /// Velocity of what rides on the head there. `[m/s]`
    #[inline(always)]
    pub fn speed(&self, p: V3<T>) -> V3<T> {
        let [x, y, z] = self.along;
        self.origin + x.scale(p.x) + y.scale(p.y) + z.scale(p.z)
    }

    /// A place of the head's space in cells from the grid's corner.
    #[inline(always)]
    pub fn place(&self, p: V3<T>) -> V3<T> {
        p.scale(self.scale) + self.corner
    }
}
