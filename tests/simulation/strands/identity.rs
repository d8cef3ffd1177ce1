//! A strand keeps its number, its points and its columns from file to file.

use super::{content, hair, input};
use glam::Vec3;
use lovelock::{
    groom::Followers,
    io::strands::{
        self, Attribute, Strands,
        attribute::{ID, Of, Values},
        lost, parse,
    },
    math::{Pose, random::uniform},
    mesh::{HeadParams, RootParams, load, roots},
    project::{built_scene::build, export::Exporter, scene::Scene},
};
use std::path::Path;

fn column(name: &str, of: Of, each: usize, values: Values) -> Attribute {
    Attribute {
        name: name.into(),
        of,
        each,
        values,
    }
}

/// Columns of every type, the same on every run.
fn columns(strands: usize, points: usize) -> Vec<Attribute> {
    let odd = |i: usize| (i as i64 * 48_271) % 10_007;
    vec![
        column(
            ID,
            Of::Strand,
            1,
            Values::I32((0..strands).map(|i| odd(i) as i32 - 50).collect()),
        ),
        column(
            "group",
            Of::Strand,
            1,
            Values::I64((0..strands).map(|i| odd(i) + (1 << 31)).collect()),
        ),
        column(
            "age",
            Of::Point,
            1,
            Values::F32((0..points).map(|i| uniform(3, i as u64)).collect()),
        ),
        column(
            "exact",
            Of::Strand,
            1,
            Values::F64((0..strands).map(|i| 1.0 / (3.0 + odd(i) as f64)).collect()),
        ),
    ]
}

/// Those that text alone can hold.
fn more(strands: usize) -> Vec<Attribute> {
    let name = |i: usize| format!("lock \"{}\" \\ {}", i % 7, ["crown", "fringe"][i % 2]);
    let flow = |i: usize| uniform(5, i as u64);
    vec![
        column(
            "groom_group_name",
            Of::Strand,
            1,
            Values::Text((0..strands).map(name).collect()),
        ),
        column(
            "flow",
            Of::Strand,
            3,
            Values::F32((0..3 * strands).map(flow).collect()),
        ),
        column("version", Of::Groom, 2, Values::I32(vec![1, -5])),
        column(
            "wide",
            Of::Strand,
            6,
            Values::F32((0..6 * strands).map(flow).collect()),
        ),
    ]
}

#[test]
fn columns_survive_the_formats_that_have_them_to_the_bit() {
    for id in ["ply", "usda", "abc"] {
        let mut given = hair(30, |strand| 2 + strand % 5);
        given.attributes = columns(30, given.points.len());
        if id != "ply" {
            given.attributes.extend(more(30));
        }
        let (_, mut back) = parse(&content(id, &given), Path::new("groom")).expect("reads back");
        // The order of columns says nothing.
        for columns in [&mut back.attributes, &mut given.attributes] {
            columns.sort_by(|a, b| a.name.cmp(&b.name));
        }
        assert_eq!(back.attributes, given.attributes, "{id}");
        assert!(back.notes.is_empty(), "{id}: {:?}", back.notes);
    }
}

#[test]
fn a_column_that_is_lost_is_named() {
    let mut given = hair(5, |_| 4);
    given.attributes = columns(5, 20);
    for id in ["hair", "data", "obj", "tfx"] {
        let (_, back) = parse(&content(id, &given), Path::new("groom")).expect("reads back");
        let lines = lost(&given, &back).join("; ");
        assert!(lines.contains("the columns age, "), "{id}: {lines}");
        for name in ["groom_id", "group", "exact"] {
            assert!(lines.contains(name), "{id}: {lines}");
        }
    }
    given.attributes = more(5);
    let (_, back) = parse(&content("ply", &given), Path::new("groom")).expect("reads back");
    let lines = lost(&given, &back).join("; ");
    for wanted in [
        "the column flow is in the file as flow_0 to flow_2",
        "the column wide is in the file as wide_0 to wide_5",
        "the columns groom_group_name and version are not in the file",
    ] {
        assert!(lines.contains(wanted), "{lines}");
    }
}

#[test]
fn damaged_columns_are_left_out_with_a_note() {
    let text = "#usda 1.0\ndef BasisCurves \"A\"\n{\n    uniform token type = \"linear\"\n    \
                int[] curveVertexCounts = [2, 2]\n    point3f[] points = [(0, 0, 0), (0, 1, 0), \
                (1, 0, 0), (1, 1, 0)]\n    int[] primvars:short = [1] (\n        interpolation = \
                \"uniform\"\n    )\n    int[] primvars:good = [4, 9] (\n        interpolation = \
                \"uniform\"\n    )\n    float[] primvars:told = [0.5, 0.25] (\n        \
                interpolation = \"uniform\"\n    )\n    int[] primvars:told:indices = [1, 1]\n}\n";
    let (_, read) = parse(text.as_bytes(), Path::new("a.usda")).expect("reads");
    let good = column("good", Of::Strand, 1, Values::I32(vec![4, 9]));
    let told = column("told", Of::Strand, 1, Values::F32(vec![0.25; 2]));
    assert_eq!(read.attributes, [good, told]);
    assert!(
        read.notes.iter().any(|note| note.contains("short")),
        "{:?}",
        read.notes
    );
}

