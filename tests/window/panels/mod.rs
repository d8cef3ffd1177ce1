//! The panel in the real window: a drag that holds on, a parameter that is
//! found, sections that are open again at the next start, the list of keys.

use super::driven_window::{DrivenWindow, Shot, wait_for};
use std::{thread::sleep, time::Duration};

const HAIR: &[&str] = &[
    "--strands",
    "150",
    "--vertices",
    "12",
    "--set",
    "motion.preset=none",
];

/// The colour of the filled part of a slider's rail.
const RAIL: [u8; 3] = [128, 84, 50];

fn lit(shot: &Shot, x: usize, y: usize) -> bool {
    let close = |(a, b): (&u8, &u8)| a.abs_diff(*b) < 6;
    shot.at(x, y).iter().zip(&RAIL).all(close)
}

/// The filled part of the first slider in the panel: where it begins, and its
/// length.
fn rail(shot: &Shot) -> Option<([usize; 2], usize)> {
    for y in 110..shot.height - 60 {
        let start = (940..shot.width - 60).find(|x| lit(shot, *x, y));
        if let Some(x) = start {
            let length = (x..shot.width).take_while(|x| lit(shot, *x, y)).count();
            return Some(([x, y], length)).filter(|(_, length)| *length > 8);
        }
    }
    None
}

/// The panel under its tabs.
fn panel(desk: &DrivenWindow) -> Shot {
    desk.look().crop([940, 84], [325, 560])
}

/// The panel when nothing moves in it any more.
fn still(desk: &DrivenWindow) -> Shot {
    let mut before = panel(desk);
    wait_for("the panel to be still", || {
        sleep(Duration::from_millis(500));
        let now = panel(desk);
        let still = now == before;
        before = now.clone();
        still.then_some(now)
    })
}

/// Waits until so large a share of the panel is another than before.
fn changed(desk: &DrivenWindow, before: &Shot, share: f64) {
    wait_for("the panel to change", || {
        (panel(desk).difference(before) > share).then_some(())
    });
}

#[test]
fn a_person_finds_a_parameter_drags_it_and_finds_its_section_open_again() {
    let kept = tempfile::tempdir().expect("a folder");
    std::fs::write(kept.path().join("hint-read"), "").expect("writes");
    let Some(mut desk) = DrivenWindow::with(HAIR, Some(kept.path())) else {
        return;
    };
    desk.wait_for_head();
    desk.key("space");
    let basic = still(&desk);
    basic.keep("panel-basic");

    // A word of the tooltip finds one parameter.
    desk.key("ctrl+f");
    changed(&desk, &basic, 0.0005);
    desk.xdotool(&["type", "--delay", "30", "groom.droop"]);
    changed(&desk, &basic, 0.02);
    desk.point([400, 400]);
    let found = still(&desk);
    found.keep("panel-found");

    // One drag from the default far to the left, and back beyond it to the right.
    let ([x, y], length) = wait_for("a slider", || rail(&desk.look()));
    desk.point([x + length + 3, y + 2]);
    desk.xdotool(&["mousedown", "1"]);
    let filled = || rail(&desk.look()).map_or(0, |(_, length)| length);
    for step in 1..=5 {
        desk.point([x + length + 3 - step * (length - 24) / 5, y + 2]);
    }
    let short = wait_for("the slider to follow to the left", || {
        Some(filled()).filter(|now| *now > 0 && *now < length - 8)
    });
    for step in 1..=5 {
        desk.point([x + 24 + step * (length - 12) / 5, y + 2]);
    }
    wait_for("the slider to come back", || {
        Some(filled()).filter(|now| *now > length + 2 && *now > short)
    });
    desk.xdotool(&["mouseup", "1"]);
    desk.point([400, 400]);
    let saved = desk.save("dragged.toml");
    let droop = saved["groom"]["droop"].as_float().expect("a number");
    assert!(droop > 0.79, "{saved}");
    desk.key("ctrl+z");
    let undone = desk.save("undone.toml");
    assert!(
        (undone.get("groom")).is_none_or(|groom| groom.get("droop").is_none()),
        "one undo: {undone}"
    );

    // The header of what was found shows the whole section.
    desk.point([1040, 138]);
    desk.xdotool(&["click", "1"]);
    changed(&desk, &found, 0.02);
    for _ in 0..12 {
        desk.point([1100, 400]);
        desk.xdotool(&["click", "4"]);
    }
    desk.point([400, 400]);
    let all = still(&desk);
    all.keep("panel-all");
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());

    // At the next start it is as it was left.
    let Some(mut later) = DrivenWindow::with(HAIR, Some(kept.path())) else {
        return;
    };
    later.wait_for_head();
    later.key("space");
    let again = still(&later);
    again.keep("panel-again");
    let apart = again.difference(&all);
    assert!(
        apart < 0.002,
        "all parameters, and the section open: {apart}"
    );
    assert_eq!(later.close().code(), Some(0), "{}", later.said());
}

#[test]
fn a_person_looks_a_key_up() {
    let Some(mut desk) = DrivenWindow::new(HAIR) else {
        return;
    };
    desk.wait_for_head();
    desk.key("space");
    desk.point([400, 700]);
    desk.still();
    let before = desk.look();
    desk.key("F1");
    let listed = wait_for("the list of keys", || {
        let now = desk.look();
        (now.difference(&before) > 0.08).then_some(now)
    });
    listed.keep("keys");
    desk.xdotool(&["type", "--delay", "30", "gravity"]);
    wait_for("what was looked for", || {
        let now = desk.look();
        let differs = now.difference(&listed);
        now.keep("keys-found");
        (differs > 0.02).then_some(())
    });
    // What was typed did nothing else.
    desk.key("F1");
    wait_for("the list to go", || {
        (desk.look().difference(&before) < 0.01).then_some(())
    });
    let saved = desk.save("as-before.toml");
    assert!(saved.get("forces").is_none(), "{saved}");
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
}

#[test]
fn a_window_that_was_small_gives_panel_and_plots_their_sizes_back() {
    let Some(mut desk) = DrivenWindow::new(HAIR) else {
        return;
    };
    desk.wait_for_head();
    desk.key("space");
    desk.key("i");
    desk.point([400, 300]);
    desk.still();
    let before = panel(&desk);
    let plots = |desk: &DrivenWindow| desk.look().crop([20, 560], [880, 30]);
    let tabs = plots(&desk);
    for small in [[300, 300], [480, 240]] {
        desk.resize(small);
        // It has drawn itself there.
        sleep(Duration::from_secs(2));
        desk.resize([1280, 800]);
        wait_for("the panel to be as it was", || {
            (desk.look().width == 1280 && panel(&desk).difference(&before) < 0.001).then_some(())
        });
        wait_for("the plots to be as they were", || {
            (plots(&desk).difference(&tabs) < 0.02).then_some(())
        });
    }
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
}
