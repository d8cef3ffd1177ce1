//! When to draw: only when something is new, and no more often than the
//! display shows.
//!
//! Some drivers do not wait for the display when they should, so the window
//! keeps its own time.

use std::time::{Duration, Instant};

/// When nobody wanted a frame for this long after the last one, that was a
/// rest, not a slow frame.
const REST: Duration = Duration::from_millis(400);

/// Decides when the next frame is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Pacing {
    interval: Duration,
    last: Option<Instant>,
    wanted: Option<Instant>,
    gap: Option<f64>,
}

impl Pacing {
    /// For a display that shows a picture each `interval`.
    pub fn new(interval: Duration) -> Self {
        Self {
            interval,
            last: None,
            wanted: None,
            gap: None,
        }
    }

    /// The window moved to a display of another rate.
    pub fn set(&mut self, interval: Duration) {
        self.interval = interval;
    }

    /// Something is new: draw as soon as may be.
    pub fn want(&mut self) {
        self.want_at(Instant::now());
    }

    /// Something will be new at that moment.
    pub fn want_at(&mut self, moment: Instant) {
        self.wanted = Some(self.wanted.map_or(moment, |wanted| wanted.min(moment)));
    }

    /// When to draw next; none while nothing is new.
    pub fn next(&self, now: Instant) -> Option<Instant> {
        let wanted = self.wanted?;
        // A millisecond early is on time: waiting is never exact.
        let spaced = self.interval.saturating_sub(Duration::from_millis(1));
        let soonest = self.last.map_or(now, |last| last + spaced);
        Some(wanted.max(soonest))
    }

    /// A frame is being drawn.
    pub fn drawn(&mut self, now: Instant) {
        if let (Some(last), Some(wanted)) = (self.last, self.wanted) {
            let gap = now.saturating_duration_since(last);
            if wanted.saturating_duration_since(last) < REST {
                let gap = gap.as_secs_f64();
                self.gap = Some(self.gap.map_or(gap, |mean| mean + 0.1 * (gap - mean)));
            }
        }
        self.last = Some(now);
        self.wanted = None;
    }

    /// Frames a second, lately, while something moved.
    pub fn rate(&self) -> f64 {
        self.gap
            .filter(|gap| *gap > 0.0)
            .map_or(0.0, |gap| 1.0 / gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn nothing_new_nothing_drawn() {
        let start = Instant::now();
        let mut pacing = Pacing::new(16 * MS);
        assert_eq!(pacing.next(start), None);
        pacing.want();
        assert!(
            pacing
                .next(start)
                .is_some_and(|next| next <= Instant::now())
        );
        pacing.drawn(start);
        assert_eq!(pacing.next(start + 100 * MS), None);
    }

    #[test]
    fn never_more_often_than_the_display() {
        let start = Instant::now();
        let mut pacing = Pacing::new(16 * MS);
        pacing.drawn(start);
        pacing.want_at(start);
        assert_eq!(pacing.next(start + MS), Some(start + 15 * MS));
        // A later wish does not postpone an earlier one, nor the other way.
        pacing.drawn(start);
        pacing.want_at(start + 200 * MS);
        pacing.want_at(start + 100 * MS);
        assert_eq!(pacing.next(start + MS), Some(start + 100 * MS));
    }

    #[test]
    fn the_rate_is_that_of_the_frames_and_rests_do_not_count() {
        let mut now = Instant::now();
        let mut pacing = Pacing::new(16 * MS);
        for i in 0..50 {
            now += if i == 25 { 5000 * MS } else { MS };
            pacing.want_at(now);
            now += 19 * MS;
            pacing.drawn(now);
        }
        assert!((pacing.rate() - 50.0).abs() < 0.5, "{}", pacing.rate());
        // Slow frames do count.
        for _ in 0..100 {
            now += MS;
            pacing.want_at(now);
            now += 999 * MS;
            pacing.drawn(now);
        }
        assert!((pacing.rate() - 1.0).abs() < 0.1, "{}", pacing.rate());
    }
}
