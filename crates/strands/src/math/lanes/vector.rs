//! Vectors, many at once.

use super::Lane;
use glam::Vec3;
use std::ops::{Add, Sub};

/// A vector of lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct V3<T> {
    /// x of every lane.
    pub x: T,
    /// y of every lane.
    pub y: T,
    /// z of every lane.
    pub z: T,
}

impl<T: Lane> V3<T> {
    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(v: [f64; 3]) -> Self {
        Self {
            x: T::splat(v[0]),
            y: T::splat(v[1]),
            z: T::splat(v[2]),
        }
    }
    /// Lane by lane from a function of the lane's index.
    #[inline(always)]
    pub fn from_lanes(lane: impl Fn(usize) -> Vec3) -> Self {
        Self {
            x: T::from_lanes(|index| lane(index).x.into()),
            y: T::from_lanes(|index| lane(index).y.into()),
            z: T::from_lanes(|index| lane(index).z.into()),
        }
    }
    /// All lanes zero.
    #[inline(always)]
    pub fn zero() -> Self {
        Self {
            x: T::zero(),
            y: T::zero(),
            z: T::zero(),
        }
    }
    /// The vector in lane `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> [f64; 3] {
        [self.x.get(index), self.y.get(index), self.z.get(index)]
    }
    /// The same in single precision.
    #[inline(always)]
    pub fn at(&self, index: usize) -> Vec3 {
        let Self { x, y, z } = self;
        Vec3::new(x.single(index), y.single(index), z.single(index))
    }
    /// Replaces the vector in lane `index`, told in single precision.
    #[inline(always)]
    pub fn put(&mut self, index: usize, v: Vec3) {
        self.set(index, [v.x.into(), v.y.into(), v.z.into()]);
    }
    /// Lanes `first..` alone, as many as a `P` has.
    #[inline(always)]
    pub fn cut<P: Lane>(&self, first: usize) -> V3<P> {
        V3 {
            x: self.x.cut(first),
            y: self.y.cut(first),
            z: self.z.cut(first),
        }
    }
    /// Puts `part` into lanes `first..`.
    #[inline(always)]
    pub fn paste<P: Lane>(&mut self, first: usize, part: V3<P>) {
        self.x.paste(first, part.x);
        self.y.paste(first, part.y);
        self.z.paste(first, part.z);
    }
    /// Replaces the vector in lane `index`.
    #[inline(always)]
    pub fn set(&mut self, index: usize, v: [f64; 3]) {
        self.x.set(index, v[0]);
        self.y.set(index, v[1]);
        self.z.set(index, v[2]);
    }
    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    /// No less than its length but for rounding, and at most 1.16 times that; without a
    /// root.
    #[inline(always)]
    pub fn length_bound(self) -> T {
        let (x, y, z) = (self.x.abs(), self.y.abs(), self.z.abs());
        // With a >= b >= c: a + (sqrt 2 - 1) (b + c), the square of which is no less
        // than the sum of their squares.
        let share = std::f64::consts::SQRT_2 - 1.0;
        x.max(y).max(z) * T::splat(1.0 - share) + (x + y + z) * T::splat(share)
    }
    /// What of it lies across a unit `normal`.
    #[inline(always)]
    pub fn across(self, normal: Self) -> Self {
        self - normal.scale(normal.dot(self))
    }
    /// Vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
    /// `self` in the lanes where `mask` is one, `other` where it is zero.
    #[inline(always)]
    pub fn select(self, mask: T, other: Self) -> Self {
        Self {
            x: mask.choose(self.x, other.x),
            y: mask.choose(self.y, other.y),
            z: mask.choose(self.z, other.z),
        }
    }
    /// Every component times `factor`.
    #[inline(always)]
    pub fn scale(self, factor: T) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}

impl<T: Lane> From<Vec3> for V3<T> {
    /// The same vector in every lane.
    #[inline(always)]
    fn from(v: Vec3) -> Self {
        Self::splat([v.x.into(), v.y.into(), v.z.into()])
    }
}

impl<T: Lane> Add for V3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl<T: Lane> Sub for V3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn the_length_bound_is_no_less_than_the_length_and_hardly_more() {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for k in 0..4000 {
            let turn = DQuat::from_rotation_z(0.7 * f64::from(k))
                * DQuat::from_rotation_x(0.002 * f64::from(k));
            let v = turn * DVec3::Z * 0.03;
            let share = V3::<f64>::splat(v.to_array()).length_bound() / v.length();
            (least, most) = (least.min(share), most.max(share));
        }
        assert!((1.0 - 1e-12..1.0001).contains(&least), "{least}");
        assert!((1.15..1.16).contains(&most), "{most}");
    }
}
