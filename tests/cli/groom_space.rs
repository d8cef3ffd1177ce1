//! `lovelock convert` of grooms: other units and axes, sequences of files, names that end
//! otherwise, and files that are there already.

use crate::program::{complaint, run, stderr, stdout, text};
use glam::Vec3;
use lovelock::io::strands::{self, Strands};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// Two strands in metres with y up, or as much as the format can say; `lift` raises them.
fn write(path: &Path, lift: f32) {
    let ending = path.extension().expect("an ending").to_string_lossy();
    let (_, writing) = strands::writer(&ending).expect("is written");
    let up = |y: f32| Vec3::new(0.125, y + lift, 0.5);
    let strands = Strands {
        points: [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75].map(up).into(),
        starts: vec![0, 4, 8],
        widths: vec![0.001; 8],
        up: Some(lovelock::mesh::Up::Y),
        metres_per_unit: Some(1.0),
        ..Strands::default()
    };
    strands::write(path, writing, &strands).expect("written");
}

fn read(path: &Path) -> Strands {
    strands::read(path).expect("reads").1
}

#[test]
fn a_groom_is_brought_to_another_unit_and_axis() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    write(&at("in.abc"), 0.0);
    let space = ["--export-units", "cm", "--export-up", "z"];
    for (format, _) in strands::written() {
        let out = at(&format!("out.{}", format.endings[0]));
        let told = ok(&[&["convert", text(&at("in.abc")), text(&out)], &space[..]].concat());
        assert!(told.contains("in cm, z up"), "{told}");
        let back = read(&out);
        // Across, forward, up: (x, -z, y), in centimetres.
        assert_eq!(
            back.points[1],
            Vec3::new(12.5, -50.0, 25.0),
            "{}",
            format.id
        );
        if let Some(width) = back.widths.first() {
            assert!((width - 0.1).abs() < 1e-6, "{}: {width}", format.id);
        }
        if format.carries.units {
            let says = (back.metres_per_unit, back.up);
            assert_eq!(
                says,
                (Some(0.01), Some(lovelock::mesh::Up::Z)),
                "{}",
                format.id
            );
        }
    }
    // There and back is the same, and nothing is changed that is not asked for.
    let (usd, home, plain) = (at("out.usda"), at("home.usda"), at("plain.usda"));
    let back = ["--export-units", "m", "--export-up", "y"];
    ok(&[&["convert", text(&usd), text(&home)], &back[..]].concat());
    ok(&["convert", text(&at("in.abc")), text(&plain)]);
    let (first, home) = (read(&at("in.abc")), read(&home));
    let apart = first
        .points
        .iter()
        .zip(&home.points)
        .map(|(a, b)| a.distance(*b));
    assert!(apart.fold(0.0, f32::max) < 1e-6);
    assert_eq!(read(&plain).points, first.points);
    // A file that does not say its unit is told what was taken for it.
    ok(&["convert", text(&at("in.abc")), text(&at("bare.hair"))]);
    let units = ["--export-units", "cm"];
    let told = ok(&[
        &["convert", text(&at("bare.hair")), text(&at("b.usda"))],
        &units[..],
    ]
    .concat());
    assert!(told.contains("metres were taken; say --units cm"), "{told}");
    assert_eq!(read(&at("b.usda")).points[0], Vec3::new(12.5, 0.0, 50.0));
    let millimetres = ["--units", "mm"];
    let (bare, usda) = (at("bare.hair"), at("b.usda"));
    let both = ["convert", text(&bare), text(&usda)];
    ok(&[&both[..], &units, &millimetres].concat());
    assert!((read(&at("b.usda")).points[0].x - 0.0125).abs() < 1e-9);
    let x = [
        "convert",
        text(&usd),
        text(&at("x.usda")),
        "--export-up",
        "x",
    ]
    .map(String::from);
    let said = complaint(2, &x.each_ref().map(String::as_str));
    assert!(said.contains("choose --export-up y or z"), "{said}");
}

#[test]
fn a_sequence_of_files_becomes_one_animation() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for number in 11..14 {
        write(&at(&format!("f{number:04}.tfx")), number as f32);
    }
    for (pattern, out) in [
        ("f####.tfx", "g.abc"),
        ("f%04d.tfx", "g.usda"),
        ("f$F4.tfx", "h.usdc"),
    ] {
        let told = ok(&[
            "convert",
            text(&at(pattern)),
            text(&at(out)),
            "--export-fps",
            "12",
        ]);
        assert!(told.contains("3 poses at 12.0000 a second"), "{told}");
        let told: serde_json::Value =
            serde_json::from_str(&ok(&["info", "--json", text(&at(out))])).expect("JSON");
        assert_eq!(told["frames"], 3, "{told}");
        let moving = strands::MovingStrands::open(&at(out))
            .expect("reads")
            .expect("moves");
        let mut heights = Vec::new();
        moving
            .each(&mut |_, points| {
                heights.push(points[0].y);
                true
            })
            .expect("all");
        assert_eq!(heights, [11.0, 12.0, 13.0]);
        assert!((moving.times().start - 11.0 / 12.0).abs() < 1e-6);
    }
    // To other files, by their numbers, and in centimetres.
    let space = ["--export-units", "cm"];
    ok(&[
        &["convert", text(&at("f####.tfx")), text(&at("o.####.obj"))],
        &space[..],
    ]
    .concat());
    assert_eq!(read(&at("o.0012.obj")).points[0].y, 1200.0);
    // Never onto itself, in whatever notation.
    let said = complaint(
        2,
        &["convert", text(&at("f####.tfx")), text(&at("f%04d.tfx"))],
    );
    assert!(said.contains("which is to be converted"), "{said}");
    let one = ["convert", text(&at("f0011.tfx")), text(&at("i.abc"))].map(String::from);
    let one = one.each_ref().map(String::as_str);
    let said = complaint(2, &[&one[..], &["--export-fps", "12"]].concat());
    assert!(
        said.contains("--export-fps is for a sequence of files"),
        "{said}"
    );
    let said = complaint(
        2,
        &["convert", text(&at("f####.tfx")), text(&at("i.cache"))],
    );
    assert!(said.contains("a cache is made of one file"), "{said}");
    fs::remove_file(at("f0012.tfx")).expect("removed");
    let said = complaint(1, &["convert", text(&at("f####.tfx")), text(&at("i.abc"))]);
    assert!(
        said.contains("f0011.tfx is followed by f0013.tfx"),
        "{said}"
    );
    let said = complaint(1, &["convert", text(&at("n####.tfx")), text(&at("i.abc"))]);
    assert!(said.contains("there is no file like n0001.tfx"), "{said}");
}

