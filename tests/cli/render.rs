//! `lovelock render`: whole, gapless frames that move.

use crate::program::{SMALL, complaint, folder_with, lovelock, run, stderr, text};
use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

/// Runs `render` on few strands with these arguments; none where no OpenGL is
/// and none is required.
fn render(arguments: &[&str]) -> Option<Output> {
    render_at("96x64", arguments)
}

fn render_at(size: &str, arguments: &[&str]) -> Option<Output> {
    let mut all = vec!["render", "--size", size];
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
fn strands_too_thin_for_a_small_picture_are_merged_unless_all_are_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let picture = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut arguments = vec!["--frames", "1", "--out", text(&out)];
        arguments.extend(["--set", "followers.each=50"]);
        arguments.extend(more);
        let output = render(&arguments)?;
        assert!(output.status.success(), "{}", stderr(&output));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Some((said, frames(&out, "png").remove(0)))
    };
    let Some((said, merged)) = picture("merged", &[]) else {
        return;
    };
    let (silent, all) = picture("all", &["--all-strands"]).expect("as the first");
    assert!(!silent.contains("strands are drawn"), "{silent}");
    if !said.contains("1500 of 3060 strands are drawn at this size") {
        assert!(!said.contains("without a graphics card"), "{said}");
        assert_eq!(merged, all, "a graphics card draws all of them anyway");
        return println!("skipped: a graphics card draws here");
    }
    // Other strands, and nearly the same light and colour.
    let mean = |picture: &image::RgbImage| {
        let sum = picture.as_raw().iter().map(|v| f64::from(*v)).sum::<f64>();
        sum / picture.as_raw().len() as f64
    };
    assert_ne!(merged, all);
    let (few, every) = (mean(&merged), mean(&all));
    assert!((few - every).abs() < 0.02 * every, "{few} {every}");

    // Towards a full head: with 60 strands, the most followers that each can have.
    let (said, _) = picture("full", &["--full-head"]).expect("as the first");
    assert!(said.contains(" of 18060 strands are drawn"), "{said}");
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
fn transparent_frames_have_the_size_of_the_scene_and_clean_edges() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = |name: &str| folder.path().join(name);
    let picture = |name: &str, settings: &[&str]| {
        let mut arguments = vec!["render", "--frames", "1"];
        arguments.extend(SMALL);
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        arguments.extend(settings);
        let path = out(name);
        arguments.extend(["--out", text(&path)]);
        let output = run(&arguments);
        let message = stderr(&output);
        if message.contains("OpenGL") && std::env::var("REQUIRE_GL").as_deref() != Ok("1") {
            println!("skipped: {message}");
            return None;
        }
        assert_eq!(output.status.code(), Some(0), "{message}");
        let picture = image::open(path.join("render0000.png"));
        Some(picture.expect("a picture"))
    };
    let size = [
        "capture.size=own",
        "capture.width=160",
        "capture.height=120",
    ];
    let clear = [&size[..], &["capture.transparent=true"]].concat();
    let Some(clear) = picture("clear", &clear) else {
        return;
    };
    assert_eq!(clear.color(), image::ColorType::Rgba8);
    let clear = clear.to_rgba8();
    assert_eq!(clear.dimensions(), (160, 120));
    assert_eq!(clear.get_pixel(2, 2).0[3], 0, "nothing is in the corner");
    assert_eq!(
        clear.get_pixel(80, 60).0[3],
        255,
        "the head is in the middle"
    );

    // An average has softer edges, and the same colours: what is half covered
    // is as light as what is covered, not mixed with black.
    let soft = [
        &size[..],
        &["capture.transparent=true", "capture.frame_samples=8"],
    ]
    .concat();
    let soft = picture("soft", &soft).expect("what worked once").to_rgba8();
    for picture in [&clear, &soft] {
        let mean = |of: &dyn Fn(u8) -> bool| {
            let found: Vec<f64> = picture
                .pixels()
                .filter(|pixel| of(pixel.0[3]))
                .map(|pixel| pixel.0[..3].iter().map(|c| f64::from(*c)).sum::<f64>() / 3.0)
                .collect();
            assert!(found.len() > 30, "{} pixels", found.len());
            found.iter().sum::<f64>() / found.len() as f64
        };
        // Hair and skin are of one lightness about the hair's rim.
        let (edge, inside) = (mean(&|a| (20..128).contains(&a)), mean(&|a| a > 250));
        assert!(edge > 0.5 * inside, "{edge} at edges, {inside} inside");
    }

    // Over a backdrop it is the opaque picture, but for shade on the backdrop.
    let solid = picture("solid", &size).expect("what worked once");
    assert_eq!(solid.color(), image::ColorType::Rgb8);
    let solid = solid.to_rgb8();
    let mut most = 0;
    for (pixel, other) in clear.pixels().zip(solid.pixels()) {
        if pixel.0[3] == 255 {
            let apart = |(a, b): (&u8, &u8)| a.abs_diff(*b);
            let pair = pixel.0[..3].iter().zip(&other.0);
            most = most.max(pair.map(apart).max().unwrap_or(0));
        }
    }
    assert!(most <= 2, "covered pixels differ by {most}");

    // BMP has no transparency.
    let arguments = [
        "--frames",
        "1",
        "--format",
        "bmp",
        "--set",
        "capture.transparent=true",
    ];
    let output = render(&arguments).expect("what worked once");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("capture.format"),
        "{}",
        stderr(&output)
    );
}

