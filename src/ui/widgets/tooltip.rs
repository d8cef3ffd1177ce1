//! Where tooltips of rows lie: beside the rows, which they would hide.

use egui::{Context, Id, Rect, RectAlign, Response, Tooltip};

/// Where rows lie one below the other: a tooltip there would hide the row that is reached
/// for next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rows {
    /// In the panel, whose tooltips lie to its left.
    Panel,
    /// Beside the tools, to the right of which tooltips lie.
    Tool,
}

/// Keeps tooltips of rows off that `place`, where such rows lie.
pub fn keep_clear(ctx: &Context, rows: Rows, place: Rect) {
    ctx.data_mut(|data| data.insert_temp(Id::unique(rows), place));
}

/// The tooltip, beside the rows that this one lies among; below any other row.
pub(super) fn beside<'a>(mut tooltip: Tooltip<'a>, response: &Response) -> Tooltip<'a> {
    for (rows, side) in [
        (Rows::Panel, RectAlign::LEFT_START),
        (Rows::Tool, RectAlign::RIGHT_START),
    ] {
        let place: Option<Rect> = response.ctx.data(|data| data.get_temp(Id::unique(rows)));
        if let Some(place) = place.filter(|place| place.contains(response.rect.center())) {
            let row = Rect::from_x_y_ranges(place.x_range(), response.rect.y_range());
            tooltip.popup = tooltip.popup.anchor(row).align(side);
        }
    }
    tooltip
}
