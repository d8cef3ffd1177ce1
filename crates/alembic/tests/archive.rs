//! Archives that are written are read again, and damaged ones are refused.

use lovelock_alembic::{Archive, Kind, Object, Pod, Property, Times, Writer};
use proptest::prelude::*;
use std::io::Cursor;

/// An archive whose only array has these samples.
fn with_samples(samples: &[Vec<i32>]) -> Vec<u8> {
    let mut out = Writer::new(Cursor::new(Vec::new()), "about=this").expect("begins");
    let times = out.times(Times::uniform(0.5, 0.25));
    let top = out.top();
    let object = out.object(top, "thing", "schema=None");
    let compound = out.compound(object, ".geom", "");
    let whole = (Kind::Array, Pod::I32, 1);
    let id = out.property(compound, whole, "numbers", "geoScope=con", times);
    for sample in samples {
        let numbers = sample.iter().map(|v| v.to_le_bytes());
        out.numbers(id, numbers).expect("writes");
    }
    out.finish().expect("ends").into_inner()
}

fn the_array<'a>(archive: &Archive<'a>) -> Property<'a> {
    let children = archive.top().expect("a top").children().expect("children");
    let compound = children[0]
        .property(".geom")
        .expect("reads")
        .expect("is there");
    compound
        .property("numbers")
        .expect("reads")
        .expect("is there")
}

#[test]
fn names_metadata_and_times_come_back() {
    let bytes = with_samples(&[vec![1, 2], vec![3, 4]]);
    let archive = Archive::open(&bytes).expect("opens");
    assert_eq!(archive.metadata().expect("reads"), "about=this");
    let child = &archive.top().expect("a top").children().expect("children")[0];
    assert_eq!(
        (&child.name[..], &child.metadata[..]),
        ("thing", "schema=None")
    );
    let array = the_array(&archive);
    assert_eq!(array.metadata(), "geoScope=con");
    assert_eq!(
        (array.kind(), array.pod(), array.extent()),
        (Kind::Array, Pod::I32, 1)
    );
    let times = array.times().expect("times");
    assert_eq!([times.at(0), times.at(1), times.at(3)], [0.5, 0.75, 1.25]);
}

#[test]
fn texts_scalars_and_long_names_come_back() {
    let mut out = Writer::new(Cursor::new(Vec::new()), "").expect("begins");
    let top = out.top();
    let object = out.object(top, "a", &"m".repeat(300));
    let compound = out.compound(object, ".geom", "");
    let inner = out.inner(compound, ".arbGeomParams", "");
    let long = "n".repeat(700);
    let text = out.property(
        inner,
        (Kind::Array, Pod::Text, 1),
        &long,
        &"x".repeat(400),
        0,
    );
    out.texts(text, ["crown", "", "fringe"].into_iter())
        .expect("writes");
    let scalar = out.property(compound, (Kind::Scalar, Pod::F64, 3), "s", "", 0);
    let numbers = [1.5f64, -2.0, 1e300].map(f64::to_le_bytes);
    out.numbers(scalar, numbers.into_iter()).expect("writes");
    let bytes = out.finish().expect("ends").into_inner();
    let archive = Archive::open(&bytes).expect("opens");
    let child = &archive.top().expect("a top").children().expect("children")[0];
    assert_eq!(child.metadata.len(), 300);
    let geometry = child.property(".geom").expect("reads").expect("is there");
    let inner = geometry
        .property(".arbGeomParams")
        .expect("reads")
        .expect("is there");
    let text = &inner.properties().expect("reads")[0];
    assert_eq!((text.name().len(), text.metadata().len()), (700, 400));
    let read = text.sample(0).and_then(|s| s.texts()).expect("reads");
    assert_eq!(read, ["crown", "", "fringe"]);
    let scalar = geometry.property("s").expect("reads").expect("is there");
    let read = scalar.sample(0).and_then(|s| s.doubles()).expect("reads");
    assert_eq!(read, [1.5, -2.0, 1e300]);
    assert!(scalar.sample(0).and_then(|s| s.whole()).is_err());
}

/// Goes through all of an archive, whatever is wrong with it.
fn walk(bytes: &[u8]) -> usize {
    fn property(here: &Property, left: &mut usize) {
        for i in 0..here.samples().min(3) {
            if let Ok(sample) = here.sample(i) {
                let _ = (sample.whole(), sample.doubles(), sample.texts());
            }
        }
        for inner in here.properties().unwrap_or_default() {
            if *left == 0 {
                return;
            }
            *left -= 1;
            property(&inner, left);
        }
    }
    fn object(here: &Object, left: &mut usize) {
        for each in here.properties().unwrap_or_default() {
            property(&each, left);
        }
        for child in here.children().unwrap_or_default() {
            if *left == 0 {
                return;
            }
            *left -= 1;
            object(&child, left);
        }
    }
    let mut left = 10_000;
    if let Some(top) = Archive::open(bytes).ok().and_then(|a| a.top().ok()) {
        object(&top, &mut left);
    }
    left
}

#[test]
fn damaged_archives_never_panic() {
    let sound = with_samples(&[vec![1, 2, 3], vec![1, 2, 3], vec![4], vec![], vec![4]]);
    for end in 0..sound.len() {
        walk(&sound[..end]);
    }
    for at in 0..sound.len() {
        for bit in 0..8 {
            let mut broken = sound.clone();
            broken[at] ^= 1 << bit;
            walk(&broken);
        }
    }
    // A group that claims to hold itself.
    let mut ring = sound.clone();
    let root = u64::from_le_bytes(ring[8..16].try_into().expect("eight"));
    let child = root as usize + 8 + 16;
    ring[child..child + 8].copy_from_slice(&root.to_le_bytes());
    walk(&ring);
}

#[test]
fn an_archive_that_was_never_finished_is_refused() {
    let mut bytes = with_samples(&[vec![1]]);
    bytes[5] = 0;
    let error = Archive::open(&bytes).expect_err("is not whole");
    assert!(error.to_string().contains("never finished"), "{error}");
    assert!(Archive::open(b"Ogawa").is_err() && Archive::open(b"").is_err());
}

proptest! {
    /// Whatever repeats, each sample is the one that was written.
    #[test]
    fn samples_come_back_in_their_order(
        samples in prop::collection::vec(prop::collection::vec(0..3i32, 0..3), 1..9)
    ) {
        let bytes = with_samples(&samples);
        let archive = Archive::open(&bytes).expect("opens");
        let array = the_array(&archive);
        prop_assert_eq!(array.samples(), samples.len());
        for (i, wanted) in samples.iter().enumerate() {
            let read = array.sample(i).and_then(|s| s.whole()).expect("reads");
            let wanted: Vec<i64> = wanted.iter().map(|v| i64::from(*v)).collect();
            prop_assert_eq!(read, wanted, "sample {}", i);
        }
    }
}
