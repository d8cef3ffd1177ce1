//! The rotation in a matrix.

use glam::{Mat3, Quat};

/// Iterations are enough when they turn by less. `[rad]`
const ENOUGH: f32 = 1e-4;

/// The most of them.
const MOST_ITERATIONS: usize = 12;

/// The rotation nearest to `matrix`, found from `start` on (Müller et al. 2016, "A robust
/// method to extract the rotational part of deformations", algorithm 1).
#[inline]
pub(crate) fn nearest_rotation(matrix: Mat3, start: Quat) -> Quat {
    let mut q = start;
    let scale = matrix.x_axis.length() + matrix.y_axis.length() + matrix.z_axis.length();
    for _ in 0..MOST_ITERATIONS {
        let r = Mat3::from_quat(q);
        let turn = r.x_axis.cross(matrix.x_axis)
            + r.y_axis.cross(matrix.y_axis)
            + r.z_axis.cross(matrix.z_axis);
        let along =
            r.x_axis.dot(matrix.x_axis) + r.y_axis.dot(matrix.y_axis) + r.z_axis.dot(matrix.z_axis);
        let turn = turn / (along.abs() + 1e-6 * scale + f32::MIN_POSITIVE);
        let angle = turn.length();
        if !angle.is_finite() || angle < ENOUGH {
            break;
        }
        q = (Quat::from_axis_angle(turn / angle, angle) * q).normalize();
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn the_nearest_rotation_is_found_from_far_away() {
        for (axis, angle) in [
            (Vec3::X, 0.3),
            (Vec3::new(0.6, 0.0, 0.8), 2.5),
            (Vec3::Y, -1.2),
        ] {
            let turn = Quat::from_axis_angle(axis, angle);
            let stretched = Mat3::from_quat(turn) * Mat3::from_diagonal(Vec3::new(3.0, 1.0, 0.5));
            let found = nearest_rotation(stretched, Quat::IDENTITY);
            assert!(found.dot(turn).abs() > 0.999_9, "{axis} {angle}: {found}");
        }
        let none = nearest_rotation(Mat3::ZERO, Quat::IDENTITY);
        assert_eq!(none, Quat::IDENTITY);
    }
}
