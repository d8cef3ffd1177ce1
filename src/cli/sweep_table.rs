//! `sweep.csv`: what each combination of a sweep is of, and the numbers of its last step.

use super::{
    step_figures::{Probe, Probes, StepGauge, StepMade},
    vary::Vary,
};
use crate::{
    io::stats::{StatCell, StatsRow, quoted},
    project::built_scene::BuiltScene,
    sim::{SimParams, Simulation, Statistics},
};
use std::{collections::HashMap, fs, path::Path};

/// How a table of pictures begins.
const PICTURE: &str = "picture";

/// How a table without pictures begins.
const NUMBER: &str = "combination";

/// The column of the hash of all that moves.
const STATE: &str = "state_hash";

/// The sections of what a picture shows beside the hair that moves.
const OF_PICTURES: [&str; 7] = [
    "look",
    "light",
    "camera",
    "slice",
    "colours",
    "followers",
    "capture",
];

/// The columns of a step that are of one that stands among others.
const OF_RUNS: [&str; 2] = ["frame", "step_ms"];

/// The table of a sweep, and one alone of each picture that was drawn by itself.
pub struct SweepTable<'a> {
    vary: &'a [Vary],
    probes: &'a [Probe],
    /// Whether there are pictures.
    pictures: bool,
}

/// The numbers of a combination.
pub struct SweepNumbers {
    /// For warnings.
    pub statistics: Statistics,
    cells: Vec<StatCell>,
}

impl<'a> SweepTable<'a> {
    /// Of these parameters and probes, with pictures or without.
    pub fn new(vary: &'a [Vary], probes: &'a [Probe], pictures: bool) -> Self {
        Self {
            vary,
            probes,
            pictures,
        }
    }

    /// Whether a file begins as a table of a sweep.
    pub fn is(bytes: &[u8]) -> bool {
        [PICTURE, NUMBER].iter().any(|first| {
            let rest = bytes.strip_prefix(first.as_bytes());
            rest.is_some_and(|rest| rest.starts_with(b","))
        })
    }

    /// Measures the hair of a combination, which `simulation` has moved with `params`.
    ///
    /// # Errors
    /// When a probed vertex is not there.
    pub fn measure(
        &self,
        stage: &BuiltScene,
        simulation: &Simulation,
        params: &SimParams,
    ) -> anyhow::Result<SweepNumbers> {
        let mut gauge = StepGauge::new(Probes::new(self.probes, &stage.groom)?);
        let step = StepMade {
            frame: 0,
            // A sum of steps misses the time by rounding.
            time_s: (simulation.time() * 1e9).round() / 1e9,
            step_ms: [0.0; 2],
        };
        let figures = gauge.take(&step, simulation, params, None);
        let cells = gauge.cells(&figures).into_iter();
        let cells = cells.filter(|(name, _)| !OF_RUNS.contains(&&name[..]));
        Ok(SweepNumbers {
            statistics: figures.first.measured,
            cells: cells.map(|(_, cell)| cell).collect(),
        })
    }

    /// The line of names.
    fn heading(&self) -> String {
        let first = if self.pictures { PICTURE } else { NUMBER };
        let keys = self.vary.iter().map(|vary| quoted(&vary.heading()));
        let row = StatsRow::new(0, 0.0, 0.0, &Statistics::default(), 0);
        let numbers = row.cells().map(|(name, _)| name);
        let numbers = numbers.into_iter().filter(|name| !OF_RUNS.contains(name));
        let probes = Probes::columns(self.probes);
        [first.to_string()]
            .into_iter()
            .chain(keys)
            .chain(numbers.map(String::from))
            .chain(probes)
            .collect::<Vec<_>>()
            .join(",")
    }

    /// How the row of a combination begins: the name of its picture or its number, and the
    /// values that it has.
    fn begin(&self, name: &str, values: &[&str]) -> String {
        let values = self.vary.iter().zip(values);
        let values = values.map(|(vary, value)| quoted(&vary.plain(value)));
        let cells: Vec<String> = [name.to_string()].into_iter().chain(values).collect();
        cells.join(",")
    }

    /// The row of a combination.
    pub fn row(&self, name: &str, values: &[&str], measured: &SweepNumbers) -> String {
        let cells = measured.cells.iter().map(StatCell::csv);
        let begin = [self.begin(name, values)];
        let all: Vec<String> = begin.into_iter().chain(cells).collect();
        all.join(",")
    }

    /// The row of a picture that was drawn before: of the table at `own`, which is of it alone,
    /// or of the one of all pictures at `whole`, whichever is newer; without numbers where
    /// neither has them.
    pub fn row_found(&self, name: &str, values: &[&str], own: &Path, whole: &Path) -> String {
        let begin = self.begin(name, values);
        let heading = self.heading();
        let mut files = [own, whole];
        let written = |path: &&Path| fs::metadata(path).and_then(|found| found.modified()).ok();
        files.sort_by_key(|path| std::cmp::Reverse(written(path)));
        let found = files.into_iter().find_map(|path| {
            let text = fs::read_to_string(path).ok()?;
            let mut lines = text.lines();
            lines.next().filter(|first| *first == heading)?;
            let row = lines.find(|line| {
                let rest = line.strip_prefix(&begin[..]);
                rest.is_some_and(|rest| rest.starts_with(','))
            });
            row.map(String::from)
        });
        found.unwrap_or_else(|| {
            // Keys and values have no commas that count but between them.
            let left = heading.matches(',').count() - self.vary.len();
            begin + &",".repeat(left)
        })
    }

