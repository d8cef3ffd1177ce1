//! A number that changes over time: keys, and the smooth way through them.

use super::{ParamType, Params, Value};
use std::borrow::Cow;

/// A value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackKey {
    /// When, counted as the head's keyframes are. `[s]`
    pub time: f64,
    /// The parameter's value then, in its unit.
    pub value: f64,
}

/// What one parameter does over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    parameter: String,
    keys: Vec<TrackKey>,
}

/// Why keys make no track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackFault {
    /// There are none.
    Empty,
    /// The time of the key of that number is not from 0 to [`Track::LATEST`].
    Time(usize),
    /// The time of the key of that number is not later than that of the one before it.
    Order(usize),
    /// The value of the key of that number is not finite.
    Value(usize),
}

impl Track {
    /// No key is later. `[s]`
    pub const LATEST: f64 = 86_400.0;

    /// A track of `parameter` (`section.key`) with keys whose times grow.
    ///
    /// # Errors
    /// What is wrong with the first key that cannot be.
    pub fn new(parameter: &str, keys: Vec<TrackKey>) -> Result<Self, TrackFault> {
        if keys.is_empty() {
            return Err(TrackFault::Empty);
        }
        for (index, key) in keys.iter().enumerate() {
            if !(0.0..=Self::LATEST).contains(&key.time) {
                return Err(TrackFault::Time(index));
            }
            if index > 0 && key.time <= keys[index - 1].time {
                return Err(TrackFault::Order(index));
            }
            if !key.value.is_finite() {
                return Err(TrackFault::Value(index));
            }
        }
        Ok(Self {
            parameter: parameter.into(),
            keys,
        })
    }

    /// The parameter, `section.key`.
    pub fn parameter(&self) -> &str {
        &self.parameter
    }

    /// The section of that parameter.
    pub fn section(&self) -> &str {
        self.parameter.rsplit_once('.').map_or("", |(name, _)| name)
    }

    /// The keys, in the order of their times; one at least.
    pub fn keys(&self) -> &[TrackKey] {
        &self.keys
    }

    /// The value at `time`: that of the first key before it and of the last one after it,
    /// and between them Hermite's cubic. It passes through every key with a steady slope
    /// and never leaves the values of the two keys beside it, for no slope is steeper than
    /// three times the flatter of the two chords that it joins (Fritsch and Carlson 1980,
    /// "Monotone Piecewise Cubic Interpolation", section 3; their square of side 3). `[s]`
    pub fn at(&self, time: f64) -> f64 {
        let keys = &self.keys;
        let next = keys.partition_point(|key| key.time <= time);
        if next == 0 {
            return keys[0].value;
        }
        if next == keys.len() {
            return keys[next - 1].value;
        }
        let (a, b) = (keys[next - 1], keys[next]);
        let (span, rise) = (b.time - a.time, b.value - a.value);
        let s = (time - a.time) / span;
        let (slope_a, slope_b) = (self.slope(next - 1) * span, self.slope(next) * span);
        let (s2, s3) = (s * s, s * s * s);
        let value = a.value
            + (s3 - 2.0 * s2 + s) * slope_a
            + (3.0 * s2 - 2.0 * s3) * rise
            + (s3 - s2) * slope_b;
        // Rounding alone may leave them.
        value.clamp(a.value.min(b.value), a.value.max(b.value))
    }

    /// Slope at key number `index`: that of the parabola through it and its neighbours,
    /// as far as monotony allows; level at both ends and where the values turn back.
    fn slope(&self, index: usize) -> f64 {
        let [.., before] = self.keys[..index] else {
            return 0.0;
        };
        let [key, after, ..] = self.keys[index..] else {
            return 0.0;
        };
        let chord = |a: TrackKey, b: TrackKey| (b.value - a.value) / (b.time - a.time);
        let (left, right) = (chord(before, key), chord(key, after));
        if left * right <= 0.0 {
            return 0.0;
        }
        let (h, k) = (key.time - before.time, after.time - key.time);
        let parabola = (left * k + right * h) / (h + k);
        let steepest = 3.0 * left.abs().min(right.abs());
        parabola.clamp(-steepest, steepest)
    }

