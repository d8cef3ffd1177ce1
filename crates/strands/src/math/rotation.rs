//! Rotations and symmetric matrices in lanes.

use super::lanes::{Lane, V3};

/// A unit quaternion in lanes: scalar part and vector part.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Q<T> {
    /// Scalar part.
    pub w: T,
    /// Vector part.
    pub v: V3<T>,
}

impl<T: Lane> Q<T> {
    /// No rotation.
    #[inline(always)]
    pub fn identity() -> Self {
        Self {
            w: T::splat(1.0),
            v: V3::zero(),
        }
    }
    /// The same rotation in every lane.
    #[inline(always)]
    pub fn splat(q: glam::Quat) -> Self {
        Self {
            w: T::splat(f64::from(q.w)),
            v: V3::splat([q.x, q.y, q.z].map(f64::from)),
        }
    }
    /// First `other`, then `self`.
    #[inline(always)]
    pub fn mul_quat(self, other: Self) -> Self {
        Self {
            w: self.w * other.w - self.v.dot(other.v),
            v: other.v.scale(self.w) + self.v.scale(other.w) + self.v.cross(other.v),
        }
    }
    /// The opposite rotation.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self {
            w: self.w,
            v: V3::zero() - self.v,
        }
    }
    /// The vector `p`, rotated.
    #[inline(always)]
    pub fn rotate(self, p: V3<T>) -> V3<T> {
        let t = self.v.cross(p);
        let t = t + t;
        p + t.scale(self.w) + self.v.cross(t)
    }
    /// Where the first axis points.
    #[inline(always)]
    pub fn axis1(self) -> V3<T> {
        let (w, v, two) = (self.w, self.v, T::splat(2.0));
        V3 {
            x: T::splat(1.0) - two * (v.y * v.y + v.z * v.z),
            y: two * (v.x * v.y + w * v.z),
            z: two * (v.x * v.z - w * v.y),
        }
    }
    /// Where the third axis points: a strand's tangent.
    #[inline(always)]
    pub fn axis3(self) -> V3<T> {
        let (w, v, two) = (self.w, self.v, T::splat(2.0));
        V3 {
            x: two * (v.x * v.z + w * v.y),
            y: two * (v.y * v.z - w * v.x),
            z: T::splat(1.0) - two * (v.x * v.x + v.y * v.y),
        }
    }
    /// Where the three axes point.
    #[inline(always)]
    pub fn axes(self) -> [V3<T>; 3] {
        let (first, third) = (self.axis1(), self.axis3());
        [first, third.cross(first), third]
    }
    /// Lanes `first..` alone, as many as a `P` has.
    #[inline(always)]
    pub fn cut<P: Lane>(&self, first: usize) -> Q<P> {
        Q {
            w: self.w.cut(first),
            v: self.v.cut(first),
        }
    }
    /// Scaled to unit length.
    #[inline(always)]
    pub fn normalized(self) -> Self {
        let s = T::splat(1.0) / (self.w * self.w + self.v.dot(self.v)).sqrt();
        Self {
            w: self.w * s,
            v: self.v.scale(s),
        }
    }
    /// The same rotation with a scalar part that is not negative.
    #[inline(always)]
    pub fn canonical(self) -> Self {
        let sign = self.w.less(T::zero(), T::splat(-1.0), T::splat(1.0));
        Self {
            w: self.w * sign,
            v: self.v.scale(sign),
        }
    }
    /// Turned by the small rotation vector `turn` in the world. `[rad]`
    #[inline(always)]
    pub fn turned(self, turn: V3<T>) -> Self {
        let small = Self {
            w: T::splat(1.0),
            v: turn.scale(T::splat(0.5)),
        };
        small.mul_quat(self).normalized()
    }
    /// `self` in the lanes where `mask` is one, `other` where it is zero.
    #[inline(always)]
    pub fn select(self, mask: T, other: Self) -> Self {
        Self {
            w: mask.choose(self.w, other.w),
            v: self.v.select(mask, other.v),
        }
    }
    /// The shortest rotation from unit vector `a` to unit vector `b`; where
    /// they oppose each other, one about an axis across them.
    #[inline(always)]
    pub fn between(a: V3<T>, b: V3<T>) -> Self {
        let one = T::splat(1.0);
        let w = one + a.dot(b);
        let axis = a.cross(b);
        // An axis across `a`, made from its smallest component.
        let across = a.x.abs().less(a.z.abs(), T::zero(), one);
        let side = V3 {
            x: (one - across) * one,
            y: T::zero(),
            z: across,
        };
        let fallback = a.cross(side);
        let opposed = w.less(T::splat(1e-6), one, T::zero());
        Self {
            w: opposed.less(T::splat(0.5), w, T::zero()),
            v: fallback.select(opposed, axis),
        }
        .normalized()
    }
}

