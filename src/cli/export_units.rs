//! Units and axes of files that hair is exported to, which strands, and for which program, as
//! the command line names them.

pub use crate::project::export::{ExportStrands, ExportUp, LengthUnit, TargetProgram};
use clap::{ValueEnum, builder::PossibleValue};

impl ValueEnum for LengthUnit {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::M => "Metres",
            Self::Cm => "Centimetres",
            Self::Mm => "Millimetres",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for ExportUp {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Head => "As in the head's file, or else the groom's",
            other => other.name(),
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for ExportStrands {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Guides => "Those that are simulated",
            Self::File => "Those that are simulated, and all others of the groom's file",
            Self::All => "These and new followers (followers.each)",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl ValueEnum for TargetProgram {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (unit, up) = (self.unit().name(), self.up().name());
        let help = format!("{unit}, {up} up, all strands; best as .{}", self.ending());
        Some(PossibleValue::new(self.word()).help(help))
    }
}
