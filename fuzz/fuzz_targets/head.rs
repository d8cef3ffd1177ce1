//! Any bytes as a head: refused, or a mesh in metres whose faces have corners.
#![no_main]

use lovelock::mesh::{HeadParams, load, obj};
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = obj::parse(bytes, Path::new("x.obj")) else {
        return;
    };
    let Ok(head) = load::place(file, &HeadParams::default()) else {
        return;
    };
    let corners = head.mesh.triangles.as_flattened();
    let count = head.mesh.positions.len();
    assert!(corners.iter().all(|corner| (*corner as usize) < count));
});
