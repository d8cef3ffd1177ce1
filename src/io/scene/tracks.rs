//! Numbers keyed over time in a scene file: a table `[[track]]` each.

mod table;

use super::SceneError;
use crate::{
    param::{KeyInterpolation, ParamType as _, Params, TrackKey, Tracks, Value},
    sim::tracks::check_tracks,
};
use std::{fmt::Write as _, ops::Range};
use table::track;
use toml::de::DeValue;

/// The section and the key of the tunable that holds them.
pub(super) const TUNABLE: (&str, &str) = ("tracks", "keys");

/// Where that tunable stands, if `name` is that of the tables.
pub(super) fn place(name: &str, sections: &[&mut dyn Params]) -> Option<(usize, usize)> {
    let number = sections.iter().position(|s| s.section() == TUNABLE.0)?;
    let mut tunables = sections[number].tunables().into_iter();
    let index = tunables.position(|tunable| tunable.key == TUNABLE.1)?;
    (name == "track").then_some((number, index))
}

/// Reads all tables `[[track]]`, of parameters of `sections`; `refuse` makes an error of a
/// place in the file and a sentence.
pub(super) fn read(
    value: &DeValue<'_>,
    sections: &[&mut dyn Params],
    refuse: impl Fn(Option<Range<usize>>, String) -> SceneError,
) -> Result<Value, SceneError> {
    let DeValue::Array(items) = value else {
        let message = "each track is a table of its own: write [[track]] and its keys below it";
        return Err(refuse(None, message.into()));
    };
    let sections: Vec<&dyn Params> = sections.iter().map(|section| &**section).collect();
    let (mut tracks, mut places) = (Vec::new(), Vec::new());
    for item in items {
        let Some(table) = item.get_ref().as_table() else {
            let message = "write [[track]] and its keys below it".into();
            return Err(refuse(Some(item.span()), message));
        };
        let (track, place) = track(table, item.span(), &sections, &refuse)?;
        tracks.push(track);
        places.push(place);
    }
    let names: Vec<String> = tracks.iter().map(|t| t.parameter().into()).collect();
    let tracks = Tracks::new(tracks).map_err(|twice| {
        let message = format!(
            "{} has a track already; write all of its keys into one",
            names[twice]
        );
        refuse(Some(places[twice].clone()), message)
    })?;
    Ok(tracks.to_value())
}

/// Checks a value of the tunable, as text, against what `sections` allow.
pub(super) fn check(value: &Value, sections: &[&mut dyn Params]) -> Result<(), String> {
    let sections: Vec<&dyn Params> = sections.iter().map(|section| &**section).collect();
    // What is no text of tracks at all is refused where it is set.
    check_tracks(&Tracks::from_value(value).unwrap_or_default(), &sections)
}

