//! USD's BasisCurves as text, `.usda`.

mod column;
mod pieces;
mod read;
mod token;
mod transform;
mod write;

use super::{Carries, Detail, Fault, Format, Strands, Writing};

/// The format.
pub const FORMAT: Format = Format {
    id: "usda",
    name: "USD curves (.usda)",
    endings: &["usda", "usd"],
    reads: "`BasisCurves` with transforms, the first time sample",
    limits: "cubic curves (Bézier, B-spline, Catmull-Rom) are evaluated at about as many points, \
        up to their first and last control point, where hair is rooted; variants, \
        references, NURBS and binary USD are left out or refused",
    carries: Carries {
        widths: Detail::Point,
        colours: Detail::Point,
        columns: true,
        root_uvs: true,
        units: true,
        animation: true,
        ..Carries::PLACES
    },
    is,
    read,
    writing: Some(Writing {
        writes: "yes",
        write,
        film: Some(write::film),
    }),
};

fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(b"#usda")
}

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    if !is(bytes) {
        return Err(Fault::whole(
            "it does not begin with #usda, so it is no USD file in text; write it as .usda".into(),
        ));
    }
    read::read(bytes)
}

fn write(strands: &Strands) -> Result<Vec<u8>, Fault> {
    write::still(strands)
}
