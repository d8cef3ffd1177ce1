//! What each step of the simulation did, as CSV or JSON.

use super::write_atomic;
use crate::sim::{Statistics, solver::Effort};
use serde_json::Value;
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// One step of a run; [`cells`](Self::cells) names the columns.
#[derive(Clone, Debug, PartialEq)]
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
    pub kinetic: f64,
    /// Potential energy of all strands, against that of the hair as modelled. `[J]`
    pub potential: f64,
    /// Strands that had to be put back because a number was not finite, so far.
    pub nonfinite: u64,
    /// Hash of all positions and velocities, 16 hexadecimal digits: a JSON
    /// number could not hold its 64 bits.
    pub state_hash: String,
    /// Energy of bending and twisting of all rods; none where the method knows none. `[J]`
    pub elastic: Option<f64>,
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
    /// Share of the strands that are softer than their material, for want of inner steps.
    pub softened: f32,
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
            softened: measured.softened,
        }
    }

    /// The columns, in the order of files, and what stands in them.
    pub fn cells(&self) -> [(&'static str, StatCell); 20] {
        use StatCell::{Double, Empty, Single, Text, Whole};
        // Only what knows elastic energy is a rod, and holds a groom.
        let of_rods = |number: f32| self.elastic.map_or(Empty, |_| Single(number));
        [
            ("frame", Whole(self.frame)),
            ("time_s", Double(self.time_s)),
            ("step_ms", Double(self.step_ms)),
            ("max_stretch", Single(self.max_stretch)),
            ("max_shortening", Single(self.max_shortening)),
            ("mean_length_error", Single(self.mean_length_error)),
            ("max_penetration_m", Single(self.max_penetration_m)),
            (
                "penetrating_vertices",
                Whole(self.penetrating_vertices.into()),
            ),
            ("kinetic_J", Double(self.kinetic)),
            ("potential_J", Double(self.potential)),
            ("elastic_J", self.elastic.map_or(Empty, Double)),
            ("nonfinite", Whole(self.nonfinite)),
            ("state_hash", Text(self.state_hash.clone())),
            ("held", of_rods(self.held)),
            ("hold", of_rods(self.hold)),
            ("hold_median", of_rods(self.hold_median)),
            ("hold_outer_median", of_rods(self.hold_outer_median)),
            ("toppling", of_rods(self.toppling)),
            ("extra_passes", of_rods(self.extra_passes)),
            ("softened", of_rods(self.softened)),
        ]
    }
}

/// What stands in a column of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum StatCell {
    /// A count.
    Whole(u64),
    /// A number in single precision.
    Single(f32),
    /// A number in double precision.
    Double(f64),
    /// A word.
    Text(String),
    /// Nothing: the method does not know it.
    Empty,
}

impl StatCell {
    /// The same in CSV.
    pub fn csv(&self) -> String {
        match self {
            Self::Whole(number) => number.to_string(),
            Self::Single(number) if is_tiny((*number).into()) => format!("{number:e}"),
            Self::Single(number) => number.to_string(),
            Self::Double(number) if is_tiny(*number) => format!("{number:e}"),
            Self::Double(number) => number.to_string(),
            Self::Text(text) => quoted(text),
            Self::Empty => String::new(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Whole(number) => (*number).into(),
            // In as few digits as single precision needs.
            Self::Single(number) => {
                let shortest: Option<f64> = number.to_string().parse().ok();
                shortest.into()
            }
            Self::Double(number) => (*number).into(),
            Self::Text(text) => text.clone().into(),
            Self::Empty => Value::Null,
        }
    }
}

/// Whether a number is so small that its zeros would fill the cell.
fn is_tiny(number: f64) -> bool {
    number != 0.0 && number.abs() < 1e-4
}

/// `text` as a cell of CSV.
pub fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

/// A table of statistics: names of columns, and rows of as many cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatsTable {
    columns: Vec<String>,
    rows: Vec<Vec<StatCell>>,
}

impl StatsTable {
    /// Adds a row, with the columns of the first.
    pub fn push(&mut self, row: Vec<(String, StatCell)>) {
        let (columns, cells) = row.into_iter().unzip();
        if self.rows.is_empty() {
            self.columns = columns;
        }
        self.rows.push(cells);
    }

