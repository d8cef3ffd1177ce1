//! README and docs tell the truth: their tables are the declared ones, and what
//! they link exists. `UPDATE_README=1` rewrites the tables.

use crate::{
    common::block::{check_block, page, root},
    measured::check_measured,
    validate::reports_of,
};
use lovelock::{
    io::strands::{Carries, Detail, FORMATS},
    lab::validate::{Criterion, STRETCH, TESTS, ValidationReport, ValidationRow, number},
    param::{Kind, Tunable, Value},
    project::scene::Scene,
    sim::solver::SOLVERS,
    ui::keys::{self, MOUSE},
};
use std::{fs, path::Path};

/// One row for each tunable, in the order of panel and scene files.
fn parameter_table() -> String {
    let mut table = String::from("| Key | What it does | Range | Default |\n|---|---|---|---|\n");
    let scene = Scene::default();
    let sections = scene.sections().into_iter();
    // The second side has the same tunables again.
    for section in sections.filter(|section| !section.section().starts_with("b.")) {
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
                Kind::Triple { range } => {
                    let axes = if unit.is_empty() {
                        "r, g, b"
                    } else {
                        "x, y, z"
                    };
                    with_unit(format!("{axes}, each {} to {}", range.start(), range.end()))
                }
                Kind::Ramp { range } => {
                    format!(
                        "five from root to tip, each {} to {}",
                        range.start(),
                        range.end()
                    )
                }
                Kind::Text => "text".into(),
            };
            let default = match default {
                Value::Float(v) => with_unit(v.to_string()),
                Value::Int(v) => with_unit(v.to_string()),
                Value::Bool(v) => v.to_string(),
                Value::Choice(v) => (*v).into(),
                Value::Vector(v) => with_unit(format!("{}, {}, {}", v[0], v[1], v[2])),
                Value::Ramp(v) => v.0.map(|c| c.to_string()).join(", "),
                Value::Text(v) if v.is_empty() => "none".into(),
                Value::Text(v) => v.clone(),
            };
            let section = section.section();
            table += &format!("| `{section}.{key}` | {help} | {range} | {default} |\n");
        }
    }
    table
}

/// The methods, as the list of the panel has them.
fn method_table() -> String {
    let mut table = String::from(
        "| Key | `sim.solver` | Method | Source | What for |\n|---|---|---|---|---|\n",
    );
    for (index, method) in SOLVERS.iter().enumerate() {
        table += &format!(
            "| {} | `{}` | {} | {} | {} |\n",
            index + 1,
            method.id,
            method.name,
            method.source,
            method.about
        );
    }
    table
}

/// The keys, then the mouse, as the window's own list has them.
fn key_table() -> String {
    let mut table = String::from("| Key, mouse | What it does |\n|---|---|\n");
    for binding in keys::all().filter(|binding| !binding.help.is_empty()) {
        table += &format!("| {} | {} |\n", binding.name, binding.help);
    }
    for (gesture, help) in MOUSE {
        table += &format!("| {gesture} | {help} |\n");
    }
    table
}

/// What a file of a groom's format says, in words.
fn carried(carries: &Carries) -> String {
    let of = |detail: Detail| {
        let kept = [("widths", carries.widths), ("colours", carries.colours)];
        let kept = kept.into_iter().filter(|(_, kept)| *kept == detail);
        kept.map(|(name, _)| name).collect::<Vec<_>>().join(", ")
    };
    let mut all = Vec::new();
    for (detail, whose) in [(Detail::Strand, "strand"), (Detail::Point, "point")] {
        match of(detail) {
            kept if kept.is_empty() => {}
            kept => all.push(format!("{kept} of each {whose}")),
        }
    }
    all.extend(carries.root_uvs.then(|| "root UVs".to_string()));
    all.extend(
        carries
            .columns
            .then(|| "columns of strands and points".to_string()),
    );
    all.extend(carries.units.then(|| "unit, up axis".to_string()));
    match all.is_empty() {
        true => "positions alone".into(),
        false => all.join(", "),
    }
}

