//! Chooses the processor's widest useful instructions at run time; the one
//! place of the simulation with `unsafe`.
#![expect(
    unsafe_code,
    reason = "calling a function compiled for AVX needs a promise that the processor has it"
)]

use super::{Scratch, Solver, StepInput};
#[cfg(not(target_arch = "x86_64"))]
use crate::math::lanes::F;
#[cfg(target_arch = "x86_64")]
use crate::math::wide::{W4, W8, W16};
use crate::{
    math::lanes::Lane,
    sim::{
        state::{Block, Row},
        trace::Trace,
    },
};

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
    /// All of them, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

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

/// A method whose step is compiled once for each instruction set.
pub trait Kernel: Send + Sync {
    /// Names of the corrections that [`Kernel::explain`] notes, in the order of
    /// their numbers.
    const CORRECTIONS: &'static [&'static str];

    /// Advances one block by one whole step. `T` is a register of these
    /// instructions, for kernels that keep much in hand; others compute with
    /// whole rows.
    fn step<T: Lane + 'static>(
        &self,
        block: &mut Block<Row>,
        scratch: &mut Scratch<Row>,
        input: &StepInput,
    );

    /// The same without haste; tells `trace` what each correction did.
    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace);
}

/// A method with its instruction set chosen.
pub struct Dispatched<K> {
    kernel: K,
    instructions: Instructions,
}

impl<K: Kernel> Dispatched<K> {
    /// With the widest instructions of this processor.
    pub fn new(kernel: K) -> Self {
        Self::at_most(kernel, Instructions::Avx512)
    }

    /// The same with narrower instructions, to compare bits and speed.
    pub fn at_most(kernel: K, limit: Instructions) -> Self {
        let widest = Instructions::widest();
        let instructions = if (widest as u8) < (limit as u8) {
            widest
        } else {
            limit
        };
        Self {
            kernel,
            instructions,
        }
    }
}

impl<K: Kernel> Solver for Dispatched<K> {
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: chosen only where the processor reported AVX-512F and VL.
            Instructions::Avx512 => unsafe { step_avx512(&self.kernel, block, scratch, input) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: chosen only where the processor reported AVX2.
            Instructions::Avx2 => unsafe { step_avx2(&self.kernel, block, scratch, input) },
            #[cfg(target_arch = "x86_64")]
            _ => self.kernel.step::<W4>(block, scratch, input),
            #[cfg(not(target_arch = "x86_64"))]
            _ => self.kernel.step::<F<4>>(block, scratch, input),
        }
    }

    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace) {
        self.kernel.explain(block, input, trace);
    }

    fn corrections(&self) -> &'static [&'static str] {
        K::CORRECTIONS
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn step_avx512<K: Kernel>(
    kernel: &K,
    block: &mut Block<Row>,
    scratch: &mut Scratch<Row>,
    input: &StepInput,
) {
    kernel.step::<W16>(block, scratch, input);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn step_avx2<K: Kernel>(
    kernel: &K,
    block: &mut Block<Row>,
    scratch: &mut Scratch<Row>,
    input: &StepInput,
) {
    kernel.step::<W8>(block, scratch, input);
}