    /// The table as CSV.
    pub fn csv(&self) -> String {
        let mut out = self.columns.join(",");
        out.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(StatCell::csv).collect();
            out.push_str(&cells.join(","));
            out.push('\n');
        }
        out
    }

    /// One step a line: large files stay readable and easy to cut.
    fn json(&self) -> String {
        let mut out = String::from("[");
        for (index, row) in self.rows.iter().enumerate() {
            out.push_str(if index == 0 { "\n{" } else { ",\n{" });
            for (place, (name, cell)) in self.columns.iter().zip(row).enumerate() {
                let comma = if place == 0 { "" } else { "," };
                let _ = write!(out, "{comma}{}:{}", Value::from(&name[..]), cell.json());
            }
            out.push('}');
        }
        out.push_str("\n]\n");
        out
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

impl StatsError {
    fn write(path: &Path, error: &std::io::Error) -> Self {
        Self::Write {
            path: path.into(),
            reason: super::write_reason(path, error),
        }
    }
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
            _ if is_stdout(path) => Ok(Self::Csv),
            _ => Err(StatsError::StatsFormat(path.into())),
        }
    }

    /// Whether `bytes` begin as statistics of this format do.
    pub fn is(self, bytes: &[u8]) -> bool {
        match self {
            Self::Csv => bytes.starts_with(b"frame,time_s,"),
            Self::Json => {
                let marks = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
                let begin: Vec<u8> = marks.take(10).copied().collect();
                begin == b"[{\"frame\":" || begin == b"[]"
            }
        }
    }
}

/// Whether `path` stands for standard output: `-`.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Sees, before long work, whether [`write()`] can write to `path`.
pub fn check(path: &Path) -> Result<(), StatsError> {
    StatsFormat::of(path)?;
    match is_stdout(path) {
        true => Ok(()),
        false => super::probe(path).map_err(|error| StatsError::write(path, &error)),
    }
}

/// Writes `table` to `path` in the format of its ending, whole or not at all.
pub fn write(path: &Path, table: &StatsTable) -> Result<(), StatsError> {
    let text = match StatsFormat::of(path)? {
        StatsFormat::Csv => table.csv(),
        StatsFormat::Json => table.json(),
    };
    write_atomic(path, text.as_bytes()).map_err(|error| StatsError::write(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> StatsTable {
        let measured = Statistics {
            max_stretch: 0.01,
            penetrating: 3,
            kinetic: 1e-9,
            ..Statistics::default()
        };
        let mut table = StatsTable::default();
        for i in 1..4u64 {
            let row = StatsRow::new(i, i as f64 / 60.0, 1.5, &measured, u64::MAX - i);
            let mut cells = row.cells().map(|(name, cell)| (name.into(), cell)).to_vec();
            cells.push(("a, \"b\"".into(), StatCell::Text("c,d".into())));
            table.push(cells);
        }
        table
    }

    #[test]
    fn csv_and_json_tell_the_same() {
        let table = table();
        let csv = table.csv();
        let lines: Vec<Vec<&str>> = csv.lines().map(|l| l.splitn(21, ',').collect()).collect();
        let json = table.json();
        let json: Vec<serde_json::Map<String, Value>> =
            serde_json::from_str(&json).expect("valid JSON");
        assert_eq!((json.len(), lines.len()), (3, 4));
        for (object, line) in json.iter().zip(&lines[1..]) {
            assert_eq!(object.len(), table.columns.len());
            for (column, cell) in table.columns.iter().zip(line) {
                match &object[column] {
                    Value::String(text) => assert_eq!(quoted(text), *cell),
                    Value::Null => {
                        let of_rods = ["elastic_J", "toppling", "extra_passes", "softened"];
                        let of_rods = of_rods.contains(&&column[..]) || column.starts_with('h');
                        assert!(cell.is_empty() && of_rods, "{column}");
                    }
                    number => assert_eq!(number.as_f64(), cell.parse().ok(), "{column}"),
                }
            }
        }
        assert_eq!(json[0]["state_hash"], "fffffffffffffffe");
        let kinetic = table.columns.iter().position(|name| name == "kinetic_J");
        assert_eq!(kinetic.map(|place| lines[1][place]), Some("1e-9"));
    }

    #[test]
    fn statistics_are_told_from_other_files() {
        let table = table();
        assert!(StatsFormat::Csv.is(table.csv().as_bytes()));
        assert!(StatsFormat::Json.is(table.json().as_bytes()));
        assert!(StatsFormat::Json.is(StatsTable::default().json().as_bytes()));
        for other in ["frame of mind", "[1, 2]", "{\"frame\": 1}", "time,frame"] {
            assert!(!StatsFormat::Csv.is(other.as_bytes()), "{other}");
            assert!(!StatsFormat::Json.is(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn the_ending_chooses_the_format() {
        for (name, wanted) in [
            ("a.CSV", StatsFormat::Csv),
            ("a.json", StatsFormat::Json),
            ("-", StatsFormat::Csv),
        ] {
            assert_eq!(StatsFormat::of(Path::new(name)).ok(), Some(wanted));
        }
        let error = write(Path::new("a.txt"), &StatsTable::default()).expect_err("an ending");
        assert!(error.to_string().contains("a.txt"), "{error}");
    }
}
