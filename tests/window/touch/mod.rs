//! The hand in the real window: what it would take, what one paints, and the
//! head's keyframes in time.

use super::driven_window::{DrivenWindow, Shot, wait_for};
use std::{thread::sleep, time::Duration};

/// Few strands in solid colours, on a head that rests.
const HAIR: &[&str] = &[
    "--strands",
    "200",
    "--vertices",
    "16",
    "--set",
    "look.geometry=lines",
    "--set",
    "look.shading=kajiya-kay",
    "--set",
    "look.width=0.0005",
    "--set",
    "followers.each=0",
    "--set",
    "motion.preset=none",
];

/// Where the picture has that colour.
fn places(shot: &Shot, is: impl Fn([u8; 3]) -> bool) -> Vec<[usize; 2]> {
    let all = (0..shot.height).flat_map(|y| (0..shot.width).map(move |x| [x, y]));
    all.filter(|[x, y]| is(shot.at(*x, *y))).collect()
}

/// The pale yellow of strands in reach.
fn lit([r, g, b]: [u8; 3]) -> bool {
    r > 215 && g > 175 && r > b.saturating_add(60) && g > b.saturating_add(35)
}

/// The yellow of what is all there.
fn full([r, g, b]: [u8; 3]) -> bool {
    r > 110 && g > 95 && b < 70 && r.abs_diff(g) < 45
}

#[test]
fn what_the_hand_would_take_is_lit_before_the_click() {
    let Some(mut desk) = DrivenWindow::new(HAIR) else {
        return;
    };
    desk.wait_for_head();
    sleep(Duration::from_secs(2));
    desk.key("space");
    let before = desk.still();
    // Some hair is as pale by itself.
    let lit_now = |shot: &Shot| {
        let mut found = places(shot, lit);
        found.retain(|[x, y]| !lit(before.at(*x, *y)));
        found
    };
    for tool in ["e", "k"] {
        desk.key(tool);
        // Beside the head, where the hair hangs.
        let [x, y] = [300, 430];
        desk.point([x, y]);
        // They are where the hand is, once the picture has settled; it begins at 20, 150.
        let near = |place: &&[usize; 2]| place[0].abs_diff(x - 20) < 170;
        wait_for("lit strands near the hand", || {
            let found = lit_now(&desk.picture());
            let share = found.iter().filter(near).count() as f64 / found.len().max(1) as f64;
            (found.len() > 60 && share > 0.9).then_some(())
        });
        desk.look().keep("lit");
        // Far from all hair nothing is.
        desk.point([60, 650]);
        wait_for("nothing to be lit", || {
            (lit_now(&desk.picture()).len() < 20).then_some(())
        });
    }
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
}

#[test]
fn one_who_paints_sees_hair_and_colours_on_the_scalp() {
    let Some(mut desk) = DrivenWindow::new(HAIR) else {
        return;
    };
    desk.wait_for_head();
    sleep(Duration::from_secs(2));
    desk.key("space");
    let plain = desk.still();
    let count = |shot: &Shot| places(shot, full).len();
    let before = count(&plain);
    desk.key("y");
    desk.point([700, 680]);
    let painted = wait_for("colours on the scalp", || {
        let shot = desk.picture();
        (count(&shot) > before + 400).then_some(shot)
    });
    painted.keep("painted");
    // Hair: dark lines over the backdrop beside the head.
    let dark = |shot: &Shot| {
        let beside = shot.crop([160, 150], [120, 250]);
        places(&beside, |[r, _, b]| r < 100 && r > b.saturating_add(14)).len()
    };
    assert!(
        dark(&painted) > 20,
        "hair is in view: {} pixels",
        dark(&painted)
    );
    // A dab on the crown takes the colour of less.
    desk.drag([450, 200], [470, 205]);
    desk.point([700, 680]);
    let blue = |[r, g, b]: [u8; 3]| b > r.saturating_add(15) && b > 50 && g < 170;
    wait_for("the colour of less", || {
        (places(&desk.picture(), blue).len() > 40).then_some(())
    });
    desk.look().keep("dab");
    desk.key("q");
    wait_for("the colours to go", || {
        (count(&desk.picture()) < before + 200).then_some(())
    });
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
}

