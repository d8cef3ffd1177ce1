//! The sine, many at once.

use super::lanes::Lane;
use std::f64::consts::PI;

/// Pi in two parts: the first has few bits, so that its multiples are exact.
const PI_HIGH: f64 = 3.140_625;

/// The sine of each lane `[rad]`, within 2e-7 up to a thousand radians. The same bits
/// with every instruction set.
#[inline(always)]
pub fn sine<T: Lane>(x: T) -> T {
    let splat = T::splat;
    // sin x = (-1)^k sin(x - k pi).
    let turns = (x * splat(1.0 / PI)).round();
    let r = x - turns * splat(PI_HIGH) - turns * splat(PI - PI_HIGH);
    let half = turns * splat(0.5);
    let odd = (half - half.round()).abs();
    let sign = splat(1.0) - odd * splat(4.0);
    // Minimax over half a turn.
    let s = r * r;
    let series = splat(2.752_556_2e-6) - s * splat(2.388_985_9e-8);
    let series = splat(-1.984_087_4e-4) + s * series;
    let series = splat(8.333_331e-3) + s * series;
    let series = splat(-0.166_666_67) + s * series;
    sign * (r + r * s * series)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::sin;
    use crate::math::lanes::F;

    #[test]
    fn it_is_the_sine_over_many_turns() {
        for i in -20_000..20_000 {
            let x = 0.049_99 * f64::from(i);
            let single = x as f32;
            let [found] = sine(F([single])).0;
            let off = (f64::from(found) - sin(f64::from(single))).abs();
            assert!(off < 2e-7, "{x}: {off}");
        }
    }
}
