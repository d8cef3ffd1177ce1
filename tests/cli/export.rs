//! What `simulate --export` and `convert` write beside the hair: the head, guides, numbers of
//! frames, velocities, units.

use crate::program::{SMALL, complaint, run, stderr, stdout, text};
use glam::Vec3;
use lovelock::{
    io::strands::{self, Strands, Values},
    mesh::read,
};
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

/// A film of a quarter of a second.
fn film(path: &Path, more: &[&str]) -> String {
    let long = ["simulate", "--seconds", "0.25", "--export-fps", "24"];
    ok(&[&long[..], &["--export", text(path)], SMALL, more].concat())
}

/// Places and texture coordinates of the corners of all triangles of a head, in no order, as
/// near as text and units keep them.
fn corners(path: &Path) -> Vec<[i64; 5]> {
    let mesh = read::read(path).expect("a head").mesh;
    assert_eq!(mesh.uvs.len(), mesh.triangles.len(), "{}", path.display());
    let all = mesh.triangles.iter().zip(&mesh.uvs);
    let mut out: Vec<[i64; 5]> = all
        .flat_map(|(triangle, uvs)| {
            triangle.iter().zip(uvs).map(|(vertex, uv)| {
                let p = mesh.positions[*vertex as usize];
                [p.x, p.y, p.z, uv.x, uv.y].map(|c| (1e5 * f64::from(c)).round() as i64)
            })
        })
        .collect();
    out.sort_unstable();
    out
}

#[test]
fn a_film_holds_the_head_that_moves_and_other_formats_have_it_beside_each_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let bang = ["--motion", "head-bang", "--export-head"];
    let said = film(&path("h.####.ply"), &bang);
    let heads = "head         ";
    let line = said.lines().find(|line| line.starts_with(heads));
    let wanted = format!(
        "{heads}{} to head_h.0007.obj",
        path("head_h.0001.obj").display()
    );
    assert_eq!(line, Some(&wanted[..]), "{said}");
    let first = corners(&path("head_h.0001.obj"));
    assert!(first != corners(&path("head_h.0007.obj")), "it moves");
    for (name, place) in [
        ("h.usda", "/Hair/Head"),
        ("h.usdc", "/Hair/Head"),
        ("h.abc", "/groom/head"),
    ] {
        let said = film(&path(name), &bang);
        let line = format!("{heads}{place} in {}\n", path(name).display());
        assert!(said.contains(&line), "{said}");
        assert!(!path("head_h.obj").exists(), "{name}");
        assert_eq!(read::poses(&path(name)), 7, "{name}");
        assert!(corners(&path(name)) == first, "{name}: the first head");
        // The last one, played as a head.
        let moved = path("moved.data");
        let play = [
            "simulate",
            "--head-sequence",
            text(&path(name)),
            "--seconds",
            "0.25",
        ]
        .map(String::from);
        let play: Vec<&str> = play.iter().map(String::as_str).collect();
        let more = [
            "--set",
            "motion.sequence_play=hold",
            "--set",
            "torso.mode=off",
        ];
        let export = ["--export-head", "--export", text(&moved)];
        ok(&[&play[..], &more, &export, SMALL].concat());
        let high = |path: &Path| -> Vec<f64> {
            let told = told(path);
            let of = |key: &str, i: usize| told[key][i].as_f64().expect("a number");
            (0..3)
                .flat_map(|i| [of("bbox_min", i), of("bbox_max", i)])
                .collect()
        };
        let [found, wanted] = ["head_moved.obj", "head_h.0007.obj"].map(|name| high(&path(name)));
        for (a, b) in found.iter().zip(&wanted) {
            assert!((a - b).abs() < 1e-4, "{name}: {found:?} {wanted:?}");
        }
    }
}

#[test]
fn a_head_without_texture_coordinates_stays_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/head.obj");
    let own = fs::read_to_string(own).expect("the head");
    let bare: String = own
        .lines()
        .filter(|line| !line.starts_with("vt "))
        .map(|line| match line.strip_prefix("f ") {
            Some(corners) => {
                let all = corners.split_whitespace();
                let all: Vec<&str> = all.filter_map(|c| c.split('/').next()).collect();
                format!("f {}\n", all.join(" "))
            }
            None => format!("{line}\n"),
        })
        .collect();
    fs::write(path("bare.obj"), bare).expect("written");
    let short = [
        "simulate",
        "--seconds",
        "0.02",
        "--head",
        text(&path("bare.obj")),
    ]
    .map(String::from);
    let short: Vec<&str> = short.iter().map(String::as_str).collect();
    for (name, head) in [
        ("h.ply", "head_h.obj"),
        ("h.usda", "h.usda"),
        ("h.abc", "h.abc"),
    ] {
        ok(&[
            &short[..],
            &["--export-head", "--export", text(&path(name))],
            SMALL,
        ]
        .concat());
        assert!(
            read::read(&path(head)).expect("a head").mesh.uvs.is_empty(),
            "{name}"
        );
    }
}

