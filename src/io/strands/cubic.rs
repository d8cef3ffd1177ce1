//! Strands that a file has as cubic curves.

use std::ops::Range;

/// Strands of a file that are cubic curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Cubic {
    /// Which strands.
    pub strands: Range<usize>,
    /// How their control points make a curve.
    pub basis: Basis,
    /// What becomes of their ends.
    pub wrap: Wrap,
}

/// How control points make a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// Bézier pieces that share their ends.
    Bezier,
    /// A uniform B-spline, which passes its control points by.
    Bspline,
    /// A uniform Catmull-Rom spline, which goes through all but the ends.
    CatmullRom,
}

/// What becomes of the ends of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wrap {
    /// It ends where the last whole piece ends.
    Open,
    /// It closes.
    Periodic,
    /// It begins and ends in its first and last control point, as if the
    /// neighbours of these were mirrored at them.
    Pinned,
}
