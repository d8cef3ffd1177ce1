//! Names of the schema, and complaints about an archive.

use crate::{
    io::strands::{Fault, Strands, curve_set::LookNames},
    mesh::Up,
};
use lovelock_alembic::{Archive, Error, Object, metadata_value};

pub const CURVES: &str = "AbcGeom_Curve_v2";
pub const XFORM: &str = "AbcGeom_Xform_v3";
pub const BASE: &str = "AbcGeom_GeomBase_v1";
pub const MESH: &str = "AbcGeom_PolyMesh_v1";
pub const CAMERA: &str = "AbcGeom_Camera_v1";
/// How places of points and ways of points are declared.
pub const PLACES: &str = "geoScope=vtx;interpretation=point";
pub const VELOCITIES: &str = "interpretation=vector";
/// Keys of the program's own in what an archive says of itself, for Alembic has none: how
/// long a unit is in metres, and which axis points up.
const UNIT: &str = "lovelock_metersPerUnit";
const UP: &str = "lovelock_upAxis";
/// What Unreal calls what is no column here.
pub const WIDTH: &str = "groom_width";
pub const ROOT_UV: &str = "groom_root_uv";
pub const COLOUR: &str = "groom_color";
/// What the program says of the file itself.
pub const OWN: [&str; 3] = ["groom_version_major", "groom_version_minor", "groom_tool"];

/// What is no column, by Unreal's names and those of everybody else.
pub const LOOKS: LookNames = LookNames {
    widths: &[WIDTH, "width"],
    colours: &[COLOUR, "Cd"],
    root_uvs: &[ROOT_UV, "uv"],
};

/// What an archive of these strands says of itself.
pub fn about(strands: &Strands) -> String {
    let mut about = String::from(
        "_ai_AlembicVersion=Alembic 1.8;_ai_Application=Lovelock;_ai_Description=hair",
    );
    if let Some(metres) = strands.metres_per_unit {
        about += &format!(";{UNIT}={metres}");
    }
    if let Some(up) = strands.up {
        about += &format!(";{UP}={}", up.name().to_uppercase());
    }
    about
}

/// How long a unit of an archive is `[m]`, and which axis points up in it, where it says so.
pub fn space(archive: &Archive) -> (Option<f64>, Option<Up>) {
    let Ok(about) = archive.metadata() else {
        return (None, None);
    };
    let metres = metadata_value(&about, UNIT).and_then(|text| text.parse::<f64>().ok());
    let up = match metadata_value(&about, UP) {
        Some("X") => Some(Up::X),
        Some("Y") => Some(Up::Y),
        Some("Z") => Some(Up::Z),
        _ => None,
    };
    (
        metres.filter(|metres| metres.is_normal() && *metres > 0.0),
        up,
    )
}

/// Whether a column of that name would be taken for something else.
pub fn is_taken(name: &str) -> bool {
    let all = [LOOKS.widths, LOOKS.colours, LOOKS.root_uvs, &OWN];
    all.iter().any(|names| names.contains(&name))
}

fn is_of(object: &Object, schema: &str) -> bool {
    metadata_value(&object.metadata, "schema").is_some_and(|own| own.starts_with(schema))
}

/// Whether an object is a transform.
pub fn is_transform(object: &Object) -> bool {
    is_of(object, "AbcGeom_Xform")
}

/// Whether an object is curves.
pub fn is_curves(object: &Object) -> bool {
    is_of(object, "AbcGeom_Curve")
}

/// Whether an object is polygons.
pub fn is_mesh(object: &Object) -> bool {
    is_of(object, "AbcGeom_PolyMesh") || is_of(object, "AbcGeom_SubD")
}

/// Whether an object and all in it is not to be seen in the first of its samples.
pub fn is_hidden(object: &Object) -> Result<bool, Error> {
    let found = object.property("visible")?;
    let Some(found) = found.filter(|found| found.samples() > 0) else {
        return Ok(false);
    };
    // 1 is seen, -1 is as its parent.
    let value = found.sample(0).and_then(|sample| sample.whole());
    Ok(value?.first() == Some(&0))
}

/// A complaint about an archive as one about a groom.
pub fn fault(error: Error) -> Fault {
    let text = error.to_string();
    match error.at {
        0 => Fault::whole(text),
        at => Fault::byte(usize::try_from(at).unwrap_or(usize::MAX), text),
    }
}