#[test]
fn a_start_frame_numbers_files_and_time_codes_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let start = ["--export-start", "1001"];
    let said = film(&path("h.####.ply"), &start);
    assert!(
        said.contains("7 frames at 24 a second from frame 1001"),
        "{said}"
    );
    assert!(path("h.1001.ply").is_file() && path("h.1007.ply").is_file());
    film(&path("h.usda"), &start);
    let layer = fs::read_to_string(path("h.usda")).expect("text");
    for wanted in [
        "startTimeCode = 1001\n",
        "endTimeCode = 1007\n",
        "            1007: [(",
    ] {
        assert!(layer.contains(wanted), "{wanted}");
    }
    // An archive has seconds; so the same comes back from it.
    film(&path("h.abc"), &start);
    ok(&[
        "convert",
        text(&path("h.abc")),
        text(&path("back.%04d.ply")),
    ]);
    assert!(path("back.1001.ply").is_file() && path("back.1007.ply").is_file());
    ok(&[
        "convert",
        text(&path("h.abc")),
        text(&path("new.$F4.ply")),
        "--export-start",
        "12",
    ]);
    assert!(path("new.0012.ply").is_file() && path("new.0018.ply").is_file());
    // Without a start, a conversion numbers files by the times, which begin at zero.
    film(&path("zero.abc"), &[]);
    ok(&[
        "convert",
        text(&path("zero.abc")),
        text(&path("zero.<F4>.ply")),
    ]);
    assert!(path("zero.0000.ply").is_file() && path("zero.0006.ply").is_file());
    let one = [
        "simulate",
        "--export",
        text(&path("one.abc")),
        "--export-start",
        "5",
    ]
    .map(String::from);
    let one: Vec<&str> = one.iter().map(String::as_str).collect();
    let said = complaint(2, &one);
    assert!(
        said.contains("--export-start is for an animation"),
        "{said}"
    );
}

#[test]
fn a_place_for_a_number_that_is_not_known_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (hair, odd) = (path("h.ply"), path("h.%4d.ply"));
    let said = complaint(2, &["simulate", "--export", text(&odd)]);
    let wanted = "\"%4d\" in the name h.%4d.ply is no place for a frame's number that is known; \
                  write ####, %04d, $F4 or <F4>, or give the file another name";
    assert!(said.contains(wanted), "{said}");
    ok(&[
        &["simulate", "--seconds", "0.02", "--export", text(&hair)],
        SMALL,
    ]
    .concat());
    let said = complaint(2, &["convert", text(&hair), text(&odd)]);
    assert!(said.contains("\"%4d\" in the name"), "{said}");
}

#[test]
fn a_folder_and_a_name_without_a_format_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = complaint(2, &["simulate", "--export", text(folder.path())]);
    let wanted = format!(
        "{} is a folder; name a file in it, like {}",
        folder.path().display(),
        folder.path().join("hair.abc").display()
    );
    assert!(said.contains(&wanted), "{said}");
    let said = complaint(
        2,
        &["simulate", "--export", text(&folder.path().join("hair"))],
    );
    assert!(
        said.contains("has no ending that says a format; let the name end in .abc"),
        "{said}"
    );
}

fn column<'a>(strands: &'a Strands, name: &str) -> Option<&'a Values> {
    let column = strands.attributes.iter().find(|column| column.name == name);
    column.map(|column| &column.values)
}

