//! `lovelock shake`: what each method makes of the cases, as a table.

use super::{
    output::say,
    overrides,
    progress::CountBar,
    usage::{Usage, use_threads},
};
use crate::{
    io,
    lab::{
        shake::{
            self, AFTER, DEEP, RESTING, STRESS_CASES, StressCase, StressRow, WATCHED, stress_case,
        },
        validate::{number, percent},
    },
    param,
    sim::solver::Method,
};
use clap::Args;
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    sync::{Mutex, atomic::AtomicBool},
};

#[derive(Debug, Args)]
pub struct ShakeArgs {
    /// Method to put through the cases (repeatable, or a list with commas) [default: all]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    solver: Vec<String>,
    /// Case to run (repeatable, or a list with commas) [default: all]
    #[arg(long, alias = "ordeal", value_name = "NAME", value_delimiter = ',')]
    case: Vec<String>,
    /// Say what cases there are, and run none
    #[arg(long)]
    list: bool,
    /// Write all rows to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Threads that compute; the numbers do not depend on them [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub fn run(args: &ShakeArgs) -> anyhow::Result<()> {
    let (methods, cases) = (overrides::methods(&args.solver)?, cases(&args.case)?);
    if args.list {
        let width = cases.iter().map(|case| case.id.len()).max();
        for case in cases {
            let width = width.unwrap_or(0);
            say!("{:<width$}  {}", case.id, case.about)?;
        }
        return Ok(());
    }
    let refuse = |path: &Path, error: std::io::Error| {
        anyhow::anyhow!("cannot write {}: {}", path.display(), io::reason(&error))
    };
    if let Some(path) = &args.json {
        // Said before the long work, not after it.
        io::probe(path).map_err(|error| refuse(path, error))?;
    }
    use_threads(args.threads)?;
    let rows = put_through(&methods, &cases)?;
    print(&methods, &rows)?;
    if let Some(path) = &args.json {
        let text = json!({ "rows": rows.iter().map(json_row).collect::<Vec<_>>() });
        let text = serde_json::to_string_pretty(&text)? + "\n";
        io::write_atomic(path, text.as_bytes()).map_err(|error| refuse(path, error))?;
        say!("\nwritten to {}", path.display())?;
    }
    Ok(())
}

/// The cases asked for, each once, in the order of the table.
fn cases(ids: &[String]) -> anyhow::Result<Vec<&'static StressCase>> {
    for id in ids {
        if stress_case(id).is_none() {
            let known: Vec<String> = STRESS_CASES.iter().map(|case| case.id.into()).collect();
            let nearest = param::nearest(id, known.iter().cloned());
            let guess = nearest.map_or_else(String::new, |id| format!("; did you mean {id}?"));
            let known = known.join(", ");
            let text = format!("there is no stress case \"{id}\"; it can be {known}{guess}");
            return Err(Usage(text).into());
        }
    }
    let wanted = |case: &&StressCase| ids.is_empty() || ids.iter().any(|id| id == case.id);
    Ok(STRESS_CASES.iter().filter(wanted).collect())
}

fn put_through(
    methods: &[&'static Method],
    cases: &[&'static StressCase],
) -> anyhow::Result<Vec<StressRow>> {
    let total = methods.len() * cases.len();
    let progress = Mutex::new(CountBar::new("cases", total as u64));
    let told = |done: usize, _: usize| {
        if let Ok(mut progress) = progress.lock() {
            progress.at(done as u64);
        }
    };
    let never = AtomicBool::new(false);
    // None comes of a cancellation only.
    Ok(shake::run(methods, cases, &never, &told)?.unwrap_or_default())
}

/// Prints the rows, method after method.
fn print(methods: &[&'static Method], rows: &[StressRow]) -> anyhow::Result<()> {
    for method in methods {
        say!("{}: {}, {}\n", method.id, method.name, method.source)?;
        say!(
            "  {:<20} {:>10} {:>10} {:>16} {:>10} {:>12} {:>11}",
            "",
            "stretch",
            "deepest",
            format!("over {:.0} mm", 1e3 * DEEP),
            "rests in",
            format!("after {AFTER:.0} s"),
            "not finite"
        )?;
        for row in rows.iter().filter(|row| row.solver == method.id) {
            let name = stress_case(row.case).map_or(row.case, |case| case.name);
            say!(
                "  {name:<20} {:>10} {:>10} {:>16} {:>10} {:>12} {:>11}  {}",
                percent(row.max_stretch),
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
    for method in methods {
        let own = || rows.iter().filter(|row| row.solver == method.id);
        let passed = own().filter(|row| row.pass()).count();
        say!("{}: {passed} of {} pass", method.id, own().count())?;
    }
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
        "ordeal": row.case,
        "max_stretch": row.max_stretch,
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
