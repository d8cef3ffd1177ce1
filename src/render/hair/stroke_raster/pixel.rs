//! What strokes are drawn as: colours of a display, or linear light.

use glam::{Vec3, Vec4};

/// A pixel that strokes lie over, one after the other.
pub trait StrokePixel: Copy + Send + Sync {
    /// The depths that a depth buffer has for it.
    type Depths: Copy + Sync;
    /// What strokes add up to, colours times cover and cover, before it is written.
    type Sum: Copy;
    /// No stroke.
    const EMPTY: Self::Sum;
    /// Whether strokes wider than a pixel show that they are round.
    const ROUND: bool;

    /// Lays a stroke of that `light` and depth over it, which covers so much of it where
    /// nothing is in front.
    fn over(sum: &mut Self::Sum, light: Vec4, cover: f32, depth: f32, depths: Self::Depths);

    /// What is written.
    fn of(sum: Self::Sum) -> Self;
}

/// Colours of a display, 8 bits each.
impl StrokePixel for [u8; 4] {
    type Depths = f32;
    type Sum = Vec4;
    const EMPTY: Vec4 = Vec4::ZERO;
    const ROUND: bool = false;

    #[inline(always)]
    fn over(sum: &mut Vec4, light: Vec4, cover: f32, depth: f32, depths: f32) {
        // Nothing hidden is left out by a branch: nobody could foretell it.
        let cover = if depths >= depth { cover } else { 0.0 };
        *sum += (light - *sum) * cover;
    }

    #[inline(always)]
    fn of(sum: Vec4) -> Self {
        (sum * 255.0 + 0.5).to_array().map(|v| v as u8)
    }
}

/// Linear light, one sample a pixel.
impl StrokePixel for Vec4 {
    type Depths = f32;
    type Sum = Self;
    const EMPTY: Self = Self::ZERO;
    const ROUND: bool = true;

    #[inline(always)]
    fn over(sum: &mut Self, light: Self, cover: f32, depth: f32, depths: f32) {
        <[u8; 4]>::over(sum, light, cover, depth, depths);
    }

    #[inline(always)]
    fn of(sum: Self) -> Self {
        sum
    }
}

/// Linear light, four samples a pixel: each has a depth of its own, so that what stands in
/// front keeps its smooth edge. A stroke's own edge is soft without them.
impl StrokePixel for [Vec4; 4] {
    type Depths = [f32; 4];
    type Sum = Self;
    const EMPTY: Self = [Vec4::ZERO; 4];
    const ROUND: bool = true;

    #[inline(always)]
    fn over(sum: &mut Self, light: Vec4, cover: f32, depth: f32, depths: [f32; 4]) {
        for sample in 0..4 {
            Vec4::over(&mut sum[sample], light, cover, depth, depths[sample]);
        }
    }

    #[inline(always)]
    fn of(sum: Self) -> Self {
        sum
    }
}

/// Light of a stroke `off` its axis that is `wide`, as shaders/ribbon.frag has it: as
/// bright on the whole as a flat one, darker towards the edges, `much` of it. `[px]`
#[inline(always)]
pub(super) fn rounded(light: Vec4, off: f32, wide: f32, much: f32) -> Vec4 {
    let h = (2.0 * off / wide).min(1.0);
    let share = 1.0 + (0.45 + 0.75 * (1.0 - h * h).sqrt() - 1.0) * much;
    light * Vec3::splat(share).extend(1.0)
}

/// How much of its roundness a stroke shows that is so `wide`, 0..=1; none from
/// [`FLAT`] on down. `[px]`
#[inline(always)]
pub(super) fn roundness(wide: f32) -> f32 {
    let x = ((wide - FLAT) / (4.0 - FLAT)).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Strokes up to this width are flat. `[px]`
pub(super) const FLAT: f32 = 1.5;
