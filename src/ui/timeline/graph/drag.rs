//! A key that is dragged in the graph.

use super::axis::ValueAxis;
use crate::{
    param::{TimeGrid, TrackKey, Tracks},
    ui::timeline::rail::RailScale,
};
use egui::{Pos2, Vec2};

/// Less is no move along an axis. `[points]`
const STILL: f32 = 1.0;

/// A key that is dragged: what was there when that began, for all of the way counts from
/// there.
#[derive(Clone)]
pub(super) struct KeyDrag {
    /// The keys of all numbers.
    before: Tracks,
    key: TrackKey,
    /// Whether a copy is dragged.
    copies: bool,
    /// How much the rail showed. `[s]`
    span: f64,
    axis: ValueAxis,
    /// Where the mouse went down, and from the middle of the key to there.
    press: Pos2,
    grip: Vec2,
}

impl KeyDrag {
    /// A drag that begins: all keys, the one that is dragged, and whether it is a copy; how
    /// much the rail shows, and the axis; the mouse, and the middle of the key.
    pub fn new(
        (before, key, copies): (Tracks, TrackKey, bool),
        (span, axis): (f64, ValueAxis),
        (press, middle): (Pos2, Pos2),
    ) -> Self {
        Self {
            before,
            key,
            copies,
            span,
            axis,
            press,
            grip: press - middle,
        }
    }

    /// How much time the rail shows meanwhile. `[s]`
    pub fn span(&self) -> f64 {
        self.span
    }

    /// What values are where meanwhile.
    pub fn axis(&self) -> &ValueAxis {
        &self.axis
    }

    /// All keys with the mouse there, and when the one of the number `name` is then; where it
    /// moves along `one` axis only, along the one on which the mouse has gone farther; times
    /// are those of `grid`. `[s]`
    pub fn moved(
        &self,
        name: &str,
        at: Pos2,
        one: bool,
        (scale, grid): (&RailScale, TimeGrid),
    ) -> (Tracks, f64) {
        let way = (at - self.press).abs();
        let (across, up) = match one {
            true => (way.x >= way.y, way.x < way.y),
            false => (true, true),
        };
        let there = at - self.grip;
        let time = match across && way.x >= STILL {
            true => scale.time(there.x, grid),
            false => self.key.time,
        };
        let value = match up && way.y >= STILL {
            true => self.axis.value(there.y),
            false => self.key.value,
        };
        let mut moved = self.before.clone();
        if time == self.key.time && value == self.key.value {
            // Not even a copy of it.
            return (moved, time);
        }
        let time = moved.move_key(name, self.key.time, (time, value), grid, self.copies);
        (moved, time)
    }
}
