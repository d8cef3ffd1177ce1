//! What each pass of a frame costs, for those who ask.

use super::gl::{Gl, Stamp};
use std::{collections::VecDeque, time::Instant};

/// One pass: its name, and how long it took. `[ms]`
pub type PassTiming = (&'static str, f64);

/// Frames whose times may be on their way; older ones are forgotten.
const ON_THE_WAY: usize = 4;

/// How passes are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Not at all.
    Off,
    /// By waiting for each to end: right where the processor draws, and slows
    /// the frame a little.
    Waiting,
    /// By the graphics processor's own clock, without waiting: the times are
    /// those of a frame a few before.
    Stamps,
}

/// Takes the time of passes, one after the other.
pub(super) struct PassTimings {
    /// Whether and how.
    pub timing: Timing,
    /// Those of the last frame that is known, in order.
    pub passes: Vec<PassTiming>,
    last: Instant,
    /// A frame's stamps: its begin, and the end of each pass by its name.
    frames: VecDeque<Vec<(&'static str, Stamp)>>,
}

impl PassTimings {
    /// A watch that stands.
    pub fn new() -> Self {
        Self {
            timing: Timing::Off,
            passes: Vec::new(),
            last: Instant::now(),
            frames: VecDeque::new(),
        }
    }

    /// A frame begins.
    pub fn begin(&mut self, gl: &Gl) {
        match self.timing {
            Timing::Off => {
                self.passes.clear();
                self.frames.clear();
            }
            Timing::Waiting => {
                self.passes.clear();
                gl.finish();
                self.last = Instant::now();
            }
            Timing::Stamps => {
                self.collect();
                self.frames.push_back(Vec::new());
                self.stamp(gl, "");
            }
        }
    }

    /// The pass of that name has been asked for.
    pub fn end(&mut self, gl: &Gl, name: &'static str) {
        match self.timing {
            Timing::Off => {}
            Timing::Waiting => {
                gl.finish();
                let now = Instant::now();
                let ms = 1e3 * now.duration_since(self.last).as_secs_f64();
                self.passes.push((name, ms));
                self.last = now;
            }
            Timing::Stamps => self.stamp(gl, name),
        }
    }

    fn stamp(&mut self, gl: &Gl, name: &'static str) {
        if let (Some(frame), Some(stamp)) = (self.frames.back_mut(), Stamp::new(gl)) {
            stamp.mark();
            frame.push((name, stamp));
        }
    }

    /// Takes the times of the newest frame that is done.
    pub fn collect(&mut self) {
        while let Some(frame) = self.frames.front() {
            let times: Option<Vec<u64>> = frame.iter().map(|(_, stamp)| stamp.time()).collect();
            if let Some(times) = times {
                let spent = times.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
                let names = frame.iter().skip(1).map(|(name, _)| *name);
                self.passes = names.zip(spent.map(|ns| 1e-6 * ns as f64)).collect();
            } else if self.frames.len() <= ON_THE_WAY {
                return;
            }
            self.frames.pop_front();
        }
    }
}
