//! The way between the keys of a number, as hair and picture see it.

use super::axis::ValueAxis;
use crate::{
    param::Track,
    ui::{theme, timeline::rail::RailScale},
};
use egui::{Painter, Pos2, Rangef, Rect, Shape, Stroke, pos2};

/// Just before a held value ends. `[s]`
pub(super) const BEFORE: f64 = 1e-5;

/// The way through the keys, a place for each point of the screen and two at each key, where
/// a held value leaps.
pub(super) fn curve(
    track: &Track,
    scale: &RailScale,
    axis: &ValueAxis,
    across: Rangef,
) -> Vec<Pos2> {
    let points = across.span().ceil() as usize;
    let exact = |x: f32| {
        let share = (x - scale.rail.left()) / scale.rail.width();
        f64::from(share) * scale.span
    };
    let mut times: Vec<f64> = (0..=points)
        .map(|i| exact(across.min + i as f32))
        .filter(|time| (0.0..=scale.span).contains(time))
        .collect();
    for key in track.keys() {
        times.extend([key.time - BEFORE, key.time]);
    }
    times.sort_by(f64::total_cmp);
    let points = times.into_iter().map(|time| {
        let value = track.at(time);
        pos2(scale.x(time), axis.y(value))
    });
    points.collect()
}

/// Draws the curve `way` within `plot`, dimmed from `end` on, where a round ends: what lies
/// beyond is never seen.
pub(super) fn draw_curve(painter: &Painter, plot: Rect, way: &[Pos2], end: Option<f32>) {
    let end = end.unwrap_or(plot.right());
    let parts = [
        (plot.left(), end, theme::ACCENT),
        (end, plot.right(), theme::ACCENT_DIM),
    ];
    for (from, to, colour) in parts {
        let part = Rect::from_x_y_ranges(from..=to, plot.y_range());
        let inside = painter.with_clip_rect(part.intersect(painter.clip_rect()));
        inside.add(Shape::line(way.to_vec(), Stroke::new(1.8, colour)));
    }
}
