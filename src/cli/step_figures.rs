//! What is told of a step: statistics of one side or two, how far these are apart, and where
//! probed vertices are.

use super::usage::Usage;
use crate::{
    groom::Groom,
    io::stats::{StatCell, StatsRow},
    math::counted,
    project::comparison::{Comparison, distance},
    sim::{SimParams, Simulation, Statistics},
};
use glam::Vec3;

/// A vertex whose place is told: `STRAND:VERTEX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    strand: usize,
    /// None of the tip.
    vertex: Option<usize>,
}

/// `0:12`, or `0:tip`.
pub fn probe(text: &str) -> Result<Probe, String> {
    let read = || {
        let (strand, vertex) = text.split_once(':')?;
        let vertex = match vertex.trim() {
            "tip" => None,
            number => Some(number.parse().ok()?),
        };
        let strand = strand.trim().parse().ok()?;
        Some(Probe { strand, vertex })
    };
    read().ok_or_else(|| {
        "write it as STRAND:VERTEX, both counted from 0, like 0:12, or 0:tip".to_string()
    })
}

impl std::fmt::Display for Probe {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.vertex {
            Some(vertex) => write!(out, "{}:{vertex}", self.strand),
            None => write!(out, "{}:tip", self.strand),
        }
    }
}

impl Probe {
    /// What the columns of its place along `axis` are called.
    fn column(&self, axis: &str) -> String {
        let vertex = self.vertex.map_or_else(|| "tip".into(), |v| v.to_string());
        format!("probe_{}_{vertex}_{axis}_m", self.strand)
    }

    /// Its vertex among all of `groom`.
    ///
    /// # Errors
    /// When there is none.
    pub fn place(&self, groom: &Groom) -> Result<usize, Usage> {
        let strands = groom.strands();
        let range = (self.strand < strands).then(|| groom.range(self.strand));
        let Some(range) = range.filter(|range| !range.is_empty()) else {
            return Err(Usage(format!(
                "--probe {self}: the hair has {}, counted from 0",
                counted(strands, "strand", "strands")
            )));
        };
        let vertex = self.vertex.unwrap_or(range.len() - 1);
        match vertex < range.len() {
            true => Ok(range.start + vertex),
            false => Err(Usage(format!(
                "--probe {self}: strand {} has {}, 0 to {}",
                self.strand,
                counted(range.len(), "vertex", "vertices"),
                range.len() - 1
            ))),
        }
    }
}

/// Probes, and where their vertices stand among all of a groom.
#[derive(Clone, Debug, Default)]
pub struct Probes(Vec<(Probe, usize)>);

impl Probes {
    /// Those of `groom`, each once.
    ///
    /// # Errors
    /// When a vertex is not there.
    pub fn new(probes: &[Probe], groom: &Groom) -> Result<Self, Usage> {
        let mut all: Vec<(Probe, usize)> = Vec::new();
        for probe in probes {
            let place = probe.place(groom)?;
            if !all.iter().any(|(other, _)| other == probe) {
                all.push((*probe, place));
            }
        }
        Ok(Self(all))
    }

    /// The names of their columns.
    pub fn columns(probes: &[Probe]) -> Vec<String> {
        let mut names = Vec::new();
        for probe in probes {
            let own = ["x", "y", "z"].map(|axis| probe.column(axis));
            if !names.contains(&own[0]) {
                names.extend(own);
            }
        }
        names
    }

    fn places(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let place = |(_, place): &(Probe, usize)| positions.get(*place).copied();
        self.0
            .iter()
            .map(|probe| place(probe).unwrap_or(Vec3::NAN))
            .collect()
    }
}

/// What is told of one side.
#[derive(Clone, Debug)]
pub struct SideFigures {
    /// What was measured.
    pub measured: Statistics,
    /// The same as a row of a table.
    pub row: StatsRow,
    /// Where the probed vertices are. `[m]`
    probes: Vec<Vec3>,
}

/// What is told of a step.
#[derive(Clone, Debug)]
pub struct StepFigures {
    /// Of the first side, or the only one.
    pub first: SideFigures,
    /// Of the second, with mean and largest distance between the same vertices of both. `[m]`
    pub second: Option<(SideFigures, [f32; 2])>,
}

/// Which step is told of.
#[derive(Clone, Copy, Debug)]
pub struct StepMade {
    /// Its number, from 1.
    pub frame: u64,
    /// Simulated time at its end. `[s]`
    pub time_s: f64,
    /// What it took on the clock, on each side. `[ms]`
    pub step_ms: [f64; 2],
}

