//! What a cache gives back, and what it says of one that is cut or damaged.

use super::{
    layout::{FIXED, HEAD, MAGIC, RecordHeader, START},
    *,
};
use crate::math::Pose;
use glam::{Quat, Vec3};
use proptest::prelude::*;
use std::{fs, path::PathBuf};

fn header(counts: &[u32], head_vertices: u32) -> Header {
    let mut starts = vec![0];
    let mut end = 0;
    for count in counts {
        end += count;
        starts.push(end);
    }
    Header {
        quantum: QUANTUM,
        fps: 24.0,
        planned: 0,
        groom: 7,
        head: 9,
        head_vertices,
        starts,
        scene: "version = 1\n# ä\n".into(),
    }
}

/// Curls that differ from frame to frame.
fn frame(header: &Header, number: u32) -> Frame {
    let curl = |i: u32| {
        let turn = 0.4 * i as f32 + 0.1 * number as f32;
        Vec3::new(0.01 * turn.cos(), 1.6 - 0.004 * i as f32, 0.01 * turn.sin())
    };
    Frame {
        number,
        time: f64::from(number) / header.fps,
        pose: Pose {
            rotation: Quat::from_rotation_y(0.1 * number as f32),
            translation: Vec3::new(0.0, number as f32, 0.1),
        },
        positions: (0..header.points() as u32).map(curl).collect(),
        shape: match number % 2 {
            1 => (0..header.head_vertices).map(curl).collect(),
            _ => Vec::new(),
        },
    }
}

/// A cache of so many frames, its bytes, and where each record ends.
fn written(header: &Header, frames: u32) -> (tempfile::TempDir, PathBuf, Vec<u8>, Vec<usize>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.cache");
    let mut writer = Writer::create(&path, header.clone()).expect("created");
    let mut ends = vec![writer.bytes() as usize];
    for number in 0..frames {
        writer.write(&frame(header, number)).expect("written");
        ends.push(writer.bytes() as usize);
    }
    writer.finish().expect("finished");
    let bytes = fs::read(&path).expect("bytes");
    assert_eq!(bytes.len(), ends[frames as usize]);
    (folder, path, bytes, ends)
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    let apart = |(a, b): (&Vec3, &Vec3)| (*a - *b).abs().max_element();
    a.iter().zip(b).map(apart).fold(0.0, f32::max)
}

#[test]
fn frames_come_back_in_any_order_with_head_and_shape() {
    let mut header = header(&[2, 256, 33, 7, 16], 70);
    header.planned = 5;
    let (_folder, path, _, _) = written(&header, 5);
    let mut reader = Reader::open(&path).expect("opens");
    assert_eq!(*reader.header(), header);
    assert_eq!((reader.whole(), reader.end(), reader.cut()), (5, 5, false));
    assert_eq!(reader.told(), "5 frames");
    assert!(reader.is_whole());
    let mut read = Frame::default();
    for number in [4, 0, 3, 3, 1, 2] {
        reader.read(number, &mut read).expect("reads");
        let wanted = frame(&header, number);
        assert_eq!((read.number, read.time), (number, wanted.time));
        assert_eq!(read.pose, wanted.pose, "to the last bit");
        let half = QUANTUM as f32 / 2.0;
        assert!(farthest(&read.positions, &wanted.positions) <= half);
        assert!(farthest(&read.shape, &wanted.shape) <= half);
        for (start, first) in header.starts[..5].iter().map(|s| (s, *s as usize)) {
            assert_eq!(
                read.positions[first], wanted.positions[first],
                "root {start}"
            );
        }
    }
    let missing = reader.read(5, &mut read).expect_err("no such frame");
    assert!(
        missing
            .to_string()
            .contains("no whole frame 5; it holds 5 frames"),
        "{missing}"
    );
}

#[test]
fn many_strands_are_packed_alike_on_any_number_of_threads() {
    let header = header(&vec![9; 1000], 0);
    let one = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| written(&header, 2).2)
    };
    let bytes = one(1);
    assert!(bytes == one(3));
    // Curls of 4 mm edges: about four bytes for a vertex, not twelve.
    assert!(bytes.len() < 2 * 9000 * 6 + 3000, "{}", bytes.len());
}

#[test]
fn wherever_it_is_cut_the_whole_frames_before_are_there() {
    let mut header = header(&[5, 12, 3], 40);
    header.planned = 4;
    let (_folder, path, bytes, ends) = written(&header, 4);
    let mut read = Frame::default();
    for length in 0..=bytes.len() {
        fs::write(&path, &bytes[..length]).expect("cut");
        let opened = Reader::open(&path);
        if length < ends[0] {
            let error = opened.err().expect("no header").to_string();
            let wanted = if length < START {
                "is no cache of hair"
            } else {
                "is damaged: it is cut short"
            };
            assert!(error.contains(wanted), "{length}: {error}");
            continue;
        }
        let mut reader = opened.expect("a whole header");
        let whole = ends.iter().filter(|end| **end <= length).count() as u32 - 1;
        assert_eq!(reader.whole(), whole, "{length}");
        assert_eq!(reader.cut(), !ends.contains(&length), "{length}");
        let told = reader.told();
        assert_eq!(reader.is_whole(), whole == 4, "{length}");
        match whole {
            4 => assert_eq!(told, "4 frames"),
            _ => assert_eq!(told, format!("{whole} of 4 frames; the rest was cut off")),
        }
        for number in 0..whole {
            reader.read(number, &mut read).expect("a whole frame");
        }
        assert!(reader.read(whole, &mut read).is_err());
    }
}

