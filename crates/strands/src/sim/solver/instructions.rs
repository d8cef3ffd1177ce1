//! How wide a method computes.

pub use crate::math::instructions::Instructions;

/// How many strands a kernel takes in hand at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// As many as the widest instructions of this processor.
    Widest,
    /// As many as these instructions do, or the widest where that is less.
    AtMost(Instructions),
    /// One, in single precision: what wider ones are measured against.
    One,
}
