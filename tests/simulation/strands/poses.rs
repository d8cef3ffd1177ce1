//! Grooms that move: when their poses are, and what stands still in them.

use super::hair;
use glam::Vec3;
use lovelock::io::strands::{MovingStrands, parse};
use lovelock_alembic::{Kind, NodeId, Pod, Times, Writer};
use lovelock_usd::CrateWriter;
use std::{fs, io::Cursor, path::Path};

/// The groom in a file with these bytes, which moves.
fn moving(name: &str, bytes: &[u8]) -> MovingStrands {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("written");
    let found = MovingStrands::open(&path).expect("reads");
    found.expect("it moves")
}

/// The last point of each pose.
fn tips(moving: &MovingStrands) -> Vec<Vec3> {
    let mut out = Vec::new();
    let taken = moving.each(&mut |_, points| {
        out.extend(points.last());
        true
    });
    assert_eq!(taken, Ok(()));
    out
}

/// Strands whose points are written once, under a transform that moves by one each frame.
fn carried_crate(frames: usize) -> Vec<u8> {
    let strands = hair(100, |_| 20);
    let write = || -> std::io::Result<Vec<u8>> {
        let mut file = CrateWriter::new(Cursor::new(Vec::new()))?;
        let top = file.prim(None, "Head", "Xform");
        let times: Vec<f64> = (0..frames).map(|frame| frame as f64).collect();
        let moves: Vec<_> = (0..frames)
            .map(|frame| file.floats(3, &[frame as f32, 0.0, 0.0]))
            .collect::<Result<_, _>>()?;
        let moves = file.samples(&times, &moves)?;
        let fields = [("timeSamples", moves)];
        file.attribute(top, "xformOp:translate", "float3[]", &fields);
        let order = file.strings(&["xformOp:translate".into()])?;
        file.attribute(top, "xformOpOrder", "string[]", &[("default", order)]);
        let curves = file.prim(Some(top), "Strands", "BasisCurves");
        let linear = file.token("linear");
        file.attribute(curves, "type", "token", &[("default", linear)]);
        let counts = file.ints(1, &[20; 100])?;
        file.attribute(curves, "curveVertexCounts", "int[]", &[("default", counts)]);
        let points: Vec<f32> = strands.points.iter().flat_map(Vec3::to_array).collect();
        let points = file.floats(3, &points)?;
        file.attribute(curves, "points", "point3f[]", &[("default", points)]);
        Ok(file.finish()?.into_inner())
    };
    write().expect("writes to memory")
}

#[test]
fn hair_that_stands_still_under_what_moves_is_read_in_every_pose() {
    let tip = *hair(100, |_| 20).points.last().expect("points");
    let tips = tips(&moving("hair.usdc", &carried_crate(100)));
    assert_eq!(tips.len(), 100);
    for (frame, found) in tips.iter().enumerate() {
        let wanted = tip + Vec3::X * frame as f32;
        assert!(found.distance(wanted) < 1e-4, "{frame}: {found} {wanted}");
    }
}

#[test]
fn cubic_hair_that_moves_keeps_its_times() {
    let text = "#usda 1.0\n(\n    timeCodesPerSecond = 60\n    framesPerSecond = 30\n)\n\
                def BasisCurves \"hair\"\n{\n    int[] curveVertexCounts = [4]\n    \
                point3f[] points.timeSamples = {\n        \
                90: [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0)],\n        \
                92: [(0, 0, 1), (0, 1, 1), (0, 2, 1), (0, 3, 1)]\n    }\n}\n";
    let moving = moving("hair.usda", text.as_bytes());
    let times = moving.times();
    assert_eq!((times.frames, times.rate), (2, 30.0));
    assert_eq!((times.start, times.codes), (1.5, 60.0));
    assert_eq!(
        tips(&moving),
        [Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 3.0, 1.0)]
    );
}

