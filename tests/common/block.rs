//! Pages of the documentation, and their tables that a test writes and checks.

use std::{fs, path::Path};

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of `page`, a path from the project's folder.
pub fn page(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Compares what stands between the markers of `name` in `file` with `wanted`;
/// rewrites it where `UPDATE_README` asks for that.
pub fn check_block(file: &str, name: &str, wanted: &str) {
    check_block_as(file, name, wanted, str::to_string);
}

/// The same, where only what `reading` leaves counts.
pub fn check_block_as(file: &str, name: &str, wanted: &str, reading: impl Fn(&str) -> String) {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let path = root().join(file);
    let text = page(file);
    let (before, rest) = text
        .split_once(&start)
        .unwrap_or_else(|| panic!("{file} lost a marker of {name}"));
    let (now, after) = rest
        .split_once(&end)
        .unwrap_or_else(|| panic!("{file} lost a marker of {name}"));
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
