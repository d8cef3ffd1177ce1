//! Caches from the outside: simulated once, drawn in parts.

use crate::program::{SMALL, complaint, run, stderr, stdout, text};
use std::{fs, path::Path};

/// Writes a cache of 24 frames a second.
fn simulate(path: &Path, more: &[&str]) -> String {
    let mut all = vec!["simulate", "--cache", text(path)];
    all.extend(SMALL);
    all.extend(more);
    let output = run(&all);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// All frames hold as much: a neck that bends adds its head's shape to all but the first.
const MOVED: [&str; 6] = [
    "--set",
    "wind.on=true",
    "--set",
    "motion.preset=shake",
    "--set",
    "torso.mode=off",
];

/// Draws; none where no OpenGL is and none is required.
fn render(arguments: &[&str]) -> Option<()> {
    let output = run(&[&["render", "--size", "320x240"], arguments].concat());
    let message = stderr(&output);
    if message.contains("OpenGL") && std::env::var("REQUIRE_GL").as_deref() != Ok("1") {
        println!("skipped: {message}");
        return None;
    }
    assert_eq!(output.status.code(), Some(0), "{message}");
    Some(())
}

fn picture(folder: &Path, number: u32) -> Vec<u8> {
    let path = folder.join(format!("render{number:04}.png"));
    image::open(path).expect("a picture").to_rgb8().into_raw()
}

#[test]
fn a_cache_is_written_told_of_and_readable_wherever_it_is_cut() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.cache");
    let told = simulate(&path, &[&["--seconds", "0.5"], &MOVED[..]].concat());
    assert!(told.contains("a.cache, 12 frames"), "{told}");
    let info = || {
        let output = run(&["info", "--json", text(&path)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    // The window plays it as it is.
    let other = complaint(2, &[text(&path), "--colour", "copper"]);
    assert!(other.contains("lovelock render --cache"), "{other}");
    let whole = info();
    assert_eq!(whole["kind"], "cache");
    assert_eq!(
        (&whole["frames"], &whole["fps"]),
        (&12.into(), &24.0.into())
    );
    assert_eq!(whole["quantum_m"], 1.0 / 131_072.0);
    assert_eq!(whole["changed"]["wind.on"], true);
    assert_eq!(whole["warnings"].as_array().map(Vec::len), Some(0));
    let bytes = fs::read(&path).expect("the cache");
    assert_eq!(whole["bytes"], bytes.len());
    // The same run is the same file.
    let again = ["--overwrite", "--seconds", "0.5", "--threads", "1"];
    simulate(&path, &[&again, &MOVED[..]].concat());
    assert!(bytes == fs::read(&path).expect("the cache"));
    // As if it had been killed in the sixth frame; and one frame is damaged.
    let each = whole["bytes_per_frame"].as_u64().expect("bytes") as usize;
    let start = bytes.len() - 12 * each;
    let mut cut = bytes[..bytes.len() - 6 * each - each / 2].to_vec();
    cut[start + 3 * each + each / 2] ^= 1;
    fs::write(&path, cut).expect("cut");
    let cut = info();
    assert_eq!(cut["frames"], 4, "{cut}");
    let warnings = cut["warnings"].to_string();
    assert!(
        warnings.contains("5 of 12 frames; the rest was cut off"),
        "{warnings}"
    );
    assert!(
        warnings.contains("frame 3 of the cache") && warnings.contains("checksum"),
        "{warnings}"
    );
}

#[test]
fn parts_of_a_cache_are_drawn_alike_by_whoever_draws_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.cache");
    simulate(&path, &[&["--seconds", "0.3"], &MOVED[..]].concat());
    let [all, part, direct] = ["all", "part", "direct"].map(|name| folder.path().join(name));
    if render(&["--cache", text(&path), "--out", text(&all)]).is_none() {
        return;
    }
    assert_eq!(fs::read_dir(&all).expect("listed").count(), 7);
    let out = ["--cache", text(&path), "--out", text(&part), "--frames"];
    // Twice: what was drawn before gives way.
    for _ in 0..2 {
        render(&[&out[..], &["3..5"]].concat()).expect("drawn");
        assert_eq!(fs::read_dir(&part).expect("listed").count(), 3);
    }
    for number in 3..=5 {
        assert!(
            picture(&all, number) == picture(&part, number),
            "frame {number}"
        );
    }
    assert!(picture(&all, 3) != picture(&all, 5), "it moves");
    // And but for the quantum as without a cache.
    let out = ["--frames", "6", "--out", text(&direct)];
    render(&[&out[..], SMALL, &MOVED].concat()).expect("drawn");
    let (a, b) = (picture(&all, 5), picture(&direct, 5));
    let apart: f64 = a
        .iter()
        .zip(&b)
        .map(|(a, b)| f64::from(a.abs_diff(*b)))
        .sum();
    let other = picture(&direct, 4);
    let moved: f64 = other
        .iter()
        .zip(&b)
        .map(|(a, b)| f64::from(a.abs_diff(*b)))
        .sum();
    assert!(
        apart < 0.05 * moved,
        "{apart} against {moved} from frame to frame"
    );
    // A turning camera does not depend on the part either.
    let [all, part] = ["turned", "turned part"].map(|name| folder.path().join(name));
    let out = ["--cache", text(&path), "--turntable", "--out"];
    render(&[&out[..], &[text(&all), "--frames", "0..4"]].concat()).expect("drawn");
    render(&[&out[..], &[text(&part), "--frames", "4..4"]].concat()).expect("drawn");
    assert!(picture(&all, 4) == picture(&part, 4));
}

#[test]
fn what_a_cache_cannot_do_is_said_in_a_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.cache");
    simulate(&path, &["--seconds", "0.2"]);
    let cache = ["render", "--cache", text(&path)];
    let said = complaint(2, &[&cache[..], &["--frames", "3..9"]].concat());
    let held = format!("{} holds 5 frames, up to number 4", path.display());
    assert!(said.contains(&held), "{said}");
    let said = complaint(2, &["render", "--frames", "3..9"]);
    assert!(said.contains("wants a cache"), "{said}");
    let head = ["--set", "roots.seed=77"];
    let output = run(&[&cache[..], &head].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("was made of other hair"),
        "{}",
        stderr(&output)
    );
    let scene = folder.path().join("s.toml");
    fs::write(&scene, "version = 1\n").expect("written");
    let said = complaint(1, &["render", "--cache", text(&scene)]);
    assert!(said.contains("is no cache of hair"), "{said}");
    let mut all = vec!["simulate", "--cache", text(&scene), "--seconds", "0.1"];
    all.extend(SMALL);
    let output = run(&all);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("is there already"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_to_string(&scene).expect("kept"), "version = 1\n");
}
