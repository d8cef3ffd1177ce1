//! `lovelock response`: how each method answers what a person does first, as a
//! table.

use super::{
    measured::{JsonFile, Named, SolverList, allow_list, chosen, counted, list, say_passed},
    output::say,
    overrides::{self, SceneArgs},
    targets::CommandFiles,
    usage::use_threads,
};
use crate::{
    lab::response::{self, ACTS, ResponseAct, ResponseBound, ResponseRow, Subject},
    project::built_scene,
    sim::solver::Method,
};
use clap::Args;
use serde_json::json;
use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

#[derive(Debug, Args)]
#[command(mut_arg("solver", allow_list))]
pub struct ResponseArgs {
    #[command(flatten)]
    solvers: SolverList,
    #[command(flatten)]
    scene: SceneArgs,
    /// Act to measure (repeatable, or a list with commas) [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    act: Vec<String>,
    /// Say what acts there are, and measure none
    #[arg(long)]
    list: bool,
    /// Write all rows to this file; - is standard output, and lines go to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub fn run(args: &ResponseArgs) -> anyhow::Result<()> {
    let methods = overrides::methods(&args.solvers.0)?;
    let acts = chosen(ACTS, &args.act)?;
    if args.list {
        return list(&acts);
    }
    // Reading the scene computes too, where it fits the groom to the head.
    use_threads(args.scene.overrides.threads)?;
    let scene = args.scene.read()?;
    let targets = CommandFiles::default().reads_scene(&args.scene, &scene);
    let targets = args
        .json
        .iter()
        .fold(targets, |targets, path| targets.writes("--json", path));
    targets.check()?;
    let json = JsonFile::probe(&args.json)?;
    let stage = built_scene::build(&scene)?;
    let subject = Subject {
        body: stage.body.clone(),
        groom: Arc::clone(&stage.groom),
        params: scene.sim.clone(),
    };
    let never = AtomicBool::new(false);
    let rows = counted("acts", methods.len() * acts.len(), |told| {
        response::run(&subject, &methods, &acts, &never, told)
    });
    // None comes of a cancellation only.
    let rows = rows.unwrap_or_default();
    json.write(|| json!({ "rows": rows.iter().map(json_row).collect::<Vec<_>>() }))?;
    print(&methods, &rows)?;
    json.say_written()
}

impl Named for ResponseAct {
    const WHAT: &'static str = "act";

    fn id(&self) -> &'static str {
        self.id
    }

    fn about(&self) -> &'static str {
        self.about
    }
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
                match row.verdict() {
                    "fail" => "FAIL",
                    verdict => verdict,
                }
            )?;
        }
        say!("")?;
    }
    let measured = rows.iter().filter(|row| row.applies());
    say_passed(methods, measured.map(|row| (row.solver, row.pass())))
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
        "tips": row.tips,
        "tip_median_m": row.tip_median,
        "tip_p90_m": row.tip_p90,
        "tip_mean_m": row.tip_mean,
        "settle_s": row.settle,
        "lone_strands": row.lone_strands,
        "asked": asked(row.bound),
        "pass": row.pass(),
    })
}
