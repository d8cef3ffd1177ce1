//! Any bytes as a cache: refused, or opened, and each of its frames read or
//! refused.
#![no_main]

use lovelock::io::cache::{Frame, Reader};
use std::{env, fs, process};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = env::temp_dir().join(format!("lovelock-fuzz-{}", process::id()));
    if fs::write(&path, bytes).is_err() {
        return;
    }
    if let Ok(mut reader) = Reader::open(&path) {
        let _ = reader.told();
        let mut frame = Frame::default();
        for number in reader.first()..reader.end().min(reader.first().saturating_add(64)) {
            if reader.read(number, &mut frame).is_ok() {
                assert!(reader.has(number));
            }
        }
    }
});
