//! `lovelock shake`: the table, the file for scripts, wrong usage.

use crate::program::{complaint, run, run_unread, stderr, stdout, table_and_rows, text};

#[test]
fn the_table_and_the_file_say_the_same() {
    let (table, rows) = table_and_rows(&[
        "shake", "--solver", "ftl,pbd", "--case", "teleport", "--case", "jerk",
    ]);
    let of = |key: &str| -> Vec<&str> { rows.iter().filter_map(|row| row[key].as_str()).collect() };
    assert_eq!(of("solver"), ["pbd", "pbd", "ftl", "ftl"]);
    assert_eq!(of("case"), ["jerk", "teleport", "jerk", "teleport"]);
    let mut told = table
        .lines()
        .filter(|line| line.ends_with("pass") || line.ends_with("FAIL"));
    for row in &rows {
        for key in ["max_stretch", "max_penetration_m", "energy_J"] {
            let value = row[key].as_f64().expect("a number");
            assert!((0.0..1.0).contains(&value), "{key}: {value}");
        }
        assert!(row["settle_s"].is_null() || row["settle_s"].is_f64());
        assert_eq!(row["nonfinite"].as_u64(), Some(0));
        let line = told.next().expect("a line for each row");
        let verdict = if row["pass"] == true { "pass" } else { "FAIL" };
        let depth = 1e3 * row["max_penetration_m"].as_f64().unwrap_or(0.0);
        assert!(line.contains(&format!(" {depth:.2} mm ")), "{line}: {row}");
        assert!(line.ends_with(verdict), "{line}: {row}");
    }
}

#[test]
fn the_file_is_written_though_nobody_reads_the_table() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rows.json");
    let one = ["shake", "--solver", "ftl", "--case", "jerk"];
    let output = run_unread(&[&one[..], &["--json", text(&path)]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let rows = std::fs::read_to_string(&path).expect("the file");
    assert!(rows.contains("\"ftl\""), "{rows}");
}

#[test]
fn the_list_names_every_case_and_runs_none() {
    let output = run(&["shake", "--list"]);
    assert_eq!(output.status.code(), Some(0));
    let list = stdout(&output);
    let names: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names.len(), 9);
    assert!(names.contains(&"head-bang") && names.contains(&"roots-inside"));
}

#[test]
fn what_cannot_be_done_is_said_before_the_work() {
    let line = complaint(2, &["shake", "--solver", "pbf"]);
    assert!(line.contains("pbd"), "{line}");
    let line = complaint(2, &["shake", "--case", "not"]);
    assert!(line.contains("did you mean nod?"), "{line}");
    let alias = run(&["shake", "--ordeal", "nod", "--list"]);
    assert_eq!(alias.status.code(), Some(2), "cases have one name");
    let line = complaint(1, &["shake", "--json", "Cargo.toml/rows.json"]);
    assert!(line.contains("Cargo.toml is not a folder"), "{line}");
}
