//! Which edges may touch within a substep, by where they are half-way through it.

use super::{
    law::{EdgeMotion, MAY_CLOSE, PairContact},
    segment::closest_points,
};
use crate::math::lanes::{Lane, V3};

/// Beyond the distance that is kept, a pair is taken in if half-way through the
/// substep it is nearer than this, or as far as the edges approach in half of it, up
/// to [`FARTHEST`]: strands that meet faster than 0.6 m/s may pass through one another
/// in a substep of 8 ms. `[m]`
pub const NEAREST: f32 = 5e-4;
pub const FARTHEST: f32 = 2.5e-3;

/// Share of their motion against each other by which edges may approach beside that
/// along the gap.
pub const SIDEWAYS: f32 = 0.25;

/// The most by which edges approach in half a substep that move so far against each
/// other in all of it. `[m]`
#[inline(always)]
pub fn farthest(way: f32) -> f32 {
    (0.5 * (1.0 + SIDEWAYS) * way).min(FARTHEST)
}

/// The most by which a pair may be apart, half-way through a substep, and touch in it.
/// `[m]`
pub fn farthest_apart(distance: f32) -> f32 {
    distance + NEAREST + FARTHEST
}

/// That number in every lane.
#[inline(always)]
pub fn number<T: Lane>(number: f32) -> T {
    T::splat(f64::from(number))
}

/// Where two edges are nearest to each other half-way through a substep.
pub struct HalfWay<T> {
    /// Where along each of them.
    pub at: [T; 2],
    /// From the second to the first, and how far that is. `[m]`
    gap: V3<T>,
    pub apart: T,
}

impl<T: Lane> HalfWay<T> {
    /// Of the edges `a` and `b`.
    #[inline(always)]
    pub fn of(a: &EdgeMotion<T>, b: &EdgeMotion<T>) -> Self {
        let (ends_a, ends_b) = (a.half_way(), b.half_way());
        let (edge_a, edge_b) = (ends_a[1] - ends_a[0], ends_b[1] - ends_b[0]);
        let apart = ends_a[0] - ends_b[0];
        let [s, t] = closest_points(apart, edge_a, edge_b).share;
        let gap = apart + edge_a.scale(s) - edge_b.scale(t);
        Self {
            at: [s, t],
            gap,
            apart: gap.dot(gap).sqrt(),
        }
    }

    /// One where the edges may come closer than `distance` in the substep: half-way
    /// through it they are near enough for that, and where they stood they have a contact
    /// that closes; else zero. `[m]`
    #[inline(always)]
    pub fn may_touch(
        &self,
        a: &EdgeMotion<T>,
        b: &EdgeMotion<T>,
        contact: &PairContact<T>,
        distance: f32,
    ) -> T {
        let (zero, half) = (T::zero(), T::splat(0.5));
        // They approach or part by that, and may turn on the way.
        let motion = (a.moved[0] + a.moved[1] - b.moved[0] - b.moved[1]).scale(half);
        let straight = motion.dot(self.gap).abs() / (self.apart + T::splat(1e-7));
        let way = motion.dot(motion).sqrt();
        let approach = (straight + way * number(SIDEWAYS)) * half;
        let reach = approach.min(number(FARTHEST)) + number(distance + NEAREST);
        let gap = contact.width + contact.parting(&a.moved, &b.moved) - number(distance);
        let closes = gap.less(T::splat(MAY_CLOSE), contact.own, zero);
        self.apart.less(reach, closes, zero)
    }
}
