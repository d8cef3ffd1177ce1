//! Folds of a strand: vertices at which it turns more than hair does.

use super::centre_line::smooth_laplacian;
use glam::Vec3;

/// Rounds of smoothing, at most.
const ROUNDS: usize = 24;

/// Smooths out where vertices of a strand, from number `first` on, turn by more than `most` says
/// for that vertex `[rad]`. Each point that was moved goes to where `kept` has it then: outside of
/// the skin. `first` is at least 1.
pub(super) fn unfold(
    points: &mut [Vec3],
    first: usize,
    most: impl Fn(usize) -> f32,
    kept: impl Fn(Vec3) -> Vec3,
) {
    let last = points.len() - 1;
    for _ in 0..ROUNDS {
        let turn = |i: usize| (points[i] - points[i - 1]).angle_between(points[i + 1] - points[i]);
        let folds: Vec<usize> = (first..last).filter(|i| turn(*i) > most(*i)).collect();
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