    /// The number of the key at `time`, or as good as there. `[s]`
    pub fn key_at(&self, time: f64) -> Option<usize> {
        let is_there = |key: &TrackKey| (key.time - time).abs() < Tracks::NEAR;
        self.keys.iter().position(is_there)
    }

    /// The value that stands for `time`: that of a key which is as good as there, else the
    /// one on the way. `[s]`
    pub fn shown(&self, time: f64) -> f64 {
        match self.key_at(time) {
            Some(index) => self.keys[index].value,
            None => self.at(time),
        }
    }
}

/// Tracks, at most one of a parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks(Vec<Track>);

impl Tracks {
    /// Nothing that changes over time.
    pub const NONE: Self = Self(Vec::new());

    /// Times nearer to each other are one. `[s]`
    pub const NEAR: f64 = 0.005;

    /// Tracks of different parameters; else the number of the first whose parameter
    /// has one already.
    ///
    /// # Errors
    /// That number.
    pub fn new(tracks: Vec<Track>) -> Result<Self, usize> {
        let twice = |index: &usize| {
            let before = &tracks[..*index];
            let parameter = &tracks[*index].parameter;
            before.iter().any(|other| other.parameter == *parameter)
        };
        match (1..tracks.len()).find(twice) {
            Some(index) => Err(index),
            None => Ok(Self(tracks)),
        }
    }

    /// The tracks, in the order in which they were made.
    pub fn tracks(&self) -> &[Track] {
        &self.0
    }

    /// Whether nothing changes over time.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The track of `parameter` (`section.key`), if it has one.
    pub fn of(&self, parameter: &str) -> Option<&Track> {
        self.0.iter().find(|track| track.parameter == parameter)
    }

    /// Gives `parameter` a key, in place of one at that time; a time out of range goes as
    /// far as one can. A value that is not finite is left out. `[s]`
    pub fn set_key(&mut self, parameter: &str, time: f64, value: f64) {
        if !value.is_finite() || time.is_nan() {
            return;
        }
        // Hundredths of a second are easy to read, and nearer keys are one.
        let time = (100.0 * time.clamp(0.0, Track::LATEST)).round() / 100.0;
        let key = TrackKey { time, value };
        let found = self.0.iter().position(|track| track.parameter == parameter);
        let Some(number) = found else {
            self.0.push(Track {
                parameter: parameter.into(),
                keys: vec![key],
            });
            return;
        };
        let track = &mut self.0[number];
        match track.key_at(time) {
            Some(index) => {
                track.keys[index] = TrackKey {
                    value,
                    ..track.keys[index]
                }
            }
            None => {
                let place = track.keys.partition_point(|other| other.time < time);
                track.keys.insert(place, key);
            }
        }
    }

    /// Takes the key of `parameter` at `time` away, and with its last key the track. `[s]`
    pub fn remove_key(&mut self, parameter: &str, time: f64) {
        for track in &mut self.0 {
            if track.parameter == parameter
                && let Some(index) = track.key_at(time)
            {
                track.keys.remove(index);
            }
        }
        self.0.retain(|track| !track.keys.is_empty());
    }

    /// Takes the track of `parameter` away.
    pub fn remove(&mut self, parameter: &str) {
        self.0.retain(|track| track.parameter != parameter);
    }

    /// Takes all keys at `time` away. `[s]`
    #[must_use]
    pub fn without(&self, time: f64) -> Self {
        let mut rest = self.clone();
        for track in &self.0 {
            rest.remove_key(&track.parameter, time);
        }
        rest
    }

