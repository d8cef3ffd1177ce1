//! Lanes that are one register of the processor's widest instructions.
//!
//! Long kernels keep dozens of values in hand; the compiler holds them in
//! registers only where it is told that a row of numbers is one. Rounding is
//! that of [`F`](super::lanes::F) in every operation, so the bits are too.
#![cfg(target_arch = "x86_64")]
#![expect(
    unsafe_code,
    reason = "processor instructions; only kernels started after the processor was asked use these types"
)]

use super::lanes::Lane;
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

macro_rules! wide {
    (
        $(#[doc = $doc:literal])+
        $name:ident, $register:ty, $lanes:literal,
        $splat:ident, $add:ident, $sub:ident, $mul:ident, $div:ident,
        $sqrt:ident, $min:ident, $max:ident, $less:expr, $bits:expr,
        $every:expr, $low:ident, $high:ident, $mix:ident
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        // The crate's own tests compile the narrowest kernels alone.
        #[cfg_attr(test, allow(dead_code))]
        pub(crate) struct $name($register);

        wide!(@operator $name, Add, add, $add);
        wide!(@operator $name, Sub, sub, $sub);
        wide!(@operator $name, Mul, mul, $mul);
        wide!(@operator $name, Div, div, $div);

        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self::splat(-0.0) - self
            }
        }
        impl AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl SubAssign for $name {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl $name {
            #[inline(always)]
            fn array(self) -> [f32; $lanes] {
                // SAFETY: same size, and every bit pattern is a float.
                unsafe { std::mem::transmute(self.0) }
            }
            #[inline(always)]
            fn from_array(array: [f32; $lanes]) -> Self {
                // SAFETY: same size, and every float is a valid bit pattern.
                Self(unsafe { std::mem::transmute::<[f32; $lanes], $register>(array) })
            }
        }

        impl Lane for $name {
            const LANES: usize = $lanes;
            #[inline(always)]
            fn floats(&self) -> &[f32] {
                // SAFETY: as many floats as the register holds, in its place.
                unsafe { &*std::ptr::from_ref(self).cast::<[f32; $lanes]>() }
            }
            #[inline(always)]
            fn floats_mut(&mut self) -> &mut [f32] {
                // SAFETY: the same, and every float is a valid bit pattern.
                unsafe { &mut *std::ptr::from_mut(self).cast::<[f32; $lanes]>() }
            }
            #[inline(always)]
            fn from_floats(floats: &[f32]) -> Option<Self> {
                floats.try_into().ok().map(Self::from_array)
            }
            #[inline(always)]
            fn splat(value: f64) -> Self {
                // SAFETY: the processor has these instructions (see above).
                Self(unsafe { $splat(value as f32) })
            }
            #[inline(always)]
            fn get(&self, index: usize) -> f64 {
                f64::from(self.array()[index])
            }
            #[inline(always)]
            fn set(&mut self, index: usize, value: f64) {
                let mut array = self.array();
                array[index] = value as f32;
                *self = Self::from_array(array);
            }
            #[inline(always)]
            fn from_lanes(mut lane: impl FnMut(usize) -> f64) -> Self {
                let mut array = [0.0; $lanes];
                for i in 0..$lanes {
                    array[i] = lane(i) as f32;
                }
                Self::from_array(array)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: the processor has these instructions (see above).
                Self(unsafe { $sqrt(self.0) })
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // SAFETY: the processor has these instructions (see above).
                Self(unsafe { $min(self.0, other.0) })
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: the processor has these instructions (see above).
                Self(unsafe { $max(self.0, other.0) })
            }
            #[inline(always)]
            fn less(self, other: Self, yes: Self, no: Self) -> Self {
                // SAFETY: the processor has these instructions (see above).
                Self(unsafe { $less(self.0, other.0, yes.0, no.0) })
            }
            #[inline(always)]
            fn largest(self) -> f64 {
                // By halves: a running maximum would wait for itself.
                let mut row = self.array();
                let mut half = $lanes / 2;
                while half > 0 {
                    for i in 0..half {
                        row[i] = if row[i] > row[i + half] { row[i] } else { row[i + half] };
                    }
                    half /= 2;
                }
                row[0].into()
            }
            #[inline(always)]
            fn columns(rows: &[[f32; 16]], first: usize) -> [Self; 4] {
                let rows = &rows[..$lanes];
                // This changes nothing where there are four, and spares checks.
                let first = first.min(12);
                // SAFETY: the processor has these instructions (see above).
                unsafe {
                    // Blocks of four rows, transposed each for itself.
                    let a = $every(rows, 0, first);
                    let b = $every(rows, 1, first);
                    let c = $every(rows, 2, first);
                    let d = $every(rows, 3, first);
                    let (ab, cd) = ($low(a, b), $low(c, d));
                    let (ab_high, cd_high) = ($high(a, b), $high(c, d));
                    [
                        Self($mix::<0x44>(ab, cd)),
                        Self($mix::<0xEE>(ab, cd)),
                        Self($mix::<0x44>(ab_high, cd_high)),
                        Self($mix::<0xEE>(ab_high, cd_high)),
                    ]
                }
            }
            #[inline(always)]
            fn any_less(self, other: Self) -> bool {
                self.bits_less(other) != 0
            }
            #[inline(always)]
            fn bits_less(self, other: Self) -> u32 {
                // SAFETY: the processor has these instructions (see above).
                unsafe { $bits(self.0, other.0) }
            }
        }
    };
    (@operator $name:ident, $trait:ident, $method:ident, $op:ident) => {
        impl $trait for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the processor has these instructions (see above).
                Self(unsafe { $op(self.0, other.0) })
            }
        }
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::F;

    #[test]
    fn columns_are_numbers_of_rows() {
        let mut rows = [[0.0; 16]; 4];
        for (i, row) in rows.iter_mut().enumerate() {
            for (k, number) in row.iter_mut().enumerate() {
                *number = (100 * i + k) as f32;
            }
        }
        for first in [0, 3, 12] {
            let (columns, plain) = (W4::columns(&rows, first), F::<4>::columns(&rows, first));
            for (k, (column, plain)) in columns.iter().zip(&plain).enumerate() {
                let numbers = [0, 1, 2, 3].map(|i| (100 * i + first + k) as f32);
                assert_eq!(column.floats(), numbers, "{first}");
                assert_eq!(plain.floats(), numbers, "{first}");
            }
        }
    }

    #[test]
    fn registers_say_as_rows_do_which_lanes_are_less() {
        let at = |shift: u32| move |i: usize| f64::from((i as u32 * 7 + shift) % 5);
        for shift in 0..5 {
            let (a, b) = (W4::from_lanes(at(0)), W4::from_lanes(at(shift)));
            let (c, d) = (F::<4>::from_lanes(at(0)), F::<4>::from_lanes(at(shift)));
            assert_eq!(a.bits_less(b), c.bits_less(d), "{shift}");
        }
    }
}
