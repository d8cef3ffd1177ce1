//! Many strands at once: one lane, one strand.
//!
//! A kernel is written once over [`Lane`] and runs on [`F<L>`](F), `L` floats
//! wide, in the product and on `f64`, one strand wide, in the tests. Only
//! operations that IEEE 754 rounds exactly are offered (no fused multiply-add,
//! no reciprocal estimates), so every instruction set gives the same bits.

mod frame;
mod single;
mod vector;

pub use frame::LaneFrame;
pub use vector::V3;

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number, or a row of numbers that are computed side by side.
pub trait Lane:
    Copy
    + 'static
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// How many numbers stand side by side.
    const LANES: usize;
    /// The same number in every lane.
    fn splat(value: f64) -> Self;
    /// The number in lane `index`.
    fn get(&self, index: usize) -> f64;
    /// Replaces the number in lane `index`.
    fn set(&mut self, index: usize, value: f64);
    /// Lane by lane from a function of the lane's index.
    #[inline(always)]
    fn from_lanes(mut lane: impl FnMut(usize) -> f64) -> Self {
        let mut out = Self::zero();
        for index in 0..Self::LANES {
            out.set(index, lane(index));
        }
        out
    }
    /// The numbers, where they are floats that lie side by side; else nothing.
    #[inline(always)]
    fn floats(&self) -> &[f32] {
        &[]
    }
    /// The same, to be changed.
    #[inline(always)]
    fn floats_mut(&mut self) -> &mut [f32] {
        &mut []
    }
    /// From as many floats as there are lanes, where lanes are floats.
    #[inline(always)]
    fn from_floats(_floats: &[f32]) -> Option<Self> {
        None
    }
    /// Lanes `first..` alone, as many as a `P` has; `first` is a multiple of
    /// that number, and both rows are as wide as a power of two.
    #[inline(always)]
    fn cut<P: Lane>(&self, first: usize) -> P {
        // The mask changes nothing and spares the compiler a check.
        let first = first & (Self::LANES - P::LANES);
        let floats = self.floats().get(first..first + P::LANES);
        match floats.and_then(P::from_floats) {
            Some(part) => part,
            None => P::from_lanes(|lane| self.get(first + lane)),
        }
    }
    /// Puts `part` into lanes `first..`, which is what [`Lane::cut`] takes out.
    #[inline(always)]
    fn paste<P: Lane>(&mut self, first: usize, part: P) {
        let first = first & (Self::LANES - P::LANES);
        let (floats, from) = (self.floats_mut(), part.floats());
        if let Some(to) = floats.get_mut(first..first + P::LANES)
            && from.len() == P::LANES
        {
            to.copy_from_slice(from);
        } else {
            for lane in 0..P::LANES {
                self.set(first + lane, part.get(lane));
            }
        }
    }
    /// Square root of each lane.
    fn sqrt(self) -> Self;
    /// The nearest whole number of each lane, for numbers below four million.
    #[inline(always)]
    fn round(self) -> Self {
        // So large a float has no room for fractions; a rounding instruction is
        // not in every instruction set.
        let large = Self::splat(12_582_912.0);
        (self + large) - large
    }
    /// The smaller of the two, lane by lane.
    fn min(self, other: Self) -> Self;
    /// The larger of the two, lane by lane.
    fn max(self, other: Self) -> Self;
    /// `yes` where `self < other`, else `no` (also where either is NaN).
    fn less(self, other: Self, yes: Self, no: Self) -> Self;
    /// The largest number in any lane.
    fn largest(self) -> f64;
    /// Whether `self < other` in any lane.
    fn any_less(self, other: Self) -> bool;
    /// All lanes zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }
    /// Without the sign.
    #[inline(always)]
    fn abs(self) -> Self {
        self.max(-self)
    }
}

impl Lane for f64 {
    const LANES: usize = 1;
    fn splat(value: f64) -> Self {
        value
    }
    fn get(&self, _index: usize) -> f64 {
        *self
    }
    fn set(&mut self, _index: usize, value: f64) {
        *self = value;
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn round(self) -> Self {
        self.round_ties_even()
    }
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    fn less(self, other: Self, yes: Self, no: Self) -> Self {
        if self < other { yes } else { no }
    }
    fn largest(self) -> f64 {
        self
    }
    fn any_less(self, other: Self) -> bool {
        self < other
    }
}

/// `L` floats side by side; compiles to whatever vectors the processor has.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct F<const L: usize>(pub [f32; L]);

macro_rules! elementwise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<const L: usize> $trait for F<L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let mut out = self;
                for i in 0..L {
                    out.0[i] = self.0[i] $op other.0[i];
                }
                out
            }
        }
    };
}
elementwise!(Add, add, +);
elementwise!(Sub, sub, -);
elementwise!(Mul, mul, *);
elementwise!(Div, div, /);

impl<const L: usize> Neg for F<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let mut out = self;
        for i in 0..L {
            out.0[i] = -self.0[i];
        }
        out
    }
}

impl<const L: usize> AddAssign for F<L> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const L: usize> SubAssign for F<L> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const L: usize> Lane for F<L> {
    const LANES: usize = L;
    #[inline(always)]
    fn floats(&self) -> &[f32] {
        &self.0
    }
    #[inline(always)]
    fn floats_mut(&mut self) -> &mut [f32] {
        &mut self.0
    }
    #[inline(always)]
    fn from_floats(floats: &[f32]) -> Option<Self> {
        floats.try_into().ok().map(Self)
    }
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value as f32; L])
    }
    #[inline(always)]
    fn get(&self, index: usize) -> f64 {
        f64::from(self.0[index])
    }
    #[inline(always)]
    fn set(&mut self, index: usize, value: f64) {
        self.0[index] = value as f32;
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let mut out = self;
        for i in 0..L {
            out.0[i] = self.0[i].sqrt();
        }
        out
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        let mut out = self;
        for i in 0..L {
            out.0[i] = if self.0[i] < other.0[i] {
                self.0[i]
            } else {
                other.0[i]
            };
        }
        out
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let mut out = self;
        for i in 0..L {
            out.0[i] = if self.0[i] > other.0[i] {
                self.0[i]
            } else {
                other.0[i]
            };
        }
        out
    }
    #[inline(always)]
    fn less(self, other: Self, yes: Self, no: Self) -> Self {
        let mut out = self;
        for i in 0..L {
            out.0[i] = if self.0[i] < other.0[i] {
                yes.0[i]
            } else {
                no.0[i]
            };
        }
        out
    }
    #[inline(always)]
    fn largest(self) -> f64 {
        // Halving keeps the reduction in vectors; a running maximum would not.
        let mut row = self.0;
        let mut width = L;
        while width > 1 {
            let half = width / 2;
            for i in 0..half {
                row[i] = if row[i] > row[i + width - half] {
                    row[i]
                } else {
                    row[i + width - half]
                };
            }
            width -= half;
        }
        f64::from(row[0])
    }
    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        let mut any = false;
        for i in 0..L {
            any |= self.0[i] < other.0[i];
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_finds_the_largest_lane_for_any_width() {
        fn check<const L: usize>() {
            for at in 0..L {
                let mut row = F::<L>::splat(-3.0);
                row.set(at, -1.5);
                assert_eq!(row.largest(), -1.5, "lane {at} of {L}");
            }
        }
        check::<1>();
        check::<5>();
        check::<16>();
        check::<32>();
    }
}
