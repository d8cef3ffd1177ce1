//! Work that is worth compiling for every instruction set.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "calling a function compiled for AVX needs a promise that the processor has it"
    )
)]

#[cfg(not(target_arch = "x86_64"))]
use super::lanes::F;
use super::lanes::Lane;
#[cfg(target_arch = "x86_64")]
use super::wide::{W4, W8, W16};

/// Work on rows of numbers; all that it calls is to be inlined.
pub trait Work {
    /// Does it.
    fn run(self);
}

/// Does it with the widest instructions of this processor; the bits are the same.
pub fn work<W: Work>(work: W) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor reported these instructions.
            return unsafe { with_avx512(work) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the same.
            return unsafe { with_avx2(work) };
        }
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

/// Work on registers: all that it calls is to be inlined.
pub trait LaneWork {
    /// Does it, as many numbers at once as a `T` holds.
    fn run<T: Lane>(self);
}

/// Does it with the widest registers of this processor; each lane holds the same bits.
pub fn lane_work<W: LaneWork>(work: W) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor reported these instructions.
            return unsafe { in_avx512(work) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the same.
            return unsafe { in_avx2(work) };
        }
        work.run::<W4>();
    }
    #[cfg(not(target_arch = "x86_64"))]
    work.run::<F<4>>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn in_avx2<W: LaneWork>(work: W) {
    work.run::<W8>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn in_avx512<W: LaneWork>(work: W) {
    work.run::<W16>();
}
