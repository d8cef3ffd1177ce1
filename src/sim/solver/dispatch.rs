//! Chooses the processor's widest useful instructions at run time; the one
//! place of the simulation with `unsafe`.
#![expect(
    unsafe_code,
    reason = "calling a function compiled for AVX needs a promise that the processor has it"
)]

use super::{Scratch, Solver, StepInput, pbd::Pbd};
use crate::sim::state::{Block, Row};

/// The instructions a kernel is compiled for. Fused multiply-add is never
/// among them: it rounds differently, and the bits must be the same on all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// What every processor of this kind has.
    Baseline,
    /// Eight floats at once.
    Avx2,
    /// Sixteen floats at once.
    Avx512,
}

impl Instructions {
    /// The widest that this processor has.
    pub fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }
}

/// A method with its instruction set chosen.
pub struct Dispatched {
    pbd: Pbd,
    instructions: Instructions,
}

impl Dispatched {
    /// With the widest instructions of this processor.
    pub fn new(pbd: Pbd) -> Self {
        Self::at_most(pbd, Instructions::Avx512)
    }

    /// The same with narrower instructions, to compare bits and speed.
    pub fn at_most(pbd: Pbd, limit: Instructions) -> Self {
        let widest = Instructions::widest();
        let instructions = if (widest as u8) < (limit as u8) {
            widest
        } else {
            limit
        };
        Self { pbd, instructions }
    }
}

impl Solver for Dispatched {
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: chosen only where the processor reported AVX-512F and VL.
            Instructions::Avx512 => unsafe { step_avx512(&self.pbd, block, scratch, input) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: chosen only where the processor reported AVX2.
            Instructions::Avx2 => unsafe { step_avx2(&self.pbd, block, scratch, input) },
            _ => self.pbd.step(block, scratch, input),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn step_avx512(pbd: &Pbd, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
    pbd.step(block, scratch, input);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn step_avx2(pbd: &Pbd, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
    pbd.step(block, scratch, input);
}
