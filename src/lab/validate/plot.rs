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

/// A point of a curve whose y counts decades: at `least` where it lies below what the plot
/// shows; none where the strand blew up, for not a number is no small number.
pub(super) fn logarithmic(x: f64, y: f64, least: f64) -> Option<[f64; 2]> {
    y.is_finite().then(|| [x, y.max(least)])
}

/// What a test found.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// Comparisons.
    pub rows: Vec<ValidationRow>,
    /// Curves to them.
    pub plot: Option<Plot>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strand_that_blew_up_is_not_the_best_point_of_a_curve() {
        assert_eq!(logarithmic(30.0, 2.0, 1e-4), Some([30.0, 2.0]));
        assert_eq!(logarithmic(30.0, 0.0, 1e-4), Some([30.0, 1e-4]));
        assert_eq!(logarithmic(30.0, f64::NAN, 1e-4), None);
        assert_eq!(logarithmic(30.0, f64::INFINITY, 1e-4), None);
    }
}
