//! What comes in from other programs and goes out to them: axes, times, units, and what
//! is said of them.

use crate::{
    inputs::inputs,
    numpy::{f32s, npy, npz},
    program::{SMALL, complaint, run, stderr, stdout, text},
};
use lovelock::io::strands::{self, Strands};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

fn told(path: &Path) -> Value {
    serde_json::from_str(&ok(&["info", "--json", text(path)])).expect("JSON")
}

/// The built-in head with z up.
fn lying_head(folder: &Path) -> PathBuf {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    let lines = fs::read_to_string(file).expect("the head");
    let mut out = String::new();
    for line in lines.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["v", x, y, z] => {
                let z: f64 = z.parse().expect("a number");
                out += &format!("v {x} {} {y}\n", -z);
            }
            ["vn", ..] => {}
            _ => out += &format!("{line}\n"),
        }
    }
    let path = folder.join("lying.obj");
    fs::write(&path, out).expect("written");
    path
}

#[test]
fn an_export_has_the_axis_of_the_head_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = lying_head(folder.path());
    let set = [
        "--set",
        "head.up=z",
        "--motion",
        "none",
        "--seconds",
        "0.05",
    ];
    let short = [&["simulate", "--head", text(&head)], &set[..], SMALL].concat();
    let hair = folder.path().join("hair.usda");
    let more = ["--export", text(&hair), "--export-head"];
    let said = ok(&[&short[..], &more].concat());
    assert!(said.contains("in m, z up (as the head's file)"), "{said}");
    assert!(!said.contains("the head moves"), "{said}");
    assert_eq!(
        (&told(&hair)["up"], &told(&hair)["units"]),
        (&"z".into(), &"m".into())
    );
    // Hair and head lie where the head's file has the head.
    let ply = folder.path().join("hair.ply");
    ok(&[&short[..], &["--export", text(&ply), "--export-head"]].concat());
    let high = |path: &Path| told(path)["bbox_max"][2].as_f64().expect("a number");
    let beside = folder.path().join("head_hair.obj");
    assert!((high(&beside) - high(&head)).abs() < 1e-4);
    assert!((high(&hair) - high(&head)).abs() < 0.1, "{}", high(&hair));
    let said = ok(&[&short[..], &more, &["--export-up", "y"]].concat());
    assert!(said.contains("y up (as asked for)"), "{said}");
    assert_eq!(told(&hair)["up"], "y");
    let refused = run(&[&short[..], &more, &["--export-up", "x"]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("choose --export-up y or z"),
        "{refused:?}"
    );
}

#[test]
fn numbered_files_are_frames_of_the_film_and_older_ones_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let pattern = folder.path().join("h.####.data");
    let short = [&["simulate", "--export", text(&pattern)], SMALL].concat();
    let said = ok(&[&short[..], &["--seconds", "0.25"]].concat());
    assert!(
        said.contains("7 frames at 24 a second from time zero"),
        "{said}"
    );
    assert!(
        said.contains("the head moves (motion.preset = sway)"),
        "{said}"
    );
    assert!(said.contains("in 15 steps"), "{said}");
    let said = ok(&[&short[..], &["--seconds", "0.1"]].concat());
    assert!(said.contains("3 frames at 24 a second"), "{said}");
    let stay = "4 older files of this pattern stay, h.0004.data to h.0007.data";
    assert!(said.contains(stay), "{said}");
    // The first is the hair at rest, whatever the pace.
    let first = |every: &[&str]| {
        ok(&[&short[..], &["--seconds", "0.1"], every].concat());
        fs::read(folder.path().join("h.0001.data")).expect("a frame")
    };
    let film = first(&[]);
    assert!(film == first(&["--export-every", "1"]) && film == first(&["--export-every", "3"]));
}

#[test]
fn one_file_has_as_many_frames_a_second_as_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, fps, frames) in [
        ("h.abc", "24", 7),
        ("h.usdc", "30", 8),
        ("h.usda", "59.94", 15),
    ] {
        let film = folder.path().join(name);
        let wanted = [
            "--seconds",
            "0.25",
            "--export-fps",
            fps,
            "--export",
            text(&film),
        ];
        let said = ok(&[&["simulate"], &wanted[..], SMALL].concat());
        let told = format!("{frames} frames at {fps} a second from time zero");
        assert!(said.contains(&told), "{said}");
        let told = self::told(&film);
        assert_eq!(told["frames"], frames, "{told}");
        let rate = told["fps"].as_f64().expect("a rate");
        assert!(
            (rate - fps.parse::<f64>().expect("a number")).abs() < 0.01,
            "{told}"
        );
    }
    let single = folder.path().join("h.ply");
    let wanted = ["simulate", "--export", text(&single), "--export-fps", "24"];
    let said = complaint(2, &[&wanted[..], SMALL].concat());
    assert!(said.contains("an animation needs a number"), "{said}");
}

