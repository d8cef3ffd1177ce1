//! Roots on a deforming head: each root and the skin around it
//! move in the head's space, and take the strand's rest curve along.

use super::contact::NO_PLANE;
use crate::math::{
    lanes::{Lane, V3},
    rotation::Q,
};

/// How the roots of a block move in a step, in the head's space. Blocks on a
/// head that never deformed, and of which no root is low in a neck that bends, have none.
#[derive(Clone, Debug)]
pub struct RootMotion<T> {
    /// Each root at the start and the end of the step. `[m]`
    pub root: [V3<T>; 2],
    /// How far its skin is turned from rest then; scalar parts are not negative.
    pub turn: [Q<T>; 2],
    /// How far it is turned now.
    pub(super) now: Q<T>,
}

impl<T: Lane> RootMotion<T> {
    /// At rest.
    pub fn new(root: V3<T>) -> Self {
        Self {
            root: [root; 2],
            turn: [Q::identity(); 2],
            now: Q::identity(),
        }
    }

    /// The root after that share of the step. `[m]`
    #[inline(always)]
    pub fn root_at(&self, share: f64) -> V3<T> {
        let [from, to] = self.root;
        from.scale(T::splat(1.0 - share)) + to.scale(T::splat(share))
    }

    /// The turn of the skin after that share of the step.
    #[inline(always)]
    pub fn turn_at(&self, share: f64) -> Q<T> {
        let [from, to] = self.turn;
        let (before, after) = (T::splat(1.0 - share), T::splat(share));
        Q {
            w: from.w * before + to.w * after,
            v: from.v.scale(before) + to.v.scale(after),
        }
        .normalized()
    }

    /// Lanes `first..` alone, as many as a `P` has.
    #[inline(always)]
    pub fn cut<P: Lane>(&self, first: usize) -> RootMotion<P> {
        RootMotion {
            root: [self.root[0].cut(first), self.root[1].cut(first)],
            turn: [self.turn[0].cut(first), self.turn[1].cut(first)],
            now: self.now.cut(first),
        }
    }
}

/// The offset of a plane from a root that has moved so far along its normal;
/// where there is no plane, none. `[m]`
#[inline(always)]
pub(super) fn shifted<T: Lane>(offset: T, moved: T) -> T {
    T::splat(0.5 * NO_PLANE).less(offset, offset - moved, offset)
}
