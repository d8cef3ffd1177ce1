//! Registers of x86-64: SSE, AVX and AVX-512.
#![expect(
    unsafe_code,
    reason = "processor instructions; only kernels started after the processor was asked use these types"
)]

use crate::math::lanes::Lane;
use std::{
    arch::{asm, x86_64::*},
    ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign},
};

/// Four numbers of a row.
#[inline(always)]
fn four(row: &[f32; 16], first: usize) -> __m128 {
    let numbers = &row[first..first + 4];
    // SAFETY: four floats are read, and there are four; SSE is in every x86-64 processor.
    unsafe { _mm_loadu_ps(numbers.as_ptr()) }
}

/// `yes` in the lanes where the mask is set, else `no`. The compiler does not know what this
/// is. It would make a masked store of a choice that is stored where one of the two came
/// from, and AMD's processors before Zen 5 split a `vmaskmovps` to memory into some forty
/// steps (Fog, "Instruction tables").
///
/// # Safety
/// The processor has AVX.
#[inline]
#[target_feature(enable = "avx")]
unsafe fn blend(no: __m256, yes: __m256, mask: __m256) -> __m256 {
    let blended: __m256;
    // SAFETY: it reads and writes registers alone, and AVX has it.
    unsafe {
        asm!(
            "vblendvps {blended}, {no}, {yes}, {mask}",
            blended = lateout(ymm_reg) blended,
            no = in(ymm_reg) no,
            yes = in(ymm_reg) yes,
            mask = in(ymm_reg) mask,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    blended
}

wide!(
    /// Sixteen floats in one AVX-512 register.
    W16, __m512, 16,
    _mm512_set1_ps, _mm512_add_ps, _mm512_sub_ps, _mm512_mul_ps, _mm512_div_ps,
    _mm512_sqrt_ps, _mm512_min_ps, _mm512_max_ps,
    |a, b, yes, no| _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b), no, yes),
    |a, b| u32::from(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b)),
    |rows: &[[f32; 16]], row: usize, first: usize| {
        let lowest = _mm512_castps128_ps512(four(&rows[row], first));
        let two = _mm512_insertf32x4::<1>(lowest, four(&rows[row + 4], first));
        let three = _mm512_insertf32x4::<2>(two, four(&rows[row + 8], first));
        _mm512_insertf32x4::<3>(three, four(&rows[row + 12], first))
    },
    _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps
);

wide!(
    /// Eight floats in one AVX register.
    W8, __m256, 8,
    _mm256_set1_ps, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps,
    _mm256_sqrt_ps, _mm256_min_ps, _mm256_max_ps,
    |a, b, yes, no| blend(no, yes, _mm256_cmp_ps::<_CMP_LT_OQ>(a, b)),
    |a, b| _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b)) as u32,
    |rows: &[[f32; 16]], row: usize, first: usize| {
        let lowest = _mm256_castps128_ps256(four(&rows[row], first));
        _mm256_insertf128_ps::<1>(lowest, four(&rows[row + 4], first))
    },
    _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps
);

wide!(
    /// Four floats in one SSE register, which every processor of this kind has.
    W4, __m128, 4,
    _mm_set1_ps, _mm_add_ps, _mm_sub_ps, _mm_mul_ps, _mm_div_ps,
    _mm_sqrt_ps, _mm_min_ps, _mm_max_ps,
    |a, b, yes, no| {
        let mask = _mm_cmplt_ps(a, b);
        _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no))
    },
    |a, b| _mm_movemask_ps(_mm_cmplt_ps(a, b)) as u32,
    |rows: &[[f32; 16]], row: usize, first: usize| four(&rows[row], first),
    _mm_unpacklo_ps, _mm_unpackhi_ps, _mm_shuffle_ps
);
