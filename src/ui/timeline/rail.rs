//! The rail that keys lie on: times, ticks, the play head, what a key looks like.

use crate::{
    session::Session,
    ui::{diamond::diamond, theme},
};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2};

/// The rail shows so much more than the keys take: room for later ones. `[s]`
const AFTER: f64 = 0.5;

/// It never shows less. `[s]`
const SHORTEST: f64 = 2.0;

/// Room of a number of seconds. `[points]`
const LABEL: f64 = 40.0;

/// How much the rail shows where the keys take that long: in whole seconds and, where time
/// has gone on beyond them, twice as much or more, so that it seldom changes. `[s]`
pub fn span(keys: f64, now: f64) -> f64 {
    let mut span = (keys + AFTER).ceil().max(SHORTEST);
    while span < now {
        span *= 2.0;
    }
    span
}

/// From times to places on the rail.
pub struct RailScale {
    /// Where it is.
    pub rail: Rect,
    /// How much it shows, from time 0. `[s]`
    pub span: f64,
}

impl RailScale {
    /// The place of a time. `[points]`
    pub fn x(&self, time: f64) -> f32 {
        let share = (time / self.span).clamp(0.0, 1.0);
        self.rail.left() + share as f32 * self.rail.width()
    }

    /// The time of a place, in hundredths of a second, as keys are. `[s]`
    pub fn time(&self, x: f32) -> f64 {
        let share = ((x - self.rail.left()) / self.rail.width()).clamp(0.0, 1.0);
        (100.0 * f64::from(share) * self.span).round() / 100.0
    }
}

/// What the play head can be dragged over, in the time of the keys. `[s]`
pub fn reach(session: &Session, now: f64) -> Option<[f64; 2]> {
    let reach = session.now().reach?;
    let time = session.now().time;
    let [from, to] = [reach.from, reach.to].map(|t| (t - time + now).max(0.0));
    (session.is_paused() && to > from).then_some([from, to])
}

/// Whole seconds, while they are not a comb.
pub fn ticks(painter: &Painter, scale: &RailScale) {
    let spacing = f64::from(scale.rail.width()) / scale.span;
    let wide = |each: &u32| f64::from(*each) * spacing >= LABEL;
    let steps = [1, 2, 5, 10, 20, 60, 120, 300, 600];
    let labelled = steps.into_iter().find(wide).unwrap_or(3600);
    // Dots in between where they stay apart.
    let each = if spacing < 7.0 { labelled } else { 1 };
    for second in (0..=scale.span as u32).step_by(each as usize) {
        let place = pos2(scale.x(second.into()), scale.rail.bottom() + 7.0);
        if second % labelled == 0 {
            let font = FontId::proportional(9.0);
            painter.text(place, Align2::CENTER_CENTER, second, font, theme::WEAK);
        } else {
            painter.circle_filled(place, 1.1, theme::WEAK);
        }
    }
}

/// The play head at that place.
pub fn play_head(painter: &Painter, rect: Rect, x: f32) {
    painter.vline(x, rect.y_range(), Stroke::new(1.5, theme::TEXT));
    let top = rect.top();
    let knob = vec![pos2(x - 5.0, top), pos2(x + 5.0, top), pos2(x, top + 7.0)];
    painter.add(Shape::convex_polygon(knob, theme::TEXT, Stroke::NONE));
}

/// A key, half as wide as `size`; larger under the mouse.
pub fn draw_key(painter: &Painter, middle: Pos2, size: f32, chosen: bool, hot: bool) {
    let size = if hot { size } else { size - 1.0 };
    let fill = if chosen {
        Color32::WHITE
    } else {
        theme::ACCENT
    };
    let edge = Stroke::new(1.0, Color32::from_black_alpha(160));
    diamond(painter, middle, size, fill, edge);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rail_shows_all_keys_and_the_present_time() {
        assert_eq!(span(0.0, 0.0), 2.0);
        assert_eq!(span(1.5, 1.9), 2.0);
        assert_eq!(span(6.2, 5.0), 7.0);
        // Between a half and all of it has gone by.
        assert_eq!(span(0.0, 10.9), 16.0);
        assert_eq!(span(6.2, 15.0), 28.0);
    }
}
