//! What outlasts a frame, in the real window with much hair: it goes on beside
//! the window, and can be cancelled.

use super::driven_window::{DrivenWindow, Shot, wait_for};
use std::{fs, thread::sleep, time::Duration};

/// The button that cancels the job that is shown: beside its bar, which is
/// filled from the left.
fn cancel_button(shot: &Shot) -> Option<[usize; 2]> {
    let near = |x: usize, y: usize, colour: [u8; 3]| {
        let close = |(a, b): (&u8, &u8)| a.abs_diff(*b) < 8;
        shot.at(x, y).iter().zip(&colour).all(close)
    };
    let (filled, rail) = ([206, 132, 72], [18, 19, 21]);
    // In the upper right corner of the picture.
    for y in 10..120.min(shot.height) {
        for x in 560..930 {
            if !near(x, y, filled) || near(x - 1, y, filled) {
                continue;
            }
            let end = (x..930).find(|x| !near(*x, y, filled))?;
            // Behind its soft edge.
            let empty = end + 5;
            let length = (empty..930).take_while(|x| near(*x, y, rail)).count();
            if end - x > 6 && length > 60 {
                return Some([empty + length + 40, y]);
            }
        }
    }
    None
}

/// How many frames the window drew while the job of that title was done.
fn frames_during(said: &str, title: &str) -> Option<u32> {
    let line = said.lines().find(|line| line.contains(title))?;
    let (_, rest) = line.split_once("which drew ")?;
    rest.split(' ').next()?.parse().ok()
}

#[test]
fn twenty_thousand_strands_are_exported_combed_and_opened_beside_the_window() {
    let arguments = ["--strands", "20000", "--vertices", "16"];
    let still = ["--set", "motion.preset=none"];
    // The last export was of all that is drawn: that is chosen in the dialog again.
    let kept = tempfile::tempdir().expect("a folder");
    fs::write(kept.path().join("hint-read"), "").expect("writes");
    fs::write(kept.path().join("export"), "strands drawn\nunit cm\n").expect("writes");
    let arguments = [&arguments[..], &still].concat();
    let Some(mut desk) = DrivenWindow::logging(&arguments, kept.path()) else {
        return;
    };
    desk.wait_for_head();

    // An export that is cancelled leaves nothing.
    let half = desk.folder.path().join("half.usda");
    desk.fill_dialog("ctrl+e", &half);
    let button = wait_for("the job", || cancel_button(&desk.look()));
    desk.look().keep("job");
    desk.point(button);
    desk.xdotool(&["click", "1"]);
    wait_for("the job to end", || {
        cancel_button(&desk.look()).is_none().then_some(())
    });
    let names = || {
        let entries = fs::read_dir(desk.folder.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        // What the program keeps for itself is there as well.
        names.filter(|name| name != "state").collect::<Vec<_>>()
    };
    assert!(names().is_empty(), "{:?}", names());

    // One that is not is whole as soon as it is there.
    let whole = desk.folder.path().join("whole.hair");
    desk.fill_dialog("ctrl+e", &whole);
    // Meanwhile the comb goes through the hair.
    desk.key("k");
    desk.drag([300, 300], [620, 340]);
    wait_for("the file", || whole.is_file().then_some(()));
    let (_, strands) = lovelock::io::strands::read(&whole).expect("reads");
    // Strands and followers, and the fine hairs of the hairline besides.
    let fine = strands.len() as i64 - 120_000;
    assert!((1..10_000).contains(&fine), "{fine}");
    let combed = wait_for("the strokes", || {
        let scene = desk.save("combed.toml");
        let work = scene.get("handwork").is_some();
        work.then_some(scene).or_else(|| {
            sleep(Duration::from_millis(500));
            None
        })
    });
    // One drag is one entry.
    desk.key("ctrl+z");
    let undone = desk.save("undone.toml");
    assert!(undone.get("handwork").is_none() && combed["roots"] == undone["roots"]);

    // Another scene is opened while this one stays in the window.
    let scene = desk.folder.path().join("other.toml");
    let text = "version = 1\n[roots]\nstrands = 300\n[groom]\nvertices = 16\nlength = 0.05\n";
    fs::write(&scene, text).expect("writes");
    let before = desk.picture();
    desk.drop_file(&scene);
    // Hair that still falls looks different as well.
    wait_for("the other scene", || {
        desk.said()
            .contains("Opening other.toml: done")
            .then_some(())
    });
    wait_for("the other hair", || {
        (desk.picture().difference(&before) > 0.05).then_some(())
    });
    assert_eq!(desk.close().code(), Some(0));
    let said = desk.said();
    assert!(said.contains("Exporting half.usda: cancelled"), "{said}");
    for title in [
        "Exporting whole.hair: done",
        "Combing: done",
        "Opening other.toml: done",
    ] {
        let frames = frames_during(&said, title);
        assert!(frames.is_some(), "{title}: {said}");
        // A long one is one during which the window goes on drawing.
        assert!(
            !title.starts_with("Exporting") || frames > Some(1),
            "{title}: {said}"
        );
    }
    assert!(said.contains("the window's thread:"), "{said}");
}