#[test]
fn points_without_a_time_are_the_hair_at_rest() {
    let text = |points: &str| {
        format!(
            "#usda 1.0\ndef BasisCurves \"hair\"\n{{\n    uniform token type = \"linear\"\n    \
             int[] curveVertexCounts = [2]\n{points}    point3f[] points.timeSamples = {{\n        \
             2: [(0, 0, 0), (0, 2, 0)],\n        1: [(0, 0, 0), (0, 1, 0)]\n    }}\n}}\n"
        )
    };
    let rest = |text: &str| {
        let moving = moving("hair.usda", text.as_bytes());
        let strands = moving.strands();
        let told = strands
            .notes
            .iter()
            .any(|note| note.starts_with("the points without a time are the hair at rest"));
        (strands.points[1].y, told, tips(&moving).len())
    };
    // The first in time, wherever it stands in the file.
    assert_eq!(rest(&text("")), (1.0, false, 2));
    let default = "    point3f[] points = [(0, 0, 0), (0, 9, 0)]\n";
    assert_eq!(rest(&text(default)), (9.0, true, 2));
}

/// An archive with hair of one strand that moves by one along y each second, under a
/// transform that moves by a half along x each half second, and an object beside it.
fn archive(beside: &dyn Fn(&mut Archive)) -> Vec<u8> {
    let write = || -> std::io::Result<Vec<u8>> {
        let mut out = Writer::new(Cursor::new(Vec::new()), "")?;
        let whole = out.times(Times::uniform(0.0, 1.0));
        let half = out.times(Times::uniform(0.0, 0.5));
        let top = out.top();
        let transform = "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform";
        let head = out.object(top, "head", transform);
        let inner = out.compound(head, ".xform", "schema=AbcGeom_Xform_v3");
        let ops = out.property(inner, (Kind::Scalar, Pod::U8, 1), ".ops", "", 0);
        out.sample(ops, &[1 << 4], 1)?;
        let values = out.property(inner, (Kind::Scalar, Pod::F64, 3), ".vals", "", half);
        for i in 0..5 {
            let numbers = [0.5 * f64::from(i), 0.0, 0.0].map(f64::to_le_bytes);
            out.numbers(values, numbers.into_iter())?;
        }
        strand(&mut out, head, "hair", whole)?;
        beside(&mut out);
        Ok(out.finish()?.into_inner())
    };
    write().expect("writes to memory")
}

type Archive = Writer<Cursor<Vec<u8>>>;

/// Adds a strand that moves by one along y with each sample.
fn strand(out: &mut Archive, parent: NodeId, name: &str, times: usize) -> std::io::Result<NodeId> {
    let hair = out.object(parent, name, "schema=AbcGeom_Curve_v2");
    let geometry = out.compound(hair, ".geom", "schema=AbcGeom_Curve_v2");
    let points = out.property(geometry, (Kind::Array, Pod::F32, 3), "P", "", times);
    let counts = out.property(geometry, (Kind::Array, Pod::I32, 1), "nVertices", "", times);
    for i in 0..3 {
        let numbers = [0.0, i as f32, 0.0, 0.0, i as f32, 1.0].map(f32::to_le_bytes);
        out.numbers(points, numbers.into_iter())?;
        out.numbers(counts, [2i32.to_le_bytes()].into_iter())?;
    }
    Ok(hair)
}

#[test]
fn poses_of_an_archive_are_at_one_time_whatever_each_part_is_sampled_at() {
    let moving = moving("hair.abc", &archive(&|_| {}));
    assert_eq!((moving.poses(), moving.rate()), (5, 2.0));
    let wanted: Vec<Vec3> = (0..5)
        .map(|i| Vec3::new(0.5 * i as f32, (i / 2) as f32, 1.0))
        .collect();
    assert_eq!(tips(&moving), wanted);
}

#[test]
fn hidden_curves_and_instances_of_an_archive_are_left_out_with_a_note() {
    let bytes = archive(&|out| {
        let top = out.top();
        let hair = strand(out, top, "hidden", 0).expect("writes");
        let visible = out.scalar(hair, Pod::I8, "visible", 0);
        out.sample(visible, &[0], 1).expect("writes");
        let hair = strand(out, top, "seen", 0).expect("writes");
        let visible = out.scalar(hair, Pod::I8, "visible", 0);
        out.sample(visible, &[255], 1).expect("writes");
        let copy = out.object(top, "copy", "");
        let source = out.scalar(copy, Pod::Text, ".instanceSource", 0);
        out.texts(source, ["/seen"].into_iter()).expect("writes");
    });
    let (_, read) = parse(&bytes, Path::new("x.abc")).expect("reads");
    assert_eq!(read.len(), 2);
    for wanted in [
        "1 set of curves is hidden, and is left out",
        "1 instance is left out",
    ] {
        assert!(
            read.notes.iter().any(|note| note == wanted),
            "{:?}",
            read.notes
        );
    }
}
