//! One table `[[track]]` of a scene file.

use crate::{
    io::scene::SceneError,
    param::{KeyInterpolation, Params, Track, TrackFault, TrackKey},
    sim::tracks::check_track,
};
use std::ops::Range;
use toml::de::{DeArray, DeTable, DeValue};

/// Numbers of a list, and where each stands.
type Numbers = Vec<(f64, Range<usize>)>;

/// What a table says, as far as it does; of a name and an interpolation, where its key stands.
#[derive(Default)]
struct TrackTable {
    parameter: Option<(String, Range<usize>)>,
    times: Option<Numbers>,
    values: Option<Numbers>,
    interpolation: Option<(TrackInterpolation, Range<usize>)>,
}

impl TrackTable {
    fn read(
        table: &DeTable<'_>,
        refuse: &impl Fn(Option<Range<usize>>, String) -> SceneError,
    ) -> Result<Self, SceneError> {
        let mut read = Self::default();
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        for (name, value) in entries {
            let (span, value) = (name.span(), value.get_ref());
            match name.get_ref().as_ref() {
                "parameter" => match value {
                    DeValue::String(text) => read.parameter = Some((text.to_string(), span)),
                    _ => {
                        let message =
                            "parameter wants the name of a number, like \"wind.strength\"";
                        return Err(refuse(Some(span), message.into()));
                    }
                },
                "times" => read.times = Some(list(value, "times", span, refuse)?),
                "values" => read.values = Some(list(value, "values", span, refuse)?),
                "interpolation" => {
                    let named = interpolation(value, span.clone(), refuse)?;
                    read.interpolation = Some((named, span));
                }
                other => {
                    let message = format!(
                        "a track has parameter, times, values and interpolation, not {other}"
                    );
                    return Err(refuse(Some(span), message));
                }
            }
        }
        Ok(read)
    }
}

