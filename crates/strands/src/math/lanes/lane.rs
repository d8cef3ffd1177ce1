//! The operations that a kernel may use.

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
    /// The same in single precision.
    #[inline(always)]
    fn single(&self, index: usize) -> f32 {
        match self.floats() {
            [] => self.get(index) as f32,
            floats => floats[index],
        }
    }
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
    /// Four numbers of each of as many rows as there are lanes, from number `first` on: the
    /// first of all rows side by side, then the second, and so on.
    #[inline(always)]
    fn columns(rows: &[[f32; 16]], first: usize) -> [Self; 4] {
        let mut columns = [Self::zero(); 4];
        for (k, column) in columns.iter_mut().enumerate() {
            *column = Self::from_lanes(|lane| f64::from(rows[lane][first + k]));
        }
        columns
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
    /// `yes` in the lanes of this mask, of ones and zeros, that are one, else `no`.
    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        Self::splat(0.5).less(self, yes, no)
    }
    /// Whether any lane of this mask is one.
    #[inline(always)]
    fn any(self) -> bool {
        Self::splat(0.5).any_less(self)
    }
    /// One bit for each lane where `self < other`, that of lane 0 the lowest; for up to
    /// 32 lanes.
    #[inline(always)]
    fn bits_less(self, other: Self) -> u32 {
        let mut bits = 0;
        for lane in 0..Self::LANES {
            bits |= u32::from(self.get(lane) < other.get(lane)) << lane;
        }
        bits
    }
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