/// A symmetric 3x3 matrix in lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Sym3<T> {
    /// Row 1, column 1.
    pub xx: T,
    /// Row 1, column 2.
    pub xy: T,
    /// Row 1, column 3.
    pub xz: T,
    /// Row 2, column 2.
    pub yy: T,
    /// Row 2, column 3.
    pub yz: T,
    /// Row 3, column 3.
    pub zz: T,
}

impl<T: Lane> Sym3<T> {
    /// All zero.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::diagonal(T::zero())
    }
    /// `d` times the identity.
    #[inline(always)]
    pub fn diagonal(d: T) -> Self {
        let zero = T::zero();
        Self {
            xx: d,
            xy: zero,
            xz: zero,
            yy: d,
            yz: zero,
            zz: d,
        }
    }
    /// `self` plus `d` times the identity.
    #[inline(always)]
    pub fn plus_diagonal(self, d: T) -> Self {
        Self {
            xx: self.xx + d,
            yy: self.yy + d,
            zz: self.zz + d,
            ..self
        }
    }
    /// `self` plus `s v v^T`.
    #[inline(always)]
    pub fn plus_outer(self, v: V3<T>, s: T) -> Self {
        let (sx, sy) = (v.x * s, v.y * s);
        Self {
            xx: self.xx + sx * v.x,
            xy: self.xy + sx * v.y,
            xz: self.xz + sx * v.z,
            yy: self.yy + sy * v.y,
            yz: self.yz + sy * v.z,
            zz: self.zz + v.z * s * v.z,
        }
    }
    /// Sum.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self {
            xx: self.xx + other.xx,
            xy: self.xy + other.xy,
            xz: self.xz + other.xz,
            yy: self.yy + other.yy,
            yz: self.yz + other.yz,
            zz: self.zz + other.zz,
        }
    }
    /// Matrix times vector.
    #[inline(always)]
    pub fn times(self, v: V3<T>) -> V3<T> {
        V3 {
            x: self.xx * v.x + self.xy * v.y + self.xz * v.z,
            y: self.xy * v.x + self.yy * v.y + self.yz * v.z,
            z: self.xz * v.x + self.yz * v.y + self.zz * v.z,
        }
    }
    /// Inverse by cofactors.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let c0 = self.yy * self.zz - self.yz * self.yz;
        let c1 = self.xz * self.yz - self.xy * self.zz;
        let c2 = self.xy * self.yz - self.xz * self.yy;
        let r = T::splat(1.0) / (self.xx * c0 + self.xy * c1 + self.xz * c2);
        Self {
            xx: c0 * r,
            xy: c1 * r,
            xz: c2 * r,
            yy: (self.xx * self.zz - self.xz * self.xz) * r,
            yz: (self.xy * self.xz - self.xx * self.yz) * r,
            zz: (self.xx * self.yy - self.xy * self.xy) * r,
        }
    }
    /// `s` times `self`.
    #[inline(always)]
    pub fn scale(self, s: T) -> Self {
        Self {
            xx: self.xx * s,
            xy: self.xy * s,
            xz: self.xz * s,
            yy: self.yy * s,
            yz: self.yz * s,
            zz: self.zz * s,
        }
    }
    /// The product with `other`, which commutes with `self`: it is symmetric too.
    #[inline(always)]
    pub fn times_commuting(&self, other: &Self) -> Self {
        let (a, b) = (self.columns(), other.columns());
        Self {
            xx: a[0].dot(b[0]),
            xy: a[0].dot(b[1]),
            xz: a[0].dot(b[2]),
            yy: a[1].dot(b[1]),
            yz: a[1].dot(b[2]),
            zz: a[2].dot(b[2]),
        }
    }
    /// The three columns.
    #[inline(always)]
    pub fn columns(self) -> [V3<T>; 3] {
        [
            V3 {
                x: self.xx,
                y: self.xy,
                z: self.xz,
            },
            V3 {
                x: self.xy,
                y: self.yy,
                z: self.yz,
            },
            V3 {
                x: self.xz,
                y: self.yz,
                z: self.zz,
            },
        ]
    }
}
