//! The rigid motion that takes one set of points nearest to another.

use glam::{DMat3, DQuat, DVec3, Vec3};

/// Rotation and translation that take `from` to `to` with the least sum of
/// weighted squares (Horn 1987, "Closed-form solution of absolute orientation
/// using unit quaternions").
pub(super) fn rigid(from: &[Vec3], to: &[Vec3], weights: &[f64]) -> (DQuat, DVec3) {
    let total: f64 = weights.iter().sum();
    let middle = |points: &[Vec3]| {
        let sum: DVec3 = points
            .iter()
            .zip(weights)
            .map(|(p, w)| p.as_dvec3() * *w)
            .sum();
        sum / total.max(f64::MIN_POSITIVE)
    };
    let (a, b) = (middle(from), middle(to));
    let mut m = DMat3::ZERO;
    for ((p, q), w) in from.iter().zip(to).zip(weights) {
        let (p, q) = ((p.as_dvec3() - a) * *w, q.as_dvec3() - b);
        // Column j, row i: sum of p_i q_j.
        m += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
    }
    let s = |i: usize, j: usize| m.col(j)[i];
    let (xx, yy, zz) = (s(0, 0), s(1, 1), s(2, 2));
    let n = [
        [
            xx + yy + zz,
            s(1, 2) - s(2, 1),
            s(2, 0) - s(0, 2),
            s(0, 1) - s(1, 0),
        ],
        [
            s(1, 2) - s(2, 1),
            xx - yy - zz,
            s(0, 1) + s(1, 0),
            s(2, 0) + s(0, 2),
        ],
        [
            s(2, 0) - s(0, 2),
            s(0, 1) + s(1, 0),
            yy - xx - zz,
            s(1, 2) + s(2, 1),
        ],
        [
            s(0, 1) - s(1, 0),
            s(2, 0) + s(0, 2),
            s(1, 2) + s(2, 1),
            zz - xx - yy,
        ],
    ];
    let [w, x, y, z] = largest(n);
    let rotation = DQuat::from_xyzw(x, y, z, w).normalize();
    (rotation, b - rotation * a)
}

/// The eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's
/// rotations.
fn largest(mut n: [[f64; 4]; 4]) -> [f64; 4] {
    let mut v = [[0.0; 4]; 4];
    for (i, row) in v.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for _ in 0..60 {
        let (mut p, mut q, mut off) = (0, 1, 0.0);
        for (i, row) in n.iter().enumerate() {
            for (j, entry) in row.iter().enumerate().skip(i + 1) {
                if entry.abs() > off {
                    (p, q, off) = (i, j, entry.abs());
                }
            }
        }
        let size = (0..4).map(|i| n[i][i].abs()).fold(0.0, f64::max);
        if off <= 1e-15 * size || off == 0.0 {
            break;
        }
        let theta = (n[q][q] - n[p][p]) / (2.0 * n[p][q]);
        let t = 1.0f64.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
        let c = 1.0 / (t * t + 1.0).sqrt();
        let s = t * c;
        for row in &mut n {
            let (a, b) = (row[p], row[q]);
            (row[p], row[q]) = (c * a - s * b, s * a + c * b);
        }
        let (a, b) = (n[p], n[q]);
        for k in 0..4 {
            n[p][k] = c * a[k] - s * b[k];
            n[q][k] = s * a[k] + c * b[k];
        }
        for row in &mut v {
            let (a, b) = (row[p], row[q]);
            (row[p], row[q]) = (c * a - s * b, s * a + c * b);
        }
    }
    let best = (0..4).fold(0, |best, i| if n[i][i] > n[best][best] { i } else { best });
    [0, 1, 2, 3].map(|row| v[row][best])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::elementary::{cos, sin};

    #[test]
    fn a_turned_and_moved_cloud_is_found_again() {
        let points: Vec<Vec3> = (0..40)
            .map(|i| {
                let t = i as f32;
                Vec3::new(sin(t * 1.7), cos(t * 0.9) * 0.7, sin(t * 2.3) * 0.4)
            })
            .collect();
        let weights = vec![0.3; 40];
        for step in 0..50 {
            let t = f64::from(step);
            let turn = DQuat::from_euler(glam::EulerRot::YXZ, 0.13 * t, 0.07 * t, -0.05 * t);
            let way = DVec3::new(0.1 * t, -0.3, 0.02 * t);
            let to: Vec<Vec3> = points
                .iter()
                .map(|p| (turn * p.as_dvec3() + way).as_vec3())
                .collect();
            let (found, moved) = rigid(&points, &to, &weights);
            assert!(found.dot(turn).abs() > 1.0 - 1e-12, "{step}");
            assert!(moved.distance(way) < 1e-6, "{step}: {moved} {way}");
        }
    }
}
