//! Light from everywhere as spherical harmonics, as a matt surface gathers it.

use glam::{DVec3, Vec3, Vec4};
use std::f64::consts::PI;

/// Factor of each real harmonic up to the second order, with y as their axis.
const BASIS: [f64; 9] = [
    0.282_094_791_773_878_14,
    0.488_602_511_902_919_9,
    0.488_602_511_902_919_9,
    0.488_602_511_902_919_9,
    0.315_391_565_252_520_05,
    1.092_548_430_592_079_2,
    1.092_548_430_592_079_2,
    1.092_548_430_592_079_2,
    0.546_274_215_296_039_6,
];

/// How a cosine lobe weakens each of them, over pi (Ramamoorthi and Hanrahan 2001,
/// equation 8): by its order.
const LOBE: [f64; 9] = [
    1.0,
    2.0 / 3.0,
    2.0 / 3.0,
    2.0 / 3.0,
    0.25,
    0.25,
    0.25,
    0.25,
    0.25,
];

/// The polynomials of the harmonics, without their factors: as shaders/frame.glsl has them.
fn polynomials(d: DVec3) -> [f64; 9] {
    [
        1.0,
        d.y,
        d.x,
        d.z,
        3.0 * d.y * d.y - 1.0,
        d.x * d.y,
        d.y * d.z,
        d.x * d.z,
        d.x * d.x - d.z * d.z,
    ]
}

/// Irradiance by normal, over pi: what a white, matt surface sends on.
///
/// Irradiance has hardly anything above the second order (Ramamoorthi and Hanrahan 2001).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::render) struct Harmonics([DVec3; 9]);

impl Harmonics {
    /// Adds light from a direction (unit): radiance times solid angle.
    pub fn add(&mut self, towards: DVec3, light: DVec3) {
        let parts = polynomials(towards);
        for (index, sum) in self.0.iter_mut().enumerate() {
            *sum += light * (parts[index] * BASIS[index] * BASIS[index] * LOBE[index]);
        }
    }

    /// Adds light spread evenly over all directions: radiance times solid angle.
    pub fn add_everywhere(&mut self, light: DVec3) {
        self.0[0] += light / (4.0 * PI);
    }

    /// Radiance times solid angle, of all directions together.
    #[cfg(test)]
    pub fn sum(&self) -> DVec3 {
        4.0 * PI * self.0[0]
    }

    /// What a white surface with this normal sends on.
    pub fn at(&self, normal: Vec3) -> Vec3 {
        let parts = polynomials(normal.as_dvec3());
        let sum: DVec3 = self.0.iter().zip(parts).map(|(c, part)| *c * part).sum();
        sum.max(DVec3::ZERO).as_vec3()
    }

    /// The same light turned by an angle about the vertical, anticlockwise as seen from
    /// above, and `strength` times as strong: the factors of the polynomials, for shaders. `[rad]`
    pub fn turned(&self, angle: f32, strength: f32) -> [Vec4; 9] {
        let c = &self.0;
        let (sin, cos) = f64::from(angle).sin_cos();
        let (sin2, cos2) = (2.0 * angle as f64).sin_cos();
        // x + iz before the turn is (cos + i sin)(x + iz) after it, and its square has
        // the real part x^2 - z^2 and the imaginary part 2xz.
        let pair = |x: DVec3, z: DVec3| [x * cos + z * sin, z * cos - x * sin];
        let [x, z] = pair(c[2], c[3]);
        let [xy, yz] = pair(c[5], c[6]);
        let square = c[8] * cos2 + 0.5 * c[7] * sin2;
        let xz = c[7] * cos2 - 2.0 * c[8] * sin2;
        [c[0], c[1], x, z, c[4], xy, yz, xz, square]
            .map(|factor| (factor.as_vec3() * strength).extend(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_the_light_is_a_turn_of_the_normal() {
        let mut light = Harmonics::default();
        let some = [(0.3, 0.5, 0.8), (-0.7, -0.1, 0.2), (0.1, 0.9, -0.6)];
        for (index, (x, y, z)) in some.into_iter().enumerate() {
            let colour = DVec3::new(1.0, 0.5 * index as f64, 2.0);
            light.add(DVec3::new(x, y, z).normalize(), colour);
        }
        for angle in [0.0, 0.7, -2.4] {
            let factors = light.turned(angle, 2.0);
            for normal in [Vec3::X, Vec3::Z, Vec3::new(0.6, -0.48, 0.64)] {
                let back = glam::Quat::from_rotation_y(-angle) * normal;
                let wanted = 2.0 * light.at(back);
                let parts = polynomials(normal.as_dvec3());
                let sum: Vec4 = (factors.iter().zip(parts))
                    .map(|(f, p)| *f * p as f32)
                    .sum();
                let seen = sum.truncate().max(Vec3::ZERO);
                assert!((seen - wanted).length() < 1e-5, "{angle}: {seen} {wanted}");
            }
        }
    }
}
