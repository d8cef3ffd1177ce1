//! Distances along strands.

use glam::Vec3;

/// How far each point of a strand is from its root along it. `[m]`
pub(super) fn distances(strand: &[Vec3]) -> impl Iterator<Item = f32> {
    let mut before = strand.first().copied().unwrap_or_default();
    strand.iter().scan(0.0, move |along, point| {
        *along += point.distance(before);
        before = *point;
        Some(*along)
    })
}
