//! Where two edges come closest.

use crate::math::lanes::{Lane, V3};
#[cfg(test)]
use glam::Vec3;

/// How softly the closest points are drawn to the middles of edges that run side by
/// side: a hair's breadth would else throw them from end to end. The more two edges
/// cross, the less their points are drawn: it tilts the normal, and a strand across
/// others would lie as in a valley.
const SOFT: f64 = 0.003;

/// The closest points of two edges, or of many pairs of edges side by side.
#[derive(Clone, Copy, Debug)]
pub struct ClosestPoints<T> {
    /// Share of each edge, from its inner end, within 0 and 1.
    pub share: [T; 2],
    /// The same on the edges made endless.
    pub endless: [T; 2],
}

/// Within 0 and 1.
#[inline(always)]
fn within<T: Lane>(share: T) -> T {
    share.max(T::zero()).min(T::splat(1.0))
}

/// The closest points of the edges `a` and `b`; `apart` leads from the inner end
/// of `b` to that of `a`. `[m]`
///
/// Both are minima of the distance's square plus a spring to the middles (Ericson
/// 2005, "Real-Time Collision Detection", section 5.1.9, has it without one).
#[inline(always)]
pub fn closest_points<T: Lane>(apart: V3<T>, a: V3<T>, b: V3<T>) -> ClosestPoints<T> {
    let tiny = T::splat(1e-14);
    let (aa, bb, ab) = (a.dot(a) + tiny, b.dot(b) + tiny, a.dot(b));
    let (to_a, to_b) = (a.dot(apart), b.dot(apart));
    let aligned = ab * ab / (aa * bb);
    let soft = T::splat(SOFT) * aligned * aligned;
    let stiffer = T::splat(1.0) + soft;
    let (stiff_a, stiff_b) = (aa * stiffer, bb * stiffer);
    let middle = T::splat(0.5) * soft;
    let (pull_a, pull_b) = (middle * aa - to_a, middle * bb + to_b);
    let one_over = T::splat(1.0) / (stiff_a * stiff_b - ab * ab);
    let endless = [
        (pull_a * stiff_b + ab * pull_b) * one_over,
        (pull_b * stiff_a + ab * pull_a) * one_over,
    ];
    let t = within((pull_b + ab * within(endless[0])) / stiff_b);
    let s = within((pull_a + ab * t) / stiff_a);
    ClosestPoints {
        share: [s, t],
        endless,
    }
}

/// The same of two edges.
#[cfg(test)]
pub fn closest_of(apart: Vec3, a: Vec3, b: Vec3) -> ClosestPoints<f32> {
    let lane = |v: Vec3| V3 {
        x: v.x,
        y: v.y,
        z: v.z,
    };
    closest_points(lane(apart), lane(a), lane(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::signed;

    /// Distance between two points of the edges.
    fn between(apart: Vec3, a: Vec3, b: Vec3, [s, t]: [f32; 2]) -> f32 {
        (apart + s * a - t * b).length()
    }

    #[test]
    fn no_points_of_the_edges_are_much_closer() {
        for case in 0..200 {
            let draw = |what: u64| signed(what, case);
            let vector = |what: u64| Vec3::new(draw(what), draw(what + 1), draw(what + 2));
            let (apart, a, b) = (vector(1), vector(4), vector(7));
            let found = between(apart, a, b, closest_of(apart, a, b).share);
            let mut least = f32::MAX;
            for i in 0..=40 {
                for j in 0..=40 {
                    let at = [i as f32 / 40.0, j as f32 / 40.0];
                    least = least.min(between(apart, a, b, at));
                }
            }
            assert!(found < least + 0.02, "{found} of {least}");
        }
    }

    #[test]
    fn side_by_side_they_meet_in_the_middle() {
        let a = Vec3::X * 0.01;
        let found = closest_of(Vec3::Y * 0.001, a, a);
        assert!((found.share[0] - 0.5).abs() < 0.01, "{found:?}");
        assert!((found.share[1] - 0.5).abs() < 0.01, "{found:?}");
    }
}
