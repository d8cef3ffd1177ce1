//! The fixed-function state that passes draw with.

/// The fixed-function state of a pass. Only what differs from the state before is set.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::render) struct State {
    /// Nearer fragments win.
    pub depth_test: bool,
    /// Depth is written.
    pub depth_write: bool,
    /// Surfaces are pushed away from the camera by this many depth steps (and
    /// as many times their slope).
    pub depth_bias: f32,
    /// Triangles that are seen from behind, clockwise, are left out.
    pub one_sided: bool,
    /// How what is drawn meets what was there.
    pub blend: Blend,
}

/// How a pass's colours meet those that are there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::render) enum Blend {
    /// They take their place.
    Replace,
    /// They lie over them, by their alpha, which they come multiplied with.
    Over,
    /// They are added.
    Add,
}

impl State {
    /// Everything is replaced, and depth is neither asked nor written.
    pub const FLAT: Self = Self {
        depth_test: false,
        depth_write: false,
        depth_bias: 0.0,
        one_sided: false,
        blend: Blend::Replace,
    };

    /// Solid surfaces: the nearest is seen.
    pub const SOLID: Self = Self {
        depth_test: true,
        depth_write: true,
        ..Self::FLAT
    };
}
