//! Hair out of the program and into it again.

use crate::program::{SMALL, complaint, folder_with, run, stderr, stdout, text};
use std::path::Path;

fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "{arguments:?}");
    stdout(&output)
}

fn told(path: &Path) -> serde_json::Value {
    serde_json::from_str(&ok(&["info", "--json", text(path)])).expect("JSON")
}

#[test]
fn hair_is_exported_told_of_and_worn_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let short = [&["simulate", "--seconds", "0.1"], SMALL].concat();
    for (name, strands, units) in [
        ("pose.usda", 60, "cm"),
        ("pose.hair", 60, "unknown"),
        // With the fine hairs of the hairline, 12 in 100.
        ("drawn.ply", 403, "unknown"),
    ] {
        let path = path(name);
        let drawn: &[&str] = if strands == 60 {
            &[]
        } else {
            &["--export-drawn"]
        };
        let more = ["--export", text(&path), "--export-units", "cm"];
        let said = ok(&[&short[..], &more, drawn].concat());
        assert!(said.contains("exported"), "{said}");
        let told = told(&path);
        assert_eq!(told["kind"], "groom");
        assert_eq!(told["strands"], strands, "{name}");
        assert_eq!(
            (&told["min_vertices"], &told["max_vertices"]),
            (&12.into(), &12.into())
        );
        assert_eq!(told["units"], units, "{name}");
        let tall = told["bbox_max"][1].as_f64().expect("a number");
        assert!((5.0..60.0).contains(&tall), "in centimetres, not {tall}");
        // Worn on the head that it grew on, it is where it was.
        let worn = ["simulate", "--groom", text(&path), "--seconds", "0.05"];
        let said = ok(&worn);
        assert!(said.contains("60, 720 vertices"), "{said}");
        // What was drawn follows again, unless all are to be simulated.
        let follow = "60 of them are simulated, the others follow";
        assert_eq!(said.contains(follow), strands > 60, "{said}");
        let all = format!("import.guides={strands}");
        let said = ok(&[&worn[..], &["--set", &all]].concat());
        assert!(
            said.contains(&format!("{strands}, {} vertices", 12 * strands)),
            "{said}"
        );
    }
    let lost = ok(&[&short[..], &["--export", text(&path("x.data"))]].concat());
    assert!(lost.contains("widths are not in the file"), "{lost}");
}

#[test]
fn an_animation_is_one_file_or_many() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let short = [&["simulate", "--seconds", "0.1"], SMALL].concat();
    let every = ["--export-every", "3"];
    let many = path("hair.####.obj");
    ok(&[
        &short[..],
        &["--export", text(&many), "--export-head"],
        &every,
    ]
    .concat());
    for name in ["hair.0001.obj", "hair.0003.obj", "head_hair.0003.obj"] {
        assert!(path(name).is_file(), "{name}");
    }
    assert!(
        !path("hair.0004.obj").exists(),
        "six steps, each third, and the beginning"
    );
    assert_eq!(told(&path("hair.0002.obj"))["kind"], "groom");
    assert_eq!(told(&path("head_hair.0002.obj"))["kind"], "mesh");
    let film = path("film.usda");
    let said = ok(&[&short[..], &["--export", text(&film)], &every].concat());
    assert!(
        said.contains("3 frames") && said.contains("read back: 60 strands"),
        "{said}"
    );
    let scene = path("worn.toml");
    std::fs::write(
        &scene,
        "version = 1\n[import]\nfile = \"film.usda\"\nguides = 20\n",
    )
    .expect("written");
    let worn = run(&["simulate", text(&scene), "--seconds", "0.05"]);
    assert!(stdout(&worn).contains("20, 240 vertices"), "{worn:?}");
    let left = "the first of its 3 poses is taken as the hair at rest, and 2 are left aside";
    assert!(stderr(&worn).contains(left), "{worn:?}");
}

/// A groom that moves is played as a cache is, and converted pose by pose.
#[test]
fn a_groom_that_moves_is_played_and_converted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let film = path("film.abc");
    let short = ["simulate", "--seconds", "0.1", "--export-every", "3"];
    ok(&[&short[..], &["--export", text(&film)], SMALL].concat());
    let moving = told(&film);
    assert_eq!(
        (&moving["frames"], &moving["fps"]),
        (&3.into(), &20.0.into())
    );
    for name in ["out.usdc", "back.abc", "hair.cache"] {
        let from = if name == "back.abc" {
            path("out.usdc")
        } else {
            film.clone()
        };
        ok(&["convert", text(&from), text(&path(name))]);
    }
    let back = told(&path("back.abc"));
    for key in ["frames", "fps", "strands", "points", "bbox_min", "bbox_max"] {
        assert_eq!(moving[key], back[key], "{key}");
    }
    let cache = told(&path("hair.cache"));
    for key in ["frames", "fps", "strands", "points"] {
        assert_eq!(moving[key], cache[key], "{key}");
    }
    // One file a pose.
    ok(&["convert", text(&film), text(&path("hair.##.obj"))]);
    assert!(path("hair.00.obj").is_file() && path("hair.02.obj").is_file());
    assert!(!path("hair.03.obj").exists());
    let refused = run(&["convert", text(&film), text(&path("hair.obj"))]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("write hair.####.obj"),
        "{refused:?}"
    );
    let still = run(&["render", "--cache", text(&path("hair.01.obj"))]);
    assert!(stderr(&still).contains("no cache of hair"), "{still:?}");
    let other = ["--set", "roots.strands=20"];
    let refused = run(&[&["convert", text(&film), text(&path("x.usdc"))], &other[..]].concat());
    assert!(stderr(&refused).contains("are for a cache"), "{refused:?}");
}

