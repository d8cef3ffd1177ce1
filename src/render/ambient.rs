//! How much of the room each place on the head sees: the shade in eye sockets,
//! behind ears and under the chin. Worked out once for each head.

use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::f32::consts::PI;

/// Directions the room is looked at from.
const DIRECTIONS: usize = 64;
/// Directions that are summed up one after the other.
const GROUP: usize = 8;
/// Pixels along the longest side of each look.
const PIXELS: f32 = 200.0;

/// The share of the sky over each corner that nothing hides, 0..=1, weighted by
/// the cosine to its normal.
///
/// The surface is drawn into a depth picture from many directions, and each
/// corner is looked up in those that it faces.
pub(super) fn visibility(corners: &[(Vec3, Vec3)], indices: &[u32]) -> Vec<f32> {
    let start = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    let [min, max] = corners
        .iter()
        .fold(start, |[min, max], (p, _)| [min.min(*p), max.max(*p)]);
    let middle = (min + max) * 0.5;
    let radius = (max - min).length() * 0.5;
    if !(radius.is_finite() && radius > 0.0) {
        return vec![1.0; corners.len()];
    }
    // Groups of their own: sums in the order in which threads come to finish
    // would differ in their last bits from run to run.
    let groups: Vec<usize> = (0..DIRECTIONS).step_by(GROUP).collect();
    let parts: Vec<Vec<Vec2>> = groups
        .into_par_iter()
        .map(|first| {
            let mut sums = vec![Vec2::ZERO; corners.len()];
            for index in first..first + GROUP {
                let towards = direction(index);
                look(corners, indices, towards, (middle, radius), &mut sums);
            }
            sums
        })
        .collect();
    let mut sums = vec![Vec2::ZERO; corners.len()];
    for part in &parts {
        sums.iter_mut()
            .zip(part)
            .for_each(|(sum, own)| *sum += *own);
    }
    sums.iter()
        .map(|sum| if sum.y > 0.0 { sum.x / sum.y } else { 1.0 })
        .collect()
}

/// Directions spread evenly over the sphere along a spiral (Vogel 1979).
fn direction(index: usize) -> Vec3 {
    let y = 1.0 - (2 * index + 1) as f32 / DIRECTIONS as f32;
    let (sin, cos) = (index as f32 * PI * (3.0 - 5f32.sqrt())).sin_cos();
    let r = (1.0 - y * y).sqrt();
    Vec3::new(r * cos, y, r * sin)
}

/// Adds to each corner that faces `towards` the cosine, and once more if it is
/// seen from there: (seen, all).
fn look(
    corners: &[(Vec3, Vec3)],
    indices: &[u32],
    towards: Vec3,
    (middle, radius): (Vec3, f32),
    sums: &mut [Vec2],
) {
    let (right, up) = towards.any_orthonormal_pair();
    let scale = PIXELS * 0.5 / radius;
    let size = PIXELS as usize + 2;
    // Pixel coordinates, and nearness in the same unit.
    let place = |p: Vec3| {
        let p = (p - middle) * scale;
        Vec3::new(p.dot(right), p.dot(up), p.dot(towards))
            + Vec3::new(1.0, 1.0, 0.0) * (size as f32 * 0.5)
    };
    let places: Vec<Vec3> = corners.iter().map(|(p, _)| place(*p)).collect();
    let mut nearest = vec![f32::NEG_INFINITY; size * size];
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| places[triangle[i] as usize]);
        draw(&mut nearest, size, a, b, c);
    }
    for ((corner, place), sum) in corners.iter().zip(&places).zip(sums) {
        let cosine = corner.1.dot(towards);
        if cosine <= 0.0 {
            continue;
        }
        // Off the surface by more than a pixel's slope, or it would hide itself.
        let off =
            *place + Vec3::new(corner.1.dot(right), corner.1.dot(up), cosine) * 1.5 + Vec3::Z * 0.5;
        let (x, y) = (
            (off.x as usize).min(size - 1),
            (off.y as usize).min(size - 1),
        );
        let seen = nearest[y * size + x] <= off.z;
        *sum += Vec2::new(if seen { cosine } else { 0.0 }, cosine);
    }
}

