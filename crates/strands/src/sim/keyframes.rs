//! Keyframes of the head: poses at times, and the smooth way through them.

use super::head_place::HeadPlace;
use crate::param::{ParamType, TimeGrid, Tracks, Value};
use glam::{DQuat, DVec3, EulerRot};

/// Where the head is at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// When. `[s]`
    pub time: f32,
    /// Yaw, pitch and roll: turned to its left, bowed, leant to its right. `[°]`
    pub rotation: [f32; 3],
    /// How far the head is moved. `[m]`
    pub position: [f32; 3],
}

impl Keyframe {
    /// No key is later. `[s]`
    pub const LATEST: f32 = 86_400.0;
    /// No angle is larger. `[°]`
    pub const MOST_TURN: f32 = 3600.0;
    /// The head is not moved farther along an axis. `[m]`
    pub const FARTHEST: f32 = 10.0;

    /// Whether a scene file can keep it.
    fn is_sound(&self) -> bool {
        let within = |v: &[f32; 3], most: f32| v.iter().all(|c| c.abs() <= most);
        (0.0..=Self::LATEST).contains(&self.time)
            && within(&self.rotation, Self::MOST_TURN)
            && within(&self.position, Self::FARTHEST)
    }

    /// The nearest to it that a scene file can keep.
    fn kept(self) -> Self {
        let within = |v: [f32; 3], most: f32| v.map(|c| c.clamp(-most, most));
        Self {
            time: self.time.clamp(0.0, Self::LATEST),
            rotation: within(self.rotation, Self::MOST_TURN),
            position: within(self.position, Self::FARTHEST),
        }
    }

    /// The head in place.
    pub fn place(&self) -> HeadPlace {
        HeadPlace::turned(
            self.rotation.map(f64::from),
            DVec3::from_array(self.position.map(f64::from)),
        )
    }

    /// The head in `place` at `time`, by angles and ways that are easy to read. `[s]`
    pub fn of(place: &HeadPlace, time: f64) -> Self {
        let (yaw, pitch, roll) = place.rotation.to_euler(EulerRot::YXZ);
        let rounded = |v: f64, parts: f64| ((v * parts).round() / parts) as f32;
        Self {
            time: time as f32,
            rotation: [yaw, pitch, roll].map(|angle| rounded(angle.to_degrees(), 100.0)),
            position: place.offset.to_array().map(|way| rounded(way, 1e4)),
        }
    }
}

/// Keyframes in the order of their times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyframes(Vec<Keyframe>);

impl Keyframes {
    /// No key is put later where it may have to give way to others. `[s]`
    const LAST_MOVED: f64 = Keyframe::LATEST as f64 - 1.0;

    /// Keyframes whose times grow; else the number of the first that does not
    /// come after the one before it.
    ///
    /// # Errors
    /// That number.
    pub fn new(keys: Vec<Keyframe>) -> Result<Self, usize> {
        match keys
            .windows(2)
            .position(|pair| pair[1].time <= pair[0].time)
        {
            Some(before) => Err(before + 1),
            None => Ok(Self(keys)),
        }
    }

    /// The keys.
    pub fn keys(&self) -> &[Keyframe] {
        &self.0
    }

    /// The number of the key at `time`, or as good as there. `[s]`
    pub fn key_at(&self, time: f64) -> Option<usize> {
        let is_there = |key: &Keyframe| (f64::from(key.time) - time).abs() < Tracks::NEAR;
        self.0.iter().position(is_there)
    }

    /// Puts a key among the others, in place of one that is as good as there, which keeps its
    /// time; out of range it goes as far as a key can.
    pub fn set(&mut self, key: Keyframe) {
        let key = key.kept();
        match self.key_at(key.time.into()) {
            Some(index) => {
                let time = self.0[index].time;
                self.0[index] = Keyframe { time, ..key };
            }
            None => {
                let place = self.0.partition_point(|other| other.time < key.time);
                self.0.insert(place, key);
            }
        }
    }

    /// Takes key number `index` away, if there is one.
    pub fn remove(&mut self, index: usize) {
        if index < self.0.len() {
            self.0.remove(index);
        }
    }

