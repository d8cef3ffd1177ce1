//! Hair lifted off the skin, and laid down on it.

use super::edit::combed;
use crate::{math::smoothstep, mesh::DistanceGrid};
use glam::Vec3;

/// A rest curve whose vertices were moved away from `skin`, each the share `shares[i]` of
/// `lift`, to it where that is less than nothing; what hangs on a vertex goes as far as that.
/// Within `bend` of the root it begins by and by, that the strand does not break there. Each
/// edge keeps its length, and `free` takes a vertex to the nearest place where it may be. `[m]`
pub fn lifted(
    curve: &[Vec3],
    shares: &[f32],
    [lift, bend]: [f32; 2],
    skin: &DistanceGrid,
    free: impl Fn(usize, Vec3) -> Vec3,
) -> Vec<Vec3> {
    let (mut along, mut most, mut push) = (0.0, 0.0, Vec3::ZERO);
    let pushes: Vec<Vec3> = (0..curve.len())
        .map(|i| {
            along += if i > 0 {
                curve[i].distance(curve[i - 1])
            } else {
                0.0
            };
            let share = shares[i] * smoothstep(0.0, bend, along);
            if share > 0.0 && share >= most {
                most = share;
                push = skin.sample_with_normal(curve[i]).1 * (share * lift);
            }
            push
        })
        .collect();
    combed(curve, |i| pushes[i], free)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groom::edit::length;

    /// A strand that lies 5 mm above a floor, along x.
    fn lying() -> Vec<Vec3> {
        (0..40)
            .map(|i| Vec3::new(0.004 * i as f32, 0.005, 0.0))
            .collect()
    }

    /// The floor, whose place is 0.
    fn floor() -> DistanceGrid {
        DistanceGrid::of(0.3, |p| p.y)
    }

    fn kept(_: usize, p: Vec3) -> Vec3 {
        Vec3::new(p.x, p.y.max(0.0015), p.z)
    }

    #[test]
    fn lifted_hair_stands_off_and_keeps_its_length() {
        let curve = lying();
        let up = lifted(&curve, &[1.0; 40], [0.01, 0.03], &floor(), kept);
        assert_eq!(up[..2], curve[..2], "it stands on the skin as it did");
        assert!((length(&up) - length(&curve)).abs() < 1e-5);
        let high = |i: usize| up[i].y - curve[i].y;
        assert!(high(2) < high(4) && high(4) < high(8), "{up:?}");
        assert!((0.008..0.0105).contains(&high(20)), "{}", high(20));
        assert!((0.008..0.0105).contains(&high(39)), "{}", high(39));
        let bend = |i: usize| (up[i + 1] - up[i]).angle_between(up[i] - up[i - 1]);
        let most = (1..39).map(bend).fold(0.0, f32::max);
        assert!(most < 0.5, "it breaks by {most} rad");
    }

    #[test]
    fn what_is_not_touched_goes_along_with_what_it_hangs_on() {
        let curve = lying();
        let mut shares = [0.0; 40];
        shares[15] = 0.5;
        let up = lifted(&curve, &shares, [0.01, 0.03], &floor(), kept);
        assert_eq!(up[..15], curve[..15]);
        assert!(
            (up[39].y - curve[39].y - 0.005).abs() < 1e-3,
            "{}",
            up[39].y
        );
    }

    #[test]
    fn hair_is_laid_down_no_deeper_than_it_may_lie() {
        let curve = lying();
        let down = lifted(&curve, &[1.0; 40], [-0.01, 0.03], &floor(), kept);
        assert!((length(&down) - length(&curve)).abs() < 1e-5);
        let least = down.iter().map(|p| p.y).fold(1.0, f32::min);
        assert!((0.0012..0.0017).contains(&least), "{least}");
        assert!(down[39].y < 0.002, "{}", down[39].y);
    }
}
