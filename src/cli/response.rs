//! `lovelock response`: how each method answers what a person does first, as a
//! table.

use super::{
    output::say,
    overrides::{self, SceneArgs},
    progress::CountBar,
    usage::{Usage, use_threads},
};
use crate::{
    io,
    lab::response::{self, ACTS, ResponseAct, ResponseBound, ResponseRow, Subject, act},
    param,
    project::built_scene,
    sim::solver::Method,
};
use clap::Args;
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, atomic::AtomicBool},
};

#[derive(Debug, Args)]
pub struct ResponseArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Act to measure (repeatable, or a list with commas) [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    act: Vec<String>,
    /// Say what acts there are, and measure none
    #[arg(long)]
    list: bool,
    /// Write all rows to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub fn run(args: &ResponseArgs) -> anyhow::Result<()> {
    let acts = acts(&args.act)?;
    if args.list {
        let width = acts.iter().map(|act| act.id.len()).max().unwrap_or(0);
        for act in acts {
            say!("{:<width$}  {}", act.id, act.about)?;
        }
        return Ok(());
    }
    let ids: Vec<String> = args.scene.overrides.solver.iter().cloned().collect();
    let methods = overrides::methods(&ids)?;
    let scene = args.scene.read()?;
    let refuse = |path: &Path, error: std::io::Error| {
        anyhow::anyhow!("cannot write {}: {}", path.display(), io::reason(&error))
    };
    if let Some(path) = &args.json {
        // Said before the long work, not after it.
        io::probe(path).map_err(|error| refuse(path, error))?;
    }
    use_threads(args.scene.overrides.threads)?;
    let stage = built_scene::build(&scene)?;
    let subject = Subject {
        body: stage.body.clone(),
        groom: Arc::clone(&stage.groom),
        params: scene.sim.clone(),
    };
    let progress = Mutex::new(CountBar::new("acts", (methods.len() * acts.len()) as u64));
    let told = |done: usize, _: usize| {
        if let Ok(mut progress) = progress.lock() {
            progress.at(done as u64);
        }
    };
    let never = AtomicBool::new(false);
    // None comes of a cancellation only.
    let rows = response::run(&subject, &methods, &acts, &never, &told).unwrap_or_default();
    drop(progress);
    print(&methods, &rows)?;
    if let Some(path) = &args.json {
        let text = json!({ "rows": rows.iter().map(json_row).collect::<Vec<_>>() });
        let text = serde_json::to_string_pretty(&text)? + "\n";
        io::write_atomic(path, text.as_bytes()).map_err(|error| refuse(path, error))?;
        say!("\nwritten to {}", path.display())?;
    }
    Ok(())
}

/// The acts asked for, each once, in the order of the table.
fn acts(ids: &[String]) -> anyhow::Result<Vec<&'static ResponseAct>> {
    for id in ids {
        if act(id).is_none() {
            let known: Vec<String> = ACTS.iter().map(|act| act.id.into()).collect();
            let nearest = param::nearest(id, known.iter().cloned());
            let guess = nearest.map_or_else(String::new, |id| format!("; did you mean {id}?"));
            let known = known.join(", ");
            let text = format!("there is no act \"{id}\"; it can be {known}{guess}");
            return Err(Usage(text).into());
        }
    }
    let wanted = |act: &&ResponseAct| ids.is_empty() || ids.iter().any(|id| id == act.id);
    Ok(ACTS.iter().filter(wanted).collect())
}

/// Prints the rows, method after method.
fn print(methods: &[&'static Method], rows: &[ResponseRow]) -> anyhow::Result<()> {
    let mm = |metres: f64| format!("{:.1} mm", 1e3 * metres);
    for method in methods {
        say!("{}: {}, {}\n", method.id, method.name, method.source)?;
        say!(
            "  {:<16} {:>10} {:>10} {:>10} {:>9} {:>7}  {:<26}",
            "",
            "tips go",
            "a tenth",
            "mean",
            "back in",
            "lone",
            "asked"
        )?;
        for row in rows.iter().filter(|row| row.solver == method.id) {
            say!(
                "  {:<16} {:>10} {:>10} {:>10} {:>9} {:>7}  {:<26} {}",
                row.act,
                mm(row.tip_median),
                mm(row.tip_p90),
                mm(row.tip_mean),
                row.settle.map_or("-".into(), |s| format!("{s:.2} s")),
                format!("{:.1} %", 100.0 * row.lone_strands),
                asked(row.bound),
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
    Ok(())
}

/// What an act asks, in words.
fn asked(bound: ResponseBound) -> String {
    let mm = |metres: f64| format!("{:.0} mm", 1e3 * metres);
    match bound {
        ResponseBound::AtLeast(least) => format!("at least {}", mm(least)),
        ResponseBound::MeanAtLeast(least) => format!("mean at least {}", mm(least)),
        ResponseBound::AtMost(most) => format!("at most {}", mm(most)),
        ResponseBound::OutAndBack(least) => format!("at least {}, and back", mm(least)),
    }
}

fn json_row(row: &ResponseRow) -> serde_json::Value {
    json!({
        "solver": row.solver,
        "act": row.act,
        "tip_median_m": row.tip_median,
        "tip_p90_m": row.tip_p90,
        "tip_mean_m": row.tip_mean,
        "settle_s": row.settle,
        "lone_strands": row.lone_strands,
        "asked": asked(row.bound),
        "pass": row.pass(),
    })
}
