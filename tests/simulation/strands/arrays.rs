//! Strands as codes that reconstruct hair write them: NumPy arrays, and points
//! without a word on strands.

use super::hair;
use crate::numpy::{f32s, npy, npz};
use glam::Vec3;
use half::f16;
use lovelock::io::strands::{Strands, Values, attribute::Of, parse, parse_each};
use std::path::Path;

fn read(bytes: &[u8]) -> Strands {
    match parse(bytes, Path::new("x")) {
        Ok((format, strands)) => {
            assert_eq!(format.id, "npz");
            strands
        }
        Err(fault) => panic!("{fault}"),
    }
}

fn refused(bytes: &[u8]) -> String {
    let fault = parse(bytes, Path::new("x.npz")).err().expect("refused");
    fault.text
}

/// The coordinates of strands of as many points each, one after the other.
fn coordinates(strands: &Strands) -> Vec<f32> {
    strands.points.iter().flat_map(|p| p.to_array()).collect()
}

#[test]
fn every_type_and_order_of_an_array_has_the_same_strands() {
    let given = hair(7, |_| 5);
    let all = coordinates(&given);
    let shape = "(7, 5, 3)";
    // The first index runs fastest.
    let turned = |value: &dyn Fn(f32) -> Vec<u8>| -> Vec<u8> {
        let places = (0..3).flat_map(|k| (0..5).flat_map(move |j| (0..7).map(move |i| (i, j, k))));
        places
            .flat_map(|(i, j, k)| value(all[(i * 5 + j) * 3 + k]))
            .collect()
    };
    let double = |v: f32| f64::from(v).to_be_bytes().to_vec();
    for (what, bytes) in [
        ("f4", npy("<f4", false, shape, &f32s(all.iter().copied()))),
        (
            "f4 Fortran",
            npy("<f4", true, shape, &turned(&|v| v.to_le_bytes().to_vec())),
        ),
        ("f8 Fortran", npy(">f8", true, shape, &turned(&double))),
    ] {
        for bytes in [
            bytes.clone(),
            npz(&[("positions", bytes.clone())], false),
            npz(&[("positions", bytes.clone())], true),
        ] {
            let strands = read(&bytes);
            assert_eq!(strands.starts, given.starts, "{what}");
            assert_eq!(strands.points, given.points, "{what}");
        }
    }
    let halves: Vec<u8> = all
        .iter()
        .flat_map(|v| f16::from_f32(*v).to_le_bytes())
        .collect();
    let strands = read(&npy("<f2", false, shape, &halves));
    for (a, b) in strands.points.iter().zip(&given.points) {
        assert!(a.distance(*b) <= 2e-3 * b.length().max(1.0), "{a} {b}");
    }
}

