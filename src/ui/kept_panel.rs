//! The panel as it was painted last. Where the processor draws, to paint it takes longer
//! than to copy it, and in most frames nothing in it has changed.

use crate::render::Canvas;
use egui::{Rect, emath::TSTransform, epaint::ClippedShape};

/// What is painted at an edge may reach so far over it, for its softness. `[points]`
const SOFT: f32 = 1.0;

/// A picture of the panel, and what is in it.
pub struct KeptPanel {
    /// Of the window's size; it is empty beside the panel.
    pub canvas: Canvas,
    shapes: Vec<ClippedShape>,
    /// Pixels a point.
    scale: f32,
}

impl KeptPanel {
    /// Nothing yet.
    pub fn new(canvas: Canvas) -> Self {
        Self {
            canvas,
            shapes: Vec::new(),
            scale: 0.0,
        }
    }

    /// Whether it shows these shapes, at so many pixels a point.
    pub fn shows(&self, shapes: &[ClippedShape], scale: f32) -> bool {
        self.scale == scale && self.shapes == shapes
    }

    /// Notes that it shows them from now on.
    pub fn note(&mut self, shapes: Vec<ClippedShape>, scale: f32) {
        (self.shapes, self.scale) = (shapes, scale);
    }
}

/// Parts `shapes` into those of the panel and those to be painted over it and beside it.
/// What comes after a shape that reaches over the panel's edge may lie on that, and is
/// painted over the panel, too.
pub fn part(shapes: Vec<ClippedShape>, panel: Rect) -> [Vec<ClippedShape>; 2] {
    let (inner, outer) = (panel.shrink(SOFT), panel.expand(SOFT));
    let (mut inside, mut others) = (Vec::new(), Vec::new());
    let mut covered = false;
    for clipped in shapes {
        let seen = clipped.shape.visual_bounding_rect();
        let seen = seen.intersect(clipped.clip_rect);
        if !seen.is_positive() {
            continue;
        }
        let stays = clipped.transform_after_tessellation == TSTransform::IDENTITY;
        if stays && !seen.intersects(inner) {
            others.push(clipped);
        } else if stays && !covered && outer.contains_rect(seen) {
            inside.push(clipped);
        } else {
            covered = true;
            others.push(clipped);
        }
    }
    [inside, others]
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, Shape, pos2};

    fn shape([left, right]: [f32; 2]) -> ClippedShape {
        let rect = Rect::from_min_max(pos2(left, 10.0), pos2(right, 20.0));
        ClippedShape {
            clip_rect: Rect::EVERYTHING,
            shape: Shape::rect_filled(rect, 0.0, Color32::WHITE),
            transform_after_tessellation: TSTransform::IDENTITY,
        }
    }

    #[test]
    fn what_may_lie_on_something_over_the_edge_is_no_part_of_the_panel() {
        let panel = Rect::from_min_max(pos2(100.0, 0.0), pos2(200.0, 300.0));
        let [ground, button, beside] = [[100.0, 200.0], [120.0, 160.0], [0.0, 100.0]].map(shape);
        let [list, tip] = [[80.0, 150.0], [130.0, 140.0]].map(shape);
        let mut hidden = button.clone();
        hidden.clip_rect = Rect::NOTHING;
        let all = [&ground, &button, &beside, &hidden, &list, &tip].map(ClippedShape::clone);
        let [inside, others] = part(all.to_vec(), panel);
        assert_eq!(inside, [ground, button]);
        assert_eq!(others, [beside, list, tip]);
    }
}
