//! What each method is worth, measured against rod theory.
//!
//! Every test drives a method through the same table that the product uses, and compares
//! with closed forms, with differential equations solved here in double precision, or
//! with laws of conservation. The settings are those of the live window without damping
//! and without a pull to the hairstyle; rods take one substep a step in place of four,
//! and `der` as many inner steps as it needs ([`Method::exact`]). Rows of product settings
//! run as the window does. No test knows how a method works. A row whose quantity a method
//! does not have (tension, elastic energy, contact between strands) is not measured for it
//! and counts neither as passed nor as failed ([`ValidationRow::applies`]).

mod air;
mod capstan;
mod energy;
mod fixture;
mod frame_rate;
mod freefall;
mod friction;
mod hanging;
mod helix;
mod modes;
mod pendulum;
mod plot;
mod range;
mod row;
mod sag;
mod shaken;
mod shapes;
mod stability;
mod strand_contact;
mod suspended_arc;
mod swing;
pub mod theory;
mod twist;
mod twisted_rod;

pub use plot::{Axis, Plot, Series};
pub use row::{Criterion, CurvePlace, ValidationRow, number, percent, unit_of};

use crate::sim::{
    SimParams,
    solver::{Method, method::Variant},
};
use fixture::Harness;
use plot::Outcome;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

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
        id: "cantilever-range",
        name: "Cantilever range",
        group: "Static shapes",
        about: "One fibre in edges of 2.5 mm, from 5 mm to 1.28 m: weight over stiffness over seven decades",
        run: range::range,
    },
    ValidationTest {
        id: "clamps",
        name: "Clamps",
        group: "Static shapes",
        about: "A strand clamped upwards or downwards ends where the heavy elastica does",
        run: range::clamps,
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
        id: "hanging-helix",
        name: "Hanging helix",
        group: "Static shapes",
        about: "A curl hangs as long as Kirchhoff's equations say, and is as stiff a spring",
        run: hanging::hanging,
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
        id: "twisted-rod",
        name: "Twisted rod",
        group: "Stability",
        about: "A slack strand winds between clamps that are turned, up to where no force is left, van der Heijden et al. 2003",
        run: twist::rod,
    },
    ValidationTest {
        id: "ring",
        name: "Twisted ring",
        group: "Stability",
        about: "A ring leaves its plane where it is twisted too far, Michell 1889, Zajac 1962",
        run: twist::ring,
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
        id: "modes",
        name: "Three modes",
        group: "Motion",
        about: "A clamped beam's first three modes: how fast they vibrate, and how fast they fade in air",
        run: modes::modes,
    },
    ValidationTest {
        id: "pendulum",
        name: "Pendulum",
        group: "Motion",
        about: "A stiff strand on a hinge swings as far and as long as a bar",
        run: pendulum::pendulum,
    },
    ValidationTest {
        id: "frame-rate",
        name: "Frame rate",
        group: "Motion",
        about: "The tip of a curl goes the same way whatever the number of steps a second",
        run: frame_rate::frame_rate,
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
        id: "air",
        name: "Air",
        group: "Motion",
        about: "A strand across the air falls and is blown away as a cylinder is, White 2006",
        run: air::air,
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
        id: "shaken-floor",
        name: "Shaken floor",
        group: "Friction",
        about: "A strand on a floor that is shaken sticks and slips as Coulomb says",
        run: shaken::shaken,
    },
    ValidationTest {
        id: "crossing",
        name: "Crossing",
        group: "Strand contact",
        about: "A strand that falls across another one lies on it",
        run: strand_contact::crossing,
    },
    ValidationTest {
        id: "strand-incline",
        name: "Strand incline",
        group: "Strand contact",
        about: "A strand across two on a slope holds below the angle of friction and slides above it",
        run: strand_contact::incline,
    },
    ValidationTest {
        id: "strand-capstan",
        name: "Strand capstan",
        group: "Strand contact",
        about: "Round another strand tension grows as Euler and Eytelwein say",
        run: strand_contact::capstan,
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

/// What is put through the tests: a method as it runs by default, or a variant of it.
#[derive(Clone, Copy)]
pub struct MethodRun {
    /// The method.
    pub method: &'static Method,
    /// The way it runs; none by default.
    pub variant: Option<&'static Variant>,
}

impl MethodRun {
    /// `method` as it runs under `params`.
    pub fn under(method: &'static Method, params: &SimParams) -> Self {
        let mut variants = method.variants.iter();
        Self {
            method,
            variant: variants.find(|variant| (variant.is_on)(params)),
        }
    }

    /// `method` and each of its variants.
    pub fn all_of(method: &'static Method) -> impl Iterator<Item = Self> {
        let variants = method.variants.iter().map(Some);
        [None]
            .into_iter()
            .chain(variants)
            .map(move |variant| Self { method, variant })
    }

    /// What it is called in files and tables.
    pub fn label(&self) -> String {
        label(self.method.id, self.variant.map(|variant| variant.name))
    }
}

/// What a method, or a variant of it, is called in files and tables.
pub fn label(solver: &str, variant: Option<&str>) -> String {
    match variant {
        Some(variant) => format!("{solver}, {variant}"),
        None => solver.into(),
    }
}

/// What was found about one method.
#[derive(Clone, Debug)]
pub struct ValidationReport {
    /// The method's id.
    pub solver: &'static str,
    /// The variant of it; none of one that runs as by default.
    pub variant: Option<&'static str>,
    /// Every comparison, test after test, the stretch of all at the end.
    pub rows: Vec<ValidationRow>,
    /// Curves, with the test's id.
    pub plots: Vec<(&'static str, Plot)>,
}

impl ValidationReport {
    /// What was put through the tests, as files and tables call it.
    pub fn label(&self) -> String {
        label(self.solver, self.variant)
    }

    /// How many rows pass, of how many that the method can be put to.
    pub fn passed(&self) -> [usize; 2] {
        let rows = || self.rows.iter().filter(|row| row.applies);
        [rows().filter(|row| row.pass).count(), rows().count()]
    }
}

/// Puts `subject` through these `tests`, on the rayon pool it is called in; the
/// numbers do not depend on its size. `quick` shortens what takes longest, for
/// a look while something else runs. `progress` is told from any thread how
/// many of how many tests are done. None when `cancel` was set meanwhile.
pub fn run(
    subject: MethodRun,
    tests: &[&'static ValidationTest],
    quick: bool,
    cancel: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Option<ValidationReport> {
    let done = AtomicUsize::new(0);
    progress(0, tests.len());
    let found: Vec<(Outcome, Option<f64>)> = tests
        .par_iter()
        .map(|test| {
            let harness = Harness {
                method: subject.method,
                variant: subject.variant,
                quick,
                cancel,
                stretch: AtomicU64::new(0),
                moved: AtomicBool::new(false),
            };
            let outcome = (test.run)(&harness);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, tests.len());
            (outcome, harness.largest_stretch())
        })
        .collect();
    if cancel.load(Ordering::Relaxed) {
        return None;
    }
    let solver = subject.method.id;
    let variant = subject.variant.map(|variant| variant.name);
    let mut report = ValidationReport {
        solver,
        variant,
        rows: Vec::new(),
        plots: Vec::new(),
    };
    let mut stretches = Vec::new();
    for (test, (outcome, stretch)) in tests.iter().zip(found) {
        let applies = outcome.rows.iter().any(|row| row.applies);
        report
            .rows
            .extend(outcome.rows.into_iter().map(|row| ValidationRow {
                solver,
                variant,
                test: test.id,
                ..row
            }));
        report
            .plots
            .extend(outcome.plot.map(|plot| (test.id, plot)));
        let case = format!("any segment, during \"{}\"", test.name);
        let row = ValidationRow::at_most(case, stretch.unwrap_or(0.0), STRETCH_LIMIT);
        let row = match stretch {
            Some(_) if applies => row,
            _ => row.unmeasured(),
        };
        stretches.push(ValidationRow {
            solver,
            variant,
            test: STRETCH,
            ..row
        });
    }
    report.rows.extend(stretches);
    Some(report)
}