#[test]
fn counts_and_offsets_say_where_strands_begin() {
    let given = hair(9, |strand| 2 + strand % 4);
    let points = given.points.len();
    let places = npy(
        "<f4",
        false,
        &format!("({points}, 3)"),
        &f32s(coordinates(&given)),
    );
    let whole = |values: &[u32]| {
        values
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let counts: Vec<u32> = given.starts.windows(2).map(|p| p[1] - p[0]).collect();
    for (name, values) in [
        ("counts", &counts[..]),
        ("offsets", &given.starts[..]),
        ("starts", &given.starts[..9]),
    ] {
        let array = npy(
            "<u4",
            false,
            &format!("({},)", values.len()),
            &whole(values),
        );
        let strands = read(&npz(&[("points", places.clone()), (name, array)], true));
        assert_eq!(strands.starts, given.starts, "{name}");
        assert_eq!(strands.points, given.points, "{name}");
        assert!(strands.attributes.is_empty(), "{name}");
        // The numbers of strands rise from 0 as offsets do, and are none.
        let numbers: Vec<u32> = (0..9).collect();
        let numbers = npy("<u4", false, "(9,)", &whole(&numbers));
        let array = npy(
            "<u4",
            false,
            &format!("({},)", values.len()),
            &whole(values),
        );
        let arrays = [
            ("groom_id", numbers),
            ("points", places.clone()),
            (name, array),
        ];
        let strands = read(&npz(&arrays, true));
        assert_eq!(strands.starts, given.starts, "{name}");
        let told = strands.attributes.iter();
        let told: Vec<_> = told.map(|column| (&column.name[..], column.of)).collect();
        assert_eq!(told, [("groom_id", Of::Strand)], "{name}");
    }
}

#[test]
fn what_stands_beside_strands_goes_with_them() {
    let given = hair(6, |_| 4);
    let array = |shape: &str, values: Vec<f32>| npy("<f4", false, shape, &f32s(values));
    let uvs: Vec<f32> = given.root_uvs.as_flattened().to_vec();
    let arrays = [
        // A frame at each root has the shape of strands of three points.
        (
            "tbn",
            array("(6, 3, 3)", (0..54).map(|i| i as f32).collect()),
        ),
        ("positions", array("(6, 4, 3)", coordinates(&given))),
        ("root_uv", array("(6, 2)", uvs)),
        ("age", array("(6, 4)", (0..24).map(|i| i as f32).collect())),
        ("camera", array("(2, 2)", vec![0.0; 4])),
        ("names", npy("<U3", false, "(6,)", &[0; 72])),
    ];
    let strands = read(&npz(&arrays, false));
    assert_eq!(strands.points, given.points);
    assert_eq!(strands.root_uvs, given.root_uvs);
    let told: Vec<_> = strands
        .attributes
        .iter()
        .map(|column| (&column.name[..], column.of, column.each))
        .collect();
    assert_eq!(told, [("tbn", Of::Strand, 9), ("age", Of::Point, 1)]);
    assert_eq!(
        strands.attributes[1].values,
        Values::F32((0..24).map(|i| i as f32).collect())
    );
    let notes = strands.notes.join("; ");
    assert!(
        notes.contains("left out: camera (2, 2) of float32"),
        "{notes}"
    );
    assert!(notes.contains("left out: names"), "{notes}");
}

#[test]
fn rows_are_filled_up_with_what_is_no_number() {
    let mut all = coordinates(&hair(4, |_| 6));
    // The second strand has four points, the last none.
    all[(6 + 4) * 3..12 * 3].fill(f32::NAN);
    all[18 * 3..].fill(f32::NAN);
    let strands = read(&npy("<f4", false, "(4, 6, 3)", &f32s(all)));
    assert_eq!(strands.starts, [0, 6, 10, 16, 16]);
    assert!(strands.points.iter().all(|p| p.is_finite()));
    let notes = strands.notes.join("; ");
    assert!(
        notes.contains(
            "2 rows end before a point that is no number, the first of them strand 1 (counted from \
             0) after 4 of 6 points; 1 strand has no point at all"
        ),
        "{notes}"
    );
}

#[test]
fn points_alone_are_cut_where_they_leap_or_where_one_says() {
    let given = hair(40, |_| 25);
    let all = npy("<f4", false, "(1000, 3)", &f32s(coordinates(&given)));
    let strands = read(&all);
    assert_eq!(
        (strands.starts, strands.points),
        (given.starts.clone(), given.points.clone())
    );
    let (_, told) = parse_each(&all, Path::new("x"), 50).expect("reads");
    assert_eq!((told.len(), told.counts()), (20, [50, 50]));
    let fault = parse_each(&all, Path::new("x"), 33).err().expect("refused");
    assert!(
        fault.text.contains("no whole strands of 33"),
        "{}",
        fault.text
    );
    // The same as PLY, as NeuralHaircut has it.
    let mut ply = b"ply\nformat binary_little_endian 1.0\nelement vertex 1000\nproperty float x\n\
                    property float y\nproperty float z\nend_header\n"
        .to_vec();
    ply.extend(f32s(coordinates(&given)));
    let (format, strands) = parse(&ply, Path::new("x.ply")).expect("reads");
    assert_eq!((format.id, strands.starts), ("ply", given.starts));
    // Points in no order say nothing.
    let mut mixed: Vec<Vec3> = given.points.clone();
    for i in 0..1000 {
        mixed.swap(i, (i * 7919) % 1000);
    }
    let mixed = mixed.iter().flat_map(|p| p.to_array());
    let text = refused(&npy("<f4", false, "(1000, 3)", &f32s(mixed)));
    assert!(
        text.contains(
            "it lists 1000 points and does not say which of them make a strand; set import.points"
        ),
        "{text}"
    );
}

#[test]
fn arrays_that_are_no_strands_are_refused_by_name() {
    let zeroes = |descr: &str, shape: &str, bytes: usize| npy(descr, false, shape, &vec![0; bytes]);
    let four = f32s(coordinates(&hair(2, |_| 4)));
    let strands = npy("<f4", false, "(2, 4, 3)", &four);
    for (bytes, wanted) in [
        (
            npz(&[("texture", zeroes("<f4", "(4, 4, 2)", 128))], false),
            "no array of strands (strands, points, 3) nor of points (points, 3) but texture (4, 4, 2) of float32",
        ),
        (
            npz(
                &[("left", strands.clone()), ("right", strands.clone())],
                false,
            ),
            "several of its arrays could be strands: left (2, 4, 3) of float32, right",
        ),
        (
            zeroes("|O", "(3,)", 9),
            "it holds Python objects, which only Python can read",
        ),
        (
            zeroes("<f4", "(9, 9, 3)", 90),
            "its shape (9, 9, 3) promises more than the 90 bytes",
        ),
        (
            npz(
                &[("positions", zeroes("<f4", "(20000, 100, 3)", 24_000_000))],
                true,
            ),
            "its arrays unpack to more than 32 times the file",
        ),
    ] {
        let text = refused(&bytes);
        assert!(text.contains(wanted), "{text}");
    }
    // Counts that contradict the points are none, whatever else could be offsets.
    let whole = |values: &[i32]| {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        npy("<i4", false, &format!("({},)", values.len()), &bytes)
    };
    let arrays = [
        ("points", npy("<f4", false, "(8, 3)", &four)),
        ("counts", whole(&[3, 3])),
        ("groom_id", whole(&[0, 1])),
    ];
    let text = refused(&npz(&arrays, false));
    assert!(text.contains("its array counts adds up to 6"), "{text}");
    let whole = npz(&[("positions", strands)], true);
    let text = refused(&whole[..whole.len() - 30]);
    assert!(text.contains("it is no whole archive"), "{text}");
    let mut other = whole;
    let at = other.len() / 3;
    other[at] ^= 0x40;
    let text = refused(&other);
    assert!(text.contains("cannot be unpacked"), "{text}");
}
