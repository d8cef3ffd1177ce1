//! `lovelock bench`: speed of the simulation, measured against a textbook
//! implementation in the same run.

use super::{
    bench_compare, drawing, measured::JsonFile, output::say, overrides, progress::Activity,
};
use crate::{
    lab::bench::{self, BenchProgress, BenchRow},
    sim::solver::Method,
};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Fewer cases and shorter ones
    #[arg(long)]
    quick: bool,
    /// Method to measure, without the rows of hair against hair and of drawing (repeatable, or a list with commas) [default: all]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    solver: Vec<String>,
    /// Measure drawing alone
    #[arg(long, conflicts_with = "solver")]
    drawing: bool,
    /// Another build of lovelock, measured in turn with this one: says the ratio of each row
    #[arg(long, value_name = "BINARY")]
    compare: Option<PathBuf>,
    /// How often both are measured
    #[arg(long, value_name = "N", default_value_t = 3, requires = "compare",
          value_parser = clap::value_parser!(u16).range(1..=100))]
    rounds: u16,
    /// Write machine and rows to this file; - is standard output, and lines go to standard
    /// error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Thread counts to measure (without it, one, and one for each core)
    #[arg(long, value_name = "1,2,...", value_delimiter = ',',
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
}

impl BenchArgs {
    /// The arguments that both builds get.
    fn passed_on(&self, methods: &[&Method]) -> Vec<String> {
        let mut args = Vec::new();
        if self.quick {
            args.push("--quick".into());
        }
        if self.drawing {
            args.push("--drawing".into());
        }
        // Each by its name: not every build knows "all".
        for method in methods.iter().filter(|_| !self.solver.is_empty()) {
            args.extend(["--solver".into(), method.id.into()]);
        }
        if !self.threads.is_empty() {
            let threads: Vec<String> = self.threads.iter().map(u16::to_string).collect();
            args.extend(["--threads".into(), threads.join(",")]);
        }
        args
    }
}

/// The machine that the bench ran on.
#[derive(Debug, Serialize)]
struct Machine {
    cpu: Option<String>,
    cores: usize,
    memory_bytes: Option<u64>,
    os: &'static str,
    arch: &'static str,
    version: &'static str,
}

pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let methods = overrides::methods(&args.solver)?;
    let json = JsonFile::probe(&args.json)?;
    let machine = machine();
    if let Some(other) = &args.compare {
        return bench_compare::run(other, args.rounds, &args.passed_on(&methods), &json);
    }
    let mut lines = json.lines();
    lines.print(|| {
        say!(
            "{}, {} cores, {} {}",
            machine.cpu.as_deref().unwrap_or("unknown processor"),
            machine.cores,
            machine.os,
            machine.arch
        )
    })?;
    let mut threads: Vec<usize> = match args.threads.as_slice() {
        [] => vec![1, machine.cores],
        asked => asked.iter().map(|n| usize::from(*n)).collect(),
    };
    threads.sort_unstable();
    threads.dedup();

    let mut table = Table::default();
    let mut closed = Ok(());
    let mut activity = Activity::new();
    let mut report = |progress: BenchProgress| match progress {
        BenchProgress::Doing(what) => activity.at(what),
        BenchProgress::Measured(row) => activity.hide(|| {
            if closed.is_ok() {
                closed = lines.print(|| table.print(row));
            }
        }),
    };
    let rows = match args.drawing {
        true => Vec::new(),
        false => bench::run(&methods, args.quick, &threads, &mut report)?,
    };
    drop(activity);
    closed?;
    if let Some(told) = table.told() {
        lines.print(|| say!("\n{told}"))?;
    }
    let mut drawing = None;
    if args.solver.is_empty() {
        // It prints as it goes; without its lines the other rows are there all the same.
        lines.print(|| {
            drawing = Some(drawing::run(args.quick)?);
            Ok(())
        })?;
    }
    json.write(|| {
        json!({
            "machine": machine,
            "rows": rows.iter().map(json_row).collect::<Vec<_>>(),
            "drawing": drawing,
        })
    })?;
    lines.end()?;
    json.say_written()
}

fn json_row(row: &BenchRow) -> serde_json::Value {
    json!({
        "name": row.name,
        "inner_steps": row.inner_steps,
        "group": row.group,
        "solver": row.solver,
        "instructions": row.instructions,
        "strands": row.strands,
        "vertices": row.vertices,
        "substeps": row.substeps,
        "iterations": row.iterations,
        "threads": row.threads,
        "ns_per_vertex_substep": row.ns_per_vertex_substep,
        "ns_per_core": row.ns_per_core(),
        "ratio_to_textbook": row.ratio_to_textbook,
        "ratio_to_scalar": row.ratio_to_scalar,
        "scaling": row.scaling,
        "spread": row.spread,
        "noisy": row.is_noisy(),
        "real_time_factor": row.real_time_factor,
        "max_stretch": row.max_stretch,
        "extra_passes": row.extra_passes,
        "touching": row.touching,
        "peak_bytes": row.peak_bytes,
        "bytes_per_vertex": row.bytes_per_vertex,
    })
}

