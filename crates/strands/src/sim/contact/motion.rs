//! How the skin moves in a substep.

use crate::{
    math::lanes::{Lane, V3},
    sim::step::HeadTravel,
};

/// How the skin moves in a substep.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceMotion<T> {
    columns: [V3<T>; 3],
    root_moved: V3<T>,
    /// The same way, as the head alone would have gone it. `[m]`
    way: V3<T>,
}

impl<T: Lane> SurfaceMotion<T> {
    /// With the head.
    #[inline(always)]
    pub fn new(head: &HeadTravel<T>) -> Self {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(V3::<T>::splat);
        let mut columns = axes;
        for (column, axis) in columns.iter_mut().zip(axes) {
            *column = head.now.vector(head.before.inverse_vector(axis)) - axis;
        }
        Self {
            columns,
            root_moved: head.root_moved,
            way: head.root_moved + head.held_back(),
        }
    }

    /// How far the head moves what was at `start`, a place that was noted from
    /// the root's new place. `[m]`
    #[inline(always)]
    pub fn at(&self, start: V3<T>) -> V3<T> {
        let old = start + self.root_moved;
        let [x, y, z] = self.columns;
        x.scale(old.x) + y.scale(old.y) + z.scale(old.z) + self.way
    }
}
