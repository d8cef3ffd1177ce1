//! Which frame of a recording is due, and when.

/// A recording in progress, as the simulation sees it.
pub(super) struct Recording {
    fps: u32,
    /// Simulated time of frame `base`. `[s]`
    from: f64,
    base: u64,
    /// Frames published so far.
    frames: u64,
    /// Frames the window is ready for.
    wanted: u64,
    /// Real time before which the next frame is not shown. `[s]`
    not_before: f64,
}

impl Recording {
    /// From the simulated time `from` on, `now`. `[s]`
    pub fn new(fps: u32, from: f64, now: f64) -> Self {
        Self {
            fps,
            from,
            base: 0,
            frames: 0,
            wanted: 1,
            not_before: now,
        }
    }

    /// The window is ready for another frame.
    pub fn want(&mut self) {
        self.wanted += 1;
    }

    /// The clock stands at that simulated time: from here the next frames count. `[s]`
    pub fn begin_at(&mut self, time: f64) {
        (self.from, self.base) = (time, self.frames);
    }

    /// How long to wait for the next frame, and for a command without a number; none
    /// where it is due. A single step is a frame while all stands still. `[s]`
    pub fn wait(&self, now: f64, paused: bool, single: bool) -> Option<Option<f64>> {
        if self.frames >= self.wanted || (paused && !single) {
            return Some(None);
        }
        // The window shows the recording no faster than the hair moves live.
        let early = !paused && now < self.not_before;
        early.then_some(Some(self.not_before - now))
    }

    /// Takes the next frame, for hair that moves at that `speed`: its number, and its
    /// simulated time. `[s]`
    pub fn next(&mut self, now: f64, speed: f64) -> (u64, f64) {
        let interval = 1.0 / (f64::from(self.fps) * speed);
        self.not_before = (self.not_before + interval).max(now);
        let frame = self.frames;
        self.frames += 1;
        (
            frame,
            self.from + (frame - self.base) as f64 / f64::from(self.fps),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_no_faster_than_hair_moves_and_as_the_window_wants_them() {
        let mut recording = Recording::new(24, 2.0, 10.0);
        assert_eq!(recording.wait(10.0, false, false), None);
        assert_eq!(recording.next(10.0, 0.5), (0, 2.0));
        assert_eq!(recording.wait(10.1, false, false), Some(None), "not wanted");
        recording.want();
        // At half the speed a frame stands for a twelfth of a second.
        let wait = recording.wait(10.05, false, false).flatten();
        assert!((wait.expect("waits") - (1.0 / 12.0 - 0.05)).abs() < 1e-9);
        assert_eq!(recording.wait(10.05, true, false), Some(None), "paused");
        assert_eq!(recording.wait(10.05, true, true), None, "a single step");
        assert_eq!(recording.next(10.1, 0.5), (1, 2.0 + 1.0 / 24.0));
        recording.begin_at(0.0);
        recording.want();
        assert_eq!(recording.next(10.2, 1.0), (2, 0.0));
    }
}
