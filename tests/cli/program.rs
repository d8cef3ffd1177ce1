//! Running the program, and what it is run on.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

pub fn lovelock() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lovelock"));
    // What the tester's shell sets must not change what is tested.
    for variable in [
        "RUST_LOG",
        "LOVELOCK_LOG",
        "RUST_BACKTRACE",
        "DISPLAY",
        "WAYLAND_DISPLAY",
    ] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

pub fn run(arguments: &[&str]) -> Output {
    lovelock()
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// The same with standard output that nobody reads.
pub fn run_unread(arguments: &[&str]) -> Output {
    let mut child = lovelock()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    child.wait_with_output().expect("the program ends")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text on standard output")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text on standard error")
}

/// What the program says when it ends with `code` and a single line.
pub fn complaint(code: i32, arguments: &[&str]) -> String {
    let output = run(arguments);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    // A warning about another thing is a line of its own.
    let told = text
        .lines()
        .filter(|line| !line.starts_with("lovelock: warn: "));
    let told: Vec<&str> = told.collect();
    assert!(
        told.len() == 1 && told[0].starts_with("lovelock: "),
        "{arguments:?} is not told in one line: {text}"
    );
    assert_eq!(stdout(&output), "", "{arguments:?}");
    format!("{}\n", told[0])
}

/// What a command prints, and the rows that it writes to its file for scripts.
pub fn table_and_rows(arguments: &[&str]) -> (String, Vec<serde_json::Value>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rows.json");
    let output = run(&[arguments, &["--json", text(&path)]].concat());
    // A method's failures are results, not failures of the work.
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let file = std::fs::read_to_string(&path).expect("the file");
    let mut file: serde_json::Value = serde_json::from_str(&file).expect("JSON");
    let rows = file["rows"].as_array_mut().expect("rows");
    (stdout(&output), std::mem::take(rows))
}

/// A folder with one file of that name and content.
pub fn folder_with(name: &str, content: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("written");
    (folder, path)
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

pub fn assets(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("assets")
        .join(below)
}

/// A head that is quick to read, and few strands on it.
pub const SMALL: &[&str] = &["--strands", "60", "--vertices", "12"];
