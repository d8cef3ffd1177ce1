//! The units that values are shown in.

use crate::param::{Kind, Tunable};

/// The unit that a tunable is shown in: metres are for files, a curl's radius
/// is easier to read in millimetres.
pub(in crate::ui) struct Unit {
    pub factor: f64,
    pub suffix: String,
    pub decimals: usize,
    /// Whether small values matter as much as large ones.
    pub log: bool,
}

impl Unit {
    pub fn of(tunable: &Tunable) -> Self {
        let (size, three) = match &tunable.kind {
            Kind::Float { range, .. } => (range.start().abs().max(range.end().abs()), false),
            Kind::Triple { range } => (range.start().abs().max(range.end().abs()), true),
            _ => (0.0, false),
        };
        let (factor, name) = match tunable.unit {
            // Places and sizes of bodies are a matter of centimetres, far as they may lie.
            "m" if three => (100.0, "cm"),
            "m" if size <= 0.06 => (1000.0, "mm"),
            "m" if size <= 5.0 => (100.0, "cm"),
            "s" if size <= 0.1 => (1000.0, "ms"),
            "x" => (1.0, "×"),
            unit => (1.0, unit),
        };
        let decimals = match size * factor {
            s if s <= 2.0 => 3,
            // What a dye absorbs may be little.
            s if three && s <= 4.0 => 3,
            s if s <= 60.0 => 2,
            _ if three && name == "cm" => 2,
            _ => 1,
        };
        let suffix = match name {
            "" => String::new(),
            name @ ("°" | "×") => name.into(),
            name => format!(" {name}"),
        };
        Self {
            factor,
            suffix,
            decimals,
            log: matches!(tunable.kind, Kind::Float { log: true, .. }),
        }
    }

    /// A value as a slider shows it.
    pub fn text(&self, value: f64) -> String {
        let shown = value * self.factor;
        let digits = self.decimals_of(shown);
        format!("{shown:.digits$}{}", self.suffix)
    }

    /// Digits behind the point for a value in this unit: more for small
    /// values, where those matter.
    pub fn decimals_of(&self, value: f64) -> usize {
        match value.abs() {
            _ if !self.log => self.decimals,
            // Two digits that say something.
            v if v > 0.0 && v < 0.01 => {
                let zeros = -v.max(1e-5).log10().floor();
                self.decimals.max(zeros as usize + 1)
            }
            v if v < 0.1 => self.decimals.max(3),
            v if v < 10.0 => self.decimals.max(2),
            _ => self.decimals,
        }
    }
}
