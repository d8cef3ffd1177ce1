//! Chooses the processor's widest useful instructions at run time; the one
//! place of the simulation with `unsafe`.
#![expect(
    unsafe_code,
    reason = "calling a function compiled for AVX needs a promise that the processor has it"
)]

use super::{
    Scratch, StepInput,
    block_step::BlockStep,
    instructions::{Instructions, Width},
    method::{BlockFigures, Solver, StrandForces},
};
use crate::{
    math::{Pose, lanes::Lane},
    sim::{
        state::{Block, Row},
        strand_contact::params::StrandContactParams,
        trace::{Observer, Trace, Unobserved},
    },
};

/// A method whose step is compiled once for each instruction set.
pub trait Kernel: Send + Sync {
    /// Names of the corrections that are noted, in the order of their numbers.
    const CORRECTIONS: &'static [&'static str];

    /// Whether any vertex of `block` moves by itself: strands of fewer vertices
    /// than ride on the head do nothing else.
    fn moves<B: Lane>(&self, block: &Block<B>) -> bool {
        block.rows > block.pinned
    }

    /// Takes a block in which something moves through one whole step and tells
    /// `note` what each correction did. `T` is a register, for kernels that keep
    /// much in hand: so many strands are taken at once; others compute with whole
    /// rows.
    fn step_block<B: Lane, T: Lane, N: Observer<T>>(&self, step: &mut BlockStep<B>, note: &mut N);

    /// Advances one block by one whole step as [`step_block`](Self::step_block) does; strands
    /// that hold a number then which is not finite are put back.
    #[inline(always)]
    fn advance<B: Lane, T: Lane, N: Observer<T>>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        input: &StepInput,
        note: &mut N,
    ) {
        let end = &input.poses[input.substeps];
        if !self.moves(block) {
            block.move_roots_to(input.share(input.substeps));
            block.reset(end);
            return;
        }
        let mut step = BlockStep {
            block,
            scratch,
            input,
        };
        self.step_block::<B, T, N>(&mut step, note);
        block.restore_nonfinite(end);
    }

    /// The same with whole rows in hand and nobody told.
    fn advance_rows<B: Lane>(
        &self,
        block: &mut Block<B>,
        scratch: &mut Scratch<B>,
        input: &StepInput,
    ) {
        self.advance::<B, B, _>(block, scratch, input, &mut Unobserved);
    }

    /// Advances one strand in f64: what lanes are held against.
    fn advance_one(&self, block: &mut Block<f64>, input: &StepInput) {
        self.advance_rows(block, &mut Scratch::new(), input);
    }

    /// As [`Solver::figures`].
    fn figures(&self, _block: &Block<Row>, _pose: &Pose) -> BlockFigures {
        BlockFigures::default()
    }

    /// As [`Solver::forces`].
    fn forces(&self, _block: &Block<Row>, _lane: usize) -> Option<StrandForces> {
        None
    }

    /// As [`Solver::strand_contact`].
    fn strand_contact(&self) -> Option<StrandContactParams> {
        None
    }

    /// As [`Solver::spreads_gains`].
    fn spreads_gains(&self) -> bool {
        false
    }

    /// As [`Solver::groom_hold`].
    fn groom_hold(&self, _block: &Block<Row>, _lane: usize) -> Option<Vec<f64>> {
        None
    }
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
        $crate::sim::solver::dispatch::compiled!(@step $kernel, baseline, W4,);
        #[cfg(all(target_arch = "x86_64", not(test)))]
        $crate::sim::solver::dispatch::compiled!(@step $kernel, avx2, W8,
            #[target_feature(enable = "avx2")]);
        #[cfg(all(target_arch = "x86_64", not(test)))]
        $crate::sim::solver::dispatch::compiled!(@step $kernel, avx512, W16,
            #[target_feature(enable = "avx512f,avx512vl")]);
        // This crate's own tests need no wider ones, which take minutes to compile;
        // the program's compare them all. Other processors have none.
        #[cfg(any(test, not(target_arch = "x86_64")))]
        use self::{baseline as avx2, baseline as avx512};

        impl $crate::sim::solver::dispatch::Compiled for $kernel {
            const STEPS: [$crate::sim::solver::dispatch::Step<Self>; 3] =
                [baseline::step, avx2::step, avx512::step];
        }
    };
    (@step $kernel:ident, $set:ident, $wide:ident, $(#[$features:meta])?) => {
        mod $set {
            use crate::{
                math::wide::$wide as Register,
                sim::{
                    solver::{Scratch, StepInput, dispatch::Kernel},
                    state::{Block, Row},
                    trace::Unobserved,
                },
            };

            $(#[$features])?
            pub(super) fn step(
                kernel: &super::$kernel,
                block: &mut Block<Row>,
                scratch: &mut Scratch<Row>,
                input: &StepInput,
            ) {
                kernel.advance::<Row, Register, _>(block, scratch, input, &mut Unobserved);
            }
        }
    };
}
pub(crate) use compiled;

/// A kernel's step as wide as asked for.
pub fn prepared<K: Compiled + 'static>(kernel: K, width: Width) -> Box<dyn Solver> {
    let limit = match width {
        Width::One => return Box::new(OneByOne(kernel)),
        Width::Widest => Instructions::Avx512,
        Width::AtMost(limit) => limit,
    };
    let instructions = limit.available();
    Box::new(Dispatched {
        kernel,
        step: K::STEPS[instructions as usize],
        instructions,
    })
}

/// A method with its instruction set chosen.
struct Dispatched<K> {
    kernel: K,
    step: Step<K>,
    instructions: Instructions,
}

impl<K: Compiled> Solver for Dispatched<K> {
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
        // SAFETY: no wider than what the processor reported.
        unsafe { (self.step)(&self.kernel, block, scratch, input) }
    }

    fn instructions(&self) -> Instructions {
        self.instructions
    }

    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace) {
        one_by_one(&self.kernel, block, &mut Scratch::new(), input, trace);
    }

    fn corrections(&self) -> &'static [&'static str] {
        K::CORRECTIONS
    }

    fn figures(&self, block: &Block<Row>, pose: &Pose) -> BlockFigures {
        self.kernel.figures(block, pose)
    }

    fn forces(&self, block: &Block<Row>, lane: usize) -> Option<StrandForces> {
        self.kernel.forces(block, lane)
    }

    fn strand_contact(&self) -> Option<StrandContactParams> {
        self.kernel.strand_contact()
    }

    fn spreads_gains(&self) -> bool {
        self.kernel.spreads_gains()
    }

    fn groom_hold(&self, block: &Block<Row>, lane: usize) -> Option<Vec<f64>> {
        self.kernel.groom_hold(block, lane)
    }
}

