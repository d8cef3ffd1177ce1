//! Folds of a strand: vertices at which it turns more than hair does.

use super::centre_line::smooth_laplacian;
use glam::Vec3;

/// By how much a strand turns at vertex `i`, which has one on both sides. `[rad]`
pub(super) fn turn(points: &[Vec3], i: usize) -> f32 {
    (points[i] - points[i - 1]).angle_between(points[i + 1] - points[i])
}

/// The directions of its edges.
pub(super) fn ways(points: &[Vec3]) -> Vec<Vec3> {
    let edges = points.windows(2);
    edges
        .map(|ends| (ends[1] - ends[0]).normalize_or_zero())
        .collect()
}

/// Smooths out, in so many `rounds` at most, where vertices of a strand, from number `first` on,
/// turn by more than `most` says for that vertex `[rad]`. Each point that was moved goes to where
/// `kept` has it then: outside of the skin. `first` is at least 1.
pub(super) fn unfold(
    points: &mut [Vec3],
    [first, rounds]: [usize; 2],
    most: impl Fn(usize) -> f32,
    kept: impl Fn(Vec3) -> Vec3,
) {
    let last = points.len() - 1;
    for _ in 0..rounds {
        let folds = (first..last).filter(|i| turn(points, *i) > most(*i));
        let folds: Vec<usize> = folds.collect();
        if folds.is_empty() {
            return;
        }
        for i in folds {
            let around = i.saturating_sub(1).max(1)..(i + 2).min(last);
            smooth_laplacian(points, around.clone(), 1);
            for point in &mut points[around] {
                *point = kept(*point);
            }
        }
    }
}
