//! The real window, tried as a person would: mouse and keys on an X server.

#[cfg(target_os = "linux")]
mod driven_window;
#[cfg(target_os = "linux")]
mod groom_window;
#[cfg(target_os = "linux")]
mod jobs;
#[cfg(target_os = "linux")]
mod keep;
#[cfg(target_os = "linux")]
mod lost;
#[cfg(target_os = "linux")]
mod panels;
#[cfg(target_os = "linux")]
mod timeline;
#[cfg(target_os = "linux")]
mod touch;

use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
mod linux {
    use super::driven_window::{DrivenWindow, Shot, name, wait_for};
    use std::{collections::BTreeSet, process::Command, thread::sleep, time::Duration};

    const HAIR: &[&str] = &["--strands", "200", "--vertices", "16"];

    /// The colour of the filled part of a slider's rail.
    const RAIL: [u8; 3] = [128, 84, 50];

    /// The handle of the first slider in the panel that is well away from both
    /// ends, found by its look.
    fn find_slider(shot: &Shot) -> Option<[usize; 2]> {
        let lit = |x: usize, y: usize| {
            let close = |(a, b): (&u8, &u8)| a.abs_diff(*b) < 6;
            shot.at(x, y).iter().zip(&RAIL).all(close)
        };
        for y in 100..shot.height - 60 {
            let mut x = 940;
            while x < shot.width - 60 {
                let length = (x..shot.width).take_while(|x| lit(*x, y)).count();
                // A rail is thin; a button of that colour is not.
                let thin = !lit(x + length / 2, y + 9);
                if length >= 25 && thin {
                    return Some([x + length + 3, y + 2]);
                }
                x += length.max(1);
            }
        }
        None
    }

    fn check_frames(frames: &[std::path::PathBuf]) {
        let names: Vec<String> = frames.iter().map(|path| name(path).into()).collect();
        let wanted: Vec<String> = (0..frames.len())
            .map(|number| format!("render{number:04}.png"))
            .collect();
        assert_eq!(names, wanted, "without gaps");
        let pictures: Vec<_> = frames
            .iter()
            .map(|path| image::open(path).expect("decodes").into_rgb8())
            .collect();
        let sizes: BTreeSet<_> = pictures.iter().map(|p| p.dimensions()).collect();
        assert_eq!(sizes.len(), 1, "all of one size: {sizes:?}");
        let (width, height) = pictures[0].dimensions();
        assert!(width > 500 && height > 500, "{width} x {height}");
        let different: BTreeSet<_> = pictures.iter().map(|p| p.as_raw()).collect();
        assert!(
            different.len() > frames.len() / 2,
            "the hair moves: {} of {} frames differ",
            different.len(),
            frames.len()
        );
        // Each holds more than a backdrop: head and hair are lighter and darker.
        for picture in &pictures {
            let darkest = picture.pixels().map(|p| p.0[1]).min();
            let lightest = picture.pixels().map(|p| p.0[1]).max();
            assert!(lightest > darkest.map(|d| d.saturating_add(100)));
        }
    }

