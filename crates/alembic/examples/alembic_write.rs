//! Writes two curves that move as an Alembic archive:
//! `cargo run -p lovelock-alembic --example alembic_write -- FILE.abc`. Shown again by the
//! example `alembic_tree`.
//!
//! The names are those of the schema of curves, `AbcGeom_Curve_v2`: the crate knows
//! archives, and curves are what a program makes of them.

use lovelock_alembic::{Kind, Pod, Times, Writer};
use std::{fs::File, io};

/// Vertices of each curve, root first.
const COUNTS: [i32; 2] = [4, 3];

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("name the archive to be written");
        std::process::exit(2);
    };
    if let Err(error) = write(&path) {
        eprintln!("{path}: {error}");
        std::process::exit(1);
    }
}

/// Where the vertices are in that frame: hanging, and swinging along x. `[m]`
fn positions(frame: u32) -> Vec<[f32; 3]> {
    let swing = 0.02 * (frame as f32 * 0.5).sin();
    let curve = |(strand, count): (usize, &i32)| {
        let root = 0.01 * strand as f32;
        (0..*count).map(move |i| [root + swing * i as f32, -0.05 * i as f32, 0.0])
    };
    COUNTS.iter().enumerate().flat_map(curve).collect()
}

fn write(path: &str) -> io::Result<()> {
    let mut out = Writer::new(File::create(path)?, "_ai_Application=alembic_write")?;
    // 24 frames a second from time zero; time sampling 0 is for what does not move.
    let frames = out.times(Times::uniform(0.0, 1.0 / 24.0));
    let top = out.top();
    let schema = "schema=AbcGeom_Curve_v2;schemaBaseType=AbcGeom_GeomBase_v1";
    let title = format!("{schema};schemaObjTitle=AbcGeom_Curve_v2:.geom");
    let curves = out.object(top, "hair", &title);
    let geometry = out.compound(curves, ".geom", schema);
    let points = (Kind::Array, Pod::F32, 3);
    let points = out.property(
        geometry,
        points,
        "P",
        "geoScope=vtx;interpretation=point",
        frames,
    );
    let counts = out.property(geometry, (Kind::Array, Pod::I32, 1), "nVertices", "", 0);
    // Type (cubic 0, linear 1), periodic, basis and how many values each has: one scalar.
    let basis = out.property(
        geometry,
        (Kind::Scalar, Pod::U8, 4),
        "curveBasisAndType",
        "",
        0,
    );
    out.sample(basis, &[1, 0, 0, 0], 1)?;
    out.numbers(counts, COUNTS.iter().map(|count| count.to_le_bytes()))?;
    for frame in 0..24 {
        let numbers = positions(frame).into_iter().flatten();
        out.numbers(points, numbers.map(f32::to_le_bytes))?;
    }
    out.finish()?.sync_all()
}
