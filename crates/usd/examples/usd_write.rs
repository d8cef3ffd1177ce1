//! Writes two curves that move as a USD crate file:
//! `cargo run -p lovelock-usd --example usd_write -- FILE.usdc`. Shown again by the
//! example `usd_tree`.

use lovelock_usd::{CrateWriter, Rep};
use std::{fs::File, io};

/// Vertices of each curve, root first.
const COUNTS: [i32; 2] = [4, 3];

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("name the file to be written");
        std::process::exit(2);
    };
    if let Err(error) = write(&path) {
        eprintln!("{path}: {error}");
        std::process::exit(1);
    }
}

/// Where the vertices are in that frame: hanging, and swinging along x. `[m]`
fn positions(frame: u32) -> Vec<f32> {
    let swing = 0.02 * (frame as f32 * 0.5).sin();
    let curve = |(strand, count): (usize, &i32)| {
        let root = 0.01 * strand as f32;
        (0..*count).flat_map(move |i| [root + swing * i as f32, -0.05 * i as f32, 0.0])
    };
    COUNTS.iter().enumerate().flat_map(curve).collect()
}

fn write(path: &str) -> io::Result<()> {
    let mut out = CrateWriter::new(File::create(path)?)?;
    // What the file says of itself: metres, y up, and 24 time codes a second.
    let metres = out.double(1.0)?;
    out.metadata("metersPerUnit", metres);
    let up = out.token("Y");
    out.metadata("upAxis", up);
    let codes = out.double(24.0)?;
    out.metadata("timeCodesPerSecond", codes);
    let top = out.token("Hair");
    out.metadata("defaultPrim", top);

    let top = out.prim(None, "Hair", "Xform");
    let curves = out.prim(Some(top), "Strands", "BasisCurves");
    let linear = [
        ("default", out.token("linear")),
        ("variability", out.uniform()),
    ];
    out.attribute(curves, "type", "token", &linear);
    let counts = out.ints(1, &COUNTS)?;
    out.attribute(curves, "curveVertexCounts", "int[]", &[("default", counts)]);
    let widths = out.floats(1, &[8e-5])?;
    let fields = [
        ("default", widths),
        ("interpolation", out.token("constant")),
    ];
    out.attribute(curves, "widths", "float[]", &fields);
    // Values are written as they come; the attribute says where they lie.
    let frames: Vec<Rep> = (0..24)
        .map(|frame| out.floats(3, &positions(frame)))
        .collect::<io::Result<_>>()?;
    let times: Vec<f64> = (0..24).map(f64::from).collect();
    let samples = out.samples(&times, &frames)?;
    out.attribute(curves, "points", "point3f[]", &[("timeSamples", samples)]);
    out.finish()?.sync_all()
}