fn whole(strands: &Strands, name: &str) -> Vec<i32> {
    match column(strands, name) {
        Some(Values::I32(all)) => all.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn guides_and_what_follows_them_are_told_and_can_be_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let groom = path("groom.ply");
    ok(&[
        &["simulate", "--seconds", "0.02", "--export", text(&groom)],
        SMALL,
    ]
    .concat());
    let short = [
        "simulate",
        "--seconds",
        "0.02",
        "--groom",
        text(&groom),
        "--set",
        "import.guides=15",
    ];
    let out = |name: &str, more: &[&str]| -> Strands {
        let out: PathBuf = path(name);
        ok(&[&short[..], &["--export", text(&out)], more].concat());
        strands::read(&out).expect("reads").1
    };
    for name in ["a.usdc", "a.usda", "a.abc"] {
        let file = out(name, &[]);
        let guides = whole(&file, "groom_guide");
        assert_eq!((file.len(), guides.iter().sum::<i32>()), (60, 15), "{name}");
        let (ids, closest) = (
            whole(&file, "groom_id"),
            whole(&file, "groom_closest_guides"),
        );
        let Some(Values::F32(weights)) = column(&file, "groom_guide_weights") else {
            panic!("{name}: no weights");
        };
        assert_eq!((closest.len(), weights.len()), (180, 180));
        for (row, all) in weights.chunks(3).enumerate() {
            assert!(
                (all.iter().sum::<f32>() - 1.0).abs() < 1e-5,
                "{name}: {all:?}"
            );
            for id in &closest[3 * row..3 * row + 3] {
                let strand = ids.iter().position(|own| own == id).expect("a strand");
                assert_eq!(guides[strand], 1, "{name}: {row} follows {strand}");
            }
            assert!(
                guides[row] == 0 || closest[3 * row] == ids[row],
                "{name}: itself"
            );
        }
        assert!(column(&file, "lovelock_added").is_none());
    }
    let guides = out("guides.abc", &["--export-strands", "guides"]);
    assert_eq!(guides.len(), 15);
    assert_eq!(whole(&guides, "groom_guide"), [1; 15]);
    let drawn = ["--set", "followers.each=2"];
    let all = out(
        "all.abc",
        &[&["--export-strands", "all"], &drawn[..]].concat(),
    );
    let added = whole(&all, "lovelock_added");
    assert_eq!((all.len(), added.iter().sum::<i32>()), (90, 30));
    let guides = whole(&all, "groom_guide");
    let both = guides
        .iter()
        .zip(&added)
        .any(|(guide, added)| guide * added != 0);
    assert!(!both && guides.iter().sum::<i32>() == 15);
    assert_eq!(
        all,
        out("drawn.abc", &[&["--export-drawn"], &drawn[..]].concat())
    );
    // Where all strands are simulated, none is a guide; a format without columns says nothing.
    let plain = path("plain.abc");
    ok(&[
        &["simulate", "--seconds", "0.02", "--export", text(&plain)],
        SMALL,
    ]
    .concat());
    let (_, plain) = strands::read(&plain).expect("reads");
    assert!(column(&plain, "groom_guide").is_none());
    let said = ok(&[&short[..], &["--export", text(&path("a.obj"))]].concat());
    assert!(!said.contains("groom_guide"), "{said}");
}

#[test]
fn velocities_are_written_where_they_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let more = ["--export-velocities", "--export-head"];
    film(&path("v.usda"), &more);
    film(&path("plain.usda"), &["--export-head"]);
    let text_of = |name: &str| fs::read_to_string(path(name)).expect("text");
    let lists = "vector3f[] velocities.timeSamples = {";
    assert_eq!(text_of("v.usda").matches(lists).count(), 2, "hair and head");
    assert!(!text_of("plain.usda").contains("velocities"));
    // A conversion finds the same ones.
    ok(&[
        "convert",
        text(&path("plain.usda")),
        text(&path("c.usda")),
        "--export-velocities",
    ]);
    let hair = |text: &str| -> String {
        let from = text.find(lists).expect("velocities");
        let rest = &text[from..];
        rest[..rest.find('}').expect("its end")].to_string()
    };
    assert!(hair(&text_of("c.usda")) == hair(&text_of("v.usda")));
    // One that leaves those of its file out says so, and what to do where the new one has room.
    film(&path("v.abc"), &more);
    let left = "the velocities of points in the groom's file are left out";
    let anew = "; --export-velocities works them out anew, from pose to pose\n";
    for (from, to, told) in [
        ("v.usda", "d.abc", format!("{left}{anew}")),
        ("v.abc", "d.usdc", format!("{left}{anew}")),
        ("v.abc", "d.####.ply", format!("{left}\n")),
    ] {
        let said = ok(&["convert", text(&path(from)), text(&path(to))]);
        assert!(said.contains(&told), "{said}");
    }
    let asked = "--export-velocities";
    let said = ok(&[
        "convert",
        text(&path("v.abc")),
        text(&path("e.usda")),
        asked,
    ]);
    assert!(!said.contains(left), "{said}");
    let said = ok(&["convert", text(&path("plain.usda")), text(&path("f.abc"))]);
    assert!(!said.contains(left), "{said}");
    let wrong = path("v.####.ply");
    let said = complaint(
        2,
        &["simulate", "--export", text(&wrong), "--export-velocities"],
    );
    assert!(said.contains("a file of PLY strands holds none"), "{said}");
    let one = path("one.abc");
    let said = complaint(
        2,
        &["simulate", "--export", text(&one), "--export-velocities"],
    );
    assert!(
        said.contains("--export-velocities is for an animation"),
        "{said}"
    );
}

