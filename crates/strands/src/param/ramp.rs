//! How something changes from a strand's root to its tip.

/// Values at the root, at a quarter, half and three quarters of a strand, and at
/// its tip; smooth between, and never beyond what it joins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp(pub [f32; Ramp::POINTS]);

impl Ramp {
    /// Number of values.
    pub const POINTS: usize = 5;

    /// The same all the way.
    pub const fn level(value: f32) -> Self {
        Self([value; Self::POINTS])
    }

    /// The value at `t`, 0 at the root and 1 at the tip: Hermite's cubic with
    /// slopes that keep it monotone between values (Fritsch & Butland 1984, "A
    /// Method for Constructing Local Monotone Piecewise Cubic Interpolants", the
    /// harmonic mean of equation 5).
    pub fn at(&self, t: f32) -> f32 {
        let values = &self.0;
        let last = Self::POINTS - 1;
        let x = t.clamp(0.0, 1.0) * last as f32;
        let i = (x as usize).min(last - 1);
        let rise = |k: usize| values[k + 1] - values[k];
        let slope = |k: usize| match k {
            0 => rise(0),
            k if k == last => rise(last - 1),
            k => {
                let (a, b) = (rise(k - 1), rise(k));
                if a * b > 0.0 {
                    2.0 * a * b / (a + b)
                } else {
                    0.0
                }
            }
        };
        let f = x - i as f32;
        let (f2, f3) = (f * f, f * f * f);
        values[i]
            + (f3 - 2.0 * f2 + f) * slope(i)
            + (3.0 * f2 - 2.0 * f3) * rise(i)
            + (f3 - f2) * slope(i + 1)
    }
}

impl Default for Ramp {
    fn default() -> Self {
        Self::level(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Ramp;

    #[test]
    fn a_ramp_goes_through_its_values_and_never_beyond_them() {
        let ramp = Ramp([1.0, 0.2, 0.2, 0.9, 0.1]);
        for (i, value) in ramp.0.iter().enumerate() {
            assert!((ramp.at(i as f32 / 4.0) - value).abs() < 1e-6);
        }
        for step in 0..=1000 {
            let t = step as f32 / 1000.0;
            let i = ((4.0 * t) as usize).min(3);
            let (a, b) = (ramp.0[i], ramp.0[i + 1]);
            let here = ramp.at(t);
            assert!(here >= a.min(b) - 1e-6 && here <= a.max(b) + 1e-6, "{t}");
            // Smooth: no step is larger than the steepest slope allows.
            assert!((ramp.at(t + 1e-3) - here).abs() < 4.0 * 2.0 * 0.9 * 1.1e-3);
        }
        // A straight line stays one.
        let line = Ramp([0.0, 0.25, 0.5, 0.75, 1.0]);
        assert!((0..100).all(|k| (line.at(k as f32 / 100.0) - k as f32 / 100.0).abs() < 1e-6));
        assert_eq!(Ramp::level(0.7).at(0.3), 0.7);
        assert_eq!([ramp.at(-1.0), ramp.at(2.0)], [ramp.at(0.0), ramp.at(1.0)]);
    }
}
