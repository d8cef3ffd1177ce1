//! The layer rule: a source file names only its own layer and earlier ones.
//!
//! The order is read from the line in `src/lib.rs`, so that the line stays true.

mod cycles;
mod source;

use source::{module_of, named_paths, root, source_files, sources, tokens};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// The order that `src/lib.rs` promises.
fn layers(lib: &str) -> Vec<String> {
    let line = lib
        .lines()
        .find(|line| line.contains("param -> "))
        .expect("src/lib.rs names no layers");
    line.trim_start_matches("//!")
        .split("->")
        .map(|name| name.trim().to_string())
        .collect()
}

/// What `source`, standing in `module`, names above its layer.
fn offences(
    source: &str,
    module: &[&str],
    layers: &[String],
    macros: &BTreeMap<String, String>,
) -> Vec<String> {
    let module: Vec<String> = module.iter().map(|m| (*m).to_string()).collect();
    let rank = |name: &str| layers.iter().position(|layer| layer == name);
    let own = rank(&module[0]).expect("a file outside the layers");
    let mut offences = Vec::new();
    for (path, line) in named_paths(source, &module) {
        let first = path.first().map_or("*", String::as_str);
        let layer = macros.get(first).map_or(first, String::as_str);
        match rank(layer) {
            Some(other) if other <= own => {}
            Some(_) => offences.push(format!(
                "{line}: {} names the later layer {layer}",
                module[0]
            )),
            None => offences.push(format!(
                "{line}: {} names the whole crate or {layer}",
                module[0]
            )),
        }
    }
    offences
}

/// Macros live at the crate's root; what counts is the file that writes them.
fn exported_macros(files: &[PathBuf]) -> BTreeMap<String, String> {
    let mut macros = BTreeMap::new();
    for file in files {
        let tokens = tokens(&fs::read_to_string(file).expect("a source file"));
        for window in tokens.windows(3) {
            if window[0].0 == "macro_rules" && window[1].0 == "!" {
                macros.insert(window[2].0.clone(), module_of(file)[0].clone());
            }
        }
    }
    macros
}

