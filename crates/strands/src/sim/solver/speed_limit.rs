//! The speed that no vertex exceeds, in the methods whose strands are rods.

use crate::math::lanes::{Lane, V3};

/// No vertex moves faster. `[m/s]`
pub const FASTEST: f64 = 50.0;

/// A velocity, no faster than any may be.
#[inline(always)]
pub fn bounded<T: Lane>(velocity: V3<T>) -> V3<T> {
    let most = T::splat(FASTEST * FASTEST);
    let square = velocity.dot(velocity);
    if !most.any_less(square) {
        return velocity;
    }
    velocity.scale((most / square.max(most)).sqrt().min(T::splat(1.0)))
}
