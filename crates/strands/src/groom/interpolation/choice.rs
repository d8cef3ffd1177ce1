//! Which strands of a groom are its guides, where nobody has said so: one for each of
//! so many bundles of strands that are rooted near each other and alike.
//!
//! Lloyd's algorithm (1982) on [`Shape`]s, as reduced hair models do it (Chai et al.
//! 2014, "A reduced model for interactive hairs", section 4): a bundle's guide is the
//! strand that is nearest to its mean.

use super::links::{Shape, nearest, roots};
use glam::Vec3;
use rayon::prelude::*;

/// Rounds of giving strands to bundles and finding the bundles' means.
const ROUNDS: usize = 6;

/// The numbers of `count` of these strands, rising; all, if there are no more. The order
/// of `strands` must be along a curve that fills the scalp: bundles begin evenly along
/// it.
pub fn choose<'a>(
    strands: impl IntoParallelIterator<Item = &'a [Vec3]>,
    count: usize,
) -> Vec<usize> {
    let shapes: Vec<Shape> = strands.into_par_iter().map(Shape::of).collect();
    let n = shapes.len();
    if count >= n {
        return (0..n).collect();
    }
    let mut guides: Vec<usize> = (0..count).map(|i| i * n / count).collect();
    for _ in 0..ROUNDS {
        let means: Vec<Shape> = guides.iter().map(|guide| shapes[*guide]).collect();
        let tree = roots(&means);
        let bundle = |shape: &Shape| nearest(shape, &means, &tree)[0].1;
        let bundles: Vec<usize> = shapes.par_iter().map(bundle).collect();
        let next = middles(&shapes, &bundles, &guides);
        if next == guides {
            break;
        }
        guides = next;
    }
    guides.sort_unstable();
    guides.dedup();
    guides
}

/// The strand of each bundle that is nearest to the bundle's mean; of an empty one the
/// guide that it had.
fn middles(shapes: &[Shape], bundles: &[usize], guides: &[usize]) -> Vec<usize> {
    let mut sums = vec![(Shape::default(), 0usize); guides.len()];
    for (shape, bundle) in shapes.iter().zip(bundles) {
        let (sum, count) = &mut sums[*bundle];
        sum.root += shape.root;
        for (sum, place) in sum.places.iter_mut().zip(shape.places) {
            *sum += place;
        }
        *count += 1;
    }
    let apart = |shape: &Shape, bundle: usize| {
        let (sum, count) = &sums[bundle];
        let one = 1.0 / *count as f32;
        let places = shape.places.iter().zip(sum.places);
        let far = |(a, b): (&Vec3, Vec3)| a.distance_squared(one * b);
        shape.root.distance_squared(one * sum.root) + places.map(far).sum::<f32>()
    };
    let mut best: Vec<(f32, usize)> = guides.iter().map(|guide| (f32::MAX, *guide)).collect();
    for (strand, bundle) in bundles.iter().enumerate() {
        let far = apart(&shapes[strand], *bundle);
        if far < best[*bundle].0 {
            best[*bundle] = (far, strand);
        }
    }
    best.into_iter().map(|(_, strand)| strand).collect()
}
