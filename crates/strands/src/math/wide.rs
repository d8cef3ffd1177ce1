//! Lanes that are one register of the processor's widest instructions.
//!
//! Long kernels keep dozens of values in hand; the compiler holds them in
//! registers only where it is told that a row of numbers is one. Rounding is
//! that of [`F`](super::lanes::F) in every operation, so the bits are too.

/// Four floats: no registers of this kind of processor are known here.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) type W4 = super::lanes::F<4>;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::W4;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{W4, W8, W16};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
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

#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::{F, Lane as _};

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
