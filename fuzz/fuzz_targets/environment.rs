//! Any bytes as an environment: refused in a sentence, or read to finite light.
#![no_main]

use lovelock::io::panorama::Panorama;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match Panorama::decode(bytes) {
        Ok(panorama) => {
            let mut light = panorama.texels().as_flattened().iter();
            assert!(light.all(|value| value.is_finite() && *value >= 0.0));
        }
        Err(why) => assert!(!why.is_empty()),
    }
});
