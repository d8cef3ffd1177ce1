//! Keys of a number, and what lies between them.

use super::*;
use crate::{param, params};

params! {
    /// A section with a number in it.
    pub struct Lamp: "lamp" {
        /// A number.
        bright: f32 = 1.0, param::float(0.0, 10.0), "x", "Brightness";
        /// No number.
        on: bool = false, param::Kind::Bool, "", "On";
    }
}

fn track(keys: &[(f64, f64)]) -> Track {
    let keys = keys.iter().map(|&(time, value)| TrackKey { time, value });
    Track::new("lamp.bright", keys.collect()).expect("times grow")
}

/// Rises, rests, turns back and falls steeply beside a long level way.
fn ways() -> [Track; 5] {
    [
        track(&[(0.5, 1.0), (1.0, 1.1), (1.25, 7.0), (3.0, 7.0), (3.1, 2.0)]),
        track(&[(0.0, 0.0), (2.0, 0.0), (2.1, 12.0), (4.0, 12.0)]),
        track(&[
            (0.0, -3.0),
            (0.01, 5.0),
            (2.0, 5.1),
            (2.5, 5.2),
            (2.6, 90.0),
        ]),
        track(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (4.0, 8.0)]),
        track(&[(0.0, 0.0), (1.0, 5.0), (2.0, 1.0), (2.5, 4.0)]),
    ]
}

#[test]
fn the_way_goes_through_every_key_and_rests_beyond_the_ends() {
    for track in ways() {
        for key in track.keys() {
            assert!((track.at(key.time) - key.value).abs() < 1e-12, "{key:?}");
        }
        let (first, last) = (track.keys()[0], track.keys()[track.keys().len() - 1]);
        assert_eq!(track.at(first.time - 9.0), first.value);
        assert_eq!(track.at(last.time + 9.0), last.value);
    }
    let one = track(&[(2.0, 4.5)]);
    assert!([0.0, 2.0, 70.0].iter().all(|time| one.at(*time) == 4.5));
}

#[test]
fn no_value_leaves_those_of_the_keys_beside_it_and_none_turns_back() {
    for track in ways() {
        for pair in track.keys().windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let rises = (b.value - a.value).signum();
            let mut before = a.value;
            for i in 0..=1000 {
                let time = a.time + (b.time - a.time) * f64::from(i) / 1000.0;
                let now = track.at(time);
                let [low, high] = [a.value.min(b.value), a.value.max(b.value)];
                assert!((low..=high).contains(&now), "{now} at {time}");
                assert!((now - before) * rises > -1e-12, "{before} {now} at {time}");
                before = now;
            }
        }
    }
}

#[test]
fn the_slope_is_steady_at_keys_and_at_the_ends() {
    for track in ways() {
        for key in track.keys() {
            // So near that no bend shows.
            let h = 1e-9;
            let slope = |a: f64, b: f64| (track.at(b) - track.at(a)) / (b - a);
            let left = slope(key.time - h, key.time);
            let right = slope(key.time, key.time + h);
            assert!((left - right).abs() < 2e-2, "{key:?}: {left} {right}");
        }
    }
    // Inside, a straight line stays one.
    let line = &ways()[3];
    for i in 0..100 {
        let time = 2.0 + 0.01 * f64::from(i);
        assert!((line.at(time) - 2.0 * time).abs() < 1e-9, "{time}");
    }
}

#[test]
fn keys_are_set_moved_and_taken_away() {
    let mut tracks = Tracks::default();
    tracks.set_key("lamp.bright", 1.0, 3.0);
    tracks.set_key("lamp.bright", 0.25, 1.0);
    tracks.set_key("wind.strength", 1.004, 6.0);
    tracks.set_key("lamp.bright", 1.001, 4.0);
    tracks.set_key("lamp.bright", 2.0, f64::NAN);
    let bright = |tracks: &Tracks| {
        let keys = tracks.of("lamp.bright").map(Track::keys);
        let keys = keys.unwrap_or_default().iter();
        keys.map(|key| (key.time, key.value)).collect::<Vec<_>>()
    };
    assert_eq!(bright(&tracks), [(0.25, 1.0), (1.0, 4.0)]);
    assert_eq!((tracks.times(), tracks.end()), (vec![0.25, 1.0], 1.0));
    // All that lies at a time goes along, and beside what is there.
    let mut moved = tracks.without(1.0);
    assert!(moved.of("wind.strength").is_none(), "its last key is gone");
    assert_eq!(moved.put(&tracks, 1.0, 0.25), 0.26);
    assert_eq!(bright(&moved), [(0.25, 1.0), (0.26, 4.0)]);
    let wind = moved.of("wind.strength").expect("it came along");
    assert_eq!((wind.keys()[0].time, wind.keys()[0].value), (0.26, 6.0));
    // A time that is as good as a key's shows its value.
    let bright_now = |time| moved.of("lamp.bright").map(|track| track.shown(time));
    assert_eq!(bright_now(0.2533), Some(1.0));
    let way = &ways()[3];
    assert_eq!(way.shown(2.5), way.at(2.5));
    tracks.remove_key("lamp.bright", 0.25);
    tracks.remove_key("lamp.bright", 0.5);
    assert_eq!(bright(&tracks), [(1.0, 4.0)]);
    tracks.remove("wind.strength");
    tracks.remove_key("lamp.bright", 1.0);
    assert!(tracks.is_empty() && tracks.times().is_empty());
}

#[test]
fn a_section_takes_the_values_of_its_own_tracks() {
    let mut tracks = Tracks::default();
    tracks.set_key("lamp.bright", 0.0, 0.0);
    tracks.set_key("lamp.bright", 2.0, 8.0);
    tracks.set_key("lamp.on", 0.0, 1.0);
    tracks.set_key("wind.strength", 0.0, 6.0);
    let lamp = Lamp::default();
    assert_eq!(tracks.over(&lamp, 1.0).bright, 4.0);
    assert!(!tracks.over(&lamp, 1.0).on, "no number has no track");
    tracks.set_key("lamp.bright", 2.0, 80.0);
    assert_eq!(tracks.over(&lamp, 3.0).bright, 1.0, "out of range");
    tracks.remove("lamp.bright");
    tracks.remove("lamp.on");
    assert!(matches!(tracks.over(&lamp, 1.0), Cow::Borrowed(_)));
}

#[test]
fn tracks_survive_as_text_and_bad_text_is_none() {
    let mut tracks = Tracks::default();
    tracks.set_key("lamp.bright", 0.1, 0.3);
    tracks.set_key("lamp.bright", 2.0, 8.0);
    tracks.set_key("wind.strength", 0.0, -6.5e-3);
    let text = tracks.to_value();
    let wanted = "lamp.bright 0.1 0.3 2 8; wind.strength 0 -0.0065";
    assert_eq!(text, Value::Text(wanted.into()));
    assert_eq!(Tracks::from_value(&text), Some(tracks));
    let read = |text: &str| Tracks::from_value(&Value::Text(text.into()));
    assert_eq!(read(" ; "), Some(Tracks::default()));
    for wrong in [
        "lamp.bright",
        "lamp.bright 1",
        "lamp.bright 1 2 3",
        "lamp.bright 1 2 1 3",
        "lamp.bright -1 2",
        "lamp.bright 86401 2",
        "lamp.bright 1 nan",
        "lamp.bright inf 1",
        "bright 1 2",
        "lamp.bright 1 2; lamp.bright 2 3",
    ] {
        assert_eq!(read(wrong), None, "{wrong}");
    }
    assert_eq!(Tracks::from_value(&Value::Int(3)), None);
}
