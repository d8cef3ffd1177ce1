//! Where the picture and its sides lie in the window.

use crate::{
    render::{Camera, ViewportRect},
    ui::{
        theme,
        view_projection::{ViewProjection, place},
    },
};
use egui::{Color32, Rect, Stroke, pos2, vec2};

/// Lower left corner and size of the picture in a window of that size. `[px]`
pub(super) fn pixels(
    viewport: Rect,
    [width, height]: [u32; 2],
    scale: f32,
) -> ([u32; 2], [u32; 2]) {
    let pixel = |points: f32, most: u32| (points * scale).round().clamp(0.0, most as f32) as u32;
    let (left, right) = (
        pixel(viewport.left(), width),
        pixel(viewport.right(), width),
    );
    let (top, bottom) = (
        pixel(viewport.top(), height),
        pixel(viewport.bottom(), height),
    );
    (
        [left, height - bottom],
        [right.saturating_sub(left), bottom.saturating_sub(top)],
    )
}

/// What is seen of the sides in these parts of the picture. `[points]`
pub(super) fn eyes(
    camera: &Camera,
    parts: &[ViewportRect],
    scale: f32,
    viewport: Rect,
) -> Vec<ViewProjection> {
    let eye = |part: &ViewportRect| {
        let rect = place(*part, scale, viewport);
        ViewProjection::of(camera, parts.len(), *part, rect)
    };
    parts.iter().map(eye).collect()
}

/// Fills what lies between the sides, and what is left over at the edges.
pub(super) fn frame_sides(ui: &egui::Ui, viewport: Rect, eyes: &[ViewProjection]) {
    let [first, second] = eyes else {
        return;
    };
    let (first, second) = (first.rect, second.rect);
    let fill = |min: egui::Pos2, max: egui::Pos2| {
        let gap = Rect::from_min_max(min, max);
        ui.painter().rect_filled(gap, 0, theme::SUNKEN);
    };
    let end = viewport.max;
    if second.left() > first.right() {
        fill(first.right_top(), pos2(second.left(), end.y));
        fill(second.right_top(), end);
    } else {
        fill(first.left_bottom(), pos2(end.x, second.top()));
        fill(second.left_bottom(), end);
    }
}

/// Marks what of the picture is in frames of that size, where their shape is another one:
/// what is beside them is darker, and edged in red while they are recorded.
pub(super) fn frame_guide(ui: &egui::Ui, [width, height]: [u32; 2], viewport: Rect, records: bool) {
    let aspect = width as f32 / height.max(1) as f32;
    // What is seen from top to bottom is the same.
    let seen = vec2(aspect * viewport.height(), viewport.height());
    if seen.x > viewport.width() - 8.0 {
        return;
    }
    let frame = Rect::from_center_size(viewport.center(), seen);
    let painter = ui.painter().with_clip_rect(viewport);
    let edge = match records {
        true => theme::ERROR,
        false => Color32::from_white_alpha(90),
    };
    let beside = [
        viewport.with_max_x(frame.left()),
        viewport.with_min_x(frame.right()),
    ];
    for (rect, x) in beside.into_iter().zip([frame.left(), frame.right()]) {
        painter.rect_filled(rect, 0, Color32::from_black_alpha(70));
        painter.vline(x, viewport.y_range(), Stroke::new(1.0, edge));
    }
}
