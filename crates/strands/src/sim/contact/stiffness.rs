//! How stiff a contact is that an implicit solve meets as a spring: with the skin or with
//! another strand.

use crate::math::lanes::Lane;

/// Stiffness of a contact: at least `least`, more under a `load` that must be carried
/// within `way`, by no more than `most` times the least. `[m]`
#[inline(always)]
pub fn stiffness_under_load<T: Lane>(least: T, load: T, way: f64, most: f64) -> T {
    least + (load * T::splat(1.0 / way)).min(least * T::splat(most))
}
