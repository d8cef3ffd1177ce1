//! Streaks: neighbours on the scalp that a hairdresser bleaches together.

use crate::math::random::{hash, uniform};
use glam::{IVec3, Vec3};

/// How wide they are. `[m]`
const WIDTH: f32 = 0.007;

/// The number of the streak that a hair with this root lies in, 0..1: the same for all hairs
/// nearer to one of the scattered middles than to the others (Worley 1996, "A cellular texture
/// basis function"). `root` is in the head's space at rest. `[m]`
pub fn streak_number(root: Vec3) -> f32 {
    let at = root / WIDTH;
    if !at.is_finite() {
        return 1.0;
    }
    let cell = at.floor().as_ivec3();
    let mut nearest = (f32::INFINITY, 0);
    for z in -1..=1 {
        for y in -1..=1 {
            for x in -1..=1 {
                let cell = cell + IVec3::new(x, y, z);
                let name = name(cell);
                let jitter = [1, 2, 3].map(|axis| uniform(axis, name));
                let middle = cell.as_vec3() + Vec3::from(jitter);
                let apart = middle.distance_squared(at);
                if apart < nearest.0 {
                    nearest = (apart, name);
                }
            }
        }
    }
    uniform(4, nearest.1)
}

/// A number of a cell of the grid of middles.
fn name(cell: IVec3) -> u64 {
    let [x, y, z] = cell.to_array().map(|i| u64::from(i as u32));
    hash(hash(x, y), z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streaks_are_as_wide_as_said_and_of_all_numbers() {
        let line = 20_000;
        let numbers: Vec<f32> = (0..line)
            .map(|i| streak_number(Vec3::new(1e-4 * i as f32 - 1.0, 0.02, -0.03)))
            .collect();
        let changes = numbers.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let width = 2.0 / changes as f32;
        assert!((0.6..1.2).contains(&(width / WIDTH)), "{width} m");
        for share in [0.1, 0.3, 0.5, 0.9] {
            let has = numbers.iter().filter(|number| **number < share).count();
            let has = has as f32 / line as f32;
            assert!((has - share).abs() < 0.08, "{has} of {share}");
        }
        assert_eq!(streak_number(Vec3::NAN), 1.0);
    }
}
