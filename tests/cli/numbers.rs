//! Numbers of `lovelock simulate`: probes, two methods side by side, what a method does not
//! know, and what it warns of.

use crate::program::{SMALL, complaint, folder_with, run, stderr, stdout, text};
use serde_json::{Map, Value};
use std::{fs, path::Path};

/// A strand of 5 cm in edges of 2.5 mm, which sticks out of the head level.
fn strand(folder: &Path) -> String {
    let mut out = String::new();
    for i in 0..21 {
        out += &format!("v {} 0.1 0\n", 0.1 + 0.0025 * f64::from(i));
    }
    out += "l";
    for i in 1..=21 {
        out += &format!(" {i}");
    }
    let path = folder.join("strand.obj");
    fs::write(&path, out + "\n").expect("written");
    text(&path).into()
}

fn done(arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

/// The rows of a file of statistics.
fn rows(path: &Path) -> Vec<Map<String, Value>> {
    let text = fs::read_to_string(path).expect("statistics");
    if path.extension().is_some_and(|ending| ending == "json") {
        return serde_json::from_str(&text).expect("JSON");
    }
    let mut lines = text.lines().map(|line| line.split(','));
    let names: Vec<&str> = lines.next().expect("a heading").collect();
    let row = |cells: std::str::Split<'_, char>| {
        let cells = cells.map(|cell| match cell {
            "" => Value::Null,
            cell => serde_json::from_str(cell).unwrap_or_else(|_| cell.into()),
        });
        names.iter().map(|name| (*name).into()).zip(cells).collect()
    };
    lines.map(row).collect()
}

/// What a row has there.
fn number(row: &Map<String, Value>, name: &str) -> f64 {
    let found = row.get(name).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("{name} in {row:?}"))
}

#[test]
fn a_probe_follows_its_vertex() {
    let folder = tempfile::tempdir().expect("a folder");
    let export = folder.path().join("end.obj");
    let common = [
        "simulate",
        "--seconds",
        "0.2",
        "--probe",
        "3:2",
        "--probe",
        "3:tip",
    ];
    for name in ["run.csv", "run.json"] {
        let stats = folder.path().join(name);
        let files = ["--stats", text(&stats), "--export", text(&export)];
        let (told, _) = done(&[&common[..], SMALL, &files].concat());
        let rows = rows(&stats);
        let last = rows.last().expect("a step");
        // The same vertices as in the file with the pose at the end: 12 of each strand.
        let lines = fs::read_to_string(&export).expect("the pose");
        let points: Vec<Vec<f64>> = (lines.lines())
            .filter_map(|line| line.strip_prefix("v "))
            .map(|line| {
                line.split(' ')
                    .filter_map(|word| word.parse().ok())
                    .collect()
            })
            .collect();
        for (vertex, at) in [("2", 3 * 12 + 2), ("tip", 3 * 12 + 11)] {
            for (axis, wanted) in ["x", "y", "z"].into_iter().zip(&points[at]) {
                let found = number(last, &format!("probe_3_{vertex}_{axis}_m"));
                assert!(
                    (found - wanted).abs() < 1e-6,
                    "{vertex} {axis}: {found} {wanted}"
                );
            }
        }
        let first = number(&rows[0], "probe_3_tip_y_m");
        assert_ne!(first, number(last, "probe_3_tip_y_m"), "it moves");
        assert!(told.contains("probe        3:tip at "), "{told}");
    }
    let output = run(&[&["simulate", "--probe", "60:0"], SMALL].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("the hair has 60 strands"),
        "{}",
        stderr(&output)
    );
    let said = stderr(&run(&["simulate", "--probe", "end"]));
    assert!(
        said.contains("STRAND:VERTEX") && said.contains("0:tip"),
        "{said}"
    );
}

#[test]
fn two_methods_have_their_columns_and_what_lies_between() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let run_of = |name: &str, more: &[&str]| {
        let path = at(name);
        let common = ["simulate", "--seconds", "0.2", "--stats", text(&path)];
        let told = done(&[&common[..], more, SMALL].concat()).0;
        (told, rows(&path))
    };
    let compared = [
        "--compare",
        "pbd,rod",
        "--probe",
        "0:tip",
        "--set",
        "b.rod.damping=0.01",
    ];
    let (told, both) = run_of("both.csv", &compared);
    let (_, first) = run_of("a.csv", &["--solver", "pbd", "--probe", "0:tip"]);
    let second = [
        "--solver",
        "rod",
        "--set",
        "rod.damping=0.01",
        "--probe",
        "0:tip",
    ];
    let (_, second) = run_of("b.csv", &second);
    let own = |name: &&String| !["frame", "time_s", "step_ms"].contains(&&name[..]);
    for ((both, a), b) in both.iter().zip(&first).zip(&second) {
        for name in a.keys().filter(own) {
            assert_eq!(both[name], a[name], "{name}");
            assert_eq!(both[&format!("b_{name}")], b[name], "b_{name}");
        }
        assert!(both.contains_key("b_step_ms") && !both.contains_key("b_frame"));
    }
    let last = both.last().expect("a step");
    let [mean, most] = ["distance_mean_m", "distance_max_m"].map(|name| number(last, name));
    assert!(0.0 < mean && mean < most, "{mean} {most}");
    // The tips are no farther apart than the vertices that are farthest.
    let apart = |axis: &str| {
        let [a, b] = ["", "b_"].map(|side| number(last, &format!("{side}probe_0_tip_{axis}_m")));
        (a - b).powi(2)
    };
    let tips = (apart("x") + apart("y") + apart("z")).sqrt();
    assert!(tips <= most * 1.0001 && tips > 0.0, "{tips} {most}");
    assert!(
        told.contains("the second side, rod") && told.contains("apart  "),
        "{told}"
    );
    let stands = |text: &str| told.find(text).expect(text);
    let first = stands("the first side, pbd");
    assert!(
        stands("took  ") < first && first < stands("segments  "),
        "{told}"
    );
    // The scene beside it has both sides, and a scene with two sides is told of as well.
    let scene = at("both.csv.toml");
    let (_, again) = run_of("again.csv", &[text(&scene), "--probe", "0:tip"][..]);
    assert_eq!(again[0].len(), both[0].len());
    assert_eq!(
        again.last().expect("a step")["b_state_hash"],
        last["b_state_hash"]
    );
    let alike = run_of("same.csv", &["--compare", "rod,rod"]).1;
    assert_eq!(number(alike.last().expect("a step"), "distance_max_m"), 0.0);
    let said = complaint(2, &["simulate", "--compare", "pbd,rod,ftl"]);
    assert!(said.contains("wants two methods, like pbd,rod"), "{said}");
}

