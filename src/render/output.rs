//! What becomes of a picture besides being seen: colours for those who paint on
//! the head, no backdrop for those who put another one behind it, pixels for
//! files.

use super::Renderer;

/// The colours of what is painted on the head, from none of it to all: sRGB, at
/// even steps; those of shaders/tint.glsl (viridis, Smith and van der Walt 2015).
pub const TINTS: [[u8; 3]; 5] = [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
];

impl Renderer {
    /// Paints colours over the head: for each vertex of its mesh a value, by
    /// [`TINTS`], and how much of its colour shows, both 0..=1. Without values
    /// there are none.
    pub fn tint_head(&mut self, values: &[[f32; 2]]) {
        if !values.is_empty() || self.head.is_tinted() {
            self.head.tint(values);
            self.forget_set();
        }
    }

    /// The finished frame: width, height, and three bytes a pixel (red, green,
    /// blue; sRGB), top row first. Nothing before the first frame.
    pub fn read_rgb(&mut self) -> (u32, u32, Vec<u8>) {
        match &self.targets {
            Some(targets) => targets.finished.read_rgb(),
            None => (0, 0, Vec::new()),
        }
    }

    /// From now on pictures are transparent where neither head nor hair is, or
    /// have their backdrop again.
    pub fn set_transparent(&mut self, on: bool) {
        self.transparent = on;
    }

    /// Whether pictures are transparent where neither head nor hair is.
    pub fn is_transparent(&self) -> bool {
        self.transparent
    }

    /// The finished frame as [`Renderer::read_rgb`] has it; of a transparent one
    /// four bytes a pixel, the fourth telling how much of it head and hair cover.
    /// The colour is that of what covers it (straight alpha).
    pub fn read(&mut self) -> (u32, u32, Vec<u8>) {
        match &self.targets {
            Some(targets) if self.transparent => targets.finished.read_rgba(),
            _ => self.read_rgb(),
        }
    }
}
