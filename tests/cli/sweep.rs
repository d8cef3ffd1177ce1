//! `lovelock sweep`: what changes nothing is said, tables have units, and no sweep is mixed with
//! another one.

use crate::program::{SMALL, complaint, run, stderr, stdout, text};
use std::{fs, path::Path};

/// A sweep of few strands without pictures: what it prints, and what it warns of.
fn swept(out: &Path, more: &[&str]) -> (String, String) {
    let sweep = ["sweep", "--no-pictures", "--seconds", "0.2"];
    let out = ["--out", text(out)];
    let output = run(&[&sweep[..], SMALL, &out, more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

#[test]
fn what_changes_nothing_is_said_before_and_after() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let wind = ["--vary", "wind.strength=2,6,10"];
    let (told, warned) = swept(&at("calm"), &wind);
    let hint = "wind.strength has no effect while wind.on is false; add --set wind.on=true";
    assert!(warned.contains(hint), "{warned}");
    let alike = "wind.strength made no difference to the hair: ";
    assert!(told.contains(alike), "{told}");
    for (name, more) in [
        ("set", ["--set", "wind.on=true"]),
        ("varied", ["--vary", "wind.on=false,true"]),
    ] {
        let (told, warned) = swept(&at(name), &[&wind[..], &more].concat());
        assert!(!warned.contains("no effect"), "{warned}");
        assert!(!told.contains("no difference"), "{told}");
    }
    // A method that has no material.
    let young = ["--vary", "material.young=1,2"];
    let (_, warned) = swept(&at("pbd"), &[&young[..], &["--solver", "pbd"]].concat());
    let hint = "material.young has no effect while sim.solver is pbd; add --set sim.solver=rod";
    assert!(warned.contains(hint), "{warned}");
    let both = ["--vary", "sim.solver=pbd,rod"];
    let (_, warned) = swept(&at("both"), &[&young[..], &both].concat());
    assert!(!warned.contains("no effect"), "{warned}");
}

#[test]
fn what_is_set_and_not_in_use_is_said_before_a_simulation() {
    let warned = |more: &[&str]| {
        let simulate = ["simulate", "--seconds", "0"];
        let output = run(&[&simulate[..], SMALL, more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    };
    let fan = ["--set", "fan.strength=20"];
    let said = warned(&fan);
    let hint = "fan.strength has no effect while fan.on is false; add --set fan.on=true";
    assert!(said.contains(hint), "{said}");
    assert_eq!(warned(&[&fan[..], &["--set", "fan.on=true"]].concat()), "");
    // The second side uses it.
    let rod = ["--set", "material.young=2", "--compare", "pbd,rod"];
    assert_eq!(warned(&rod), "");
}

#[test]
fn values_stand_in_the_unit_of_the_heading() {
    let folder = tempfile::tempdir().expect("a folder");
    let more = ["--vary", "material.young=500MPa,2GPa", "--solver", "rod"];
    swept(folder.path(), &more);
    let table = fs::read_to_string(folder.path().join("sweep.csv")).expect("the table");
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split(',').collect()).collect();
    let column: Vec<&str> = rows.iter().map(|row| row[1]).collect();
    assert_eq!(column, ["material.young [GPa]", "0.5", "2"]);
}

#[test]
fn no_sweep_is_mixed_with_an_earlier_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path();
    let vary = ["--vary", "sim.softness=0.2,0.8"];
    swept(out, &vary);
    for name in ["sheet.png", "sweep0000.png", "sweep0007.png"] {
        let picture = image::RgbImage::new(16, 16);
        picture.save(out.join(name)).expect("saved");
    }
    fs::write(out.join("sweep0001.png"), "of my own").expect("written");
    let table = fs::read(out.join("sweep.csv")).expect("a table");
    let again = ["sweep", "--no-pictures", "--vary", "sim.softness=0.3"];
    let line = complaint(2, &[&again[..], SMALL, &["--out", text(out)]].concat());
    let told =
        line.contains("holds an earlier sweep (sweep.csv, sheet.png, 2 pictures); say --over");
    assert!(told, "{line}");
    assert_eq!(fs::read(out.join("sweep.csv")).expect("kept"), table);
    swept(out, &["--vary", "sim.softness=0.3", "--overwrite"]);
    let mut names: Vec<_> = fs::read_dir(out)
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["sweep.csv", "sweep.toml", "sweep0001.png"]);
    assert_ne!(fs::read(out.join("sweep.csv")).expect("a table"), table);
}
