//! Work that is worth compiling for every instruction set.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "calling a function compiled for AVX needs a promise that the processor has it"
    )
)]

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
