//! The centre line of a strand, around which it curls.

use crate::math::smoothstep;
use glam::Vec3;

/// A turn of a curl has so many edges at least; what goes to and fro faster is a kink.
const LEAST_EDGES: usize = 3;

/// A strand curls whose bends are alike by so much, 0..=1, a turn later.
const ALIKE: f32 = 0.4;

/// How many edges a turn of a curl takes; none where a strand does not curl, or too little to
/// be told from a bend. It is the distance at which the bends of a strand are like themselves
/// again, by their autocorrelation: those of a bend or a single kink never are.
pub(super) fn edges_a_turn(curve: &[Vec3]) -> Option<f32> {
    let ways: Vec<Vec3> = curve
        .windows(2)
        .map(|edge| (edge[1] - edge[0]).normalize_or_zero())
        .collect();
    let bends: Vec<Vec3> = ways.windows(2).map(|two| two[1] - two[0]).collect();
    let longest = bends.len() / 2;
    let alike: Vec<f32> = (0..=longest + 1)
        .map(|lag| {
            let pairs = bends.iter().zip(bends.get(lag..).unwrap_or_default());
            let (mut product, mut size) = (0.0, 0.0);
            for (a, b) in pairs {
                product += a.dot(*b);
                size += 0.5 * (a.length_squared() + b.length_squared());
            }
            product / size.max(1e-12)
        })
        .collect();
    // Half a turn later they are the opposite.
    let opposite = alike[..=longest].iter().position(|alike| *alike < 0.0)?;
    let range = opposite.max(LEAST_EDGES)..=longest;
    let turn = range.max_by(|a, b| alike[*a].total_cmp(&alike[*b]))?;
    // The first turn, not the second or third.
    let first = (opposite.max(LEAST_EDGES)..=turn)
        .find(|lag| alike[*lag] > 0.8 * alike[turn] && alike[*lag] >= alike[lag + 1])?;
    if alike[first] < ALIKE {
        return None;
    }
    // The peak of a parabola through the values around it.
    let [before, at, after] = [alike[first - 1], alike[first], alike[first + 1]];
    let sharp = before - 2.0 * at + after;
    let off = if sharp < 0.0 {
        0.5 * (before - after) / sharp
    } else {
        0.0
    };
    Some(first as f32 + off.clamp(-0.5, 0.5))
}

/// What of a strand its centre line is the mean of, at the middle of each edge: one turn of the
/// curl around it, or the edge alone where there is no curl.
pub(super) struct TurnWindows {
    /// Where its vertices are along it. `[m]`
    along: Vec<f32>,
    /// From where to where along it each mean reaches. `[m]`
    windows: Vec<[f32; 2]>,
}

impl TurnWindows {
    /// Those of a strand that is `curve` now, and was `grown` with so many edges a `turn`. A cut
    /// leaves the first part of a strand, a comb turns edges: the same turn is where it was
    /// along the strand.
    pub(super) fn of(curve: &[Vec3], grown: &[Vec3], turn: Option<f32>) -> Self {
        let along = along(curve);
        let edges = along.windows(2).map(|ends| [ends[0], ends[1]]);
        let Some(turn) = turn else {
            let windows = edges.collect();
            return Self { along, windows };
        };
        let grew = self::along(grown);
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
    pub(super) fn means(&self, curve: &[Vec3]) -> Vec<Vec3> {
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

/// Where the vertices of a curve are along it. `[m]`
fn along(curve: &[Vec3]) -> Vec<f32> {
    let mut along = 0.0;
    let edge = |edge: &[Vec3]| {
        along += edge[0].distance(edge[1]);
        along
    };
    let ends: Vec<f32> = curve.windows(2).map(edge).collect();
    [0.0].into_iter().chain(ends).collect()
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
        groom::edit::first,
        math::{
            elementary::{cos, sin},
            random::signed,
        },
    };
    use std::f32::consts::{PI, TAU};

    /// A curl of that many vertices a turn and radius `[m]` around a line that bends.
    fn curl(vertices: f32, radius: f32) -> Vec<Vec3> {
        let place = |i: i32| {
            let (s, angle) = (0.004 * i as f32, TAU * i as f32 / vertices);
            let wide = radius * (s / 0.05).min(1.0);
            let bend = 1.2 * s / 0.25;
            Vec3::new(sin(bend) * 0.2, -cos(bend) * s, 0.0)
                + Vec3::new(wide * cos(angle), 0.0, wide * sin(angle))
        };
        (0..64).map(place).collect()
    }

    #[test]
    fn turns_of_curls_are_counted_and_bends_and_kinks_are_none() {
        for vertices in [4.3, 5.0, 8.0, 13.6, 20.0] {
            for radius in [0.002, 0.004, 0.01] {
                let found = edges_a_turn(&curl(vertices, radius)).expect("curls");
                let off = (found / vertices - 1.0).abs();
                assert!(off < 0.06, "{vertices} at {radius} m: {found}");
            }
        }
        assert_eq!(edges_a_turn(&curl(8.0, 0.0)), None, "a bend");
        let mut kinked = curl(8.0, 0.0);
        for p in &mut kinked[30..] {
            *p += Vec3::new(0.01, 0.01, 0.0);
        }
        assert_eq!(edges_a_turn(&kinked), None, "two corners");
        let shaken = |salt: u64| -> Vec<Vec3> {
            let shake = |i: u64| Vec3::from_array([0, 1, 2].map(|c| signed(salt, 3 * i + c)));
            let straight = curl(8.0, 0.0);
            let shaken = straight.iter().zip(0..).map(|(p, i)| *p + 0.001 * shake(i));
            shaken.collect()
        };
        let curls = (0..200).filter(|salt| edges_a_turn(&shaken(*salt)).is_some());
        let curls = curls.count();
        assert!(curls < 10, "chance makes {curls} curls");
        for few in 0..6 {
            assert_eq!(edges_a_turn(&curl(4.0, 0.01)[..few]), None);
        }
    }

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
