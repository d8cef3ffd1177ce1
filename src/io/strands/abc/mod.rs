//! Alembic's curves, `.abc`, with the columns of Unreal's groom schema
//! (<https://dev.epicgames.com/documentation/unreal-engine/using-alembic-for-grooms-in-unreal-engine>).

mod column;
mod read;
mod schema;
mod transform;
mod write;

use super::{Carries, Detail, Fault, Format, Strands, Writing};

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
