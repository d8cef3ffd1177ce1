//! Any text as a scene: refused, or read, and what was read can be written and
//! read again.
#![no_main]

use lovelock::project::scene::Scene;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let path = Path::new("scenes/x.toml");
    let mut scene = Scene::default();
    if scene.read_text(path, text).is_err() {
        return;
    }
    let written = scene.text(path);
    let mut again = Scene::default();
    if let Err(error) = again.read_text(path, &written) {
        panic!("{error}: {written}");
    }
    assert_eq!(again.text(path), written);
});
