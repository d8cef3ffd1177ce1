//! Widths, colours, roots and columns of sets of curves: what becomes of them, and what is
//! said of those that are left out.

use super::{content, hair};
use lovelock::io::strands::{
    Attribute, Strands, Values,
    attribute::{GUIDE, Of},
    parse,
};
use lovelock_usd::CrateWriter;
use std::{io::Cursor, path::Path};

fn read(text: &str) -> Strands {
    match parse(text.as_bytes(), Path::new("x.usda")) {
        Ok((_, strands)) => strands,
        Err(fault) => panic!("{fault}\n{text}"),
    }
}

/// A prim of two linear curves of two points, and what else it says.
fn pair(name: &str, more: &str) -> String {
    format!(
        "def BasisCurves \"{name}\" {{\n uniform token type = \"linear\"\n \
         int[] curveVertexCounts = [2, 2]\n \
         point3f[] points = [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]\n{more}\n}}\n"
    )
}

fn layer(prims: &[String]) -> String {
    format!("#usda 1.0\n{}", prims.concat())
}

fn column<'a>(strands: &'a Strands, name: &str) -> &'a Attribute {
    let mut all = strands.attributes.iter();
    all.find(|column| column.name == name).expect(name)
}

#[test]
fn looks_that_are_left_out_are_named() {
    let whole = "float[] widths = [0.1, 0.2]\ncolor3f[] primvars:displayColor = [(1, 0, 0)]\n\
                 texCoord2f[] primvars:st = [(0, 0), (1, 1)]";
    let odd = "float[] widths = [0.1, 0.2, 0.3]";
    let given = read(&layer(&[pair("a", whole), pair("b", whole)]));
    assert_eq!((given.widths.len(), given.colours.len()), (8, 8));
    assert_eq!((given.root_uvs.len(), &given.notes[..]), (4, &[][..]));
    for (prims, wanted) in [
        (
            [pair("a", whole), pair("b", "")],
            "that not all curves have",
        ),
        (
            [pair("a", ""), pair("b", whole)],
            "that not all curves have",
        ),
        (
            [pair("a", whole), pair("b", odd)],
            "that are neither one for each point nor one for each curve",
        ),
    ] {
        let given = read(&layer(&prims));
        assert!(given.widths.is_empty() && given.colours.is_empty());
        assert!(given.root_uvs.is_empty());
        let wanted = format!("widths {wanted} are left out");
        assert!(given.notes.contains(&wanted), "{:?}", given.notes);
        let others = ["colours", "texture coordinates of roots"];
        for what in others {
            let wanted = format!("{what} that not all curves have are left out");
            assert!(given.notes.contains(&wanted), "{:?}", given.notes);
        }
    }
}

#[test]
fn a_set_without_curves_takes_nothing_from_the_others() {
    let more = "float[] widths = [0.1]\nint[] primvars:lock = [4, 5] (interpolation = \"uniform\")";
    let empty = "def BasisCurves \"none\" {\nint[] curveVertexCounts = []\npoint3f[] points = []\n\
                 texCoord2f[] primvars:st = [(0, 0)]\n}\n";
    let given = read(&layer(&[pair("a", more), empty.into()]));
    assert_eq!(given.widths, [0.1; 4]);
    assert_eq!(column(&given, "lock").values, Values::I32(vec![4, 5]));
    let lost = given.notes.iter().find(|note| note.contains("left out"));
    assert_eq!(lost, None);
}

#[test]
fn roots_of_points_are_those_of_each_first_point() {
    let st = "texCoord2f[] primvars:st = [(0, 0.5), (9, 9), (1, 0.5), (9, 9)] \
              (interpolation = \"vertex\")";
    let given = read(&layer(&[pair("a", st)]));
    assert_eq!(given.root_uvs, [[0.0, 0.5], [1.0, 0.5]]);
}

#[test]
fn looks_may_be_named_by_number() {
    let more = "color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0)] \
                (interpolation = \"vertex\")\n\
                int[] primvars:displayColor:indices = [1, 0, 0, 1]\n\
                texCoord2f[] primvars:st = [(0.5, 0.5), (0, 0)] (interpolation = \"uniform\")\n\
                int[] primvars:st:indices = [1, 0]";
    let given = read(&layer(&[pair("a", more)]));
    let (red, green) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert_eq!(given.colours, [green, red, red, green]);
    assert_eq!(given.root_uvs, [[0.0, 0.0], [0.5, 0.5]]);
}

