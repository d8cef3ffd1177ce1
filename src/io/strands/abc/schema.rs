//! Names of the schema, and complaints about an archive.

use crate::io::strands::Fault;
use lovelock_alembic::Error;

pub const CURVES: &str = "AbcGeom_Curve_v2";
pub const XFORM: &str = "AbcGeom_Xform_v3";
pub const BASE: &str = "AbcGeom_GeomBase_v1";
/// What Unreal calls what is no column here.
pub const WIDTH: &str = "groom_width";
pub const ROOT_UV: &str = "groom_root_uv";
pub const COLOUR: &str = "groom_color";
/// What the program says of the file itself.
pub const OWN: [&str; 3] = ["groom_version_major", "groom_version_minor", "groom_tool"];

/// A complaint about an archive as one about a groom.
pub fn fault(error: Error) -> Fault {
    let text = error.to_string();
    match error.at {
        0 => Fault::whole(text),
        at => Fault::byte(usize::try_from(at).unwrap_or(usize::MAX), text),
    }
}