    #[test]
    fn a_person_looks_around_changes_and_records() {
        let Some(mut desk) = DrivenWindow::new(HAIR) else {
            return;
        };
        // The head with its hair appears, and moves.
        desk.wait_for_head();
        let before = desk.picture();
        wait_for("the hair to move", || {
            (desk.picture().difference(&before) > 0.002).then_some(())
        });

        // Space: it stands still.
        desk.key("space");
        let start = desk.still();
        // A drag turns the view.
        desk.drag([400, 400], [560, 430]);
        let turned = desk.still();
        assert!(start.difference(&turned) > 0.05, "the drag orbits");
        // The wheel comes nearer.
        for _ in 0..3 {
            desk.xdotool(&["click", "4"]);
        }
        let near = desk.still();
        assert!(turned.difference(&near) > 0.05, "the wheel zooms");
        // N flies to the nape, A to the face; neither stops halfway.
        desk.key("n");
        let nape = desk.still();
        assert!(near.difference(&nape) > 0.05, "N goes round");
        desk.key("a");
        let face = desk.still();
        assert!(nape.difference(&face) > 0.05, "A goes back");
        desk.key("n");
        let again = desk.still().difference(&nape);
        assert!(again < 0.02, "twice the same view: {again}");
        // F frames the head again: the size of the start, from the new side.
        desk.key("f");
        let framed = desk.still();
        assert!(near.difference(&framed) > 0.05, "F frames");

        // The panel's slider changes its parameter, and nothing else.
        let plain = desk.save("plain.toml");
        assert_eq!(plain["roots"]["strands"].as_integer(), Some(200));
        let slider = wait_for("a slider", || find_slider(&desk.look()));
        desk.drag(slider, [slider[0] + 30, slider[1]]);
        desk.point([400, 400]);
        let dragged = desk.save("dragged.toml");
        let changes = |a: &toml::Table, b: &toml::Table| {
            let sections: BTreeSet<_> = a.keys().chain(b.keys()).cloned().collect();
            let changed = sections.into_iter().filter(|s| a.get(s) != b.get(s));
            changed.collect::<Vec<_>>()
        };
        assert_eq!(changes(&plain, &dragged), ["groom"], "the slider");
        // All of the drag, and not its first step alone.
        let length = dragged["groom"]["length"].as_float();
        assert!(length.is_some_and(|length| length > 0.4), "{dragged}");
        assert!(desk.still().difference(&framed) > 0.002, "the hair follows");
        // One undo takes the whole drag back.
        desk.key("ctrl+z");
        let undone = desk.save("undone.toml");
        assert_eq!(undone, plain, "undo");

        // A drag over the panel does not turn the view.
        let still = desk.still();
        desk.drag([1100, 60], [1000, 300]);
        assert!(
            desk.still().difference(&still) < 0.001,
            "the panel is no picture"
        );

        // Wind by key; then the hair goes on.
        desk.key("w");
        let windy = desk.save("windy.toml");
        assert_eq!(windy["wind"]["on"].as_bool(), Some(true), "wind");
        // A drag and two undos before the next frame: both go, the drag and the wind.
        let [from, to] = [slider, [slider[0] + 30, slider[1]]].map(|p| p.map(|v| v.to_string()));
        let press = ["mousemove", &from[0], &from[1], "mousedown", "1"];
        let release = ["mousemove", &to[0], &to[1], "mouseup", "1"];
        let undo = ["key", "--delay", "0", "ctrl+z", "ctrl+z"];
        desk.xdotool(&[press, release, undo].concat());
        let undone = desk.save("undone again.toml");
        assert_eq!(undone, plain, "two undos right after a drag");
        desk.keys(&["w", "space"]);

        // C, wait, C: frames.
        desk.key("c");
        wait_for("ten frames", || (desk.frames().len() >= 10).then_some(()));
        desk.key("c");
        let mut count = 0;
        wait_for("the last frame", || {
            std::thread::sleep(std::time::Duration::from_millis(1500));
            let before = std::mem::replace(&mut count, desk.frames().len());
            (before == count).then_some(())
        });
        check_frames(&desk.frames());

        // P: a picture beside them.
        desk.key("p");
        let screenshot = desk.folder.path().join("renders/screenshot0000.png");
        wait_for("the screenshot", || screenshot.exists().then_some(()));

        // A second capture, and the window closed in the middle of it: what was
        // taken is written.
        desk.key("c");
        wait_for("more frames", || {
            (desk.frames().len() > count + 4).then_some(())
        });
        let status = desk.close();
        let said = desk.said();
        assert_eq!(status.code(), Some(0), "{said}");
        assert!(!said.contains("report"), "{said}");
        check_frames(&desk.frames());
        let left: Vec<_> = std::fs::read_dir(desk.folder.path().join("renders"))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .filter(|name| name.to_string_lossy().starts_with('.'))
            .collect();
        assert!(left.is_empty(), "halves are left: {left:?}");
    }

    /// The two sides of the picture, when it has two: what lies between them is
    /// one dark line from top to bottom.
    fn sides(shot: &Shot) -> Option<[Shot; 2]> {
        let dark = |x: usize| (200..560).all(|y| shot.at(x, y).iter().all(|c| *c < 32));
        let middle = (420..520).find(|x| dark(*x))?;
        let right = (middle..).find(|x| !dark(*x))?;
        // Without captions, messages and the palette of tools.
        let size = [middle, 240];
        Some([0, right].map(|x| shot.crop([x, 320], size)))
    }

