//! How long the window's thread is held up by anything but drawing: what comes
//! in meanwhile has to wait.

use std::time::{Duration, Instant};

/// Longer than this, a person notices.
const NOTICED: Duration = Duration::from_millis(100);

/// What the window's thread did, and what of it took longest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Waits {
    frames: u64,
    noticed: u64,
    longest: Duration,
    by: &'static str,
}

impl Waits {
    /// Does some work on the window's thread and takes its time; `what` names it.
    pub fn time<T>(&mut self, what: &'static str, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        self.note(what, begun.elapsed());
        done
    }

    /// Notes that `what` took so long.
    pub fn note(&mut self, what: &'static str, took: Duration) {
        if took > self.longest {
            (self.longest, self.by) = (took, what);
        }
        if took > NOTICED {
            self.noticed += 1;
            let ms = took.as_millis();
            log::info!("the window's thread was held up for {ms} ms by {what}");
        }
    }

    /// Counts a frame.
    pub fn frame(&mut self) {
        self.frames += 1;
    }

    /// Frames so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// How often something took longer than a person overlooks.
    pub fn noticed(&self) -> u64 {
        self.noticed
    }

    /// One sentence of all that was noted.
    pub fn told(&self) -> String {
        let Self {
            frames,
            noticed,
            longest,
            by,
        } = self;
        let by = match *by {
            "" => "nothing",
            by => by,
        };
        format!(
            "the window's thread: {frames} frames, held up {noticed} times for more than {} ms, \
             longest for {:.1} ms by {by}",
            NOTICED.as_millis(),
            1e3 * longest.as_secs_f64()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_is_told_with_its_reason() {
        let mut waits = Waits::default();
        assert!(waits.told().contains("by nothing"));
        waits.frame();
        waits.note("a key", Duration::from_millis(3));
        waits.note("the panel", Duration::from_millis(130));
        waits.note("news", Duration::from_millis(20));
        assert_eq!(waits.time("an act", || 7), 7);
        assert_eq!((waits.frames(), waits.noticed()), (1, 1));
        let told = waits.told();
        assert!(
            told.contains("1 frames, held up 1 times") && told.contains("130.0 ms by the panel"),
            "{told}"
        );
    }
}
