//! `lovelock info`, and standard output that somebody takes away.

use crate::{
    inputs::inputs,
    program::{assets, complaint, folder_with, lovelock, run, run_unread, stderr, stdout, text},
};
use std::path::Path;

/// A box of 20 x 25 x 20 that can only be meant in centimetres.
const CUBE_IN_CENTIMETRES: &str = "\
v -10 0 -10\nv 10 0 -10\nv 10 0 10\nv -10 0 10\n\
v -10 25 -10\nv 10 25 -10\nv 10 25 10\nv -10 25 10\n\
f 1 2 3 4\nf 8 7 6 5\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n";

#[test]
fn info_tells_of_a_scene() {
    let (_folder, path) = folder_with(
        "s.toml",
        b"[roots]\nstrands = 20\n[groom]\nvertices = 9\n[wind]\ndirection = [0, 0.1, 1]\n",
    );
    let output = run(&["info", "--json", text(&path)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["kind"], "scene");
    assert_eq!(
        (&json["strands"], &json["points"]),
        (&20.into(), &180.into())
    );
    assert_eq!(json["min_vertices"], json["max_vertices"]);
    assert_eq!(json["changed"]["wind.direction"][1], 0.1);
    let output = stdout(&run(&["info", text(&path)]));
    assert!(output.contains("20 with 180 vertices"), "{output}");
    assert!(!output.contains("by hand"), "{output}");
}

#[test]
fn work_by_hand_is_told_used_and_left_out_of_other_hair() {
    let curves = "[handwork]\ncurves = '''\n2 9: 0 0 0 1 2 3\n'''\n";
    let text_of = format!("[roots]\nstrands = 5\n[groom]\nvertices = 8\n{curves}");
    let (_folder, path) = folder_with("s.toml", text_of.as_bytes());
    let told = stdout(&run(&["info", text(&path)]));
    assert!(told.contains("1 strand cut or combed"), "{told}");
    // It belongs to other hair than this scene grows.
    let simulate = ["simulate", text(&path), "--seconds", "0.1"];
    let refused = run(&simulate);
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    let said = stderr(&refused);
    assert!(said.contains("strand 2 had 2 vertices and has 8"), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "{said}");
    // Whoever asks for other hair gets it, and is told.
    let other = run(&[&simulate[..], &["--seed", "6"]].concat());
    assert_eq!(other.status.code(), Some(0), "{}", stderr(&other));
    let said = stderr(&other);
    assert!(said.contains("cut, combed and pinned is gone"), "{said}");
}

#[test]
fn info_tells_of_a_head_as_it_was_read() {
    let (_folder, path) = folder_with("cube.OBJ", CUBE_IN_CENTIMETRES.as_bytes());
    let output = run(&["info", "--json", text(&path)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["kind"], "mesh");
    assert_eq!(
        (&json["vertices"], &json["triangles"]),
        (&8.into(), &12.into())
    );
    assert_eq!(json["bbox_min"], serde_json::json!([-10.0, 0.0, -10.0]));
    assert_eq!(json["bbox_max"], serde_json::json!([10.0, 25.0, 10.0]));
    assert_eq!(json["units"], "cm");
    assert_eq!(json["warnings"], serde_json::json!([]));

    let head = stdout(&run(&["info", "--json", text(&assets("head.obj"))]));
    let head: serde_json::Value = serde_json::from_str(&head).expect("JSON");
    assert_eq!(
        (&head["triangles"], &head["units"]),
        (&17_480.into(), &"m".into())
    );
    let shown = stdout(&run(&["info", text(&path)]));
    assert!(
        shown.contains("12, from 6 faces") && shown.contains("25.0 cm tall"),
        "{shown}"
    );
}

/// A mesh is told of as a mesh and hair as hair where a format may hold either.
#[test]
fn files_that_may_hold_either_are_told_of_by_what_they_hold() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, kind, unit) in [
        ("head/cube.usdc", "mesh", "cm"),
        ("head/cube.glb", "mesh", "m"),
        ("head/cube.abc", "mesh", "m"),
        ("groom/usdc/three.usdc", "groom", "cm"),
        ("groom/usdz/three.usdz", "groom", "cm"),
        ("groom/abc/curves.abc", "groom", "unknown"),
    ] {
        let told = stdout(&run(&["info", "--json", text(&corpus.join(name))]));
        let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
        let found = (told["kind"].as_str(), told["units"].as_str());
        assert_eq!(found, (Some(kind), Some(unit)), "{name}");
    }
}

