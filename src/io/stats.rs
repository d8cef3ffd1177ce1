//! What each step of the simulation did, as CSV or JSON.

use super::write_atomic;
use crate::sim::{Statistics, solver::Effort};
use serde::Serialize;
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// One step of a run; the fields are the columns, in this order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatsRow {
    /// Number of the step, from 1.
    pub frame: u64,
    /// Simulated time at the step's end. `[s]`
    pub time_s: f64,
    /// Time that the step took on the clock. `[ms]`
    pub step_ms: f64,
    /// Largest relative lengthening of any segment (0.01 = 1 %).
    pub max_stretch: f32,
    /// Largest relative shortening of any segment (0.01 = 1 %).
    pub max_shortening: f32,
    /// Mean relative change of length of a segment, longer or shorter.
    pub mean_length_error: f32,
    /// Deepest vertex below the skin. `[m]`
    pub max_penetration_m: f32,
    /// Vertices below the skin.
    pub penetrating_vertices: u32,
    /// Kinetic energy of all strands. `[J]`
    #[serde(rename = "kinetic_J")]
    pub kinetic: f64,
    /// Potential energy of all strands. `[J]`
    #[serde(rename = "potential_J")]
    pub potential: f64,
    /// Strands that had to be put back because a number was not finite, so far.
    pub nonfinite: u64,
    /// Hash of all positions and velocities, 16 hexadecimal digits: a JSON
    /// number could not hold its 64 bits.
    pub state_hash: String,
    /// Energy of bending and twisting of all rods. `[J]`
    #[serde(rename = "elastic_J")]
    pub elastic: f64,
    /// Share of the strands that are made stiffer to hold the groom.
    pub held: f32,
    /// How many times stiffer the stiffest joint is made.
    pub hold: f32,
    /// Median of that over all joints.
    pub hold_median: f32,
    /// The same over the outer half of each strand.
    pub hold_outer_median: f32,
    /// Share of the strands that sag although they are held.
    pub toppling: f32,
    /// Share of strands and substeps, so far, that took another Newton pass.
    pub extra_passes: f32,
}

impl StatsRow {
    /// Gathers one step; `step_ms` is in milliseconds.
    pub fn new(frame: u64, time_s: f64, step_ms: f64, measured: &Statistics, hash: u64) -> Self {
        Self {
            frame,
            time_s,
            step_ms,
            max_stretch: measured.max_stretch,
            max_shortening: measured.max_shortening,
            mean_length_error: measured.mean_length_error,
            max_penetration_m: measured.max_penetration,
            penetrating_vertices: measured.penetrating,
            kinetic: measured.kinetic,
            potential: measured.potential,
            nonfinite: measured.nonfinite,
            state_hash: format!("{hash:016x}"),
            elastic: measured.elastic,
            held: measured.held,
            hold: measured.hold,
            hold_median: measured.hold_median,
            hold_outer_median: measured.hold_outer_median,
            toppling: measured.toppling,
            extra_passes: measured.extra_passes(&Effort::default()),
        }
    }
}

/// Why statistics were not written.
#[derive(Debug, Error)]
pub enum StatsError {
    /// The file's name ends in neither format.
    #[error("cannot tell the format of {}: let its name end in .csv or .json", .0.display())]
    StatsFormat(PathBuf),
    /// The file cannot be written.
    #[error("cannot write the statistics {}: {reason}", path.display())]
    Write {
        /// the file
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
}

/// The two formats of statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatsFormat {
    /// A line of names, then a line for each step.
    Csv,
    /// An array of objects.
    Json,
}

impl StatsFormat {
    /// The format that `path` asks for by its ending.
    pub fn of(path: &Path) -> Result<Self, StatsError> {
        match path.extension().map(|e| e.to_ascii_lowercase()) {
            Some(ending) if ending == "csv" => Ok(Self::Csv),
            Some(ending) if ending == "json" => Ok(Self::Json),
            _ => Err(StatsError::StatsFormat(path.into())),
        }
    }
}

