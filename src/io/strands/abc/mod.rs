//! Alembic's curves, `.abc`, with the columns of Unreal's groom schema
//! (<https://dev.epicgames.com/documentation/unreal-engine/using-alembic-for-grooms-in-unreal-engine>).

mod camera;
mod column;
mod head;
mod read;
mod schema;
mod times;
mod write;

use super::{Carries, Detail, Fault, Format, Strands, Writing};
use lovelock_alembic::{Archive, Error, Object, metadata_value};

/// The format.
pub const FORMAT: Format = Format {
    id: "abc",
    name: "Alembic curves",
    endings: &["abc"],
    reads: "curves with transforms; the first time sample is the hair at rest, all are played and converted; the Ogawa container",
    limits: "cubic curves (Bézier, B-spline, Catmull-Rom) are evaluated at about as many points; \
        curves of variable order, hidden curves, instances, and HDF5 archives are left out or refused",
    carries: Carries {
        widths: Detail::Point,
        colours: Detail::Point,
        columns: true,
        root_uvs: true,
        units: true,
        animation: true,
        head: Some("/groom/head"),
        camera: Some("/groom/camera"),
        ..Carries::PLACES
    },
    is: lovelock_alembic::is_ogawa,
    read: read::read,
    each_pose: Some(read::each_pose),
    writing: Some(Writing {
        writes: "yes, as Unreal's groom schema has it",
        write,
        film: Some(write::film),
    }),
};

/// Whether an archive can be read and holds no curves.
pub fn holds_no_curves(bytes: &[u8]) -> bool {
    fn holds(object: &Object, left: &mut usize) -> Result<bool, Error> {
        let schema = metadata_value(&object.metadata, "schema").unwrap_or_default();
        // Damaged ones may contain one another.
        if schema.starts_with("AbcGeom_Curve") || *left == 0 {
            return Ok(true);
        }
        *left -= 1;
        for child in object.children()? {
            if holds(&child, left)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
    let mut left = bytes.len() / 32;
    let top = Archive::open(bytes).and_then(|archive| archive.top());
    top.and_then(|top| holds(&top, &mut left)) == Ok(false)
}

fn write(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let written = write::still(strands);
    // Memory does not fail.
    written.map_err(|error| Fault::whole(format!("it cannot be written: {error}")))
}
