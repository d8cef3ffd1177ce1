//! A diamond: what a key looks like, on the timeline and before a row.

use egui::{Color32, Painter, Pos2, Shape, Stroke, vec2};

/// Draws one, with `size` from the middle to each corner. `[points]`
pub fn diamond(painter: &Painter, middle: Pos2, size: f32, fill: Color32, edge: Stroke) {
    let corners = [(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)];
    let corners = corners.map(|(x, y)| middle + vec2(x, y)).to_vec();
    painter.add(Shape::convex_polygon(corners, fill, edge));
}