/// A row that a point which is no number cuts, one without any point, one far away.
#[test]
fn what_is_wrong_with_an_array_is_said_before_it_is_simulated() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("strands.npz");
    let mut places: Vec<f32> = (0..60 * 8 * 3)
        .map(|i| match (i % 3, i / 24, i / 3 % 8) {
            (0, strand, _) => 0.01 * (strand % 10) as f32,
            (1, _, point) => -0.02 * point as f32,
            (_, strand, _) => 0.01 * (strand / 10) as f32,
        })
        .collect();
    places[24 * 7 + 3 * 5] = f32::NAN;
    places[24 * 9..24 * 10].fill(f32::NAN);
    places[24 * 11 + 6] = 1e6;
    let array = |shape: &str, values: Vec<f32>| npy("<f4", false, shape, &f32s(values));
    let arrays = [
        ("positions", array("(60, 8, 3)", places)),
        ("root_normal", array("(60, 3)", vec![1.0; 60 * 3])),
    ];
    fs::write(&path, npz(&arrays, true)).expect("written");
    let out = folder.path().join("out.ply");
    for arguments in [
        vec!["info", text(&path)],
        vec!["info", text(&path), "--head"],
        vec!["convert", text(&path), text(&out)],
    ] {
        let said = ok(&arguments);
        for wanted in [
            "2 rows end before a point that is no number, the first of them strand 7 (counted \
             from 0) after 5 of 8 points; 2 points are left out that lie behind such points; 1 \
             strand has no point at all",
            "strand (11) has points far from all other hair",
            "root_normal is in the file as root_normal_0 to root_normal_2",
        ] {
            assert!(said.contains(wanted), "{arguments:?}: {said}");
        }
    }
}

/// A strand that moves at these time codes.
fn layer(head: &str, body: &str) -> String {
    format!(
        "#usda 1.0\n(\n{head}\n)\ndef Xform \"Top\"\n{{\n    def BasisCurves \"hair\"\n    {{\n        \
         uniform token type = \"linear\"\n        int[] curveVertexCounts = [2]\n{body}\n    }}\n}}\n"
    )
}

const STILL: &str = "        point3f[] points = [(0, 0, 0), (0, 1, 0)]";

#[test]
fn a_film_keeps_its_time_codes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let codes = "timeCodesPerSecond = 24\nmetersPerUnit = 0.01\nupAxis = \"Z\"";
    let pose = |code: u32| format!("{code}: [(0, 0, 0), (0, 1, {code})], ");
    let poses: String = (1001..1004).map(pose).collect();
    let points = format!("        point3f[] points.timeSamples = {{ {poses} }}");
    fs::write(path("in.usda"), layer(codes, &points)).expect("written");
    let said = ok(&["convert", text(&path("in.usda")), text(&path("out.abc"))]);
    assert!(!said.contains("left aside"), "{said}");
    ok(&["convert", text(&path("in.usda")), text(&path("mid.usdc"))]);
    for from in ["out.abc", "mid.usdc"] {
        let said = ok(&["convert", text(&path(from)), text(&path("back.usda"))]);
        assert!(!said.contains("does not say its unit"), "{from}: {said}");
        let back = fs::read_to_string(path("back.usda")).expect("text");
        for wanted in [
            "startTimeCode = 1001",
            "endTimeCode = 1003",
            "metersPerUnit = 0.01",
            "upAxis = \"Z\"",
            "            1003: [(",
        ] {
            assert!(back.contains(wanted), "{from}, {wanted}: {back}");
        }
    }
    ok(&["convert", text(&path("out.abc")), text(&path("h.####.obj"))]);
    assert!(path("h.1001.obj").is_file() && path("h.1003.obj").is_file());
    // What is simulated begins at time zero, whatever its frames.
    for every in ["1", "3"] {
        let film = path("film.usda");
        let more = ["--seconds", "0.1", "--export-every", every];
        ok(&[&["simulate", "--export", text(&film)], &more[..], SMALL].concat());
        let text = fs::read_to_string(&film).expect("text");
        assert!(text.contains("startTimeCode = 0\n"), "{every}");
    }
}

