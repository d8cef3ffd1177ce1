//! From the coordinates of a head's file to its place in the program: metres,
//! y up, the face towards +z, near the origin.

use super::Up;
use crate::math::elementary;
use glam::{DVec3, Vec3};

/// How a file's points become the head's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placing {
    /// The length of the file's unit. `[m]`
    pub metres_per_unit: f32,
    /// The file's upward axis; never [`Up::Auto`].
    pub up: Up,
    /// The point of the file that becomes the origin: zero, but for a head far
    /// away from there. In the file's units and axes.
    pub origin: DVec3,
    /// How the head that stands upright is turned, turned over and scaled.
    pub righting: Righting,
}

/// A head that stands upright, put right about its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Righting {
    /// What stays where it is. `[m]`
    pub pivot: Vec3,
    /// Anticlockwise as seen from above. `[°]`
    pub turn: f32,
    /// Whether its top becomes its bottom, and its left its right.
    pub flip: bool,
    /// Size.
    pub scale: f32,
}

impl Default for Righting {
    fn default() -> Self {
        Self {
            pivot: Vec3::ZERO,
            turn: 0.0,
            flip: false,
            scale: 1.0,
        }
    }
}

impl Placing {
    /// A point of the file. `[m]`
    pub fn place(&self, p: DVec3) -> Vec3 {
        self.stand((p - self.origin).as_vec3())
    }

    /// A point of the file from which the origin was taken already. `[m]`
    pub(super) fn stand(&self, p: Vec3) -> Vec3 {
        let upright = self.up.upright(p) * self.metres_per_unit;
        self.righting.point(upright)
    }

    /// A direction in the file's axes.
    pub(super) fn direction(&self, v: Vec3) -> Vec3 {
        self.righting.direction(self.up.upright(v))
    }

    /// Whether points of the file are where they would be without being put
    /// right and moved to the origin.
    pub fn is_plain(&self) -> bool {
        self.origin == DVec3::ZERO && self.righting.is_none()
    }

    /// A point of the space that this head's file is in, stood upright and in
    /// metres but neither moved to the origin nor put right. `[m]`
    pub fn carry(&self, upright: DVec3) -> Vec3 {
        let [x, y, z] = self.origin.to_array();
        let origin = match self.up {
            Up::Auto | Up::Y => DVec3::new(x, y, z),
            Up::Z => DVec3::new(x, z, -y),
            Up::X => DVec3::new(z, x, y),
        };
        let near = upright - origin * f64::from(self.metres_per_unit);
        self.righting.point(near.as_vec3())
    }
}

impl Righting {
    /// Whether it leaves every bit as it is.
    pub fn is_none(&self) -> bool {
        self.turn == 0.0 && !self.flip && self.scale == 1.0
    }

    /// Where a point goes. `[m]`
    pub fn point(&self, p: Vec3) -> Vec3 {
        if self.is_none() {
            return p;
        }
        self.direction(p - self.pivot) * self.scale + self.pivot
    }

    /// Where a direction goes: a rotation, so that no face is turned inside out.
    pub fn direction(&self, v: Vec3) -> Vec3 {
        let [x, y, z] = match self.flip {
            true => [-v.x, -v.y, v.z],
            false => v.to_array(),
        };
        if self.turn == 0.0 {
            return Vec3::new(x, y, z);
        }
        let (sin, cos) = sin_cos(self.turn);
        Vec3::new(x * cos + z * sin, y, z * cos - x * sin)
    }
}

/// Sine and cosine of an angle in degrees; of quarter turns to the last bit.
fn sin_cos(degrees: f32) -> (f32, f32) {
    let quarters = f64::from(degrees) / 90.0;
    let (whole, rest) = (quarters.round(), quarters - quarters.round());
    let (sin, cos) = elementary::sin_cos(rest * std::f64::consts::FRAC_PI_2);
    let (sin, cos) = match (whole as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    };
    (sin as f32, cos as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_quarter_turns_are_none() {
        let p = Vec3::new(0.123, -0.4, 0.077);
        let quarter = Righting {
            turn: 90.0,
            ..Righting::default()
        };
        let mut turned = p;
        for (turn, wanted) in [
            (90.0, Vec3::new(p.z, p.y, -p.x)),
            (180.0, Vec3::new(-p.x, p.y, -p.z)),
            (-90.0, Vec3::new(-p.z, p.y, p.x)),
        ] {
            let righting = Righting { turn, ..quarter };
            assert_eq!(righting.point(p), wanted, "{turn}");
        }
        for _ in 0..4 {
            turned = quarter.point(turned);
        }
        assert_eq!(turned, p);
        // Seen from above, from the face (+z) towards the head's left (+x).
        assert_eq!(quarter.direction(Vec3::Z), Vec3::X);
    }

    #[test]
    fn a_head_turned_over_keeps_its_face_and_its_middle() {
        let over = Righting {
            pivot: Vec3::new(0.1, 0.2, 0.3),
            flip: true,
            scale: 2.0,
            ..Righting::default()
        };
        assert_eq!(over.point(over.pivot), over.pivot);
        assert_eq!(over.direction(Vec3::Y), Vec3::NEG_Y);
        assert_eq!(over.direction(Vec3::Z), Vec3::Z);
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| over.direction(axis));
        assert_eq!(x.cross(y), z, "it is a rotation and no mirror");
        let turned = Righting { turn: 37.0, ..over };
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| turned.direction(axis));
        assert!((x.cross(y) - z).length() < 1e-6);
    }
}
