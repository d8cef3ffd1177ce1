//! Any bytes as a groom named `x.tfx`: a result, and never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lovelock::io::strands;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    if let Ok((_, strands)) = strands::parse(bytes, Path::new("x.tfx")) {
        assert!(12 * strands.points.capacity() <= 16 * bytes.len() + 4096);
    }
});