/// The formats of grooms, in the order in which content is tried.
fn groom_table() -> String {
    let mut table = String::from(
        "| Format | Names end in | Read | Written | Carries | Limits |\n|---|---|---|---|---|---|\n",
    );
    for format in FORMATS {
        let endings = format.endings.iter().map(|ending| format!("`.{ending}`"));
        let endings: Vec<String> = endings.collect();
        let written = match &format.writing {
            None => "no".into(),
            Some(writing) if format.carries.animation => {
                format!("{}, also an animation in one file", writing.writes)
            }
            Some(writing) => writing.writes.to_string(),
        };
        let mut limits: Vec<&str> = Vec::new();
        limits.extend((!format.limits.is_empty()).then_some(format.limits));
        limits.extend((!format.carries.units).then_some("no unit"));
        table += &format!(
            "| {} | {} | {} | {written} | {} | {} |\n",
            format.name,
            endings.join(", "),
            format.reads,
            carried(&format.carries),
            limits.join("; ")
        );
    }
    table
}

/// How many rows of each test every method passes.
fn validation_table(reports: &[&ValidationReport]) -> String {
    let names = reports
        .iter()
        .map(|report| format!(" `{}` |", report.label()));
    let mut table = format!("| Test | What is compared |{}\n", names.collect::<String>());
    table += &format!("|---|---|{}\n", "---|".repeat(reports.len()));
    let all = "No segment changes its length by more than 10⁻⁵, in every test above";
    let tests = TESTS.iter().map(|test| (test.id, test.name, test.about));
    for (id, name, about) in tests.chain([(STRETCH, "Stretch", all)]) {
        table += &format!("| {name} | {about} |");
        for report in reports {
            let rows = || {
                report
                    .rows
                    .iter()
                    .filter(|row| row.test == id && row.applies)
            };
            let passed = rows().filter(|row| row.pass).count();
            table += &match rows().count() {
                0 => " not measured |".into(),
                all => format!(" {passed} of {all} |"),
            };
        }
        table.push('\n');
    }
    table
}

/// What each method is worth, in four numbers.
fn worth_table(reports: &[&ValidationReport]) -> String {
    const TIP: &str = "weight/stiffness 10: height/width of the tip";
    let mut table = String::from(
        "| `sim.solver` | tests of rod theory passed | tip of a cantilever, height over width (theory: 1.067) | suspended curl leaves its plane as theory predicts | largest change of a segment's length in these tests, as a share |\n|---|---|---|---|---|\n",
    );
    for report in reports {
        let passed = |of: &dyn Fn(&&ValidationRow) -> bool| {
            let rows = report.rows.iter().filter(|row| row.applies).filter(of);
            let (passed, all) = rows.fold((0, 0), |(passed, all), row| {
                (passed + usize::from(row.pass), all + 1)
            });
            format!("{passed} of {all}")
        };
        let found = |is: &dyn Fn(&&ValidationRow) -> bool| {
            let row = report.rows.iter().find(is);
            number(row.and_then(|row| row.measured).expect("it is measured"))
        };
        table += &format!(
            "| `{}` | {} | {} | {} | {} |\n",
            report.label(),
            passed(&|_| true),
            found(&|row| row.test == "cantilever" && row.case.starts_with(TIP)),
            passed(&|row| row.test == "bend-twist"),
            largest_stretch(&report.rows),
        );
    }
    table
}

/// The largest change of a segment's length among these rows: of strands that blew up in one
/// test, that of the others would say too little.
fn largest_stretch(rows: &[ValidationRow]) -> String {
    let stretches = rows.iter();
    let stretches = stretches.filter(|row| row.test == STRETCH && row.applies);
    let stretches: Option<Vec<f64>> = stretches.map(|row| row.measured).collect();
    match stretches {
        Some(stretches) => number(stretches.into_iter().fold(0.0, f64::max)),
        None => "blew up".into(),
    }
}

#[test]
fn a_strand_that_blew_up_has_no_largest_stretch() {
    let row = |measured: Option<f64>, applies: bool| ValidationRow {
        at: None,
        solver: "pbd",
        variant: None,
        test: STRETCH,
        case: String::new(),
        reference: None,
        measured,
        error: None,
        tolerance: 1e-5,
        criterion: Criterion::AtMost,
        pass: false,
        applies,
    };
    let known = [row(Some(0.2), true), row(None, false), row(Some(0.1), true)];
    assert_eq!(largest_stretch(&known), "0.2");
    assert_eq!(
        largest_stretch(&[row(Some(0.2), true), row(None, true)]),
        "blew up"
    );
}