/// Measures steps.
#[derive(Debug, Default)]
pub struct StepGauge {
    probes: Probes,
    positions: [Vec<Vec3>; 2],
}

impl StepGauge {
    /// With these probes.
    pub fn new(probes: Probes) -> Self {
        Self {
            probes,
            positions: Default::default(),
        }
    }

    /// What is told of a step of the simulation `first`, which moves with `params`, and of the
    /// second side.
    pub fn take(
        &mut self,
        step: &StepMade,
        first: &Simulation,
        params: &SimParams,
        second: Option<&Comparison>,
    ) -> StepFigures {
        let [one, two] = &mut self.positions;
        if second.is_some() || !self.probes.0.is_empty() {
            first.write_positions(one);
        }
        let figures = |simulation: &Simulation, params: &SimParams, side: usize, at: &[Vec3]| {
            let measured = simulation.statistics(params);
            let (StepMade { frame, time_s, .. }, ms) = (*step, step.step_ms[side]);
            SideFigures {
                row: StatsRow::new(frame, time_s, ms, &measured, simulation.state_hash()),
                measured,
                probes: self.probes.places(at),
            }
        };
        let second = second.map(|comparison| {
            let simulation = comparison.simulation();
            simulation.write_positions(two);
            let second = figures(simulation, comparison.params(), 1, two);
            (second, distance(one, two))
        });
        StepFigures {
            first: figures(first, params, 0, one),
            second,
        }
    }

    /// The columns of a table, and what stands in them: of the second side behind "b_".
    pub fn cells(&self, figures: &StepFigures) -> Vec<(String, StatCell)> {
        let mut cells = self.side_cells(&figures.first);
        let Some((second, [mean, most])) = &figures.second else {
            return cells;
        };
        let own = self.side_cells(second).into_iter();
        // Both sides have one clock.
        let own = own.filter(|(name, _)| name != "frame" && name != "time_s");
        cells.extend(own.map(|(name, cell)| (format!("b_{name}"), cell)));
        cells.push(("distance_mean_m".into(), StatCell::Single(*mean)));
        cells.push(("distance_max_m".into(), StatCell::Single(*most)));
        cells
    }

    fn side_cells(&self, side: &SideFigures) -> Vec<(String, StatCell)> {
        let row = side.row.cells().into_iter();
        let mut cells: Vec<_> = row.map(|(name, cell)| (name.to_string(), cell)).collect();
        for ((probe, _), place) in self.probes.0.iter().zip(&side.probes) {
            for (axis, value) in ["x", "y", "z"].into_iter().zip(place.to_array()) {
                cells.push((probe.column(axis), StatCell::Single(value)));
            }
        }
        cells
    }

    /// The probes and where they are, a line each.
    pub fn probe_lines(&self, side: &SideFigures) -> Vec<String> {
        let probes = self.probes.0.iter().zip(&side.probes);
        let line = |((probe, _), at): (&(Probe, usize), &Vec3)| {
            format!("{probe} at {:.6} {:.6} {:.6} m", at.x, at.y, at.z)
        };
        probes.map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groom() -> Groom {
        Groom {
            points: vec![Vec3::ZERO; 7],
            starts: vec![0, 3, 7],
            masses: vec![1.0; 2],
            ..Groom::default()
        }
    }

    #[test]
    fn probes_are_found_by_strand_and_vertex() {
        for (text, wanted) in [("0:0", 0), ("0:tip", 2), ("1:0", 3), (" 1 : 3 ", 6)] {
            let found = probe(text).expect("good").place(&groom()).expect("there");
            assert_eq!(found, wanted, "{text}");
        }
        for wrong in ["", "1", "1:", ":tip", "-1:0", "1:end", "1:2:3"] {
            assert!(probe(wrong).is_err(), "{wrong}");
        }
        for (text, told) in [("2:0", "has 2 strands"), ("0:3", "3 vertices, 0 to 2")] {
            let probe = probe(text).expect("good");
            let error = probe.place(&groom()).expect_err("not there").0;
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn a_probe_that_is_there_twice_has_its_columns_once() {
        let twice = ["0:1", "1:tip", "0:1"].map(|text| probe(text).expect("good"));
        let names = Probes::columns(&twice);
        assert_eq!((names.len(), &names[5][..]), (6, "probe_1_tip_z_m"));
        assert_eq!(Probes::new(&twice, &groom()).expect("there").0.len(), 2);
    }
}
