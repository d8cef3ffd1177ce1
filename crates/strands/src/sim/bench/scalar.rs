//! A method's kernel, one strand at a time in single precision: what lanes are
//! measured against.

use crate::{
    math::lanes::Lane,
    sim::{
        solver::{Scratch, Solver, StepInput, dispatch::Kernel},
        state::{Block, Row},
        trace::Trace,
    },
};

/// Takes the strands of a block one after the other.
pub(super) struct Scalar<K>(pub K);

impl<K: Kernel> Solver for Scalar<K> {
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
        self.0.step::<f32>(block, scratch, input);
    }

    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace) {
        self.0.explain(block, input, trace);
    }

    fn corrections(&self) -> &'static [&'static str] {
        K::CORRECTIONS
    }
}

// A row of one number would be as large in memory as a row of sixteen.
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
