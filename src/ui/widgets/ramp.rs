//! The row of a ramp: its curve, with points to drag.

use super::{Edit, ROW, SliderRow};
use crate::{
    param::{Ramp, Value},
    ui::theme,
};
use egui::{Align2, FontId, Pos2, Rect, Sense, Stroke, Ui, lerp, remap, vec2};
use std::ops::RangeInclusive;

/// Room around the curve for the points at its ends. `[points]`
const MARGIN: f32 = 5.0;

/// Values are this fine; a file with them is pleasant to read.
const STEP: f32 = 0.01;

impl SliderRow<'_> {
    /// The curve from root to tip.
    pub(super) fn ramp(&self, ui: &mut Ui, now: Ramp, range: &RangeInclusive<f64>) -> Option<Edit> {
        let size = vec2(ui.available_width(), 2.0 * ROW - 4.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let field = rect.shrink(MARGIN);
        let limits = *range.start() as f32..=*range.end() as f32;
        let last = Ramp::POINTS - 1;
        let column = |x: f32| {
            let share = remap(x, field.x_range(), 0.0..=last as f32);
            (share.round().max(0.0) as usize).min(last)
        };
        // A point stays in hand, however far the pointer strays to its sides.
        let grabbed = response.id.with("point");
        let pointer = response.interact_pointer_pos();
        if let Some(pointer) = pointer
            && (response.drag_started() || !response.dragged())
        {
            ui.data_mut(|data| data.insert_temp(grabbed, column(pointer.x)));
        }
        let mut ramp = now;
        if let Some(pointer) = pointer {
            let value = remap(
                pointer.y.clamp(field.top(), field.bottom()),
                field.bottom()..=field.top(),
                limits.clone(),
            );
            let value = ((value / STEP).round() * STEP).clamp(*limits.start(), *limits.end());
            // Through text, so that a file has 0.3 and not 0.30000001.
            let value = format!("{value:.2}").parse().unwrap_or(value);
            let point = ui.data(|data| data.get_temp(grabbed));
            let point = point.unwrap_or_else(|| column(pointer.x));
            match ui.input(|input| input.modifiers.shift) {
                true => ramp = Ramp::level(value),
                false => ramp.0[point] = value,
            }
        }
        let hot = response.hover_pos().or(pointer).map(|at| column(at.x));
        paint(ui, rect, field, &limits, &ramp, hot);
        let held = response.dragged();
        let more = hot.map(|i| format!("at {} % of the length: {}", 100 * i / last, ramp.0[i]));
        self.explain_with(response, &more.unwrap_or_default());
        (ramp != now).then_some(Edit {
            value: Value::Ramp(ramp),
            held,
        })
    }
}

fn paint(
    ui: &Ui,
    rect: Rect,
    field: Rect,
    limits: &RangeInclusive<f32>,
    ramp: &Ramp,
    hot: Option<usize>,
) {
    let painter = ui.painter();
    painter.rect_filled(rect, 3.0, theme::SUNKEN);
    let height = |value: f32| remap(value, limits.clone(), field.bottom()..=field.top());
    let place = |t: f32| {
        Pos2::new(
            lerp(field.x_range().min..=field.x_range().max, t),
            height(ramp.at(t)),
        )
    };
    // Where hair is as the other sliders say.
    if limits.contains(&1.0) {
        let line = Stroke::new(1.0, theme::FIELD);
        painter.hline(rect.x_range(), height(1.0), line);
    }
    let points = (0..=48).map(|i| place(i as f32 / 48.0)).collect();
    painter.line(points, Stroke::new(1.5, theme::ACCENT));
    for i in 0..Ramp::POINTS {
        let at = place(i as f32 / (Ramp::POINTS - 1) as f32);
        let radius = if hot == Some(i) { 4.0 } else { 2.8 };
        painter.circle_filled(at, radius, theme::ACCENT);
    }
    let small = FontId::proportional(9.0);
    let corner = |align: Align2, text: &str| {
        let at = align.pos_in_rect(&rect.shrink(2.0));
        painter.text(at, align, text, small.clone(), theme::WEAK);
    };
    corner(Align2::LEFT_BOTTOM, "root");
    corner(Align2::RIGHT_TOP, "tip");
}
