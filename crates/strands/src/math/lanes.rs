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
mod single;
mod vector;

pub use floats::F;
pub use frame::LaneFrame;
pub use lane::Lane;
pub use vector::V3;