/// The columns, in order.
pub const COLUMNS: [&str; 19] = [
    "frame",
    "time_s",
    "step_ms",
    "max_stretch",
    "max_shortening",
    "mean_length_error",
    "max_penetration_m",
    "penetrating_vertices",
    "kinetic_J",
    "potential_J",
    "nonfinite",
    "state_hash",
    "elastic_J",
    "held",
    "hold",
    "hold_median",
    "hold_outer_median",
    "toppling",
    "extra_passes",
];

/// Sees, before long work, whether [`write()`] can write to `path`.
pub fn check(path: &Path) -> Result<(), StatsError> {
    StatsFormat::of(path)?;
    super::probe(path).map_err(|error| StatsError::Write {
        path: path.into(),
        reason: super::reason(&error),
    })
}

/// Writes `rows` to `path` in the format of its ending, whole or not at all.
pub fn write(path: &Path, rows: &[StatsRow]) -> Result<(), StatsError> {
    let text = match StatsFormat::of(path)? {
        StatsFormat::Csv => csv(rows),
        StatsFormat::Json => json(path, rows)?,
    };
    write_atomic(path, text.as_bytes()).map_err(|error| StatsError::Write {
        path: path.into(),
        reason: super::reason(&error),
    })
}

fn csv(rows: &[StatsRow]) -> String {
    let mut out = COLUMNS.join(",");
    out.push('\n');
    for row in rows {
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            row.frame,
            row.time_s,
            row.step_ms,
            row.max_stretch,
            row.max_shortening,
            row.mean_length_error,
            row.max_penetration_m,
            row.penetrating_vertices,
            row.kinetic,
            row.potential,
            row.nonfinite,
            row.state_hash,
            row.elastic,
            row.held,
            row.hold,
            row.hold_median,
            row.hold_outer_median,
            row.toppling,
            row.extra_passes
        );
    }
    out
}

fn json(path: &Path, rows: &[StatsRow]) -> Result<String, StatsError> {
    // One step a line: large files stay readable and easy to cut.
    let mut out = String::from("[");
    for (index, row) in rows.iter().enumerate() {
        let line = serde_json::to_string(row).map_err(|error| StatsError::Write {
            path: path.into(),
            reason: error.to_string(),
        })?;
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&line);
    }
    out.push_str("\n]\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<StatsRow> {
        let measured = Statistics {
            max_stretch: 0.01,
            penetrating: 3,
            kinetic: 1e-9,
            ..Statistics::default()
        };
        (1..4u64)
            .map(|i| StatsRow::new(i, i as f64 / 60.0, 1.5, &measured, u64::MAX - i))
            .collect()
    }

    #[test]
    fn csv_and_json_tell_the_same() {
        let csv = csv(&rows());
        let lines: Vec<Vec<&str>> = csv.lines().map(|l| l.split(',').collect()).collect();
        assert_eq!(lines[0], COLUMNS);
        let json = json(Path::new("x.json"), &rows()).expect("written");
        let json: Vec<serde_json::Map<String, serde_json::Value>> =
            serde_json::from_str(&json).expect("valid JSON");
        assert_eq!((json.len(), lines.len()), (3, 4));
        for (object, line) in json.iter().zip(&lines[1..]) {
            assert_eq!(object.len(), COLUMNS.len());
            for (column, cell) in COLUMNS.iter().zip(line) {
                match &object[*column] {
                    serde_json::Value::String(text) => assert_eq!(text, cell),
                    number => assert_eq!(number.as_f64(), cell.parse().ok(), "{column}"),
                }
            }
        }
        assert_eq!(json[0]["state_hash"], "fffffffffffffffe");
    }

    #[test]
    fn the_ending_chooses_the_format() {
        assert_eq!(
            StatsFormat::of(Path::new("a.CSV")).ok(),
            Some(StatsFormat::Csv)
        );
        assert_eq!(
            StatsFormat::of(Path::new("a.json")).ok(),
            Some(StatsFormat::Json)
        );
        let error = write(Path::new("a.txt"), &[]).expect_err("an unknown ending");
        assert!(error.to_string().contains("a.txt"), "{error}");
    }
}