/// Prints rows as they come, with a heading for each group.
#[derive(Default)]
struct Table {
    group: Option<String>,
    /// Whether some row is.
    noisy: bool,
}

impl Table {
    fn print(&mut self, row: &BenchRow) -> anyhow::Result<()> {
        if self.group.as_ref() != Some(&row.group) {
            self.group = Some(row.group.clone());
            say!("\n{}", row.group)?;
            say!(
                "  {:<6} {:<42} {:>8} {:>7} {:>9} {:>8} {:>7} {:>9} {:>9} {:>8} {:>6} {:>6} {:>8} {:>7}",
                "",
                "",
                "substeps",
                "threads",
                "ns/vertex",
                "textbook",
                "scalar",
                "1 thread",
                "real time",
                "stretch",
                "extra",
                "touch",
                "memory",
                "B/vert."
            )?;
        }
        let times = |factor: Option<f64>| factor.map_or_else(String::new, |f| format!("x {f:.1}"));
        let share = |share: Option<f64>| {
            share.map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share))
        };
        let known = |factor: f64| Some(factor).filter(|factor| *factor > 0.0);
        let solver = match row.solver.as_str() {
            "textbook" => "",
            solver => solver,
        };
        say!(
            "  {:<6} {:<42} {:>8} {:>7} {:>9.2} {:>8} {:>7} {:>9} {:>9} {:>8} {:>6} {:>6} {:>8} {:>7}{}",
            solver,
            row.title(),
            row.substeps,
            row.threads,
            row.ns_per_vertex_substep,
            times(known(row.ratio_to_textbook)),
            times(row.ratio_to_scalar),
            row.scaling
                .map_or_else(String::new, |factor| format!("x {factor:.2}")),
            format!("x {:.2}", row.real_time_factor),
            stretch(row.max_stretch),
            share(row.extra_passes),
            share(row.touching),
            format!("{:.0} MB", row.peak_bytes as f64 / 1e6),
            row.bytes_per_vertex
                .map_or_else(String::new, |bytes| format!("{bytes:.0}")),
            match row.is_noisy() {
                true => "  noisy",
                false => "",
            },
        )?;
        self.noisy |= row.is_noisy();
        Ok(())
    }

    /// What to say of rows that mean little.
    fn told(&self) -> Option<&'static str> {
        let text = "noisy: the machine did other work meanwhile, and ratios of these rows mean \
                    little; measure again while it is idle, or without --quick";
        self.noisy.then_some(text)
    }
}

/// A share in per cent, however small.
fn stretch(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".into(),
        small if small < 0.005 => format!("{small:.0e} %"),
        large => format!("{large:.2} %"),
    }
}

/// Describes this machine; a field that the system does not report is `None`.
fn machine() -> Machine {
    let first = |path: &str, key: &str| {
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    let memory = first("/proc/meminfo", "MemTotal");
    Machine {
        cpu: first("/proc/cpuinfo", "model name"),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        memory_bytes: memory.and_then(|text| {
            let kibibytes: u64 = text.split_whitespace().next()?.parse().ok()?;
            Some(1024 * kibibytes)
        }),
        os: std::env::consts::OS,
        arch: std::env::consts::ARCH,
        version: env!("CARGO_PKG_VERSION"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_find_every_field_that_is_promised() {
        let row = json_row(&BenchRow {
            group: "a group".into(),
            name: "a case".into(),
            solver: "pbd".into(),
            instructions: "avx2",
            strands: 500,
            vertices: 30,
            substeps: 4,
            iterations: 10,
            inner_steps: None,
            threads: 2,
            ns_per_vertex_substep: 12.5,
            ratio_to_textbook: 20.0,
            ratio_to_scalar: Some(4.0),
            scaling: None,
            spread: 1.5,
            real_time_factor: 3.0,
            max_stretch: 0.01,
            extra_passes: Some(0.25),
            touching: Some(0.5),
            peak_bytes: 1 << 40,
            bytes_per_vertex: Some(150.0),
        });
        for (name, value) in [
            ("group", json!("a group")),
            ("name", json!("a case")),
            ("solver", json!("pbd")),
            ("instructions", json!("avx2")),
            ("strands", json!(500)),
            ("vertices", json!(30)),
            ("substeps", json!(4)),
            ("iterations", json!(10)),
            ("threads", json!(2)),
            ("ns_per_vertex_substep", json!(12.5)),
            ("ns_per_core", json!(25.0)),
            ("ratio_to_textbook", json!(20.0)),
            ("ratio_to_scalar", json!(4.0)),
            ("scaling", json!(null)),
            ("spread", json!(1.5)),
            ("noisy", json!(true)),
            ("max_stretch", json!(0.01)),
            ("extra_passes", json!(0.25)),
            ("touching", json!(0.5)),
            ("peak_bytes", json!(1u64 << 40)),
            ("bytes_per_vertex", json!(150.0)),
        ] {
            assert_eq!(row[name], value, "{name}");
        }
    }

    #[test]
    fn a_stretch_is_a_share_in_per_cent() {
        for (share, text) in [(0.0, "0 %"), (1e-6, "1e-4 %"), (0.0057, "0.57 %")] {
            assert_eq!(stretch(share), text);
        }
    }
}
