//! Low-discrepancy and hashed random numbers: the same seed gives the same
//! numbers on every machine and in any order of asking.

/// A 64-bit hash of `seed` and `index` (SplitMix64, Steele et al. 2014).
pub fn hash(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number in `0.0..1.0`, the same for the same `seed` and `index`.
pub fn uniform(seed: u64, index: u64) -> f32 {
    // 24 bits fill an f32's mantissa exactly, so 1.0 is never returned.
    (hash(seed, index) >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
}

/// A number in `-1.0..1.0`, the same for the same `seed` and `index`.
pub fn signed(seed: u64, index: u64) -> f32 {
    2.0 * uniform(seed, index) - 1.0
}

/// As [`uniform`], with all 53 bits of an f64.
pub fn uniform64(seed: u64, index: u64) -> f64 {
    (hash(seed, index) >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// The radical inverse of `index` in `base`, in `0.0..1.0`: one coordinate of
/// the Halton sequence (Halton 1960).
pub fn radical_inverse(index: u64, base: u64) -> f64 {
    let (mut i, mut fraction, mut value) = (index, 1.0f64, 0.0f64);
    while i > 0 {
        fraction /= base as f64;
        value += fraction * (i % base) as f64;
        i /= base;
    }
    value.min(1.0 - f64::EPSILON)
}

/// [`radical_inverse`] in single precision, still below 1.
pub fn halton(index: u64, base: u64) -> f32 {
    (radical_inverse(index, base) as f32).min(1.0 - f32::EPSILON)
}

/// A number in 0..1 that strand `id` keeps, one for each `slot`, as
/// `shaders/strand.glsl` has it (Wellons 2018, "lowbias32").
pub fn strand_random(id: u32, slot: u32) -> f32 {
    let mixed = id.wrapping_mul(747_796_405).wrapping_add(hashed(slot));
    (hashed(mixed) >> 8) as f32 / 16_777_216.0
}

fn hashed(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halton_is_the_radical_inverse() {
        let base2: Vec<f32> = (1..5).map(|i| halton(i, 2)).collect();
        assert_eq!(base2, [0.5, 0.25, 0.75, 0.125]);
        assert!((halton(1, 3) - 1.0 / 3.0).abs() < 1e-7 && (halton(5, 3) - 7.0 / 9.0).abs() < 1e-7);
    }

    #[test]
    fn uniform_has_the_mean_and_spread_of_a_uniform_number() {
        let n = 100_000u64;
        let values: Vec<f64> = (0..n).map(|i| f64::from(uniform(7, i))).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64;
        // Standard error of the mean is 1 / sqrt(12 n), about 0.0009.
        assert!((mean - 0.5).abs() < 0.004 && (variance - 1.0 / 12.0).abs() < 0.002);
        assert!(values.iter().all(|v| (0.0..1.0).contains(v)));
    }
}
