//! What is shown while the first hair grows: a line that says so, over the head
//! as soon as there is one.

use super::theme;
use egui::{Align2, FontId, Rect, Stroke, Ui, pos2, vec2};
use std::time::Duration;

/// Width of the line. `[points]`
const WIDTH: f32 = 260.0;

/// Seldom enough to leave the processor to what is being waited for.
const EVERY: Duration = Duration::from_millis(80);

/// Paints the line; `head` when there is one to be seen, `reading` while files of a
/// sequence are read: how many, of how many.
pub fn show(ui: &Ui, viewport: Rect, head: bool, reading: Option<(usize, usize)>) {
    let painter = ui.painter();
    if !head {
        painter.rect_filled(viewport, 0, theme::CURTAIN);
    }
    let text = match (reading, head) {
        (Some((done, all)), _) => format!("Reading frame {done} of {all}"),
        (None, true) => "Growing hair".into(),
        (None, false) => "Reading the head".into(),
    };
    let width = WIDTH.min(0.8 * viewport.width());
    let middle = pos2(viewport.center().x, viewport.bottom() - 56.0);
    let rail = Rect::from_center_size(middle, vec2(width, 4.0));
    let words = rail.center_top() - vec2(0.0, 6.0);
    let back = Rect::from_min_max(
        rail.left_top() - vec2(14.0, 28.0),
        rail.right_bottom() + vec2(14.0, 10.0),
    );
    painter.rect_filled(back, 6, theme::RAISED.gamma_multiply(0.85));
    let font = FontId::proportional(13.0);
    painter.text(words, Align2::CENTER_BOTTOM, text, font, theme::TEXT);
    painter.rect_filled(rail, 2, theme::SUNKEN);
    let part = |from: f32, to: f32| {
        let x = |share: f32| rail.left() + share.clamp(0.0, 1.0) * rail.width();
        Rect::from_min_max(pos2(x(from), rail.top()), pos2(x(to), rail.bottom()))
    };
    let lit = match reading {
        Some((done, all)) => part(0.0, done as f32 / all.max(1) as f32),
        None => {
            // Nobody knows how long it takes; that it goes on can be seen.
            let time = ui.input(|input| input.time) as f32;
            let at = (0.6 * time).fract() * 1.3;
            part(at - 0.3, at)
        }
    };
    painter.rect_filled(lit, 2, theme::ACCENT);
    painter.rect_stroke(
        rail,
        2,
        Stroke::new(1.0, theme::FIELD),
        egui::StrokeKind::Outside,
    );
    ui.ctx().request_repaint_after(EVERY);
}
