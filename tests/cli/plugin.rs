//! A program with a method of its own, `examples/mass_spring`: every subcommand
//! knows the seventh method as it knows the six.

use crate::program::{lovelock, stdout};
use lovelock::lab::{
    shake::STRESS_CASES,
    validate::{STRETCH, TESTS},
};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

/// The example, built as the program under test was. Cargo is asked for it, unless whoever
/// runs the tests says by `EXAMPLES_BUILT` that it just has been: it would wait for other
/// builds, and take features for others where these packages are not all that is tested.
fn example() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_BIN_EXE_lovelock"))
            .parent()
            .expect("the folder of a profile");
        let program = folder.join("examples/mass_spring");
        if std::env::var_os("EXAMPLES_BUILT").is_some() {
            assert!(
                program.is_file(),
                "EXAMPLES_BUILT is set, but it is not built"
            );
            return program;
        }
        let profile = match folder.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(profile) => profile,
        };
        let status = Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args([
                "build",
                "--quiet",
                "--example",
                "mass_spring",
                "--profile",
                profile,
            ])
            .status()
            .expect("cargo starts");
        assert!(status.success(), "the example does not build");
        program
    })
}

fn run(arguments: &[&str]) -> Output {
    // With what the tester's shell sets taken out, as for the program itself.
    let plain = lovelock();
    let mut command = Command::new(example());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command
        .args(arguments)
        .output()
        .expect("the example starts");
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The rows that a subcommand writes with `--json`.
fn rows(arguments: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rows.json");
    let file = path.to_str().expect("a name of letters");
    run(&[arguments, &["--json", file]].concat());
    let text = std::fs::read_to_string(&path).expect("written");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    all["rows"].as_array().expect("rows").clone()
}

#[test]
fn a_method_of_ones_own_simulates_with_its_own_parameters() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let simulate = |threads: &str, stretch: &str, more: &[&str]| -> Vec<Value> {
        let path = folder.path().join("stats.json");
        let file = path.to_str().expect("a name of letters");
        let stretch = format!("mass.stretch={stretch}");
        let always = [
            "simulate",
            "--solver",
            "mass",
            "--strands",
            "100",
            "--seconds",
            "1",
            "--threads",
            threads,
            "--set",
            &stretch,
            "--stats",
            file,
        ];
        run(&[&always[..], more].concat());
        let text = std::fs::read_to_string(&path).expect("written");
        serde_json::from_str(&text).expect("JSON")
    };
    let one = simulate("1", "3000", &[]);
    let last = one.last().expect("frames");
    assert_eq!(last["nonfinite"], 0);
    let stretch = last["max_stretch"].as_f64().expect("a number");
    assert!(stretch > 0.0 && stretch < 0.1, "stretch {stretch}");
    // By itself too, where no friction between strands calms it on the moving head.
    let alone = ["--set", "crowd.on=false", "--set", "cohesion.hold=0"];
    let alone = simulate("1", "3000", &alone);
    let alone = alone.last().expect("frames")["max_stretch"].as_f64();
    assert!(alone > Some(0.0) && alone < Some(0.1), "alone {alone:?}");
    let hash = |rows: &[Value]| rows.last().expect("frames")["state_hash"].clone();
    assert_eq!(hash(&one), hash(&simulate("2", "3000", &[])), "threads");
    let limp = simulate("1", "900", &[]);
    let limp = limp.last().expect("frames")["max_stretch"].as_f64();
    assert!(limp > Some(2.0 * stretch), "{limp:?} limp, {stretch} stiff");
}

#[test]
fn a_method_of_ones_own_is_held_against_theory_and_stress_and_the_clock() {
    let own = rows(&["validate", "--solver", "mass", "--quick"]);
    let mut tests: Vec<_> = own.iter().filter_map(|row| row["test"].as_str()).collect();
    tests.dedup();
    let all = TESTS.iter().map(|test| test.id).chain([STRETCH]);
    assert_eq!(tests, all.collect::<Vec<_>>(), "every test");
    assert!(own.iter().any(|row| row["pass"] == true), "nothing holds");
    let stress = rows(&["shake", "--solver", "mass"]);
    assert_eq!(stress.len(), STRESS_CASES.len(), "every case");
    for row in &stress {
        assert_eq!(
            (&row["solver"], &row["nonfinite"]),
            (&"mass".into(), &0.into()),
            "{row}"
        );
    }
    let bench = rows(&["bench", "--quick", "--threads", "1", "--solver", "mass"]);
    let own: Vec<_> = bench.iter().filter(|row| row["solver"] == "mass").collect();
    assert!(!own.is_empty(), "no row");
    for row in own {
        let time = row["ns_per_vertex_substep"].as_f64().expect("a number");
        assert!(time > 0.0 && row["strands"] == 500, "{row}");
    }
}

#[test]
fn help_and_complaints_know_it_too() {
    let help = stdout(&run(&["--help"]));
    assert!(help.contains("--solver"), "{help}");
    let refused = Command::new(example())
        .args(["simulate", "--solver", "maas", "--seconds", "1"])
        .output()
        .expect("the example starts");
    let told = String::from_utf8_lossy(&refused.stderr).to_string();
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("mass"), "{told}");
}
