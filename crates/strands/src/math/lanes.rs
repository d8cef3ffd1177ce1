//! Many strands at once: one lane, one strand.
//!
//! A kernel is written once over [`Lane`] and runs on [`F<L>`](F), `L` floats
//! wide, in the product and on `f64`, one strand wide, in the tests. Only
//! operations that IEEE 754 rounds exactly are offered (no fused multiply-add,
//! no reciprocal estimates), so every instruction set gives the same bits.

mod double;
mod floats;
mod frame;
mod lane;
mod rotation;
mod single;
mod vector;

pub use floats::F;
pub use frame::LaneFrame;
pub use lane::Lane;
pub use rotation::LaneRotation;
pub use vector::V3;

/// The lanes whose bit is set, as [`Lane::bits_less`] has them.
#[inline(always)]
pub fn set_bits(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        lane
    })
}
