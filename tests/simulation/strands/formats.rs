//! Every format, read and written.

use super::{content, fit_for, hair, ids, input, seeds};
use glam::Vec3;
use lovelock::{
    io::strands::{self, Detail, FORMATS, FilmTimes, Strands, endings, lost, parse, written},
    mesh::Up,
};
use std::{fs, path::Path, time::Instant};

fn back(id: &str, strands: &Strands) -> Strands {
    let bytes = content(id, strands);
    let format = FORMATS.iter().find(|format| format.id == id);
    let format = format.expect("known");
    assert!((format.is)(&bytes), "{id}: the content says what it is");
    // Without a name the content must be enough.
    let (found, back) = parse(&bytes, Path::new("groom")).expect("reads back");
    assert_eq!(found.id, id);
    back
}

#[test]
fn places_survive_every_format_to_the_bit() {
    for (format, _) in written() {
        let (id, given) = (format.id, &fit_for(format, 40));
        let read = back(id, given);
        assert_eq!(read.starts, given.starts, "{id}");
        let bits = |s: &Strands| -> Vec<[u32; 3]> {
            let all = s.points.iter();
            all.map(|p| p.to_array().map(f32::to_bits)).collect()
        };
        assert_eq!(bits(&read), bits(given), "{id}");
    }
}

#[test]
fn each_format_carries_what_its_row_says() {
    for (format, _) in written() {
        let (id, carries) = (format.id, format.carries);
        let given = fit_for(format, 30);
        let read = back(id, &given);
        let points = read.points.len();
        // What is kept less finely than for each point is not what was given.
        let level = |detail: Detail, values: &[Vec<f32>]| match detail {
            Detail::Strand => values.iter().all(|own| own.iter().all(|v| *v == own[0])),
            Detail::None | Detail::Point => true,
        };
        let of_strands = |all: &[f32]| -> Vec<Vec<f32>> {
            let ranges = (0..read.len()).map(|strand| read.range(strand));
            ranges.map(|range| all[range].to_vec()).collect()
        };
        match carries.widths {
            // A format with one width for all says that one.
            Detail::None => assert!(read.widths.is_empty(), "{id}: widths"),
            detail => {
                assert_eq!(read.widths.len(), points, "{id}: widths");
                assert!(level(detail, &of_strands(&read.widths)), "{id}: widths");
            }
        }
        match carries.colours {
            Detail::None => assert!(read.colours.is_empty(), "{id}: colours"),
            _ => assert_eq!(read.colours.len(), points, "{id}: colours"),
        }
        let uvs = if carries.root_uvs { read.len() } else { 0 };
        assert_eq!(read.root_uvs.len(), uvs, "{id}: root UVs");
        let says = (read.metres_per_unit.is_some(), read.up.is_some());
        assert_eq!(says, (carries.units, carries.units), "{id}: unit and axis");
    }
}

/// What a row promises that is not in the row: names of its own, and a sound file
/// among the seeds of the fuzz target, which the test of damaged files takes, too.
#[test]
fn every_row_of_the_table_is_complete() {
    let mut known: Vec<&str> = FORMATS.iter().map(|format| format.id).collect();
    let all: Vec<&str> = endings().collect();
    for (i, ending) in all.iter().enumerate() {
        assert!(!all[..i].contains(ending), "two formats end in .{ending}");
        assert_eq!(*ending, ending.to_lowercase(), "endings are lower case");
    }
    for format in FORMATS {
        let id = format.id;
        assert!(!format.endings.is_empty(), "{id} has no ending");
        assert!(!format.reads.is_empty(), "{id}: say what of it is read");
        let seeds = seeds(format);
        assert!(
            !seeds.is_empty(),
            "{id}: put a small sound file into fuzz/corpus/groom/{id}, with a name that ends in \
             .{}",
            format.endings[0]
        );
        for (path, bytes) in seeds {
            match parse(&bytes, &path) {
                Ok((found, _)) => assert_eq!(found.id, id, "{}", path.display()),
                Err(fault) => panic!("{}{fault}", path.display()),
            }
        }
    }
    known.sort_unstable();
    let repeated = known.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(repeated, None, "two formats of one name");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/groom");
    for entry in fs::read_dir(corpus).expect("seeds") {
        let path = entry.expect("an entry of the seeds").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        assert!(
            !path.is_dir() || known.contains(&&*name),
            "{} holds seeds of no format",
            path.display()
        );
    }
}