    /// Those of the parameters that made no difference: whatever the others were, the hair of
    /// all `combinations`, of which these are the `rows`, ended in the same state with each of
    /// their values. Where pictures show more than hair that moves, it is not asked of what
    /// they show.
    pub fn without_effect(&self, combinations: &[Vec<&str>], rows: &[String]) -> Vec<&'a str> {
        let heading = self.heading();
        // Behind that column all cells are numbers.
        let behind = heading.rsplit(',').position(|name| name == STATE);
        let state = |row: &String| -> Option<String> {
            let cell = row.rsplit(',').nth(behind?)?;
            (!cell.is_empty()).then(|| cell.to_string())
        };
        let states: Option<Vec<String>> = rows.iter().map(state).collect();
        let Some(states) = states else {
            // Of pictures that were drawn before nothing may be known.
            return Vec::new();
        };
        let makes_none = |place: usize| {
            let others = |values: &[&str]| {
                let mut values: Vec<String> = values.iter().map(|v| (*v).to_string()).collect();
                values.remove(place);
                values
            };
            let mut first: HashMap<Vec<String>, &String> = HashMap::new();
            let mut pairs = combinations.iter().zip(&states);
            pairs.all(|(values, state)| *first.entry(others(values)).or_insert(state) == state)
        };
        let is_asked = |vary: &Vary| {
            let section = vary.key.split('.').next().unwrap_or_default();
            vary.values.len() > 1 && !(self.pictures && OF_PICTURES.contains(&section))
        };
        let places = (0..self.vary.len()).filter(|place| is_asked(&self.vary[*place]));
        places
            .filter(|place| makes_none(*place))
            .map(|place| &self.vary[place].key[..])
            .collect()
    }

    /// The whole table.
    pub fn text(&self, rows: &[String]) -> String {
        let mut text = self.heading();
        text.push('\n');
        for row in rows {
            text.push_str(row);
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{step_figures::probe, vary::parse};

    #[test]
    fn rows_that_were_drawn_alone_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let vary = [parse("wind.strength=1,2").expect("good")];
        let probes = [probe("0:tip").expect("good")];
        let table = SweepTable::new(&vary, &probes, true);
        let measured = SweepNumbers {
            statistics: Statistics::default(),
            cells: vec![StatCell::Single(0.5); 21],
        };
        let row = table.row("sweep0001.png", &["2"], &measured);
        let text = table.text(std::slice::from_ref(&row));
        let [heading, line] = [0, 1].map(|n| text.lines().nth(n).expect("a line"));
        assert_eq!(heading.split(',').count(), line.split(',').count());
        assert!(heading.ends_with("softened,probe_0_tip_x_m,probe_0_tip_y_m,probe_0_tip_z_m"));
        assert!(SweepTable::is(text.as_bytes()) && !SweepTable::is(b"pictures of mine,"));
        let [own, whole] = ["own.csv", "whole.csv"].map(|name| folder.path().join(name));
        let found = |value: &str| table.row_found("sweep0001.png", &[value], &own, &whole);
        let bare = found("2");
        assert!(bare.starts_with("sweep0001.png,2,,"), "{bare}");
        assert_eq!(bare.split(',').count(), heading.split(',').count());
        fs::write(&whole, &text).expect("written");
        assert_eq!(found("2"), row);
        // Of another value, or with other columns, it is not this one.
        assert!(found("1").ends_with(",,"));
        fs::write(&own, text.replace("softened", "hardened")).expect("written");
        assert_eq!(found("2"), row, "of the whole");
    }

    #[test]
    fn what_makes_no_difference_is_found() {
        let without_effect = |texts: [&str; 2], pictures, states: [&str; 4]| -> Vec<String> {
            let vary = texts.map(|text| parse(text).expect("good"));
            let table = SweepTable::new(&vary, &[], pictures);
            let all = crate::cli::vary::combinations(&vary);
            let row = |(values, state): (&Vec<&str>, &str)| {
                let row = StatsRow::new(0, 0.0, 0.0, &Statistics::default(), 0);
                let cells = row.cells().into_iter();
                let cells = cells.filter(|(name, _)| !OF_RUNS.contains(name));
                let cells = cells.map(|(name, cell)| match name {
                    STATE => StatCell::Text(state.into()),
                    _ => cell,
                });
                let measured = SweepNumbers {
                    statistics: Statistics::default(),
                    cells: cells.collect(),
                };
                table.row("0", values, &measured)
            };
            let rows: Vec<String> = all.iter().zip(states).map(row).collect();
            let found = table.without_effect(&all, &rows);
            found.into_iter().map(String::from).collect()
        };
        let solvers = ["sim.solver=pbd,rod", "material.young=1,2"];
        assert_eq!(
            without_effect(solvers, true, ["a", "a", "b", "b"]),
            ["material.young"]
        );
        assert!(without_effect(solvers, true, ["a", "a", "b", "c"]).is_empty());
        assert!(without_effect(solvers, true, ["", "", "", ""]).is_empty());
        let look = ["look.dye=0,1", "wind.strength=1,2"];
        let same = ["a"; 4];
        assert_eq!(without_effect(look, true, same), ["wind.strength"]);
        assert_eq!(
            without_effect(look, false, same),
            ["look.dye", "wind.strength"]
        );
    }
}
