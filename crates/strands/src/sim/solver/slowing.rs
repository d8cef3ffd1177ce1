//! What slows a strand in all directions alike.

use super::StepInput;
use crate::math::lanes::{Lane, V3};

/// Air by the linear law slows a strand against the world, hair that rubs in its lock
/// slows what swings against the root. Both are taken implicitly in each substep, so
/// that no strength of them can overshoot: `share` against the velocity in the end, and
/// `lead` beside gravity.
pub struct Slowing<T> {
    /// Share of the velocity for each time asked for.
    pub share: T,
    /// `[m/s²]`
    pub lead: V3<T>,
}

impl<T: Lane> Slowing<T> {
    /// In so much time, of strands whose roots go so far in the substep; strands without
    /// a root, which have no way, rub on nothing. `[s]`, `[m]`
    #[inline(always)]
    pub fn new(input: &StepInput, time: f64, inverse_mass: T, root_moved: Option<V3<T>>) -> Self {
        let air = T::splat(input.drag * time) * inverse_mass;
        match root_moved {
            Some(way) if input.rub > 0.0 => Self {
                share: air + T::splat(input.rub * time),
                lead: way.scale(T::splat(input.rub / input.h)),
            },
            _ => Self {
                share: air,
                lead: V3::zero(),
            },
        }
    }
}
