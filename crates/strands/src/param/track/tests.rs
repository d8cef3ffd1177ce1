//! Keys of a number, and what lies between them.

use super::*;
use crate::{
    param::{self, ParamType as _},
    params,
};
use KeyInterpolation::{Eased, Hold, Linear, Smooth};

const GRID: TimeGrid = TimeGrid::HUNDREDTHS;

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
    let keys = keys.iter().map(|&(time, value)| (time, value, Smooth));
    mixed(&keys.collect::<Vec<_>>())
}

fn mixed(keys: &[(f64, f64, KeyInterpolation)]) -> Track {
    let keys = keys.iter().map(|&(time, value, interpolation)| TrackKey {
        time,
        value,
        interpolation,
    });
    Track::new("lamp.bright", keys.collect()).expect("times grow")
}

/// How fast the value changes just before and just after `time`.
fn slopes(track: &Track, time: f64) -> [f64; 2] {
    // So near that no bend shows.
    let h = 1e-9;
    let slope = |a: f64, b: f64| (track.at(b) - track.at(a)) / (b - a);
    [slope(time - h, time), slope(time, time + h)]
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
            let [left, right] = slopes(&track, key.time);
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
fn a_straight_way_is_a_line_and_a_held_value_stays_until_the_next_key() {
    let way = mixed(&[(0.5, 1.0, Linear), (2.0, 4.0, Hold), (3.0, -2.0, Linear)]);
    for i in 0..=150 {
        let time = 0.5 + 0.01 * f64::from(i);
        let line = 1.0 + 2.0 * (time - 0.5);
        assert!((way.at(time) - line).abs() < 1e-12, "{time}");
        let held = 2.0 + 0.0066 * f64::from(i);
        assert_eq!(way.at(held), 4.0, "{held}");
    }
    assert_eq!(way.at(2.99999), 4.0);
    assert_eq!([way.at(3.0), way.at(9.0)], [-2.0, -2.0]);
    // Steps of a sixtieth add up to a little less than 3 s.
    let sum = (0..180).fold(0.0, |time, _| time + 1.0 / 60.0);
    assert!(sum < 3.0, "{sum}");
    assert_eq!(way.at(sum), -2.0);
}

#[test]
fn an_eased_way_rests_at_both_keys_and_stays_between_them() {
    // Beside steep ways on both sides.
    let way = mixed(&[
        (0.0, -50.0, Linear),
        (1.0, 2.0, Eased),
        (3.0, 8.0, Linear),
        (3.5, 90.0, Smooth),
    ]);
    assert!(slopes(&way, 1.0)[1].abs() < 1e-6, "{:?}", slopes(&way, 1.0));
    assert!(slopes(&way, 3.0)[0].abs() < 1e-6, "{:?}", slopes(&way, 3.0));
    let mut before = 2.0;
    for i in 0..=1000 {
        let s = f64::from(i) / 1000.0;
        let now = way.at(1.0 + 2.0 * s);
        assert!((now - (2.0 + 6.0 * s * s * (3.0 - 2.0 * s))).abs() < 1e-12);
        assert!((2.0..=8.0).contains(&now) && now >= before, "{s}: {now}");
        before = now;
    }
    assert_eq!(way.at(2.0), 5.0, "half way in half the time");
}

#[test]
fn a_smooth_way_goes_on_from_what_is_beside_it_and_stays_monotone() {
    // Out of a line it goes with the line's slope, beside a rest it rests.
    let way = |first: KeyInterpolation, last: KeyInterpolation| {
        mixed(&[
            (0.0, 0.0, first),
            (1.0, 2.0, Smooth),
            (2.0, 5.0, last),
            (3.0, 6.0, Smooth),
        ])
    };
    let line = way(Linear, Linear);
    let steady = |time: f64, wanted: f64| {
        let [left, right] = slopes(&line, time);
        assert!((left - wanted).abs() < 1e-5 && (right - wanted).abs() < 1e-5);
    };
    steady(1.0, 2.0);
    steady(2.0, 1.0);
    for rests in [Hold, Eased] {
        let way = way(rests, rests);
        let [left, right] = [slopes(&way, 1.0)[1], slopes(&way, 2.0)[0]];
        assert!(left.abs() < 1e-5 && right.abs() < 1e-5, "{left} {right}");
    }
    for first in KeyInterpolation::ALL {
        for last in KeyInterpolation::ALL {
            // Beside lines far too steep for it.
            let way = mixed(&[
                (0.0, -90.0, first),
                (1.0, 2.0, Smooth),
                (2.0, 5.0, last),
                (2.1, 80.0, Smooth),
            ]);
            let values = (0..=1000).map(|i| way.at(1.0 + f64::from(i) / 1000.0));
            let values: Vec<f64> = values.collect();
            assert!(values.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
            assert_eq!([values[0], values[1000]], [2.0, 5.0]);
        }
    }
}

#[test]
fn new_keys_go_on_like_the_one_before_and_moved_ones_as_they_did() {
    let mut tracks = Tracks::default();
    for time in [1.0, 3.0] {
        tracks.set_key("lamp.bright", time, time);
    }
    tracks.set_interpolation("lamp.bright", 1.0, Hold);
    tracks.set_interpolation("lamp.bright", 3.0, Linear);
    let ways = |tracks: &Tracks| {
        let keys = tracks.of("lamp.bright").map_or(&[][..], Track::keys);
        let keys = keys.iter().map(|key| (key.time, key.interpolation));
        keys.collect::<Vec<_>>()
    };
    let mut more = tracks.clone();
    for time in [0.5, 2.0, 4.0] {
        more.set_key("lamp.bright", time, 0.0);
    }
    let wanted = [
        (0.5, Hold),
        (1.0, Hold),
        (2.0, Hold),
        (3.0, Linear),
        (4.0, Linear),
    ];
    assert_eq!(ways(&more), wanted);
    // Another value leaves it.
    more.set_key("lamp.bright", 3.0, 9.0);
    assert_eq!(ways(&more), wanted);
    let mut put = tracks.without(3.0);
    put.put(&tracks, 3.0, 0.25, GRID);
    assert_eq!(ways(&put), [(0.25, Linear), (1.0, Hold)]);

    let mut moved = tracks.clone();
    assert_eq!(
        moved.move_key("lamp.bright", 3.0, (1.0, 5.0), GRID, false),
        1.01
    );
    assert_eq!(ways(&moved), [(1.0, Hold), (1.01, Linear)]);
    assert_eq!(
        moved.of("lamp.bright").map(|track| track.at(2.0)),
        Some(5.0)
    );
    assert_eq!(
        moved.move_key("lamp.bright", 1.0, (2.0, 5.0), GRID, true),
        2.0
    );
    assert_eq!(ways(&moved).len(), 3);
    assert_eq!(
        moved.move_key("lamp.bright", 7.0, (2.5, 5.0), GRID, false),
        7.0
    );
    assert_eq!(
        moved.move_key("lamp.dim", 1.0, (2.5, 5.0), GRID, false),
        1.0
    );
    assert_eq!(ways(&moved).len(), 3);
}

#[test]
fn a_change_of_keys_is_made_elsewhere() {
    let mut before = Tracks::default();
    before.set_key("lamp.bright", 1.0, 3.0);
    before.set_key("lamp.bright", 2.0, 4.0);
    let mut after = before.clone();
    after.remove_key("lamp.bright", 1.0);
    after.set_key("lamp.bright", 2.0, 5.0);
    after.set_key("wind.strength", 1.0, 6.0);
    let mut other = before.clone();
    other.set_key("lamp.bright", 0.0, 7.0);
    other.take_change(&before, &after);
    let wanted = "lamp.bright 0 7 2 5; wind.strength 1 6";
    assert_eq!(other.to_value(), Value::Text(wanted.into()));
    other.take_change(&after, &after);
    assert_eq!(other.to_value(), Value::Text(wanted.into()));
}

#[test]
fn keys_are_set_moved_and_taken_away() {
    let mut tracks = Tracks::default();
    tracks.set_key("lamp.bright", 1.0, 3.0);
    tracks.set_key("lamp.bright", 0.25, 1.0);
    tracks.set_key("wind.strength", 1.0, 6.0);
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
    assert_eq!(moved.put(&tracks, 1.0, 0.25, GRID), 0.26);
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
    let ways = "lamp.bright 0.1 0.3 hold 2 8 3 1 eased; wind.strength 0 1 linear";
    let mixed = read(ways).expect("ways are known");
    assert_eq!(mixed.to_value(), Value::Text(ways.into()));
    let told = read("lamp.bright 1 2 smooth").map(|tracks| tracks.to_value());
    assert_eq!(told, Some(Value::Text("lamp.bright 1 2".into())));
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
        "lamp.bright 1 2 bouncy",
        "lamp.bright hold 1 2",
        "lamp.bright 1 hold 2",
        "lamp.bright 1 2 hold hold",
        "lamp.bright 1 2; lamp.bright 2 3",
    ] {
        assert_eq!(read(wrong), None, "{wrong}");
    }
    assert_eq!(Tracks::from_value(&Value::Int(3)), None);
}
