//! How long the turns of a curl are.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{
        elementary::{cos, sin},
        random::signed,
    };
    use std::f32::consts::TAU;

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
}
