//! What each pass of a frame costs, for those who ask.

use super::gl::Gl;
use std::time::Instant;

/// One pass: its name, and how long it took. `[ms]`
pub type Lap = (&'static str, f64);

/// Takes the time of passes, one after the other. Waiting for each to end slows
/// the frame a little, so this is off until somebody asks.
pub(super) struct Laps {
    /// Whether passes are timed.
    pub on: bool,
    /// Those of the last frame, in order.
    pub passes: Vec<Lap>,
    last: Instant,
}

impl Laps {
    /// A watch that stands.
    pub fn new() -> Self {
        Self {
            on: false,
            passes: Vec::new(),
            last: Instant::now(),
        }
    }

    /// A frame begins.
    pub fn begin(&mut self, gl: &Gl) {
        self.passes.clear();
        if self.on {
            gl.finish();
            self.last = Instant::now();
        }
    }

    /// The pass of that name has been asked for.
    pub fn end(&mut self, gl: &Gl, name: &'static str) {
        if self.on {
            gl.finish();
            let now = Instant::now();
            let ms = 1e3 * now.duration_since(self.last).as_secs_f64();
            self.passes.push((name, ms));
            self.last = now;
        }
    }
}