#[test]
fn a_method_without_elastic_energy_says_nothing_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for (solver, knows) in [("pbd", false), ("ftl", false), ("rod", true), ("der", true)] {
        for name in ["run.csv", "run.json"] {
            let path = folder.path().join(name);
            let common = ["simulate", "--seconds", "0.05", "--solver", solver];
            let (told, _) = done(&[&common[..], &["--stats", text(&path)], SMALL].concat());
            for row in rows(&path) {
                assert_eq!(row["elastic_J"].is_f64(), knows, "{solver}: {row:?}");
                for rods in ["elastic_J", "held", "hold_median", "toppling"] {
                    assert_eq!(row[rods].is_null(), !knows, "{solver}: {row:?}");
                }
            }
            assert_eq!(told.contains("J elastic"), knows, "{told}");
        }
    }
}

#[test]
fn softened_strands_are_told_of_with_what_suffices() {
    let folder = tempfile::tempdir().expect("a folder");
    let hair = strand(folder.path());
    let stats = folder.path().join("run.csv");
    let simulate = |more: &[&str]| {
        let common = [
            "simulate",
            "--groom",
            &hair,
            "--seconds",
            "0.1",
            "--solver",
            "der",
        ];
        let set = ["--set", "import.units=m", "--set", "import.up=y"];
        let young = ["--set", "material.young=50", "--set", "collision.mode=off"];
        let files = ["--stats", text(&stats), "--overwrite"];
        let (_, said) = done(&[&common[..], &set, &young, &files, more].concat());
        let rows = rows(&stats);
        (said, number(rows.last().expect("a step"), "softened"))
    };
    let (said, share) = simulate(&["--set", "der.steps=16"]);
    assert_eq!(share, 1.0, "{said}");
    let told = said
        .lines()
        .find(|line| line.contains("softer than their material"));
    let told = told.unwrap_or_else(|| panic!("no warning: {said}"));
    assert!(told.contains("16 are allowed"), "{told}");
    let (_, steps) = told.split_once("--set der.steps=").expect("a remedy");
    let steps: String = steps.chars().take_while(char::is_ascii_digit).collect();
    let (said, share) = simulate(&["--set", &format!("der.steps={steps}")]);
    assert_eq!(
        (share, said.contains("softer")),
        (0.0, false),
        "{steps}: {said}"
    );
}

#[test]
fn statistics_go_to_standard_output_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let common = ["simulate", "--seconds", "0.05", "--stats"];
    let (table, said) = done(&[&common[..], &["-"], SMALL].concat());
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4, "{table}");
    assert!(lines[0].starts_with("frame,time_s,") && lines[3].starts_with("3,0.05,"));
    // What belongs together stands together.
    assert!(
        lines[0].contains(",kinetic_J,potential_J,elastic_J,"),
        "{}",
        lines[0]
    );
    assert!(said.contains("state hash"), "{said}");
    assert!(!Path::new("-").exists() && !Path::new("-.toml").exists());
    let export = folder.path().join("end.obj");
    let both = [&common[..], &["-", "--export", text(&export)], SMALL].concat();
    assert_eq!(done(&both).0.lines().count(), 4);
}

#[test]
fn numbers_are_set_with_the_units_that_the_window_takes() {
    let length = |value: &str| {
        let (_folder, scene) = folder_with("a.toml", b"version = 1\n");
        let stats = scene.with_file_name("run.csv");
        let set = format!("groom.length={value}");
        let common = ["simulate", text(&scene), "--seconds", "0", "--set", &set];
        done(&[&common[..], &["--stats", text(&stats)], SMALL].concat());
        let told = fs::read_to_string(stats.with_file_name("run.csv.toml")).expect("the scene");
        let line = told.lines().find(|line| line.starts_with("length = "));
        line.unwrap_or("length = as by default").to_string()
    };
    let metres = length("0.1");
    assert!(metres.starts_with("length = 0.1 "), "{metres}");
    for same in ["10 cm", "10cm", "100 mm", "0.1m", "0.1 m", "0,1"] {
        assert_eq!(length(same), metres, "{same}");
    }
    let said = complaint(2, &["simulate", "--set", "groom.length=10 s"]);
    assert!(said.contains("groom.length"), "{said}");
}
