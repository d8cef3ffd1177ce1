//! The README tells the truth: its tables are the declared ones, and the files
//! and commands it names exist. `UPDATE_README=1` rewrites the tables.

use lovelock::{
    app::{
        keys::{KEYS, MOUSE},
        scene::Scene,
    },
    param::{Kind, Tunable, Value},
};
use std::{fs, path::Path};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("README.md")
}

/// One row for each tunable, in the order of panel and scene files.
fn parameter_table() -> String {
    let mut table = String::from("| Key | What it does | Range | Default |\n|---|---|---|---|\n");
    for section in Scene::default().sections() {
        for tunable in section.tunables() {
            let Tunable {
                key,
                help,
                unit,
                kind,
                default,
                ..
            } = &tunable;
            let with_unit = |text: String| match *unit {
                "" => text,
                unit => format!("{text} {unit}"),
            };
            let range = match kind {
                Kind::Float { range, .. } => {
                    with_unit(format!("{} to {}", range.start(), range.end()))
                }
                Kind::Int { range, .. } => {
                    with_unit(format!("{} to {}", range.start(), range.end()))
                }
                Kind::Bool => "true, false".into(),
                Kind::Choice(names) => names.join(", "),
                Kind::Direction => "x, y, z".into(),
                Kind::Colour => "r, g, b".into(),
                Kind::Text => "text".into(),
            };
            let default = match default {
                Value::Float(v) => with_unit(v.to_string()),
                Value::Int(v) => with_unit(v.to_string()),
                Value::Bool(v) => v.to_string(),
                Value::Choice(v) => (*v).into(),
                Value::Vector(v) => format!("{}, {}, {}", v[0], v[1], v[2]),
                Value::Text(v) if v.is_empty() => "none".into(),
                Value::Text(v) => v.clone(),
            };
            let section = section.section();
            table += &format!("| `{section}.{key}` | {help} | {range} | {default} |\n");
        }
    }
    table
}

/// The keys, then the mouse, as the window's own list has them.
fn key_table() -> String {
    let mut table = String::from("| Key, mouse | What it does |\n|---|---|\n");
    for binding in KEYS.iter().filter(|binding| !binding.help.is_empty()) {
        table += &format!("| {} | {} |\n", binding.name, binding.help);
    }
    for (gesture, help) in MOUSE {
        table += &format!("| {gesture} | {help} |\n");
    }
    table
}

/// Compares what stands between the markers of `name` with `wanted`; rewrites
/// it where `UPDATE_README` asks for that.
fn check_block(name: &str, wanted: &str) {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let text = readme();
    let (before, rest) = text.split_once(&start).expect("the README lost a marker");
    let (now, after) = rest.split_once(&end).expect("the README lost a marker");
    if now == wanted {
        return;
    }
    assert!(
        std::env::var_os("UPDATE_README").is_some(),
        "the README's {name} are not the declared ones; run UPDATE_README=1 cargo test --release --test readme"
    );
    let updated = format!("{before}{start}{wanted}{end}{after}");
    fs::write(root().join("README.md"), updated).expect("README.md can be written");
}

#[test]
fn the_parameters_are_the_declared_ones() {
    check_block("parameters", &parameter_table());
}

#[test]
fn the_keys_are_those_of_the_window() {
    check_block("keys", &key_table());
}

#[test]
fn every_file_that_is_linked_exists() {
    let text = readme();
    let mut checked = 0;
    for link in text.split("](").skip(1) {
        let target = link.split(')').next().unwrap_or_default();
        if target.starts_with("http") || target.starts_with('#') {
            continue;
        }
        assert!(
            root().join(target).exists(),
            "the README links {target}, which is not there"
        );
        checked += 1;
    }
    assert!(checked > 0, "the README links no file of the project");
}

#[test]
fn the_layers_are_those_of_the_library() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs");
    let line = lib
        .lines()
        .find(|line| line.contains("param -> "))
        .expect("src/lib.rs names no layers");
    let layers = line.trim_start_matches("//!").trim();
    assert!(
        readme().contains(layers),
        "the README's layer line is not {layers}"
    );
}
