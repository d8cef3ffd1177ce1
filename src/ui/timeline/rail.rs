//! The rail that keys lie on: times, ticks, the play head, what a key looks like.

use crate::{
    param::TimeGrid,
    session::Session,
    ui::{diamond::diamond, theme, time_unit::TimeUnit},
};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2};

/// The rail shows so much more than the keys take: room for later ones. `[s]`
const AFTER: f64 = 0.5;

/// It never shows less. `[s]`
const SHORTEST: f64 = 2.0;

/// Room of the ruler's numbers, and of dots between them. `[points]`
const LABEL: f64 = 40.0;
const DOT: f64 = 8.0;

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

    /// The time of `grid` that is nearest to a place. `[s]`
    pub fn time(&self, x: f32, grid: TimeGrid) -> f64 {
        let share = ((x - self.rail.left()) / self.rail.width()).clamp(0.0, 1.0);
        grid.nearest(f64::from(share) * self.span)
    }
}

/// What the play head can be dragged over, in the time of the keys. `[s]`
pub fn reach(session: &Session, now: f64) -> Option<[f64; 2]> {
    let reach = session.now().reach?;
    let time = session.now().time;
    let [from, to] = [reach.from, reach.to].map(|t| (t - time + now).max(0.0));
    (session.is_paused() && to > from).then_some([from, to])
}

/// Steps between the ruler's numbers of seconds. `[s]`
const SECONDS: [u32; 10] = [1, 2, 5, 10, 20, 60, 120, 300, 600, 3600];

/// The same between those of frames. `[frames]`
const FRAMES: [u32; 22] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000,
    500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
];

/// How far the ruler's numbers are apart, and dots between them, where one second or frame
/// takes `each` points: dots are as close as they do not look like a comb.
fn ruler(unit: TimeUnit, each: f64) -> [u32; 2] {
    let (steps, dots): (&[u32], &[u32]) = match unit {
        // Sixty seconds are no round number of dots.
        TimeUnit::Seconds => (&SECONDS, &SECONDS[..1]),
        TimeUnit::Frames(_) => (&FRAMES, &FRAMES),
    };
    let apart = |step: &&u32, points: f64| f64::from(**step) * each >= points;
    let labelled = steps.iter().find(|step| apart(step, LABEL));
    let labelled = labelled.or(steps.last()).copied().unwrap_or(1);
    let fits = |step: &&u32| apart(step, DOT) && labelled.is_multiple_of(**step);
    let dots = dots.iter().find(fits).copied();
    [labelled, dots.unwrap_or(labelled).min(labelled)]
}

/// Numbers of whole seconds or frames, and dots between them.
pub fn ticks(painter: &Painter, scale: &RailScale, unit: TimeUnit) {
    let rate = match unit {
        TimeUnit::Seconds => 1.0,
        TimeUnit::Frames(rate) => rate,
    };
    let each = f64::from(scale.rail.width()) / (scale.span * rate);
    let [labelled, dots] = ruler(unit, each);
    // (A frame that rounding puts just beyond the end is there.)
    for number in (0..=(scale.span * rate + 1e-6) as u32).step_by(dots as usize) {
        let x = scale.x(f64::from(number) / rate);
        let place = pos2(x, scale.rail.bottom() + 7.0);
        if number % labelled == 0 {
            let font = FontId::proportional(9.0);
            painter.text(place, Align2::CENTER_CENTER, number, font, theme::WEAK);
        } else {
            painter.circle_filled(place, 1.1, theme::WEAK);
        }
    }
}

/// The place that time goes on to.
pub fn sought(painter: &Painter, rect: Rect, x: f32) {
    let line = [pos2(x, rect.top()), pos2(x, rect.bottom())];
    let dashes = Shape::dashed_line(&line, Stroke::new(1.5, theme::WEAK), 3.0, 3.0);
    painter.extend(dashes);
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

    #[test]
    fn the_ruler_has_round_numbers_with_room_between_them_at_any_zoom() {
        for rate in [24.0, 25.0, 30_000.0 / 1001.0, 30.0, 60.0, 120.0] {
            for unit in [TimeUnit::Seconds, TimeUnit::Frames(rate)] {
                for span in [2.0, 3.0, 7.0, 30.0, 121.0, 600.0, 2000.0] {
                    for width in [60.0, 150.0, 390.0, 600.0] {
                        let rate = if unit == TimeUnit::Seconds { 1.0 } else { rate };
                        let each = width / (span * rate);
                        let [labelled, dots] = ruler(unit, each);
                        let apart = |step: u32| f64::from(step) * each;
                        assert!(apart(labelled) >= LABEL, "{unit:?} {span} {width}");
                        assert!(dots == labelled || apart(dots) >= DOT);
                        assert!(labelled.is_multiple_of(dots), "{labelled} {dots}");
                    }
                }
            }
        }
        let film = TimeUnit::Frames(24.0);
        // Two seconds on a rail of a large window, and of the smallest.
        assert_eq!(ruler(film, 390.0 / 48.0), [5, 1]);
        assert_eq!(ruler(film, 150.0 / 48.0), [20, 5]);
        assert_eq!(ruler(film, 390.0 / 720.0), [100, 20]);
        assert_eq!(ruler(TimeUnit::Seconds, 100.0), [1, 1]);
        assert_eq!(ruler(TimeUnit::Seconds, 10.0), [5, 1]);
    }

    #[test]
    fn what_is_dragged_goes_to_whole_frames_or_hundredths_of_a_second() {
        let rail = Rect::from_min_max(pos2(100.0, 0.0), pos2(500.0, 4.0));
        let scale = RailScale { rail, span: 3.0 };
        let film = TimeUnit::Frames(24.0);
        for frame in 0..=72 {
            let time = f64::from(frame) / 24.0;
            for beside in [-2.0, 0.0, 2.0] {
                let x = scale.x(time) + beside;
                assert_eq!(scale.time(x, film.drag_grid(false)), time, "{frame}");
            }
        }
        let x = scale.x(1.51);
        assert_eq!(scale.time(x, film.drag_grid(true)), 1.51);
        assert_eq!(scale.time(x, TimeUnit::Seconds.grid()), 1.51);
        assert_eq!(scale.time(-90.0, film.grid()), 0.0);
        assert_eq!(scale.time(900.0, film.grid()), 3.0);
    }
}
