//! USD's BasisCurves: text, `.usda`; crate files, `.usdc`; packages, `.usdz`.

mod camera;
mod column;
mod crate_prim;
mod fault;
mod read;
mod text_column;
mod text_prim;
mod text_rows;
mod times;
mod write_crate;
mod write_text;

use super::{Carries, Detail, Fault, Format, Strands, Writing};
use lovelock_usd::{Layer, Prim, is_crate, is_package, is_text};

const CARRIES: Carries = Carries {
    widths: Detail::Point,
    colours: Detail::Point,
    columns: true,
    root_uvs: true,
    units: true,
    always_units: true,
    animation: true,
    head: Some("/Hair/Head"),
    camera: Some("/Hair/Camera"),
    ..Carries::PLACES
};

/// Whether a layer can be read and holds no curves; one that holds nothing but sets of
/// variants may.
pub fn holds_no_curves(bytes: &[u8]) -> bool {
    fn any(prims: &[Prim], is: &dyn Fn(&Prim) -> bool) -> bool {
        prims.iter().any(|prim| is(prim) || any(&prim.children, is))
    }
    let is_curves = |prim: &Prim| {
        let kinds = ["BasisCurves", "NurbsCurves", "HermiteCurves"];
        kinds.contains(&&prim.kind[..])
    };
    let is_mesh = |prim: &Prim| prim.kind == "Mesh";
    let varies = |prim: &Prim| prim.variant_sets > 0;
    Layer::open(bytes).is_ok_and(|layer| {
        let prims = &layer.prims[..];
        !any(prims, &is_curves) && (any(prims, &is_mesh) || !any(prims, &varies))
    })
}

/// Text.
pub const TEXT: Format = Format {
    id: "usda",
    name: "USD curves (.usda)",
    endings: &["usda", "usd"],
    reads: "`BasisCurves` with transforms; the points without a time, or else the first time sample, are the hair at rest, all samples are played and converted",
    limits: "cubic curves (Bézier, B-spline, Catmull-Rom) are evaluated at about as many points, \
        up to their first and last control point, where hair is rooted; variants, \
        references, payloads, sublayers, prims that are invisible, inactive or of purpose `proxy` \
        or `guide`, and NURBS are left out or refused",
    carries: CARRIES,
    is: is_text,
    read: read_text,
    each_pose: Some(read::each_pose),
    writing: Some(Writing {
        writes: "yes",
        write: write_text::still,
        film: Some(write_text::film),
    }),
};

/// Crate files.
pub const CRATE: Format = Format {
    id: "usdc",
    name: "USD curves, binary (.usdc)",
    endings: &["usdc"],
    reads: "as `.usda`; crate files 0.4 to 0.13, also named `.usd`",
    limits: "as `.usda`; written as crate file 0.8",
    carries: CARRIES,
    is: is_crate,
    read: read_crate,
    each_pose: Some(read::each_pose),
    writing: Some(Writing {
        writes: "yes",
        write: write_crate::still,
        film: Some(write_crate::film),
    }),
};

/// Packages.
pub const PACKAGE: Format = Format {
    id: "usdz",
    name: "USD package (.usdz)",
    endings: &["usdz"],
    reads: "the curves of its first layer",
    limits: "other layers in the package are left out; no more than 4 GiB are written",
    carries: CARRIES,
    is: is_package,
    read: read_package,
    each_pose: Some(read::each_pose),
    writing: Some(Writing {
        writes: "yes, one layer as `.usdc`",
        write: write_crate::still_package,
        film: Some(write_crate::film_package),
    }),
};

fn read_text(bytes: &[u8]) -> Result<Strands, Fault> {
    match is_text(bytes) {
        true => read::read(bytes),
        false => Err(Fault::whole(
            "it does not begin with #usda, so it is no USD file in text; export it again".into(),
        )),
    }
}

fn read_crate(bytes: &[u8]) -> Result<Strands, Fault> {
    match is_crate(bytes) {
        true => read::read(bytes),
        false => Err(Fault::byte(
            0,
            "it does not begin with the letters PXR-USDC, so it is no binary USD file; export it \
             again"
                .into(),
        )),
    }
}

fn read_package(bytes: &[u8]) -> Result<Strands, Fault> {
    match is_package(bytes) {
        true => read::read(bytes),
        false => Err(Fault::whole(
            "it is no zip archive that begins with a USD layer, so it is no USD package; export \
             it again"
                .into(),
        )),
    }
}
