//! Keyframes of the head in a scene file: a table `[[keyframe]]` each.

use super::SceneError;
use crate::{
    param::{ParamType, Params, Value},
    sim::keyframes::{Keyframe, Keyframes},
};
use std::{fmt::Write as _, ops::Range};
use toml::de::{DeTable, DeValue};

/// The section and the key of the tunable that holds them.
pub(super) const TUNABLE: (&str, &str) = ("motion", "keyframes");

/// Where that tunable stands, if `name` is that of the tables.
pub(super) fn place(name: &str, sections: &[&mut dyn Params]) -> Option<(usize, usize)> {
    let number = sections.iter().position(|s| s.section() == TUNABLE.0)?;
    let mut tunables = sections[number].tunables().into_iter();
    let index = tunables.position(|tunable| tunable.key == TUNABLE.1)?;
    (name == "keyframe").then_some((number, index))
}

/// Reads all tables `[[keyframe]]`; `refuse` makes an error of a place in the
/// file and a sentence.
pub(super) fn read(
    value: &DeValue<'_>,
    refuse: impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<Value, SceneError> {
    let DeValue::Array(items) = value else {
        let message =
            "each keyframe is a table of its own: write [[keyframe]] and its keys below it";
        return Err(refuse(None, message.into()));
    };
    let (mut keys, mut places) = (Vec::new(), Vec::new());
    for item in items {
        let Some(table) = item.get_ref().as_table() else {
            let message = "write [[keyframe]] and its keys below it".into();
            return Err(refuse(Some(item.span()), message));
        };
        keys.push(key(table, item.span(), &refuse)?);
        places.push(table.get_key_value("time").map(|(time, _)| time.span()));
    }
    let times: Vec<f32> = keys.iter().map(|key| key.time).collect();
    let keys = Keyframes::new(keys).map_err(|wrong| {
        let message = format!(
            "the keyframe at {} s comes after the one at {} s; times must grow from keyframe to keyframe",
            times[wrong],
            times[wrong - 1]
        );
        refuse(places[wrong].clone(), message)
    })?;
    Ok(keys.to_value())
}

fn key(
    table: &DeTable<'_>,
    span: Range<usize>,
    refuse: &impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<Keyframe, SceneError> {
    let mut key = Keyframe {
        time: f32::NAN,
        rotation: [0.0; 3],
        position: [0.0; 3],
    };
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    for (name, value) in entries {
        let wrong = |message: String| Err(refuse(Some(name.span()), message));
        let three = |most: f32| {
            let DeValue::Array(items) = value.get_ref() else {
                return None;
            };
            let numbers: Option<Vec<f32>> = items.iter().map(|v| number(v.get_ref())).collect();
            let three = <[f32; 3]>::try_from(numbers?).ok()?;
            three.iter().all(|v| v.abs() <= most).then_some(three)
        };
        let name: &str = name.get_ref();
        match name {
            "time" => {
                match number(value.get_ref()).filter(|t| (0.0..=Keyframe::LATEST).contains(t)) {
                    Some(time) => key.time = time,
                    None => return wrong("time wants a number from 0 to 86400 s".into()),
                }
            }
            "rotation" => match three(Keyframe::MOST_TURN) {
                Some(angles) => key.rotation = angles,
                None => {
                    return wrong(
                        "rotation wants yaw, pitch and roll from -3600 to 3600 degrees, like [30, 0, 0]"
                            .into(),
                    );
                }
            },
            "position" => match three(Keyframe::FARTHEST) {
                Some(place) => key.position = place,
                None => {
                    return wrong(
                        "position wants three numbers from -10 to 10 m, like [0, 0.1, 0]".into(),
                    );
                }
            },
            other => {
                return wrong(format!(
                    "a keyframe has time, rotation and position, not {other}"
                ));
            }
        }
    }
    if key.time.is_nan() {
        let first = table
            .iter()
            .map(|(name, _)| name.span())
            .min_by_key(|s| s.start);
        let message = "the keyframe has no time: write time = 1.5, say";
        return Err(refuse(Some(first.unwrap_or(span)), message.into()));
    }
    Ok(key)
}

/// A finite number, if it is one.
pub(super) fn number(value: &DeValue<'_>) -> Option<f32> {
    let number = match value {
        DeValue::Integer(v) => i64::from_str_radix(v.as_str(), v.radix()).ok()? as f32,
        DeValue::Float(v) => v.as_str().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// The tables for a value of the tunable.
pub(super) fn text(value: &Value) -> String {
    let mut out = String::new();
    let Value::Text(keys) = value else {
        return out;
    };
    // As they are: a key that cannot be read back must not take the others with it.
    for key in keys.split(';') {
        let words: Vec<&str> = key.split_whitespace().collect();
        // TOML takes whole numbers for reals here.
        if let [time, yaw, pitch, roll, x, y, z] = words[..] {
            let _ = write!(
                out,
                "\n[[keyframe]]\ntime = {time}\nrotation = [{yaw}, {pitch}, {roll}]\n\
                 position = [{x}, {y}, {z}]\n"
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::{
        io::scene::{read, write},
        param::ParamType as _,
        sim::{
            MotionParams, MotionPreset,
            hand::Handwork,
            keyframes::{Keyframe, Keyframes},
        },
    };

    fn read_text(text: &str) -> Result<MotionParams, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        std::fs::write(&path, text).expect("written");
        let mut params = MotionParams::default();
        let done =
            read(&path, &mut [&mut params], &mut [], &mut Handwork::default()).map_err(|error| {
                let folder = format!("{}/", folder.path().display());
                error.to_string().replace(&folder, "")
            });
        if done.is_err() {
            assert_eq!(
                params,
                MotionParams::default(),
                "a refused scene changed a value"
            );
        }
        done.map(|()| params)
    }

    #[test]
    fn keyframes_are_read_and_written_back() {
        let text = "version = 1\n[motion]\npreset = \"keyframes\"\n\
                    [[keyframe]]\ntime = 0\n\
                    [[keyframe]]\ntime = 1.5\nrotation = [30, -5.5, 0]\nposition = [0, 0.1, 0]\n";
        let params = read_text(text).expect("a scene");
        let keys = params.keyframes.keys();
        assert_eq!(params.preset, MotionPreset::Keyframes);
        assert_eq!((keys.len(), keys[0].rotation), (2, [0.0; 3]));
        assert_eq!(
            (keys[1].rotation, keys[1].position[1]),
            ([30.0, -5.5, 0.0], 0.1)
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("again.toml");
        write(&path, &[&params], &[], &Handwork::default()).expect("written");
        let mut again = MotionParams {
            keyframes: Keyframes::new(vec![Keyframe {
                time: 9.0,
                rotation: [0.0; 3],
                position: [0.0; 3],
            }])
            .expect("one key"),
            ..MotionParams::default()
        };
        read(&path, &mut [&mut again], &mut [], &mut Handwork::default()).expect("read back");
        assert_eq!(again, params);
    }

    #[test]
    fn a_key_out_of_range_does_not_take_the_others_with_it() {
        let key = |time, x| Keyframe {
            time,
            rotation: [0.0; 3],
            position: [x, 0.0, 0.0],
        };
        let keys = Keyframes::new(vec![key(0.5, 0.0), key(1.0, 11.0)]).expect("times grow");
        let text = super::text(&keys.to_value());
        assert_eq!(text.matches("[[keyframe]]").count(), 2, "{text}");
        let error = read_text(&text).expect_err("refused");
        assert!(error.starts_with("s.toml:10: position wants"), "{error}");
    }

    #[test]
    fn mistakes_in_keyframes_are_named_with_their_line() {
        let refused = |text: &str| read_text(text).expect_err("refused");
        assert_eq!(
            refused("[[keyframe]]\ntime = 1\n[[keyframe]]\nrotation = [1, 2, 3]\ntime = 0.5\n"),
            "s.toml:5: the keyframe at 0.5 s comes after the one at 1 s; times must grow from keyframe to keyframe"
        );
        assert!(
            refused("[[keyframe]]\ntime = 1\n[[keyframe]]\ntime = 1\n").starts_with("s.toml:4: ")
        );
        assert!(
            refused("[[keyframe]]\nrotation = [1, 2, 3]\n")
                .starts_with("s.toml:2: the keyframe has no time")
        );
        assert!(refused("[[keyframe]]\ntime = -1\n").starts_with("s.toml:2: time wants"));
        assert!(
            refused("[[keyframe]]\ntime = 1\nrotation = [1, 2]\n")
                .starts_with("s.toml:3: rotation wants")
        );
        assert!(
            refused("[[keyframe]]\ntime = 1\nposition = [1, 2, nan]\n")
                .starts_with("s.toml:3: position")
        );
        assert_eq!(
            refused("[[keyframe]]\ntime = 1\nroll = 3\n"),
            "s.toml:3: a keyframe has time, rotation and position, not roll"
        );
        assert!(
            refused("[keyframe]\ntime = 1\n").starts_with("s.toml:1: each keyframe is a table")
        );
        let error = refused("[motion]\nkeyframes = \"1 2\"\n");
        assert!(
            error.starts_with("s.toml:2: motion.keyframes wants"),
            "{error}"
        );
    }
}
