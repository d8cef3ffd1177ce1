//! Environments named on the command line and in scenes.

use crate::program::{SMALL, complaint, folder_with, run, stderr, text};
use std::path::Path;

const TAKE: [&str; 5] = ["render", "--frames", "1", "--size", "64x48"];

/// The one picture of a `render` with these arguments; none where no OpenGL is and
/// none is required.
fn picture(arguments: &[&str]) -> Option<image::RgbImage> {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let output = run(&[&TAKE[..], SMALL, arguments, &["--out", text(&out)]].concat());
    let message = stderr(&output);
    if message.contains("OpenGL") && std::env::var("REQUIRE_GL").as_deref() != Ok("1") {
        println!("skipped: {message}");
        return None;
    }
    assert_eq!(output.status.code(), Some(0), "{message}");
    let file = out.join("render0000.png");
    Some(image::open(file).expect("a picture").to_rgb8())
}

#[test]
fn a_scene_is_lit_by_a_file_beside_it_or_by_one_of_the_programs_own() {
    let Some(studio) = picture(&[]) else {
        return;
    };
    let sunset = picture(&["--set", "light.environment=sunset"]).expect("as before");
    assert_ne!(studio, sunset);
    let turned = picture(&[
        "--set",
        "light.environment=sunset",
        "--set",
        "light.environment_turn=140",
    ]);
    assert_ne!(sunset, turned.expect("as before"));
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/environment");
    let scene = "version = 1\n[light]\nenvironment = \"sky.exr\"\n";
    let (folder, path) = folder_with("scene.toml", scene.as_bytes());
    std::fs::copy(corpus.join("small.exr"), folder.path().join("sky.exr")).expect("copied");
    let lit = picture(&[text(&path)]).expect("as before");
    assert_ne!(studio, lit);
    let own = "version = 1\n[light]\nenvironment = \"sunset\"\n";
    std::fs::write(&path, own).expect("written");
    assert_eq!(sunset, picture(&[text(&path)]).expect("as before"));
}

#[test]
fn a_file_that_is_no_environment_is_told() {
    if picture(&[]).is_none() {
        return;
    }
    let damaged = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 64 +X 128\n\x02\x02\x00\x80";
    for (content, wanted) in [
        (&damaged[..], "it is damaged"),
        (b"no picture", "it is neither a Radiance picture"),
    ] {
        let (_folder, path) = folder_with("sky.hdr", content);
        let set = format!("light.environment={}", path.display());
        let said = complaint(1, &[&TAKE[..], SMALL, &["--set", &set]].concat());
        assert!(
            said.contains("sky.hdr: ") && said.contains(wanted),
            "{said}"
        );
    }
    let said = complaint(
        1,
        &[&TAKE[..], SMALL, &["--set", "light.environment=sunse"]].concat(),
    );
    assert!(said.contains("sunse: there is no such file, and"), "{said}");
}