#[test]
fn a_flipped_byte_costs_one_frame_which_is_named() {
    let header = header(&[5, 12, 3], 40);
    let (_folder, path, bytes, ends) = written(&header, 4);
    let mut read = Frame::default();
    for place in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[place] ^= 0x10;
        fs::write(&path, &bytes).expect("flipped");
        let Some(hurt) = ends
            .iter()
            .filter(|end| **end <= place)
            .count()
            .checked_sub(1)
        else {
            assert!(Reader::open(&path).is_err(), "{place} is in the header");
            continue;
        };
        let mut reader = Reader::open(&path).expect("the header is good");
        for number in 0..4 {
            let result = reader.read(number, &mut read);
            if number as usize != hurt {
                result.unwrap_or_else(|error| panic!("{place}: {error}"));
                assert!(farthest(&read.positions, &frame(&header, number).positions) < 1e-5);
                continue;
            }
            let error = result.err().map(|e| e.to_string()).unwrap_or_default();
            assert!(
                error.contains(&format!("frame {number}")),
                "{place}: {error}"
            );
            assert!(reader.verify(number).is_err());
            if place - ends[hurt] < HEAD && hurt < 3 {
                assert!(
                    reader.told().ends_with(&format!("damaged: frame {hurt}")),
                    "{}",
                    reader.told()
                );
                assert!(!reader.is_whole());
                let before = hurt.checked_sub(1).map_or(0, |b| b as u32);
                let nearest = reader.nearest(hurt as u32);
                assert_eq!(nearest, Some(if hurt == 0 { 1 } else { before }));
            }
        }
    }
}

#[test]
fn counts_that_lie_take_no_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("lie.cache");
    let open = |body: &[u8], length: u32, tail: &[u8]| {
        let mut bytes = MAGIC.to_vec();
        let mut summed = VERSION.to_le_bytes().to_vec();
        summed.extend(length.to_le_bytes());
        summed.extend(body);
        bytes.extend(&summed[..8]);
        bytes.extend(crc32fast::hash(&summed).to_le_bytes());
        bytes.extend(body);
        bytes.extend(tail);
        fs::write(&path, &bytes).expect("written");
        Reader::open(&path)
    };
    let body = |head_vertices: u32, strands: u32, counts: &[u16]| {
        let mut body = QUANTUM.to_le_bytes().to_vec();
        body.extend(24f64.to_le_bytes());
        for value in [0, 0, 0, head_vertices, strands] {
            body.extend(value.to_le_bytes());
        }
        body.extend(counts.iter().flat_map(|c| c.to_le_bytes()));
        body
    };
    let said = |result: Result<Reader, CacheError>| {
        result.err().map(|e| e.to_string()).unwrap_or_default()
    };
    // A body, and strands, that the file is far too short for.
    assert!(said(open(&[], u32::MAX, &[])).contains("cut short"));
    let many = body(u32::MAX, u32::MAX, &[]);
    assert!(said(open(&many, many.len() as u32, &[])).contains("contradict"));
    let none = body(0, 1, &[0]);
    assert!(said(open(&none, none.len() as u32, &[])).contains("contradict"));
    // A record longer than the file, and short ones that claim much.
    let record = |payload: &[u8], length: u64| {
        let head = RecordHeader {
            number: 0,
            length,
            sum: crc32fast::hash(payload),
        };
        [&head.bytes()[..], payload].concat()
    };
    let much = body(u32::MAX, 1000, &[u16::MAX; 1000]);
    let reader = open(&much, much.len() as u32, &record(&[], u64::MAX)).expect("opens");
    assert!(reader.cut() && reader.whole() == 0);
    let mut payload = vec![0; FIXED - 4];
    payload.extend(1u32.to_le_bytes());
    for tail in [0, 4, 16, 16 + 4 * (1 << 19), 16 + 4 * (1 << 19) + 60] {
        payload.resize(FIXED + tail, 0);
        let tail = record(&payload, payload.len() as u64);
        let mut reader = open(&much, much.len() as u32, &tail).expect("opens");
        let mut frame = Frame::default();
        let error = reader.read(0, &mut frame).expect_err("a lie");
        assert!(error.to_string().contains("does not hold"), "{error}");
        assert_eq!(frame.positions.capacity() + frame.shape.capacity(), 0);
        assert!(reader.runs.is_empty());
    }
}

#[test]
fn a_scene_in_a_cache_may_have_a_name() {
    let mut named = header(&[3], 0);
    assert_eq!(named.scene_name(), None);
    named.call_scene("my\nhair");
    let (_folder, path, ..) = written(&named, 1);
    let reader = Reader::open(&path).expect("opens");
    assert_eq!(reader.header().scene_name(), Some("myhair"));
    let text = super::scene_text(&path).expect("reads");
    assert_eq!(text, "# Scene: myhair\nversion = 1\n# ä\n");
}