#[test]
fn each_format_keeps_what_it_says_and_the_rest_is_listed() {
    let given = hair(30, |_| 8);
    let kept = |id: &str| {
        let read = back(id, &given);
        let lines = lost(&given, &read).join("; ");
        (read, lines)
    };
    let (hair, lines) = kept("hair");
    assert_eq!(
        (&hair.widths, &hair.colours),
        (&given.widths, &given.colours)
    );
    assert_eq!(
        lines,
        "texture coordinates of roots are not in the file; the file does not say its unit \
         (centimetres); the file does not say which axis points up"
    );
    let (usda, lines) = kept("usda");
    assert_eq!((usda, lines), (given.clone(), String::new()));
    let (ply, lines) = kept("ply");
    assert_eq!(ply.widths, given.widths);
    for (a, b) in ply.colours.iter().zip(&given.colours) {
        let apart = (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f32::max);
        assert!(
            apart <= 0.5 / 255.0 + 1e-6,
            "half a step of 255, not {apart}"
        );
    }
    assert!(lines.contains("colours differ by up to 0."), "{lines}");
    let (tfx, lines) = kept("tfx");
    assert_eq!(
        (&tfx.colours, &tfx.root_uvs),
        (&given.colours, &given.root_uvs)
    );
    assert!(lines.contains("widths differ"), "{lines}");
    for (id, missing) in [("data", 2), ("bin", 2), ("obj", 1)] {
        let lines = kept(id).1;
        assert!(
            lines.contains("widths are not in the file"),
            "{id}: {lines}"
        );
        let colours = lines.contains("colours are not in the file");
        assert_eq!(colours, missing == 2, "{id}: {lines}");
    }
    // TressFX has strands of 4, 8, 16, 32 or 64 points.
    let read = back("tfx", &self::hair(9, |strand| 3 + strand));
    assert_eq!((read.len(), read.counts()), (9, [16, 16]));
}

#[test]
fn a_film_has_all_frames_and_is_read_by_its_first() {
    let folder = tempfile::tempdir().expect("a folder");
    for (format, writing) in written() {
        assert_eq!(
            writing.film.is_some(),
            format.carries.animation,
            "{}",
            format.id
        );
        let Some(begin) = writing.film else { continue };
        let path = folder.path().join(format!("film.{}", format.id));
        let pose = hair(12, |strand| 3 + strand);
        let times = FilmTimes {
            start: 0.05,
            ..FilmTimes::new(3, 20.0)
        };
        let mut film = begin(&path, &times).expect("begins");
        for frame in 0..3 {
            let mut moved = pose.clone();
            moved.points.iter_mut().for_each(|p| p.y += frame as f32);
            film.add(&moved).expect("adds");
            assert!(!path.exists(), "it appears when it is whole");
        }
        film.finish().expect("ends");
        let (_, first) = strands::read(&path).expect("reads");
        assert_eq!(first.points, pose.points);
        assert_eq!(first.widths, pose.widths);
        let left = "the first of its 3 poses is taken as the hair at rest, and 2 are left aside";
        assert!(first.notes.iter().any(|note| note.contains(left)));
        // All poses come back, to the last bit.
        let moving = strands::MovingStrands::open(&path).expect("reads");
        let moving = moving.expect("it moves");
        assert_eq!(moving.poses(), 3, "{}", format.id);
        assert!((moving.rate() - 20.0).abs() < 1e-9, "{}", moving.rate());
        assert!((moving.times().start - 0.05).abs() < 1e-9, "{}", format.id);
        assert_eq!(moving.times().first_number(), Some(1), "{}", format.id);
        let mut frames = Vec::new();
        let taken = moving.each(&mut |number, points| {
            frames.push((number, points));
            true
        });
        assert_eq!(taken, Ok(()));
        for (frame, (number, points)) in frames.iter().enumerate() {
            let moved = pose.points.iter().map(|p| *p + Vec3::Y * frame as f32);
            assert_eq!(*number, frame);
            assert!(points.iter().copied().eq(moved), "{}, {frame}", format.id);
        }
        // One that is given up leaves nothing.
        let before = fs::read_dir(folder.path()).expect("listed").count();
        let lost = folder.path().join(format!("lost.{}", format.id));
        drop(begin(&lost, &times).expect("begins"));
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), before);
    }
    let text = fs::read_to_string(folder.path().join("film.usda")).expect("text");
    for wanted in [
        "endTimeCode = 3",
        "timeCodesPerSecond = 20",
        "            3: [(",
    ] {
        assert!(text.contains(wanted), "{wanted}");
    }
}

