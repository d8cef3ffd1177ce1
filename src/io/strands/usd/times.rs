//! When the poses of the curves in a USD layer are.

use super::{fault::fault, read::is_unseen};
use crate::io::strands::Fault;
use lovelock_usd::{Layer, Prim};
use std::ops::RangeInclusive;

/// Frames and time codes a second where a layer does not say them
/// (<https://openusd.org/release/api/class_usd_stage.html>, `GetFramesPerSecond`).
const RATE: f64 = 24.0;
/// Frames a second that a film may have.
const USUAL: RangeInclusive<f64> = 8.0..=240.0;
/// Poses a second that nobody needs more of.
const FASTEST: f64 = 1000.0;
/// More than twelve hours of frames.
const MOST: f64 = (1 << 20) as f64;
/// Several properties may share their times; they are no more than so many times the file.
const SHARED: usize = 16;
/// Times are written with rounding: of a pose's length.
const ROUNDED: f64 = 1e-3;

/// When the poses of a layer are: at the times that its curves are written for, where
/// these are even, and else one every frame of its rate from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseTimes {
    first: f64,
    step: f64,
    /// How many there are; two at least.
    pub count: usize,
    /// In a second. `[1/s]`
    pub rate: f64,
    /// Time codes in a second. `[1/s]`
    pub codes: f64,
}

impl PoseTimes {
    /// Those of a layer in a file of so many bytes; none where no curves move.
    pub fn of(layer: &Layer, bytes: usize) -> Result<Option<Self>, Fault> {
        let (mut times, mut room) = (Vec::new(), bytes.saturating_mul(SHARED) / 8);
        for prim in &layer.prims {
            collect(prim, &mut times, &mut room)?;
        }
        times.retain(|time: &f64| time.is_finite());
        times.sort_by(f64::total_cmp);
        times.dedup();
        let [first, .., last] = times[..] else {
            return Ok(None);
        };
        let positive = |rate: Option<f64>| rate.filter(|r| *r > 0.0 && r.is_finite());
        let [codes, frames] = [layer.time_codes_per_second, layer.frames_per_second].map(positive);
        let codes = codes.or(frames).unwrap_or(RATE);
        let even = (last - first) / (times.len() - 1) as f64;
        let is_even = times.iter().enumerate().all(|(i, time)| {
            let off = time - (first + even * i as f64);
            off.abs() <= ROUNDED * even
        });
        let step = match is_even && codes / even <= FASTEST {
            true => even,
            // Where frames are not told, a time code is one, unless it is a second or a
            // millisecond.
            false => {
                let usual = if USUAL.contains(&codes) { codes } else { RATE };
                codes / frames.unwrap_or(usual)
            }
        };
        let count = ((last - first) / step + ROUNDED).floor().min(MOST) + 1.0;
        Ok((count >= 2.0).then_some(Self {
            first,
            step,
            count: count as usize,
            rate: codes / step,
            codes,
        }))
    }

    /// When the first is. `[s]`
    pub fn start(&self) -> f64 {
        self.first / self.codes
    }

    /// The time code of one.
    pub fn at(&self, pose: usize) -> f64 {
        self.first + self.step * pose as f64
    }
}

/// Adds the times of the curves in and below a prim, and of what moves them; whether
/// there are such curves.
fn collect(prim: &Prim, times: &mut Vec<f64>, room: &mut usize) -> Result<bool, Fault> {
    let before = times.len();
    if is_unseen(prim).map_err(fault)? {
        return Ok(false);
    }
    let is_curves = prim.kind == "BasisCurves";
    for property in &prim.properties {
        if property.name.starts_with("xformOp:") || is_curves && property.name == "points" {
            let own = property.times().map_err(fault)?;
            *room = room.checked_sub(own.len()).ok_or_else(|| {
                Fault::whole(
                    "its prims share one list of times too many times; export the file again"
                        .into(),
                )
            })?;
            times.extend(own);
        }
    }
    let mut any = is_curves;
    for child in &prim.children {
        any |= collect(child, times, room)?;
    }
    if !any {
        times.truncate(before);
    }
    Ok(any)
}