#[test]
fn what_is_no_cache_is_neither_read_nor_replaced() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("scene.toml");
    fs::write(&path, "version = 1\n").expect("written");
    assert!(Writer::replace(&path, header(&[3], 0)).is_err());
    let error = Writer::create(&path, header(&[3], 0))
        .err()
        .expect("refused");
    assert!(error.to_string().contains("is there already"), "{error}");
    assert_eq!(fs::read(&path).expect("still there"), b"version = 1\n");
    assert!(matches!(
        Reader::open(&path),
        Err(CacheError::Foreign { .. })
    ));
    let (_folder, path, mut bytes, _) = written(&header(&[3], 0), 1);
    let kept = Writer::create(&path, header(&[4], 0)).err();
    let kept = kept.expect("refused").to_string();
    assert!(kept.contains("--overwrite"), "{kept}");
    assert_eq!(Reader::open(&path).expect("opens").whole(), 1);
    Writer::replace(&path, header(&[4], 0)).expect("as asked for");
    assert_eq!(Reader::open(&path).expect("opens").whole(), 0);
    bytes[8] = 9;
    fs::write(&path, &bytes).expect("written");
    let error = Reader::open(&path)
        .err()
        .expect("from the future")
        .to_string();
    assert!(
        error.contains("version 9") && error.contains("newer lovelock"),
        "{error}"
    );
}

#[test]
fn hair_that_does_not_fit_is_refused_and_the_frames_before_stay() {
    let header = header(&[3, 4], 6);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.cache");
    let mut writer = Writer::create(&path, header.clone()).expect("created");
    writer.write(&frame(&header, 0)).expect("written");
    for hurt in [f32::NAN, f32::INFINITY, 2e7] {
        for place in [0, 6] {
            let mut frame = frame(&header, 1);
            frame.positions[place].y = hurt;
            let error = writer.write(&frame).expect_err("refused").to_string();
            assert!(error.starts_with("frame 1 cannot go into"), "{error}");
        }
    }
    let mut other = frame(&header, 1);
    other.positions.pop();
    assert!(writer.write(&other).is_err());
    writer.write(&frame(&header, 1)).expect("goes on");
    assert_eq!(Reader::open(&path).expect("opens").whole(), 2);
}

proptest! {
    /// Any hair, anywhere, comes back within half a quantum.
    #[test]
    fn any_hair_comes_back_within_half_a_quantum(
        counts in prop::collection::vec(2u32..=256, 1..6),
        seed in any::<u32>(),
        edge in prop::sample::select(vec![0.0f32, 1e-6, 1e-4, 5e-3, 0.2, 30.0]),
        centre in prop::array::uniform3(prop::sample::select(vec![0.0f32, -0.3, 1.7, -1e3, 6e4, -3e6])),
    ) {
        let header = header(&counts, 0);
        let mut state = u64::from(seed) | 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let mut place = Vec3::from_array(centre);
        let positions: Vec<Vec3> = (0..header.points())
            .map(|_| { place += edge * Vec3::new(next(), next(), next()); place })
            .collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.cache");
        let mut writer = Writer::create(&path, header).expect("created");
        let frame = Frame { positions, ..Frame::default() };
        writer.write(&frame).expect("written");
        let mut reader = Reader::open(&path).expect("opens");
        let mut read = Frame::default();
        reader.read(0, &mut read).expect("reads");
        for (a, b) in read.positions.iter().zip(&frame.positions) {
            for (a, b) in a.to_array().into_iter().zip(b.to_array()) {
                let off = (f64::from(a) - f64::from(b)).abs();
                prop_assert!(off <= 0.5 * QUANTUM, "{a} for {b}");
            }
        }
        // What was read is written as the same bits.
        let bytes = fs::read(&path).expect("bytes");
        let mut writer = Writer::replace(&path, reader.header().clone()).expect("created");
        writer.write(&read).expect("written");
        prop_assert!(bytes == fs::read(&path).expect("bytes"));
    }

    /// No bytes at all make the reader panic or take much memory.
    #[test]
    fn no_bytes_make_it_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        good in any::<bool>(),
    ) {
        let (_folder, path, mut all, ends) = written(&header(&[5, 9], 33), 3);
        if good {
            all.truncate(ends[1]);
        } else {
            all.clear();
        }
        all.extend(&bytes);
        fs::write(&path, &all).expect("written");
        if let Ok(mut reader) = Reader::open(&path) {
            prop_assert_eq!(reader.whole(), 1);
            reader.read(0, &mut Frame::default()).expect("the whole one");
        }
        // As the contents of a record with a good checksum.
        all.truncate(ends[0]);
        if good {
            let head = RecordHeader { number: 0, length: bytes.len() as u64, sum: crc32fast::hash(&bytes) };
            all.extend(head.bytes());
            all.extend(&bytes);
            fs::write(&path, &all).expect("written");
            let mut reader = Reader::open(&path).expect("opens");
            prop_assert!(reader.read(0, &mut Frame::default()).is_err());
        }
    }
}
