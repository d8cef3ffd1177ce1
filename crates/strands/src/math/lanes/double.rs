//! One strand at a time in double precision: the reference of the tests.

use super::Lane;

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