/// The same step one lane at a time, recorded: it does the same to each strand. Never
/// inlined: to inspect a strand and to go one by one is the same code, which takes long to
/// compile.
#[inline(never)]
fn one_by_one<K: Kernel>(
    kernel: &K,
    block: &mut Block<Row>,
    scratch: &mut Scratch<Row>,
    input: &StepInput,
    trace: &mut Trace,
) {
    kernel.advance::<Row, f32, _>(block, scratch, input, trace);
}

/// A method that takes the strands of a block one after the other.
struct OneByOne<K>(K);

impl<K: Kernel> Solver for OneByOne<K> {
    fn step(&self, block: &mut Block<Row>, scratch: &mut Scratch<Row>, input: &StepInput) {
        one_by_one(&self.0, block, scratch, input, &mut Trace::unread());
    }

    fn explain(&self, block: &mut Block<Row>, input: &StepInput, trace: &mut Trace) {
        one_by_one(&self.0, block, &mut Scratch::new(), input, trace);
    }

    fn corrections(&self) -> &'static [&'static str] {
        K::CORRECTIONS
    }

    fn figures(&self, block: &Block<Row>, pose: &Pose) -> BlockFigures {
        self.0.figures(block, pose)
    }

    fn forces(&self, block: &Block<Row>, lane: usize) -> Option<StrandForces> {
        self.0.forces(block, lane)
    }

    fn strand_contact(&self) -> Option<StrandContactParams> {
        self.0.strand_contact()
    }

    fn spreads_gains(&self) -> bool {
        self.0.spreads_gains()
    }

    fn groom_hold(&self, block: &Block<Row>, lane: usize) -> Option<Vec<f64>> {
        self.0.groom_hold(block, lane)
    }
}
