//! Crate files that are written are read again, and damaged layers are refused.

use lovelock_usd::{CrateWriter, Data, Layer, Prim, Rep, UsdError};
use proptest::prelude::*;
use std::{fs, io::Cursor, path::Path};

/// A crate file with an attribute of each kind that is written.
fn written(ints: &[i32], floats: &[f32]) -> Vec<u8> {
    let write = || -> std::io::Result<Vec<u8>> {
        let mut file = CrateWriter::new(Cursor::new(Vec::new()))?;
        let up = file.token("Z");
        file.metadata("upAxis", up);
        let metres = file.double(0.01)?;
        file.metadata("metersPerUnit", metres);
        let top = file.prim(None, "World", "Xform");
        let first = file.prim(Some(top), "First", "Mesh");
        let second = file.prim(Some(top), "Second", "");
        let spread = file.token("uniform");
        let fields = [("default", Rep::default()), ("interpolation", spread)];
        file.attribute(first, "nothing", "opaque", &fields);
        let value = file.ints(1, ints)?;
        file.attribute(first, "ints", "int[]", &[("default", value)]);
        let value = file.floats(1, floats)?;
        file.attribute(first, "floats", "float[]", &[("default", value)]);
        let value = file.doubles(3, &[1.0, 2.0, 1e300])?;
        file.attribute(second, "doubles", "double3[]", &[("default", value)]);
        let value = file.longs(&[1 << 40, -1])?;
        file.attribute(second, "longs", "int64[]", &[("default", value)]);
        let value = file.strings(&["crown".into(), String::new(), "crown".into()])?;
        file.attribute(second, "strings", "string[]", &[("default", value)]);
        let poses = [
            file.floats(3, &[1.0, 2.0, 3.0])?,
            file.floats(3, &[4.0, 5.0, 6.0])?,
        ];
        let value = file.samples(&[1.0, 2.0], &poses)?;
        file.attribute(second, "points", "point3f[]", &[("timeSamples", value)]);
        let small = file.int(-7);
        file.attribute(second, "small", "int", &[("default", small)]);
        Ok(file.finish()?.into_inner())
    };
    write().expect("writes to memory")
}

fn data(prim: &Prim, name: &str) -> Data {
    prim.value(name).expect("reads").expect("is there").data
}

#[test]
fn every_kind_of_value_comes_back() {
    let ints: Vec<i32> = (0..40).map(|i| i * i - 300).collect();
    let bytes = written(&ints, &[0.5, -1.0]);
    let layer = Layer::open(&bytes).expect("opens");
    assert_eq!(layer.up_axis.as_deref(), Some("Z"));
    assert_eq!(layer.metres_per_unit, Some(0.01));
    assert_eq!((layer.prims.len(), &layer.prims[0].name[..]), (1, "World"));
    let [first, second] = &layer.prims[0].children[..] else {
        panic!("two prims");
    };
    assert_eq!((&first.kind[..], &second.kind[..]), ("Mesh", ""));
    assert_eq!(first.properties[0].interpolation, "uniform");
    assert_eq!(first.value("nothing"), Ok(None));
    assert_eq!(data(first, "ints"), Data::I32(ints));
    assert_eq!(data(first, "floats"), Data::F32(vec![0.5, -1.0]));
    assert_eq!(data(second, "doubles"), Data::F64(vec![1.0, 2.0, 1e300]));
    assert_eq!(data(second, "longs"), Data::I64(vec![1 << 40, -1]));
    let words = ["crown", "", "crown"].map(String::from).to_vec();
    assert_eq!(data(second, "strings"), Data::Text(words));
    assert_eq!(data(second, "points"), Data::F32(vec![1.0, 2.0, 3.0]));
    assert!(
        second
            .property("points")
            .is_some_and(|points| points.moves())
    );
    assert_eq!(data(second, "small"), Data::I32(vec![-7]));
    assert!(layer.at("/World/Second").is_some() && layer.at("/World/Third").is_none());
}

