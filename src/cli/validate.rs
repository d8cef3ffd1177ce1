//! `lovelock validate`: each method compared with rod theory, as a table.

use super::{
    measured::{CSV, JsonFile, Named, chosen, counted, list, write_result},
    output::say,
    overrides,
    usage::{Usage, use_threads},
};
use crate::{
    io::{stats::is_stdout, validation_table},
    lab::validate::{
        self, Axis, MethodRun, TESTS, ValidationReport, ValidationRow, ValidationTest,
    },
    sim::solver::Method,
};
use clap::Args;
use serde_json::json;
use std::{path::PathBuf, sync::atomic::AtomicBool};

#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Method to put through the tests (repeatable, or a list with commas) [default: all]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    solver: Vec<String>,
    /// Test to run, by the name that --list has or that tables have (repeatable, or a list with commas) [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    test: Vec<String>,
    /// Say what tests there are, and run none
    #[arg(long)]
    list: bool,
    /// Write all rows, and the curves, to this file, which ends in .json; - is standard output,
    /// and lines go to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all rows as a table to this file, which ends in .csv; - is standard output, too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Leave out what takes longest
    #[arg(long)]
    quick: bool,
    /// Threads that compute; the numbers do not depend on them (without it, one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub fn run(args: &ValidateArgs) -> anyhow::Result<()> {
    let methods = overrides::methods(&args.solver)?;
    let tests = chosen(TESTS, &args.test)?;
    if args.list {
        return list(&tests);
    }
    let outputs = [&args.json, &args.csv];
    if outputs
        .iter()
        .all(|path| path.as_deref().is_some_and(is_stdout))
    {
        let text =
            "--json and --csv cannot both go to standard output; name a file for one of them";
        return Err(Usage(text.into()).into());
    }
    let json = JsonFile::beside(&args.json, args.csv.is_some())?;
    if let Some(path) = &args.csv {
        CSV.probe(path)?;
    }
    use_threads(args.threads)?;
    let (mut reports, mut lines) = (Vec::new(), json.lines());
    for subject in methods.into_iter().flat_map(MethodRun::all_of) {
        if !reports.is_empty() {
            lines.print(|| say!(""))?;
        }
        let report = examine(subject, &tests, args.quick);
        lines.print(|| print(subject, &report))?;
        reports.push(report);
    }
    json.write(|| {
        let rows = reports.iter().flat_map(|report| &report.rows);
        let curves = reports.iter().flat_map(json_curves);
        json!({
            "rows": rows.map(json_row).collect::<Vec<_>>(),
            "curves": curves.collect::<Vec<_>>(),
        })
    })?;
    if let Some(path) = &args.csv {
        write_result(path, &validation_table::csv(&reports))?;
    }
    lines.end()?;
    say!("")?;
    for report in &reports {
        let [passed, all] = report.passed();
        let left = match report.rows.len() - all {
            0 => String::new(),
            left => format!(", {left} not measured"),
        };
        say!("{}: {passed} of {all} pass{left}", report.label())?;
    }
    json.say_written()?;
    match args.csv.as_deref().filter(|path| !is_stdout(path)) {
        Some(path) => say!("\nwritten to {}", path.display()),
        None => Ok(()),
    }
}

impl Named for ValidationTest {
    const WHAT: &'static str = "test";

    fn id(&self) -> &'static str {
        self.id
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }
}

fn examine(subject: MethodRun, tests: &[&'static ValidationTest], quick: bool) -> ValidationReport {
    let never = AtomicBool::new(false);
    let report = counted("tests", tests.len(), |told| {
        validate::run(subject, tests, quick, &never, told)
    });
    // None comes of a cancellation only.
    report.unwrap_or(ValidationReport {
        solver: subject.method.id,
        variant: subject.variant.map(|variant| variant.name),
        rows: Vec::new(),
        plots: Vec::new(),
    })
}

/// Prints the rows, test after test.
fn print(subject: MethodRun, report: &ValidationReport) -> anyhow::Result<()> {
    let Method { name, source, .. } = subject.method;
    say!("{}: {name}, {source}", subject.label())?;
    let width = report
        .rows
        .iter()
        .map(|row| row.case.chars().count())
        .max()
        .unwrap_or(0);
    let mut last = "";
    for row in &report.rows {
        if row.test != last {
            last = row.test;
            say!("\n{}", heading(row.test))?;
            say!(
                "  {:<width$} {:>10} {:>10} {:>10} {:>10}",
                "",
                "reference",
                "measured",
                "error",
                "allowed"
            )?;
        }
        say!(
            "  {:<width$} {:>10} {:>10} {:>10} {:>10}  {}",
            row.case,
            optional(row.reference),
            optional(row.measured),
            row.error_text(),
            row.allowed_text(),
            match row.verdict() {
                "fail" => "FAIL",
                verdict => verdict,
            }
        )?;
    }
    Ok(())
}

fn heading(id: &str) -> String {
    TESTS.iter().find(|test| test.id == id).map_or_else(
        || "Stretch: segments keep their length in each test above".into(),
        |test| match test.name.eq_ignore_ascii_case(test.id) {
            true => format!("{}: {}", test.name, test.about),
            false => format!("{} ({}): {}", test.name, test.id, test.about),
        },
    )
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), validate::number)
}

fn json_row(row: &ValidationRow) -> serde_json::Value {
    json!({
        "solver": row.solver,
        "variant": row.variant,
        "test": row.test,
        "case": row.case,
        "x_name": row.at.map(|at| at.name),
        "x": row.at.map(|at| at.value),
        "x_unit": row.at.map(|at| at.unit).filter(|unit| !unit.is_empty()),
        "unit": row.unit(),
        "reference": row.reference,
        "measured": row.measured,
        "error": row.error,
        "tolerance": row.tolerance,
        "pass": row.pass,
        "applies": row.applies,
        "criterion": row.criterion.name(),
    })
}

/// The curves of a report, as the panel draws them: all points, those between the rows, too.
fn json_curves(report: &ValidationReport) -> impl Iterator<Item = serde_json::Value> {
    let axis = |axis: &Axis| {
        json!({
            "label": axis.label,
            "unit": validate::unit_of(axis.label),
            "logarithmic": axis.log,
        })
    };
    report.plots.iter().flat_map(move |(test, plot)| {
        plot.series.iter().map(move |series| {
            json!({
                "solver": report.solver,
                "variant": report.variant,
                "test": test,
                "name": series.name,
                "theory": series.theory,
                "x_axis": axis(&plot.x),
                "y_axis": axis(&plot.y),
                "points": series.points,
            })
        })
    })
}
