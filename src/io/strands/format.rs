//! What a file format of grooms is.

use super::{
    Fault, Strands,
    film::{BeginFilm, EachPose},
};

/// A file format of grooms.
pub struct Format {
    /// Its name on the command line.
    pub id: &'static str,
    /// Its name in full.
    pub name: &'static str,
    /// How its files' names end, lower case; no two formats share one.
    pub endings: &'static [&'static str],
    /// What of the format is read, for docs/formats.md: "yes" where it is all.
    pub reads: &'static str,
    /// What no file of the format can say, and what is left out or refused, for
    /// docs/formats.md; may be empty.
    pub limits: &'static str,
    /// What a file of the format says of strands.
    pub carries: Carries,
    /// Whether the content says that it is of this format.
    pub is: fn(&[u8]) -> bool,
    /// Reads strands; says what is wrong with the content, where, and what to
    /// do.
    pub read: fn(&[u8]) -> Result<Strands, Fault>,
    /// How all poses of a file are read; none where it holds one.
    pub each_pose: Option<EachPose>,
    /// How it is written; none where it is only read.
    pub writing: Option<Writing>,
}

/// How a format is written.
pub struct Writing {
    /// What of the format is written, for docs/formats.md: "yes" where it makes no
    /// difference.
    pub writes: &'static str,
    /// The content of a file with these strands, or what of them no file of
    /// the format can hold; what it only cannot keep is simply left out.
    pub write: fn(&Strands) -> Result<Vec<u8>, Fault>,
    /// How one file is written with a pose a frame; none where it holds one pose.
    pub film: Option<BeginFilm>,
}

impl Writing {
    /// All that can be read is written.
    pub const fn all(write: fn(&Strands) -> Result<Vec<u8>, Fault>) -> Option<Self> {
        Some(Self {
            writes: "yes",
            write,
            film: None,
        })
    }
}

/// What a format can say of strands, beside where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carries {
    /// Whether strands may have different numbers of points.
    pub any_counts: bool,
    /// Whether widths are kept: at each point, at each strand, or not.
    pub widths: Detail,
    /// Whether colours are kept.
    pub colours: Detail,
    /// Whether the roots' texture coordinates are kept.
    pub root_uvs: bool,
    /// Whether further columns of strands and points are kept.
    pub columns: bool,
    /// Whether the file says how long its unit is and which axis points up.
    pub units: bool,
    /// Whether a file says both whether they are known or not, and then y or z for the axis.
    pub always_units: bool,
    /// Whether one file holds an animation, and how fast points go in it.
    pub animation: bool,
    /// Where in a file the head is, as a mesh beside the strands; none where it has no place.
    pub head: Option<&'static str>,
    /// Where in a file the camera is; none where it has no place.
    pub camera: Option<&'static str>,
}

/// How finely something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Not at all.
    None,
    /// One value a strand.
    Strand,
    /// One value a point.
    Point,
}

impl Carries {
    /// Where strands are, and nothing else.
    pub const PLACES: Self = Self {
        any_counts: true,
        widths: Detail::None,
        colours: Detail::None,
        root_uvs: false,
        columns: false,
        units: false,
        always_units: false,
        animation: false,
        head: None,
        camera: None,
    };
}