    /// Pixels of the colour that a picked strand has.
    fn marked(shot: &Shot) -> usize {
        let mark = [126u8, 236, 255];
        let close = |p: &&[u8; 3]| p.iter().zip(&mark).all(|(a, b)| a.abs_diff(*b) < 14);
        shot.pixels.iter().filter(close).count()
    }

    #[test]
    fn a_person_compares_two_methods_and_looks_at_a_strand() {
        let Some(mut desk) = DrivenWindow::new(HAIR) else {
            return;
        };
        desk.wait_for_head();
        desk.key("space");
        desk.still();
        assert!(sides(&desk.look()).is_none());

        // B: two heads, alike, for the second side begins where the first is.
        desk.key("b");
        desk.point([700, 300]);
        let alike = wait_for("two sides", || sides(&desk.look()));
        desk.still();
        let alike = sides(&desk.look()).unwrap_or(alike);
        assert!(alike.iter().all(Shot::shows_head), "a head on each side");
        let apart = alike[0].difference(&alike[1]);
        assert!(apart < 0.003, "both begin alike: {apart}");
        // Another method moves it otherwise.
        for _ in 0..30 {
            desk.key("period");
        }
        desk.still();
        let [left, right] = sides(&desk.look()).expect("two sides");
        assert!(left.difference(&right) > 0.01, "two methods");
        let scene = desk.save("two.toml");
        assert_eq!(scene["compare"]["on"].as_bool(), Some(true));
        assert_eq!(scene["b"]["sim"]["solver"].as_str(), Some("rod"));

        // A number key acts on the side under the mouse; undo takes it back.
        desk.point([700, 300]);
        desk.key("1");
        let scene = desk.save("same.toml");
        assert!(scene.get("b").is_none() && scene.get("sim").is_none());
        desk.key("ctrl+z");
        assert_eq!(
            desk.save("undone.toml")["b"]["sim"]["solver"].as_str(),
            Some("rod")
        );

        // A click on hair picks a strand; it shows on both sides.
        let hair = wait_for("a strand", || {
            for y in (170..330).step_by(20) {
                desk.point([230, y]);
                desk.xdotool(&["click", "1"]);
                std::thread::sleep(std::time::Duration::from_millis(900));
                if marked(&desk.look()) > 40 {
                    return Some([230, y]);
                }
            }
            None
        });
        let shot = desk.look();
        shot.keep("picked");
        for (side, from) in [("left", 0), ("right", 470)] {
            let found = marked(&shot.crop([from, 0], [460, 560]));
            assert!(found > 40, "{side}: {found} pixels at {hair:?}");
        }
        desk.key("Escape");
        wait_for("none to be picked", || {
            (marked(&desk.look()) == 0).then_some(())
        });

        // A picture has both sides, and so has a recording.
        desk.key("p");
        let screenshot = desk.folder.path().join("renders/screenshot0000.png");
        wait_for("the screenshot", || screenshot.exists().then_some(()));
        desk.key("c");
        for _ in 0..3 {
            desk.key("period");
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
        wait_for("a frame", || (!desk.frames().is_empty()).then_some(()));
        desk.key("c");
        for path in desk.frames().into_iter().take(1).chain([screenshot]) {
            let picture = image::open(&path).expect("decodes").into_rgb8();
            let (width, height) = (picture.width() as usize, picture.height() as usize);
            let shot = Shot {
                width,
                height,
                pixels: picture.pixels().map(|p| p.0).collect(),
            };
            let middle = width / 2;
            let dark = (middle - 3..middle + 3)
                .any(|x| (0..height).all(|y| shot.at(x, y).iter().all(|c| *c < 32)));
            assert!(dark, "{}: no line between the sides", path.display());
            for from in [0, middle + 2] {
                let half = shot.crop([from, 0], [middle - 2, height]);
                assert!(half.shows_head(), "{}", path.display());
            }
        }

        // B again: one head.
        desk.key("b");
        wait_for("one side", || sides(&desk.look()).is_none().then_some(()));
        assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
    }

    /// Pixels that are hair: darker and redder than skin and backdrop.
    fn hair(shot: &Shot) -> usize {
        let red = |p: &&[u8; 3]| i32::from(p[0]) > i32::from(p[2]) + 35 && p[2] < 110;
        shot.pixels.iter().filter(red).count()
    }

    /// The share of one picture's hair that has hair of another within three
    /// pixels: lines may be thinner there, but they are the same.
    fn found_again(one: &Shot, other: &Shot) -> f64 {
        let is_hair = |shot: &Shot, x: usize, y: usize| hair(&shot.crop([x, y], [1, 1])) == 1;
        let (mut all, mut found) = (0, 0);
        for y in 3..one.height - 3 {
            for x in (3..one.width - 3).filter(|x| is_hair(one, *x, y)) {
                all += 1;
                found += usize::from(hair(&other.crop([x - 3, y - 3], [7, 7])) > 0);
            }
        }
        found as f64 / f64::from(all.max(1))
    }

    /// The window with hair that has come to rest, in solid colours that can be
    /// told from all others.
    fn at_rest() -> Option<DrivenWindow> {
        let mut still = HAIR.to_vec();
        for setting in [
            "motion.preset=none",
            "look.geometry=lines",
            "look.shading=kajiya-kay",
            "look.width=0.0005",
            "followers.each=0",
        ] {
            still.extend(["--set", setting]);
        }
        let desk = DrivenWindow::new(&still)?;
        desk.wait_for_head();
        settle(&desk);
        Some(desk)
    }

    /// Waits until the hair hardly moves.
    fn settle(desk: &DrivenWindow) {
        wait_for("rest", || {
            let before = desk.picture();
            sleep(Duration::from_millis(900));
            (before.difference(&desk.picture()) < 0.004).then_some(())
        });
    }

    #[test]
    fn a_person_cuts_hair_and_takes_it_back() {
        let Some(mut desk) = at_rest() else {
            return;
        };
        // Where hair hangs beside the bust.
        let low = |shot: &Shot| hair(&shot.crop([200, 520], [130, 130]));
        let long = low(&desk.look());
        assert!(long > 100, "hair hangs there: {long} pixels");

        // Scissors across it, and back.
        desk.key("x");
        for y in [470, 500] {
            desk.drag([60, y], [880, y]);
        }
        let short = wait_for("shorter hair", || {
            let now = low(&desk.look());
            (now < long / 2).then_some(now)
        });
        desk.look().keep("cut");
        let saved = desk.save("bob.toml");
        assert!(saved["handwork"]["curves"].as_str().is_some(), "{saved}");
        desk.key("ctrl+z");
        desk.key("ctrl+z");
        wait_for("long hair again", || {
            (low(&desk.look()) > (long + short) / 2).then_some(())
        });
        assert_eq!(desk.close().code(), Some(0), "{}", desk.said());

        // The scene still has the cut hair.
        let bob = desk.folder.path().join("bob.toml");
        let Some(mut later) = DrivenWindow::new(&[bob.to_str().expect("a name")]) else {
            return;
        };
        later.wait_for_head();
        let then = low(&later.look());
        assert!(then < long / 2, "{then} pixels of {long} hang there");
        assert_eq!(later.close().code(), Some(0), "{}", later.said());
    }

    #[test]
    fn a_person_thins_hair_out_and_sees_the_same_again() {
        let Some(mut desk) = at_rest() else {
            return;
        };
        // The crown, where hair covers the scalp.
        let crown = |desk: &DrivenWindow| {
            settle(desk);
            hair(&desk.look().crop([370, 150], [190, 70]))
        };
        let full = crown(&desk);
        assert!(full > 2000, "hair on the crown: {full} pixels");

        // A large brush, over the crown again and again.
        desk.key("y");
        for _ in 0..2 {
            desk.key("bracketright");
        }
        for y in [195, 215, 235] {
            desk.drag([420, y], [550, y]);
            desk.drag([550, y], [420, y]);
        }
        desk.look().keep("thinning");
        desk.key("q");
        let bald = wait_for("a bald crown", || {
            let now = crown(&desk);
            (now < full / 2).then_some(now)
        });
        desk.look().keep("thinned");
        let saved = desk.save("monk.toml");
        let painted = saved["roots"]["painted"].as_str().unwrap_or_default();
        assert!(painted.split(';').count() > 10, "{painted}");
        let before = desk.picture();
        assert_eq!(desk.close().code(), Some(0), "{}", desk.said());

        // It is the same hair when it is loaded, and grows back.
        let monk = desk.folder.path().join("monk.toml");
        let Some(mut later) = DrivenWindow::new(&[monk.to_str().expect("a name")]) else {
            return;
        };
        later.wait_for_head();
        let again = crown(&later);
        let then = later.picture();
        assert!(
            again.abs_diff(bald) < full / 10,
            "{again} pixels, {bald} before"
        );
        for (one, other) in [(&before, &then), (&then, &before)] {
            let share = found_again(one, other);
            assert!(share > 0.95, "{share} of the hair is where it was");
        }
        later.key("j");
        for _ in 0..2 {
            later.key("bracketright");
        }
        for y in [195, 215, 235] {
            later.drag([420, y], [550, y]);
            later.drag([550, y], [420, y]);
        }
        later.key("q");
        wait_for("hair on the crown again", || {
            (crown(&later) > (full + bald) / 2).then_some(())
        });
        assert_eq!(later.close().code(), Some(0), "{}", later.said());
    }

    #[test]
    fn a_person_pulls_a_lock_and_pins_it() {
        let Some(mut desk) = at_rest() else {
            return;
        };
        // Nothing is to the left of the hair; a lock that is held farther out
        // passes there, and the mark at the hand does not.
        let beside = |desk: &DrivenWindow| hair(&desk.look().crop([162, 430], [40, 130]));
        assert_eq!(beside(&desk), 0);
        desk.key("e");
        let shot = desk.look();
        let is_hair = |[x, y]: [usize; 2]| hair(&shot.crop([x, y], [1, 1])) == 1;
        let on_hair = (540..640)
            .flat_map(|y| (215..300).map(move |x| [x, y]))
            .find(|place| is_hair(*place))
            .expect("hair to grasp");
        let pull = |desk: &DrivenWindow| {
            desk.point(on_hair);
            desk.xdotool(&["mousedown", "1"]);
            for step in 1..=8 {
                let part = |a: usize, b: usize| (a * (8 - step) + b * step) / 8;
                desk.point([part(on_hair[0], 140), part(on_hair[1], 480)]);
            }
            // The mark at the hand is on its way, too.
            sleep(Duration::from_millis(800));
            desk.look().keep("in the hand");
            wait_for("a lock in the hand", || (beside(desk) > 5).then_some(()));
        };

        // It follows the hand, and goes back when that lets go.
        pull(&desk);
        desk.look().keep("pulled");
        desk.xdotool(&["mouseup", "1"]);
        wait_for("the lock to go back", || (beside(&desk) == 0).then_some(()));
        assert!(desk.save("free.toml").get("pin").is_none());

        // With Shift it stays, until it is taken out.
        pull(&desk);
        desk.xdotool(&["keydown", "shift"]);
        desk.xdotool(&["mouseup", "1"]);
        desk.xdotool(&["keyup", "shift"]);
        let pinned = desk.save("pinned.toml");
        assert!(
            pinned["pin"]
                .as_array()
                .is_some_and(|pins| !pins.is_empty())
        );
        sleep(Duration::from_secs(2));
        desk.look().keep("pinned");
        assert!(beside(&desk) > 5, "the lock stays where it is pinned");
        desk.key("u");
        wait_for("the lock to go back", || (beside(&desk) == 0).then_some(()));
        assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
    }

    /// The filled part of the bar's rail: where it begins, its length, its row.
    fn rail(shot: &Shot) -> Option<[usize; 3]> {
        let lit = |x: usize, y: usize| {
            let close = |(a, b): (&u8, &u8)| a.abs_diff(*b) < 10;
            shot.at(x, y).iter().zip(&[206, 132, 72]).all(close)
        };
        let runs = (shot.height - 110..shot.height - 26).flat_map(|y| {
            let starts = (1..shot.width - 400).filter(move |x| lit(*x, y) && !lit(*x - 1, y));
            starts.map(move |x| [x, (x..shot.width).take_while(|x| lit(*x, y)).count(), y])
        });
        runs.max_by_key(|[_, length, _]| *length)
            .filter(|[_, length, _]| *length > 30)
    }

    #[test]
    fn a_person_plays_a_cache_leaves_it_and_goes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.cache");
        let cache = path.to_str().expect("a plain path");
        let done = Command::new(env!("CARGO_BIN_EXE_lovelock"))
            .args(["simulate", "--seconds", "2", "--cache", cache])
            .args(["--set", "motion.preset=shake", "--set", "wind.on=true"])
            .args(HAIR)
            .output()
            .expect("the program starts");
        assert!(done.status.success());
        let Some(desk) = DrivenWindow::new(&[cache]) else {
            return;
        };
        desk.wait_for_head();
        let first = wait_for("the bar", || rail(&desk.look()));
        wait_for("it to play", || {
            rail(&desk.look()).filter(|now| now[1].abs_diff(first[1]) > 20)
        });
        desk.key("space");
        desk.still();
        // A click goes there; the bar's right end is beyond its middle.
        let [left, _, row] = wait_for("the bar", || {
            desk.key("period");
            rail(&desk.look())
        });
        desk.point([left + 100, row]);
        desk.xdotool(&["click", "1"]);
        desk.point([400, 300]);
        let there = desk.still();
        let [_, length, _] = rail(&desk.look()).expect("the bar");
        assert!(length.abs_diff(100) < 16, "{length}");
        for _ in 0..4 {
            desk.key("period");
        }
        let later = desk.still();
        assert!(there.difference(&later) > 0.01, "the dot steps on");
        for _ in 0..4 {
            desk.key("comma");
        }
        let again = there.difference(&desk.still());
        assert!(again < 0.001, "the comma steps back: {again}");

        // Its cross, at the right end, leaves it: live hair, at rest.
        let width = desk.look().width;
        let bar = |shot: &Shot| rail(shot).is_some();
        for x in (left + 200..width - 360).rev().step_by(12) {
            desk.point([x, row]);
            desk.xdotool(&["click", "1"]);
            sleep(Duration::from_millis(150));
            if !bar(&desk.look()) {
                break;
            }
        }
        wait_for("the bar to go", || (!bar(&desk.look())).then_some(()));
        desk.key("space");
        sleep(Duration::from_millis(1500));
        desk.key("space");
        desk.point([400, 300]);
        let now = desk.still();
        wait_for("the way back", || rail(&desk.look()));
        for _ in 0..12 {
            desk.key("comma");
        }
        let past = desk.still();
        assert!(now.difference(&past) > 0.01, "twelve steps ago");
        for _ in 0..12 {
            desk.key("period");
        }
        let again = now.difference(&desk.still());
        assert!(again < 0.001, "and forth again: {again}");
    }

