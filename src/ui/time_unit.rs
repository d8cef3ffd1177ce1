//! What the timeline counts time in, seconds or frames: how times are told and typed, and
//! where keys are put.

use crate::{
    param::{TimeGrid, Track, Tracks},
    sim::{MotionParams, keyframes::Keyframes},
};

/// So near to a frame a time is told as that frame. `[frames]`
const NEAR: f64 = 0.005;

/// Keyframes of the head, in single precision, lie so far beside their times at most. `[s]`
const ROUNDING: f64 = 1e-3;

/// What time is counted in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeUnit {
    /// Seconds; keys are put at hundredths of them.
    Seconds,
    /// Frames, so many a second; keys are put at whole ones. `[1/s]`
    Frames(f64),
}

impl TimeUnit {
    /// What the timeline counts in: frames of a recording at `fps`, or seconds.
    pub fn of(shows_frames: bool, fps: u32) -> Self {
        match shows_frames {
            true => Self::Frames(fps.into()),
            false => Self::Seconds,
        }
    }

    /// The times at which keys are put.
    pub fn grid(self) -> TimeGrid {
        match self {
            Self::Seconds => TimeGrid::HUNDREDTHS,
            Self::Frames(rate) => TimeGrid::frames(rate),
        }
    }

    /// The same for what is dragged, `freely` or by frames.
    pub fn drag_grid(self, freely: bool) -> TimeGrid {
        match freely {
            true => TimeGrid::HUNDREDTHS,
            false => self.grid(),
        }
    }

    /// The time among the keys of `motion` that `now` stands for: the whole frame that is
    /// nearest, and that a round of keys still has. `[s]`
    pub fn present(self, now: f64, motion: &MotionParams) -> f64 {
        if self == Self::Seconds {
            return now;
        }
        let grid = self.grid();
        let frame = grid.nearest(now);
        match motion.rounds() {
            Some([_, end]) if frame >= end - 1e-6 => {
                grid.time((grid.count(frame).round() - 1.0).max(0.0))
            }
            _ => frame,
        }
    }

    /// The time of a key without what single precision has made of it: that of the grid where
    /// it lies there. `[s]`
    pub fn of_key(self, time: f64) -> f64 {
        let there = self.grid().nearest(time);
        match (there - time).abs() < ROUNDING {
            true => there,
            false => time,
        }
    }

    /// Where a key of a number is put that is set at `time`: in place of one that lies there,
    /// else on the grid. `[s]`
    pub fn place(self, time: f64, tracks: &Tracks) -> f64 {
        let there = |track: &Track| Some(track.keys()[track.key_at(time)?].time);
        let all = tracks.tracks().iter().filter_map(there);
        let far = |key: &f64| (key - time).abs();
        let there = all.min_by(|a, b| far(a).total_cmp(&far(b)));
        there.unwrap_or(self.grid().nearest(time))
    }

    /// The same of the head's keyframes. `[s]`
    pub fn head_place(self, time: f64, keys: &Keyframes) -> f64 {
        match keys.key_at(time) {
            Some(index) => keys.keys()[index].time.into(),
            None => self.grid().nearest(time),
        }
    }

    /// The number of the frame at `time`, with two digits where it lies between frames. `[s]`
    fn frame(rate: f64, time: f64) -> String {
        let count = TimeGrid::frames(rate).count(time);
        match (count - count.round()).abs() < NEAR {
            // (Adding nothing makes a plain zero of -0.)
            true => format!("{:.0}", count.round() + 0.0),
            false => format!("{count:.2}"),
        }
    }

    /// A time in words: `1.50 s`, or `frame 36 · 1.50 s`. `[s]`
    pub fn text(self, time: f64) -> String {
        match self {
            Self::Seconds => format!("{time:.2} s"),
            Self::Frames(rate) => format!("frame {} · {time:.2} s", Self::frame(rate, time)),
        }
    }

    /// The same more briefly: `1.50 s`, or `frame 36`. `[s]`
    pub fn brief(self, time: f64) -> String {
        match self {
            Self::Seconds => self.text(time),
            Self::Frames(rate) => format!("frame {}", Self::frame(rate, time)),
        }
    }

    /// The number alone, as it stands in a field: `1.50`, or `36`. `[s]`
    pub fn number(self, time: f64) -> String {
        match self {
            Self::Seconds => format!("{time:.2}"),
            Self::Frames(rate) => Self::frame(rate, time),
        }
    }