/// Draws a triangle that faces the viewer: the greatest z of each pixel stays.
fn draw(nearest: &mut [f32], size: usize, a: Vec3, b: Vec3, c: Vec3) {
    let area = (b - a).truncate().perp_dot((c - a).truncate());
    if area <= 1e-9 {
        return;
    }
    let low = a.min(b).min(c).max(Vec3::ZERO);
    let high = a.max(b).max(c).min(Vec3::splat(size as f32 - 1.0));
    // Pixel middles lie at halves.
    let (x0, y0) = ((low.x - 0.5).ceil().max(0.0), (low.y - 0.5).ceil().max(0.0));
    let side = |p: Vec3, q: Vec3, x: f32, y: f32| (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
    let mut y = y0 + 0.5;
    while y <= high.y {
        let mut x = x0 + 0.5;
        while x <= high.x {
            let (u, v, w) = (side(b, c, x, y), side(c, a, x, y), side(a, b, x, y));
            if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                let z = (u * a.z + v * b.z + w * c.z) / area;
                let pixel = &mut nearest[y as usize * size + x as usize];
                *pixel = pixel.max(z);
            }
            x += 1.0;
        }
        y += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeadParams, load};

    /// A square of `2 * half` metres at `y`, facing up or down, cut in 20 x 20.
    fn sheet(corners: &mut Vec<(Vec3, Vec3)>, indices: &mut Vec<u32>, half: f32, y: f32, up: f32) {
        let base = corners.len() as u32;
        for i in 0..=20 {
            for j in 0..=20 {
                let at = |k: i32| (k - 10) as f32 * half / 10.0;
                corners.push((Vec3::new(at(i), y, at(j)), Vec3::Y * up));
            }
        }
        for i in 0..20 {
            for j in 0..20 {
                let [a, b, c, d] =
                    [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(k, l)| base + (i + k) * 21 + j + l);
                if up > 0.0 {
                    indices.extend([a, c, b, a, d, c]);
                } else {
                    indices.extend([a, b, c, a, c, d]);
                }
            }
        }
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        // A head, of which most corners see a part of the sky.
        let head = load(&HeadParams::default()).expect("the built-in head");
        let corners = head.mesh.positions.iter();
        let corners: Vec<_> = corners.map(|p| (*p, p.normalize_or(Vec3::Y))).collect();
        let indices = head.mesh.triangles.concat();
        let seen = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let seen = pool
                .expect("threads")
                .install(|| visibility(&corners, &indices));
            seen.iter().map(|v| v.to_bits()).collect::<Vec<u32>>()
        };
        let one = seen(1);
        // Which thread takes what is another matter each time.
        for threads in [2, 3, 5, 2, 3, 5] {
            assert!(seen(threads) == one, "{threads} threads");
        }
    }

    #[test]
    fn an_open_plate_sees_all_of_its_sky_and_a_covered_one_little() {
        let (mut corners, mut indices) = (Vec::new(), Vec::new());
        sheet(&mut corners, &mut indices, 0.1, 0.0, 1.0);
        let open = visibility(&corners, &indices);
        assert!(open.iter().all(|v| *v > 0.99), "{open:?}");

        // A lid of the same size, 5 cm above the floor. From the floor's middle
        // it hides (4/pi) (x/s) atan(x/s) of the sky, with x = half side over
        // distance and s = sqrt(1 + x²): the form factor of a square.
        sheet(&mut corners, &mut indices, 0.1, 0.05, 1.0);
        sheet(&mut corners, &mut indices, 0.1, 0.0499, -1.0);
        let covered = visibility(&corners, &indices);
        let x = 2f32;
        let s = (1.0 + x * x).sqrt();
        let hidden = 4.0 / PI * (x / s) * (x / s).atan();
        let middle = covered[10 * 21 + 10];
        assert!((middle - (1.0 - hidden)).abs() < 0.08, "{middle} {hidden}");
        assert!(covered[21 * 21 + 220] > 0.99, "the lid's top is open");
    }
}
