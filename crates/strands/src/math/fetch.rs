//! Asks for memory before it is needed.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "the processor's instruction for it is declared unsafe"
    )
)]

/// Bytes that come near at once.
const LINE: usize = 64;

/// Asks the processor to bring `bytes` from `address` on near, into the
/// second-level cache. Nothing is read: any address will do.
#[inline(always)]
pub fn fetch(address: usize, bytes: usize) {
    for byte in (0..bytes).step_by(LINE) {
        line(address.wrapping_add(byte));
    }
}

#[inline(always)]
fn line(address: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint; it reads nothing and faults nowhere.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::without_provenance(address)) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