/// Middles of the keys on the bar, from left to right: the only things in that
/// colour along its middle that are as narrow as they are.
fn keys(shot: &Shot) -> Vec<[usize; 2]> {
    let is = |x: usize, y: usize| {
        let close = |(a, b): (&u8, &u8)| a.abs_diff(*b) < 12;
        shot.at(x, y).iter().zip(&[206, 132, 72]).all(close)
    };
    for y in shot.height - 90..shot.height - 30 {
        let (mut found, mut x) = (Vec::new(), 120);
        while x < shot.width - 400 {
            let length = (x..shot.width).take_while(|x| is(*x, y)).count();
            if (6..=14).contains(&length) {
                found.push([x + length / 2, y]);
            }
            x += length.max(1);
        }
        if found.len() >= 2 {
            return found;
        }
    }
    Vec::new()
}

#[test]
fn keyframes_are_dragged_copied_added_and_deleted_in_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = folder.path().join("keys.toml");
    std::fs::write(
        &scene,
        "version = 1\n[roots]\nstrands = 100\n[groom]\nvertices = 8\n\
         [motion]\npreset = \"keyframes\"\nrepeat = false\n\
         [[keyframe]]\ntime = 0.5\n[[keyframe]]\ntime = 1.5\nrotation = [40, 10, 0]\n",
    )
    .expect("writes");
    let Some(mut desk) = DrivenWindow::new(&[scene.to_str().expect("a name")]) else {
        return;
    };
    desk.wait_for_head();
    desk.key("space");
    let times = |desk: &DrivenWindow, name: &str| {
        let scene = desk.save(name);
        let keys = scene["keyframe"].as_array().expect("keys").clone();
        let time = |key: &toml::Value| {
            let whole = || key["time"].as_integer().map(|time| time as f64);
            key["time"].as_float().or_else(whole).expect("a time")
        };
        keys.iter().map(time).collect::<Vec<_>>()
    };
    let start = times(&desk, "start.toml");
    assert_eq!(start, [0.5, 1.5]);
    let found = wait_for("two keys", || {
        desk.look().keep("keys");
        let found = keys(&desk.look());
        (found.len() == 2).then_some(found)
    });
    desk.look().keep("keys");
    // From 0.5 to 1.5 s it is so far on the rail.
    let second = (found[1][0] - found[0][0]) as f64;
    let at = |time: f64| {
        [
            (found[0][0] as f64 + (time - 0.5) * second) as usize,
            found[0][1],
        ]
    };

    // A drag, and back by one undo.
    desk.drag(found[1], at(1.0));
    let dragged = times(&desk, "dragged.toml");
    assert!((dragged[1] - 1.0).abs() < 0.05, "{dragged:?}");
    desk.key("ctrl+z");
    assert_eq!(times(&desk, "undone.toml"), start);

    // With Alt a copy.
    desk.xdotool(&["keydown", "alt"]);
    desk.drag(at(1.5), at(1.1));
    desk.xdotool(&["keyup", "alt"]);
    let copied = times(&desk, "copied.toml");
    assert_eq!(copied.len(), 3, "{copied:?}");
    assert!(
        (copied[1] - 1.1).abs() < 0.05 && copied[2] == 1.5,
        "{copied:?}"
    );

    // The copy is chosen: it goes by key.
    desk.key("Delete");
    assert_eq!(times(&desk, "deleted.toml"), start);

    // A double click adds one.
    desk.point(at(0.9));
    desk.xdotool(&["click", "--repeat", "2", "--delay", "60", "1"]);
    let added = times(&desk, "added.toml");
    assert_eq!(added.len(), 3, "{added:?}");
    assert!((added[1] - 0.9).abs() < 0.05, "{added:?}");
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
}
