//! The centre line of a strand, around which it curls.

use crate::{groom::edit, math::smoothstep};
use glam::Vec3;

/// What of a strand its centre line is the mean of, at the middle of each edge: one turn of the
/// curl around it, or the edge alone where there is no curl.
pub struct TurnWindows {
    /// Where its vertices are along it. `[m]`
    along: Vec<f32>,
    /// From where to where along it each mean reaches. `[m]`
    windows: Vec<[f32; 2]>,
}

impl TurnWindows {
    /// Those of a strand that is `curve` now, and was `grown` with so many edges a `turn`. A cut
    /// leaves the first part of a strand, a comb turns edges: the same turn is where it was
    /// along the strand.
    pub fn of(curve: &[Vec3], grown: &[Vec3], turn: Option<f32>) -> Self {
        let along = edit::along(curve);
        let edges = along.windows(2).map(|ends| [ends[0], ends[1]]);
        let Some(turn) = turn else {
            let windows = edges.collect();
            return Self { along, windows };
        };
        let grew = edit::along(grown);
        let length = along.last().copied().unwrap_or(0.0);
        let last = index_at(&grew, length);
        let half = 0.5 * turn.min(last);
        let window = |[from, to]: [f32; 2]| {
            // Within half a turn of an end it goes as the first and last whole turn do: less
            // than a turn has no centre.
            let middle = index_at(&grew, 0.5 * (from + to))
                .min(last - half)
                .max(half);
            let [begin, end] = [middle - half, middle + half].map(|at| value_at(&grew, at));
            let end = end.min(length);
            match end - begin > 0.5 * (to - from) {
                true => [begin, end],
                false => [from, to],
            }
        };
        let windows = edges.map(window).collect();
        Self { along, windows }
    }

    /// Where the vertices are along the strand, root first. `[m]`
    pub(super) fn along(&self) -> &[f32] {
        &self.along
    }

    /// The directions of the centre line of the strand at the middles of its edges.
    pub fn means(&self, curve: &[Vec3]) -> Vec<Vec3> {
        let place = |along: f32| {
            let at = index_at(&self.along, along);
            let edge = (at as usize).min(curve.len().saturating_sub(2));
            curve[edge].lerp(curve[edge + 1], at - edge as f32)
        };
        let mean = |(edge, [begin, end]): (usize, &[f32; 2])| {
            let own = curve[edge + 1] - curve[edge];
            let chord = place(*end) - place(*begin);
            chord.normalize_or(own.normalize_or(Vec3::NEG_Y))
        };
        self.windows.iter().enumerate().map(mean).collect()
    }

    /// What edges turn by so that the centre line turns by `turns`: the adjoint of the mean. Had
    /// each edge the turn of the centre line at its place, waves that are shorter than a turn,
    /// of which the mean has the opposite sign, would grow.
    pub(super) fn spread(&self, turns: &[Vec3]) -> Vec<Vec3> {
        let mut out = vec![Vec3::ZERO; turns.len()];
        let edge_of = |along: f32| index_at(&self.along, along) as usize;
        for (k, ([begin, end], turn)) in self.windows.iter().zip(turns).enumerate() {
            let long = self.along[k + 1] - self.along[k];
            let share = long / (end - begin).max(f32::MIN_POSITIVE);
            let edges = edge_of(*begin)..=edge_of(*end).min(turns.len() - 1);
            for edge in edges {
                let [from, to] = [self.along[edge], self.along[edge + 1]];
                let within = (to.min(*end) - from.max(*begin)).max(0.0);
                out[edge] += *turn * (share * within / (to - from).max(f32::MIN_POSITIVE));
            }
        }
        out
    }
}

/// The place of `value` among rising `values`, between them in shares.
fn index_at(values: &[f32], value: f32) -> f32 {
    let next = values.partition_point(|end| *end <= value);
    let (Some(edge), Some(to)) = (next.checked_sub(1), values.get(next)) else {
        return if next == 0 {
            0.0
        } else {
            (values.len() - 1) as f32
        };
    };
    edge as f32 + (value - values[edge]) / (to - values[edge]).max(f32::MIN_POSITIVE)
}

/// The value at a place among `values`.
fn value_at(values: &[f32], place: f32) -> f32 {
    let edge = (place.max(0.0) as usize).min(values.len().saturating_sub(2));
    let (Some(from), Some(to)) = (values.get(edge), values.get(edge + 1)) else {
        return 0.0;
    };
    from + (to - from) * (place - edge as f32)
}

/// How much two strands belong together that grew in these directions, 0..=1: not at all on
/// two sides of a parting.
pub(super) fn together(a: Vec3, b: Vec3) -> f32 {
    smoothstep(-0.5, 0.3, a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        groom::{edit::first, turn::edges_a_turn},
        math::elementary::{cos, sin},
    };
    use std::f32::consts::{PI, TAU};

    #[test]
    fn the_centre_of_a_helix_is_its_axis() {
        let helix: Vec<Vec3> = (0..64)
            .map(|i| {
                let angle = TAU * i as f32 / 7.3;
                Vec3::new(0.006 * cos(angle), -0.003 * i as f32, 0.006 * sin(angle))
            })
            .collect();
        let turn = edges_a_turn(&helix);
        for curve in [helix.clone(), first(&helix, 0.4)] {
            let windows = TurnWindows::of(&curve, &helix, turn);
            let means = windows.means(&curve);
            for way in &means {
                let off = way.angle_between(Vec3::NEG_Y) / PI * 180.0;
                assert!(off < 4.0, "{off} degrees aside");
            }
            // Turned by the same everywhere, so is the strand, but near its ends.
            let turns = windows.spread(&vec![Vec3::X; means.len()]);
            let inner = &turns[20..means.len() - 20];
            assert!(inner.iter().all(|turn| (turn.x - 1.0).abs() < 0.05));
        }
        let own = TurnWindows::of(&helix, &helix, None).means(&helix);
        let edge = (helix[9] - helix[8]).normalize();
        assert!(own[8].distance(edge) < 1e-6);
    }
}
