//! As many floats side by side as a kernel is wide.

use super::Lane;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

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
            // By bits: of a branch the compiler may make a choice between two places in
            // memory, lane by lane, and by AVX2 it did.
            let mask = 0u32.wrapping_sub(u32::from(self.0[i] < other.0[i]));
            out.0[i] = f32::from_bits(yes.0[i].to_bits() & mask | no.0[i].to_bits() & !mask);
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

    /// A row of so many lanes whose lane `index` is `at(index)`.
    fn row<T: Lane>(at: impl Fn(usize) -> f64) -> T {
        T::from_lanes(at)
    }

    #[test]
    fn a_choice_has_the_bits_of_what_it_chooses() {
        let nan = f32::from_bits(0x7fc0_1234);
        let numbers = [0.0, -0.0, 1.5, -2.0, f32::INFINITY, f32::NEG_INFINITY, nan];
        fn row<const L: usize>(value: f32) -> F<L> {
            F([value; L])
        }
        fn check<const L: usize>([a, b, yes, no]: [f32; 4]) {
            let chosen = row::<L>(a).less(row(b), row(yes), row(no));
            let wanted = if a < b { yes } else { no };
            for lane in chosen.0 {
                assert_eq!(lane.to_bits(), wanted.to_bits(), "{a} < {b}: {yes}, {no}");
            }
        }
        for a in numbers {
            for b in numbers {
                for [yes, no] in [[nan, -0.0], [-0.0, f32::INFINITY], [1.0, nan]] {
                    check::<1>([a, b, yes, no]);
                    check::<16>([a, b, yes, no]);
                }
            }
        }
    }

    #[test]
    fn bits_say_which_lanes_are_less() {
        fn check<T: Lane>() {
            let (a, b): (T, T) = (row(|i| (i * 7 % 5) as f64), row(|i| (i * 3 % 4) as f64));
            let bits = a.bits_less(b);
            for lane in 0..T::LANES {
                let less = (bits >> lane) & 1 == 1;
                assert_eq!(less, a.get(lane) < b.get(lane), "lane {lane}");
            }
            assert_eq!(u64::from(bits) >> T::LANES, 0);
            assert_eq!(row::<T>(|_| f64::NAN).bits_less(b), 0);
        }
        check::<F<16>>();
        check::<F<32>>();
        check::<f64>();
    }
}
