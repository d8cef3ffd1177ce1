//! One comparison of the validation, its verdict, and numbers for people.

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

impl Criterion {
    /// What files call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
            Self::AtMost => "at most",
            Self::AtLeast => "at least",
        }
    }
}

/// Where on a curve a comparison stands: what is varied from row to row of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePlace {
    /// What it is, in a word of lower case.
    pub name: &'static str,
    /// How much of it.
    pub value: f64,
    /// Its unit; empty for a ratio.
    pub unit: &'static str,
}

/// One comparison.
#[derive(Clone, Debug)]
pub struct ValidationRow {
    /// The method's id.
    pub solver: &'static str,
    /// The variant of it; none as it runs by default.
    pub variant: Option<&'static str>,
    /// The test's id.
    pub test: &'static str,
    /// What was done, with what is measured and its unit.
    pub case: String,
    /// What is varied within the test; none where rows differ in more than a number.
    pub at: Option<CurvePlace>,
    /// What theory says.
    pub reference: Option<f64>,
    /// What the method did; none where there is nothing to measure.
    pub measured: Option<f64>,
    /// How far both are apart: a share of the reference, or plain.
    pub error: Option<f64>,
    /// How far they may be apart, or the bound where there is no reference.
    pub tolerance: f64,
    /// What is asked.
    pub criterion: Criterion,
    /// Whether it is so.
    pub pass: bool,
    /// Whether the method has what the row measures; false is no failure of its.
    pub applies: bool,
}

impl ValidationRow {
    /// Judges `measured`.
    pub(super) fn new(
        case: String,
        criterion: Criterion,
        reference: Option<f64>,
        measured: Option<f64>,
        tolerance: f64,
    ) -> Self {
        let measured = measured.filter(|m| m.is_finite());
        let error = match (criterion, reference, measured) {
            (Criterion::Relative, Some(r), Some(m)) => Some((m - r).abs() / r.abs().max(1e-300)),
            (Criterion::Absolute, Some(r), Some(m)) => Some((m - r).abs()),
            _ => None,
        };
        let pass = match criterion {
            Criterion::Relative | Criterion::Absolute => error.is_some_and(|e| e <= tolerance),
            Criterion::AtMost => measured.is_some_and(|m| m <= tolerance),
            Criterion::AtLeast => measured.is_some_and(|m| m >= tolerance),
        };
        Self {
            solver: "",
            variant: None,
            test: "",
            case,
            at: None,
            reference,
            measured,
            error,
            tolerance,
            criterion,
            pass,
            applies: true,
        }
    }

    /// The same where `name` is varied from row to row, and is `value` here, in `unit`.
    pub(super) fn at(self, name: &'static str, value: f64, unit: &'static str) -> Self {
        let at = Some(CurvePlace { name, value, unit });
        Self { at, ..self }
    }

    pub(super) fn relative(
        case: impl Into<String>,
        reference: f64,
        measured: f64,
        tolerance: f64,
    ) -> Self {
        let (reference, measured) = (Some(reference), Some(measured));
        Self::new(
            case.into(),
            Criterion::Relative,
            reference,
            measured,
            tolerance,
        )
    }

    pub(super) fn absolute(
        case: impl Into<String>,
        reference: f64,
        measured: f64,
        tolerance: f64,
    ) -> Self {
        let (reference, measured) = (Some(reference), Some(measured));
        Self::new(
            case.into(),
            Criterion::Absolute,
            reference,
            measured,
            tolerance,
        )
    }

    pub(super) fn at_most(case: impl Into<String>, measured: f64, bound: f64) -> Self {
        Self::new(case.into(), Criterion::AtMost, None, Some(measured), bound)
    }

    pub(super) fn at_least(case: impl Into<String>, measured: f64, bound: f64) -> Self {
        Self::new(case.into(), Criterion::AtLeast, None, Some(measured), bound)
    }

    /// A row whose quantity the method does not have.
    pub(super) fn not_measured(case: impl Into<String>, reference: f64, tolerance: f64) -> Self {
        let reference = Some(reference);
        Self::new(case.into(), Criterion::Relative, reference, None, tolerance).unmeasured()
    }

    /// The same row of a method that does not have the quantity.
    pub(super) fn unmeasured(self) -> Self {
        Self {
            measured: None,
            error: None,
            pass: false,
            applies: false,
            ..self
        }
    }
}

impl ValidationRow {
    /// The unit of what is measured, which ends the case; none of a ratio.
    pub fn unit(&self) -> Option<&str> {
        unit_of(&self.case).or_else(|| self.case.ends_with(", in lengths").then_some("lengths"))
    }

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
        match (self.criterion, self.error) {
            (_, None) => "-".into(),
            (Criterion::Relative, Some(error)) => percent(error),
            (_, Some(error)) => number(error),
        }
    }

    /// What is allowed, for people.
    pub fn allowed_text(&self) -> String {
        match self.criterion {
            Criterion::Relative => percent(self.tolerance),
            Criterion::Absolute => number(self.tolerance),
            Criterion::AtMost => format!("≤ {}", number(self.tolerance)),
            Criterion::AtLeast => format!("≥ {}", number(self.tolerance)),
        }
    }
}

/// The unit that ends a label, in brackets.
pub fn unit_of(label: &str) -> Option<&str> {
    let (_, unit) = label.strip_suffix(']')?.rsplit_once('[')?;
    Some(unit).filter(|unit| !unit.is_empty())
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
