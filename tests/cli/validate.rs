//! `lovelock validate`: the table, the file for scripts, wrong usage.

use crate::program::{complaint, lovelock, run, stderr, stdout, table_and_rows, text};

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
        // Position Based Dynamics knows no tension and no elastic energy to ask for, its
        // strands do not touch, and it holds those that fall where they were.
        let applies = row["applies"].as_bool().expect("whether it applies");
        let has = |what: &str| row["test"] == what;
        let untouched =
            ["\"Crossing\"", "\"Strand ", "\"Capstan\""].map(|name| case.contains(name));
        measured += usize::from(applies);
        let not_measured = ["capstan", "crossing", "strand-incline", "strand-capstan"];
        let unknown = has("energy") && case.contains("whole energy");
        let held = has("air") && case.contains("product settings");
        let not_measured = not_measured.into_iter().any(has) || unknown || held;
        assert_eq!(
            !applies,
            not_measured || untouched.contains(&true),
            "{case}"
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
fn rows_and_curves_say_what_is_varied_and_in_which_unit() {
    let validate = ["validate", "--solver", "ftl", "--test"];
    let tests = ["resolution", "--test", "chain", "--quick", "--json", "-"];
    let output = run(&[&validate[..], &tests].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // Nothing else is on standard output, and the table is not lost.
    let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON alone");
    assert!(
        stderr(&output).contains("Resolution: "),
        "{}",
        stderr(&output)
    );
    let rows = told["rows"].as_array().expect("rows");
    let of = |test: &str| -> Vec<_> { rows.iter().filter(|row| row["test"] == test).collect() };
    for (test, name, unit, measured) in [
        ("resolution", "segments", None, None),
        ("chain", "length", Some("m"), Some("s")),
    ] {
        assert!(!of(test).is_empty(), "{test}");
        for row in of(test) {
            assert_eq!(
                (&row["x_name"], row["x_unit"].as_str()),
                (&name.into(), unit)
            );
            assert_eq!(row["unit"].as_str(), measured);
            assert!(row["x"].as_f64().is_some_and(|x| x > 0.0), "{row}");
        }
    }
    let curves = told["curves"].as_array().expect("curves");
    let curve = |of: &&serde_json::Value| of["test"] == "resolution" && of["theory"] == false;
    let measured = curves.iter().find(curve).expect("a measured curve");
    assert_eq!(measured["x_axis"]["label"], "segments");
    assert_eq!(measured["y_axis"]["unit"], "%");
    let points = measured["points"].as_array().expect("points").len();
    assert!(points > of("resolution").len(), "{points}");
}

#[test]
fn the_table_in_csv_has_the_rows_of_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.csv");
    let validate = ["validate", "--solver", "pbd", "--test", "chain,crossing"];
    let (printed, rows) =
        table_and_rows(&[&validate[..], &["--quick", "--csv", text(&path)]].concat());
    assert!(printed.contains("rows.csv"), "{printed}");
    let table = std::fs::read_to_string(&path).expect("the table");
    let mut lines = table.lines();
    let heading: Vec<&str> = lines.next().expect("a heading").split(',').collect();
    assert_eq!(heading[..4], ["solver", "variant", "test", "case"]);
    assert_eq!(heading.last(), Some(&"verdict"));
    assert_eq!(lines.clone().count(), rows.len());
    let mut verdicts = std::collections::BTreeSet::new();
    for (line, row) in lines.zip(&rows) {
        let case = row["case"].as_str().expect("a case");
        assert!(line.replace("\"\"", "\"").contains(case), "{line}");
        // Behind the case no cell has a comma.
        let cells: Vec<&str> = line.rsplit(',').collect();
        let names = heading.iter().rev().take(10);
        for (name, cell) in names.zip(&cells) {
            match *name {
                "verdict" => _ = verdicts.insert(*cell),
                name => match &row[name] {
                    serde_json::Value::Null => assert_eq!(*cell, "", "{name}: {line}"),
                    serde_json::Value::String(text) => assert_eq!(cell, text, "{line}"),
                    number => {
                        // The reader of JSON is off by a bit here and there.
                        let number = number.as_f64().expect("a number");
                        let same: f64 = cell.parse().expect("a number");
                        assert!((number - same).abs() <= 1e-12 * same.abs(), "{line}");
                    }
                },
            }
        }
    }
    assert!(verdicts.contains("not measured") && verdicts.contains("fail"));
    // To standard output, alone.
    let one = ["validate", "--solver", "pbd", "--test", "chain", "--quick"];
    let output = run(&[&one[..], &["--csv", "-"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("solver,variant,"));
    assert!(!stdout(&output).contains("reference  "));
    let line = complaint(2, &[&one[..], &["--csv", "-", "--json", "-"]].concat());
    assert!(line.contains("cannot both go to standard output"), "{line}");
    let line = complaint(2, &[&one[..], &["--csv", "rows.json"]].concat());
    assert!(line.contains("let its name end in .csv"), "{line}");
}

#[test]
fn all_is_a_word_for_all() {
    let list = |more: &[&str]| {
        let output = run(&[&["validate", "--list"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(list(&["--solver", "all", "--test", "all"]), list(&[]));
    let line = complaint(2, &["validate", "--list", "--test", "all,cantilver"]);
    assert!(line.contains("did you mean cantilever?"), "{line}");
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
fn methods_are_a_list_or_repeated() {
    let quick = ["validate", "--quick", "--test", "free-fall"];
    for solvers in [
        &["--solver", "pbd,ftl"][..],
        &["--solver", "ftl", "--solver", "pbd"],
    ] {
        let (_, rows) = table_and_rows(&[&quick[..], solvers].concat());
        let mut of: Vec<&str> = rows
            .iter()
            .filter_map(|row| row["solver"].as_str())
            .collect();
        of.dedup();
        assert_eq!(of, ["pbd", "ftl"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn rows_are_written_though_the_table_cannot_be_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.json");
    let validate = [
        "validate",
        "--quick",
        "--test",
        "free-fall",
        "--solver",
        "ftl",
    ];
    let bench = ["bench", "--quick", "--threads", "1", "--solver", "ftl"];
    let this = env!("CARGO_BIN_EXE_lovelock");
    let compared = [&bench[..], &["--rounds", "1", "--compare", this]].concat();
    for command in [&validate[..], &bench, &compared] {
        let full = std::fs::File::create("/dev/full").expect("/dev/full");
        let output = lovelock()
            .args(command)
            .args(["--json", text(&path)])
            .stdout(full)
            .output()
            .expect("the program starts");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("cannot write to standard output: "), "{said}");
        let rows = std::fs::read_to_string(&path).expect("rows");
        assert!(rows.contains("ftl"), "{rows}");
        std::fs::remove_file(&path).expect("removed");
    }
}

#[test]
fn what_cannot_be_done_is_said_before_the_work() {
    let line = complaint(2, &["validate", "--test", "cantilver"]);
    assert!(line.contains("did you mean cantilever?"), "{line}");
    for more in [&[][..], &["--list"]] {
        let line = complaint(2, &[&["validate", "--solver", "pbf"], more].concat());
        assert!(line.contains("did you mean pbd?"), "{line}");
    }
    let line = complaint(1, &["validate", "--json", "Cargo.toml/rows.json"]);
    assert!(line.contains("Cargo.toml is not a folder"), "{line}");
}

#[test]
fn a_test_is_found_by_the_name_that_tables_have() {
    let output = run(&["validate", "--test", "groom hold", "--list"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = stdout(&output);
    assert!(
        told.starts_with("sag ") && told.lines().count() == 1,
        "{told}"
    );
}
