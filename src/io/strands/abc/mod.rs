//! Alembic's curves, `.abc`, with the columns of Unreal's groom schema
//! (<https://dev.epicgames.com/documentation/unreal-engine/using-alembic-for-grooms-in-unreal-engine>).

mod column;
mod read;
mod transform;
mod write;

use super::{Carries, Detail, Fault, Format, Strands, Writing};
use lovelock_alembic::Error;

/// The format.
pub const FORMAT: Format = Format {
    id: "abc",
    name: "Alembic curves",
    endings: &["abc"],
    reads: "curves with transforms, the first time sample; the Ogawa container",
    limits: "cubic curves (Bézier, B-spline, Catmull-Rom) are evaluated at about as many points; \
        curves of variable order, instances, and HDF5 archives are left out or refused",
    carries: Carries {
        widths: Detail::Point,
        colours: Detail::Point,
        columns: true,
        root_uvs: true,
        animation: true,
        ..Carries::PLACES
    },
    is: lovelock_alembic::is_ogawa,
    read: read::read,
    writing: Some(Writing {
        writes: "yes, as Unreal's groom schema has it",
        write,
        film: Some(write::film),
    }),
};

fn write(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let written = write::still(strands);
    // Memory does not fail.
    written.map_err(|error| Fault::whole(format!("it cannot be written: {error}")))
}

fn fault(error: Error) -> Fault {
    let text = error.to_string();
    match error.at {
        0 => Fault::whole(text),
        at => Fault::byte(usize::try_from(at).unwrap_or(usize::MAX), text),
    }
}

/// Names of the schema.
mod schema {
    pub const CURVES: &str = "AbcGeom_Curve_v2";
    pub const XFORM: &str = "AbcGeom_Xform_v3";
    pub const BASE: &str = "AbcGeom_GeomBase_v1";
    /// What Unreal calls what is no column here.
    pub const WIDTH: &str = "groom_width";
    pub const ROOT_UV: &str = "groom_root_uv";
    pub const COLOUR: &str = "groom_color";
    /// What the program says of the file itself.
    pub const OWN: [&str; 3] = ["groom_version_major", "groom_version_minor", "groom_tool"];
}
