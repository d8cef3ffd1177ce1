//! What a code that reconstructs hair writes, on a head, in motion and out again.

use crate::{
    numpy::{f32s, npy, npz},
    program::{complaint, folder_with, run, stderr, stdout, text},
};
use lovelock::io::strands;
use std::path::Path;

/// 200 strands of 24 points of a head's hair as an archive: in another unit, with
/// another axis up, away from the head; a few of them odd.
fn reconstruct(path: &Path) {
    let grown = path.with_extension("data");
    let output = run(&[
        "simulate",
        "--strands",
        "200",
        "--vertices",
        "24",
        "--seconds",
        "0.02",
        "--export",
        text(&grown),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (_, grown) = strands::read(&grown).expect("reads");
    assert_eq!((grown.len(), grown.counts()), (200, [24, 24]));
    let mut all: Vec<f32> = grown
        .points
        .iter()
        .flat_map(|p| [p.x, -p.z, p.y].map(|c| 250.0 * c))
        .zip([40.0, 900.0, -70.0].into_iter().cycle())
        .map(|(c, away)| c + away)
        .collect();
    let each = 24 * 3;
    // One is far away, one without length, one the same as another, one ends early.
    all[5 * each + 30] = 1e7;
    let root = all[9 * each..9 * each + 3].to_vec();
    all[9 * each..10 * each]
        .chunks_exact_mut(3)
        .for_each(|p| p.copy_from_slice(&root));
    all.copy_within(6 * each..7 * each, 7 * each);
    all[11 * each + 60..12 * each].fill(f32::NAN);
    let uvs = (0..400).map(|i| i as f32 / 400.0);
    let frames = (0..1800).map(|i| i as f32);
    let archive = npz(
        &[
            ("positions", npy("<f4", false, "(200, 24, 3)", &f32s(all))),
            ("root_uv", npy("<f4", false, "(200, 2)", &f32s(uvs))),
            ("tbn", npy("<f4", false, "(200, 3, 3)", &f32s(frames))),
        ],
        true,
    );
    std::fs::write(path, archive).expect("writes");
}

#[test]
fn a_reconstruction_is_fitted_simulated_and_exported_in_one_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let npz = path("strands.npz");
    reconstruct(&npz);
    for name in ["out.abc", "out.usda", "out.ply"] {
        let out = path(name);
        let output = run(&[
            "simulate",
            "--groom",
            text(&npz),
            "--fit",
            "--seconds",
            "0.1",
            "--export",
            text(&out),
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let (warned, said) = (stderr(&output), stdout(&output));
        for wanted in [
            "1 strand (5) has points far from all other hair",
            "1 strand without length is not simulated; it goes with the head",
            "1 strand is the same as another point for point, the first of them 7 as 6",
        ] {
            assert!(warned.contains(wanted), "{wanted}: {warned}");
        }
        assert!(said.contains("hair: 198 strands"), "{said}");
        assert!(said.contains("z is up"), "{said}");
        let (_, back) = strands::read(&out).expect("reads");
        assert_eq!(back.len(), 200, "each strand of the file");
        let mut counts: Vec<usize> = back.iter().map(<[_]>::len).collect();
        assert_eq!(counts.remove(11), 20, "as many as are numbers");
        assert!(counts.iter().all(|count| *count == 24));
        if name != "out.ply" {
            assert_eq!(back.root_uvs[17], [34.0 / 400.0, 35.0 / 400.0]);
        }
        let tbn = back.attributes.iter().find(|column| column.name == "tbn");
        assert_eq!(tbn.is_some(), name != "out.ply", "{name}");
    }
    // Coarser where that is asked for, and all points are written all the same.
    let out = path("coarse.abc");
    let output = run(&[
        "simulate",
        "--groom",
        text(&npz),
        "--fit",
        "--set",
        "import.vertices=8",
        "--seconds",
        "0.1",
        "--export",
        text(&out),
    ]);
    assert!(
        stdout(&output).contains("198, 1584 vertices"),
        "{}",
        stdout(&output)
    );
    let (_, back) = strands::read(&out).expect("reads");
    assert_eq!((back.len(), back.points.len()), (200, 200 * 24 - 4));
}

#[test]
fn hair_goes_to_another_head_by_one_option() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.data");
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.obj");
    let output = run(&[
        "simulate",
        "--strands",
        "60",
        "--vertices",
        "12",
        "--seconds",
        "0.05",
        "--rebind",
        text(&built_in),
        "--export",
        text(&out),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(
        said.contains("carried by its faces, which are the same; lengths are multiplied by 1.000"),
        "{said}"
    );
    assert_eq!(strands::read(&out).expect("reads").1.len(), 60);
    let (_folder, turned) = folder_with("turned.toml", b"version = 1\n[head]\nturn = 90.0\n");
    let refused = complaint(2, &["simulate", text(&turned), "--rebind", "b.obj"]);
    assert!(
        refused.contains("leave out the scene's head.turn"),
        "{refused}"
    );
    // What is set of a head is that of the new one.
    let set = ["--set", "head.units=dm", "--set", "import.head_units=m"];
    let short = ["simulate", "--strands", "60", "--seconds", "0.02"];
    let output = run(&[&short[..], &["--rebind", text(&built_in)], &set].concat());
    let said = stdout(&output);
    assert!(said.contains("its unit is dm (as set)"), "{said}");
    assert!(said.contains("lengths are multiplied by 0.100"), "{said}");
    // And what is set of the other one, of that.
    let set = ["--set", "import.head_units=dm", "--set", "head.units=m"];
    let heads = ["--head", text(&built_in), "--rebind", text(&built_in)];
    let output = run(&[&short[..], &heads, &set].concat());
    let said = stdout(&output);
    assert!(said.contains("lengths are multiplied by 10.0"), "{said}");
    let text = complaint(1, &["simulate", "--rebind", "no.obj"]);
    assert!(text.contains("cannot read the head no.obj"), "{text}");
}

#[test]
fn info_says_how_a_groom_lies_to_a_head_and_what_each_format_loses() {
    let folder = tempfile::tempdir().expect("a folder");
    let npz = folder.path().join("strands.npz");
    reconstruct(&npz);
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.obj");
    let told = run(&["info", text(&npz), "--head", text(&built_in)]);
    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    let said = stdout(&told);
    for wanted in [
        "on the head 198 strands",
        "the groom does not fit this head",
        "--fit       import.units = ",
        "as abc      ",
        "as ply      ",
        "tbn ",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let told = run(&["info", "--json", text(&npz), "--head", text(&built_in)]);
    let json: serde_json::Value = serde_json::from_slice(&told.stdout).expect("JSON");
    let number = |key: &str| json["head_fit"][key].as_f64().expect("a number");
    let fitted = &json["head_fit"]["fit"]["distance_m"];
    assert!(fitted.as_f64().expect("an offer") < number("mean_distance_m"));
    assert_eq!(json["losses"][0]["format"], "hair");
    // Without a head only what formats lose.
    let said = stdout(&run(&["info", text(&npz)]));
    assert!(said.contains("as abc") && !said.contains("--fit"), "{said}");
}
