//! A grid of signed distances that many points ask side by side.

use super::DistanceGrid;
use crate::math::lanes::{Lane, V3, set_bits};
use glam::Vec3;

impl DistanceGrid {
    /// Distance at each of the first `count` points of a row of up to `N`, negative inside,
    /// and the unit direction in which it grows. `[m]`
    #[inline(always)]
    pub fn sample_row<T: Lane, const N: usize>(&self, p: V3<T>, count: usize) -> (T, V3<T>) {
        let q = (p - V3::from(self.origin)).scale(T::splat(self.cell.recip().into()));
        let mut found = [[0.0; 16]; N];
        let mut outside = 0u32;
        // None waits for another: memory answers side by side.
        for (lane, found) in found.iter_mut().enumerate().take(count.min(T::LANES)) {
            match self.cell_values(q.at(lane)) {
                Some((values, first)) => {
                    found[..8].copy_from_slice(&values);
                    found[8..11].copy_from_slice(&first.to_array());
                }
                None => outside |= 1 << lane,
            }
        }
        let [a, b, c, d] = T::columns(&found, 0);
        let [e, f, g, h] = T::columns(&found, 4);
        let [x, y, z, _] = T::columns(&found, 8);
        let (mut distance, mut normal) = interpolate(&[a, b, c, d, e, f, g, h], q - V3 { x, y, z });
        for lane in set_bits(outside) {
            let (there, away) = self.beyond(p.at(lane));
            distance.set(lane, there.into());
            normal.put(lane, away);
        }
        (distance, normal)
    }
}

/// The value at `t`, in a cell that has these at its corners, x fastest, and the unit
/// direction of its gradient.
#[inline(always)]
fn interpolate<T: Lane>(c: &[T; 8], t: V3<T>) -> (T, V3<T>) {
    let [x0, x2] = [mix(c[0], c[1], t.x), mix(c[2], c[3], t.x)];
    let [x4, x6] = [mix(c[4], c[5], t.x), mix(c[6], c[7], t.x)];
    let value = mix(mix(x0, x2, t.y), mix(x4, x6, t.y), t.z);
    let [y0, y1] = [mix(c[0], c[2], t.y), mix(c[1], c[3], t.y)];
    let [y4, y5] = [mix(c[4], c[6], t.y), mix(c[5], c[7], t.y)];
    let gradient = V3 {
        x: mix(
            mix(c[1] - c[0], c[3] - c[2], t.y),
            mix(c[5] - c[4], c[7] - c[6], t.y),
            t.z,
        ),
        y: mix(x2 - x0, x6 - x4, t.z),
        z: mix(y4 - y0, y5 - y1, t.x),
    };
    // Where it is flat any direction is as good.
    let (zero, one) = (T::zero(), T::splat(1.0));
    let inverse = one / gradient.dot(gradient).sqrt();
    let finite = inverse.less(T::splat(f64::INFINITY), one, zero);
    let steep = zero.less(inverse, finite, zero);
    (
        value,
        gradient.scale(inverse).select(steep, V3::from(Vec3::Y)),
    )
}

/// From `a` to `b`.
#[inline(always)]
fn mix<T: Lane>(a: T, b: T, t: T) -> T {
    a + (b - a) * t
}