/// A layer with a strand whose points are so written in time.
fn layer(head: &str, samples: &str) -> String {
    format!(
        "#usda 1.0\n(\n{head}\n)\ndef Xform \"Top\"\n{{\n    def BasisCurves \"hair\"\n    {{\n        \
         uniform token type = \"linear\"\n        int[] curveVertexCounts = [2]\n        \
         point3f[] points.timeSamples = {{ {samples} }}\n    }}\n}}\n"
    )
}

#[test]
fn poses_of_a_layer_are_its_times_where_they_are_even_else_one_a_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hair.usda");
    let at = |times: &[f64]| -> String {
        let pose = |time: &f64| format!("{time}: [(0, 0, 0), (0, 1, {time})], ");
        times.iter().map(pose).collect()
    };
    let read = |text: &str| -> (f64, Vec<f32>) {
        fs::write(&path, text).expect("written");
        let moving = strands::MovingStrands::open(&path).expect("reads");
        let moving = moving.expect("it moves");
        let mut tips = Vec::new();
        let take = &mut |_, points: Vec<Vec3>| {
            tips.push(points[1].z);
            true
        };
        moving.each(take).expect("all poses");
        (moving.rate(), tips)
    };
    let codes = "timeCodesPerSecond = 60";
    let both = "timeCodesPerSecond = 60\nframesPerSecond = 30";
    // Even: as they are, on twos and between frames.
    assert_eq!(read(&layer("", &at(&[1.0, 2.0]))).0, 24.0);
    assert_eq!(
        read(&layer(both, &at(&[8.0, 2.0, 5.0]))),
        (20.0, vec![2.0, 5.0, 8.0])
    );
    let (rate, tips) = read(&layer(codes, &at(&[0.0, 0.25, 0.5])));
    assert_eq!((rate, tips), (240.0, vec![0.0, 0.25, 0.5]));
    // Uneven: one a frame, mixed of what is around it.
    assert_eq!(
        read(&layer(both, &at(&[1.0, 2.0, 7.0]))),
        (30.0, vec![1.0, 3.0, 5.0, 7.0])
    );
}

#[test]
fn a_pose_with_other_strands_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hair.usda");
    for (samples, wanted) in [
        (
            "1: [(0, 0, 0), (0, 1, 0)], 2: [(0, 0, 0), (0, 1, 1), (0, 2, 2)]",
            "curveVertexCounts promises 2 points and there are 3, in \"hair\"; export the file \
             again",
        ),
        (
            "1: [(0, 0, 0), (0, 1, 0)], 2: [(0, 0, 0), (0, 1, nan)]",
            "point 1 of pose 2 is not a number ([0, 1, NaN]); export the groom again without it",
        ),
    ] {
        fs::write(&path, layer("", samples)).expect("written");
        let moving = strands::MovingStrands::open(&path).expect("reads");
        let error = moving.expect("it moves").each(&mut |_, _| true);
        let text = error.expect_err("it is refused").to_string();
        assert!(text.contains(wanted), "{text}");
    }
    let counts =
        "1: [2], 2: [3] }\n        int[] spare = [1]\n        int[] more.timeSamples = { 1: [1]";
    let text = layer(
        "",
        "1: [(0, 0, 0), (0, 1, 0)], 2: [(0, 0, 0), (0, 1, 1), (0, 2, 2)]",
    );
    let text = text.replace(
        "curveVertexCounts = [2]",
        &format!("curveVertexCounts.timeSamples = {{ {counts} }}"),
    );
    fs::write(&path, text).expect("written");
    let moving = strands::MovingStrands::open(&path).expect("reads");
    let error = moving.expect("it moves").each(&mut |_, _| true);
    let text = error.expect_err("it is refused").to_string();
    let wanted = "pose 2 has 3 points where the first has 2; export the file with the same curves \
                  in every pose";
    assert!(text.contains(wanted), "{text}");
}

/// Name, format, strands, points, fewest and most points, bounds to 4 figures.
type Row = (
    &'static str,
    &'static str,
    usize,
    usize,
    [usize; 2],
    [f32; 6],
);