/// A value between two times is a mixture, before and behind them it is the nearest;
/// text and crate files say the same.
#[test]
fn values_in_time_are_mixed() {
    let text = "#usda 1.0\n(\n  timeCodesPerSecond = 30\n  framesPerSecond = 15\n)\n\
                def Xform \"World\" {\ndef \"Second\" {\n\
                point3f[] points.timeSamples = {\n2: [(4, 5, 6)],\n1 : [(1, 2, 3)],\n\
                2.5: None\n}\n\
                quatf turn.timeSamples = {0: (1, 0, 0, 0), 1: (-1, 0, 0, 0)}\n\
                token[] words = [\"a\"]\n}\n}\n";
    let bytes = written(&[], &[]);
    for layer in [text.as_bytes(), &bytes] {
        let layer = Layer::open(layer).expect("opens");
        let second = layer.at("/World/Second").expect("is there");
        let points = second.property("points").expect("has points");
        let mut times = points.times().expect("reads");
        times.sort_by(f64::total_cmp);
        assert_eq!(times, [1.0, 2.0]);
        for (time, wanted) in [
            (0.0, [1.0, 2.0, 3.0]),
            (1.0, [1.0, 2.0, 3.0]),
            (1.25, [1.75, 2.75, 3.75]),
            (2.0, [4.0, 5.0, 6.0]),
            (9.0, [4.0, 5.0, 6.0]),
        ] {
            let found = second.value_at("points", Some(time)).expect("reads");
            let found = found.expect("a value").data;
            assert_eq!(found, Data::F32(wanted.to_vec()), "{time}");
        }
    }
    let layer = Layer::open(text.as_bytes()).expect("opens");
    let rates = (layer.time_codes_per_second, layer.frames_per_second);
    assert_eq!(rates, (Some(30.0), Some(15.0)));
    let second = layer.at("/World/Second").expect("is there");
    // Both are the same turn: the short way between them is none.
    let turn = second.value_at("turn", Some(0.5)).expect("reads");
    let turn = turn.expect("a value").data;
    assert_eq!(turn, Data::F32(vec![1.0, 0.0, 0.0, 0.0]));
    let words = second.value_at("words", Some(0.5)).expect("reads");
    assert_eq!(words.expect("a value").data, Data::Text(vec!["a".into()]));
    let wrong = "#usda 1.0\ndef \"a\" {\nfloat x.timeSamples = {one: 2}\n}\n";
    let told = Layer::open(wrong.as_bytes()).expect_err("no time").text;
    assert_eq!(told, "\"one\" is no time");
}

/// What relationships and connections point to is named alike in text and in crate files.
#[test]
fn paths_are_those_of_text() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/head");
    for name in ["cube.usda", "cube.usdc", "cube.usdz"] {
        let bytes = fs::read(corpus.join(name)).expect("a seed");
        let layer = Layer::open(&bytes).expect("opens");
        let look = layer.at("/Head/Look").expect("is there");
        let surface = look.targets("outputs:surface");
        assert_eq!(
            surface,
            Ok(vec!["/Head/Look/Surface.outputs:surface".into()]),
            "{name}"
        );
        let skin = layer.at("/Head/Skin").expect("is there");
        assert_eq!(
            skin.targets("material:binding"),
            Ok(vec!["/Head/Look".into()]),
            "{name}"
        );
    }
}

/// Reads all of a layer, whatever is wrong with it.
fn walk(bytes: &[u8]) -> Result<usize, UsdError> {
    fn prim(here: &Prim, sum: &mut usize) {
        for property in &here.properties {
            let value = property.value();
            *sum += value.ok().flatten().map_or(0, |value| value.data.len());
            let _ = property.targets();
        }
        let _ = here.place(glam::DMat4::IDENTITY);
        here.children.iter().for_each(|child| prim(child, sum));
    }
    let layer = Layer::open(bytes)?;
    let mut sum = 0;
    layer.prims.iter().for_each(|each| prim(each, &mut sum));
    Ok(sum)
}

/// Sound files as Pixar's library wrote them.
fn seeds() -> Vec<Vec<u8>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/groom");
    let names = [
        "usdc/three.usdc",
        "usdc/cubic.usdc",
        "usdc/film.usdc",
        "usdz/three.usdz",
    ];
    let read = |name| fs::read(corpus.join(name)).expect("a seed");
    names.into_iter().map(read).collect()
}