#[test]
fn what_is_meant_for_a_program_is_as_it_takes_it_unless_an_option_says_otherwise() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let written = |name: &str, options: &[&str]| {
        film(&path(name), options);
        std::fs::read(path(name)).expect("is there")
    };
    let chosen = ["--export-units", "cm", "--export-up", "z"];
    let all = [&chosen[..], &["--export-strands", "all"]].concat();
    let meant = ["--export-for", "unreal"];
    assert_eq!(written("a.abc", &meant), written("b.abc", &all));
    let but = [&meant[..], &["--export-units", "mm", "--export-up", "y"]].concat();
    written(
        "c.abc",
        &[&but[..], &["--export-strands", "guides"]].concat(),
    );
    let said = told(&path("c.abc"));
    assert_eq!((&said["units"], &said["up"]), (&"mm".into(), &"y".into()));
    // A groom is brought to the same unit and axis.
    let (from, to) = (path("c.abc"), path("d.usda"));
    ok(&[&["convert", text(&from), text(&to)][..], &meant].concat());
    let said = told(&to);
    assert_eq!((&said["units"], &said["up"]), (&"cm".into(), &"z".into()));
}

#[test]
fn grown_hair_is_written_in_the_colours_that_the_picture_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let colours = |name: &str, settings: &[&str]| {
        let path = folder.path().join(name);
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let pose = ["simulate", "--seconds", "0.02", "--export", text(&path)];
        ok(&[&pose[..], SMALL, &settings.collect::<Vec<_>>()].concat());
        let read = strands::read(&path).expect("reads").1;
        (read.starts.clone(), read.colours)
    };
    let mean = |colours: &[[f32; 3]]| {
        let sum: Vec3 = colours.iter().map(|colour| Vec3::from(*colour)).sum();
        sum / colours.len() as f32
    };
    let (_, black) = colours("black.abc", &["look.eumelanin=6"]);
    let (_, blond) = colours("blond.abc", &["look.eumelanin=0.2"]);
    assert!(mean(&black).cmplt(0.1 * mean(&blond)).all());
    // Blue tips of black hair.
    let tips = ["look.tone_tips=0.5", "look.tone_colour=0.05,0.15,0.45"];
    let (starts, dipped) = colours("tips.abc", &[&tips[..], &["look.eumelanin=6"]].concat());
    for strand in starts.windows(2) {
        let strand = strand[0] as usize..strand[1] as usize;
        let (root, tip) = (strand.start, strand.end - 1);
        assert_eq!(dipped[root], black[root]);
        let [red, _, blue] = dipped[tip];
        assert!(
            blue > 4.0 * red && blue > 10.0 * black[tip][2],
            "{blue} {red}"
        );
    }
    // Painted shading has colours of its own.
    let painted = ["look.shading=flat", "look.tip_colour=0.5,0.25,0.125"];
    let (starts, painted) = colours("painted.abc", &painted);
    assert_eq!(painted[starts[1] as usize - 1], [0.5, 0.25, 0.125]);
}

#[test]
fn an_archive_remembers_its_unit_and_its_axis() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    film(
        &path("h.abc"),
        &["--export-units", "cm", "--export-up", "z"],
    );
    let archive = told(&path("h.abc"));
    assert_eq!(
        (&archive["units"], &archive["up"]),
        (&"cm".into(), &"z".into())
    );
    let said = ok(&["convert", text(&path("h.abc")), text(&path("h.usda"))]);
    assert!(!said.contains("does not say"), "{said}");
    let layer = told(&path("h.usda"));
    for key in ["units", "up", "bbox_min", "bbox_max"] {
        assert_eq!(layer[key], archive[key], "{key}");
    }
    // Any axis, and what is not known is not made up.
    film(&path("x.abc"), &["--export-up", "x"]);
    assert_eq!(told(&path("x.abc"))["up"], "x");
    ok(&[
        &[
            "simulate",
            "--seconds",
            "0.02",
            "--export",
            text(&path("d.data")),
        ],
        SMALL,
    ]
    .concat());
    let said = ok(&["convert", text(&path("d.data")), text(&path("d.abc"))]);
    assert!(!said.contains("metres are written"), "{said}");
    assert!(
        strands::read(&path("d.abc"))
            .expect("reads")
            .1
            .metres_per_unit
            .is_none()
    );
}
