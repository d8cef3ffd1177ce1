//! `lovelock shake`: what each method makes of the cases, as a table.

use super::{
    measured::{JsonFile, Named, chosen, counted, list, say_passed},
    output::say,
    overrides,
    usage::use_threads,
};
use crate::{
    lab::{
        shake::{
            self, AFTER, DEEP, RESTING, STRESS_CASES, StressCase, StressRow, WATCHED, stress_case,
        },
        validate::{number, percent},
    },
    sim::solver::Method,
};
use clap::Args;
use serde_json::json;
use std::{path::PathBuf, sync::atomic::AtomicBool};

#[derive(Debug, Args)]
pub struct ShakeArgs {
    /// Method to put through the cases (repeatable, or a list with commas) [default: all]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    solver: Vec<String>,
    /// Case to run (repeatable, or a list with commas) [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    case: Vec<String>,
    /// Say what cases there are, and run none
    #[arg(long)]
    list: bool,
    /// Write all rows to this file; - is standard output, and lines go to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Threads that compute; the numbers do not depend on them (without it, one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub fn run(args: &ShakeArgs) -> anyhow::Result<()> {
    let (methods, cases) = (
        overrides::methods(&args.solver)?,
        chosen(STRESS_CASES, &args.case)?,
    );
    if args.list {
        return list(&cases);
    }
    let json = JsonFile::probe(&args.json)?;
    use_threads(args.threads)?;
    let rows = put_through(&methods, &cases)?;
    json.write(|| json!({ "rows": rows.iter().map(json_row).collect::<Vec<_>>() }))?;
    print(&methods, &rows)?;
    json.say_written()
}

impl Named for StressCase {
    const WHAT: &'static str = "stress case";

    fn id(&self) -> &'static str {
        self.id
    }

    fn about(&self) -> &'static str {
        self.about
    }
}

fn put_through(
    methods: &[&'static Method],
    cases: &[&'static StressCase],
) -> anyhow::Result<Vec<StressRow>> {
    let never = AtomicBool::new(false);
    let total = methods.len() * cases.len();
    let rows = counted("cases", total, |told| {
        shake::run(methods, cases, &never, told)
    });
    // None comes of a cancellation only.
    Ok(rows?.unwrap_or_default())
}

/// Prints the rows, method after method.
fn print(methods: &[&'static Method], rows: &[StressRow]) -> anyhow::Result<()> {
    for method in methods {
        say!("{}: {}, {}\n", method.id, method.name, method.source)?;
        say!(
            "  {:<20} {:>10} {:>10} {:>10} {:>16} {:>10} {:>12} {:>11}",
            "",
            "longer",
            "shorter",
            "deepest",
            format!("over {:.0} mm", 1e3 * DEEP),
            "rests in",
            format!("after {AFTER:.0} s"),
            "not finite"
        )?;
        for row in rows.iter().filter(|row| row.solver == method.id) {
            let name = stress_case(row.case).map_or(row.case, |case| case.name);
            say!(
                "  {name:<20} {:>10} {:>10} {:>10} {:>16} {:>10} {:>12} {:>11}  {}",
                percent(row.max_stretch),
                percent(row.max_shortening),
                format!("{:.2} mm", 1e3 * row.max_penetration),
                deep(row),
                row.settle.map_or("no".into(), |s| format!("{s:.2} s")),
                format!("{} J/kg", number(row.energy_per_kg)),
                row.nonfinite,
                if row.pass() { "pass" } else { "FAIL" }
            )?;
        }
        say!("")?;
    }
    say_passed(methods, rows.iter().map(|row| (row.solver, row.pass())))?;
    say!(
        "\nhair rests below {} mm/s, and is given {WATCHED:.0} s",
        1e3 * RESTING
    )
}

/// How many vertices at how many instants lay deep.
fn deep(row: &StressRow) -> String {
    match row.deep {
        0 => "none".into(),
        deep => format!("{deep}, {:.0e}", deep as f64 / row.looked_at.max(1) as f64),
    }
}

fn json_row(row: &StressRow) -> serde_json::Value {
    json!({
        "solver": row.solver,
        "case": row.case,
        "max_stretch": row.max_stretch,
        "max_shortening": row.max_shortening,
        "max_penetration_m": row.max_penetration,
        "deepest_at_s": row.deepest_at,
        "deepest_strand": row.deepest[0],
        "deepest_vertex": row.deepest[1],
        "deep": row.deep,
        "looked_at": row.looked_at,
        "settle_s": row.settle,
        "energy_J": row.energy,
        "energy_J_per_kg": row.energy_per_kg,
        "speed_m_s": row.speed,
        "nonfinite": row.nonfinite,
        "pass": row.pass(),
    })
}
