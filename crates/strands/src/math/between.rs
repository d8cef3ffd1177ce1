//! Values between given ones.

/// 0 up to `from`, 1 beyond `to`, and in between a smooth rise that begins and ends
/// level.
pub fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The value at `at` of the line through `points`, pairs of place and value in the order
/// of their places; beyond its ends that of the end, and 0 without points.
pub fn piecewise(points: impl IntoIterator<Item = (f32, f32)>, at: f32) -> f32 {
    let mut before: Option<(f32, f32)> = None;
    for (place, value) in points {
        if at <= place {
            return match before {
                Some((from, low)) if place > from => {
                    low + (value - low) * (at - from) / (place - from)
                }
                _ => value,
            };
        }
        before = Some((place, value));
    }
    before.map_or(0.0, |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_values_of_its_points_and_what_is_between() {
        let line = [(1.0, 4.0), (2.0, 8.0), (2.0, 0.0), (4.0, -2.0)];
        for (at, value) in [
            (-3.0, 4.0),
            (1.0, 4.0),
            (1.25, 5.0),
            (2.0, 8.0),
            (3.0, -1.0),
            (9.0, -2.0),
        ] {
            assert_eq!(piecewise(line, at), value, "at {at}");
        }
        assert_eq!(piecewise([], 1.0), 0.0);
    }

    #[test]
    fn a_smooth_step_is_level_at_its_ends() {
        assert_eq!(
            [0.0, 2.0, 3.0, 4.0, 9.0].map(|x| smoothstep(2.0, 4.0, x)),
            [0.0, 0.0, 0.5, 1.0, 1.0]
        );
        assert!(smoothstep(2.0, 4.0, 2.01) < 1e-4);
        assert!(smoothstep(0.2, -0.8, -0.3) == 0.5);
    }
}
