//! `lovelock render`: whole, gapless frames that move.

use crate::program::{SMALL, folder_with, lovelock, run, stderr, text};
use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

/// Runs `render` on few strands with these arguments; none where no OpenGL is
/// and none is required.
fn render(arguments: &[&str]) -> Option<Output> {
    let mut all = vec!["render", "--size", "96x64"];
    all.extend(SMALL);
    all.extend(arguments);
    let output = run(&all);
    let message = stderr(&output);
    if message.contains("OpenGL") && std::env::var("REQUIRE_GL").as_deref() != Ok("1") {
        println!("skipped: {message}");
        return None;
    }
    Some(output)
}

/// The frames in `folder`, decoded, in order; panics at a gap or a foreign file.
fn frames(folder: &Path, ending: &str) -> Vec<image::RgbImage> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of the frames")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a plain name")
        })
        .collect();
    names.sort();
    let decode = |(index, name): (usize, &String)| {
        assert_eq!(*name, format!("render{index:04}.{ending}"));
        image::open(folder.join(name)).expect("a picture").to_rgb8()
    };
    names.iter().enumerate().map(decode).collect()
}

#[test]
fn render_writes_frames_that_move_and_never_overwrites() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("deep/renders");
    let arguments = [
        "--seconds",
        "0.25",
        "--out",
        text(&out),
        "--set",
        "wind.on=true",
    ];
    let Some(output) = render(&arguments) else {
        return;
    };
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let first = frames(&out, "png");
    assert_eq!(
        first.len(),
        6,
        "a quarter of a second at 24 frames a second"
    );
    assert!(first.iter().all(|frame| frame.dimensions() == (96, 64)));
    for pair in first.windows(2) {
        assert!(pair[0] != pair[1], "two frames are alike");
    }

    let arguments = ["--frames", "2", "--warmup", "0.5", "--out", text(&out)];
    render(&arguments).expect("what worked once works again");
    let all = frames(&out, "png");
    assert_eq!(all.len(), 8);
    assert!(all[..6] == first[..], "frames that were there have changed");
}

#[test]
fn render_writes_bmp_and_the_same_pictures_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folders = ["a", "b"].map(|name| folder.path().join(name));
    for (folder, format) in folders.iter().zip(["bmp", "png"]) {
        let arguments = [
            "--frames",
            "3",
            "--fps",
            "12",
            "--format",
            format,
            "--out",
            text(folder),
        ];
        let Some(output) = render(&arguments) else {
            return;
        };
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let bmp = frames(&folders[0], "bmp");
    assert_eq!(bmp.len(), 3);
    assert!(bmp == frames(&folders[1], "png"), "BMP and PNG differ");
}

#[test]
#[cfg(unix)]
fn a_render_that_is_interrupted_leaves_whole_frames() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    if render(&["--frames", "1", "--out", text(&out)]).is_none() {
        return;
    }
    let mut child = lovelock()
        .args([
            "render",
            "--frames",
            "100000",
            "--size",
            "320x180",
            "--out",
            text(&out),
        ])
        .args(SMALL)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let last = out.join("render0004.png");
    for _ in 0..600 {
        if last.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    // Not -INT, which Ctrl+C sends: whoever runs tests in the background has
    // their shell ignore it, and this program does not treat the two apart.
    let interrupted = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(interrupted.expect("kill").success());
    let status = child.wait().expect("the program ends");
    assert!(!status.success());
    let mut count = 0;
    while out.join(format!("render{count:04}.png")).exists() {
        image::open(out.join(format!("render{count:04}.png"))).expect("a whole picture");
        count += 1;
    }
    let pictures = std::fs::read_dir(&out).expect("listed").filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().starts_with("render")
    });
    assert!(
        count >= 5 && pictures.count() == count,
        "a gap or a half frame"
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_the_work() {
    let (_folder, path) = folder_with("file", b"");
    let Some(output) = render(&["--frames", "100000", "--out", text(&path)]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
}
