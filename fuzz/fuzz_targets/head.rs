//! Any bytes as a head, in the format that they begin like, or as JSON: refused, or a mesh
//! in metres whose faces have corners.
#![no_main]

use lovelock::mesh::{HeadParams, load, read};
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for name in ["x.obj", "x.gltf"] {
        let Ok(file) = read::parse(bytes, Path::new(name)) else {
            continue;
        };
        let Ok(head) = load::place(file, &HeadParams::default()) else {
            continue;
        };
        let corners = head.mesh.triangles.as_flattened();
        let count = head.mesh.positions.len();
        assert!(corners.iter().all(|corner| (*corner as usize) < count));
    }
});