#[test]
fn a_unit_that_no_file_says_is_not_made_up_in_silence() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let short = ["simulate", "--seconds", "0.02", "--export"];
    ok(&[&short[..], &[text(&path("a.data"))], SMALL].concat());
    let convert = ["convert", text(&path("a.data")), text(&path("a.usda"))].map(String::from);
    let convert: Vec<&str> = convert.iter().map(String::as_str).collect();
    let said = ok(&convert);
    assert!(
        said.contains("does not say its unit, and metres are written"),
        "{said}"
    );
    assert!(said.contains("does not say which axis points up"), "{said}");
    let said = ok(&[&convert[..], &["--units", "cm", "--up", "z"]].concat());
    assert!(!said.contains("does not say"), "{said}");
    let told = told(&path("a.usda"));
    assert_eq!((&told["units"], &told["up"]), (&"cm".into(), &"z".into()));
}

#[test]
fn what_usd_files_do_not_show_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hair.usda");
    let write = |content: &str| fs::write(&path, content).expect("written");
    let refers = "def \"b\" ( references = @other.usda@</h> ) {}\n";
    write(&format!("#usda 1.0\n{refers}"));
    let said = complaint(1, &["convert", text(&path), "x.abc"]);
    assert!(
        said.contains("references, payloads, sublayers) is not followed; flatten it"),
        "{said}"
    );
    // Beside other hair it is a warning, in info and in convert.
    write(&(layer("", STILL) + refers));
    let warnings = told(&path)["warnings"].to_string();
    assert!(warnings.contains("what it refers to"), "{warnings}");
    let out = folder.path().join("out.abc");
    let said = ok(&["convert", text(&path), text(&out)]);
    assert!(said.contains("what it refers to"), "{said}");
    write(
        "#usda 1.0\ndef Xform \"a\" ( variants = { string v = \"x\" } prepend variantSets = \"v\" )\n\
         {\n    variantSet \"v\" = { \"x\" { def BasisCurves \"h\" { } } }\n}\n",
    );
    let said = complaint(1, &["info", text(&path)]);
    assert!(
        said.contains("no BasisCurves outside its sets of variants"),
        "{said}"
    );
    let hidden = format!("        token visibility = \"invisible\"\n{STILL}");
    write(&layer("", &hidden));
    let said = complaint(1, &["convert", text(&path), "x.abc"]);
    assert!(said.contains("1 prim of curves is invisible"), "{said}");
}

#[test]
fn arrays_say_widths_and_colours_and_wrong_counts_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hair.npz");
    let points = || npy("<f4", false, "(6, 3)", &f32s((0..18).map(|i| i as f32)));
    let counts = |of: [i32; 2]| {
        let bytes: Vec<u8> = of.iter().flat_map(|n| n.to_le_bytes()).collect();
        ("counts", npy("<i4", false, "(2,)", &bytes))
    };
    let widths = npy("<f4", false, "(2,)", &f32s([0.5, 0.25]));
    let colours = npy(
        "<f4",
        false,
        "(6, 3)",
        &f32s((0..18).map(|i| i as f32 / 18.0)),
    );
    let all = [
        ("points", points()),
        counts([4, 2]),
        ("groom_width", widths),
        ("Cd", colours),
    ];
    fs::write(&path, npz(&all, true)).expect("written");
    let (_, read) = strands::read(&path).expect("reads");
    assert_eq!(read.widths, [0.5, 0.5, 0.5, 0.5, 0.25, 0.25]);
    assert_eq!((read.colours.len(), read.attributes.len()), (6, 0));
    fs::write(&path, npz(&[("points", points()), counts([4, 1])], true)).expect("written");
    let said = complaint(1, &["info", text(&path)]);
    assert!(
        said.contains("counts adds up to 5 and there are 6 points"),
        "{said}"
    );
}

#[test]
fn all_strands_without_numbers_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nan.obj");
    let mut lines = String::new();
    for strand in 0..9 {
        let x = if strand % 2 == 1 { "nan" } else { "0" };
        lines += &format!(
            "v {x} 0 0\nv 0 1 0\nl {} {}\n",
            2 * strand + 1,
            2 * strand + 2
        );
    }
    fs::write(&path, lines).expect("written");
    let said = complaint(1, &["simulate", "--groom", text(&path)]);
    assert!(
        said.contains("point 0 of strand 1 is not a number")
            && said.contains("3 more strands have such points (3, 5, 7)"),
        "{said}"
    );
}