    /// Takes key number `index` to another `time`, or where another key is, to the first time
    /// of `grid` after it where none is. `[s]`
    #[must_use]
    pub fn moved(&self, index: usize, time: f64, grid: TimeGrid) -> Self {
        let mut keys = self.clone();
        let Some(key) = keys.0.get(index).copied() else {
            return keys;
        };
        keys.remove(index);
        keys.put(key, time, grid);
        keys
    }

    /// Puts a key among the others at `time`, or where another is, at the first time of `grid`
    /// after it where none is. Answers when. `[s]`
    pub fn put(&mut self, key: Keyframe, time: f64, grid: TimeGrid) -> f32 {
        let mut time = time.clamp(0.0, Self::LAST_MOVED);
        while self.key_at(time).is_some() {
            time = grid.next(time);
        }
        let time = time as f32;
        self.set(Keyframe { time, ..key });
        time
    }

    /// How long one round of them takes, from time 0: to the last key, or where
    /// they repeat to the first one's return. `[s]`
    pub fn span(&self, repeat: bool) -> f64 {
        let (Some(first), Some(last)) = (self.0.first(), self.0.last()) else {
            return 0.0;
        };
        match repeat && self.period() > 0.0 {
            true => f64::from(first.time) + self.period(),
            false => f64::from(last.time),
        }
    }

    /// When one round of keys that repeat begins and ends; `None` where they do not repeat.
    /// `[s]`
    pub fn round(&self, repeat: bool) -> Option<[f64; 2]> {
        let (first, period) = (f64::from(self.0.first()?.time), self.period());
        (repeat && period > 0.0).then_some([first, first + period])
    }

    /// The time from one begin to the next where the keys repeat: the way back
    /// from the last to the first takes as long as the last one before it; none
    /// where they are alike. `[s]`
    fn period(&self) -> f64 {
        let [first, .., before, last] = self.0.as_slice() else {
            return match self.0.as_slice() {
                [first, last] => {
                    let way = f64::from(last.time - first.time);
                    way + if first.place() == last.place() {
                        0.0
                    } else {
                        way
                    }
                }
                _ => 0.0,
            };
        };
        let way = f64::from(last.time) - f64::from(first.time);
        match first.place() == last.place() {
            true => way,
            false => way + f64::from(last.time - before.time),
        }
    }

    /// The time among the keys that `time` is, where they repeat. `[s]`
    pub fn wrapped(&self, time: f64, repeat: bool) -> f64 {
        let (Some(first), period) = (self.0.first(), self.period()) else {
            return time;
        };
        let start = f64::from(first.time);
        if repeat && period > 0.0 {
            start + (time - start).rem_euclid(period)
        } else {
            time
        }
    }

