//! Where results go: no file takes the place of another that is written, of one that is
//! read, or of one that somebody else made.

use crate::program::{SMALL, complaint, folder_with, run, stderr, text};
use std::{fs, path::Path};

/// Short, and yet too long where nothing is refused before the work.
const LONG: [&str; 3] = ["simulate", "--seconds", "86400"];

#[test]
fn two_results_are_two_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("below")).expect("a folder");
    let refused = |options: &[(&str, &str)], more: &[&str], named: [&str; 2]| {
        let paths: Vec<_> = options.iter().map(|(_, name)| at(name)).collect();
        let options = options.iter().zip(&paths);
        let options: Vec<&str> = options
            .flat_map(|((option, _), path)| [*option, text(path)])
            .collect();
        let line = complaint(2, &[&LONG[..], &options, more].concat());
        let both = format!("{} and {} would both write", named[0], named[1]);
        assert!(line.contains(&both), "{line}");
        // Nothing was begun.
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
    };
    let [stats, cache, export] = ["--stats", "--cache", "--export"];
    refused(&[(stats, "a.csv"), (cache, "a.csv")], &[], [stats, cache]);
    refused(
        &[(stats, "a.csv"), (cache, "below/../a.csv")],
        &[],
        [stats, cache],
    );
    refused(&[(cache, "h.abc"), (export, "h.abc")], &[], [cache, export]);
    let ply = ["--format", "ply"];
    refused(
        &[(export, "x.json"), (stats, "x.json")],
        &ply,
        [stats, export],
    );
    let beside = "the scene beside --stats";
    refused(
        &[(stats, "a.csv"), (cache, "a.csv.toml")],
        &[],
        [cache, beside],
    );
    let head = ["--export-head"];
    let files = [(cache, "head_h.obj"), (export, "h.ply")];
    refused(&files, &head, [cache, "--export-head"]);
    let files = [(cache, "h.0007.ply"), (export, "h.####.ply")];
    refused(&files, &[], [cache, export]);
}

#[test]
fn no_result_replaces_a_file_that_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let kept = |path: &Path, arguments: &[&str], role: &str| {
        let before = fs::read(path).expect("there");
        let line = complaint(2, arguments);
        assert!(
            line.contains("would replace") && line.contains(role),
            "{line}"
        );
        assert!(fs::read(path).expect("still there") == before, "{line}");
    };
    let hair = at("hair.ply");
    let short = ["simulate", "--seconds", "0", "--export", text(&hair)];
    let done = run(&[&short[..], SMALL].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let groom = ["--groom", text(&hair), "--export", text(&hair)];
    kept(&hair, &[&LONG[..], &groom].concat(), "--groom names");
    kept(
        &hair,
        &["convert", text(&hair), text(&hair)],
        "is to be converted",
    );

    let own = at("own.toml");
    fs::write(&own, "version = 1\n[import]\nfile = \"hair.ply\"\n").expect("written");
    let response = ["response", text(&own), "--json", text(&own)];
    kept(&own, &response, "is the scene");
    let ply = ["--format", "ply", "--export", text(&own)];
    kept(
        &own,
        &[&LONG[..], &[text(&own)], &ply].concat(),
        "is the scene",
    );
    let params = ["--param-file", text(&own)];
    kept(
        &own,
        &[&LONG[..], &params, &ply].concat(),
        "--param-file names",
    );
    // What the scene names is read as well.
    let export = [text(&own), "--export", text(&hair)];
    kept(&hair, &[&LONG[..], &export].concat(), "import.file names");

    let head = at("head_out.obj");
    fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj"),
        &head,
    )
    .expect("copied");
    let out = at("out.ply");
    let more = [
        "--head",
        text(&head),
        "--export-head",
        "--export",
        text(&out),
    ];
    kept(&head, &[&LONG[..], &more].concat(), "--head names");
    // One of a pattern that stands for it.
    let (first, pattern) = (at("h.0001.ply"), at("h.####.ply"));
    fs::copy(&hair, &first).expect("copied");
    let numbered = ["convert", text(&first), text(&pattern)];
    kept(&first, &numbered, "is to be converted");
    let picture = at("sweep0001.png");
    fs::write(&picture, "a map").expect("written");
    let map = format!("roots.density_map={}", picture.display());
    let out = text(folder.path());
    let sweep = [
        "sweep",
        "--vary",
        "wind.strength=1,2",
        "--set",
        &map,
        "--out",
        out,
    ];
    kept(&picture, &sweep, "roots.density_map names");
}