#[test]
fn real_files_have_exactly_the_counts_of_their_table() {
    let bangs = [11.86, 17.1, 31.75, 247.9, 236.9, 204.9];
    let rows: [Row; 6] = [
        ("Bangs_100.data", "data", 100, 1165, [5, 21], bangs),
        ("Bangs_100.hair", "hair", 100, 1165, [5, 21], bangs),
        ("Bangs_100_ascii.ply", "ply", 100, 1165, [5, 21], bangs),
        (
            "Ratboy_mohawk_v4.tfx",
            "tfx",
            2228,
            71296,
            [32, 32],
            [-0.0951, 0.2143, -0.3358, 0.1173, 1.11, 0.2709],
        ),
        (
            "hair-blender-3.0.1.usda",
            "usda",
            1000,
            9000,
            [9, 9],
            [-5.0, -5.0, -5.0, 5.0, 5.0, 5.0],
        ),
        (
            "harolongo.data",
            "data",
            7905,
            166_005,
            [21, 21],
            [-11.83, -14.26, -18.62, 10.5, 14.2, 4.595],
        ),
    ];
    for (name, id, count, points, counts, bounds) in rows {
        let Some(path) = input(&format!("hair/{name}")) else {
            continue;
        };
        let (format, read) = strands::read(&path).expect(name);
        assert_eq!(format.id, id, "{name}");
        assert_eq!((read.len(), read.points.len()), (count, points), "{name}");
        assert_eq!(read.counts(), counts, "{name}");
        let found = read.bounds().expect(name).map(|p| p.to_array());
        for (found, wanted) in found.as_flattened().iter().zip(bounds) {
            let close = (found - wanted).abs() <= 6e-4 * wanted.abs().max(0.1);
            assert!(close, "{name}: {found} is not {wanted}");
        }
    }
    if let Some(path) = input("hair/hair-blender-3.0.1.usda") {
        let read = strands::read(&path).expect("reads").1;
        assert_eq!((read.up, read.metres_per_unit), (Some(Up::Z), Some(1.0)));
    }
}

/// The same hair as text, as a crate file and in a package, as Pixar's library wrote them.
#[test]
fn every_kind_of_usd_says_the_same() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/groom");
    let read = |name: &str| strands::read(&corpus.join(name)).expect(name).1;
    let three = read("usda/three.usda");
    assert_eq!(read("usdc/three.usdc"), three);
    assert_eq!(read("usdz/three.usdz"), three);
    let cubic = read("usda/cubic.usda");
    assert_eq!(read("usdc/cubic.usdc"), cubic);
    // A crate file may be named like a text.
    let bytes = fs::read(corpus.join("usdc/three.usdc")).expect("reads");
    let (format, read) = parse(&bytes, Path::new("x.usd")).expect("reads");
    assert_eq!((format.id, read), ("usdc", three));
}

#[test]
fn the_magic_may_be_small_and_edges_make_strands() {
    let mut bytes = content("hair", &hair(3, |_| 4));
    bytes[..4].copy_from_slice(b"hair");
    assert_eq!(parse(&bytes, Path::new("x")).expect("reads").1.len(), 3);
    let ply = b"ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n\
                property float z\nelement edge 3\nproperty int vertex1\nproperty int vertex2\n\
                end_header\n0 0 0\n1 0 0\n2 0 0\n0 1 0\n0 2 0\n1 2\n1 0\n4 3\n";
    let (_, read) = parse(ply, Path::new("x")).expect("reads");
    assert_eq!(read.starts, [0, 3, 5]);
    assert_eq!(read.strand(0)[2], Vec3::X * 2.0);
    // Pieces of a line join; another begins elsewhere; numbers may count back.
    let obj = b"v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\nl 1 2\nl 2 3\nl -2 -1\n";
    let (_, read) = parse(obj, Path::new("x")).expect("reads");
    assert_eq!(read.starts, [0, 3, 5]);
}

