//! Registers of 64-bit ARM: NEON, which all of its processors have.
#![expect(
    unsafe_code,
    reason = "processor instructions, which every processor of this kind has"
)]

use crate::math::lanes::Lane;
use std::{
    arch::aarch64::*,
    ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign},
};

/// The lesser of each two, and the second where one is no number: `vminq_f32` would say
/// that it is none.
///
/// # Safety
/// The processor has NEON.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn lesser(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    vbslq_f32(vcltq_f32(a, b), a, b)
}

/// The greater of each two, and the second where one is no number.
///
/// # Safety
/// The processor has NEON.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn greater(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    vbslq_f32(vcgtq_f32(a, b), a, b)
}

/// One bit for each lane in which `a` is less, the first lane's the lowest.
///
/// # Safety
/// The processor has NEON.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn bits(a: float32x4_t, b: float32x4_t) -> u32 {
    const LANES: [u32; 4] = [1, 2, 4, 8];
    // SAFETY: four numbers are read, and there are four.
    let lanes = unsafe { vld1q_u32(LANES.as_ptr()) };
    vaddvq_u32(vandq_u32(vcltq_f32(a, b), lanes))
}

/// The first two numbers of both registers, or the last two: what `_mm_shuffle_ps` does
/// with 0x44 and 0xEE.
///
/// # Safety
/// The processor has NEON.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn halves<const WHICH: i32>(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    match WHICH {
        0x44 => vcombine_f32(vget_low_f32(a), vget_low_f32(b)),
        _ => vcombine_f32(vget_high_f32(a), vget_high_f32(b)),
    }
}

wide!(
    /// Four floats in one NEON register.
    W4, float32x4_t, 4,
    vdupq_n_f32, vaddq_f32, vsubq_f32, vmulq_f32, vdivq_f32,
    vsqrtq_f32, lesser, greater,
    |a, b, yes, no| vbslq_f32(vcltq_f32(a, b), yes, no),
    |a, b| bits(a, b),
    |rows: &[[f32; 16]], row: usize, first: usize| {
        let numbers = &rows[row][first..first + 4];
        vld1q_f32(numbers.as_ptr())
    },
    vzip1q_f32, vzip2q_f32, halves
);
