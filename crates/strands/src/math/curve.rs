//! Curves that fill space: neighbours along them are neighbours in space.

use glam::Vec3;

/// The place of a point along Morton's curve (1966); coordinates count in 0..1024,
/// those beyond are taken to the border.
pub fn morton(p: Vec3) -> u32 {
    let spread = |v: f32| {
        let v = v.clamp(0.0, 1023.0) as u32;
        (0..10).fold(0, |bits, b| bits | ((v >> b & 1) << (3 * b)))
    };
    spread(p.x) | spread(p.y) << 1 | spread(p.z) << 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_of_the_three_coordinates_take_turns() {
        assert_eq!(morton(Vec3::new(1.0, 0.0, 0.0)), 0b001);
        assert_eq!(morton(Vec3::new(2.9, 1.0, 3.0)), 0b101_110 | 0b001_000);
        assert_eq!(morton(Vec3::splat(1e9)), (1 << 30) - 1);
        assert_eq!(morton(Vec3::new(-5.0, 0.0, 0.0)), 0);
    }
}