/// Every row, the methods side by side.
fn validation_rows(reports: &[&ValidationReport]) -> String {
    let names = reports
        .iter()
        .map(|report| format!(" `{}` |", report.label()));
    let mut table = format!(
        "| Test | Case | Theory | Allowed |{}\n",
        names.collect::<String>()
    );
    table += &format!("|---|---|---|---|{}\n", "---|".repeat(reports.len()));
    for (index, row) in reports[0].rows.iter().enumerate() {
        let theory = match (row.test, row.criterion) {
            // Where a method is compared with itself.
            ("time-step", _) | (_, Criterion::AtMost | Criterion::AtLeast) => "–".into(),
            _ => row.reference.map_or("–".into(), number),
        };
        let case = row.case.split(';').next().unwrap_or_default();
        let allowed = row.allowed_text();
        table += &format!("| {} | {case} | {theory} | {allowed} |", row.test);
        for report in reports {
            let row = &report.rows[index];
            let measured = row.measured.map_or("–".into(), number);
            table += &match row.verdict() {
                "not measured" => " not measured |".into(),
                "fail" => format!(" {measured}, **fail** |"),
                verdict => format!(" {measured}, {verdict} |"),
            };
        }
        table.push('\n');
    }
    table
}

#[test]
fn the_parameters_are_the_declared_ones() {
    check_block("docs/parameters.md", "parameters", &parameter_table());
}

#[test]
fn the_formats_of_grooms_are_those_of_the_table() {
    check_block("docs/formats.md", "grooms", &groom_table());
}

#[test]
fn the_methods_are_those_of_the_table() {
    check_block("README.md", "methods", &method_table());
}

#[test]
fn the_keys_are_those_of_the_window() {
    check_block("docs/keys.md", "keys", &key_table());
}

#[test]
#[ignore = "takes minutes: cargo test --release --test tables -- --ignored"]
fn the_validation_says_what_it_says() {
    let reports = reports_of(|_| true);
    let page = "docs/validation.md";
    check_block(page, "validation", &validation_table(&reports));
    check_block("docs/methods.md", "worth", &worth_table(&reports));
    check_measured(page, "validation-rows", &validation_rows(&reports));
}

/// README.md is a product page: what is longer goes to docs.
const MOST_LINES: usize = 250;

/// All pages, as paths from the project's folder.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_string(), "CONTRIBUTING.md".to_string()];
    for entry in fs::read_dir(root().join("docs")).expect("docs can be listed") {
        let name = entry.expect("an entry of docs").file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    pages
}

/// Targets of the links and pictures of a page, but for other sites.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.starts_with("http"))
}

/// The headings of a page as links name them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn the_readme_is_short() {
    let lines = page("README.md").lines().count();
    assert!(
        lines <= MOST_LINES,
        "README.md has {lines} lines, more than {MOST_LINES}: move some to docs"
    );
}

#[test]
fn every_file_that_is_linked_exists() {
    let of_crates = ["crates/strands/README.md".to_string()];
    for from in pages().into_iter().chain(of_crates) {
        let text = page(&from);
        let folder = Path::new(&from).parent().expect("a folder");
        let mut checked = 0;
        for target in links(&text) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => root().join(&from),
                file => root().join(folder).join(file),
            };
            assert!(path.exists(), "{from} links {target}, which is not there");
            if !anchor.is_empty() {
                let there = fs::read_to_string(&path).expect("a page");
                assert!(
                    anchors(&there).iter().any(|known| known == anchor),
                    "{from} links {target}, where no heading is called so"
                );
            }
            checked += 1;
        }
        assert!(checked > 0, "{from} links nothing");
    }
}

#[test]
fn the_index_has_every_page() {
    let readme = page("README.md");
    for page in pages() {
        assert!(
            page == "README.md" || links(&readme).any(|target| target == page),
            "README.md does not link {page}"
        );
    }
}

#[test]
fn the_layers_are_those_of_the_library() {
    let lib = page("src/lib.rs");
    let line = lib
        .lines()
        .find(|line| line.contains("param -> "))
        .expect("src/lib.rs names no layers");
    let layers = line.trim_start_matches("//!").trim();
    for file in ["README.md", "docs/architecture.md"] {
        assert!(
            page(file).contains(layers),
            "the layer line of {file} is not {layers}"
        );
    }
}
