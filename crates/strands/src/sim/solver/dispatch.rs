//! Chooses the processor's widest useful instructions at run time; the one
//! place of the simulation with `unsafe`.
#![expect(
    unsafe_code,
    reason = "calling a function compiled for AVX needs a promise that the processor has it"
)]

use super::{Scratch, Solver, StepInput};
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

/// A kernel's step for one instruction set. To be called only where the
/// processor has these instructions.
pub type Step<K> = unsafe fn(&K, &mut Block<Row>, &mut Scratch<Row>, &StepInput);

/// A kernel compiled for every instruction set, by `compiled!`.
pub trait Compiled: Kernel + Sized {
    /// One step for each of [`Instructions::ALL`].
    const STEPS: [Step<Self>; 3];
}

/// Compiles a kernel for every instruction set: each in a module of its own, so
/// that the compiler works on all of them side by side.
macro_rules! compiled {
    ($kernel:ident) => {
        $crate::sim::solver::dispatch::compiled!(@step $kernel, baseline, W4, F<4>,);
        $crate::sim::solver::dispatch::compiled!(@step $kernel, avx2, W8, F<8>,
            #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]);
        $crate::sim::solver::dispatch::compiled!(@step $kernel, avx512, W16, F<16>,
            #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx512f,avx512vl"))]);

        impl $crate::sim::solver::dispatch::Compiled for $kernel {
            const STEPS: [$crate::sim::solver::dispatch::Step<Self>; 3] =
                [baseline::step, avx2::step, avx512::step];
        }
    };
    (@step $kernel:ident, $set:ident, $wide:ident, $plain:ty, $(#[$features:meta])?) => {
        mod $set {
            #[cfg(not(target_arch = "x86_64"))]
            use crate::math::lanes::F;
            #[cfg(target_arch = "x86_64")]
            use crate::math::wide::$wide as Register;
            use crate::sim::{
                solver::{Scratch, StepInput, dispatch::Kernel},
                state::{Block, Row},
            };

            #[cfg(not(target_arch = "x86_64"))]
            type Register = $plain;

            $(#[$features])?
            pub(super) fn step(
                kernel: &super::$kernel,
                block: &mut Block<Row>,
                scratch: &mut Scratch<Row>,
                input: &StepInput,
            ) {
                kernel.step::<Register>(block, scratch, input);
            }
        }
    };
}
pub(crate) use compiled;

/// Other work on rows that is worth compiling for every instruction set; all
/// that it calls is to be inlined.
pub trait Work {
    /// Does it.
    fn run(self);
}

/// Does it with the widest instructions of this processor.
pub fn work<W: Work>(work: W) {
    #[cfg(target_arch = "x86_64")]
    match Instructions::widest() {
        // SAFETY: the processor reported these instructions.
        Instructions::Avx512 => return unsafe { with_avx512(work) },
        // SAFETY: the same.
        Instructions::Avx2 => return unsafe { with_avx2(work) },
        Instructions::Baseline => {}
    }
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<W: Work>(work: W) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn with_avx512<W: Work>(work: W) {
    work.run();
}

/// A method with its instruction set chosen.
pub struct Dispatched<K> {
    kernel: K,
    step: Step<K>,
}

impl<K: Compiled> Dispatched<K> {
    /// With the widest instructions of this processor.
    pub fn new(kernel: K) -> Self {
        Self::at_most(kernel, Instructions::Avx512)
    }

    /// The same with narrower instructions, to compare bits and speed.
    pub fn at_most(kernel: K, limit: Instructions) -> Self {
        let widest = Instructions::widest() as usize;
        Self {
            kernel,
            step: K::STEPS[widest.min(limit as usize)],
        }
    }
}

impl<K: Compiled> Solver for Dispatched<K> {
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
        // SAFETY: no wider than what the processor reported.
        unsafe { (self.step)(&self.kernel, block, scratch, input) }
    }

    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace) {
        self.kernel.explain(block, input, trace);
    }

    fn corrections(&self) -> &'static [&'static str] {
        K::CORRECTIONS
    }
}