/// The two halves of a picture of two sides, without the captions under them.
fn halves(picture: &image::RgbImage) -> [image::RgbImage; 2] {
    let (width, height) = picture.dimensions();
    let half = (width - 2) / 2;
    [0, half + 2].map(|x| image::imageops::crop_imm(picture, x, 0, half, height * 4 / 5).to_image())
}

/// Share of pixels that are clearly different.
pub fn difference(a: &image::RgbImage, b: &image::RgbImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let clearly = |(a, b): &(&image::Rgb<u8>, &image::Rgb<u8>)| {
        a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 24)
    };
    let count = a.pixels().zip(b.pixels()).filter(clearly).count();
    count as f64 / f64::from(a.width() * a.height())
}

#[test]
fn methods_side_by_side_differ_and_the_same_twice_does_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let picture = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut all = vec!["--frames", "2", "--warmup", "0.7"];
        all.extend(["--set", "motion.amplitude=40", "--out", text(&out)]);
        all.extend(more);
        let output = render_at("402x210", &all)?;
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let pictures = frames(&out, "png");
        assert_eq!(pictures.len(), 2);
        assert!(pictures[0] != pictures[1], "it moves");
        assert_eq!(pictures[1].dimensions(), (402, 210));
        Some(pictures[1].clone())
    };
    let Some(different) = picture("different", &["--compare", "pbd,rod"]) else {
        return;
    };
    let [left, right] = halves(&different);
    let found = difference(&left, &right);
    assert!(found > 0.01, "two methods look alike: {found}");
    let more = |name: &str, more: &[&str]| picture(name, more).expect("what worked once");
    let [left, right] = halves(&more("same", &["--compare", "rod,rod"]));
    assert!(left == right, "one method looks like two");
    // A parameter of the first side is one of the second, too ...
    let limp = "rod.stiffness=0.05";
    let both = ["--compare", "rod,rod", "--set", limp];
    let [left, right] = halves(&more("both", &both));
    assert!(left == right, "the second side does not follow the first");
    // ... unless the second has one of its own; then only that half changes.
    let second = ["--compare", "rod,rod", "--set", "b.rod.stiffness=0.05"];
    let [apart, own] = halves(&more("second", &second));
    assert!(own == left, "it is not the second side's parameter");
    assert!(
        difference(&apart, &own) > 0.01,
        "the parameter has no effect"
    );
    // Six, of which the first and the last are the same method.
    let six = more("six", &["--compare", "pbd,rod,pbd,rod,pbd,rod"]);
    let cell = |column: u32, row: u32| {
        image::imageops::crop_imm(&six, column * 134, row * 106, 132, 80).to_image()
    };
    assert!(cell(0, 0) == cell(2, 0) && cell(1, 0) == cell(2, 1));
    assert!(difference(&cell(0, 0), &cell(1, 0)) > 0.01);
}

