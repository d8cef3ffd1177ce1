//! `lovelock response`: the table, the file for scripts, wrong usage.

use crate::program::{complaint, run, stdout, table_and_rows};

#[test]
fn the_table_and_the_file_say_the_same() {
    let (table, rows) = table_and_rows(&[
        "response",
        "--solver",
        "ftl",
        "--strands",
        "24",
        "--vertices",
        "12",
        "--act",
        "wind,rest",
    ]);
    let of = |key: &str| -> Vec<&str> { rows.iter().filter_map(|row| row[key].as_str()).collect() };
    assert_eq!(of("solver"), ["ftl", "ftl"]);
    assert_eq!(of("act"), ["rest", "wind"]);
    for row in &rows {
        let verdict = if row["pass"] == true { "pass" } else { "FAIL" };
        let median = 1e3 * row["tip_median_m"].as_f64().expect("a number");
        let act = row["act"].as_str().unwrap_or_default();
        let line = table
            .lines()
            .find(|line| line.trim_start().starts_with(act));
        let line = line.expect("a line for each row");
        assert!(line.contains(&format!(" {median:.1} mm ")), "{line}: {row}");
        assert!(line.ends_with(verdict), "{line}: {row}");
        let lone = row["lone_strands"].as_f64().expect("a number");
        assert!((0.0..=1.0).contains(&lone), "{lone}");
        assert!(row["settle_s"].is_null() || row["settle_s"].is_f64());
    }
    let far = |act: usize| rows[act]["tip_median_m"].as_f64().unwrap_or(0.0);
    assert!(far(1) > 4.0 * far(0), "wind moves hair more than rest does");
}

#[test]
fn several_methods_are_measured_in_a_list_or_by_repetition() {
    let few = ["--strands", "24", "--vertices", "12", "--act", "rest"];
    for solvers in [
        &["--solver", "pbd,ftl"][..],
        &["--solver", "ftl", "--solver", "pbd"],
    ] {
        let (_, rows) = table_and_rows(&[&["response"], solvers, &few[..]].concat());
        let of = rows.iter().filter_map(|row| row["solver"].as_str());
        assert_eq!(of.collect::<Vec<_>>(), ["pbd", "ftl"]);
    }
    // Elsewhere it is one method.
    let output = run(&["simulate", "--solver", "pbd,ftl", "--seconds", "0"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_list_names_every_act_and_runs_none() {
    let output = run(&["response", "--list"]);
    assert_eq!(output.status.code(), Some(0));
    let list = stdout(&output);
    let names: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    for name in ["wind", "fan", "gravity-off", "head-bang", "wind-stops"] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    for quarter in ["0.25", "0.5", "0.75", "1"] {
        let name = format!("stiffness-{quarter}");
        assert!(names.contains(&name.as_str()), "{name} of {names:?}");
    }
}

#[test]
fn what_cannot_be_measured_is_said_before_the_work() {
    for more in [&[][..], &["--list"]] {
        let line = complaint(2, &[&["response", "--solver", "rod,pbf"], more].concat());
        assert!(line.contains("did you mean pbd?"), "{line}");
    }
    let line = complaint(2, &["response", "--act", "wint"]);
    assert!(line.contains("did you mean wind?"), "{line}");
    let line = complaint(1, &["response", "--json", "Cargo.toml/rows.json"]);
    assert!(line.contains("Cargo.toml is not a folder"), "{line}");
}
