//! `lovelock bench --compare`: runs the bench of another build and of this one in
//! turn, and prints the ratio of their times.

use super::{measured::JsonFile, output::say, progress::CountBar};
use crate::io;
use anyhow::{Context as _, anyhow, bail};
use serde_json::{Value, json};
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// A row of one run of the bench, and its time.
#[derive(Clone, Debug, PartialEq)]
struct Reading {
    /// Heading, method, case and threads.
    name: String,
    unit: &'static str,
    time: f64,
}

/// A row that both builds have, with its times in all rounds.
#[derive(Clone, Debug, PartialEq)]
struct Compared {
    name: String,
    unit: &'static str,
    this: Vec<f64>,
    other: Vec<f64>,
}

impl Compared {
    /// This build's time over the other's: the median of the rounds, the smallest and
    /// the largest ratio.
    fn ratio(&self) -> [f64; 3] {
        let rounds = self.this.iter().zip(&self.other);
        let mut ratios: Vec<f64> = rounds.map(|(this, other)| this / other).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let at = |i: usize| ratios.get(i).copied().unwrap_or(f64::NAN);
        let last = ratios.len().saturating_sub(1);
        let median = 0.5 * (at(last / 2) + at(last.div_ceil(2)));
        [median, at(0), at(last)]
    }
}

/// Runs `bench` with these arguments in this build and in `other`, in turn, for so many
/// `rounds`, and prints how their times compare.
///
/// # Errors
/// If a build cannot be run or fails, or if they have no row in common.
pub fn run(other: &Path, rounds: u16, args: &[String], json: &JsonFile) -> anyhow::Result<()> {
    let this = std::env::current_exe().context("cannot find this program's own file")?;
    let mut bar = CountBar::new("runs", 2 * u64::from(rounds));
    let mut runs: [Vec<Vec<Reading>>; 2] = Default::default();
    for round in 0..rounds {
        // The second run finds a warmer machine, so the order alternates. The other build
        // begins: if it cannot be measured, nothing has been waited for.
        let order = if round.is_multiple_of(2) {
            [1, 0]
        } else {
            [0, 1]
        };
        for (i, which) in order.into_iter().enumerate() {
            runs[which].push(measure([&this, other][which], args)?);
            bar.at(2 * u64::from(round) + i as u64 + 1);
        }
    }
    drop(bar);
    let [here, there] = &runs;
    let rows = compare(here, there);
    if rows.is_empty() {
        bail!("{} measures nothing that this build does", other.display());
    }
    let only = |of: &[Vec<Reading>]| {
        let first = of.first().map_or(&[][..], Vec::as_slice);
        let names = first.iter().map(|reading| reading.name.clone());
        let unmatched = names.filter(|name| !rows.iter().any(|row| row.name == *name));
        unmatched.collect::<Vec<String>>()
    };
    let unmatched = [only(here), only(there)];
    let mut lines = json.lines();
    lines.print(|| {
        say!(
            "This build over {}, {} in turn: below 1 this build is faster\n",
            other.display(),
            in_words(rounds)
        )?;
        print(&rows, &unmatched)
    })?;
    json.write(|| {
        json!({
            "other": other.display().to_string(),
            "rounds": rounds,
            "rows": rows.iter().map(|row| {
                let [median, least, most] = row.ratio();
                json!({
                    "name": row.name,
                    "unit": row.unit.trim(),
                    "this": row.this,
                    "other": row.other,
                    "ratio": { "median": median, "least": least, "most": most },
                })
            }).collect::<Vec<_>>(),
            "only_this": unmatched[0],
            "only_other": unmatched[1],
        })
    })?;
    lines.end()?;
    json.say_written()
}

/// Prints the rows, and the names of those that one build alone has.
fn print(rows: &[Compared], unmatched: &[Vec<String>; 2]) -> anyhow::Result<()> {
    let width = rows.iter().map(|row| row.name.chars().count()).max();
    let width = width.unwrap_or(0);
    say!(
        "  {:<width$} {:>10} {:>10}      ratio  least to most",
        "",
        "this",
        "other"
    )?;
    for row in rows {
        let [median, least, most] = row.ratio();
        let [this, other] = [&row.this, &row.other].map(|times| best(times));
        say!(
            "  {:<width$} {this:>10.2} {other:>10.2} {} x {median:<5.2} {least:.2} to {most:.2}",
            row.name,
            row.unit
        )?;
    }
    for (names, whose) in unmatched.iter().zip(["this build", "the other"]) {
        if !names.is_empty() {
            say!("\n  only {whose} has: {}", names.join("; "))?;
        }
    }
    Ok(())
}

/// The number of rounds, in words.
fn in_words(rounds: u16) -> String {
    match rounds {
        1 => "1 round".into(),
        _ => format!("{rounds} rounds"),
    }
}

