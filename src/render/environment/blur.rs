//! An environment as it is seen: smaller, and blurred by an angle.

use crate::io::panorama::Panorama;
use rayon::prelude::*;

/// The standard deviation of a blur of 1. `[rad]`
const WIDEST: f32 = 0.5;
/// Texels to a standard deviation that are kept of a blurred picture.
const TEXELS: f32 = 4.0;
/// Boxes one after another are nearly a bell curve.
const BOXES: usize = 3;
/// A brighter texel is cut: half-precision textures have no larger numbers.
const BRIGHTEST: f32 = 60_000.0;

/// The mean of the texels that fall into each texel of a picture at most so wide, times
/// `factor`. `[px]`
pub(super) fn scaled(picture: &Panorama, width: usize, factor: f32) -> Panorama {
    let (from_width, from_height) = (picture.width(), picture.height());
    let height = (width.min(from_width) / 2).max(1);
    let width = 2 * height;
    let from = |index: usize, from: usize, to: usize| {
        let first = index * from / to;
        first..((index + 1) * from / to).max(first + 1)
    };
    let texels = (0..width * height).into_par_iter().map(|index| {
        let (x, y) = (index % width, index / width);
        let (mut sum, mut count) = ([0f32; 3], 0.0);
        for row in from(y, from_height, height) {
            for column in from(x, from_width, width) {
                let texel = picture.texels()[row * from_width + column];
                sum.iter_mut().zip(texel).for_each(|(sum, c)| *sum += c);
                count += 1.0;
            }
        }
        sum.map(|sum| (sum / count * factor).min(BRIGHTEST))
    });
    Panorama::from_texels(width, texels.collect()).unwrap_or_else(|| picture.clone())
}

/// The picture blurred by a bell curve over the sphere, `blur` 0 to 1; at 0 as it is.
pub(super) fn blurred(picture: &Panorama, blur: f32) -> Panorama {
    let deviation = WIDEST * blur.clamp(0.0, 1.0).powi(2);
    let width = TEXELS * std::f32::consts::TAU / deviation.max(1e-6);
    let small = match (width as usize) < picture.width() {
        true => scaled(picture, (width as usize).max(16), 1.0),
        false => picture.clone(),
    };
    let (width, height) = (small.width(), small.height());
    let texel = std::f32::consts::PI / height as f32;
    // The variance of a box of n texels is (n^2 - 1) / 12.
    let variance = (deviation / texel).powi(2) / BOXES as f32;
    let box_of = |variance: f32| (((12.0 * variance + 1.0).sqrt() - 1.0) * 0.5).round() as usize;
    if box_of(variance) == 0 {
        return small;
    }
    let mut texels = small.texels().to_vec();
    // Meridians run over the poles: a column down, the one on the other side up.
    let half = width / 2;
    let meridians: Vec<Vec<[f32; 3]>> = (0..half)
        .into_par_iter()
        .map(|x| {
            let down = (0..height).map(|y| texels[y * width + x]);
            let up = (0..height).rev().map(|y| texels[y * width + x + half]);
            smoothed(down.chain(up).collect(), box_of(variance))
        })
        .collect();
    for (x, meridian) in meridians.iter().enumerate() {
        for y in 0..height {
            texels[y * width + x] = meridian[y];
            texels[y * width + x + half] = meridian[2 * height - 1 - y];
        }
    }
    // Texels of a row are narrower towards the poles.
    let rows = texels.par_chunks_mut(width).enumerate();
    rows.for_each(|(y, row)| {
        let latitude = texel * (y as f32 + 0.5);
        let stretched = variance / latitude.sin().powi(2);
        row.copy_from_slice(&smoothed(row.to_vec(), box_of(stretched)));
    });
    Panorama::from_texels(width, texels).unwrap_or(small)
}

/// A ring of texels, each the mean of itself and `reach` on both sides, several times.
fn smoothed(mut ring: Vec<[f32; 3]>, reach: usize) -> Vec<[f32; 3]> {
    let n = ring.len();
    // A box as long as the ring is the mean of all.
    let reach = reach.min((n - 1) / 2);
    for _ in 0..BOXES {
        let mut sum = [0f64; 3];
        let add = |sum: &mut [f64; 3], texel: [f32; 3], sign: f64| {
            (sum.iter_mut().zip(texel)).for_each(|(sum, c)| *sum += sign * f64::from(c));
        };
        for index in 0..=2 * reach {
            add(&mut sum, ring[(n + index - reach) % n], 1.0);
        }
        let share = 1.0 / (2 * reach + 1) as f64;
        let mut next = Vec::with_capacity(n);
        for index in 0..n {
            next.push(sum.map(|sum| (sum * share).max(0.0) as f32));
            add(&mut sum, ring[(n + index - reach) % n], -1.0);
            add(&mut sum, ring[(index + reach + 1) % n], 1.0);
        }
        ring = next;
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Light of all directions together.
    fn sum(picture: &Panorama) -> f64 {
        let rows = picture.texels().chunks(picture.width()).enumerate();
        let row = |(y, row): (usize, &[[f32; 3]])| {
            let light: f64 = row.iter().map(|texel| f64::from(texel[1])).sum();
            light * picture.solid_angle(y)
        };
        rows.map(row).sum()
    }

    #[test]
    fn a_blur_keeps_an_even_picture_and_spreads_a_spot_by_its_angle() {
        let even = Panorama::of(256, |_| [0.5, 1.0, 2.0]);
        for blur in [0.0, 0.2, 1.0] {
            for texel in blurred(&even, blur).texels() {
                assert!((texel[1] - 1.0).abs() < 1e-5 && (texel[2] - 2.0).abs() < 1e-5);
            }
        }
        // A spot on the horizon across the seam, and one higher up.
        for towards in [[0.0, 0.0, -1.0], [0.0, 0.6, 0.8f32]] {
            let cosine = |d: [f32; 3]| (0..3).map(|i| d[i] * towards[i]).sum::<f32>();
            let spot = Panorama::of(512, |d| [f32::from(cosine(d) > 0.999) * 100.0; 3]);
            let blurred = blurred(&spot, 0.5);
            let (kept, all) = (sum(&blurred), sum(&spot));
            assert!(
                (kept / all - 1.0).abs() < 0.1,
                "{towards:?}: {kept} of {all}"
            );
            let (mut square, mut light) = (0.0, 0.0);
            let directions = blurred.directions();
            for y in 0..blurred.height() {
                for x in 0..blurred.width() {
                    let cosine = cosine(directions.at(x, y)).clamp(-1.0, 1.0);
                    let texel = blurred.texels()[y * blurred.width() + x][1];
                    let part = f64::from(texel) * blurred.solid_angle(y);
                    square += part * f64::from(cosine.acos().powi(2));
                    light += part;
                }
            }
            let deviation = (0.5 * square / light).sqrt();
            assert!(
                (deviation / 0.125 - 1.0).abs() < 0.15,
                "{towards:?}: {deviation}"
            );
        }
    }
}