#[test]
fn a_name_that_ends_otherwise_is_told_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    write(&at("in.ply"), 0.0);
    let told = ok(&[
        "convert",
        text(&at("in.ply")),
        text(&at("b.abc")),
        "--format",
        "hair",
    ]);
    assert!(
        told.contains("the name ends in .abc, and the file is "),
        "{told}"
    );
    let told = ok(&[
        "convert",
        text(&at("in.ply")),
        text(&at("b.hair")),
        "--format",
        "hair",
    ]);
    assert!(!told.contains("the name ends in"), "{told}");
    let said = complaint(2, &["convert", text(&at("in.ply")), text(&at("noext"))]);
    assert!(
        said.contains("noext has no ending that says a format"),
        "{said}"
    );
    assert!(said.contains("usdz, abc") || said.contains("abc"), "{said}");
    let said = complaint(2, &["convert", text(&at("in.ply")), text(folder.path())]);
    assert!(said.contains("is a folder; name a file in it"), "{said}");
}

#[test]
fn a_file_of_another_kind_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    write(&at("in.ply"), 0.0);
    let notes = "frame 12 is where it goes wrong\n";
    let input = at("in.ply");
    let kept = |path: &PathBuf, command: &[&str]| {
        fs::write(path, notes).expect("written");
        let said = complaint(2, command);
        assert!(said.contains("may be a file of your own"), "{said}");
        assert_eq!(fs::read_to_string(path).expect("still there"), notes);
        // Asked for, it is replaced; and then what replaced it.
        ok(&[command, &["--overwrite"]].concat());
        assert_ne!(fs::read(path).expect("there"), notes.as_bytes());
        ok(command);
    };
    for name in ["b.hair", "b.abc", "b.obj", "b.tfx", "b.usda", "b.data"] {
        let out = at(name);
        kept(&out, &["convert", text(&input), text(&out)]);
    }
    let small = ["--strands", "60", "--vertices", "12"];
    let simulate = ["simulate", "--seconds", "0"];
    for (option, name) in [
        ("--export", "mine.hair"),
        ("--stats", "mine.csv"),
        ("--stats", "mine.json"),
    ] {
        let out = at(name);
        kept(
            &out,
            &[&simulate[..], &small, &[option, text(&out)]].concat(),
        );
    }
    let (hair, head) = (at("new.ply"), at("head_new.obj"));
    let export = ["--export", text(&hair), "--export-head"];
    kept(&head, &[&simulate[..], &small, &export].concat());
    // So is one of a sequence.
    let (pattern, first) = (at("h.####.obj"), at("h.0001.obj"));
    kept(
        &first,
        &[&simulate[..], &small, &["--export", text(&pattern)]].concat(),
    );
}

#[test]
#[cfg(target_os = "linux")]
fn folders_are_made_and_told_of_in_one_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    write(&at("in.ply"), 0.0);
    let small = ["--strands", "60", "--vertices", "12", "--seconds", "0"];
    let validate = [
        "validate",
        "--solver",
        "ftl",
        "--test",
        "free-fall",
        "--quick",
    ];
    let (a, b, c, d) = (at("a/x.abc"), at("b/x.csv"), at("c/x.hair"), at("d/x.json"));
    for (place, command) in [
        (
            "a",
            &[&["simulate", "--export", text(&a)][..], &small].concat()[..],
        ),
        (
            "b",
            &[&["simulate", "--stats", text(&b)][..], &small].concat(),
        ),
        ("c", &["convert", text(&at("in.ply")), text(&c)]),
        ("d", &[&validate[..], &["--json", text(&d)]].concat()),
    ] {
        let line = format!("{:<12} {}", "new folder", at(place).display());
        assert!(ok(command).lines().any(|told| told == line), "{line}");
        assert!(!ok(command).contains("new folder"), "it is there by now");
    }
    // What takes no files is told alike, whichever option names it.
    let takes_none = "its folder takes no new files; name another folder";
    for command in [
        &[&["simulate", "--export", "/proc/x.abc"][..], &small].concat()[..],
        &[&["simulate", "--stats", "/proc/x.csv"][..], &small].concat(),
        &["convert", text(&at("in.ply")), "/proc/x.hair"],
        &[&validate[..], &["--json", "/proc/x.json"]].concat(),
    ] {
        let said = complaint(1, command);
        assert!(said.contains(takes_none), "{said}");
    }
}
