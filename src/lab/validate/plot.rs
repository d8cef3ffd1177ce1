//! Curves of the validation, and what a test hands over.

use super::ValidationRow;

/// Points of one curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Whether it is what theory says, drawn as a line.
    pub theory: bool,
    /// x and y.
    pub points: Vec<[f64; 2]>,
}

/// One axis of a plot.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: &'static str,
    /// Whether it counts decades.
    pub log: bool,
}

/// Curves to be seen beside each other.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Along the bottom.
    pub x: Axis,
    /// Along the side.
    pub y: Axis,
    /// Whether a length on x is as long as on y.
    pub even: bool,
    /// The curves.
    pub series: Vec<Series>,
}

impl Plot {
    pub(super) fn new(x: &'static str, y: &'static str) -> Self {
        let axis = |label| Axis { label, log: false };
        Self {
            x: axis(x),
            y: axis(y),
            even: false,
            series: Vec::new(),
        }
    }

    pub(super) fn log_x(mut self) -> Self {
        self.x.log = true;
        self
    }

    pub(super) fn log_y(mut self) -> Self {
        self.y.log = true;
        self
    }

    pub(super) fn even(mut self) -> Self {
        self.even = true;
        self
    }

    pub(super) fn theory(mut self, name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        self.series.push(Series {
            name: name.into(),
            theory: true,
            points,
        });
        self
    }

    pub(super) fn measured(mut self, name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        self.series.push(Series {
            name: name.into(),
            theory: false,
            points,
        });
        self
    }
}

/// What a test found.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// Comparisons.
    pub rows: Vec<ValidationRow>,
    /// Curves to them.
    pub plot: Option<Plot>,
}