    /// Where the head is at `time`: before the first key as at the first, after
    /// the last as at the last, unless the keys repeat: then there is always a
    /// round before and after. Place and speed are
    /// steady (Kim, Kim and Shin 1995, "A General Construction Scheme for Unit
    /// Quaternion Curves", section 4; tangents by Catmull and Rom 1974).
    pub fn at(&self, time: f64, repeat: bool) -> HeadPlace {
        let keys = &self.0;
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
            return HeadPlace::HOME;
        };
        let period = self.period();
        let repeat = repeat && period > 0.0;
        let time = self.wrapped(time, repeat);
        if !repeat && time <= f64::from(first.time) {
            return first.place();
        }
        if !repeat && time >= f64::from(last.time) {
            return last.place();
        }
        // Where the last key is the first again it need not be asked.
        let closed = repeat && first.place() == last.place();
        let count = if closed { keys.len() - 1 } else { keys.len() };
        let key = |i: isize| {
            let round = i.div_euclid(count as isize);
            let key = &keys[i.rem_euclid(count as isize) as usize];
            (f64::from(key.time) + round as f64 * period, key.place())
        };
        let next = keys[..count].partition_point(|key| f64::from(key.time) <= time) as isize;
        let tangent = |i: isize| {
            if !repeat && (i == 0 || i == count as isize - 1) {
                return [DVec3::ZERO; 2];
            }
            let ((t0, a), (_, b), (t1, c)) = (key(i - 1), key(i), key(i + 1));
            let span = t1 - t0;
            [
                (turn(&a, &b) + turn(&b, &c)) / span,
                (c.offset - a.offset) / span,
            ]
        };
        let ((t0, from), (t1, to)) = (key(next - 1), key(next));
        let span = t1 - t0;
        let s = (time - t0) / span;
        let (start, end) = (tangent(next - 1), tangent(next));
        let third = |v: DVec3| DQuat::from_scaled_axis(v * (span / 3.0));
        // Cumulative Bézier weights.
        let weights = [1.0 - (1.0 - s).powi(3), s * s * (3.0 - 2.0 * s), s * s * s];
        let whole = to.rotation * from.rotation.conjugate();
        let middle = third(end[0]).conjugate() * whole * third(start[0]).conjugate();
        let part = |v: DVec3, weight: f64| DQuat::from_scaled_axis(v * weight);
        let rotation = part(end[0] * (span / 3.0), weights[2])
            * part(shortest(middle), weights[1])
            * part(start[0] * (span / 3.0), weights[0])
            * from.rotation;
        let (u, v) = (start[1] * (span / 3.0), end[1] * (span / 3.0));
        let offset = from.offset
            + u * weights[0]
            + (to.offset - from.offset - u - v) * weights[1]
            + v * weights[2];
        HeadPlace { rotation, offset }
    }
}

/// The short turn from one place to another, as axis times angle.
fn turn(from: &HeadPlace, to: &HeadPlace) -> DVec3 {
    shortest(to.rotation * from.rotation.conjugate())
}

/// A turn the short way round, as axis times angle, which is half a turn at most. `[rad]`
pub(super) fn shortest(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    q.to_scaled_axis()
}

/// As text, for `--set` and undo: `time yaw pitch roll x y z; ...`.
impl ParamType for Keyframes {
    fn to_value(&self) -> Value {
        let key = |key: &Keyframe| {
            let numbers = [key.time]
                .into_iter()
                .chain(key.rotation)
                .chain(key.position);
            let words: Vec<String> = numbers.map(|v| v.to_string()).collect();
            words.join(" ")
        };
        let keys: Vec<String> = self.0.iter().map(key).collect();
        Value::Text(keys.join("; "))
    }