#[test]
fn a_primvar_of_widths_counts_before_the_attribute_and_unreal_names_are_looks() {
    let both = "float[] widths = [1]\nfloat[] primvars:widths = [0.5]";
    let given = read(&layer(&[pair("a", both)]));
    assert_eq!(
        (&given.widths[..], given.attributes.len()),
        (&[0.5; 4][..], 0)
    );
    let unreal = "float[] primvars:groom_width = [0.5]\n\
                  color3f[] primvars:groom_color = [(1, 0, 0)]\n\
                  float2[] primvars:groom_root_uv = [(0, 0), (1, 1)] (interpolation = \"uniform\")";
    let given = read(&layer(&[pair("a", unreal)]));
    assert_eq!((given.widths, given.colours.len()), (vec![0.5; 4], 4));
    assert_eq!((given.root_uvs.len(), given.attributes.len()), (2, 0));
}

#[test]
fn columns_that_are_called_like_looks_do_not_contradict_these_in_a_file() {
    for id in ["usda", "usdc", "abc"] {
        let mut given = hair(3, |_| 4);
        for name in ["groom_width", "widths", "width"] {
            given.attributes.push(Attribute {
                name: name.into(),
                of: Of::Point,
                each: 1,
                values: Values::F32(vec![7.0; 12]),
            });
        }
        let (_, back) = parse(&content(id, &given), Path::new("groom")).expect("reads back");
        assert_eq!(back.widths, given.widths, "{id}");
        let kept = back.attributes.iter();
        let kept = kept.filter(|column| column.name == "groom_width");
        assert_eq!(kept.count(), 0, "{id}");
    }
}

#[test]
fn what_is_the_same_for_all_curves_of_a_set_is_kept_for_each() {
    let guide = "int primvars:groom_guide = 1\nint[] primvars:groom_group_id = [3]\n\
                 string primvars:maker = \"me\"";
    let plain = "int[] primvars:groom_group_id = [4, 5] (interpolation = \"uniform\")\n\
                 string primvars:maker = \"me\"";
    for (prims, guides, groups) in [
        (
            [pair("a", guide), pair("b", plain)],
            [1, 1, 0, 0],
            [3, 3, 4, 5],
        ),
        (
            [pair("a", plain), pair("b", guide)],
            [0, 0, 1, 1],
            [4, 5, 3, 3],
        ),
    ] {
        let given = read(&layer(&prims));
        let found = column(&given, GUIDE);
        assert_eq!((found.of, found.each), (Of::Strand, 1));
        assert_eq!(found.values, Values::I32(guides.to_vec()));
        let found = column(&given, "groom_group_id");
        assert_eq!(found.of, Of::Strand);
        assert_eq!(found.values, Values::I32(groups.to_vec()));
        assert_eq!(column(&given, "maker").of, Of::Groom);
        assert!(given.notes.is_empty(), "{:?}", given.notes);
    }
    // One note for all sets.
    let odd =
        |name: &str, column: &str| pair(name, &format!("int[] primvars:{column} = [1, 2, 3]"));
    let given = read(&layer(&[odd("a", "one"), odd("b", "two"), odd("c", "one")]));
    let wanted = "columns that not all curves have alike are left out: one, two";
    assert_eq!(given.notes, [wanted]);
}

#[test]
fn long_rows_that_are_named_many_times_are_left_out() {
    let count = 1000;
    let list = |item: &str| vec![item; count].join(", ");
    let text = format!(
        "#usda 1.0\ndef BasisCurves \"a\" {{\n uniform token type = \"linear\"\n \
         int[] curveVertexCounts = [{count}]\n point3f[] points = [{}]\n \
         float[] primvars:long = [{}] (\n  elementSize = {count}\n  interpolation = \"vertex\"\n )\n \
         int[] primvars:long:indices = [{}]\n}}\n",
        list("(0, 0, 0)"),
        list("1"),
        list("0"),
    );
    let given = read(&text);
    assert!(given.attributes.is_empty(), "they are 4 MB");
    assert!(
        given.notes[0].ends_with("left out: long"),
        "{:?}",
        given.notes
    );
}