#[test]
fn damaged_files_never_panic_and_never_grow() {
    let mut sound = seeds();
    sound.push(written(&[5; 60], &[1.0; 20]));
    for bytes in &sound {
        assert!(walk(bytes).expect("sound") > 10);
        // Cut off; the table of sections comes last.
        for end in (0..bytes.len()).step_by(7) {
            assert!(walk(&bytes[..end]).is_err(), "{end} of {}", bytes.len());
        }
        for at in 0..bytes.len() {
            for mask in [0x01, 0x80, 0xff] {
                let mut broken = bytes.clone();
                broken[at] ^= mask;
                let sum = walk(&broken).unwrap_or(0);
                assert!(
                    sum < 16 * bytes.len() + (1 << 16),
                    "{sum} values, byte {at}"
                );
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let bytes = written(&[1], &[1.0]);
    for (at, value, wanted) in [
        (9, 3u8, "its version is 0.3.0"),
        (8, 1, "its version is 1.8.0"),
        (20, 0xff, "lies beyond its end"),
    ] {
        let mut broken = bytes.clone();
        broken[at] = value;
        let error = Layer::open(&broken).expect_err("is refused").to_string();
        assert!(error.contains(wanted), "{error}");
    }
    let error = Layer::open(b"PXR-USDC")
        .expect_err("is refused")
        .to_string();
    assert!(error.contains("ends in its header"), "{error}");
    assert!(Layer::open(b"").is_err() && Layer::open(b"PK\x03\x04").is_err());
}

#[test]
fn text_says_what_a_crate_file_does() {
    let text = br#"#usda 1.0
( upAxis = "Z"
  metersPerUnit = 0.01 )
def Xform "World" ( kind = "group" )
{
    class "C" { }
    def Mesh "First" ( prepend references = @other.usd@ )
    {
        int[] faceVertexCounts = [3]
        point3f[] points.timeSamples = { 1: [(1, 2, 3)], 2: [(9, 9, 9)] }
        quatf[] turns = [(1, 2, 3, 4)]
        asset file = @@@a@b.png@@@
        rel material:binding = </World/Look>
        color3f inputs:diffuseColor.connect = </World/Look/Texture.outputs:rgb>
        float[] primvars:w = [1, 2] ( interpolation = "uniform"
            elementSize = 2 )
        float lost = None
    }
}
"#;
    let layer = Layer::open(text).expect("opens");
    assert_eq!(layer.up_axis.as_deref(), Some("Z"));
    let mesh = layer.at("/World/First").expect("is there");
    assert!(mesh.refers && !layer.prims[0].refers);
    assert_eq!(data(mesh, "points"), Data::F32(vec![1.0, 2.0, 3.0]));
    assert_eq!(data(mesh, "turns"), Data::F32(vec![1.0, 2.0, 3.0, 4.0]));
    assert_eq!(mesh.word("file").as_deref(), Ok("a@b.png"));
    assert_eq!(
        mesh.targets("material:binding"),
        Ok(vec!["/World/Look".into()])
    );
    let connected = mesh.targets("inputs:diffuseColor");
    assert_eq!(
        connected,
        Ok(vec!["/World/Look/Texture.outputs:rgb".into()])
    );
    let primvar = mesh.property("primvars:w").expect("is there");
    assert_eq!(
        (&primvar.interpolation[..], primvar.element_size),
        ("uniform", 2)
    );
    assert_eq!(mesh.value("lost"), Ok(None));
    let deep = format!("#usda 1.0\n{}", "def \"a\" {".repeat(200));
    let error = Layer::open(deep.as_bytes())
        .expect_err("is refused")
        .to_string();
    assert!(error.contains("too deeply"), "{error}");
}

proptest! {
    #[test]
    fn arrays_come_back(
        ints in prop::collection::vec(any::<i32>(), 0..60),
        floats in prop::collection::vec(-1e6f32..1e6, 0..60),
    ) {
        let bytes = written(&ints, &floats);
        let layer = Layer::open(&bytes).expect("opens");
        let first = layer.at("/World/First").expect("is there");
        prop_assert_eq!(data(first, "ints"), Data::I32(ints));
        prop_assert_eq!(data(first, "floats"), Data::F32(floats));
    }

    /// Any bytes behind the beginning of a file.
    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for beginning in [&b"PXR-USDC\0\x08\0\0\0\0\0\0"[..], b"#usda 1.0\n", b"PK\x03\x04"] {
            let _ = walk(&[beginning, &bytes].concat());
        }
    }
}
