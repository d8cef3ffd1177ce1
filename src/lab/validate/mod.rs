//! What each method is worth, measured against rod theory.
//!
//! Every test drives a method through the same table that the product uses, at
//! the settings of the live window, and compares with closed forms, with
//! differential equations solved here in double precision, or with laws of
//! conservation. No test knows how a method works; where it asks for something
//! that a method does not have, the method fails that row and the row says so.

mod energy;
mod fixture;
mod freefall;
mod friction;
mod sag;
mod shapes;
mod stability;
mod swing;
pub mod theory;

use crate::sim::solver::Method;
use fixture::Harness;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// What a row asks of the measured number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// To differ from the reference by no more than this share of it.
    Relative,
    /// To differ from the reference by no more than this.
    Absolute,
    /// To be no larger than the tolerance; there is no reference.
    AtMost,
    /// To be no smaller than the tolerance; there is no reference.
    AtLeast,
}

/// One comparison.
#[derive(Clone, Debug)]
pub struct ValidationRow {
    /// The method's id.
    pub solver: &'static str,
    /// The test's id.
    pub test: &'static str,
    /// What was done, with what is measured and its unit.
    pub case: String,
    /// What theory says.
    pub reference: Option<f64>,
    /// What the method did; none where there is nothing to measure.
    pub measured: Option<f64>,
    /// How far both are apart: a share of the reference, or plain.
    pub error: Option<f64>,
    /// How far they may be apart, or the bound where there is no reference.
    pub tolerance: f64,
    /// What is asked.
    pub demand: Criterion,
    /// Whether it is so.
    pub pass: bool,
    /// Whether the method has what the row measures; false is no failure of its.
    pub applies: bool,
}

impl ValidationRow {
    /// Judges `measured`.
    fn new(
        case: String,
        demand: Criterion,
        reference: Option<f64>,
        measured: Option<f64>,
        tolerance: f64,
    ) -> Self {
        let measured = measured.filter(|m| m.is_finite());
        let error = match (demand, reference, measured) {
            (Criterion::Relative, Some(r), Some(m)) => Some((m - r).abs() / r.abs().max(1e-300)),
            (Criterion::Absolute, Some(r), Some(m)) => Some((m - r).abs()),
            _ => None,
        };
        let pass = match demand {
            Criterion::Relative | Criterion::Absolute => error.is_some_and(|e| e <= tolerance),
            Criterion::AtMost => measured.is_some_and(|m| m <= tolerance),
            Criterion::AtLeast => measured.is_some_and(|m| m >= tolerance),
        };
        Self {
            solver: "",
            test: "",
            case,
            reference,
            measured,
            error,
            tolerance,
            demand,
            pass,
            applies: true,
        }
    }

    fn relative(case: impl Into<String>, reference: f64, measured: f64, tolerance: f64) -> Self {
        let (reference, measured) = (Some(reference), Some(measured));
        Self::new(
            case.into(),
            Criterion::Relative,
            reference,
            measured,
            tolerance,
        )
    }

    fn absolute(case: impl Into<String>, reference: f64, measured: f64, tolerance: f64) -> Self {
        let (reference, measured) = (Some(reference), Some(measured));
        Self::new(
            case.into(),
            Criterion::Absolute,
            reference,
            measured,
            tolerance,
        )
    }

    fn at_most(case: impl Into<String>, measured: f64, bound: f64) -> Self {
        Self::new(case.into(), Criterion::AtMost, None, Some(measured), bound)
    }

    fn at_least(case: impl Into<String>, measured: f64, bound: f64) -> Self {
        Self::new(case.into(), Criterion::AtLeast, None, Some(measured), bound)
    }

    /// A row whose quantity the method does not have.
    fn not_measured(case: impl Into<String>, reference: f64, tolerance: f64) -> Self {
        let reference = Some(reference);
        Self {
            applies: false,
            ..Self::new(case.into(), Criterion::Relative, reference, None, tolerance)
        }
    }
}

