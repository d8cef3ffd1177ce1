//! What of the hair is exported, and the unit and axis of the file: the same choices and the
//! same defaults in the window and on the command line.

use crate::{io::strands::Format, mesh::Up};
use std::path::{Path, PathBuf};

/// A length unit of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthUnit {
    /// Metres.
    #[default]
    M,
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
}

/// The axis that points up in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportUp {
    /// As in the head's file, or else the groom's.
    #[default]
    Head,
    /// y.
    Y,
    /// z.
    Z,
    /// x.
    X,
}

/// Which strands are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportStrands {
    /// Those that are simulated.
    Guides,
    /// Those that are simulated, and all others of the groom's file.
    #[default]
    File,
    /// These and new followers (`followers.each`).
    All,
}

/// How hair is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Which strands.
    pub strands: ExportStrands,
    /// The unit of the file.
    pub unit: LengthUnit,
    /// The axis that points up in it.
    pub up: ExportUp,
    /// The head too: within a file that holds meshes, else as OBJ beside it.
    pub head: bool,
}

/// Where the head goes with a file of hair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadGoes {
    /// It is not written.
    Nowhere,
    /// There within the file of the hair.
    Within(&'static str),
    /// Into a file beside it.
    Beside,
}

impl HeadGoes {
    /// With a file of that `format`, where the head `is_asked` for.
    pub fn of(is_asked: bool, format: &Format) -> Self {
        match (is_asked, format.carries.head) {
            (false, _) => Self::Nowhere,
            (true, Some(place)) => Self::Within(place),
            (true, None) => Self::Beside,
        }
    }

    /// The file beside that of the hair, `path`, that holds the head alone; none where it
    /// goes elsewhere.
    pub fn file(self, path: &Path) -> Option<PathBuf> {
        (self == Self::Beside).then(|| head_beside(path))
    }
}

/// The axes that the files of a scene have: what [`ExportUp::Head`] goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileAxes {
    /// That of the head's file; none of the built-in head.
    pub head: Option<Up>,
    /// That of the groom's file, on the head that it was made for; none without one.
    pub groom: Option<Up>,
}

impl ExportStrands {
    /// All, from the fewest strands to the most.
    pub const ALL: [Self; 3] = [Self::Guides, Self::File, Self::All];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Guides => "guides",
            Self::File => "file",
            Self::All => "all",
        }
    }

    /// How many new followers go with each simulated strand, where a picture has `each`.
    pub fn followers(self, each: u32) -> u32 {
        match self {
            Self::All => each,
            Self::File | Self::Guides => 0,
        }
    }
}

impl LengthUnit {
    /// All, in the order in which one chooses.
    pub const ALL: [Self; 3] = [Self::M, Self::Cm, Self::Mm];

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

impl ExportUp {
    /// All, in the order in which one chooses.
    pub const ALL: [Self; 4] = [Self::Head, Self::Y, Self::Z, Self::X];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Y => "y",
            Self::Z => "z",
            Self::X => "x",
        }
    }

    /// The axis that points up in a file of that `format`, and what says so.
    ///
    /// # Errors
    /// When a file of the format cannot say that x is up: one sentence.
    pub fn axis(
        self,
        files: FileAxes,
        format: &Format,
    ) -> Result<(Up, &'static str), &'static str> {
        let (up, of) = match (self, files.head, files.groom) {
            (Self::Y, ..) => (Up::Y, "as asked for"),
            (Self::Z, ..) => (Up::Z, "as asked for"),
            (Self::X, ..) => (Up::X, "as asked for"),
            (Self::Head, Some(head), _) => (head, "as the head's file"),
            (Self::Head, None, Some(groom)) => (groom, "as the groom's file"),
            (Self::Head, None, None) => (Up::Y, "as the built-in head"),
        };
        if up != Up::X || !format.carries.always_units {
            return Ok((up, of));
        }
        match self {
            // Y is what such a file can say.
            Self::Head => Ok((Up::Y, "for the format knows no x")),
            _ => Err("in a file of this format y or z is up"),
        }
    }
}

/// The name of the head that belongs to a file. A frame's number stays, also where it is all
/// that follows the last dot: `hair.0001` without an ending.
pub fn head_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = match name.rsplit_once('.') {
        Some((stem, ending)) if !ending.chars().all(|c| c.is_ascii_digit()) => stem,
        _ => &name,
    };
    path.with_file_name(format!("head_{stem}.obj"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::strands::writer;

    #[test]
    fn each_frame_has_a_head_of_its_own() {
        for (file, head) in [
            ("out/hair.0007.ply", "out/head_hair.0007.obj"),
            ("out/hair.0007", "out/head_hair.0007.obj"),
            ("out/hair0007", "out/head_hair0007.obj"),
            ("hair.abc", "head_hair.obj"),
        ] {
            assert_eq!(head_beside(Path::new(file)), Path::new(head));
        }
    }

    #[test]
    fn the_head_s_file_says_what_is_up_before_the_groom_s() {
        let (format, _) = writer("data").expect("is written");
        let up = |head, groom| ExportUp::Head.axis(FileAxes { head, groom }, format);
        let up = |head, groom| up(head, groom).map(|(up, _)| up);
        assert_eq!(up(Some(Up::Z), Some(Up::X)), Ok(Up::Z));
        assert_eq!(up(None, Some(Up::X)), Ok(Up::X));
        assert_eq!(up(None, None), Ok(Up::Y));
        let asked = ExportUp::Z.axis(FileAxes::default(), format);
        assert_eq!(asked.map(|(up, _)| up), Ok(Up::Z));
    }

    #[test]
    fn a_format_that_says_its_axis_knows_no_x() {
        let (format, _) = writer("usda").expect("is written");
        let files = FileAxes {
            head: Some(Up::X),
            groom: None,
        };
        assert_eq!(
            ExportUp::Head.axis(files, format).map(|(up, _)| up),
            Ok(Up::Y)
        );
        assert!(ExportUp::X.axis(files, format).is_err());
    }
}
