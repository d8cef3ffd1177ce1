//! The frames of a head that moves in a USD layer.

use super::usd::is_hidden;
use lovelock_usd::{Layer, Prim, UsdError};
use std::ops::RangeInclusive;

/// Frames and time codes a second where a layer does not say them
/// (<https://openusd.org/release/api/class_usd_stage.html>, `GetFramesPerSecond`).
const RATE: f64 = 24.0;
/// Frames a second that a film may have.
const USUAL: RangeInclusive<f64> = 8.0..=240.0;
/// More than twelve hours.
const MOST: f64 = (1 << 20) as f64;

/// When the frames of a layer are: one every frame of its rate, from the first time at
/// which something of its meshes has a value to the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTimes {
    first: f64,
    step: f64,
    count: usize,
    rate: Option<f64>,
    codes: f64,
}

impl FrameTimes {
    /// Those of a layer; none where no mesh moves.
    pub fn of(layer: &Layer) -> Result<Option<Self>, UsdError> {
        let mut span = None;
        for prim in &layer.prims {
            meshes(prim, None, &mut span)?;
        }
        let Some([first, last]) = span else {
            return Ok(None);
        };
        let positive = |rate: Option<f64>| rate.filter(|r| *r > 0.0 && r.is_finite());
        let [codes, frames] = [layer.time_codes_per_second, layer.frames_per_second].map(positive);
        let codes_told = codes.is_some();
        let codes = codes.or(frames).unwrap_or(RATE);
        // Where frames are not told, a time code is one, unless it is a second or a
        // millisecond.
        let usual = if USUAL.contains(&codes) { codes } else { RATE };
        let step = codes / frames.unwrap_or(usual);
        // Times are written with rounding.
        let count = ((last - first) / step + 1e-3).floor().min(MOST) + 1.0;
        Ok((count >= 2.0).then_some(Self {
            first,
            step,
            count: count as usize,
            rate: (codes_told || frames.is_some()).then_some(codes / step),
            codes,
        }))
    }

    /// How many there are; two at least.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Frames in a second; none where the layer does not say it. `[1/s]`
    pub fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// When the first is `[s]`, and time codes in a second.
    pub fn start(&self) -> [f64; 2] {
        [self.first / self.codes, self.codes]
    }

    /// The time code of one.
    pub fn at(&self, frame: usize) -> f64 {
        self.first + self.step * frame as f64
    }
}

type Span = Option<[f64; 2]>;

/// Adds the times of the meshes of a prim, which stands under others that move as long
/// as `above`, to `span`.
fn meshes(prim: &Prim, above: Span, span: &mut Span) -> Result<(), UsdError> {
    if is_hidden(prim)? {
        return Ok(());
    }
    let mut here = above;
    for property in &prim.properties {
        if property.name.starts_with("xformOp:") {
            widen(&mut here, &property.times()?);
        }
    }
    if prim.kind == "Mesh" {
        if let Some(points) = prim.property("points") {
            widen(span, &points.times()?);
        }
        widen(span, here.as_ref().map_or(&[], |ends| &ends[..]));
    }
    for child in &prim.children {
        meshes(child, here, span)?;
    }
    Ok(())
}

fn widen(span: &mut Span, times: &[f64]) {
    for time in times.iter().copied().filter(|time| time.is_finite()) {
        let [first, last] = span.get_or_insert([time; 2]);
        *first = first.min(time);
        *last = last.max(time);
    }
}
