//! A method's kernel, one strand at a time in single precision: what lanes are
//! measured against.

use crate::sim::{
    solver::{Scratch, Solver, StepInput, dispatch::Kernel},
    state::{Block, Row},
    trace::Trace,
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