#[test]
fn hair_that_runs_from_tip_to_root_is_told_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hair.data");
    let short = [
        "simulate",
        "--seconds",
        "0.02",
        "--style",
        "straight",
        "--export",
    ];
    ok(&[&short[..], &[text(&path)], SMALL].concat());
    let (format, read) = strands::read(&path).expect("reads");
    let reversed = Strands {
        points: read.iter().flat_map(|s| s.iter().rev().copied()).collect(),
        ..read.clone()
    };
    let writing = format.writing.as_ref().expect("is written");
    strands::write(&path, writing, &reversed).expect("writes");
    let worn = run(&["simulate", "--seconds", "0.02", "--groom", text(&path)]);
    assert!(
        stderr(&worn).contains("strands seem to run from tip to root"),
        "{worn:?}"
    );
}

#[test]
fn a_fit_keeps_what_is_set_and_finds_what_is_nearest() {
    let Some(inputs) = inputs() else { return };
    let groom = inputs.join("hair/Bangs_100.hair");
    let head = inputs.join("heads/digitalsalon_female_head.obj");
    let told = ok(&["info", "--json", text(&groom), "--head", text(&head)]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let fit = &told["head_fit"]["fit"];
    assert_eq!(fit["up"], "x", "{fit}");
    let distance = fit["distance_m"].as_f64().expect("a number");
    assert!(distance < 0.0075, "{fit}");
    let fitted = |set: &[&str]| {
        let set = set.iter().flat_map(|of| ["--set", of]);
        let short = ["simulate", "--seconds", "0.02", "--motion", "none", "--fit"];
        let files = ["--groom", text(&groom), "--head", text(&head)];
        ok(&short
            .into_iter()
            .chain(files)
            .chain(set)
            .collect::<Vec<_>>())
    };
    let said = fitted(&["import.up=z", "import.units=mm", "import.scale=1"]);
    assert!(said.contains("the unit is mm, z is up"), "{said}");
}

#[test]
fn info_counts_the_poses_of_a_head() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("head.usda");
    let pose = |x: u32| format!("{x}: [({x}, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]");
    fs::write(
        &path,
        format!(
            "#usda 1.0\n(\n    timeCodesPerSecond = 24\n)\ndef Mesh \"head\"\n{{\n    \
             int[] faceVertexCounts = [3, 3, 3, 3]\n    int[] faceVertexIndices = [0, 2, 1, 0, 1, \
             3, 0, 3, 2, 1, 2, 3]\n    point3f[] points.timeSamples = {{ {}, {}, {} }}\n}}\n",
            pose(0),
            pose(1),
            pose(2)
        ),
    )
    .expect("written");
    let told = told(&path);
    assert_eq!((&told["frames"], &told["fps"]), (&3.into(), &24.0.into()));
    assert!(ok(&["info", text(&path)]).contains("poses       3, 24 a second: 0.08 s"));
}

#[test]
fn another_head_or_groom_is_not_read_as_that_of_the_scene_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("a.data");
    let short = ["simulate", "--seconds", "0.02"];
    ok(&[&short[..], &["--export", text(&data)], SMALL].concat());
    let scene = path("scene.toml");
    fs::write(
        &scene,
        "version = 1\n[head]\nfile = \"gone.obj\"\nunits = \"mm\"\nscale = 3.0\n[import]\nfile = \
         \"gone.hair\"\nunits = \"mm\"\nup = \"z\"\n[motion]\npreset = \"sequence\"\nsequence = \
         \"gone.0001.obj\"\n[groom]\ntie = \"ponytail\"\n",
    )
    .expect("written");
    let head = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    let wanted = [text(&scene), "--head", head, "--groom", text(&data)];
    let units = ["--set", "import.units=m", "--set", "head.units=m"];
    let said = ok(&[&short[..], &wanted, &units, SMALL].concat());
    // Neither three times as large, nor the animated one.
    let plain = ok(&[&short[..], &wanted[1..3], &units[2..], SMALL].concat());
    let size = |said: &str| said.lines().next().map(String::from);
    assert_eq!(size(&said), size(&plain));
    // A style keeps the cut, and lets hair grow.
    let out = path("style.hair");
    let set = ["--head", head, "--style", "wavy", "--export", text(&out)];
    ok(&[&short[..], &[text(&scene)], &set, SMALL].concat());
    // What ends in .usd is USD.
    ok(&["convert", text(&data), text(&path("b.usd"))]);
    assert_eq!(told(&path("b.usd"))["kind"], "groom");
    // A job never takes the place of the scene that it is made of.
    let farm = [
        "farm",
        text(&scene),
        "--frames",
        "4",
        "--out",
        text(folder.path()),
    ];
    let said = complaint(2, &farm);
    assert!(said.contains("would take the place of"), "{said}");
}
