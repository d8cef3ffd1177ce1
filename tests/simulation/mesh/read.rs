//! Reading OBJ text: what is allowed, what is refused, and with which words.

use glam::Vec3;
use lovelock::mesh::{
    HeadFile, HeadParams, HeadReport, Mesh, MeshError, ModelKind, Units, Up, load, obj,
};
use proptest::prelude::*;
use std::{fmt::Write, path::Path};

const CUBE_VERTICES: &str =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
const CUBE_FACES: &str = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn parse(text: &str) -> Result<HeadFile, MeshError> {
    obj::parse(text.as_bytes(), Path::new("some/head.obj"))
}

fn cube() -> String {
    format!("{CUBE_VERTICES}{CUBE_FACES}")
}

/// The volume enclosed by the faces, positive when they look outward.
fn volume(mesh: &Mesh) -> f32 {
    (0..mesh.triangles.len())
        .map(|i| {
            let [a, b, c] = mesh.corners(i);
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}

#[test]
fn a_cube_is_a_cube_however_it_is_written() {
    let plain = cube();
    let negative = format!(
        "{CUBE_VERTICES}{}",
        "f -8 -5 -6 -7\nf -4 -3 -2 -1\nf -8 -7 -3 -4\nf -7 -6 -2 -3\nf -6 -5 -1 -2\nf -5 -8 -4 -1\n"
    );
    let extras = plain
        .replace("v 1 1 1\n", "v 1 1 1 1.0\n")
        .replace("v 0 0 1\n", "v 0 0 1 0.2 0.3 0.4\n")
        .replace("f 5 6 7 8", "  f\t5  6 7 8   # the front");
    let continued = plain.replace("f 1 4 3 2", "f 1 4 \\\n 3 2");
    // Every face has vertices of its own, as in a file made from an STL.
    let mut split = String::new();
    let corners: Vec<&str> = CUBE_VERTICES.lines().collect();
    for face in CUBE_FACES.lines() {
        for corner in face.split(' ').skip(1) {
            let index: usize = corner.parse().unwrap();
            writeln!(split, "{}", corners[index - 1]).unwrap();
        }
        split.push_str("f -4 -3 -2 -1\n");
    }
    let several = plain
        .replace("f 2 3 7 6", "o other\nf 2 3 7 6")
        .replace("f 3 4 8 7", "g third part\nf 3 4 8 7");
    let cases = [
        ("plain", plain.clone(), 8),
        ("CRLF", plain.replace('\n', "\r\n"), 8),
        ("CR", plain.replace('\n', "\r"), 8),
        ("a byte order mark", format!("\u{feff}{plain}"), 8),
        ("no last newline", plain.trim_end().to_string(), 8),
        ("NUL bytes at the end", format!("{plain}\0\0\0"), 8),
        ("an end-of-file mark", format!("{plain}\x1a"), 8),
        (
            "faces before vertices",
            format!("{CUBE_FACES}{CUBE_VERTICES}"),
            8,
        ),
        ("slashes", plain.replace("f 1 4 3 2", "f 1// 4/ 3// 2"), 8),
        ("negative indices", negative, 8),
        ("weights, colours, comments", extras, 8),
        ("a continued line", continued, 8),
        ("vertices of its own for each face", split, 24),
        ("several objects", several, 8),
        (
            "lines and points",
            format!("{plain}l 1 2 3\np 4\ncurv2 1 2\n"),
            8,
        ),
        (
            "odd bytes in a name",
            plain.replace("f 1 4", "g caf\u{e9} \u{1}\nf 1 4"),
            8,
        ),
    ];
    for (name, text, vertices) in cases {
        let file = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            (file.vertices, file.faces, file.triangles),
            (vertices, 6, 12),
            "{name}"
        );
        assert_eq!(
            file.mesh.positions.len(),
            8,
            "{name}: vertices are not shared"
        );
        assert_eq!(file.mesh.triangles.len(), 12, "{name}");
        assert_eq!(file.bounds, [Vec3::ZERO, Vec3::ONE], "{name}");
        assert!((volume(&file.mesh) - 1.0).abs() < 1e-6, "{name}");
        assert_eq!(file.warnings, Vec::<String>::new(), "{name}");
        // The edges of a cube are creases: every normal is its face's.
        for (i, normals) in file.mesh.normals.iter().enumerate() {
            for normal in normals {
                assert!(
                    normal.distance(file.mesh.area_normal(i).normalize()) < 1e-6,
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn a_wrong_file_is_refused_with_file_and_line() {
    let cube = cube();
    // A text, and what the one sentence must say.
    let cases: [(&str, &[&str]); 21] = [
        ("", &["head.obj, line 1: the file is empty"]),
        ("\n \n\0\0", &["head.obj, line 1: the file is empty"]),
        ("# nothing\n", &["line 1", "comments and nothing else"]),
        (
            "\n\nhello world\n",
            &["line 3", "is not OBJ text", "hello world"],
        ),
        (
            "ply\nformat ascii 1.0\nv 1 2 3\n",
            &["line 1", "a PLY file"],
        ),
        (
            "version https://git-lfs.github.com/spec/v1\noid 1\n",
            &["Git LFS pointer"],
        ),
        (
            "\u{0}\u{1}\u{2}\u{3}\u{4}v 1 2 3",
            &["line 1", "binary data"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\n",
            &["line 3", "after 3 vertices without any face"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1",
            &["line 3", "cut short", "2 numbers where 3 are needed"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2",
            &["line 4", "cut short", "2 corners"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3/",
            &["line 4", "cut short", "3/"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2\n",
            &["line 5", "2 corners where it needs 3"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
            &["line 4", "index 4 is out of range (3 vertices)"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nf -1 -2 -3\n",
            &["line 3", "index -3 is out of range (2 vertices"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
            &["line 4", "index 0", "counts from 1"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n",
            &["line 4", "\"x\" is not a face corner"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3/4/5/6\n",
            &["line 4", "is not a face corner"],
        ),
        (
            "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
            &["line 4", "vertex 1 is not a finite point"],
        ),
        (
            "v 1e99 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
            &["line 4", "vertex 1 is not a finite point"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
            &["line 4", "no triangle has an area"],
        ),
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 99999999999999999999 2\n",
            &["line 4", "not a face corner"],
        ),
    ];
    for (text, wanted) in cases {
        let error = parse(text)
            .map(|file| file.triangles)
            .unwrap_err()
            .to_string();
        for piece in wanted {
            assert!(error.contains(piece), "{text:?}: {error}");
        }
        assert!(error.starts_with("some/head.obj, line "), "{error}");
        assert!(
            !error.contains('\n') && error.contains(';'),
            "one sentence with a cure: {error}"
        );
    }
    // A file cut anywhere is refused or is a smaller whole; never a panic.
    for end in 0..cube.len() {
        if let Ok(file) = parse(&cube[..end]) {
            assert!(file.faces >= 1 && file.faces <= 6);
        }
    }
    for (path, wanted) in [
        ("no/such/head.obj", "cannot read"),
        ("src", "is not a file"),
    ] {
        let error = obj::read(Path::new(path)).unwrap_err().to_string();
        assert!(error.contains(path) && error.contains(wanted), "{error}");
    }
}

#[test]
fn a_file_cut_between_lines_is_suspected() {
    let text = ball(20, 0.3, Vec3::ZERO);
    let end = text.rfind("\nf 600 ").unwrap();
    for (text, suspected) in [(&text[..], false), (&text[..end], true)] {
        let warnings = parse(text).unwrap().warnings;
        let note = |w: &String| w.contains("belong to no face; the file may be cut short");
        assert_eq!(warnings.iter().any(note), suspected, "{warnings:?}");
    }
}

#[test]
fn bad_parts_are_left_out_with_a_word() {
    let text = cube()
        + "v 1.#IND 0 0\nv 0 0 nan\nvn 0 0 inf\nvt\n\
           f 1 2\nf 1 2 99\nf 9 1 2\nf 1 1 1\nf 1//1 2//7 3\nmtllib none.mtl\n";
    let file = parse(&text).unwrap();
    assert_eq!((file.vertices, file.faces, file.triangles), (10, 8, 14));
    assert_eq!(file.mesh.triangles.len(), 13);
    let all = file.warnings.join("\n");
    for piece in [
        "2 vertex lines are unusable, the first in line 15: \"1.#IND\" is not a number",
        "2 texture coordinate or normals are ignored, the first in line 17: \"inf\"",
        "3 faces are left out, the first in line 19: a face has 2 corners",
        "line 23: a texture coordinate or normal is out of range",
        "line 24: material library none.mtl cannot be read",
        "1 of 14 triangles has no area",
    ] {
        assert!(all.contains(piece), "{piece}\n{all}");
    }
    assert!(
        file.mesh
            .normals
            .as_flattened()
            .iter()
            .all(|n| (n.length() - 1.0).abs() < 1e-5)
    );
}

#[test]
fn only_a_last_corner_that_is_not_complete_shows_a_cut() {
    let begun = cube() + "vt 0 0\nvt 1 0\nvt 0 1\nf 1/1 ";
    assert_eq!(parse(&(begun.clone() + "2 3/3")).unwrap().faces, 7);
    let error = parse(&(begun + "2/2 3")).unwrap_err().to_string();
    assert!(error.contains("corner \"3\" is not complete"), "{error}");
}

/// Some faults show when a line is read, others when all lines are.
#[test]
fn the_first_of_several_faults_is_the_first_in_the_file() {
    let file = parse(&(cube() + "vt 0 0\nf 1 2 99\nf 1 2\nf 1/-5 2/0 3/1\n")).unwrap();
    let all = file.warnings.join("\n");
    for piece in [
        "2 faces are left out, the first in line 16: index 99 is out of range",
        "2 corners are given a computed value, the first in line 18: a texture coordinate",
    ] {
        assert!(all.contains(piece), "{piece}\n{all}");
    }
}

#[test]
fn a_comment_that_ends_in_a_backslash_hides_no_vertex() {
    let file = parse(&format!("# C:\\heads\\\n{}", cube())).unwrap();
    assert_eq!((file.vertices, file.faces), (8, 6));
    assert_eq!(file.warnings, Vec::<String>::new());
}

#[test]
fn faces_are_turned_outward() {
    let inward = cube().lines().fold(String::new(), |mut text, line| {
        let mut words: Vec<&str> = line.split(' ').collect();
        if words[0] == "f" {
            words[1..].reverse();
        }
        writeln!(text, "{}", words.join(" ")).unwrap();
        text
    });
    let one = cube().replace("f 5 6 7 8", "f 8 7 6 5");
    for (text, note) in [
        (inward, "look inward"),
        (one, "2 triangles look another way"),
    ] {
        let file = parse(&text).unwrap();
        assert!(volume(&file.mesh) > 0.999, "{}", volume(&file.mesh));
        assert!(file.warnings[0].contains(note), "{:?}", file.warnings);
    }
}

/// Flat faces with one normal each, one of them the wrong way round: as programs write it
/// that compute normals from the order of the corners, and as those do that do not.
#[test]
fn normals_of_a_face_that_is_turned_outward_look_outward() {
    let normals = "vn 0 0 -1\nvn 0 0 1\nvn 0 -1 0\nvn 1 0 0\nvn 0 1 0\nvn -1 0 0\n";
    let mut text = format!("{CUBE_VERTICES}{normals}");
    for (face, line) in (1..).zip(CUBE_FACES.lines()) {
        let corners = line.split(' ').skip(1);
        let corners: Vec<String> = corners.map(|v| format!("{v}//{face}")).collect();
        writeln!(text, "f {}", corners.join(" ")).unwrap();
    }
    let right = "f 5//2 6//2 7//2 8//2";
    assert!(text.contains(right));
    for wrong in ["f 8//1 7//1 6//1 5//1", "f 8//2 7//2 6//2 5//2"] {
        let mesh = parse(&text.replace(right, wrong)).unwrap().mesh;
        for (i, normals) in mesh.normals.iter().enumerate() {
            let outward = mesh.area_normal(i).normalize();
            assert_eq!(*normals, [outward; 3], "{wrong}: triangle {i}");
        }
        assert!(volume(&mesh) > 0.999);
    }
}

#[test]
fn normals_and_colours_come_from_the_file_where_it_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two words.obj");
    let library = "newmtl skin tone\nKd 0.5 0.25 0.125\nKd 1 1\nmap_Kd\nillum\nnewmtl\nnewmtl lips\nKd 2 0 -1\n";
    std::fs::write(folder.path().join("a b.mtl"), library).unwrap();
    let text = format!(
        "mtllib a b.mtl\n{CUBE_VERTICES}vn 0 0.6 0.8\nvn 0 0 -2\nvt 0.5 0.25\nvt 1\n\
         g Left Scalp.001\nusemtl skin tone\nf 1//2 4//2 3//2 2//2\n\
         g face\nusemtl lips\nf 5/1/1 6/2/1 7/1/1 8\n\
         g Left Scalp.001\nusemtl unknown\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
    );
    std::fs::write(&path, text).unwrap();
    let file = obj::read(&path).unwrap();
    let mesh = &file.mesh;
    assert_eq!(file.warnings, Vec::<String>::new());
    // A group that comes twice is one range.
    let names: Vec<_> = mesh
        .groups
        .iter()
        .map(|g| (g.name.as_str(), g.triangles.clone()))
        .collect();
    assert_eq!(names, [("Left Scalp.001", 0..10), ("face", 10..12)]);
    assert!(mesh.groups[0].is_scalp() && !mesh.groups[1].is_scalp());
    let colour = |i: usize| mesh.materials[mesh.triangle_material[i] as usize].diffuse;
    assert_eq!(colour(0), [0.5, 0.25, 0.125]);
    assert_eq!(colour(10), [1.0, 0.0, 0.0]);
    assert_eq!(mesh.triangle_material.len(), 12);
    assert!((0..2).all(|i| mesh.normals[i] == [Vec3::NEG_Z; 3]));
    let given = mesh.normals[10]
        .iter()
        .filter(|n| n.distance(Vec3::new(0.0, 0.6, 0.8)) < 1e-6);
    assert!(given.count() >= 2);
    assert_eq!(mesh.uvs.len(), 12);
    let uvs: Vec<[f32; 2]> = mesh.uvs[10].map(|uv| uv.to_array()).to_vec();
    assert!(
        uvs.contains(&[0.5, 0.25]) && uvs.contains(&[1.0, 0.0]),
        "{uvs:?}"
    );
}

#[test]
fn a_library_is_read_once_and_one_that_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let large = std::fs::File::create(folder.path().join("large.mtl")).unwrap();
    large.set_len(17 << 20).unwrap();
    std::fs::create_dir(folder.path().join("folder.mtl")).unwrap();
    let library = "newmtl skin\nKd 0.5 0.25 0.125\nmap_Kd none.png\n";
    std::fs::write(folder.path().join("good.mtl"), library).unwrap();
    let mut text = String::new();
    for name in [
        "none", "large", "folder", "good", "none", "large", "folder", "good",
    ] {
        writeln!(text, "mtllib {name}.mtl").unwrap();
    }
    let path = folder.path().join("head.obj");
    std::fs::write(&path, format!("{text}usemtl skin\n{}", cube())).unwrap();
    let file = obj::read(&path).unwrap();
    assert_eq!(file.mesh.materials.len(), 1);
    assert_eq!(file.mesh.materials[0].diffuse, [0.5, 0.25, 0.125]);
    let mut warnings = file.warnings.iter();
    for wanted in [
        "line 1: material library none.mtl cannot be read, the head has one colour; put it beside",
        "line 2: material library large.mtl cannot be read (it has more than 16 MB)",
        "line 3: material library folder.mtl cannot be read (it is not a file)",
        "the texture none.png cannot be read",
    ] {
        let told = warnings.next().expect(wanted);
        assert!(told.contains(wanted), "{told}");
    }
    assert_eq!(warnings.next(), None);
}

/// A ball as an OBJ text, `size` its diameter.
fn ball(rings: usize, size: f32, offset: Vec3) -> String {
    let mut text = String::new();
    let segments = 2 * rings;
    for ring in 0..=rings {
        for segment in 0..segments {
            let (a, b) = (
                std::f32::consts::PI * ring as f32 / rings as f32,
                std::f32::consts::TAU * segment as f32 / segments as f32,
            );
            let p = 0.5 * size * Vec3::new(a.sin() * b.sin(), a.cos(), a.sin() * b.cos()) + offset;
            writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
        }
    }
    for ring in 0..rings {
        for segment in 0..segments {
            let at = |ring: usize, segment: usize| ring * segments + segment % segments + 1;
            let [a, b] = [at(ring, segment), at(ring, segment + 1)];
            let [c, d] = [at(ring + 1, segment + 1), at(ring + 1, segment)];
            writeln!(text, "f {a} {d} {c} {b}").unwrap();
        }
    }
    text
}

#[test]
fn a_stray_vertex_far_away_spoils_nothing() {
    let text = ball(12, 0.3, Vec3::ZERO);
    let stray = parse(&format!("{text}v 9e8 -9e8 0\n")).unwrap();
    let plain = parse(&text).unwrap();
    assert_eq!(stray.mesh.positions, plain.mesh.positions);
    assert_eq!(stray.bounds[1].x, 9e8);
}

#[test]
fn computed_normals_are_smooth_on_a_ball() {
    let file = parse(&ball(24, 2.0, Vec3::ZERO)).unwrap();
    for (triangle, normals) in file.mesh.normals.iter().enumerate() {
        for (p, normal) in file.mesh.corners(triangle).iter().zip(normals) {
            assert!(p.normalize().dot(*normal) > 0.9995, "{p} {normal}");
        }
    }
}

/// The built-in head as OBJ text, each vertex moved by `f`, without groups.
fn bust_text(f: impl Fn(Vec3) -> Vec3, groups: bool) -> String {
    let mut text = String::new();
    for line in include_str!("../../../assets/head.obj").lines() {
        if let Some(rest) = line.strip_prefix("v ") {
            let c: Vec<f32> = rest.split(' ').map(|c| c.parse().unwrap()).collect();
            let p = f(Vec3::from_slice(&c));
            writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
        } else if let Some(rest) = line.strip_prefix("f ") {
            // Normals would have to be turned too; leave them out.
            let corners: Vec<&str> = rest
                .split(' ')
                .map(|c| c.split('/').next().unwrap())
                .collect();
            writeln!(text, "f {}", corners.join(" ")).unwrap();
        } else if groups && line.starts_with("g ") {
            writeln!(text, "{line}").unwrap();
        }
    }
    text
}

#[test]
fn unit_and_upward_axis_are_found_out() {
    let bust = load(&HeadParams::default()).unwrap();
    let scales = [
        (1.0, Units::Metres),
        (10.0, Units::Decimetres),
        (100.0, Units::Centimetres),
        (1000.0, Units::Millimetres),
    ];
    for groups in [true, false] {
        for (scale, units) in scales {
            for up in [Up::Y, Up::Z] {
                // Blender's axes: z up, the face towards -y.
                let turn = |p: Vec3| match up {
                    Up::Z => Vec3::new(p.x, -p.z, p.y),
                    _ => p,
                };
                let file = parse(&bust_text(|p| scale * turn(p), groups)).unwrap();
                let head =
                    lovelock::mesh::load::place(file.clone(), &HeadParams::default()).unwrap();
                assert_eq!((head.report.units, head.report.up), (units, up), "{groups}");
                assert!((head.report.height - 0.346).abs() < 0.001);
                assert!(
                    head.report.summary.contains("34.6 cm"),
                    "{}",
                    head.report.summary
                );
                for (a, b) in head.mesh.bounds().iter().zip(bust.mesh.bounds()) {
                    assert!(a.distance(b) < 1e-5, "the face must still look to +z");
                }
                // What is set wins over what is judged.
                let set = HeadParams {
                    units: Units::Centimetres,
                    up: Up::Y,
                    ..HeadParams::default()
                };
                let head = lovelock::mesh::load::place(file, &set).unwrap();
                assert_eq!(
                    (head.report.units, head.report.up),
                    (Units::Centimetres, Up::Y)
                );
            }
        }
    }
}

/// The scalp of the built-in head alone, each vertex moved by `f`.
fn scalp_text(f: impl Fn(Vec3) -> Vec3) -> String {
    let head = load(&HeadParams::default()).unwrap();
    let group = head.mesh.groups.iter().find(|g| g.is_scalp()).unwrap();
    let mut text = String::new();
    for p in &head.mesh.positions {
        let p = f(*p);
        writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    for [a, b, c] in &head.mesh.triangles[group.triangles.clone()] {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).unwrap();
    }
    text
}

/// What was odd, but for the rest of the head that is not in the file.
fn odd(report: &HeadReport) -> Vec<&String> {
    let warnings = report.warnings.iter();
    warnings
        .filter(|text| !text.contains("belong to no face"))
        .collect()
}

#[test]
fn the_unit_and_axis_of_a_bare_scalp_are_found_out() {
    for (scale, units) in [
        (1.0, Units::Metres),
        (100.0, Units::Centimetres),
        (1000.0, Units::Millimetres),
    ] {
        for up in [Up::Y, Up::Z] {
            // As much hairline in the neck as on the forehead, and less, and more.
            for lean in [-15.0f32, 0.0, 12.0] {
                let text = scalp_text(|p| {
                    let p = glam::Quat::from_rotation_x(lean.to_radians()) * p * scale;
                    match up {
                        Up::Z => Vec3::new(p.x, -p.z, p.y),
                        _ => p,
                    }
                });
                let scalp = parse(&text).unwrap();
                let head = lovelock::mesh::load::place(scalp, &HeadParams::default()).unwrap();
                println!("{lean} {:?}", head.report);
                assert_eq!(
                    (head.report.units, head.report.up, head.report.kind),
                    (units, up, ModelKind::Scalp),
                    "leaning {lean}"
                );
                assert!(!head.report.unsure, "{:?}", head.report.warnings);
                assert!(odd(&head.report).is_empty());
            }
        }
    }
    // One that stands on its head is not turned over by a guess, but told of.
    let over = parse(&scalp_text(|p| Vec3::new(p.x, -p.y, -p.z))).unwrap();
    let head = lovelock::mesh::load::place(over.clone(), &HeadParams::default()).unwrap();
    let told = head.report.warnings.join("; ");
    assert!(told.contains("head.flip"), "{told}");
    let flipped = HeadParams {
        flip: true,
        turn: 180.0,
        ..HeadParams::default()
    };
    let head = lovelock::mesh::load::place(over, &flipped).unwrap();
    assert!(odd(&head.report).is_empty(), "{:?}", head.report.warnings);
    let usual = parse(&scalp_text(|p| p)).unwrap();
    for (a, b) in head.mesh.bounds().iter().zip(usual.mesh.bounds()) {
        let middle = usual.mesh.bounds()[0].midpoint(usual.mesh.bounds()[1]);
        let own = head.mesh.bounds()[0].midpoint(head.mesh.bounds()[1]);
        assert!((*a - own).distance(b - middle) < 1e-6);
    }
}

#[test]
fn a_head_of_an_odd_size_is_told_of_and_one_that_was_chosen_is_not() {
    // As tall as models are that fill a box of one.
    let tall = load(&HeadParams::default()).unwrap().report.height;
    let odd = parse(&bust_text(|p| p * (1.0 / tall), false)).unwrap();
    let place = |params: HeadParams| lovelock::mesh::load::place(odd.clone(), &params).unwrap();
    let head = place(HeadParams::default());
    assert!(head.report.unsure);
    let told = head.report.warnings.join("; ");
    assert!(
        told.contains("its size is unclear") && told.contains("100.0 cm in m"),
        "{told}"
    );
    assert!(
        told.contains("10.0 cm in dm") && told.contains("head.units"),
        "{told}"
    );
    let chosen = place(HeadParams {
        units: Units::Decimetres,
        ..HeadParams::default()
    });
    assert!(!chosen.report.unsure);
    let scaled = place(HeadParams {
        scale: 3.46,
        units: Units::Decimetres,
        ..HeadParams::default()
    });
    assert!(!scaled.report.unsure && scaled.report.warnings.is_empty());
    assert!((scaled.report.height - 0.346).abs() < 1e-3);
}

/// A head put right is the head, turned, with its normals and its textures.
#[test]
fn a_turned_head_is_the_same_head_turned() {
    let plain = load(&HeadParams::default()).unwrap();
    let [min, max] = plain.mesh.bounds();
    let middle = min.midpoint(max);
    for (turn, flip, scale) in [(90.0, false, 1.0), (37.0, true, 1.0), (-180.0, true, 2.5)] {
        let params = HeadParams {
            turn,
            flip,
            scale,
            ..HeadParams::default()
        };
        let head = load(&params).unwrap();
        let over = if flip { std::f32::consts::PI } else { 0.0 };
        let rotation =
            glam::Quat::from_rotation_y(turn.to_radians()) * glam::Quat::from_rotation_z(over);
        for (a, b) in plain.mesh.positions.iter().zip(&head.mesh.positions) {
            let wanted = rotation * (a - middle) * scale + middle;
            assert!(wanted.distance(*b) < 2e-6 * scale, "{wanted} {b}");
        }
        let normals = plain.mesh.normals.iter().zip(&head.mesh.normals);
        for (i, (a, b)) in normals.enumerate() {
            for (a, b) in a.iter().zip(b) {
                assert!((rotation * *a).distance(*b) < 1e-5);
                // Outward still.
                let face = head.mesh.area_normal(i).normalize();
                let before = plain.mesh.area_normal(i).normalize();
                assert!((face.dot(*b) - before.dot(*a)).abs() < 1e-3);
            }
        }
        assert_eq!(plain.mesh.uvs, head.mesh.uvs);
        assert_eq!(plain.mesh.triangles, head.mesh.triangles);
        // A head that lies with its crown below is measured from there.
        let measured = head.report.head / plain.report.head;
        assert!(flip || (measured - scale).abs() < 1e-3 * scale);
    }
}

/// The built-in head as a file so far from its origin.
fn far_text(metres: f64, unit: f64) -> String {
    let mut text = String::new();
    for line in include_str!("../../../assets/head.obj").lines() {
        if let Some(rest) = line.strip_prefix("v ") {
            let c: Vec<f64> = rest.split(' ').map(|c| c.parse().unwrap()).collect();
            let c = [c[0] - metres, c[1], c[2] + metres].map(|c| c / unit);
            writeln!(text, "v {} {} {}", c[0], c[1], c[2]).unwrap();
        } else {
            writeln!(text, "{line}").unwrap();
        }
    }
    text
}

#[test]
fn a_head_a_kilometre_away_is_the_same_head() {
    let near = load(&HeadParams::default()).unwrap();
    for (metres, unit, units) in [
        (1000.0, 1.0, Units::Metres),
        (1000.0, 0.01, Units::Centimetres),
        (25_000.0, 0.001, Units::Millimetres),
    ] {
        let file = parse(&far_text(metres, unit)).unwrap();
        let origin = file.origin * unit;
        assert!(
            (origin.x + metres).abs() < 1e-9 && origin.y == 0.0,
            "{origin}"
        );
        let head = lovelock::mesh::load::place(file, &HeadParams::default()).unwrap();
        assert_eq!(head.report.units, units);
        let most = near.mesh.positions.iter().zip(&head.mesh.positions);
        let most = most.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(most < 1e-6, "{units:?}: {most}");
        assert_eq!(near.mesh.triangles.len(), head.mesh.triangles.len());
        assert!(head.report.summary.contains("brought to the origin"));
        // What lies in the same space comes the same way.
        let there = glam::DVec3::new(-metres, 0.1, metres + 0.05) / unit;
        let there = head.report.placing.place(there);
        assert!(there.distance(Vec3::new(0.0, 0.1, 0.05)) < 1e-6, "{there}");
    }
    // Near its origin nothing is moved.
    let file = parse(&far_text(2.0, 1.0)).unwrap();
    assert_eq!(file.origin, glam::DVec3::ZERO);
}

/// How long a face of `n` corners at any distance from its middle takes to read.
/// `[s]`
fn star_time(n: u32) -> f64 {
    let mut text = String::new();
    for i in 0..n {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
        let far = 0.1 + 0.1 * f64::from(lovelock::math::random::uniform(3, u64::from(i)));
        let (x, z) = (far * angle.sin(), far * angle.cos());
        writeln!(text, "v {x} 0 {z}").unwrap();
    }
    text += "f";
    for i in 1..=n {
        write!(text, " {i}").unwrap();
    }
    let begun = std::time::Instant::now();
    let file = parse(&text).unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    assert!(file.mesh.triangles.len() > n as usize * 99 / 100);
    let up = (0..file.mesh.triangles.len()).map(|i| file.mesh.area_normal(i).y);
    let least = up.fold(f32::INFINITY, f32::min);
    assert!(least > 0.0, "none is turned over");
    seconds
}

#[test]
fn the_time_for_a_face_grows_little_faster_than_its_corners() {
    let few = star_time(10_000);
    let many = star_time(100_000);
    println!("{few:.3} s, {many:.3} s");
    // Cutting ears would take a hundred times as long, and minutes.
    assert!(many < 60.0 * few && many < 30.0, "{few} s, {many} s");
}

#[test]
fn helper_geometry_is_left_out() {
    let text = format!(
        "g body\n{}g helper-skirt\n{}g Joint-spine\n{}",
        ball(8, 0.3, Vec3::ZERO),
        ball(8, 3.0, Vec3::ZERO)
            .lines()
            .filter(|l| l.starts_with("v "))
            .fold(String::new(), |t, l| t + l + "\n")
            + "f -1 -20 -40\n",
        "f 1 20 40\n"
    );
    let file = parse(&text).unwrap();
    let head = lovelock::mesh::load::place(file, &HeadParams::default()).unwrap();
    assert_eq!(head.report.units, Units::Metres);
    assert!((head.report.height - 0.3).abs() < 1e-5);
    assert!(
        head.report
            .warnings
            .iter()
            .any(|w| w.contains("2 groups named helper-* or joint-*"))
    );
    let only = format!("g helper-a\n{}", cube());
    let error =
        lovelock::mesh::load::place(parse(&only).unwrap(), &HeadParams::default()).unwrap_err();
    assert!(error.to_string().contains("helper-*"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = obj::parse(&bytes, Path::new("x.obj"));
    }

    #[test]
    fn random_words_never_panic(
        words in proptest::collection::vec(
            prop_oneof![
                Just("v"), Just("vn"), Just("vt"), Just("f"), Just("g"), Just("o"), Just("usemtl"),
                Just("mtllib"), Just("\n"), Just("\\\n"), Just("1"), Just("2"), Just("-1"), Just("0.5"),
                Just("3//1"), Just("4/2"), Just("1/1/1"), Just("nan"), Just("#"), Just("9999999"),
                Just("-0.0"), Just("1e30"), Just("/"), Just("\r"), Just("1e-30"), Just("l"),
            ],
            0..120,
        )
    ) {
        let text = words.join(" ");
        if let Ok(file) = obj::parse(text.as_bytes(), Path::new("x.obj")) {
            check_valid(&file.mesh);
        }
    }

    #[test]
    fn a_cube_with_changed_bytes_never_panics(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)
    ) {
        let mut bytes = cube().into_bytes();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(file) = obj::parse(&bytes, Path::new("x.obj")) {
            check_valid(&file.mesh);
            if let Ok(head) = lovelock::mesh::load::place(file, &HeadParams::default()) {
                check_valid(&head.mesh);
            }
        }
    }
}

/// What the type promises.
fn check_valid(mesh: &Mesh) {
    assert!(!mesh.triangles.is_empty());
    assert!(mesh.positions.iter().all(|p| p.is_finite()));
    assert!(
        mesh.triangles
            .as_flattened()
            .iter()
            .all(|v| (*v as usize) < mesh.positions.len())
    );
    assert_eq!(mesh.normals.len(), mesh.triangles.len());
    assert!(
        mesh.normals
            .as_flattened()
            .iter()
            .all(|n| (n.length() - 1.0).abs() < 1e-3)
    );
    assert!(mesh.uvs.is_empty() || mesh.uvs.len() == mesh.triangles.len());
    assert!(
        mesh.triangle_material.is_empty() || mesh.triangle_material.len() == mesh.triangles.len()
    );
    assert!((0..mesh.triangles.len()).all(|i| mesh.area_normal(i).length() > 0.0));
    let mut next = 0;
    for group in &mesh.groups {
        assert_eq!(group.triangles.start, next);
        next = group.triangles.end;
    }
    assert!(mesh.groups.is_empty() || next == mesh.triangles.len());
}

/// Mistakes that whole files are made with, each with what to do next.
#[test]
fn files_of_a_known_wrong_kind_are_told_so() {
    let wide: Vec<u8> = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, wanted) in [
        (
            &b"# x\nv 0,5 0 0\nv 1,5 0 0\nv 0 1,25 0\nf 1 2 3\n"[..],
            "a.obj, line 2: the number \"0,5\" has a decimal comma; export the model with decimal points",
        ),
        (
            b"v 0,5 0 0",
            "line 1: the number \"0,5\" has a decimal comma",
        ),
        (
            b"# a head\n# by nobody\n",
            "line 1: there are comments and nothing else; export the model with its faces",
        ),
        (
            b"v 0 0 0\nv 1 0 0\ncstype bezier\ndeg 3 3\nsurf 0 1 0 1 1 2\nend\n",
            "line 5: there are 1 free-form surfaces (surf) and no faces; convert them to polygons",
        ),
        (
            b"v 0 0 0\nv 1 0 0\ncurv 0 1 1 2\nend\n",
            "line 3: there are 1 free-form curves (curv) and no faces",
        ),
        (&wide, "not OBJ text but UTF-16 text; save it as UTF-8"),
        (
            b"PK\x03\x04 and more",
            "not OBJ text but a zip archive; unpack it and choose the model in it",
        ),
        (
            b"//Maya ASCII 2024 scene\n",
            "not OBJ text but a Maya scene",
        ),
    ] {
        let error = obj::parse(bytes, Path::new("a.obj")).expect_err(wanted);
        let text = error.to_string();
        assert!(text.contains(wanted), "{text}");
        let cures = ["save it", "unpack it", "export the model as"];
        let cures = cures.iter().filter(|cure| text.contains(**cure)).count();
        assert!(cures <= 1, "{text}");
        assert!(!text.contains('\n') && !text.ends_with('.'), "{text}");
    }
}
