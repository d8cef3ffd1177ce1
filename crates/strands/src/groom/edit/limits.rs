//! How short, how long and how near to the skin strands are made by hand.

/// The shortest strand that a cut leaves. `[m]`
pub const SHORTEST: f32 = 0.005;

/// The longest that a brush lets a strand become. `[m]`
pub const LONGEST: f32 = 1.5;

/// Vertices keep so far from the skin, unless they grew nearer to it. `[m]`
pub(in crate::groom) const CLEAR: f32 = 0.0015;
