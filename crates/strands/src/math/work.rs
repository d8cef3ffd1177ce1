//! Work that is worth compiling for every instruction set.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "calling a function compiled for AVX needs a promise that the processor has it"
    )
)]

use super::{instructions::Instructions, lanes::Lane};

/// Work on rows of numbers; all that it calls is to be inlined.
pub trait Work {
    /// Does it.
    fn run(self);
}

/// Does it with the widest instructions of this processor; the bits are the same.
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

/// Work on registers: all that it calls is to be inlined. A closure that is handed to the
/// standard library, as to an array's `map`, may not be, and then calls a function for
/// each instruction: twice the time, measured on rows that ask a skin.
pub trait LaneWork {
    /// Does it, as many numbers at once as a `T` holds.
    fn run<T: Lane>(self);
}

/// Does it with the registers of these instructions, or of the widest that this processor
/// has where that is less; each lane holds the same bits.
pub fn lane_work<W: LaneWork>(instructions: Instructions, work: W) {
    #[cfg(target_arch = "x86_64")]
    match instructions.available() {
        // SAFETY: the processor reported these instructions.
        Instructions::Avx512 => unsafe { lanes_of_avx512(work) },
        // SAFETY: the same.
        Instructions::Avx2 => unsafe { lanes_of_avx2(work) },
        Instructions::Baseline => work.run::<super::wide::W4>(),
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = instructions;
        work.run::<super::wide::W4>();
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn lanes_of_avx2<W: LaneWork>(work: W) {
    work.run::<super::wide::W8>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn lanes_of_avx512<W: LaneWork>(work: W) {
    work.run::<super::wide::W16>();
}
