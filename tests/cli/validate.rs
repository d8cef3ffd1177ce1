//! `lovelock validate`: the table, the file for scripts, wrong usage.

use crate::program::{complaint, table_and_rows};

#[test]
fn the_table_and_the_file_say_the_same() {
    let (table, rows) = table_and_rows(&["validate", "--solver", "pbd", "--quick"]);
    assert!(rows.len() > 50, "{}", rows.len());
    let (mut passed, mut measured) = (0, 0);
    for row in &rows {
        assert_eq!(row["solver"], "pbd");
        let case = row["case"].as_str().expect("a case");
        let pass = row["pass"].as_bool().expect("pass or not");
        passed += usize::from(pass);
        // Position Based Dynamics knows no tension to ask for, and its strands do not
        // touch.
        let applies = row["applies"].as_bool().expect("whether it applies");
        let has = |what: &str| row["test"] == what;
        let untouched =
            ["\"Crossing\"", "\"Strand ", "\"Capstan\""].map(|name| case.contains(name));
        measured += usize::from(applies);
        let not_measured = ["capstan", "crossing", "strand-incline", "strand-capstan"];
        assert_eq!(
            !applies,
            not_measured.into_iter().any(has) || untouched.contains(&true)
        );
        let verdict = match (applies, pass) {
            (false, _) => "not measured",
            (true, true) => "pass",
            (true, false) => "FAIL",
        };
        let told = table
            .lines()
            .any(|line| line.trim_start().starts_with(case) && line.ends_with(verdict));
        assert!(told, "{case} is not in the table as {verdict}");
        for number in ["reference", "measured", "error", "tolerance"] {
            let value = row.get(number).expect("the key is there");
            assert!(value.is_null() || value.is_f64(), "{number}: {value}");
        }
        assert!(row["test"].is_string());
    }
    let left = rows.len() - measured;
    let summary = format!("pbd: {passed} of {measured} pass, {left} not measured");
    assert!(table.lines().any(|line| line == summary), "{summary}");
    assert!(passed > 0 && passed < rows.len());
}

#[test]
fn some_tests_run_alone() {
    let (_, rows) = table_and_rows(&["validate", "--solver", "rod", "--test", "free-fall"]);
    let tests: Vec<&str> = (rows.iter())
        .filter_map(|row| row["test"].as_str())
        .filter(|test| *test != "stretch")
        .collect();
    assert!(!tests.is_empty() && tests.iter().all(|test| *test == "free-fall"));
}

#[test]
fn what_cannot_be_done_is_said_before_the_work() {
    let line = complaint(2, &["validate", "--test", "cantilver"]);
    assert!(line.contains("did you mean cantilever?"), "{line}");
    let line = complaint(2, &["validate", "--solver", "pbf"]);
    assert!(line.contains("pbd"), "{line}");
    let line = complaint(1, &["validate", "--json", "no/such/folder/rows.json"]);
    assert!(line.contains("no/such/folder/rows.json"), "{line}");
}
