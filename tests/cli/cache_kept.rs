//! A cache that is there is never lost by mistake, and is a scene.

use crate::program::{SMALL, complaint, run, stderr, stdout, text};
use std::{fs, path::Path};

/// What a command says that ends well.
fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    stdout(&output)
}

fn simulate(path: &Path, more: &[&str]) -> String {
    let first = ["simulate", "--seconds", "0.2", "--cache", text(path)];
    ok(&[&first[..], SMALL, more].concat())
}

#[test]
fn a_cache_is_replaced_only_where_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rat.cache");
    simulate(&path, &["--scene", "bob"]);
    let before = fs::read(&path).expect("the cache");
    let out = folder.path().join("x.abc");
    let again = ["simulate", "--seconds", "0.1", "--cache", text(&path)];
    let said = complaint(2, &[&again[..], &["--export", text(&out)]].concat());
    for part in [
        "would replace the cache",
        "which holds 5 frames of the scene bob; say --overwrite",
        &format!("lovelock convert {} {}", path.display(), out.display()),
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!out.exists());
    // A run that was cut off leaves what it has.
    fs::write(&path, &before[..before.len() - 9]).expect("cut");
    let said = complaint(2, &again);
    let wanted = "4 of 5 frames of the scene bob (the rest was cut off; no run can go on";
    assert!(said.contains(wanted), "{said}");
    // Nor is it replaced by an export, or by a groom's poses.
    let export = ["--format", "obj", "--export", text(&path)];
    let said = complaint(2, &[&["simulate"][..], &export].concat());
    assert!(said.contains("--export would replace the cache"), "{said}");
    let film = folder.path().join("film.usda");
    let every = ["--export-every", "3", "--export", text(&film)];
    ok(&[&["simulate", "--seconds", "0.2"][..], SMALL, &every].concat());
    let said = complaint(2, &["convert", text(&film), text(&path)]);
    assert!(
        said.contains("the result would replace the cache"),
        "{said}"
    );
    assert_eq!(fs::read(&path).expect("kept"), before[..before.len() - 9]);
    ok(&["convert", text(&film), text(&path), "--overwrite"]);
    simulate(&path, &["--scene", "bob", "--overwrite"]);
    assert!(before == fs::read(&path).expect("the cache"));
    // As a scene it keeps the scene's name.
    let next = folder.path().join("next.cache");
    simulate(&next, &[text(&path)]);
    let said = complaint(2, &["simulate", "--seconds", "0.1", "--cache", text(&next)]);
    assert!(said.contains("frames of the scene bob; say"), "{said}");
    // Another file stays, whatever is asked for; an empty one is nobody's.
    let own = folder.path().join("own.toml");
    fs::write(&own, "version = 1\n").expect("written");
    let cache = ["--seconds", "0.1", "--overwrite", "--cache", text(&own)];
    let said = complaint(1, &[&["simulate"][..], &cache].concat());
    assert!(said.contains("is no cache of hair"), "{said}");
    fs::write(&own, "").expect("written");
    simulate(&own, &[]);
}

#[test]
fn a_cache_is_the_scene_that_is_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.cache");
    let hash = |said: String| {
        let line = said.lines().find(|line| line.starts_with("state hash"));
        line.expect("a hash").to_string()
    };
    let wanted = hash(simulate(&path, &["--set", "wind.on=true"]));
    let again = ["simulate", text(&path), "--seconds", "0.2"];
    assert_eq!(hash(ok(&again)), wanted);
    let said = complaint(2, &[&again[..], &["--cache", text(&path)]].concat());
    assert!(said.contains("which is the scene"), "{said}");
    let parameters = ["simulate", "--param-file", text(&path), "--seconds", "0.2"];
    assert_eq!(hash(ok(&parameters)), wanted);
    // A damaged one is told of.
    let mut bytes = fs::read(&path).expect("the cache");
    bytes[30] ^= 1;
    fs::write(&path, bytes).expect("written");
    let said = complaint(1, &again);
    assert!(said.contains("its checksum is wrong"), "{said}");
}