#[test]
fn a_groom_that_lies_astray_is_fitted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let hair = path("hair.ply");
    let short = [&["simulate", "--seconds", "0.02"], SMALL].concat();
    ok(&[&short[..], &["--export", text(&hair)]].concat());
    let worn = ["simulate", "--seconds", "0.02", "--groom", text(&hair)];
    let bounds = |path: &Path| -> Vec<f64> {
        let told = told(path);
        let corner = |key: &str| {
            (0..3)
                .map(|i| told[key][i].as_f64().expect("a number"))
                .collect::<Vec<f64>>()
        };
        ["bbox_min", "bbox_max"].map(corner).concat()
    };
    // How far the box around the worn hair is from that of the file, and what is warned.
    let worn = |more: &[&str]| -> (f64, String) {
        let out = path("worn.ply");
        let output = run(&[&worn[..], &["--export", text(&out)], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let pairs = bounds(&hair).into_iter().zip(bounds(&out));
        let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (apart, stderr(&output))
    };
    let astray = [
        "--set",
        "import.units=m",
        "--set",
        "import.offset=0.5,0.1,0",
    ];
    let (apart, warned) = worn(&astray);
    // Its roots are drawn to the nearest skin, all on one side.
    assert!(apart > 0.05, "it grows from one side: {apart}");
    assert!(warned.contains("does not fit this head"), "{warned}");
    for more in [&[&astray[..], &["--fit"]].concat()[..], &["--fit"]] {
        let (apart, warned) = worn(more);
        assert!(
            apart < 0.005,
            "{more:?}: it is where the file has it: {apart}"
        );
        assert!(!warned.contains("does not fit"), "{warned}");
    }
    // Fitting computes before the hair does: the threads are for both.
    let fit = ["--groom", text(&hair), "--fit", "--threads", "2"];
    let done = run(&[&["simulate", "--seconds", "0"], &fit[..]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let said = |words: &[&str]| stderr(&run(&[words, &fit[..]].concat()));
    let late = said(&["sweep", "--vary", "wind.strength=1,2", "--only", "7"]);
    assert!(late.contains("--only 7 is none of them"), "{late}");
    let dark = ["--still", "--set", "light.environment=none.hdr"];
    let late = said(&[&["render"], &dark[..]].concat());
    assert!(late.contains("none.hdr"), "{late}");
    let said = complaint(2, &["simulate", "--fit"]);
    assert!(said.contains("give --groom FILE"), "{said}");
}

#[test]
fn it_is_told_how_a_groom_lies_and_one_that_is_a_little_off_is_brought_to_the_skin() {
    let folder = tempfile::tempdir().expect("a folder");
    let hair = folder.path().join("hair.ply");
    let short = [&["simulate", "--seconds", "0.02"], SMALL].concat();
    ok(&[&short[..], &["--export", text(&hair)]].concat());
    let told = ok(&["info", text(&hair), "--head", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let lies = &told["head_fit"]["lies"];
    assert_eq!(lies["verdict"], "well", "{told}");
    let number = |key: &str| lies[key].as_f64().expect("a number");
    assert!(number("median_distance_m") < 0.001, "{lies}");
    assert!(number("on_scalp_share") > 0.95, "{lies}");
    let told = ok(&["info", text(&hair), "--head"]);
    assert!(told.contains("Lies well: roots 0"), "{told}");
    // A centimetre too high; without a turn it comes back.
    let off = ["--set", "import.units=m", "--set", "import.offset=0,0.01,0"];
    for how in ["here", "drop"] {
        let groom = ["simulate", "--seconds", "0", "--groom", text(&hair)];
        let near = ["--fit-near", how];
        let said = ok(&[&groom[..], &off, &near].concat());
        let line = said.lines().find(|line| line.starts_with("fitted"));
        let line = line.expect("it is told");
        let offset = line.rsplit_once("offset ").expect("an offset").1;
        let numbers = offset.trim_end_matches(" m").split(' ');
        let numbers: Vec<f64> = numbers.map(|n| n.parse().expect("a number")).collect();
        assert!(numbers.iter().all(|n| n.abs() < 0.004), "{how}: {line}");
    }
    let said = complaint(2, &["simulate", "--fit-near", "drop"]);
    assert!(said.contains("give --groom FILE"), "{said}");
}

#[test]
fn a_groom_that_does_not_move_is_no_cache() {
    let (folder, path) = folder_with("hair.obj", b"v 0 0 0\nv 0 1 0\nl 1 2\n");
    let cache = folder.path().join("out.cache");
    let said = complaint(1, &["convert", text(&path), text(&cache)]);
    let wanted = format!("lovelock simulate --groom {} --cache", path.display());
    assert!(
        said.contains("has one pose") && said.contains(&wanted),
        "{said}"
    );
}

#[test]
fn what_cannot_be_written_or_read_is_refused_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let refused = |code: i32, more: &[&str]| complaint(code, &[&["simulate"], more].concat());
    let said = refused(2, &["--export", &path("x.foo")]);
    assert!(
        said.contains("\"foo\" is no format that is written"),
        "{said}"
    );
    let said = refused(2, &["--export", &path("x.hair"), "--export-every", "3"]);
    assert!(said.contains("write --export hair.####.hair"), "{said}");
    let (_folder, cut) = folder_with("groom.hair", b"HAIR");
    let said = refused(1, &["--groom", text(&cut)]);
    assert!(said.contains("groom.hair, byte 4:"), "{said}");
    assert!(complaint(1, &["info", text(&cut)]).contains("byte 4"));
    let said = complaint(2, &[text(&cut)]);
    assert!(
        said.contains("is a groom, not a scene; write --groom"),
        "{said}"
    );
}