#[test]
fn a_scene_of_two_sides_is_drawn_as_the_window_shows_it() {
    let (_folder, path) = folder_with(
        "two.toml",
        b"version = 1\n[compare]\non = true\n[b.sim]\nsolver = \"rod\"\n[motion]\namplitude = 40.0\n",
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let one_frame = ["--frames", "1", "--warmup", "0.7"];
    let scene = [&[text(&path)], &one_frame[..], &["--out", text(&one)]].concat();
    let Some(output) = render_at("402x210", &scene) else {
        return;
    };
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let options = ["--set", "motion.amplitude=40", "--compare", "pbd,rod"];
    let all = [&options[..], &one_frame[..], &["--out", text(&two)]].concat();
    render_at("402x210", &all).expect("it works");
    assert!(frames(&one, "png") == frames(&two, "png"));
}

#[test]
fn a_wrong_comparison_is_refused_with_the_nearest_name() {
    for (ids, wanted) in [
        ("pbd,rodd", "did you mean rod?"),
        ("pbd", "two to six methods"),
        ("pbd,pbd,pbd,pbd,pbd,pbd,pbd", "two to six methods"),
    ] {
        let said = complaint(2, &["render", "--frames", "1", "--compare", ids]);
        assert!(said.contains(wanted), "{ids}: {said}");
    }
    let both = [
        "render",
        "--frames",
        "1",
        "--compare",
        "pbd,rod",
        "--solver",
        "ftl",
    ];
    let output = run(&both);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("cannot be used with"),
        "{}",
        stderr(&output)
    );
    let said = complaint(2, &["render", "--frames", "1", "--set", "b.rod.stifness=2"]);
    assert!(said.contains("did you mean b.rod.stiffness?"), "{said}");
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
    let said = stderr(&output);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("it is not a folder; choose another"),
        "{said}"
    );
}

/// The pictures of a `render` with these arguments.
pub fn pictures(arguments: &[&str]) -> Option<Vec<image::RgbImage>> {
    pictures_of("96x64", arguments)
}

/// The same of that size.
pub fn pictures_of(size: &str, arguments: &[&str]) -> Option<Vec<image::RgbImage>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let output = render_at(size, &[arguments, &["--out", text(&out)]].concat())?;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    Some(frames(&out, "png"))
}

#[test]
fn a_view_is_a_place_of_the_camera_by_name() {
    let one = ["--frames", "1"];
    let set = |yaw: &'static str, pitch: &'static str| {
        pictures(&[&one[..], &["--set", yaw, "--set", pitch]].concat())
    };
    let Some(side) = set("camera.yaw=90", "camera.pitch=3") else {
        return;
    };
    let from = |name: &str| pictures(&[&one[..], &["--view", name]].concat()).expect("a view");
    assert!(difference(&side[0], &from("side")[0]) < 0.002);
    let all: Vec<_> = ["front", "three-quarter", "Back", "top", "curl"]
        .map(from)
        .into_iter()
        .chain([side])
        .collect();
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            assert!(difference(&a[0], &b[0]) > 0.03, "two views are alike");
        }
    }

    // A view that the scene keeps.
    let scene = "[[view]]\nname = \"My side\"\nyaw = 90\npitch = 3\nfov = 24\n";
    let (_folder, path) = folder_with("s.toml", scene.as_bytes());
    let kept = pictures(&[text(&path), "--frames", "1", "--view", "my side"]).expect("a view");
    assert!(difference(&kept[0], &all[5][0]) < 0.002);
    let message = complaint(
        2,
        &["render", text(&path), "--frames", "1", "--view", "my sid"],
    );
    assert!(
        message.contains("\"my sid\"") && message.contains("did you mean My side?"),
        "{message}"
    );
}

#[test]
fn a_still_is_one_clean_picture_of_any_size() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = ["--out", text(folder.path())];
    let still = [&["--still", "--samples", "3"][..], &out].concat();
    let Some(output) = render_at("2100x40", &still) else {
        return;
    };
    assert!(output.status.success(), "{}", stderr(&output));
    let taken = frames(folder.path(), "png");
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].dimensions(), (2100, 40));

    // Without --still, each frame is an average; bad wishes are refused.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = ["--out", text(folder.path())];
    let averaged = [&["--frames", "2", "--samples", "2"][..], &out].concat();
    assert!(render(&averaged).is_some_and(|output| output.status.success()));
    assert_eq!(frames(folder.path(), "png").len(), 2);
    for wrong in [
        &["render", "--still", "--frames", "3"][..],
        &["render", "--still", "--samples", "0"],
        &["render", "--still", "--size", "20000x20"],
    ] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let message = complaint(2, &["render", "--still", "--colour", "mauve"]);
    assert!(message.contains("mauve") && message.contains("auburn"));
}