/// What each format would lose of a groom is told without being asked for.
#[test]
fn what_formats_lose_of_a_groom_is_told() {
    let groom = "#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = \"Y\"\n)\n\
                 def BasisCurves \"hair\" {\n    uniform token type = \"linear\"\n    \
                 int[] curveVertexCounts = [2, 3]\n    \
                 point3f[] points.timeSamples = {\n        \
                 1: [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 2, 0)],\n        \
                 2: [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1), (1, 2, 1)],\n    }\n    \
                 int[] primvars:groom_id = [70, 12] (\n        interpolation = \"uniform\"\n    \
                 )\n}\n";
    let (_folder, path) = folder_with("told.usda", groom.as_bytes());
    let told = stdout(&run(&["info", text(&path)]));
    for wanted in [
        "the hair moves: the first of its 2 poses is taken as the hair at rest, and 1 is left aside",
        "as hair     the column groom_id is not in the file; the file does not say its unit \
         (centimetres); the file does not say which axis points up",
        "as tfx      strands had 2 to 3 points and have 4, evenly along their length; the \
         column groom_id is not in the file",
        "as abc      nothing is lost",
        "as usdc     nothing is lost",
        "as usdz     nothing is lost",
    ] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
    let told = stdout(&run(&["info", "--json", text(&path)]));
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let losses = told["losses"].as_array().expect("a list");
    let hair = losses.iter().find(|loss| loss["format"] == "hair");
    let lost = hair.and_then(|loss| loss["lost"][0].as_str());
    assert_eq!(lost, Some("the column groom_id is not in the file"));
}

#[test]
fn every_real_head_is_told_of_and_every_wrong_one_refused_in_one_line() {
    let Some(inputs) = inputs() else { return };
    for (name, vertices, triangles, unit) in [
        ("digitalsalon_Head.OBJ", 12466, 24820, "m"),
        ("digitalsalon_female_head.obj", 10822, 21510, "cm"),
        ("digitalsalon_wig_head.obj", 964, 1920, "cm"),
        ("ict_generic_neutral.obj", 26719, 52220, "cm"),
        ("makehuman_base.obj", 19158, 36972, "dm"),
    ] {
        let path = inputs.join("heads").join(name);
        let output = run(&["info", "--json", text(&path)]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["vertices"], vertices, "{name}");
        assert_eq!(json["triangles"], triangles, "{name}");
        assert_eq!(json["units"], unit, "{name}");
    }
    for name in [
        "invalid-face-definition",
        "invalid-relative-vertex-index",
        "invalid-relative-texture-index",
        "points-prim",
        "issue-356-leading-spaces-newmtl",
    ] {
        let path = inputs.join("obj-torture").join(name).with_extension("obj");
        let line = complaint(1, &["info", text(&path)]);
        assert!(line.contains(name), "{line}");
    }
    // Lines without faces are hair, and no head.
    let lines = inputs.join("obj-torture/line-prim.obj");
    let output = run(&["info", "--json", text(&lines)]);
    assert!(stdout(&output).contains("\"groom\""), "{}", stderr(&output));
    let line = complaint(1, &["simulate", "--head", text(&lines)]);
    assert!(line.contains("line-prim"), "{line}");
    let ply = inputs.join("hair/Bangs_head.ply");
    assert!(complaint(1, &["info", text(&ply)]).contains("Bangs_head.ply"));
}

#[test]
fn every_shipped_scene_is_read() {
    let mut scenes = 0;
    let folders = [assets("scenes"), assets("scenes/study")];
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder of scenes"));
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let output = run(&["info", "--json", text(&path)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        scenes += 1;
    }
    assert!(scenes >= 21, "only {scenes} scenes are shipped");
}

#[test]
fn a_file_of_an_unknown_kind_is_refused() {
    let (_folder, path) = folder_with("picture.gif", b"GIF89a");
    assert!(
        complaint(1, &["info", text(&path)])
            .contains("neither a head (.obj, .glb, .usda, ...), a groom")
    );
    assert!(complaint(1, &["info", "none.xyz"]).contains("no such file"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let output = run_unread(&["info", text(&assets("scenes/windy.toml"))]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_under_standard_output_is_told() {
    let full = std::fs::File::create("/dev/full").expect("/dev/full");
    let output = lovelock()
        .args(["info", text(&assets("scenes/windy.toml"))])
        .stdout(full)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("the disk is full"),
        "{}",
        stderr(&output)
    );
}