    /// What stands behind that number.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Frames(_) => "frames",
        }
    }

    /// The time that a text says: a number in this unit, or one with a unit of its own, `1.5 s`
    /// or `36 f`, where the rate of frames is known.
    ///
    /// # Errors
    /// A few words on what is wrong with it.
    pub fn read(self, text: &str) -> Result<f64, String> {
        let text = text.trim().to_lowercase().replace('−', "-");
        let behind = |names: &[&str]| {
            let mut rests = names.iter().filter_map(|name| text.strip_suffix(name));
            rests.next().map(str::trim_end)
        };
        let frame = text.strip_prefix("frame ").map(str::trim_start);
        let frames = behind(&["frames", "frame", "f"]).or(frame);
        let seconds = behind(&["s"]).filter(|_| frames.is_none());
        let (number, rate) = match (self, frames, seconds) {
            (Self::Seconds, Some(_), _) => return Err("That is no time in seconds".into()),
            (Self::Seconds, _, number) => (number.unwrap_or(&text), 1.0),
            (Self::Frames(_), _, Some(number)) => (number, 1.0),
            (Self::Frames(rate), number, None) => (number.unwrap_or(&text), rate),
        };
        let number = number.replace(',', ".").parse::<f64>();
        let time = number.ok().filter(|number| number.is_finite());
        let time = time.ok_or("That is no number")? / rate;
        if time < 0.0 {
            return Err(format!("At least 0 {}", self.suffix()));
        }
        if time > Track::LATEST {
            let most = self.number(Track::LATEST);
            return Err(format!("At most {most} {}", self.suffix()));
        }
        Ok(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{MotionPreset, keyframes::Keyframe};

    const RATES: [f64; 5] = [24.0, 25.0, 30_000.0 / 1001.0, 30.0, 60.0];

    #[test]
    fn times_are_told_in_frames_and_seconds() {
        let film = TimeUnit::of(true, 24);
        assert_eq!(film.text(1.5), "frame 36 · 1.50 s");
        assert_eq!(film.text(1.0 / 24.0), "frame 1 · 0.04 s");
        assert_eq!(film.text(f64::from(1.0f32 / 24.0)), "frame 1 · 0.04 s");
        assert_eq!(film.text(1.51), "frame 36.24 · 1.51 s");
        assert_eq!(film.number(1.5), "36");
        assert_eq!(TimeUnit::of(false, 24).text(1.5), "1.50 s");
    }

    #[test]
    fn what_is_told_is_read_as_the_same_time() {
        for rate in RATES {
            let unit = TimeUnit::Frames(rate);
            for frame in 0..2000 {
                let time = f64::from(frame) / rate;
                assert_eq!(unit.read(&unit.number(time)), Ok(time));
                let told = format!("{} {}", unit.number(time), unit.suffix());
                assert_eq!(unit.read(&told), Ok(time));
                assert_eq!(unit.grid().nearest(time), time);
            }
        }
        let film = TimeUnit::of(true, 24);
        for (text, wanted) in [
            ("36", 1.5),
            (" 36 f ", 1.5),
            ("Frame 36", 1.5),
            ("36.24", 1.51),
            ("36,24 frames", 1.51),
            ("1.5 s", 1.5),
            ("1.5s", 1.5),
            ("1e1", 10.0 / 24.0),
        ] {
            assert_eq!(film.read(text), Ok(wanted), "{text}");
        }
        let plain = TimeUnit::of(false, 24);
        for (text, wanted) in [("1.5", 1.5), ("1,5 s", 1.5), ("0", 0.0)] {
            assert_eq!(plain.read(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused_with_a_word() {
        let film = TimeUnit::of(true, 24);
        let plain = TimeUnit::of(false, 24);
        for unit in [film, plain] {
            for text in [
                "", "s", "f", "abc", "nan", "inf", "1 2", "1.2.3", "s s", "5 m",
            ] {
                let refused = unit.read(text);
                assert!(refused.is_err(), "{text:?} is {refused:?}");
            }
        }
        assert_eq!(film.read("-1"), Err("At least 0 frames".into()));
        assert_eq!(plain.read("−1"), Err("At least 0 s".into()));
        assert_eq!(plain.read("1e9"), Err("At most 86400.00 s".into()));
        assert_eq!(film.read("1e9"), Err("At most 2073600 frames".into()));
        assert_eq!(plain.read("36 f"), Err("That is no time in seconds".into()));
    }

    #[test]
    fn the_present_time_stands_for_the_frame_that_is_nearest() {
        let motion = MotionParams::default();
        let film = TimeUnit::of(true, 24);
        // Steps of a sixtieth of a second.
        assert_eq!(film.present(2.0 / 60.0, &motion), 1.0 / 24.0);
        assert_eq!(film.present(3.0 / 60.0, &motion), 1.0 / 24.0);
        assert_eq!(film.present(1.0 / 60.0, &motion), 0.0);
        assert_eq!(TimeUnit::Seconds.present(0.033, &motion), 0.033);
        // A round that ends has no frame at its end: there the next one begins.
        let key = |time, yaw| Keyframe {
            time,
            rotation: [yaw, 0.0, 0.0],
            position: [0.0; 3],
        };
        let keyframes = Keyframes::new(vec![key(0.0, 0.0), key(1.0, 9.0), key(2.0, 0.0)]);
        let motion = MotionParams {
            preset: MotionPreset::Keyframes,
            keyframes: keyframes.expect("in order"),
            repeat: true,
            ..MotionParams::default()
        };
        assert_eq!(motion.rounds(), Some([0.0, 2.0]));
        assert_eq!(film.present(1.99, &motion), 47.0 / 24.0);
    }
}
