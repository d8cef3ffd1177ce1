//! Any bytes as a groom named `x.usda`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lovelock_fuzz::groom(bytes, "x.usda"));
