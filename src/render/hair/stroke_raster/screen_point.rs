//! Where points of strands are in the picture, and how that is divided.

/// Width and height of a tile. `[px]`
pub(super) const TILE: [usize; 2] = [64, 32];

/// A rectangle of the picture: its lower left corner, its width and height. `[px]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The lower left corner.
    pub corner: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
}

/// A point in the picture.
#[derive(Clone, Copy, Default)]
pub(super) struct ScreenPoint {
    /// From the lower left corner. `[px]`
    pub at: [f32; 2],
    /// As a depth buffer has it: 0 near, 1 far; not a number where it is
    /// nearer than the picture shows.
    pub depth: f32,
    /// Width of the strand. `[px]`
    pub width: f32,
}
