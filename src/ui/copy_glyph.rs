//! The sign on the button by which egui's colour picker copies its numbers, which no font
//! of the window has.

use egui::{Color32, ColorImage, Context, GlyphBitmap, GlyphRasterizer, RasterizedGlyph, vec2};

/// The sign.
const SIGN: &str = "📋";

/// Lets texts of that context have the sign.
pub fn install(ctx: &Context) {
    ctx.add_glyph_rasterizer(GlyphRasterizer::new("lovelock::copy", |request| {
        (request.cluster == SIGN).then(|| sign(request.font_size_px))
    }));
}

/// Two sheets, one before the other, for a font of that size. `[px]`
fn sign(size: f32) -> RasterizedGlyph {
    let side = (0.85 * size).ceil().clamp(6.0, 64.0);
    let line = (side / 10.0).round().max(1.0);
    let [from, to] = [(0.28 * side).round(), (0.72 * side).round()];
    // How far a place is within a square: below zero outside.
    let within = |place: [f32; 2], low: f32, high: f32| {
        let depth = |c: f32| (c - low).min(high - c);
        depth(place[0]).min(depth(place[1]))
    };
    let edge = |depth: f32| depth > 0.0 && depth < line;
    let count = side as usize;
    let ink = |i: usize| {
        let place = [(i % count) as f32 + 0.5, (i / count) as f32 + 0.5];
        let front = within(place, from, side);
        let back = within(place, 0.0, to);
        match edge(front) || front <= 0.0 && edge(back) {
            true => Color32::WHITE,
            false => Color32::TRANSPARENT,
        }
    };
    let pixels = (0..count * count).map(ink).collect();
    RasterizedGlyph {
        bitmap: GlyphBitmap {
            image: ColorImage::new([count; 2], pixels),
            // It stands a little below the line of the letters.
            offset_px: vec2(0.0, -0.88 * side),
            is_color: false,
        },
        advance_px: side,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_sheet_hides_the_back_one() {
        let image = sign(14.0).bitmap.image;
        let at = |x: usize, y: usize| image[(x, y)] == Color32::WHITE;
        let last = image.width() - 1;
        assert_eq!(image.size, [12, 12]);
        assert!(at(0, 0) && at(last, last) && at(3, 3));
        assert!(!at(last, 0) && !at(0, last), "corners that no sheet has");
        assert!(!at(6, 8) && !at(8, 6), "the back one's edges");
    }
}
