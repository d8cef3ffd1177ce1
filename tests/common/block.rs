//! Tables of the README that a test writes and checks.

use std::{fs, path::Path};

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README's text.
pub fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("README.md")
}

/// Compares what stands between the markers of `name` with `wanted`; rewrites
/// it where `UPDATE_README` asks for that.
pub fn check_block(name: &str, wanted: &str) {
    check_block_as(name, wanted, str::to_string);
}

/// The same, where only what `reading` leaves counts.
pub fn check_block_as(name: &str, wanted: &str, reading: impl Fn(&str) -> String) {
    check_block_of("README.md", name, wanted, reading);
}

/// The same in another `file` of the project.
pub fn check_block_of(file: &str, name: &str, wanted: &str, reading: impl Fn(&str) -> String) {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let path = root().join(file);
    let text = fs::read_to_string(&path).expect("a file with tables");
    let (before, rest) = text.split_once(&start).expect("the file lost a marker");
    let (now, after) = rest.split_once(&end).expect("the file lost a marker");
    let same = reading(now) == reading(wanted);
    let update = std::env::var_os("UPDATE_README").is_some();
    if now == wanted || (same && !update) {
        return;
    }
    assert!(
        update,
        "the {name} of {file} are not the declared ones; run UPDATE_README=1 cargo test --release --test {}",
        env!("CARGO_CRATE_NAME")
    );
    let updated = format!("{before}{start}{wanted}{end}{after}");
    fs::write(path, updated).expect("the file can be written");
}
