//! Heads and grooms of odd sizes: what is said of them, once and in a unit that fits.

use crate::{
    inputs::inputs,
    program::{SMALL, run, stderr, stdout, text},
};
use std::{fs, path::Path};

/// The built-in head with all lengths multiplied, as a file.
fn scaled_head(path: &Path, by: f64) {
    let text = include_str!("../../assets/head.obj");
    let line = |line: &str| match line.strip_prefix("v ") {
        Some(rest) => {
            let numbers = rest.split_whitespace().take(3);
            let numbers = numbers.map(|n| n.parse::<f64>().expect("a number") * by);
            let numbers: Vec<String> = numbers.map(|n| n.to_string()).collect();
            format!("v {}\n", numbers.join(" "))
        }
        None if line.starts_with("mtllib") || line.starts_with("usemtl") => String::new(),
        None => format!("{line}\n"),
    };
    fs::write(path, text.lines().map(line).collect::<String>()).expect("written");
}

/// Standard output and standard error of a simulation that ends well.
fn simulate(arguments: &[&str]) -> [String; 2] {
    let first = ["simulate", "--seconds", "0.02"];
    let output = run(&[&first[..], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    [stdout(&output), stderr(&output)]
}

#[test]
fn a_head_that_no_unit_makes_one_is_told_in_a_length_that_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("head.obj");
    for (by, height, next) in [
        (1e6, "m tall", "export it again"),
        (1e4, "m tall", "set head.scale = 0.1"),
        (1e-4, "µm tall", "export it again"),
    ] {
        scaled_head(&path, by);
        let [said, warned] = simulate(&[&["--head", text(&path)][..], SMALL].concat());
        assert!(said.contains(height) && !said.contains(" 0.0 cm"), "{said}");
        assert!(warned.contains("no unit makes a head of it"), "{warned}");
        assert!(warned.contains(next), "{by}: {warned}");
        assert!(!warned.contains(" 0.0 cm"), "{warned}");
    }
}

#[test]
fn hair_that_is_carried_says_its_own_unit_and_one_distance() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (hair, head) = (at("hair.usda"), at("head.obj"));
    let export = ["--export", text(&hair), "--export-units", "cm"];
    simulate(&[&export[..], SMALL].concat());
    scaled_head(&head, 110.0);
    let [said, _] = simulate(&["--groom", text(&hair), "--rebind", text(&head)]);
    let told = said.lines().find(|line| line.starts_with("hair: "));
    let told = told.expect("a line about the hair");
    assert!(told.contains("the unit is cm, y is up"), "{told}");
    assert_eq!(told.matches("the unit is").count(), 1, "{told}");
    assert_eq!(told.matches("from the skin").count(), 1, "{told}");
    assert!(told.contains("and were put on it"), "{told}");
}

#[test]
fn hair_that_is_fitted_too_small_is_warned_of_and_nothing_is_said_twice() {
    let Some(inputs) = inputs() else { return };
    let head = inputs.join("heads/digitalsalon_Head.OBJ");
    let hair = inputs.join("hair/Ratboy_mohawk_v4.tfx");
    let files = ["--head", text(&head), "--groom", text(&hair), "--fit"];
    let [_, warned] = simulate(&files);
    assert!(warned.contains("short for hair of a head"), "{warned}");
    let lines: Vec<&str> = warned.lines().collect();
    for line in &lines {
        let same = lines.iter().filter(|other| *other == line);
        assert_eq!(same.count(), 1, "{warned}");
    }
    // At its own size it does not fit, and is not told to be fitted.
    let own = ["--set", "import.units=m", "--set", "import.scale=1"];
    let [_, warned] = simulate(&[&files[..], &own].concat());
    assert!(warned.contains("no better fit is known"), "{warned}");
    assert!(!warned.contains("set import.units"), "{warned}");
}
