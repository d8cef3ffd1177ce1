//! Scissors that do not cut all strands at one line, as barbers cut with their points.

use crate::math::random::uniform;

/// So much is left of a strand behind the line, at most. `[m]`
pub const RAGGED_REACH: f32 = 0.05;

/// What is left changes along a strand from one drawn number to the next on this length. It
/// is twice the reach: where the line is farther along, the strand is cut farther along, too,
/// so of all lines that a stroke has the first along the strand counts, however many there
/// are. `[m]`
const CELL: f32 = 2.0 * RAGGED_REACH;

/// Tells these numbers from others that are drawn of a strand.
const SEED: u64 = 0x5c15_5025;

/// Where the strand of that number is cut that meets the scissors' line so far along it, with
/// a `raggedness` of 0..=1: the same for the same strand and line, whenever it is asked. `[m]`
pub fn ragged(along: f32, number: usize, raggedness: f32) -> f32 {
    if raggedness <= 0.0 {
        return along;
    }
    let seed = SEED ^ ((number as u64) << 32);
    let place = along.max(0.0) / CELL + uniform(seed, u64::MAX - 1);
    let cell = place.floor();
    let [from, to] = [0, 1].map(|next| uniform(seed, cell as u64 + next));
    let share = from + (to - from) * (place - cell);
    along + raggedness.min(1.0) * RAGGED_REACH * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strands_are_cut_behind_the_line_each_elsewhere_and_alike_each_time() {
        for raggedness in [0.3, 1.0, 4.0] {
            let most = RAGGED_REACH * f32::min(raggedness, 1.0);
            for line in [0.0, 0.004, 0.07, 0.21, 1.3] {
                let left = |number| ragged(line, number, raggedness) - line;
                let mut sum = 0.0;
                for number in 0..4000 {
                    let left = left(number);
                    assert!((-1e-6..=most + 1e-6).contains(&left), "{left} m");
                    assert_eq!(left, ragged(line, number, raggedness) - line);
                    sum += left;
                }
                let mean = sum / 4000.0 / most;
                assert!((0.47..0.53).contains(&mean), "{mean} of it on average");
                let neighbours = (0..400).filter(|n| (left(*n) - left(n + 1)).abs() < 0.1 * most);
                assert!(neighbours.count() < 140, "neighbours differ");
            }
        }
    }

    #[test]
    fn a_line_farther_along_cuts_farther_along() {
        for number in 0..200 {
            let cut: Vec<f32> = (0..600)
                .map(|step| ragged(0.0005 * step as f32, number, 1.0))
                .collect();
            assert!(cut.windows(2).all(|two| two[1] > two[0]), "{number}");
        }
    }

    #[test]
    fn scissors_that_cut_a_line_cut_there() {
        for line in [0.0f32, 0.123_456, 3.0] {
            assert_eq!(ragged(line, 7, 0.0).to_bits(), line.to_bits());
        }
    }
}
