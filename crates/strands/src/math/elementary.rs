//! Sines, powers and their like with the same bits on every system.
//!
//! Rust hands `f32::sin` and the others to the library of the system, and libraries round
//! differently: with them a groom, and every step after it, had other bits on Windows than
//! on Linux. These are computed by the same code everywhere (the crate `libm`, musl's
//! functions). The lints of this crate refuse the system's, and glam asks for the same ones.

/// Numbers that have these functions: `f32` and `f64`.
pub trait Real: Copy {
    /// See [`sin`].
    fn sin(self) -> Self;
    /// See [`cos`].
    fn cos(self) -> Self;
    /// See [`tan`].
    fn tan(self) -> Self;
    /// See [`asin`].
    fn asin(self) -> Self;
    /// See [`atan`].
    fn atan(self) -> Self;
    /// See [`atan2`].
    fn atan2(self, x: Self) -> Self;
    /// See [`exp`].
    fn exp(self) -> Self;
    /// See [`ln`].
    fn ln(self) -> Self;
    /// See [`log2`].
    fn log2(self) -> Self;
    /// See [`log10`].
    fn log10(self) -> Self;
    /// See [`pow`].
    fn pow(self, exponent: Self) -> Self;
    /// See [`cbrt`].
    fn cbrt(self) -> Self;
    /// See [`hypot`].
    fn hypot(self, y: Self) -> Self;
}

macro_rules! real {
    ($number:ty: $($name:ident($($other:ident)?) = $function:ident),*) => {
        impl Real for $number {
            $(fn $name(self $(, $other: Self)?) -> Self {
                libm::$function(self $(, $other)?)
            })*
        }
    };
}

real!(f32: sin() = sinf, cos() = cosf, tan() = tanf, asin() = asinf, atan() = atanf, atan2(x) = atan2f, exp() = expf, ln() = logf, log2() = log2f, log10() = log10f, pow(exponent) = powf, cbrt() = cbrtf, hypot(y) = hypotf);
real!(f64: sin() = sin, cos() = cos, tan() = tan, asin() = asin, atan() = atan, atan2(x) = atan2, exp() = exp, ln() = log, log2() = log2, log10() = log10, pow(exponent) = pow, cbrt() = cbrt, hypot(y) = hypot);

/// The sine of an angle. `[rad]`
pub fn sin<T: Real>(angle: T) -> T {
    angle.sin()
}

/// The cosine of an angle. `[rad]`
pub fn cos<T: Real>(angle: T) -> T {
    angle.cos()
}

/// The tangent of an angle. `[rad]`
pub fn tan<T: Real>(angle: T) -> T {
    angle.tan()
}

/// The angle between -π/2 and π/2 that has this sine. `[rad]`
pub fn asin<T: Real>(x: T) -> T {
    x.asin()
}

/// The angle between -π/2 and π/2 that has this tangent. `[rad]`
pub fn atan<T: Real>(x: T) -> T {
    x.atan()
}

/// The angle of the point (`x`, `y`) from the x axis, -π to π. `[rad]`
pub fn atan2<T: Real>(y: T, x: T) -> T {
    y.atan2(x)
}

/// e to the power of `x`.
pub fn exp<T: Real>(x: T) -> T {
    x.exp()
}

/// The natural logarithm.
pub fn ln<T: Real>(x: T) -> T {
    x.ln()
}

/// The logarithm to the base 2.
pub fn log2<T: Real>(x: T) -> T {
    x.log2()
}

/// The logarithm to the base 10.
pub fn log10<T: Real>(x: T) -> T {
    x.log10()
}

/// `x` to the power of `exponent`.
pub fn pow<T: Real>(x: T, exponent: T) -> T {
    x.pow(exponent)
}

/// The cube root.
pub fn cbrt<T: Real>(x: T) -> T {
    x.cbrt()
}

/// The length of (`x`, `y`), without overflow on the way.
pub fn hypot<T: Real>(x: T, y: T) -> T {
    x.hypot(y)
}

/// Sine and cosine of an angle. `[rad]`
pub fn sin_cos<T: Real>(angle: T) -> (T, T) {
    (angle.sin(), angle.cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments of both signs up to some hundreds.
    fn arguments() -> impl Iterator<Item = f64> {
        (1..4000).map(|i| f64::from(i % 2 * 2 - 1) * f64::from(i * i) * 2e-5)
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "they are what is compared with")]
    fn they_are_the_functions_of_the_system_but_for_rounding() {
        let near = |name, found: f64, system: f64| {
            let same = found == system || (found.is_nan() && system.is_nan());
            let off = (found - system).abs() / system.abs().max(f64::MIN_POSITIVE);
            assert!(same || off < 1e-14, "{name}: {found} in place of {system}");
        };
        for x in arguments() {
            near("sin", sin(x), x.sin());
            near("cos", cos(x), x.cos());
            near("tan", tan(x), x.tan());
            near("asin", asin(x), x.asin());
            near("atan", atan(x), x.atan());
            near("atan2", atan2(x, -0.7), x.atan2(-0.7));
            near("exp", exp(x), x.exp());
            near("ln", ln(x.abs()), x.abs().ln());
            near("log2", log2(x.abs()), x.abs().log2());
            near("log10", log10(x.abs()), x.abs().log10());
            near("pow", pow(x.abs(), 0.37), x.abs().powf(0.37));
            near("cbrt", cbrt(x), x.cbrt());
            near("hypot", hypot(x, 0.7), x.hypot(0.7));
            let (sine, cosine) = sin_cos(x as f32);
            assert!((f64::from(sine) - f64::from(x as f32).sin()).abs() < 1e-7);
            assert!((f64::from(cosine) - f64::from(x as f32).cos()).abs() < 1e-7);
        }
    }

    /// Every function, of `x`, its absolute value `y` and three numbers more.
    fn each<T: Real>([x, y, a, b, c]: [T; 5]) -> [[T; 7]; 2] {
        let one = [sin(x), cos(x), tan(x), asin(sin(x)), atan(x), exp(x), ln(y)];
        let two = [
            log2(y),
            log10(y),
            cbrt(x),
            pow(y, b),
            atan2(x, a),
            hypot(x, c),
            atan2(y, x),
        ];
        [one, two]
    }

    /// Wherever this test passes, it passes with the same bits.
    #[test]
    fn the_bits_are_these() {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut take = |bits: u64| hash = (hash ^ bits).wrapping_mul(0x100_0000_01b3);
        for x in arguments() {
            let double = [x, x.abs(), 0.3, 0.37, 0.7];
            let single = double.map(|x| x as f32);
            each(double)
                .as_flattened()
                .iter()
                .for_each(|value| take(value.to_bits()));
            each(single)
                .as_flattened()
                .iter()
                .for_each(|value| take(value.to_bits().into()));
        }
        assert_eq!(hash, 0xe54d_c83a_4fc0_2987, "{hash:#x}");
    }
}
