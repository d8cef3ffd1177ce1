//! When to say that a method is too slow for this machine: once, and not of a
//! moment.

use std::time::{Duration, Instant};

/// Slower than this share of the speed that is wanted, hair no longer moves as
/// hair.
const TOO_SLOW: f64 = 0.5;

/// It must have been so slow for so long: building takes its time, too.
const FOR: Duration = Duration::from_secs(4);

/// Since when the hair moves too slowly, and whether that was said.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlowNotice {
    /// The methods that it is about, the number of the hair, and substeps a step.
    pub about: ([Option<&'static str>; 2], Option<u64>, u32),
    since: Option<Instant>,
    told: bool,
    /// Since when it moves well again after that was said.
    well: Option<Instant>,
}

impl SlowNotice {
    /// Looks at simulated over real time; none where the hair does not move by
    /// itself. True when it is time to say something.
    pub fn look(&mut self, pace: Option<f64>, now: Instant) -> bool {
        let Some(_) = pace.filter(|pace| *pace < TOO_SLOW) else {
            self.since = None;
            return false;
        };
        let since = *self.since.get_or_insert(now);
        let long = now.saturating_duration_since(since) >= FOR;
        long && !std::mem::replace(&mut self.told, true)
    }
}

impl SlowNotice {
    /// Whether what was said has not been true for a while, or was said of
    /// something else.
    pub fn is_over(&mut self, pace: Option<f64>, now: Instant) -> bool {
        match pace {
            Some(pace) if self.told && pace >= TOO_SLOW => {
                let well = *self.well.get_or_insert(now);
                now.saturating_duration_since(well) >= FOR
            }
            _ => {
                self.well = None;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowness_is_told_once_after_a_while() {
        let (mut slow, begun) = (SlowNotice::default(), Instant::now());
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        assert!(!slow.look(Some(0.2), at(0)) && !slow.look(Some(0.2), at(3)));
        // Fast enough in between, or nothing to judge by: it begins anew.
        assert!(!slow.look(Some(0.8), at(4)) && !slow.look(Some(0.2), at(5)));
        assert!(!slow.look(None, at(8)) && !slow.look(Some(0.2), at(9)));
        assert!(!slow.look(Some(0.4), at(12)));
        assert!(slow.look(Some(0.4), at(13)));
        for second in 14..30 {
            assert!(!slow.look(Some(0.1), at(second)), "told already");
        }
        slow = SlowNotice::default();
        assert!(!slow.look(Some(0.1), at(30)) && slow.look(Some(0.1), at(34)));
    }
}