#[test]
fn every_file_names_only_its_own_layer_and_earlier_ones() {
    let src = root().join("src");
    let lib = fs::read_to_string(src.join("lib.rs")).expect("src/lib.rs");
    let layers = layers(&lib);
    let declared: Vec<&str> = lib
        .lines()
        .filter_map(|line| {
            line.strip_prefix("pub mod ")
                .or(line.strip_prefix("pub use lovelock_strands::"))?
                .strip_suffix(';')
        })
        .filter(|name| !name.starts_with('{'))
        .collect();
    assert_eq!(
        declared, layers,
        "src/lib.rs: modules and the layer line differ"
    );

    let mut files = Vec::new();
    for src in sources() {
        source_files(&src, &mut files);
    }
    let macros = exported_macros(&files);
    let mut wrong = Vec::new();
    for file in &files {
        let module = module_of(file);
        // lib.rs is the table of contents, main.rs starts the command line.
        if matches!(module[0].as_str(), "main" | "lib") {
            continue;
        }
        let module: Vec<&str> = module.iter().map(String::as_str).collect();
        let source = fs::read_to_string(file).expect("a source file");
        for offence in offences(&source, &module, &layers, &macros) {
            wrong.push(format!("{}:{offence}", file.display()));
        }
    }
    assert!(files.len() > 10, "only {} files were found", files.len());
    assert!(
        wrong.is_empty(),
        "the layer rule is broken:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn planted_offenders_are_found() {
    let layers: Vec<String> = ["param", "math", "mesh", "sim", "app"]
        .map(String::from)
        .into();
    let macros = BTreeMap::from([("params".to_string(), "param".to_string())]);
    let wrong = |module: &[&str], source: &str| offences(source, module, &layers, &macros).len();

    assert_eq!(
        wrong(
            &["mesh", "obj"],
            "use crate::{param, params, math::{Pose, random}};"
        ),
        0
    );
    assert_eq!(
        wrong(&["mesh", "obj"], "use super::{Mesh, grid::{Grid, Cell}};"),
        0
    );
    assert_eq!(
        wrong(
            &["mesh", "obj"],
            "// crate::app\nlet s = \"crate::app\"; /* crate::sim */"
        ),
        0
    );
    assert_eq!(
        wrong(
            &["mesh", "obj"],
            "pub(crate) fn f() {} mod tests { use super::*; }"
        ),
        0
    );
    assert_eq!(
        wrong(
            &["sim"],
            "mod a { mod b { use super::super::x; use super::y; } }"
        ),
        0
    );

    assert_eq!(wrong(&["mesh", "obj"], "use crate::app::Scene;"), 1);
    assert_eq!(
        wrong(&["mesh", "obj"], "fn f() { let x = crate::sim::step(); }"),
        1
    );
    assert_eq!(
        wrong(
            &["mesh"],
            "use crate::{\n    math::Pose,\n    sim::{self, state::{A, B}},\n};"
        ),
        3
    );
    assert_eq!(wrong(&["mesh", "obj"], "use super::super::{math, sim};"), 1);
    assert_eq!(
        wrong(
            &["mesh", "obj"],
            "mod tests { use super::super::super::app; }"
        ),
        1
    );
    assert_eq!(wrong(&["mesh", "obj"], "use crate::*;"), 1);
    assert_eq!(wrong(&["mesh", "obj"], "use crate as all;"), 1);
    assert_eq!(
        wrong(
            &["mesh", "obj"],
            "let c = 'x'; let l: &'a str = r#\"\"#; crate::sim::f()"
        ),
        1
    );
}

/// The names of the types that `source` shows outside its module.
fn shown_types(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let text = |i: usize| tokens.get(i).map_or("", |t| t.0.as_str());
    let mut depth = 0;
    let mut found = Vec::new();
    for i in 0..tokens.len() {
        match text(i) {
            "{" => depth += 1,
            "}" => depth -= 1,
            "struct" | "enum" | "trait" | "type" if depth == 0 => {
                let public = i > 0 && text(i - 1) == "pub";
                let in_crate = i > 3 && text(i - 2) == "crate" && text(i - 3) == "(";
                if public || in_crate {
                    found.push(text(i + 1).to_string());
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn no_two_types_share_a_name() {
    let mut files = Vec::new();
    for src in sources() {
        source_files(&src, &mut files);
    }
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in &files {
        for name in shown_types(&fs::read_to_string(file).expect("a source file")) {
            let place = file.strip_prefix(root()).expect("a path in the project");
            places
                .entry(name)
                .or_default()
                .push(place.display().to_string());
        }
    }
    assert!(places.len() > 200, "only {} types were found", places.len());
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "one name for several types: {places:#?}");
}

#[test]
fn shown_types_are_found() {
    let source = "pub struct A(u8); struct B; pub(crate) enum C {} pub(super) struct D;\n\
                  mod tests { pub struct E; } pub trait F { type G; }";
    assert_eq!(shown_types(source), ["A", "C", "F"]);
}

#[test]
fn no_file_hides_more_than_one_thing() {
    let mut files = Vec::new();
    for src in sources() {
        source_files(&src, &mut files);
    }
    let lines = |file: &PathBuf| {
        fs::read_to_string(file)
            .expect("a source file")
            .lines()
            .count()
    };
    let long: Vec<_> = files.iter().filter(|file| lines(file) > 500).collect();
    assert!(long.is_empty(), "more than 500 lines: {long:?}");
}

/// What surrounds strands serves every method, and names none: only what drives a method's
/// solves may.
#[test]
fn what_surrounds_strands_names_no_method() {
    const SURROUNDINGS: [&str; 8] = [
        "air",
        "attachment",
        "cohesion",
        "collider",
        "contact",
        "head",
        "torso",
        "volume",
    ];
    let names = |source: &str, module: &[String]| {
        let paths = named_paths(source, module).into_iter();
        let mut paths = paths.map(|(path, _)| path.join("::"));
        paths.any(|path| path.starts_with("sim::solver"))
    };
    let here = ["sim", "contact", "query"].map(String::from);
    assert!(names("use crate::sim::solver::StepInput;", &here));
    assert!(names("use super::super::solver::rod;", &here));
    assert!(!names("use crate::sim::step::StepInput;", &here));
    let mut files = Vec::new();
    for src in sources() {
        source_files(&src, &mut files);
    }
    let mut seen = 0;
    files.retain(|file| {
        let module = module_of(file);
        let surrounds = module.first().is_some_and(|layer| layer == "sim")
            && (module.get(1)).is_some_and(|name| SURROUNDINGS.contains(&name.as_str()))
            && module.last().is_none_or(|name| name != "tests");
        seen += usize::from(surrounds);
        surrounds && names(&fs::read_to_string(file).expect("a source file"), &module)
    });
    assert!(seen > 40, "only {seen} files were found");
    assert!(files.is_empty(), "these name a method: {files:?}");
}

/// A register of wide instructions may be made only where the processor was asked
/// for them: in the modules that `compiled!` makes, whose steps are unsafe to call.
/// No other file may name one.
#[test]
fn only_the_dispatch_of_kernels_names_registers() {
    const REGISTERS: [&str; 3] = ["W4", "W8", "W16"];
    let names = |source: &str| {
        let tokens = tokens(source);
        let named = |words: &[&str]| {
            let mut parts = tokens.windows(words.len());
            parts.any(|part| part.iter().map(|(token, _)| token).eq(words))
        };
        named(&["wide", ":", ":"]) || REGISTERS.iter().any(|name| named(&[name]))
    };
    assert!(names(
        "fn f() { let x = crate::math::wide::W8::splat(1.0); }"
    ));
    assert!(names("use super::W16;") && !names("let wide = math::PI;"));
    let mut files = Vec::new();
    for src in sources() {
        source_files(&src, &mut files);
    }
    files.retain(|file| names(&fs::read_to_string(file).expect("a source file")));
    let mut found: Vec<_> = files
        .iter()
        .map(|file| module_of(file).join("::"))
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            "math::wide",
            "math::wide::neon",
            "math::wide::x86",
            "math::work",
            "sim::solver::dispatch"
        ]
    );
}
