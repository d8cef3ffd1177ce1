//! Any bytes as a groom: of the format that the environment variable `FORMAT`
//! names, or of every format, one after the other.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lovelock_fuzz::groom(bytes));