fn best(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Runs the bench of one build and returns its rows.
fn measure(program: &Path, args: &[String]) -> anyhow::Result<Vec<Reading>> {
    let folder = tempfile::tempdir().context("no room for a temporary folder")?;
    let file = folder.path().join("bench.json");
    let ran = Command::new(program)
        .arg("bench")
        .args(args)
        .arg("--json")
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output();
    let shown = program.display();
    let ran = ran.map_err(|error| {
        let reason = io::reason(&error);
        anyhow!("cannot run {shown}: {reason}; give the path of another build of lovelock")
    })?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty());
        let why = last.map_or_else(|| ran.status.to_string(), Into::into);
        bail!("`{shown} bench` failed: {why}");
    }
    let text = std::fs::read_to_string(&file)
        .map_err(|_| anyhow!("`{shown} bench` wrote no rows: it is no build of lovelock"))?;
    let told = serde_json::from_str(&text)
        .map_err(|_| anyhow!("`{shown} bench` wrote rows that are no JSON"))?;
    Ok(readings(&told))
}

/// Reads the rows of a bench's JSON.
fn readings(told: &Value) -> Vec<Reading> {
    let list = |key: &str| told[key].as_array().map_or(&[][..], Vec::as_slice);
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or("").to_string();
    let strands = list("rows").iter().filter_map(|row| {
        // The number of inner steps is a result, not part of the name.
        let name = word(row, "name");
        let name = match name.strip_suffix(" inner steps") {
            Some(name) => {
                name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == ',')
            }
            None => &name,
        };
        let parts = [&word(row, "group"), &word(row, "solver"), name];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let threads = row["threads"].as_u64()?;
        Some(Reading {
            name: match threads {
                1 => format!("{}, 1 thread", parts.join(", ")),
                _ => format!("{}, {threads} threads", parts.join(", ")),
            },
            unit: "ns",
            time: row["ns_per_vertex_substep"].as_f64()?,
        })
    });
    let drawing = list("drawing").iter().filter_map(|row| {
        Some(Reading {
            name: format!("drawing, {}", word(row, "name")),
            unit: "ms",
            time: row["ms"].as_f64()?,
        })
    });
    strands.chain(drawing).collect()
}

/// The rows that all runs of both builds have, in the order of the first.
fn compare(this: &[Vec<Reading>], other: &[Vec<Reading>]) -> Vec<Compared> {
    let times = |runs: &[Vec<Reading>], name: &str| -> Option<Vec<f64>> {
        let of = |run: &Vec<Reading>| run.iter().find(|row| row.name == name).map(|row| row.time);
        runs.iter().map(of).collect()
    };
    let first = this.first().map_or(&[][..], Vec::as_slice);
    let rows = first.iter().filter_map(|row| {
        Some(Compared {
            name: row.name.clone(),
            unit: row.unit,
            this: times(this, &row.name)?,
            other: times(other, &row.name)?,
        })
    });
    let mut seen = std::collections::BTreeSet::new();
    rows.filter(|row| seen.insert(row.name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ns: f64, ms: f64) -> Value {
        json!({
            "rows": [
                { "group": "500 strands", "solver": "der", "name": "Newton, 33 inner steps",
                  "threads": 1, "ns_per_vertex_substep": ns },
                { "group": "500 strands", "solver": "rod", "name": "contact off",
                  "threads": 2, "ns_per_vertex_substep": 2.0 * ns },
                { "group": "500 strands", "solver": "rod", "name": "contact off, avx2",
                  "threads": 1, "ns_per_vertex_substep": ns },
                { "group": "500 strands", "solver": "rod", "name": "contact off, avx512",
                  "threads": 1, "ns_per_vertex_substep": ns },
            ],
            "drawing": [
                { "name": "few strands", "ms": ms },
                { "name": "positions", "upload_ms": 3.0 },
            ],
        })
    }

    #[test]
    fn rows_are_known_by_what_they_measure() {
        let read = readings(&told(10.0, 30.0));
        let names: Vec<&str> = read.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "500 strands, der, Newton, 1 thread",
                "500 strands, rod, contact off, 2 threads",
                "500 strands, rod, contact off, avx2, 1 thread",
                "500 strands, rod, contact off, avx512, 1 thread",
                "drawing, few strands",
            ]
        );
        assert_eq!((read[1].time, read[4].unit), (20.0, "ms"));
        assert!(readings(&json!({ "rows": "none" })).is_empty());
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        // The machine is half as fast in the second round; the ratio is the same.
        let this = [told(5.0, 30.0), told(10.0, 60.0), told(5.0, 33.0)];
        let other = [told(10.0, 30.0), told(20.0, 60.0), told(10.0, 30.0)];
        let [this, other] = [this, other].map(|runs| runs.map(|run| readings(&run)));
        let rows = compare(&this, &other);
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[0].ratio(), [0.5; 3]);
        let [median, least, most] = rows[4].ratio();
        assert_eq!((median, least), (1.0, 1.0));
        assert!((most - 1.1).abs() < 1e-9);
        // The median of two rounds is their mean.
        let two = compare(&this[1..], &other[1..]);
        assert!((two[4].ratio()[0] - 1.05).abs() < 1e-9);
        // A row that one of them lacks is not compared.
        let fewer: Vec<Vec<Reading>> = other.iter().map(|run| run[..1].to_vec()).collect();
        assert_eq!(compare(&this, &fewer).len(), 1);
    }
}