    #[test]
    fn a_person_turns_the_head_and_lets_the_wind_blow() {
        let arguments = [HAIR, &["--set", "motion.preset=none"]].concat();
        let Some(mut desk) = DrivenWindow::new(&arguments) else {
            return;
        };
        desk.wait_for_head();
        // Hair comes to rest slowly on a busy machine; nearly so will do.
        std::thread::sleep(std::time::Duration::from_secs(4));
        let before = desk.picture();

        // The right button turns the head, smoothly, and the hair goes with it.
        desk.drag_with("3", [400, 400], [560, 440]);
        wait_for("the head to turn", || {
            (desk.picture().difference(&before) > 0.05).then_some(())
        });
        let turned = desk.save("turned.toml");
        let angle = |scene: &toml::Table, key: &str| {
            let motion = scene.get("motion").and_then(|motion| motion.as_table());
            motion
                .and_then(|motion| motion.get(key))
                .and_then(|v| v.as_float())
                .unwrap_or(0.0)
        };
        let yaw = angle(&turned, "yaw");
        assert!(
            (60.0..68.0).contains(&yaw),
            "{yaw}: 160 points, 0.4 degrees each"
        );
        let lean = [angle(&turned, "pitch"), angle(&turned, "roll")].map(f64::abs);
        assert!(lean[0] + lean[1] > 5.0, "{lean:?}: downwards, too");
        assert!(turned.get("camera").is_none(), "the eye stays: {turned}");

        // With Shift it moves the head. One undo takes back a whole drag.
        desk.xdotool(&["keydown", "shift"]);
        desk.drag_with("3", [400, 400], [400, 340]);
        desk.xdotool(&["keyup", "shift"]);
        let moved = desk.save("moved.toml");
        assert!(angle(&moved, "y") > 0.02, "{moved}");
        desk.key("ctrl+z");
        let undone = desk.save("undone.toml");
        assert_eq!(undone, turned);
        // A key turns it a little, another one brings it home.
        desk.key("Left");
        assert!((angle(&desk.save("left.toml"), "yaw") - yaw + 5.0).abs() < 0.01);
        desk.key("Home");
        let home = desk.save("home.toml");
        assert_eq!(angle(&home, "yaw"), 0.0);
        wait_for("the head to be back", || {
            (desk.picture().difference(&before) < 0.05).then_some(())
        });

        // W: the wind swells and the hair moves; its arrow turns it.
        std::thread::sleep(std::time::Duration::from_secs(4));
        let calm = desk.picture();
        desk.key("w");
        wait_for("the hair to move", || {
            (desk.picture().difference(&calm) > 0.01).then_some(())
        });
        assert_eq!(desk.save("windy.toml")["wind"]["on"].as_bool(), Some(true));
        assert_eq!(desk.close().code(), Some(0), "{}", desk.said());
    }

