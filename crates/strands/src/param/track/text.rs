//! Tracks as one text, for `--set` and undo.

use super::{KeyInterpolation, Track, TrackKey, Tracks};
use crate::param::{ParamType, Value};

/// `section.key time value time value ...; ...`, and after a value how it goes on, where that
/// is not smooth.
impl ParamType for Tracks {
    const TEXT: Option<&'static str> = Some(
        "a number's name, then time and value of each of its keys, and after a value linear, \
         hold or eased where it does not go on smoothly, like \"wind.strength 0 0 hold 2 12\"",
    );

    fn to_value(&self) -> Value {
        let key = |key: &TrackKey| {
            let pair = format!(" {} {}", key.time, key.value);
            match key.interpolation {
                KeyInterpolation::Smooth => pair,
                other => format!("{pair} {}", other.name()),
            }
        };
        let track = |track: &Track| {
            let keys = track.keys.iter().map(key);
            track.parameter.clone() + &keys.collect::<String>()
        };
        let tracks: Vec<String> = self.0.iter().map(track).collect();
        Value::Text(tracks.join("; "))
    }

    fn from_value(value: &Value) -> Option<Self> {
        let Value::Text(text) = value else {
            return None;
        };
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        let tracks: Option<Vec<Track>> = parts.map(track).collect();
        Self::new(tracks?).ok()
    }
}

/// The track that a part of the text says.
fn track(text: &str) -> Option<Track> {
    let mut words = text.split_whitespace().peekable();
    let parameter = words.next()?;
    parameter.rsplit_once('.')?;
    let mut keys = Vec::new();
    while let Some(time) = words.next() {
        let (time, value) = (time.parse().ok()?, words.next()?.parse().ok()?);
        let word = words.peek();
        let interpolation = word.and_then(|word| KeyInterpolation::from_name(word));
        if interpolation.is_some() {
            words.next();
        }
        keys.push(TrackKey {
            time,
            value,
            interpolation: interpolation.unwrap_or_default(),
        });
    }
    Track::new(parameter, keys).ok()
}