    /// Puts what `from` has at time `at` to another `time`, or so many hundredths of a second
    /// later that it covers none of their keys. Answers when. `[s]`
    pub fn put(&mut self, from: &Self, at: f64, time: f64) -> f64 {
        let keys = from.0.iter().filter_map(|track| {
            let key = track.keys[track.key_at(at)?];
            Some((track.parameter.as_str(), key.value))
        });
        let keys: Vec<(&str, f64)> = keys.collect();
        let mut hundredths = (100.0 * time.clamp(0.0, Track::LATEST - 1.0)).round();
        let taken = |time: f64| {
            let mut tracks = keys.iter().filter_map(|(parameter, _)| self.of(parameter));
            tracks.any(|track| track.key_at(time).is_some())
        };
        while taken(hundredths / 100.0) {
            hundredths += 1.0;
        }
        for (parameter, value) in keys {
            self.set_key(parameter, hundredths / 100.0, value);
        }
        hundredths / 100.0
    }

    /// The times at which anything has a key, each once, growing. `[s]`
    pub fn times(&self) -> Vec<f64> {
        let keys = self.0.iter().flat_map(|track| &track.keys);
        let mut times: Vec<f64> = keys.map(|key| key.time).collect();
        times.sort_by(f64::total_cmp);
        times.dedup_by(|later, earlier| (*later - *earlier).abs() < Self::NEAR);
        times
    }

    /// The time of the last key; 0 without any. `[s]`
    pub fn end(&self) -> f64 {
        let ends = self.0.iter().filter_map(|track| track.keys.last());
        ends.fold(0.0, |end, key| key.time.max(end))
    }

    /// Gives those numbers of `section` that have a track their values at `time`. What has
    /// no such number, or does not allow the value, stays as it is. `[s]`
    pub fn apply(&self, section: &mut dyn Params, time: f64) {
        let name = section.section();
        for track in self.0.iter().filter(|track| track.section() == name) {
            let is_it = |key: &str| track.parameter[name.len() + 1..] == *key;
            let place = section.tunables().iter().position(|t| is_it(t.key));
            let Some(index) = place else { continue };
            if let Err(error) = section.set(index, Value::Float(track.at(time))) {
                log::error!("{error}");
            }
        }
    }

    /// `section` at `time`: as it is where it has no track. `[s]`
    pub fn over<'a, P: Params + Clone>(&self, section: &'a P, time: f64) -> Cow<'a, P> {
        let name = section.section();
        if self.0.iter().all(|track| track.section() != name) {
            return Cow::Borrowed(section);
        }
        let mut now = section.clone();
        self.apply(&mut now, time);
        Cow::Owned(now)
    }
}

/// As text, for `--set` and undo: `section.key time value time value ...; ...`.
impl ParamType for Tracks {
    fn to_value(&self) -> Value {
        let track = |track: &Track| {
            let keys = track.keys.iter();
            let keys = keys.map(|key| format!(" {} {}", key.time, key.value));
            track.parameter.clone() + &keys.collect::<String>()
        };
        let tracks: Vec<String> = self.0.iter().map(track).collect();
        Value::Text(tracks.join("; "))
    }

    fn from_value(value: &Value) -> Option<Self> {
        let Value::Text(text) = value else {
            return None;
        };
        let track = |text: &str| {
            let mut words = text.split_whitespace();
            let parameter = words.next()?;
            parameter.rsplit_once('.')?;
            let numbers: Result<Vec<f64>, _> = words.map(str::parse).collect();
            let numbers = numbers.ok()?;
            let (pairs, []) = numbers.as_chunks::<2>() else {
                return None;
            };
            let keys = pairs.iter().map(|&[time, value]| TrackKey { time, value });
            Track::new(parameter, keys.collect()).ok()
        };
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        let tracks: Option<Vec<Track>> = parts.map(track).collect();
        Self::new(tracks?).ok()
    }
}

#[cfg(test)]
mod tests;
