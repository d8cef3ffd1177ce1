//! Values at times: what is between two of them is mixed of both.

use crate::{Data, UsdError, Value, binary::CrateSource, text::TextSource};

/// Where the values of a property in time are written, which are one or more.
#[derive(Clone, Debug)]
pub(crate) enum TimeSamples<'a> {
    /// Each with its time, as they stand in the text.
    Text(Vec<(f64, TextSource<'a>)>),
    /// All in one value.
    Crate(CrateSource<'a>),
}

impl TimeSamples<'_> {
    /// The times, as they are written.
    pub fn times(&self) -> Result<Vec<f64>, UsdError> {
        match self {
            Self::Text(all) => Ok(all.iter().map(|(time, _)| *time).collect()),
            Self::Crate(source) => source.times(),
        }
    }

    /// The value of that number, of a property of that type.
    pub fn value(&self, index: usize, kind: &str) -> Result<Option<Value>, UsdError> {
        match self {
            Self::Text(all) => all
                .get(index)
                .map_or(Ok(None), |(_, source)| source.value(kind)),
            Self::Crate(source) => source.sample(index),
        }
    }

    /// The value at a time: before the first that one, behind the last that one.
    pub fn at(&self, time: f64, kind: &str) -> Result<Option<Value>, UsdError> {
        let times = self.times()?;
        let index = |found: Option<(usize, &f64)>| found.map(|(index, _)| index);
        let each = || times.iter().enumerate();
        let before = each().filter(|(_, t)| **t <= time);
        let before = index(before.max_by(|a, b| a.1.total_cmp(b.1)));
        let behind = each().filter(|(_, t)| **t > time);
        let behind = index(behind.min_by(|a, b| a.1.total_cmp(b.1)));
        let (from, to) = match (before, behind) {
            (Some(from), Some(to)) => (from, to),
            (Some(one), None) | (None, Some(one)) => return self.value(one, kind),
            (None, None) => return Ok(None),
        };
        let share = (time - times[from]) / (times[to] - times[from]);
        let first = self.value(from, kind)?;
        if share <= 0.0 || !share.is_finite() {
            return Ok(first);
        }
        let (Some(first), Some(second)) = (first, self.value(to, kind)?) else {
            return Ok(None);
        };
        Ok(Some(mix(first, second, share, kind.starts_with("quat"))))
    }
}

/// A share of the way from one value to another, of quaternions the short way. Words,
/// whole numbers and lists that are not as long as one another stay as they are until
/// the next comes.
fn mix(first: Value, second: Value, share: f64, quaternion: bool) -> Value {
    if first.data.len() != second.data.len() {
        return first;
    }
    let data = match (first.data, second.data) {
        (Data::F32(mut a), Data::F32(b)) => {
            let dot: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            let sign = if quaternion && dot < 0.0 { -1.0 } else { 1.0 };
            let mix = |(a, b): (&mut f32, f32)| {
                *a = (f64::from(*a) * (1.0 - share) + f64::from(sign * b) * share) as f32;
            };
            a.iter_mut().zip(b).for_each(mix);
            Data::F32(a)
        }
        (Data::F64(mut a), Data::F64(b)) => {
            let dot: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            let sign = if quaternion && dot < 0.0 { -1.0 } else { 1.0 };
            let mix = |(a, b): (&mut f64, f64)| *a = *a * (1.0 - share) + sign * b * share;
            a.iter_mut().zip(b).for_each(mix);
            Data::F64(a)
        }
        (first, _) => first,
    };
    Value {
        data,
        width: first.width,
    }
}
