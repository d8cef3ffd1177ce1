//! Fairing: what is left of directions along a strand when short kinks are taken out.

use crate::math::elementary::sin;
use glam::{DVec3, Vec3};
use std::f64::consts::PI;

/// The values nearest to `values` that vary evenly, by the Whittaker-Henderson smoother
/// (Whittaker 1923) with second differences. Half is left of a wave that takes `wave` steps,
/// less of shorter ones; values on a line, an arc of a strand, stay as they are.
pub(super) fn faired(values: &[Vec3], wave: f32) -> Vec<Vec3> {
    let count = values.len();
    if count < 3 || wave <= 0.0 {
        return values.to_vec();
    }
    let step = 2.0 * sin(PI / f64::from(wave).max(2.0));
    let weight = 1.0 / (step * step * step * step);
    // The matrix 1 + weight * D'D, of which D takes second differences, as L S L' with
    // bands of two.
    let mut scale = vec![0.0; count];
    let mut below = vec![[0.0; 2]; count];
    let mut out = vec![DVec3::ZERO; count];
    for i in 0..count {
        let [diagonal, one, two] = row(i, count, weight);
        let (mut left, mut next) = (diagonal, one);
        let mut value = values[i].as_dvec3();
        if i >= 1 {
            let [a, b] = below[i - 1];
            left -= a * a * scale[i - 1];
            next -= a * b * scale[i - 1];
            value -= a * out[i - 1];
        }
        if i >= 2 {
            let [_, b] = below[i - 2];
            left -= b * b * scale[i - 2];
            value -= b * out[i - 2];
        }
        scale[i] = left;
        below[i] = [next / left, two / left];
        out[i] = value;
    }
    for i in (0..count).rev() {
        let mut value = out[i] / scale[i];
        if i + 1 < count {
            value -= below[i][0] * out[i + 1];
        }
        if i + 2 < count {
            value -= below[i][1] * out[i + 2];
        }
        out[i] = value;
    }
    out.iter().map(|value| value.as_vec3()).collect()
}

/// Row `i` of the matrix, from its diagonal on.
fn row(i: usize, count: usize, weight: f64) -> [f64; 3] {
    // Each second difference that `i` is in begins at i - 2, i - 1 or i.
    let within = |begin: Option<usize>| match begin {
        Some(begin) if begin + 2 < count => weight,
        _ => 0.0,
    };
    let [last, middle, first] = [i.checked_sub(2), i.checked_sub(1), Some(i)].map(within);
    [
        1.0 + last + 4.0 * middle + first,
        -2.0 * (middle + first),
        first,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_half_is_left_of_the_wave() {
        let line: Vec<Vec3> = (0..40)
            .map(|i| Vec3::new(0.3, 0.02, -0.1) * i as f32 + Vec3::Y)
            .collect();
        for (a, b) in faired(&line, 12.0).iter().zip(&line) {
            assert!(a.distance(*b) < 1e-4);
        }
        for (wave, least, most) in [(20.0, 0.47, 0.53), (8.0, 0.0, 0.1), (60.0, 0.95, 1.0)] {
            let place = |i: usize| std::f32::consts::TAU * i as f32 / wave;
            let values: Vec<Vec3> = (0..241).map(|i| Vec3::X * sin(place(i))).collect();
            let out = faired(&values, 20.0);
            // Away from the ends.
            let tall = |values: &[Vec3]| values[80..160].iter().map(|v| v.x).fold(0.0, f32::max);
            let left = tall(&out) / tall(&values);
            assert!((least..=most).contains(&left), "{wave}: {left} is left");
        }
    }

    #[test]
    fn few_values_stay() {
        assert_eq!(faired(&[Vec3::X, Vec3::Y], 9.0), [Vec3::X, Vec3::Y]);
        assert!(faired(&[], 9.0).is_empty());
    }
}