#[test]
fn rows_do_not_replace_what_is_no_json() {
    let own = "version = 1\n";
    let (_folder, path) = folder_with("own.json", own.as_bytes());
    for command in [
        &[
            "validate",
            "--solver",
            "ftl",
            "--test",
            "free-fall",
            "--quick",
        ][..],
        &["shake", "--solver", "ftl", "--case", "jerk"],
        &["bench", "--quick", "--solver", "ftl", "--threads", "1"],
        &["response", "--solver", "ftl", "--act", "rest"],
    ] {
        let line = complaint(2, &[command, &["--json", text(&path)]].concat());
        assert!(line.contains("which is a file of your own; name"), "{line}");
        assert_eq!(fs::read_to_string(&path).expect("still there"), own);
        let line = complaint(2, &[command, &["--json", "rows.csv"]].concat());
        let told = line.contains("--json rows.csv: let its name end in .json, or say -");
        assert!(told && !Path::new("rows.csv").exists(), "{line}");
    }
    // Rows of an earlier run are replaced.
    fs::write(&path, "{ \"rows\": [] }\n").expect("written");
    let shake = [
        "shake",
        "--solver",
        "ftl",
        "--case",
        "jerk",
        "--json",
        text(&path),
    ];
    assert_eq!(run(&shake).status.code(), Some(0));
    let rows = fs::read_to_string(&path).expect("rows");
    assert!(rows.contains("\"jerk\""), "{rows}");
}

#[test]
fn jobs_and_tables_of_ones_own_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let farm = ["farm", "--frames", "5", "--out", out];
    let sweep = ["sweep", "--vary", "wind.strength=1,2", "--out", out];
    let job = [&sweep[..], &["--job"]].concat();
    for (name, own, commands) in [
        ("job.json", "{ \"mine\": 1 }", &[&farm[..], &job][..]),
        ("sweep.csv", "time,mass\n", &[&sweep[..]]),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, own).expect("written");
        for command in commands {
            let line = complaint(2, command);
            let told = line.contains(name) && line.contains("which is a file of your own");
            assert!(told, "{line}");
            assert_eq!(fs::read_to_string(&path).expect("still there"), own);
            // Nor is the rest written.
            assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
        }
        fs::remove_file(&path).expect("removed");
    }
    // A job of an earlier run is replaced, also by that of another kind.
    for command in [&farm[..], &farm, &job] {
        let done = run(command);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    }
}

#[test]
fn folders_of_results_are_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let [stats, cache, export] = ["a/b/run.csv", "c/run.cache", "d/hair.abc"].map(at);
    let mut arguments = vec!["simulate", "--seconds", "0", "--stats", text(&stats)];
    arguments.extend(["--cache", text(&cache), "--export", text(&export)]);
    arguments.extend(SMALL);
    let done = run(&arguments);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!([stats, cache, export].iter().all(|path| path.is_file()));

    // What is no folder is named, with what to do.
    let file = at("file");
    fs::write(&file, "").expect("written");
    let below = |name: &str| file.join(name);
    for (option, path) in [
        ("--stats", below("run.csv")),
        ("--cache", below("run.cache")),
        ("--export", below("hair.abc")),
    ] {
        let line = complaint(1, &[&LONG[..], &[option, text(&path)]].concat());
        let wanted = format!(
            "{} is not a folder; name another with {option}",
            file.display()
        );
        assert!(line.contains(&wanted), "{line}");
    }
    let line = complaint(1, &["farm", "--frames", "5", "--out", text(&file)]);
    assert!(
        line.contains("is not a folder; name another with --out"),
        "{line}"
    );
    // A wrong format makes no folder.
    let wrong = at("e/hair.foo");
    let line = complaint(2, &[&LONG[..], &["--export", text(&wrong)]].concat());
    assert!(line.contains("is no format") && !at("e").exists(), "{line}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_cache_that_cannot_be_begun_keeps_no_frames() {
    let output = run(&[&LONG[..], &["--cache", "/proc/x.cache"], SMALL].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("cannot write the cache /proc/x.cache: "),
        "{said}"
    );
    assert!(
        !said.contains("are kept") && said.contains("another place"),
        "{said}"
    );
}