/// The tables for a value of the tunable.
pub(super) fn text(value: &Value) -> String {
    let mut out = String::new();
    let tracks = Tracks::from_value(value).unwrap_or_default();
    for track in tracks.tracks() {
        let list = |number: fn(&TrackKey) -> f64| {
            let numbers = track.keys().iter().map(|key| number(key).to_string());
            numbers.collect::<Vec<_>>().join(", ")
        };
        // TOML takes whole numbers for reals here.
        let _ = write!(
            out,
            "\n[[track]]\nparameter = {}\ntimes = [{}]\nvalues = [{}]\n",
            toml::Value::String(track.parameter().into()),
            list(|key| key.time),
            list(|key| key.value)
        );
        let smooth = |key: &TrackKey| key.interpolation == KeyInterpolation::Smooth;
        if !track.keys().iter().all(smooth) {
            let names = track.keys().iter().map(|key| {
                let name = key.interpolation.name();
                format!("\"{name}\"")
            });
            let names = names.collect::<Vec<_>>().join(", ");
            let _ = writeln!(out, "interpolation = [{names}]");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::{
        io::scene::{read, text, write},
        param::Params,
        sim::{SimParams, hand::Handwork, solver::hold_all},
    };
    use std::path::Path;

    fn read_text(text: &str) -> Result<SimParams, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.toml");
        std::fs::write(&path, text).expect("written");
        let mut params = SimParams::default();
        hold_all(&mut params);
        let before = params.clone();
        let mut sections = params.sections_mut();
        let done = read(&path, &mut sections, &mut [], &mut Handwork::default()).map_err(|error| {
            let folder = format!("{}/", folder.path().display());
            error.to_string().replace(&folder, "")
        });
        if done.is_err() {
            assert_eq!(params, before, "a refused scene changed a value");
        }
        done.map(|()| params)
    }

    #[test]
    fn tracks_are_read_and_written_back() {
        let params = read_text(
            "version = 1\n[[track]]\nparameter = \"wind.strength\"\ntimes = [0, 2, 3.5]\n\
             values = [0, 0.1, 12]\n\
             [[track]]\nparameter = \"pbd.bend_stiffness\"\ntimes = [1]\nvalues = [0.25]\n",
        )
        .expect("a scene");
        let tracks = params.tracks.keys.tracks();
        assert_eq!(tracks.len(), 2);
        let keys: Vec<_> = tracks[0].keys().iter().map(|k| (k.time, k.value)).collect();
        assert_eq!(keys, [(0.0, 0.0), (2.0, 0.1), (3.5, 12.0)]);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("again.toml");
        let sections: Vec<&dyn Params> = params.sections();
        write(&path, &sections, &[], &Handwork::default()).expect("written");
        let again = std::fs::read_to_string(&path).expect("read");
        assert!(
            again.ends_with(
                "\n[[track]]\nparameter = \"wind.strength\"\ntimes = [0, 2, 3.5]\n\
                 values = [0, 0.1, 12]\n\
                 \n[[track]]\nparameter = \"pbd.bend_stiffness\"\ntimes = [1]\nvalues = [0.25]\n"
            ),
            "{again}"
        );
        assert_eq!(read_text(&again).expect("read back"), params);
    }

    #[test]
    fn keyframes_and_tracks_stand_in_one_file() {
        let both = "[[keyframe]]\ntime = 1\n[[track]]\nparameter = \"forces.gravity\"\n\
                    times = [0]\nvalues = [0]\n[[keyframe]]\ntime = 2\n";
        let params = read_text(both).expect("a scene");
        assert_eq!(params.motion.keyframes.keys().len(), 2);
        let again = text(
            Path::new("s.toml"),
            &params.sections(),
            &[],
            &Handwork::default(),
        );
        assert_eq!(read_text(&again).expect("read back"), params);
    }

    #[test]
    fn mistakes_in_tracks_are_named_with_their_line() {
        let start = "[[track]]\nparameter = \"wind.strength\"\n";
        let refused = |text: &str| read_text(text).expect_err("refused");
        let of = |rest: &str| refused(&format!("{start}{rest}"));
        assert_eq!(
            of("times = [0,\n2,\n1]\nvalues = [1, 2, 3]\n"),
            "s.toml:5: the time 1 s comes after 2 s; times must grow from key to key"
        );
        assert!(of("times = [0, 0]\nvalues = [1, 2]\n").starts_with("s.toml:3: the time 0 s"));
        assert_eq!(
            of("times = [0, 1]\nvalues = [1]\n"),
            "s.toml:2: wind.strength has 2 times and 1 value; each time wants one value"
        );
        assert_eq!(
            of("times = [0, 1]\nvalues = [1, 80]\n"),
            "s.toml:4: wind.strength = 80 is outside its range 0 to 50 m/s"
        );
        assert_eq!(
            of("times = [-1]\nvalues = [1]\n"),
            "s.toml:3: a time wants a number from 0 to 86400 s"
        );
        assert!(of("times = [nan]\nvalues = [1]\n").starts_with("s.toml:3: a time wants"));
        assert_eq!(
            of("times = [0]\nvalues = [nan]\n"),
            "s.toml:4: a value of wind.strength wants a finite number"
        );
        assert_eq!(
            of("times = []\nvalues = []\n"),
            "s.toml:2: the track of wind.strength has no keys"
        );
        assert!(of("times = 3\nvalues = [1]\n").starts_with("s.toml:3: times wants numbers"));
        assert!(of("times = [0]\nvalues = [\"a\"]\n").starts_with("s.toml:4: values wants"));
        assert!(of("times = [0]\n").starts_with("s.toml:2: the track has no values"));
        assert_eq!(
            of("times = [0]\nvalues = [1]\nease = 3\n"),
            "s.toml:5: a track has parameter, times, values and interpolation, not ease"
        );
        assert_eq!(
            of("times = [0, 1]\nvalues = [1, 2]\ninterpolation = [\"hold\",\n\"bouncy\"]\n"),
            "s.toml:6: interpolation is one of smooth, linear, hold, eased, not \"bouncy\""
        );
        assert_eq!(
            of("times = [0, 1]\nvalues = [1, 2]\ninterpolation = 3\n"),
            "s.toml:5: interpolation wants one of smooth, linear, hold, eased for each key"
        );
        assert_eq!(
            of("times = [0, 1]\nvalues = [1, 2]\ninterpolation = [\"hold\"]\n"),
            "s.toml:5: wind.strength has 2 times and 1 name of interpolation; each time wants one, \
             or all of them the same: interpolation = \"linear\", say"
        );
        assert_eq!(
            of(&format!(
                "times = [0]\nvalues = [1]\n{start}times = [1]\nvalues = [2]\n"
            )),
            "s.toml:6: wind.strength has a track already; write all of its keys into one"
        );
        let named = |name: &str| {
            refused(&format!(
                "[[track]]\nparameter = \"{name}\"\ntimes = [0]\nvalues = [1]\n"
            ))
        };
        assert_eq!(
            named("wind.strenght"),
            "s.toml:2: there is no parameter wind.strenght; did you mean wind.strength?"
        );
        for name in [
            "sim.speed",
            "motion.yaw",
            "wind.on",
            "collision.cell",
            "pbd.iterations",
        ] {
            let text = named(name);
            let begin = format!("s.toml:2: {name} cannot be keyed over time; what can be are");
            assert!(text.starts_with(&begin), "{text}");
        }
        assert!(refused("[track]\ntimes = [1]\n").starts_with("s.toml:1: each track is a table"));
        assert!(refused("[[track]]\n").starts_with("s.toml:1: the track has no parameter"));
        assert!(refused("[[track]]\nparameter = 3\n").starts_with("s.toml:2: parameter wants"));
        let set = refused("[tracks]\nkeys = \"wind.strength 0 80\"\n");
        assert!(
            set.starts_with("s.toml:2: wind.strength = 80 is outside"),
            "{set}"
        );
        let set = refused("[tracks]\nkeys = \"wind.strength 0\"\n");
        assert!(set.starts_with("s.toml:2: tracks.keys wants"), "{set}");
        let set = refused("[tracks]\nkeys = \"wind.strength 0 1 bouncy 2 3\"\n");
        assert_eq!(
            set,
            "s.toml:2: tracks.keys wants a number's name, then time and value of each of its keys, \
             and after a value linear, hold or eased where it does not go on smoothly, like \
             \"wind.strength 0 0 hold 2 12\", not \"wind.strength 0 1 bouncy 2 3\""
        );
    }

    #[test]
    fn how_keys_go_on_is_read_and_written_where_it_is_not_smooth() {
        let start = "[[track]]\nparameter = \"wind.strength\"\ntimes = [0, 2, 3.5]\n\
                     values = [0, 0.1, 12]\n";
        let again = |rest: &str| {
            let params = read_text(&format!("{start}{rest}")).expect("a scene");
            let (path, sections) = (Path::new("s.toml"), params.sections());
            let again = text(path, &sections, &[], &Handwork::default());
            assert_eq!(read_text(&again).expect("read back"), params);
            let at = again.find("[[track]]").expect("a track");
            again[at..].to_string()
        };
        let mixed = "interpolation = [\"hold\", \"eased\", \"smooth\"]\n";
        assert_eq!(again(mixed), format!("{start}{mixed}"));
        assert_eq!(
            again("interpolation = \"linear\"\n"),
            format!("{start}interpolation = [\"linear\", \"linear\", \"linear\"]\n")
        );
        // As files before there was a choice.
        assert_eq!(again("interpolation = \"smooth\"\n"), start);
        assert_eq!(again(""), start);
    }
}
