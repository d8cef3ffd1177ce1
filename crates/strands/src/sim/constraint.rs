//! Constraints of Position Based Dynamics (Müller et al. 2007, "Position Based
//! Dynamics", J. Vis. Commun. Image Represent. 18(2)), a row of strands at a time.
//!
//! A constraint C(p) is projected along its gradient, weighted by inverse
//! masses (eq. 8): dp_i = -w_i C / (sum_j w_j |grad_j C|²) grad_i C.

use crate::math::{
    elementary::pow,
    lanes::{Lane, V3},
};

/// k' = 1 - (1 - k)^(1/n): the stiffness for each of `n` passes that leaves the
/// error (1 - k) after all of them (section 3.3).
///
/// `k` is meant for one step at [`REFERENCE_RATE`]; at another rate the exponent
/// scales along, so that a slider means the same at any number of substeps.
pub fn stiffness_per_pass(k: f64, passes: f64, substeps_per_second: f64) -> f64 {
    let exponent = REFERENCE_RATE / (passes * substeps_per_second);
    1.0 - pow(1.0 - k.clamp(0.0, 1.0), exponent)
}

/// What `share` of a stiffness in 0..=1 is, no more than all of it.
#[inline(always)]
pub fn part_of<T: Lane>(stiffness: T, share: T) -> T {
    (stiffness * share).min(T::splat(1.0))
}

/// Substeps per second at which stiffnesses are quoted: four at 60 Hz.
pub const REFERENCE_RATE: f64 = 240.0;

/// Distance constraint, C = (|b - a|² - length²)/2: returns the correction to
/// subtract from `b` at unit weight; `a` takes its negative.
///
/// The paper writes C = |b - a| - length (eqs. 9-11). The square has the same
/// solutions and, to first order, the same projection, with one division and
/// no root. Its gradients are ±(b - a); the weights are applied by the caller.
#[inline(always)]
pub fn distance<T: Lane>(a: V3<T>, b: V3<T>, length_squared: T, stiffness: T) -> V3<T> {
    let d = b - a;
    let now = d.dot(d);
    // A segment pressed below half its length opens by a fixed share of it, not
    // by ever more; the second floor keeps coincident vertices finite.
    let floor = now
        .max(length_squared * T::splat(0.25))
        .max(T::splat(1e-16));
    d.scale(stiffness * T::splat(0.5) * ((now - length_squared) / floor))
}

/// Position constraint, C = |p - target|: the correction to add to `p`.
#[inline(always)]
pub fn attach<T: Lane>(p: V3<T>, target: V3<T>, stiffness: T) -> V3<T> {
    (target - p).scale(stiffness)
}
