//! The key that the present time stands for. Keys lie at hundredths of seconds or at frames, and
//! the simulation's steps seldom meet them: whoever goes to a key comes beside it.

use crate::{
    param::Tracks,
    sim::{MotionPreset, SimParams},
};

/// No step is longer. A key that was gone to is no farther. `[s]`
const LONGEST_STEP: f64 = 0.05;

/// The times of all keys: those of numbers, and those of the head where it moves by them. `[s]`
pub fn key_times(sim: &SimParams) -> Vec<f64> {
    let mut times = sim.tracks.keys.times();
    if sim.motion.preset == MotionPreset::Keyframes {
        let keys = sim.motion.keyframes.keys().iter();
        times.extend(keys.map(|key| f64::from(key.time)));
    }
    times
}

/// So far from a key one is there at most: half a step, for no other step is nearer. `[s]`
pub fn key_near(sim: &SimParams) -> f64 {
    // (What is half a step away but for rounding is there.)
    (0.5 / f64::from(sim.step.rate)).max(Tracks::NEAR) + 1e-6
}

/// The time of the key that the step at `now` stands for: the one that was `gone_to`, else the
/// nearest, if it is near enough. `[s]`
pub fn present_key(sim: &SimParams, now: f64, gone_to: Option<f64>) -> Option<f64> {
    if let Some(key) = gone_to.filter(|key| (key - now).abs() <= LONGEST_STEP) {
        return Some(key);
    }
    let far = |key: &f64| (key - now).abs();
    // A round of keys that repeats has no end: there the next one begins.
    let end = sim
        .motion
        .rounds()
        .map_or(f64::INFINITY, |[_, end]| end - 1e-6);
    let near = key_near(sim);
    let keys = key_times(sim).into_iter();
    keys.filter(|key| far(key) <= near && *key < end)
        .min_by(|a, b| far(a).total_cmp(&far(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_stands_for_the_key_that_no_other_is_nearer_to() {
        let mut sim = SimParams::default();
        for time in [0.5, 2.86, 2.87, 4.0] {
            sim.tracks.keys.set_key("wind.strength", time, 1.0);
        }
        let step = |number: u32| f64::from(number) / 60.0;
        assert_eq!(present_key(&sim, step(30), None), Some(0.5));
        assert_eq!(present_key(&sim, step(31), None), None);
        // Both keys are at one step: the one that was gone to counts.
        assert_eq!(present_key(&sim, step(172), None), Some(2.87));
        assert_eq!(present_key(&sim, step(172), Some(2.86)), Some(2.86));
        assert_eq!(present_key(&sim, step(171), None), None);
        // What was gone to somewhere else is over.
        assert_eq!(present_key(&sim, step(240), Some(2.86)), Some(4.0));
        // With short steps a key on hundredths may be farther than half of one.
        sim.step.rate = 240;
        assert_eq!(present_key(&sim, 0.505, None), Some(0.5));
        assert_eq!(present_key(&sim, 0.51, None), None);
    }
}
