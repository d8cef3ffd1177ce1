//! The hair of a cache in files of other programs.

use crate::program::{SMALL, complaint, run, stderr, stdout, text};
use std::{fs, path::Path};

/// What a command says that ends well.
fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    stdout(&output)
}

const MOVED: [&str; 4] = ["--set", "wind.on=true", "--set", "motion.preset=shake"];

/// The numbers of a file of text, in their order.
fn numbers(path: &Path) -> Vec<f64> {
    let text = fs::read_to_string(path).expect("text");
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || ".-+".contains(c)));
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Whether two files of text hold the same, but for so much that a cache rounds.
fn alike(a: &Path, b: &Path, most: f64) {
    let (one, other) = (numbers(a), numbers(b));
    assert_eq!(one.len(), other.len(), "{a:?} {b:?}");
    assert!(one.len() > 100);
    let apart = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
    let apart = apart.fold(0.0, f64::max);
    assert!(apart < most, "{a:?} {b:?}: {apart}");
}

#[test]
fn a_cache_becomes_what_its_run_would_have_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let cache = path("a.cache");
    let first = ["simulate", "--seconds", "0.23", "--cache", text(&cache)];
    let (film, out) = (path("film.usda"), path("out.usda"));
    let export = ["--export-fps", "24", "--export", text(&film)];
    let more = ["--export-drawn", "--export-head"];
    ok(&[&first[..], SMALL, &MOVED, &export, &more].concat());
    let convert = ["convert", text(&cache), text(&out)];
    let said = ok(&[&convert[..], &more].concat());
    let wanted = "6 frames at 24 a second from time zero";
    assert!(said.contains(wanted), "{said}");
    alike(&film, &out, 2e-5);

    // One pose a file, numbered as simulate numbers them.
    let numbered = path("run.####.obj");
    let again = ["simulate", text(&cache), "--seconds", "0.23", "--export"];
    let units = ["--export-units", "cm", "--export-up", "z"];
    ok(&[&again[..], &[text(&numbered)], &units].concat());
    ok(&[
        &["convert", text(&cache), text(&path("out.####.obj"))][..],
        &units,
    ]
    .concat());
    for number in ["0001", "0004", "0006"] {
        let [run, out] = ["run", "out"].map(|name| path(&format!("{name}.{number}.obj")));
        alike(&run, &out, 1e-3);
    }
    assert!(!path("out.0007.obj").exists());
}

#[test]
fn some_frames_of_a_cache_keep_their_times_and_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let cache = path("a.cache");
    let first = ["simulate", "--seconds", "0.25", "--cache", text(&cache)];
    ok(&[&first[..], SMALL, &MOVED].concat());
    let convert = |out: &str, frames: &str| {
        let out = path(out);
        ok(&["convert", text(&cache), text(&out), "--frames", frames])
    };
    let said = convert("part.usda", "3..5");
    assert!(
        said.contains("3 frames at 24 a second from 0.1250 s"),
        "{said}"
    );
    let part = fs::read_to_string(path("part.usda")).expect("text");
    assert!(part.contains("startTimeCode = 3\n") && part.contains("endTimeCode = 5\n"));
    convert("part.####.data", "3..5");
    assert!(path("part.0004.data").is_file() && path("part.0006.data").is_file());
    assert!(!path("part.0003.data").exists() && !path("part.0007.data").exists());
    // One is a pose.
    convert("pose.ply", "5..5");
    convert("pose.####.ply", "5..5");
    let pose = |name: &str| fs::read(path(name)).expect("a pose");
    assert!(pose("pose.ply") == pose("pose.0006.ply"));
    // What was recorded moves, and no motion can be chosen any more.
    let said = convert("new/pose.ply", "5..5");
    assert!(said.contains("the head moves"), "{said}");
    assert!(!said.contains("--motion"), "{said}");
    assert!(path("new/pose.ply").is_file(), "its folder is made");

    let refused = |arguments: &[&str]| {
        let all = [&["convert", text(&cache)][..], arguments].concat();
        complaint(2, &all)
    };
    let said = refused(&[text(&path("x.hair"))]);
    assert!(
        said.contains("frames 0 to 5") && said.contains("--frames 5..5"),
        "{said}"
    );
    let said = refused(&[text(&path("x.abc")), "--frames", "3..9"]);
    assert!(
        said.contains("a.cache holds 6 frames, up to number 5"),
        "{said}"
    );
    let said = refused(&[text(&path("x.abc")), "--export-every", "2"]);
    assert!(
        said.contains("--export-every is for a simulation"),
        "{said}"
    );
    let said = refused(&[text(&path("x.abc")), "--units", "cm"]);
    assert!(said.contains("--export-units"), "{said}");
    let said = refused(&[text(&path("b.cache"))]);
    assert!(said.contains("is a cache already"), "{said}");
    let said = refused(&[text(&cache), "--format", "abc"]);
    assert!(said.contains("which is to be converted"), "{said}");
    let said = refused(&[text(&path("shot#3.%04d.ply"))]);
    assert!(said.contains("more than one place"), "{said}");
    assert!(said.contains("\"%04d\""), "{said}");
    // And what is of a cache alone, of a groom; a cache has no other numbers.
    let (pose, new) = (path("pose.ply"), path("new.cache"));
    for option in [&["--export-velocities"][..], &["--export-start", "7"]] {
        let groom = ["convert", text(&pose), text(&new)];
        let said = complaint(2, &[&groom[..], option].concat());
        assert!(said.contains("is for a file that is no cache"), "{said}");
    }
    let groom = ["convert", text(&pose), "x.abc"];
    let said = complaint(2, &[&groom[..], &["--frames", "2"]].concat());
    assert!(
        said.contains("--frames is for the hair of a cache"),
        "{said}"
    );
}

#[test]
fn a_cache_without_the_files_of_its_scene_is_told_what_it_needs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (cache, head, out) = (path("a.cache"), path("head.obj"), path("x.abc"));
    let built_in = include_str!("../../assets/head.obj");
    fs::write(&head, built_in).expect("written");
    let first = ["simulate", "--seconds", "0.1", "--cache", text(&cache)];
    ok(&[&first[..], SMALL, &["--head", text(&head)]].concat());
    let moved = path("moved.obj");
    fs::rename(&head, &moved).expect("moved");
    let convert = ["convert", text(&cache), text(&out)];
    let said = complaint(1, &convert);
    for part in ["a.cache holds no head", "--set head.file=FILE", "head.obj"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!out.exists());
    let there = format!("head.file={}", moved.display());
    ok(&[&convert[..], &["--set", &there]].concat());
    assert!(out.is_file());
    // Other hair is none of it.
    let other = ["--set", &there, "--set", "roots.seed=77"];
    let said = complaint(1, &[&convert[..], &other].concat());
    assert!(said.contains("was made of other hair"), "{said}");
}
