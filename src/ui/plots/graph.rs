//! A plot as data: its curves, and what they are called.

use crate::{
    project::sides::Side,
    session::stats_history::{Reading, SPAN, Sample},
};
use egui::Color32;

/// What the legend says of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendEntry {
    /// Its name and its newest value.
    Value,
    /// Its name.
    Name,
    /// Nothing: another curve's entry explains it.
    None,
}

/// One curve.
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// What it is called by itself; empty where the title of the plot says it.
    pub full: String,
    /// What has moved the hair that it is of, for tables; none where it is of no side alone.
    pub owner: Option<String>,
    /// What the legend says of it.
    pub entry: LegendEntry,
    /// Its colour.
    pub colour: Color32,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Abscissa and value, in the plot's units.
    pub points: Vec<[f64; 2]>,
}

impl Curve {
    /// What it is called outside the legend.
    pub fn full_name(&self, graph: &Graph) -> String {
        match (self.full.as_str(), self.name.as_str()) {
            ("", "") => graph.title.into(),
            ("", name) => name.into(),
            (full, _) => full.into(),
        }
    }

    /// The same with what it is of, for whoever sees the table alone.
    pub fn table_name(&self, graph: &Graph) -> String {
        let name = self.full_name(graph);
        match &self.owner {
            Some(owner) => format!("{name} ({owner})"),
            None => name,
        }
    }
}

/// What happened at an abscissa: it may be why a curve jumps there.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphMark {
    /// Where.
    pub x: f64,
    /// What.
    pub words: String,
    /// The colour of the side that it happened to.
    pub colour: Color32,
}

/// One plot: a line of legend with the newest values, and the curves.
pub struct Graph<'a> {
    /// What it shows.
    pub title: &'a str,
    /// Unit of the values.
    pub unit: &'a str,
    /// Unit of the abscissa.
    pub across: &'a str,
    /// What the abscissa is.
    pub abscissa: &'a str,
    /// The true value where the abscissa is 0.
    pub origin: f64,
    /// Smallest and largest abscissa.
    pub range: [f64; 2],
    /// The least that the largest value shown is, so that noise looks small.
    pub least: f64,
    /// What the legend's tooltip says; empty for none.
    pub help: String,
    /// What happened where.
    pub marks: Vec<GraphMark>,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// The newest value is at 0, the past at negative seconds.
pub(super) fn points(
    samples: &[Sample],
    now: f64,
    value: impl Fn(&Sample) -> Option<f64>,
) -> Vec<[f64; 2]> {
    let points = samples
        .iter()
        .filter_map(|s| Some([s.time - now, value(s)?]));
    points.filter(|p| p[1].is_finite()).collect()
}

/// A side's reading.
pub(super) fn reading(sample: &Sample, side: usize) -> Option<Reading> {
    match side {
        0 => Some(sample.first),
        _ => sample.second.map(|(reading, _)| reading),
    }
}

pub(super) fn over_time<'a>(
    (title, help): (&'a str, &str),
    unit: &'a str,
    least: f64,
    now: f64,
    curves: Vec<Curve>,
) -> Graph<'a> {
    Graph {
        title,
        unit,
        across: "s",
        abscissa: "time",
        origin: now,
        help: help.into(),
        // So that the label of "now" has room.
        range: [-SPAN, 0.03 * SPAN],
        least,
        marks: Vec::new(),
        curves,
    }
}

/// What a curve is called: of two sides by letter, but for those that one entry
/// of the legend explains.
pub(super) fn named(name: &str, side: usize, compares: bool) -> String {
    match (compares, name) {
        (true, "mean" | "kinetic") => name.into(),
        (true, _) => ['A', 'B'][side].into(),
        (false, name) => name.into(),
    }
}

/// What a curve is called by itself.
pub(super) fn told_of(name: &str, side: usize, compares: bool) -> String {
    match compares {
        true => format!("{} {name}", Side::BOTH[side].letter())
            .trim_end()
            .into(),
        false => name.into(),
    }
}

/// Of two sides, the solid lines have letter and value, and one entry says what
/// the dashed ones are.
pub(super) fn entry(side: usize, dashed: bool, compares: bool) -> LegendEntry {
    match (compares, dashed, side) {
        (true, true, 0) => LegendEntry::Name,
        (true, true, _) => LegendEntry::None,
        _ => LegendEntry::Value,
    }
}
