//! Hair lifted off the skin, and laid down on it.

use super::edit::{CLEAR, combed, edge_end};
use crate::{
    math::{
        elementary::{asin, sin_cos},
        smoothstep,
    },
    mesh::DistanceGrid,
};
use glam::Vec3;

/// Of an edge that stands, so much goes along with what is before it.
const STANDS: f32 = 0.1;

/// Hair that is laid down goes to the skin no more steeply. `[rad]`
const STEEP: f32 = 0.4;

/// A rest curve that was lifted off the `skin` by `lift` where `shares` is 1, or laid down on it
/// where that is negative; what hangs on a vertex goes along. It begins by and by within `bend`
/// of the root, so that the strand does not break there. Each edge keeps its length, and `free`
/// takes a vertex to the nearest place where it may be. None where nothing moves. `[m]`
pub fn lifted(
    curve: &[Vec3],
    shares: &[f32],
    [lift, bend]: [f32; 2],
    skin: &DistanceGrid,
    free: impl Fn(usize, Vec3) -> Vec3,
) -> Option<Vec<Vec3>> {
    let made = if lift > 0.0 {
        raised(curve, shares, [lift, bend], skin, free)
    } else {
        laid_down(curve, shares, -lift / bend, skin, free)
    };
    (made != curve).then_some(made)
}

/// Each vertex goes away from the skin.
fn raised(
    curve: &[Vec3],
    shares: &[f32],
    [lift, bend]: [f32; 2],
    skin: &DistanceGrid,
    free: impl Fn(usize, Vec3) -> Vec3,
) -> Vec<Vec3> {
    let (mut along, mut most, mut push) = (0.0, 0.0, Vec3::ZERO);
    let pushes: Vec<Vec3> = (0..curve.len())
        .map(|i| {
            along += match i {
                0 => 0.0,
                _ => curve[i].distance(curve[i - 1]),
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

/// Each edge turns towards the skin by its share of `most` `[rad]`, no farther than to it: hair
/// that was pushed there, and stands, would buckle.
fn laid_down(
    curve: &[Vec3],
    shares: &[f32],
    most: f32,
    skin: &DistanceGrid,
    free: impl Fn(usize, Vec3) -> Vec3,
) -> Vec<Vec3> {
    let mut out = curve.to_vec();
    // Where the hair goes along the skin.
    let mut course = Vec3::ZERO;
    for i in 1..curve.len() {
        let edge = curve[i] - curve[i - 1];
        let long = edge.length();
        let (high, away) = skin.sample_with_normal(out[i - 1]);
        // What stands goes on as what is before it does.
        let aside = edge.reject_from_normalized(away) + course * (STANDS * long);
        course = aside.normalize_or(away.any_orthonormal_vector());
        if i == 1 || shares[i] <= 0.0 || most <= 0.0 {
            out[i] = if out[i - 1] == curve[i - 1] {
                curve[i]
            } else {
                out[i - 1] + edge
            };
            continue;
        }
        let now = asin((away.dot(edge) / long.max(f32::MIN_POSITIVE)).clamp(-1.0, 1.0));
        let lowest = asin(((CLEAR - high) / long.max(f32::MIN_POSITIVE)).clamp(-1.0, 1.0));
        let lowest = lowest.max(-STEEP).min(now);
        let (sin, cos) = sin_cos((now - shares[i] * most).max(lowest));
        let place = out[i - 1] + (course * cos + away * sin) * long;
        out[i] = edge_end(out[i - 1], free(i, place), place - out[i - 1]);
    }
    out
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
        let up = lifted(&curve, &[1.0; 40], [0.01, 0.03], &floor(), kept).expect("moves");
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
        let up = lifted(&curve, &shares, [0.01, 0.03], &floor(), kept).expect("moves");
        assert_eq!(up[..15], curve[..15]);
        assert!(
            (up[39].y - curve[39].y - 0.005).abs() < 1e-3,
            "{}",
            up[39].y
        );
    }

    #[test]
    fn hair_that_is_lifted_and_laid_down_again_and_again_is_not_crushed() {
        let mut curve = lying();
        for lift in [0.03; 18].into_iter().chain([-0.03; 30]) {
            curve = lifted(&curve, &[1.0; 40], [lift, 0.06], &floor(), kept).unwrap_or(curve);
        }
        let bend = |i: usize| (curve[i + 1] - curve[i]).angle_between(curve[i] - curve[i - 1]);
        let most = (1..39).map(bend).fold(0.0, f32::max);
        assert!(most < 0.5, "it breaks by {most} rad");
        let high = curve.iter().map(|p| p.y).fold(0.0, f32::max);
        assert!(high < 0.02, "it stands {high} m off");
    }

    #[test]
    fn what_would_not_move_is_left_alone() {
        let curve = lying();
        let mut root = [0.0; 40];
        root[0] = 1.0;
        assert_eq!(lifted(&curve, &root, [0.01, 0.03], &floor(), kept), None);
        assert_eq!(
            lifted(&curve, &[1.0; 40], [0.0, 0.03], &floor(), kept),
            None
        );
    }

    #[test]
    fn hair_is_laid_down_no_deeper_than_it_may_lie() {
        let curve = lying();
        let down = lifted(&curve, &[1.0; 40], [-0.01, 0.03], &floor(), kept).expect("moves");
        assert!((length(&down) - length(&curve)).abs() < 1e-5);
        let least = down.iter().map(|p| p.y).fold(1.0, f32::min);
        assert!((0.0012..0.0017).contains(&least), "{least}");
        assert!(down[39].y < 0.002, "{}", down[39].y);
    }
}
