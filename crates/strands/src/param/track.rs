//! A number that changes over time: keys, and the way through them.

mod between;
mod text;

pub use between::KeyInterpolation;

use super::{Params, TimeGrid, Value};
use std::borrow::Cow;

/// A value at a time, and how it goes on from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackKey {
    /// When, counted as the head's keyframes are. `[s]`
    pub time: f64,
    /// The parameter's value then, in its unit.
    pub value: f64,
    /// How it goes to the next key; after the last one it rests.
    pub interpolation: KeyInterpolation,
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

    /// Times nearer to each other are one: less than the distance of hundredths of a second and
    /// of frames. `[s]`
    pub const NEAR: f64 = 0.005;

    /// No key is put later where it may have to give way to others. `[s]`
    const LAST_MOVED: f64 = Track::LATEST - 1.0;

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
    /// far as one can. A value that is not finite is left out. A new key goes on as the one
    /// before it does, and the first as the one after it. `[s]`
    pub fn set_key(&mut self, parameter: &str, time: f64, value: f64) {
        if !value.is_finite() || time.is_nan() {
            return;
        }
        let time = time.clamp(0.0, Track::LATEST);
        let like = self.of(parameter).map(|track| {
            let place = track.keys.partition_point(|other| other.time < time);
            let number = track.key_at(time).unwrap_or(place.saturating_sub(1));
            track.keys[number].interpolation
        });
        self.insert(
            parameter,
            TrackKey {
                time,
                value,
                interpolation: like.unwrap_or_default(),
            },
        );
    }

    /// Gives `parameter` this key, in place of one at its time.
    fn insert(&mut self, parameter: &str, key: TrackKey) {
        let found = self.0.iter().position(|track| track.parameter == parameter);
        let Some(number) = found else {
            self.0.push(Track {
                parameter: parameter.into(),
                keys: vec![key],
            });
            return;
        };
        let track = &mut self.0[number];
        match track.key_at(key.time) {
            Some(index) => {
                track.keys[index] = TrackKey {
                    time: track.keys[index].time,
                    ..key
                }
            }
            None => {
                let place = track.keys.partition_point(|other| other.time < key.time);
                track.keys.insert(place, key);
            }
        }
    }

    /// Lets the key of `parameter` at `time` go on like that. `[s]`
    pub fn set_interpolation(
        &mut self,
        parameter: &str,
        time: f64,
        interpolation: KeyInterpolation,
    ) {
        for track in &mut self.0 {
            if track.parameter == parameter
                && let Some(index) = track.key_at(time)
            {
                track.keys[index].interpolation = interpolation;
            }
        }
    }

    /// Puts the key of `parameter` at `time` to another time and value, or with `copies` a
    /// second one like it; where that covers another of its keys, to the first time of `grid`
    /// after it that covers none. Answers when. `[s]`
    pub fn move_key(
        &mut self,
        parameter: &str,
        time: f64,
        (to, value): (f64, f64),
        grid: TimeGrid,
        copies: bool,
    ) -> f64 {
        let is_it = |track: &&mut Track| track.parameter == parameter;
        let Some(track) = self.0.iter_mut().find(is_it) else {
            return time;
        };
        let Some(index) = track.key_at(time) else {
            return time;
        };
        if !value.is_finite() || to.is_nan() {
            return time;
        }
        let key = match copies {
            true => track.keys[index],
            false => track.keys.remove(index),
        };
        let mut time = to.clamp(0.0, Self::LAST_MOVED);
        while track.key_at(time).is_some() {
            time = grid.next(time);
        }
        let place = track.keys.partition_point(|other| other.time < time);
        let key = TrackKey { time, value, ..key };
        track.keys.insert(place, key);
        time
    }

    /// Makes the change here that made `after` of `before`: keys that came, went or changed.
    pub fn take_change(&mut self, before: &Self, after: &Self) {
        let missing = |from: &Self, to: &Self| {
            let tracks = from.0.iter().flat_map(|track| {
                let same = to.of(&track.parameter).map_or(&[][..], Track::keys);
                let gone = track.keys.iter().filter(|key| !same.contains(key));
                gone.map(|key| (track.parameter.clone(), *key))
            });
            tracks.collect::<Vec<_>>()
        };
        for (parameter, key) in missing(before, after) {
            self.remove_key(&parameter, key.time);
        }
        for (parameter, key) in missing(after, before) {
            self.insert(&parameter, key);
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

    /// Puts what `from` has at time `at` to another time, `to`; where that covers one of their
    /// keys, to the first time of `grid` after it that covers none. Answers when. `[s]`
    pub fn put(&mut self, from: &Self, at: f64, to: f64, grid: TimeGrid) -> f64 {
        let keys = from.0.iter().filter_map(|track| {
            let key = track.keys[track.key_at(at)?];
            Some((track.parameter.as_str(), key))
        });
        let keys: Vec<(&str, TrackKey)> = keys.collect();
        let mut time = to.clamp(0.0, Self::LAST_MOVED);
        let taken = |time: f64| {
            let mut tracks = keys.iter().filter_map(|(parameter, _)| self.of(parameter));
            tracks.any(|track| track.key_at(time).is_some())
        };
        while taken(time) {
            time = grid.next(time);
        }
        for (parameter, key) in keys {
            self.insert(parameter, TrackKey { time, ..key });
        }
        time
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

#[cfg(test)]
mod tests;
