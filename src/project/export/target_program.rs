//! What other programs take without questions: format, unit, axis and strands of a file that
//! is meant for one of them.

use super::options::{ExportOptions, ExportStrands, ExportUp, LengthUnit};
use std::path::Path;

/// A program that hair is exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetProgram {
    /// Blender: its Alembic files are in metres, y up, and are turned as it reads them.
    Blender,
    /// Houdini: metres, y up.
    Houdini,
    /// Maya: centimetres, y up.
    Maya,
    /// Unity with its hair package: its Alembic importer multiplies by 0.01 at first, and the
    /// package takes all strands for the groom, not guides.
    Unity,
    /// Unreal: its importer of grooms takes Alembic, in centimetres, z up; guides among the
    /// strands are named by `groom_guide`.
    Unreal,
}

impl TargetProgram {
    /// All, by their names.
    pub const ALL: [Self; 5] = [
        Self::Blender,
        Self::Houdini,
        Self::Maya,
        Self::Unity,
        Self::Unreal,
    ];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blender => "Blender",
            Self::Houdini => "Houdini",
            Self::Maya => "Maya",
            Self::Unity => "Unity",
            Self::Unreal => "Unreal",
        }
    }

    /// Its name on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Blender => "blender",
            Self::Houdini => "houdini",
            Self::Maya => "maya",
            Self::Unity => "unity",
            Self::Unreal => "unreal",
        }
    }

    /// The ending of a file that is meant for it.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Houdini => "usdc",
            _ => "abc",
        }
    }

    /// The unit of its numbers.
    pub fn unit(self) -> LengthUnit {
        match self {
            Self::Blender | Self::Houdini => LengthUnit::M,
            Self::Maya | Self::Unity | Self::Unreal => LengthUnit::Cm,
        }
    }

    /// The axis that points up in it.
    pub fn up(self) -> ExportUp {
        match self {
            Self::Unreal => ExportUp::Z,
            _ => ExportUp::Y,
        }
    }

    /// The same choices for it: with all strands that are drawn, for none of them draws
    /// Lovelock's followers.
    pub fn options(self, options: ExportOptions) -> ExportOptions {
        ExportOptions {
            strands: ExportStrands::All,
            unit: self.unit(),
            up: self.up(),
            ..options
        }
    }

    /// Whether a file named like `path` and written by those `options` is what it takes.
    pub fn takes(self, path: &Path, options: ExportOptions) -> bool {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        ending.eq_ignore_ascii_case(self.ending()) && self.options(options) == options
    }

    /// What is chosen for it, in a sentence.
    pub fn help(self) -> String {
        format!(
            "A file that {} takes as it is: .{}, {}, {} up, with all strands that are drawn",
            self.name(),
            self.ending(),
            match self.unit() {
                LengthUnit::M => "metres",
                LengthUnit::Cm => "centimetres",
                LengthUnit::Mm => "millimetres",
            },
            self.up().name(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::strands::writer;

    #[test]
    fn what_is_chosen_for_a_program_is_what_it_takes() {
        for program in TargetProgram::ALL {
            let options = program.options(ExportOptions {
                head: true,
                ..ExportOptions::default()
            });
            assert!(options.head, "that is asked by another row");
            let path = format!("out/hair.{}", program.ending().to_uppercase());
            assert!(program.takes(Path::new(&path), options));
            assert!(!program.takes(Path::new("hair.obj"), options));
            let other = ExportOptions {
                unit: LengthUnit::Mm,
                ..options
            };
            assert!(!program.takes(Path::new(&path), other));
            // It can be written with that axis, an animation in one file.
            let (format, writing) = writer(program.ending()).expect("is written");
            assert!(program.up().axis(Default::default(), format).is_ok());
            assert!(writing.film.is_some());
        }
    }
}