#[test]
fn widths_where_pieces_of_a_spline_meet_are_those_of_its_control_points() {
    let curve = |more: &str| {
        read(&format!(
            "#usda 1.0\ndef BasisCurves \"a\" {{\n int[] curveVertexCounts = [6]\n \
             uniform token type = \"cubic\"\n \
             point3f[] points = [(0,0,0), (0,1,0), (0,2,0), (0,3,0), (0,4,0), (0,5,0)]\n {more}\n}}\n"
        ))
    };
    for basis in ["bspline", "catmullRom"] {
        let given = curve(&format!(
            "uniform token basis = \"{basis}\"\n float[] widths = [1, 2, 3, 4] \
             (interpolation = \"varying\")"
        ));
        assert_eq!(given.widths, [1.0, 1.0, 2.0, 3.0, 4.0, 4.0], "{basis}");
    }
    let given = curve(
        "uniform token wrap = \"periodic\"\n float[] widths = [0, 3] (interpolation = \"varying\")",
    );
    let wanted = [0.0, 1.0, 2.0, 3.0, 2.0, 1.0];
    assert_eq!(given.widths.len(), 6);
    for (found, wanted) in given.widths.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-5, "{:?}", given.widths);
    }
}

#[test]
fn what_changes_in_time_is_as_in_its_first_time_sample() {
    let more = "float[] primvars:age (\n  interpolation = \"uniform\"\n )\n \
                float[] primvars:age.timeSamples = { 5: [5, 6], 2: [2, 3] }\n \
                float[] widths.timeSamples = { 1: [0.5], 2: [0.25] }";
    let given = read(&layer(&[pair("a", more)]));
    assert_eq!(given.widths, [0.5; 4]);
    let age = column(&given, "age");
    assert_eq!(age.of, Of::Strand);
    assert_eq!(age.values, Values::F32(vec![2.0, 3.0]));
    let told = "widths, colours and columns that change in time are as in their first time sample";
    assert_eq!(given.notes, [told]);
}

#[test]
fn a_crate_file_may_repeat_its_curves() {
    let write = || -> std::io::Result<Vec<u8>> {
        let mut file = CrateWriter::new(Cursor::new(Vec::new()))?;
        let linear = file.token("linear");
        let counts = file.ints(1, &[20; 100])?;
        let points: Vec<f32> = (0..6000).map(|i| i as f32 * 0.37).collect();
        let points = file.floats(3, &points)?;
        for i in 0..8 {
            let curves = file.prim(None, &format!("tuft{i}"), "BasisCurves");
            file.attribute(curves, "type", "token", &[("default", linear)]);
            file.attribute(curves, "curveVertexCounts", "int[]", &[("default", counts)]);
            file.attribute(curves, "points", "point3f[]", &[("default", points)]);
        }
        Ok(file.finish()?.into_inner())
    };
    let bytes = write().expect("writes to memory");
    let (_, given) = parse(&bytes, Path::new("x.usdc")).expect("reads");
    assert_eq!((given.len(), given.points.len()), (800, 16_000));
}

#[test]
fn what_is_not_to_be_seen_is_left_out_and_sublayers_are_noted() {
    let seen = pair("seen", "");
    let off = pair("off", "").replacen("\"off\"", "\"off\" (\n active = false\n)", 1);
    let guide = pair("guide", "uniform token purpose = \"guide\"");
    let sublayers = "#usda 1.0\n(\n subLayers = [\n  @other.usda@\n ]\n)\n";
    let given = read(&format!("{sublayers}{seen}{off}{guide}"));
    assert_eq!(given.len(), 2);
    let notes = given.notes.join("; ");
    for wanted in [
        "2 prims of curves are invisible, inactive, a class, or of purpose proxy or guide, and \
         left out",
        "(references, payloads, sublayers) is left out",
    ] {
        assert!(notes.contains(wanted), "{notes}");
    }
    let refused = |text: &str| {
        let fault = parse(text.as_bytes(), Path::new("x.usda")).err();
        fault.expect("refused").to_string()
    };
    let text = refused(&format!("#usda 1.0\n{off}"));
    assert!(
        text.contains("1 prim of curves is invisible, inactive"),
        "{text}"
    );
    let text = refused(sublayers);
    assert!(text.contains("what it refers to"), "{text}");
    let text = refused(&sublayers.replace("@other.usda@", ""));
    assert!(text.contains("no BasisCurves; export"), "{text}");
}