impl ValidationRow {
    /// The verdict for people.
    pub fn verdict(&self) -> &'static str {
        match (self.applies, self.pass) {
            (false, _) => "not measured",
            (true, true) => "pass",
            (true, false) => "fail",
        }
    }

    /// The error for people: in per cent where it is a share.
    pub fn error_text(&self) -> String {
        match (self.demand, self.error) {
            (_, None) => "-".into(),
            (Criterion::Relative, Some(error)) => percent(error),
            (_, Some(error)) => number(error),
        }
    }

    /// What is allowed, for people.
    pub fn allowed_text(&self) -> String {
        match self.demand {
            Criterion::Relative => percent(self.tolerance),
            Criterion::Absolute => number(self.tolerance),
            Criterion::AtMost => format!("≤ {}", number(self.tolerance)),
            Criterion::AtLeast => format!("≥ {}", number(self.tolerance)),
        }
    }
}

/// A number for people: four digits that count, powers of ten where it is far
/// from one.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e5).contains(&size) {
        return format!("{value:.1e}");
    }
    let digits = (3 - size.log10().floor() as i32).clamp(0, 7) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

/// A share for people.
pub fn percent(share: f64) -> String {
    let value = 100.0 * share;
    match value.abs() {
        size if size >= 1e5 => format!("{value:.0e} %"),
        size if size >= 100.0 => format!("{value:.0} %"),
        size if size >= 1.0 => format!("{value:.1} %"),
        size if size >= 0.001 || size == 0.0 => {
            let text = format!("{value:.3}");
            format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => format!("{value:.0e} %"),
    }
}

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
    fn new(x: &'static str, y: &'static str) -> Self {
        let axis = |label| Axis { label, log: false };
        Self {
            x: axis(x),
            y: axis(y),
            even: false,
            series: Vec::new(),
        }
    }

    fn log_x(mut self) -> Self {
        self.x.log = true;
        self
    }

    fn log_y(mut self) -> Self {
        self.y.log = true;
        self
    }

    fn even(mut self) -> Self {
        self.even = true;
        self
    }

    fn theory(mut self, name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        self.series.push(Series {
            name: name.into(),
            theory: true,
            points,
        });
        self
    }

    fn measured(mut self, name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
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
struct Outcome {
    rows: Vec<ValidationRow>,
    plot: Option<Plot>,
}

/// A row of the table of tests.
pub struct ValidationTest {
    /// Name in files.
    pub id: &'static str,
    /// Name in the panel and in the table.
    pub name: &'static str,
    /// The tests it stands among.
    pub group: &'static str,
    /// What is compared with what, in a sentence.
    pub about: &'static str,
    run: fn(&Harness) -> Outcome,
}

/// The tests, in the order of the table.
pub const TESTS: &[ValidationTest] = &[
    ValidationTest {
        id: "cantilever",
        name: "Cantilever",
        group: "Static shapes",
        about: "A strand clamped level sags as the heavy elastica does: height over width of its tip",
        run: shapes::cantilever,
    },
    ValidationTest {
        id: "resolution",
        name: "Resolution",
        group: "Static shapes",
        about: "The same sag whatever the number of segments",
        run: shapes::resolution,
    },
    ValidationTest {
        id: "time-step",
        name: "Time step",
        group: "Static shapes",
        about: "The same sag whatever the length of a step",
        run: shapes::time_step,
    },
    ValidationTest {
        id: "catenary",
        name: "Catenary",
        group: "Static shapes",
        about: "A limp strand held at both ends hangs as a chain does",
        run: shapes::catenary,
    },
    ValidationTest {
        id: "column",
        name: "Column",
        group: "Stability",
        about: "An upright strand stands until it is too tall, Greenhill 1881",
        run: stability::column,
    },
    ValidationTest {
        id: "bend-twist",
        name: "Suspended curl",
        group: "Stability",
        about: "A hanging arc leaves its plane where its weight is too great for its twist, Miller et al. 2014",
        run: stability::bend_twist,
    },
    ValidationTest {
        id: "chain",
        name: "Hanging chain",
        group: "Motion",
        about: "A limp strand swings with the period that Bernoulli found",
        run: swing::chain,
    },
    ValidationTest {
        id: "beam",
        name: "Clamped beam",
        group: "Motion",
        about: "A stiff strand vibrates with the first frequency of a clamped beam",
        run: swing::beam,
    },
    ValidationTest {
        id: "free-fall",
        name: "Free fall",
        group: "Motion",
        about: "A strand without a root keeps its momentum",
        run: freefall::free_fall,
    },
    ValidationTest {
        id: "energy",
        name: "Energy",
        group: "Motion",
        about: "Without damping a kicked strand never gains energy",
        run: energy::energy,
    },
    ValidationTest {
        id: "incline",
        name: "Incline",
        group: "Friction",
        about: "A strand on a slope holds below the angle of friction and slides above it",
        run: friction::incline,
    },
    ValidationTest {
        id: "capstan",
        name: "Capstan",
        group: "Friction",
        about: "Round a post tension grows as Euler and Eytelwein say",
        run: friction::capstan,
    },
    ValidationTest {
        id: "sag",
        name: "Groom hold",
        group: "Rest",
        about: "The modelled hairstyle stays where it is",
        run: sag::sag,
    },
];

/// Where the rows of the largest stretch stand.
pub const STRETCH: &str = "stretch";

/// No segment may be longer or shorter than at rest by more than this share.
const STRETCH_LIMIT: f64 = 1e-5;

/// What was found about one method.
#[derive(Clone, Debug)]
pub struct ValidationReport {
    /// The method's id.
    pub solver: &'static str,
    /// Every comparison, test after test, the stretch of all at the end.
    pub rows: Vec<ValidationRow>,
    /// Curves, with the test's id.
    pub plots: Vec<(&'static str, Plot)>,
}

impl ValidationReport {
    /// How many rows pass.
    pub fn passed(&self) -> usize {
        self.rows.iter().filter(|row| row.pass).count()
    }
}

/// Puts `method` through all tests, on the rayon pool it is called in; the
/// numbers do not depend on its size. `quick` shortens what takes longest, for
/// a look while something else runs. `progress` is told from any thread how
/// many of how many tests are done. None when `cancel` was set meanwhile.
pub fn run(
    method: &'static Method,
    quick: bool,
    cancel: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Option<ValidationReport> {
    let done = AtomicUsize::new(0);
    progress(0, TESTS.len());
    let found: Vec<(Outcome, f64)> = TESTS
        .par_iter()
        .map(|test| {
            let bench = Harness {
                method,
                quick,
                cancel,
                stretch: AtomicU64::new(0),
            };
            let outcome = (test.run)(&bench);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, TESTS.len());
            (outcome, bench.largest_stretch())
        })
        .collect();
    if cancel.load(Ordering::Relaxed) {
        return None;
    }
    let mut report = ValidationReport {
        solver: method.id,
        rows: Vec::new(),
        plots: Vec::new(),
    };
    let mut stretches = Vec::new();
    for (test, (outcome, stretch)) in TESTS.iter().zip(found) {
        report
            .rows
            .extend(outcome.rows.into_iter().map(|row| ValidationRow {
                solver: method.id,
                test: test.id,
                ..row
            }));
        report
            .plots
            .extend(outcome.plot.map(|plot| (test.id, plot)));
        let case = format!("any segment, during \"{}\"", test.name);
        stretches.push(ValidationRow {
            solver: method.id,
            test: STRETCH,
            ..ValidationRow::at_most(case, stretch, STRETCH_LIMIT)
        });
    }
    report.rows.extend(stretches);
    Some(report)
}
