//! How carefully the window's picture is drawn when the processor has to draw
//! it: simplified while something moves, so that camera and panel stay fluid.
//!
//! Graphics hardware always draws everything; so do recordings and single
//! pictures.

use crate::render::LookParams;
use std::time::{Duration, Instant};

/// A picture of moving things should not take longer. `[ms]`
const LIVE_MS: f64 = 90.0;

/// So many strands are always drawn; fewer would not look like hair.
const LEAST_STRANDS: f32 = 3000.0;

/// A picture at rest may take so many times the strands of a moving one.
const AT_REST: f32 = 4.0;

/// When nothing has moved for this long, edges are smoothed and curls rounded.
pub const REST: Duration = Duration::from_millis(250);

/// Decides what a picture in the window may cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    software: bool,
    /// Share of the strands that is drawn while something moves, 0..=1.
    share: f32,
    moved: Instant,
}

impl Effort {
    /// For graphics hardware or, with `software`, for the processor.
    pub fn new(software: bool) -> Self {
        Self {
            software,
            share: 1.0,
            moved: Instant::now(),
        }
    }

    /// Whether the processor draws.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// Something moved at this moment.
    pub fn moved(&mut self, now: Instant) {
        self.moved = now;
    }

    /// When the picture is at rest, if nothing moves until then.
    pub fn rests_at(&self) -> Instant {
        self.moved + REST
    }

    /// The look for a picture in which something moves.
    pub fn live(&self, look: &LookParams) -> LookParams {
        if !self.software {
            return look.clone();
        }
        LookParams {
            samples: 1,
            rounding: look.rounding.min(0.7),
            ..thinned(look, self.share)
        }
    }

    /// The look for a picture in which nothing has moved for a while.
    pub fn at_rest(&self, look: &LookParams) -> LookParams {
        let share = (self.share * AT_REST).min(1.0);
        LookParams {
            // So many strands are seen from afar, where no curl has corners.
            rounding: if share < 1.0 {
                look.rounding.min(1.0)
            } else {
                look.rounding
            },
            ..thinned(look, share)
        }
    }

    /// Learns that a picture of moving things, of that many strands in all,
    /// took so long. `[ms]`
    pub fn learn(&mut self, ms: f64, strands: usize) {
        if !self.software {
            return;
        }
        // Slowly up, fast down: a hand on the mouse feels slowness at once.
        let change = (LIVE_MS / ms.max(1.0)).clamp(0.5, 1.1) as f32;
        // Small corrections would only make the hair flicker.
        if (0.8..1.05).contains(&change) {
            return;
        }
        let least = (LEAST_STRANDS / strands.max(1) as f32).min(1.0);
        self.share = (self.share * change).clamp(least, 1.0);
    }
}

/// Fewer strands; the picture widens each so that the hair stays as dense.
fn thinned(look: &LookParams, share: f32) -> LookParams {
    LookParams {
        drawn: look.drawn * share,
        ..look.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardware_draws_everything_however_long_it_takes() {
        let look = LookParams::default();
        let mut effort = Effort::new(false);
        effort.learn(5000.0, 100_000);
        assert_eq!(effort.live(&look), look);
        assert_eq!(effort.at_rest(&look), look);
    }

    #[test]
    fn a_processor_draws_what_it_can_and_the_rest_at_rest() {
        let look = LookParams::default();
        let mut effort = Effort::new(true);
        // 20 ms for the head, 4 s for all strands.
        for _ in 0..200 {
            let share = f64::from(effort.live(&look).drawn);
            effort.learn(20.0 + 4000.0 * share, 100_000);
        }
        let live = effort.live(&look);
        assert_eq!(live.samples, 1);
        assert!((0.03..0.2).contains(&live.drawn), "{}", live.drawn);
        let rest = effort.at_rest(&look);
        assert_eq!(rest.samples, look.samples);
        assert!(rest.drawn > 2.0 * live.drawn);
        // When it becomes fast again, all come back.
        for _ in 0..200 {
            effort.learn(5.0, 100_000);
        }
        assert_eq!(effort.live(&look).drawn, look.drawn);
    }

    #[test]
    fn ordinary_hair_is_never_thinned() {
        let mut effort = Effort::new(true);
        for _ in 0..50 {
            effort.learn(900.0, 3000);
        }
        let look = LookParams::default();
        assert_eq!(effort.live(&look).drawn, look.drawn);
    }
}
