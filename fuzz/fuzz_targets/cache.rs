//! Any bytes as a cache: refused, or opened, and each of its frames read or
//! refused.
#![no_main]

use lovelock::io::cache::{Frame, Reader};
use lovelock_fuzz::with_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    with_file(bytes, "cache", |path| {
        let Ok(mut reader) = Reader::open(path) else {
            return;
        };
        let _ = reader.told();
        let mut frame = Frame::default();
        for number in reader.first()..reader.end().min(reader.first().saturating_add(64)) {
            if reader.read(number, &mut frame).is_ok() {
                assert!(reader.has(number));
            }
        }
    });
});
