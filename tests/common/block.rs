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
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let text = readme();
    let (before, rest) = text.split_once(&start).expect("the README lost a marker");
    let (now, after) = rest.split_once(&end).expect("the README lost a marker");
    let same = reading(now) == reading(wanted);
    let update = std::env::var_os("UPDATE_README").is_some();
    if now == wanted || (same && !update) {
        return;
    }
    assert!(
        update,
        "the README's {name} are not the declared ones; run UPDATE_README=1 cargo test --release --test {}",
        env!("CARGO_CRATE_NAME")
    );
    let updated = format!("{before}{start}{wanted}{end}{after}");
    fs::write(root().join("README.md"), updated).expect("README.md can be written");
}
