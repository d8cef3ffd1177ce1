//! Any bytes as a groom named `x.bin`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lovelock_fuzz::groom(bytes, "x.bin"));