/// The hair of a scene with the groom `path`, written in centimetres at rest with
/// `each` followers a strand.
fn out_again(path: &Path, head: &str, guides: u32, each: u32) -> (Strands, f32) {
    let mut scene = Scene::default();
    scene.import.file = path.display().to_string();
    scene.import.guides = guides;
    scene.head.file = head.into();
    let built = build(&scene).expect("builds");
    let report = built.bound.clone().expect("comes from a file");
    let mesh = &built.head.mesh;
    let followers = Followers::plant(&built.groom, mesh, &built.bed, each);
    let exporter = Exporter::new(
        &built.groom,
        built.origin.clone(),
        &built.body,
        followers,
        0.01,
        &|| true,
    );
    let rest = built.groom.points.clone();
    let out = exporter.strands(&built.groom, &rest, &Pose::IDENTITY, &scene, &|| true);
    (out, 100.0 * report.largest_distance)
}

/// Strands on the built-in head in centimetres, in no order, some without length and
/// some with points twice.
fn odd_groom() -> Strands {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let params = RootParams {
        strands: 60,
        ..RootParams::default()
    };
    let roots = roots(&head.mesh, &params).expect("roots");
    let mut out = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    for (i, root) in roots.iter().enumerate() {
        let at = 100.0 * root.position;
        let step = Vec3::new(0.3, 0.9, 0.2);
        match i % 6 {
            5 => out.points.extend([at; 3]),
            4 => out
                .points
                .extend([0.0, 0.0, 1.0, 1.01, 2.0, 2.0].map(|s| at + step * s)),
            3 => out
                .points
                .extend((0..600).map(|k| at + step * (k as f32 * 0.01))),
            _ => out
                .points
                .extend((0..4 + i % 3).map(|k| at + step * k as f32)),
        }
        out.starts.push(out.points.len() as u32);
    }
    out.widths = (0..out.points.len())
        .map(|i| 0.005 + 0.003 * uniform(1, i as u64))
        .collect();
    out.colours = (0..out.points.len())
        .map(|i| [(i % 256) as f32 / 255.0, 0.2, 0.6])
        .collect();
    out.attributes = columns(out.len(), out.points.len());
    out
}

#[test]
fn a_groom_goes_out_as_it_came_in() {
    let given = odd_groom();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.ply");
    std::fs::write(&path, content("ply", &given)).expect("writes");
    let (_, read) = strands::read(&path).expect("reads");
    // Where most strands follow some, too.
    for guides in [0, 12] {
        let (out, moved) = out_again(&path, "", guides, 0);
        assert_eq!(out.starts, read.starts, "the file's order and counts");
        for (i, (a, b)) in out.points.iter().zip(&read.points).enumerate() {
            assert!(a.distance(*b) < moved + 1e-4, "point {i}: {a} {b}, {moved}");
        }
        assert_eq!(out.attributes, read.attributes, "columns, exactly");
        assert_eq!(out.colours, read.colours);
        let widths = out.widths.iter().zip(&read.widths);
        for (a, b) in widths {
            assert!((a / b - 1.0).abs() < 1e-5, "{a} {b}");
        }
    }
}

#[test]
fn guides_keep_their_numbers_and_new_hair_has_new_ones() {
    let given = odd_groom();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.ply");
    std::fs::write(&path, content("ply", &given)).expect("writes");
    let ids = |strands: &Strands| match strands.attributes.iter().find(|c| c.name == ID) {
        Some(Attribute {
            values: Values::I32(ids),
            ..
        }) => ids.clone(),
        other => panic!("{other:?}"),
    };
    let all = ids(&given);
    let (out, _) = out_again(&path, "", 20, 3);
    let found = ids(&out);
    // All 60 strands of the file, and three followers of each of 20 guides.
    assert_eq!((out.len(), found.len()), (120, 120));
    let mut once = found.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), 120, "no number twice");
    assert!(found[..60].iter().all(|id| all.contains(id)));
    assert!(found[60..].iter().all(|id| !all.contains(id)));
    let columns = out.attributes.iter().all(|c| c.fits(120, out.points.len()));
    assert!(columns && out.attributes.len() == given.attributes.len());
}

#[test]
fn real_grooms_go_out_in_their_order_with_their_points() {
    let own = "heads/digitalsalon_female_head.obj";
    for (name, head) in [
        ("hair/harolongo.data", own),
        ("hair/Bangs_100.hair", ""),
        ("hair/Bangs_100.data", ""),
        ("hair/Bangs_100_ascii.ply", ""),
        ("hair/Ratboy_mohawk_v4.tfx", ""),
        ("hair/hair-blender-3.0.1.usda", ""),
    ] {
        let Some(path) = input(name) else { continue };
        let head = match head {
            "" => String::new(),
            head => match input(head) {
                Some(path) => path.display().to_string(),
                None => continue,
            },
        };
        let (_, read) = strands::read(&path).expect("reads");
        let read = read.evaluated();
        let (out, moved) = out_again(&path, &head, 0, 0);
        assert_eq!(out.starts, read.starts, "{name}: order and counts");
        for column in &read.attributes {
            let found = out.attributes.iter().find(|c| c.name == column.name);
            assert_eq!(found, Some(column), "{name}");
        }
        let numbers = out.attributes.iter().find(|column| column.name == ID);
        let count = Values::I32((0..out.len() as i32).collect());
        assert_eq!(numbers.map(|column| &column.values), Some(&count), "{name}");
        if !head.is_empty() {
            for (i, (a, b)) in out.points.iter().zip(&read.points).enumerate() {
                assert!(a.distance(*b) < moved + 1e-3, "{name}: point {i}: {a} {b}");
            }
        }
    }
}