    fn from_value(value: &Value) -> Option<Self> {
        let Value::Text(text) = value else {
            return None;
        };
        let key = |text: &str| {
            let numbers: Result<Vec<f32>, _> = text.split_whitespace().map(str::parse).collect();
            let [time, yaw, pitch, roll, x, y, z] = numbers.ok()?.try_into().ok()?;
            let key = Keyframe {
                time,
                rotation: [yaw, pitch, roll],
                position: [x, y, z],
            };
            key.is_sound().then_some(key)
        };
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        let keys: Option<Vec<Keyframe>> = parts.map(key).collect();
        Self::new(keys?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keyframes {
        let key = |time, rotation, position| Keyframe {
            time,
            rotation,
            position,
        };
        Keyframes::new(vec![
            key(0.5, [0.0; 3], [0.0; 3]),
            key(1.0, [60.0, 10.0, 0.0], [0.1, 0.0, 0.0]),
            key(1.75, [-120.0, -20.0, 30.0], [0.1, 0.2, 0.0]),
            key(2.5, [-170.0, 0.0, 0.0], [0.0, 0.0, -0.3]),
        ])
        .expect("in order")
    }

    #[test]
    fn the_way_goes_through_every_key_at_a_steady_speed() {
        for repeat in [false, true] {
            let keys = keys();
            for key in keys.keys() {
                let (place, wanted) = (keys.at(key.time.into(), repeat), key.place());
                let off = place.rotation.angle_between(wanted.rotation);
                assert!(off < 1e-6 && place.offset.distance(wanted.offset) < 1e-9);
            }
            let speed = |time: f64| {
                let h = 1e-6;
                let (a, b) = (keys.at(time - h, repeat), keys.at(time + h, repeat));
                (turn(&a, &b) / (2.0 * h), (b.offset - a.offset) / (2.0 * h))
            };
            let mut before = speed(0.0);
            for i in 1..20_000 {
                let time = 3e-4 * f64::from(i);
                let now = speed(time);
                let jolt = now.0.distance(before.0) + now.1.distance(before.1);
                assert!(jolt < 0.08, "repeat {repeat}, {time}: {jolt}");
                before = now;
            }
            // Out there it rests or begins anew.
            let (end, start) = (keys.at(3.25 + 1e-9, repeat), keys.at(0.5, repeat));
            let again = end.rotation.angle_between(start.rotation) < 1e-6;
            assert_eq!(again, repeat);
        }
    }

    #[test]
    fn a_key_that_is_moved_never_covers_another() {
        let keys = keys();
        let grid = TimeGrid::HUNDREDTHS;
        let times = |keys: &Keyframes| keys.keys().iter().map(|k| k.time).collect::<Vec<_>>();
        let moved = keys.moved(0, 1.2, grid);
        assert_eq!(times(&moved), [1.0, 1.2, 1.75, 2.5]);
        assert_eq!(moved.keys()[1].rotation, keys.keys()[0].rotation);
        // Onto another one: right after it. Before the begin: at the begin.
        assert_eq!(times(&keys.moved(0, 1.75, grid)), [1.0, 1.75, 1.76, 2.5]);
        assert_eq!(times(&keys.moved(3, -4.0, grid)), [0.0, 0.5, 1.0, 1.75]);
        assert_eq!(keys.moved(9, 1.0, grid), keys);
        assert_eq!([keys.span(false), keys.span(true)], [2.5, 3.25]);
    }

    #[test]
    fn keys_that_end_as_they_begin_repeat_without_a_rest() {
        let mut keys = keys();
        keys.set(Keyframe {
            time: 3.0,
            ..keys.keys()[0]
        });
        assert_eq!(keys.wrapped(3.25, true), 0.75);
        assert_eq!(keys.wrapped(3.25, false), 3.25);
        let (a, b) = (keys.at(0.75, true), keys.at(3.25, true));
        assert!(a.rotation.angle_between(b.rotation) < 1e-9);
    }

    #[test]
    fn a_key_is_set_replaced_and_taken_away_and_survives_as_text() {
        let mut keys = keys();
        let key = Keyframe::of(
            &HeadPlace::turned([33.0, -12.5, 7.25], DVec3::X * 0.125),
            1.0,
        );
        assert_eq!(
            (key.rotation, key.position[0]),
            ([33.0, -12.5, 7.25], 0.125)
        );
        keys.set(key);
        assert_eq!((keys.keys().len(), keys.keys()[1]), (4, key));
        keys.set(Keyframe { time: 0.0, ..key });
        assert_eq!((keys.keys().len(), keys.keys()[0].time), (5, 0.0));
        let text = keys.to_value();
        assert_eq!(Keyframes::from_value(&text), Some(keys.clone()));
        keys.remove(0);
        keys.remove(9);
        assert_eq!(keys.keys().len(), 4);
        let far = HeadPlace::turned([0.0; 3], DVec3::new(10.5, 0.0, -1e9));
        keys.set(Keyframe::of(&far, 1e6));
        let last = keys.keys()[4];
        assert_eq!((last.time, last.position), (86_400.0, [10.0, 0.0, -10.0]));
        assert_eq!(Keyframes::from_value(&keys.to_value()), Some(keys));
        for wrong in [
            "86401 0 0 0 0 0 0",
            "0 3601 0 0 0 0 0",
            "0 0 0 0 0 10.5 0",
            "1 2",
            "1 0 0 0 0 0 0; 1 0 0 0 0 0 0",
            "x",
            "-1 0 0 0 0 0 0",
        ] {
            assert_eq!(
                Keyframes::from_value(&Value::Text(wrong.into())),
                None,
                "{wrong}"
            );
        }
        assert_eq!(
            Keyframes::from_value(&Value::Text(String::new())),
            Some(Keyframes::default())
        );
        assert_eq!(Keyframes::default().at(3.0, true), HeadPlace::HOME);
    }
}
