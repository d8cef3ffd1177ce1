//! Theory of strands that are twisted between clamps.

use glam::DVec2;
use std::f64::consts::PI;

/// Moment times length over bending stiffness at which no force acts along a rod between
/// two clamps: the first positive root of tan(x/2) = x/2 (van der Heijden, Neukirch,
/// Goss, Thompson 2003, "Instability and self-contact phenomena in the writhing of
/// clamped rods").
pub const CLAMPED_TWIST: f64 = 8.986_818_915_818_128;

/// Moment times length over bending stiffness at which a ring of a naturally straight
/// rod leaves its plane: 2 pi sqrt(n² - 1) for n = 2 waves around it (Michell 1889;
/// Zajac 1962; Goriely 2006, "Twisted elastic rings and the rediscoveries of Michell's
/// instability").
pub const RING_TWIST: f64 = 10.882_796_185_405_306;

/// The shape of a rod with a little slack between two clamps, one of which is turned.
///
/// Its deflection u, a complex number across the axis, solves u'''' - i m u''' - t u'' = 0
/// with u = u' = 0 at both ends: m is the moment times length over bending stiffness, t
/// the force along the axis times length squared over bending stiffness (Love 1927,
/// section 272, linear in u). With waves k that solve k² - m k + t = 0 the shapes are sums
/// of exp(i k s) - 1 - i k s. Of the forces t that let one be, the largest is found: at
/// no moment it is Euler's -4 pi², at [`CLAMPED_TWIST`] it is none.
#[derive(Clone, Copy, Debug)]
pub struct TwistedRod {
    waves: [f64; 2],
    shares: [DVec2; 2],
}

impl TwistedRod {
    /// Under that moment, above 0 and up to [`CLAMPED_TWIST`].
    pub fn new(moment: f64) -> Self {
        let waves = waves(moment, force(moment));
        Self {
            waves,
            shares: [part(waves[1], 1.0), -part(waves[0], 1.0)],
        }
    }

    /// The deflection at `s`, from clamp (0) to clamp (1), in some unit.
    pub fn at(&self, s: f64) -> DVec2 {
        let [a, b] = [0, 1].map(|i| self.shares[i].rotate(part(self.waves[i], s)));
        a + b
    }

    /// By how much the deflection's direction turns from the first quarter to the last.
    pub fn winding(&self) -> f64 {
        self.at(0.25).angle_to(self.at(0.75)).abs()
    }

    /// The deflection in the middle over the length, where the clamps are nearer
    /// together than the length by that share of it.
    pub fn height(&self, slack: f64) -> f64 {
        let steps = 2000;
        let at = |i: i32| self.at(f64::from(i) / f64::from(steps));
        // The slack is half the integral of the slope squared.
        let rise = |i: i32| (at(i + 1) - at(i)).length_squared();
        let own = 0.5 * f64::from(steps) * (0..steps).map(rise).sum::<f64>();
        self.at(0.5).length() * (slack / own).sqrt()
    }
}

/// The force t under that moment.
fn force(moment: f64) -> f64 {
    let euler = -4.0 * PI * PI;
    let (mut low, mut high) = (euler - 0.1, (0.2 * moment * moment).min(1.0));
    let below = condition(moment, low);
    for _ in 0..100 {
        let force = 0.5 * (low + high);
        if condition(moment, force) * below > 0.0 {
            low = force;
        } else {
            high = force;
        }
    }
    low
}

fn waves(moment: f64, force: f64) -> [f64; 2] {
    let root = (0.25 * moment * moment - force).sqrt();
    [0.5 * moment + root, 0.5 * moment - root]
}

/// exp(i k s) - 1 - i k s.
fn part(wave: f64, s: f64) -> DVec2 {
    let x = wave * s;
    match x.abs() < 1e-2 {
        true => DVec2::new(-x * x / 2.0 + x.powi(4) / 24.0, -x.powi(3) / 6.0),
        false => DVec2::new(x.cos() - 1.0, x.sin() - x),
    }
}

/// What is zero where a shape has u = u' = 0 at both ends.
fn condition(moment: f64, force: f64) -> f64 {
    let [a, b] = waves(moment, force);
    let sine = |k: f64| k * (0.5 * k).sin();
    let other = |k: f64| 2.0 * (0.5 * k).sin() - k * (0.5 * k).cos();
    // It is zero without a shape where one of the waves is none.
    (sine(b) * other(a) - sine(a) * other(b)) / (force * force)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_is_clamped_and_solves_its_equation() {
        for moment in [1.0, 4.0, 7.0, 8.9] {
            let rod = TwistedRod::new(moment);
            let middle = rod.at(0.5).length();
            let h = 1e-2;
            let u = |k: f64, s: f64| rod.at(s + h * k) / middle;
            for end in [0.0, 1.0] {
                let slope = (u(0.01, end) - u(-0.01, end)) / (0.02 * h);
                assert!(u(0.0, end).length() < 1e-9 && slope.length() < 1e-3);
            }
            let s = 0.3;
            let second = (u(1.0, s) - 2.0 * u(0.0, s) + u(-1.0, s)) / (h * h);
            let third = u(2.0, s) - 2.0 * u(1.0, s) + 2.0 * u(-1.0, s) - u(-2.0, s);
            let third = third / (2.0 * h.powi(3));
            let fourth = u(2.0, s) - 4.0 * u(1.0, s) + 6.0 * u(0.0, s) - 4.0 * u(-1.0, s);
            let fourth = (fourth + u(-2.0, s)) / h.powi(4);
            let off = fourth - moment * third.perp() - force(moment) * second;
            assert!(off.length() < 5e-3 * fourth.length(), "{moment}: {off}");
        }
    }

    #[test]
    fn the_force_is_eulers_without_twist_and_none_at_the_critical_twist() {
        let euler = TwistedRod::new(1e-2);
        assert!((force(1e-2) + 4.0 * PI * PI).abs() < 1e-2);
        assert!(euler.winding() < 0.03);
        // (1 - cos(2 pi s)) / 2 with slack d is 2/pi sqrt(d) high.
        assert!((euler.height(0.01) - 0.2 / PI).abs() < 1e-4);
        assert!(force(CLAMPED_TWIST).abs() < 1e-6);
        let off = |x: f64| (0.5 * x).sin() - 0.5 * x * (0.5 * x).cos();
        assert!(off(CLAMPED_TWIST).abs() < 1e-9);
        assert!((1..8980).all(|i| off(1e-3 * f64::from(i)) > 0.0));
        assert!(((RING_TWIST / PI).powi(2) - 12.0).abs() < 1e-12);
    }
}