/// The track in a table, and where the file names its parameter.
pub(super) fn track(
    table: &DeTable<'_>,
    span: Range<usize>,
    sections: &[&dyn Params],
    refuse: &impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<(Track, Range<usize>), SceneError> {
    let names = table.iter().map(|(name, _)| name.span());
    let first = names.min_by_key(|name| name.start).unwrap_or(span);
    let TrackTable {
        parameter,
        times,
        values,
        interpolation,
    } = TrackTable::read(table, refuse)?;
    let missing = |what: &str| {
        let message = format!("the track has no {what}");
        refuse(Some(first.clone()), message)
    };
    let (parameter, place) =
        parameter.ok_or_else(|| missing("parameter: write parameter = \"wind.strength\", say"))?;
    let times = times.ok_or_else(|| missing("times: write times = [0, 2.5], in s, say"))?;
    let values =
        values.ok_or_else(|| missing("values: write values = [0, 6], one for each time"))?;
    if times.len() != values.len() {
        let message = format!(
            "{parameter} has {} and {}; each time wants one value",
            counted(times.len(), "time"),
            counted(values.len(), "value")
        );
        return Err(refuse(Some(place), message));
    }
    let interpolations = for_each_key(interpolation, &parameter, times.len(), refuse)?;
    let keys = times.iter().zip(&values).zip(interpolations);
    let keys = keys.map(|(((time, _), (value, _)), interpolation)| TrackKey {
        time: *time,
        value: *value,
        interpolation,
    });
    let track = Track::new(&parameter, keys.collect()).map_err(|fault| {
        let (at, message) = told(&fault, &parameter, &times, &values);
        refuse(Some(at.unwrap_or_else(|| place.clone())), message)
    })?;
    check_track(&track, sections).map_err(|(key, message)| {
        let span = key.map_or(place.clone(), |key| values[key].1.clone());
        refuse(Some(span), message)
    })?;
    Ok((track, place))
}

/// What is wrong with the keys of `parameter`, and where; the latter is none where it is
/// wrong with all of them.
fn told(
    fault: &TrackFault,
    parameter: &str,
    times: &[(f64, Range<usize>)],
    values: &[(f64, Range<usize>)],
) -> (Option<Range<usize>>, String) {
    match *fault {
        TrackFault::Empty => (None, format!("the track of {parameter} has no keys")),
        TrackFault::Time(at) => (
            Some(times[at].1.clone()),
            format!("a time wants a number from 0 to {} s", Track::LATEST),
        ),
        TrackFault::Order(at) => (
            Some(times[at].1.clone()),
            format!(
                "the time {} s comes after {} s; times must grow from key to key",
                times[at].0,
                times[at - 1].0
            ),
        ),
        TrackFault::Value(at) => (
            Some(values[at].1.clone()),
            format!("a value of {parameter} wants a finite number"),
        ),
    }
}

/// Numbers and where each stands.
fn list(
    value: &DeValue<'_>,
    name: &str,
    span: Range<usize>,
    refuse: &impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<Numbers, SceneError> {
    let wrong = |span| refuse(Some(span), format!("{name} wants numbers, like [0, 2.5]"));
    let DeValue::Array(items) = value else {
        return Err(wrong(span));
    };
    let items: &DeArray<'_> = items;
    let numbers = items.iter().map(|item| {
        number(item.get_ref())
            .map(|number| (number, item.span()))
            .ok_or_else(|| wrong(item.span()))
    });
    numbers.collect()
}

/// The interpolation that a table names.
enum TrackInterpolation {
    /// The same for all keys.
    Same(KeyInterpolation),
    /// One for each key.
    PerKey(Vec<KeyInterpolation>),
}

/// Reads one name for all keys, or one for each.
fn interpolation(
    value: &DeValue<'_>,
    span: Range<usize>,
    refuse: &impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<TrackInterpolation, SceneError> {
    let one = |value: &DeValue<'_>, span: Range<usize>| {
        let names = KeyInterpolation::NAMES.join(", ");
        match value {
            DeValue::String(name) => KeyInterpolation::from_name(name).ok_or_else(|| {
                let message = format!("interpolation is one of {names}, not \"{name}\"");
                refuse(Some(span), message)
            }),
            _ => {
                let message = format!("interpolation wants one of {names} for each key");
                Err(refuse(Some(span), message))
            }
        }
    };
    match value {
        DeValue::Array(items) => {
            let items: &DeArray<'_> = items;
            let names = items.iter().map(|item| one(item.get_ref(), item.span()));
            let read = names.collect::<Result<_, _>>();
            read.map(TrackInterpolation::PerKey)
        }
        value => one(value, span).map(TrackInterpolation::Same),
    }
}

/// The interpolation of each of `count` keys of `parameter`: smooth where the table names none.
fn for_each_key(
    named: Option<(TrackInterpolation, Range<usize>)>,
    parameter: &str,
    count: usize,
    refuse: &impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<Vec<KeyInterpolation>, SceneError> {
    match named {
        None => Ok(vec![KeyInterpolation::Smooth; count]),
        Some((TrackInterpolation::Same(one), _)) => Ok(vec![one; count]),
        Some((TrackInterpolation::PerKey(all), _)) if all.len() == count => Ok(all),
        Some((TrackInterpolation::PerKey(all), place)) => {
            let message = format!(
                "{parameter} has {} and {} of interpolation; each time wants one, or all of \
                 them the same: interpolation = \"linear\", say",
                counted(count, "time"),
                counted(all.len(), "name")
            );
            Err(refuse(Some(place), message))
        }
    }
}

/// A number, if it is one.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(v) => Some(i64::from_str_radix(v.as_str(), v.radix()).ok()? as f64),
        DeValue::Float(v) => v.as_str().parse().ok(),
        _ => None,
    }
}

fn counted(count: usize, what: &str) -> String {
    crate::math::counted(count, what, &format!("{what}s"))
}
