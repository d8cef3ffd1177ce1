//! How long a start takes until there is something to see, for the log.

use std::time::Instant;

/// What a person waits for after the program was started.
#[derive(Clone, Copy, Debug)]
pub struct Milestones {
    begun: Instant,
    passed: usize,
}

/// In the order in which they are passed.
const NAMES: [&str; 3] = ["window shown", "head drawn", "hair drawn"];

impl Milestones {
    /// Of a program that was started at that moment.
    pub fn since(begun: Instant) -> Self {
        Self { begun, passed: 0 }
    }

    /// Whether the window was shown.
    pub fn has_window(&self) -> bool {
        self.passed > 0
    }

    /// Whether a head was shown.
    pub fn has_head(&self) -> bool {
        self.passed > 1
    }

    /// A frame was shown; tells what it is the first one of: a window, with a head
    /// in it or not, with hair or not.
    pub fn shown(&mut self, head: bool, hair: bool) {
        let now = 1 + usize::from(head || hair) + usize::from(hair);
        for name in NAMES.iter().take(now).skip(self.passed) {
            let ms = 1e3 * self.begun.elapsed().as_secs_f64();
            log::info!("{name} after {ms:.0} ms");
        }
        self.passed = self.passed.max(now);
    }
}
