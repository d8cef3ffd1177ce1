//! Units and axes of files that hair is exported to.

use clap::ValueEnum;

/// A length unit of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
pub enum LengthUnit {
    /// Metres
    #[default]
    M,
    /// Centimetres
    Cm,
    /// Millimetres
    Mm,
}

/// The axis that points up in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
pub enum ExportUp {
    /// As in the head's file, or else the groom's
    #[default]
    Head,
    /// y
    Y,
    /// z
    Z,
    /// x
    X,
}

impl LengthUnit {
    /// Its short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::M => "m",
            Self::Cm => "cm",
            Self::Mm => "mm",
        }
    }

    /// Its length. `[m]`
    pub fn metres(self) -> f64 {
        match self {
            Self::M => 1.0,
            Self::Cm => 0.01,
            Self::Mm => 0.001,
        }
    }
}