    #[test]
    fn a_wrong_head_leaves_the_old_one_and_says_so() {
        let Some(mut desk) = DrivenWindow::new(HAIR) else {
            return;
        };
        desk.wait_for_head();
        desk.key("space");
        let before = desk.still();
        let scene = desk.folder.path().join("wrong.toml");
        std::fs::write(
            &scene,
            "version = 1\n[head]\nfile = \"none.obj\"\n[roots]\nstrands = 200\n[groom]\nvertices = 16\n",
        )
        .expect("writes");
        let message = |desk: &DrivenWindow| desk.look().crop([606, 5], [320, 60]);
        let calm = message(&desk);
        desk.fill_dialog("ctrl+o", &scene);
        wait_for("a message", || {
            (message(&desk).difference(&calm) > 0.02).then_some(())
        });
        assert!(desk.ended().is_none());
        let after = desk.still();
        after.keep("wrong-head-after");
        before.keep("wrong-head-before");
        let changed = after.difference(&before);
        assert!(changed < 0.2, "the old head stays: {changed}");
        // The scene is told as it is: with the head that is shown.
        let saved = desk.save("saved.toml");
        assert!(saved.get("head").is_none(), "{saved}");
        assert_eq!(desk.close().code(), Some(0));
    }

    #[test]
    fn a_window_that_is_taken_away_ends_the_recording_in_order() {
        let Some(mut desk) = DrivenWindow::new(HAIR) else {
            return;
        };
        desk.wait_for_head();
        desk.key("c");
        wait_for("frames", || (desk.frames().len() > 3).then_some(()));
        let status = desk.destroy();
        let said = desk.said();
        assert_eq!(status.code(), Some(0), "{said}");
        assert!(!said.contains("mistake"), "{said}");
        check_frames(&desk.frames());
    }

    #[test]
    fn a_wrong_head_at_the_start_leaves_the_default_scene() {
        let Some(mut desk) = DrivenWindow::new(&["--head", "none.obj"]) else {
            return;
        };
        desk.wait_for_head();
        assert!(desk.ended().is_none());
        assert_eq!(desk.close().code(), Some(0));
        let said = desk.said();
        assert!(said.contains("none.obj"), "{said}");
    }
}

#[test]
fn without_a_display_it_names_the_command_that_needs_none() {
    let output = Command::new(env!("CARGO_BIN_EXE_lovelock"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("XDG_RUNTIME_DIR")
        .stdin(Stdio::null())
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&output.stderr);
    if cfg!(target_os = "linux") {
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("no display"), "{said}");
        assert!(said.contains("lovelock render"), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    }
}
