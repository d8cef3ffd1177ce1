//! What is drawn of the strands in a frame.

use crate::groom::FlyAways;

/// What is drawn in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct HairDrawParams {
    /// Number of strands, taken from the start of the drawn ones.
    pub strands: usize,
    /// Points of each strand.
    pub points: usize,
    /// Diameter of a strand, multiplied by its own widths where it has them. `[m]`
    pub width: f32,
    /// How fly-aways stand off.
    pub flying: FlyAways,
    /// Source of the strands' width.
    pub widths: Widths,
    /// Width of the OpenGL lines that replace ribbons; `None` where ribbons are drawn.
    /// `[px]`
    pub line_width: Option<f32>,
    /// What the processor draws them as, where it does so itself.
    pub by_processor: Option<LayerFormat>,
}

/// What the processor draws strands as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum LayerFormat {
    /// Colours of a display.
    Display,
    /// Linear light.
    Light,
    /// Linear light of four samples a pixel.
    SampledLight,
}

/// Source of the strands' width from root to tip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in super::super) enum Widths {
    /// The look's ramp.
    #[default]
    Ramp,
    /// The ramp, and for each strand a width of its own.
    Level,
    /// Widths of their own all along.
    Own,
}
