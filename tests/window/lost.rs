//! The driver loses the OpenGL context, in the real window: everything goes on.

use super::driven_window::{DrivenWindow, wait_for};
use std::path::PathBuf;

/// Frames of a recording that are compared.
const FRAMES: usize = 12;

/// Few strands, in frames that take longer than the window draws at a time.
const HAIR: &[&str] = &[
    "--strands",
    "150",
    "--vertices",
    "12",
    "--set",
    "followers.each=1",
    "--set",
    "capture.size=own",
    "--set",
    "capture.width=480",
    "--set",
    "capture.height=360",
    "--set",
    "capture.frame_samples=24",
];

/// How often the context was lost so far.
fn losses(desk: &DrivenWindow) -> usize {
    desk.said().matches("the OpenGL context is lost").count()
}

/// The first frames of a recording from the beginning of time, decoded.
fn record(desk: &DrivenWindow) -> Vec<(PathBuf, image::RgbImage)> {
    desk.key("space");
    desk.still();
    desk.key("r");
    desk.still();
    // Time goes on for it.
    desk.key("c");
    wait_for("the frames", || {
        (desk.frames().len() >= FRAMES).then_some(())
    });
    desk.key("c");
    let frames = desk.frames().into_iter().take(FRAMES);
    let decoded = |path: PathBuf| {
        let picture = image::open(&path).expect("decodes").into_rgb8();
        (path, picture)
    };
    frames.map(decoded).collect()
}

#[test]
fn a_lost_context_is_set_up_again_and_a_recording_goes_on() {
    let Some(mut desk) = DrivenWindow::new(HAIR) else {
        return;
    };
    desk.wait_for_head();
    let panel = |desk: &DrivenWindow| desk.look().crop([940, 110], [310, 480]);
    let wanted_panel = panel(&desk);
    let wanted = record(&desk);
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());

    let arguments = [HAIR, &["--lose-context-after", "25"]].concat();
    let Some(mut desk) = DrivenWindow::new(&arguments) else {
        return;
    };
    desk.wait_for_head();
    let before = losses(&desk);
    wait_for("a loss", || (losses(&desk) > before + 1).then_some(()));
    desk.look().keep("after-a-loss");
    let difference = panel(&desk).difference(&wanted_panel);
    assert!(difference < 0.002, "the panel is another one: {difference}");
    // Head and hair are drawn again, and the hair moves.
    desk.wait_for_head();
    let picture = desk.picture();
    wait_for("the hair to move", || {
        (desk.picture().difference(&picture) > 0.002).then_some(())
    });

    let before = losses(&desk);
    let seen = record(&desk);
    let lost = losses(&desk) - before;
    assert!(lost > 1, "lost {lost} times while recording");
    assert_eq!(seen.len(), wanted.len());
    for ((path, seen), (_, wanted)) in seen.iter().zip(&wanted) {
        assert!(seen == wanted, "{} is another picture", path.display());
    }

    // Keys act, and what was set stays.
    desk.key("w");
    let windy = desk.save("windy.toml");
    assert_eq!(windy["wind"]["on"].as_bool(), Some(true));
    let before = losses(&desk);
    wait_for("a loss", || (losses(&desk) > before).then_some(()));
    desk.key("ctrl+z");
    let calm = desk.save("calm.toml");
    assert!(calm.get("wind").is_none_or(|wind| wind.get("on").is_none()));
    desk.look().keep("after-many-losses");
    assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
}

#[test]
fn where_no_context_holds_the_program_ends_and_says_so() {
    let arguments = [HAIR, &["--lose-context-after", "1"]].concat();
    let Some(mut desk) = DrivenWindow::start(&arguments) else {
        return;
    };
    let status = wait_for("the program's end", || desk.ended());
    let said = desk.said();
    assert_eq!(status.code(), Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.contains("cannot be set up again"), "{said}");
}
