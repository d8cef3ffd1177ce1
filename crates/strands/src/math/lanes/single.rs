//! One strand at a time in single precision: what lanes are timed against. A
//! row of one number, `F<1>`, would be as large in memory as a row of sixteen.

use super::Lane;

impl Lane for f32 {
    const LANES: usize = 1;
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value as Self
    }
    #[inline(always)]
    fn get(&self, _index: usize) -> f64 {
        f64::from(*self)
    }
    #[inline(always)]
    fn set(&mut self, _index: usize, value: f64) {
        *self = value as Self;
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn less(self, other: Self, yes: Self, no: Self) -> Self {
        if self < other { yes } else { no }
    }
    #[inline(always)]
    fn largest(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        self < other
    }
}
