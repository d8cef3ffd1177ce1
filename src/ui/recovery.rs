//! How often to try again when the OpenGL context is lost.

use std::time::Duration;

/// So many attempts in a row are made.
const ATTEMPTS: u32 = 6;
/// Before the second attempt; twice as much before each later one. A driver that has
/// just been reset, or replaced, needs a moment.
const PAUSE: Duration = Duration::from_millis(100);
/// A context that has shown so many frames was not lost at once.
const SETTLED: u32 = 20;

/// Counts attempts and what came of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recovery {
    /// Attempts since the last context that held.
    attempts: u32,
    /// Frames that the present context has shown.
    frames: u32,
}

impl Recovery {
    /// A frame was shown.
    pub fn shown(&mut self) {
        self.frames = self.frames.saturating_add(1);
        if self.frames >= SETTLED {
            self.attempts = 0;
        }
    }

    /// How long to wait before the next attempt; none when there were enough.
    pub fn attempt(&mut self) -> Option<Duration> {
        self.frames = 0;
        let before = self.attempts;
        self.attempts += 1;
        match before {
            0 => Some(Duration::ZERO),
            ATTEMPTS.. => None,
            _ => Some(PAUSE * (1 << (before - 1))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_in_a_row_end_and_take_few_seconds() {
        let mut recovery = Recovery::default();
        let pauses: Vec<_> = std::iter::from_fn(|| recovery.attempt()).collect();
        assert_eq!(pauses.len(), ATTEMPTS as usize);
        assert_eq!(pauses[0], Duration::ZERO);
        let all: Duration = pauses.iter().sum();
        assert!(all > Duration::from_secs(2) && all < Duration::from_secs(5));
        assert_eq!(recovery.attempt(), None);
    }

    #[test]
    fn a_context_that_held_counts_anew() {
        let mut recovery = Recovery::default();
        for _ in 0..100 {
            assert_eq!(recovery.attempt(), Some(Duration::ZERO));
            (0..SETTLED).for_each(|_| recovery.shown());
        }
        // One that is lost after a few frames is none that held.
        let mut count = 0;
        while recovery.attempt().is_some() {
            recovery.shown();
            count += 1;
        }
        assert_eq!(count, ATTEMPTS);
    }
}
