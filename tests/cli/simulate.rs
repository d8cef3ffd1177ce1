//! `lovelock simulate`: statistics, and the same bits for any number of threads.

use crate::program::{SMALL, complaint, run, run_unread, stderr, stdout, text};

/// Runs `simulate` on few strands with these arguments and statistics of the
/// given ending; returns the rows.
fn simulate(arguments: &[&str], ending: &str) -> Vec<serde_json::Map<String, serde_json::Value>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("stats").with_extension(ending);
    let mut all = vec!["simulate", "--stats", text(&path)];
    all.extend(SMALL);
    all.extend(arguments);
    let output = run(&all);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let written = std::fs::read_to_string(&path).expect("statistics");
    // Nothing but the statistics and their scene is left in the folder.
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 2);
    if ending == "json" {
        return serde_json::from_str(&written).expect("JSON");
    }
    let mut lines = written
        .lines()
        .map(|line| line.split(',').map(String::from));
    let names: Vec<String> = lines.next().expect("a heading").collect();
    let row = |cells: &mut dyn Iterator<Item = String>| {
        let cells = cells.map(serde_json::Value::from);
        names.iter().cloned().zip(cells).collect()
    };
    lines.map(|mut cells| row(&mut cells)).collect()
}

#[test]
fn statistics_can_be_made_again_from_the_scene_beside_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("run.csv");
    let mut first = vec!["simulate", "--seconds", "0.2", "--stats", text(&path)];
    first.extend(SMALL);
    first.extend(["--set", "wind.on=true", "--seed", "7"]);
    let hash = |output: &std::process::Output| {
        assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
        let told = stdout(output);
        let line = told.lines().find(|line| line.starts_with("state hash"));
        line.expect("a hash").to_string()
    };
    let first = hash(&run(&first));
    let scene = folder.path().join("run.csv.toml");
    let again = run(&["simulate", text(&scene), "--seconds", "0.2"]);
    assert_eq!(hash(&again), first);
}

#[test]
fn simulate_writes_a_row_for_each_frame() {
    let columns = [
        "frame",
        "time_s",
        "step_ms",
        "max_stretch",
        "max_shortening",
        "mean_length_error",
        "max_penetration_m",
        "penetrating_vertices",
        "kinetic_J",
        "potential_J",
        "nonfinite",
        "state_hash",
        "elastic_J",
        "held",
        "hold",
        "hold_median",
        "hold_outer_median",
        "toppling",
        "extra_passes",
        "softened",
    ];
    for ending in ["csv", "json"] {
        let rows = simulate(&["--seconds", "0.5"], ending);
        assert_eq!(rows.len(), 30, "half a second at 60 frames a second");
        for (index, row) in rows.iter().enumerate() {
            let mut names: Vec<&String> = row.keys().collect();
            let mut wanted = columns.to_vec();
            names.sort();
            wanted.sort_unstable();
            assert_eq!(names, wanted);
            let empty = [serde_json::Value::Null, "".into()];
            assert!(empty.contains(&row["elastic_J"]), "pbd knows none");
            let number = |name: &str| match &row[name] {
                serde_json::Value::String(text) => text.parse().expect("a number"),
                value => value.as_f64().expect("a number"),
            };
            assert_eq!(number("frame"), (index + 1) as f64);
            assert!((number("time_s") - (index + 1) as f64 / 60.0).abs() < 1e-9);
            assert_eq!(number("nonfinite"), 0.0);
            let largest = number("max_stretch").max(number("max_shortening"));
            assert!(largest >= number("mean_length_error"));
            let hash = row["state_hash"].as_str().expect("a hash");
            assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok());
        }
    }
    let rate = simulate(&["--seconds", "0.5", "--set", "sim.rate=100"], "csv");
    assert_eq!(rate.len(), 50);
}

#[test]
fn every_file_is_finished_though_nobody_reads_the_lines() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [hair, cache, stats] = ["hair.abc", "a.cache", "run.csv"].map(|n| folder.path().join(n));
    let wanted = ["simulate", "--seconds", "0.1", "--export-every", "1"];
    let files = [
        ("--export", &hair),
        ("--cache", &cache),
        ("--stats", &stats),
    ];
    let files = files
        .iter()
        .flat_map(|(option, path)| [*option, text(path)]);
    let files: Vec<&str> = files.collect();
    let output = run_unread(&[&wanted[..], &files, SMALL].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    for path in [&hair, &cache] {
        let output = run(&["info", text(path)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let rows = std::fs::read_to_string(&stats).expect("statistics");
    assert_eq!(rows.lines().count(), 7, "{rows}");
}

/// The hash of each frame's state.
fn hashes(arguments: &[&str]) -> Vec<String> {
    let rows = simulate(arguments, "json");
    let hash = |row: &serde_json::Map<_, _>| row["state_hash"].to_string();
    rows.iter().map(hash).collect()
}

#[test]
fn a_motion_comes_with_its_natural_numbers_unless_others_are_set() {
    let moved = |motion: &[&str], numbers: &[&str]| {
        let numbers = numbers.iter().flat_map(|of| ["--set", of]);
        let all = motion.iter().copied().chain(numbers);
        hashes(&all.chain(["--seconds", "0.2"]).collect::<Vec<_>>())
    };
    let [chosen, set] = [
        ["--motion", "head-bang"],
        ["--set", "motion.preset=head-bang"],
    ];
    let natural = [
        "motion.amplitude=50",
        "motion.travel=0.06",
        "motion.frequency=1.6",
    ];
    assert_eq!(moved(&chosen, &[]), moved(&set, &natural));
    assert_ne!(moved(&chosen, &[]), moved(&set, &[]), "a gentle one");
    let slow = [natural[0], natural[1], "motion.frequency=0.5"];
    assert_eq!(moved(&chosen, &slow[2..]), moved(&set, &slow));
    let message = complaint(2, &["simulate", "--motion", "dance"]);
    assert!(
        message.contains("dance") && message.contains("head-bang"),
        "{message}"
    );
}

#[test]
fn simulate_gives_the_same_bits_for_any_number_of_threads() {
    let one = hashes(&[
        "--seconds",
        "0.4",
        "--set",
        "wind.on=true",
        "--threads",
        "1",
    ]);
    let mut different = one.clone();
    different.dedup();
    assert_eq!(different.len(), one.len(), "the hair does not move");
    for threads in ["2", "3"] {
        let more = hashes(&[
            "--seconds",
            "0.4",
            "--set",
            "wind.on=true",
            "--threads",
            threads,
        ]);
        assert_eq!(one, more, "{threads} threads");
    }
    let seed = hashes(&["--seconds", "0.4", "--set", "wind.on=true", "--seed", "2"]);
    assert_ne!(one, seed, "another seed grows the same hair");
}

#[test]
fn statistics_that_cannot_be_written_are_told_before_the_work() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("stats.csv");
    std::fs::create_dir(&path).expect("a folder of that name");
    let started = std::time::Instant::now();
    let line = complaint(
        1,
        &["simulate", "--seconds", "86400", "--stats", text(&path)],
    );
    assert!(line.contains("cannot write the statistics"), "{line}");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let line = complaint(1, &["bench", "--json", text(&file.join("rows.json"))]);
    assert!(
        line.contains("is not a folder; name another with --json"),
        "{line}"
    );
    assert!(started.elapsed().as_secs() < 30, "told after the work");
}