#[test]
fn curves_of_renderers_are_read() {
    let text = b"0 0 0\n1 0 0\n\n\n0 1 0 0.5\n0 2 0 0.5\n0 3 0 0.5\n";
    let (found, read) = parse(text, Path::new("x")).expect("reads");
    assert_eq!((found.id, &read.starts[..]), ("mitsuba", &[0, 2, 5][..]));
    assert!(read.widths.is_empty(), "not all points have one");
    let mut bytes = b"BINARY_HAIR".to_vec();
    bytes.extend(5u32.to_le_bytes());
    let inf = f32::INFINITY;
    for c in [
        inf, 0., 0., 0., 1., 0., 0., inf, 0., 1., 0., 0., 2., 0., 0., 3., 0.,
    ] {
        bytes.extend(c.to_le_bytes());
    }
    let (_, read) = parse(&bytes, Path::new("x.hair")).expect("reads");
    assert_eq!(
        (&read.starts[..], read.points[4]),
        (&[0, 2, 5][..], Vec3::Y * 3.0)
    );
    let text = br#"WorldBegin
        Shape "curve" "string type" [ "cylinder" ] "point3 P" [ 0 0 0  0 1 0  0 2 0  0 3 0 ]
            "float width0" [ 0.1 ]
        Shape "curve" "point P" [ 0 3 0  0 4 0  1 5 0  1 6 0 ]
        Shape "curve" "point P" [ 9 0 0  9 1 0  9 2 0  9 3 0 ]"#;
    let text = [&b"Include \"lights.pbrt\"\n"[..], text].concat();
    let (found, read) = parse(&text, Path::new("x")).expect("reads");
    assert_eq!((found.id, &read.starts[..]), ("pbrt", &[0, 7, 11][..]));
    assert!(
        read.notes[0].starts_with("1 file is included"),
        "{:?}",
        read.notes
    );
    assert!(read.points[1].distance(Vec3::Y) < 1e-6);
    assert_eq!(read.points[6], Vec3::new(1.0, 6.0, 0.0));
    for (bytes, wanted) in [
        (
            &b"BINARY_HAIR\xff\xff\xff\xff"[..],
            "4294967295 points of 12 bytes are promised",
        ),
        (
            b"Shape \"curve\" \"point P\" [ 0 0 0",
            ":1: points stand in brackets",
        ),
        (b"Shape \"curve\" \"point P\" [ 0 0 0 ]", "no cubic"),
        (
            b"Include \"hair.pbrt\"\nShape \"curve\" \"string type\" \"flat\"",
            "give the one of them that has the hair",
        ),
        (
            b"Shape \"curve\" \"point P\" [ nan 0 0  0 1 0  0 2 0  0 3 0 ]",
            ":1: a point is not a number; export the file again without it",
        ),
    ] {
        let text = parse(bytes, Path::new("x"))
            .err()
            .expect("refused")
            .to_string();
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn transforms_and_samples_of_usd_are_followed() {
    let text = br#"#usda 1.0
( upAxis = "Z"
  metersPerUnit = 0.01 )
def Xform "a" (
    kind = "group"
) {
    double3 xformOp:translate = (1, 2, 3)
    float xformOp:rotateZ = 90
    float3 xformOp:scale.timeSamples = { 1: (2, 2, 2), 2: (9, 9, 9) }
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ", "xformOp:scale"]
    def BasisCurves "b" {
        int[] curveVertexCounts = [2, 3]  # two
        point3f[] points.timeSamples = { 1: [(0,0,0), (1,0,0), (0,1,0), (0,0,1), (1,1,1)], 2: [] }
        uniform token type = "linear"
        float[] widths = [0.1, 0.2] ( interpolation = "uniform" )
        color3f[] primvars:displayColor = [(1, 0.5, 0)]
    }
}
"#;
    let (_, read) = parse(text, Path::new("x.usda")).expect("reads");
    assert_eq!(read.starts, [0, 2, 5]);
    assert!(read.points[0].distance(Vec3::new(1.0, 2.0, 3.0)) < 1e-6);
    assert!(
        read.points[1].distance(Vec3::new(1.0, 4.0, 3.0)) < 1e-6,
        "{}",
        read.points[1]
    );
    let wide = [0.2, 0.2, 0.4, 0.4, 0.4];
    assert!(
        read.widths
            .iter()
            .zip(wide)
            .all(|(a, b)| (a - b).abs() < 1e-6)
    );
    assert_eq!(read.colours, [[1.0, 0.5, 0.0]; 5]);
    assert_eq!(read.metres_per_unit, Some(0.01));
}

#[test]
fn large_grooms_are_read_quickly() {
    let folder = tempfile::tempdir().expect("a folder");
    let groom = hair(10_000, |_| 16);
    for id in ids() {
        let path = folder.path().join(format!("large.{id}"));
        let start = Instant::now();
        fs::write(&path, content(id, &groom)).expect("to disk");
        let wrote = start.elapsed();
        let start = Instant::now();
        let (_, read) = strands::read(&path).expect("reads");
        println!(
            "{id:<5} 10,000 x 16: written in {:.0} ms, read in {:.0} ms, {} kB",
            1e3 * wrote.as_secs_f64(),
            1e3 * start.elapsed().as_secs_f64(),
            fs::metadata(&path).expect("there").len() / 1024
        );
        assert_eq!(read.points.len(), 160_000);
    }
}
