//! The timeline in the real window, counting frames: a key that is dragged, one that is typed,
//! and a file that keeps them.

use super::driven_window::{DrivenWindow, Shot, wait_for};

const HAIR: &[&str] = &[
    "--strands",
    "150",
    "--vertices",
    "12",
    "--set",
    "motion.preset=none",
];

/// The colour of a key.
const KEY: [u8; 3] = [206, 132, 72];

/// The middles of the keys on the timeline, from left to right.
fn keys(shot: &Shot) -> Vec<[usize; 2]> {
    let lit = |x: usize, y: usize| {
        let close = |(a, b): (&u8, &u8)| a.abs_diff(*b) < 10;
        shot.at(x, y).iter().zip(&KEY).all(close)
    };
    let mut found: Vec<[usize; 4]> = Vec::new();
    let rows = shot.height - 90..shot.height - 26;
    for x in 20..shot.width - 400 {
        let lit: Vec<usize> = rows.clone().filter(|y| lit(x, *y)).collect();
        let (Some(top), Some(bottom)) = (lit.first(), lit.last()) else {
            continue;
        };
        match found.last_mut().filter(|[_, to, ..]| *to + 2 >= x) {
            Some([_, to, up, down]) => (*to, *up, *down) = (x, *top.min(up), *bottom.max(down)),
            None => found.push([x, x, *top, *bottom]),
        }
    }
    let middles = found
        .iter()
        .map(|[from, to, up, down]| [(from + to) / 2, (up + down) / 2]);
    middles.collect()
}

/// The times of the wind's keys in a scene file. `[s]`
fn times(scene: &toml::Table) -> Vec<f64> {
    let track = scene["track"].as_array().and_then(|tracks| tracks.first());
    let times = track.and_then(|track| track["times"].as_array());
    let number = |time: &toml::Value| {
        let whole = time.as_integer().map(|time| time as f64);
        time.as_float().or(whole).expect("a number")
    };
    times.expect("times").iter().map(number).collect()
}

#[test]
fn a_person_drags_and_types_keys_by_frames_and_finds_them_again() {
    let kept = tempfile::tempdir().expect("a folder");
    std::fs::write(kept.path().join("hint-read"), "").expect("writes");
    std::fs::write(kept.path().join("timeline"), "time frames\n").expect("writes");
    let keyed = ["--set", "tracks.keys=wind.strength 0 0 0.51 6 2 9"];
    let arguments = [HAIR, &keyed].concat();
    let Some(mut desk) = DrivenWindow::with(&arguments, Some(kept.path())) else {
        return;
    };
    desk.wait_for_head();
    // However long that took: the timeline shows the first seconds.
    desk.key("space");
    desk.key("r");
    desk.point([400, 300]);
    let three = |desk: &DrivenWindow| Some(keys(&desk.look())).filter(|keys| keys.len() == 3);
    desk.look().keep("timeline-frames");
    let places = wait_for("three keys", || three(&desk));
    // What lies between frames stays there until it is dragged.
    assert_eq!(times(&desk.save("begin.toml")), [0.0, 0.51, 2.0]);
    let [x, y] = places[1];
    desk.drag([x, y], [x + 41, y]);
    desk.point([400, 300]);
    let dragged = times(&desk.save("dragged.toml"));
    let frame = (24.0 * dragged[1]).round();
    assert_eq!([dragged[0], dragged[2]], [0.0, 2.0]);
    assert_eq!(dragged[1], frame / 24.0, "at a whole frame");
    assert!((13.0..47.0).contains(&frame), "{frame}");

    // A double-click, and the frame's number.
    let [first, last] = [places[0], places[2]].map(|[x, _]| x as f64);
    let x = (first + 0.5 * dragged[1] * (last - first)).round() as usize;
    let before = desk.look();
    desk.point([x, y]);
    desk.xdotool(&["click", "--repeat", "2", "--delay", "60", "1"]);
    wait_for("the fields", || {
        (desk.look().difference(&before) > 0.001).then_some(())
    });
    desk.look().keep("timeline-typed");
    desk.xdotool(&["type", "--delay", "30", "31"]);
    desk.key("Return");
    let typed = desk.save("typed.toml");
    assert_eq!(times(&typed)[1], 31.0 / 24.0);
    desk.key("ctrl+z");
    assert_eq!(
        times(&desk.save("undone.toml")),
        dragged,
        "one step to undo"
    );
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());

    // The file keeps the very times.
    let file = desk.folder.path().join("typed.toml");
    let file = file.to_str().expect("a plain path");
    let Some(mut later) = DrivenWindow::with(&[file], Some(kept.path())) else {
        return;
    };
    later.wait_for_head();
    assert_eq!(times(&later.save("again.toml")), times(&typed));
    assert_eq!(later.close().code(), Some(0), "{}", later.said());
}
