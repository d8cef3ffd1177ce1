//! Grooms in files: read as they are, written and read back, refused with a
//! sentence, and brought onto a head.

use glam::Vec3;
use lovelock::{
    groom::{
        ImportParams,
        bind::{self, Loose},
    },
    io::strands::{self, FORMATS, Strands, lost, parse, usda, written},
    math::random::{hash, signed, uniform},
    mesh::{Body, HeadParams, Up, load},
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

/// A real file, if the inputs are there.
fn input(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("LOVELOCK_INPUTS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/inputs"),
        PathBuf::from,
    );
    let path = folder.join(name);
    if path.is_file() {
        return Some(path);
    }
    println!("skipped: {} is not here", path.display());
    None
}

/// `count` strands of different lengths, with everything that a file can say.
fn hair(count: usize, points: impl Fn(usize) -> usize) -> Strands {
    let mut out = Strands {
        starts: vec![0],
        up: Some(Up::Y),
        metres_per_unit: Some(0.01),
        ..Strands::default()
    };
    for strand in 0..count {
        let mut at = Vec3::from([1, 2, 3].map(|k| 10.0 * signed(k, strand as u64)));
        for i in 0..points(strand) {
            let salt = (strand * 1000 + i) as u64;
            out.points.push(at);
            out.widths.push(0.006 + 0.004 * uniform(9, salt));
            out.colours.push([4, 5, 6].map(|k| uniform(k, salt)));
            at += Vec3::from([1, 2, 3].map(|k| 0.5 * signed(k ^ 0x77, salt)));
        }
        out.starts.push(out.points.len() as u32);
        out.root_uvs
            .push([uniform(7, strand as u64), uniform(8, strand as u64)]);
    }
    out
}

fn content(id: &str, strands: &Strands) -> Vec<u8> {
    let known = written().find(|(format, _)| format.id == id);
    let (_, writing) = known.expect("is written");
    (writing.write)(strands).expect("writes")
}

fn ids() -> impl Iterator<Item = &'static str> {
    written().map(|(format, _)| format.id)
}

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
    let odd = hair(40, |strand| 2 + strand % 17);
    let even = hair(40, |_| 16);
    for id in ids() {
        let given = if id == "tfx" { &even } else { &odd };
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
        "texture coordinates of roots are not in the file; the file does not say its unit; \
         the file does not say which axis points up"
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
    let path = folder.path().join("film.usda");
    let pose = hair(12, |strand| 3 + strand);
    let mut film = usda::Film::new(&path, 3, 20.0).expect("begins");
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
    assert!(first.notes.iter().any(|note| note.contains("first frame")));
    let text = fs::read_to_string(&path).expect("text");
    for wanted in [
        "endTimeCode = 3",
        "timeCodesPerSecond = 20",
        "            3: [(",
    ] {
        assert!(text.contains(wanted), "{wanted}");
    }
    // One that is given up leaves nothing.
    let lost = folder.path().join("lost.usda");
    drop(usda::Film::new(&lost, 3, 20.0).expect("begins"));
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1);
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

#[test]
fn wrong_files_are_refused_with_one_clear_sentence() {
    for (name, wanted) in [
        (
            "Bangs_head.ply",
            ": it is a mesh of 7694 faces and not hair",
        ),
        ("derived_header_only.hair", ", byte 128: 160000 points"),
        (
            "derived_huge_count.hair",
            ", byte 8: the header says 4294967295 points",
        ),
        (
            "derived_nan_point.hair",
            "point 0 of strand 0 is not a number",
        ),
        ("lfs_pointer_ponytail.hair", "it is a Git LFS pointer"),
    ] {
        let Some(path) = input(&format!("hair/{name}")) else {
            continue;
        };
        let error = strands::read(&path).err().expect(name).to_string();
        assert!(error.contains(wanted), "{error}");
        assert!(!error.contains('\n') && !error.ends_with('.'), "{error}");
    }
    let refused = |bytes: &[u8], name: &str| {
        let fault = parse(bytes, Path::new(name)).err().expect(name);
        fault.to_string()
    };
    let third = [&3.0f32.to_le_bytes()[..], &[1; 300]].concat();
    for (bytes, name, wanted) in [
        (&b""[..], "a.hair", "it is empty"),
        (
            b"hello",
            "a.hair",
            "byte 0: it does not begin with the letters HAIR",
        ),
        (b"hello", "a.xyz", "it is no groom that can be read here"),
        (
            &third,
            "a.tfx",
            "its version is 3.0, and only version 4 is read",
        ),
        (b"numStrands 20\n", "a.tfx", "the text of TressFX 2"),
        (b"\x01\0\0\0", "a.tfxbone", "give the .tfx beside it"),
        (b"PXR-USDC\0\0", "a.usd", "binary USD"),
        (
            &[255; 64],
            "a.data",
            "byte 0: 4294967295 strands are promised in 64 bytes",
        ),
        (
            &[255; 64],
            "a.bin",
            "byte 0: 4294967295 strands are promised in 64 bytes",
        ),
        (
            b"v 0 0 0\nl 1 2\n",
            "a.obj",
            ":2: the line goes through point 2 of 1",
        ),
        (b"v 0 x 0\nl 1 1\n", "a.obj", ":1: \"x\" is no number"),
        (b"v 0 0 0\nf 1 1 1\n", "a.obj", "it is a mesh of 1 faces"),
        (b"ply\nformat ascii 1.0\n", "a.ply", "the header has no end"),
        (
            b"ply\nformat ascii 1.0\nelement vertex 4294967295\nproperty float x\n\
              property float y\nproperty float z\nelement strand 1\nproperty int nsegs\n\
              end_header\n0 0 0\n",
            "a.ply",
            "a number is missing",
        ),
        (
            b"#usda 1.0\ndef Xform \"a\" {\n",
            "a.usda",
            "the file ends in the middle of a prim",
        ),
        (b"#usda 1.0\n", "a.usda", "it has no BasisCurves"),
        (
            b"#usda 1.0\ndef BasisCurves \"a\" {\nint[] curveVertexCounts = [9]\n\
              point3f[] points = [(0, 0, 0)]\n}\n",
            "a.usda",
            "curveVertexCounts promises 9 points and there are 1",
        ),
    ] {
        let text = refused(bytes, name);
        assert!(text.contains(wanted), "{name}: {text}");
    }
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
    let (found, read) = parse(text, Path::new("x")).expect("reads");
    assert_eq!((found.id, &read.starts[..]), ("pbrt", &[0, 7, 11][..]));
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

/// Files cut off, with other bytes, and with numbers beyond all reason.
#[test]
fn damaged_files_never_panic_and_never_grow() {
    let sound: Vec<(&str, Vec<u8>)> = ids()
        .map(|id| {
            let strands = hair(6, |strand| if id == "tfx" { 8 } else { 2 + strand });
            (id, content(id, &strands))
        })
        .chain([
            (
                "mitshair",
                b"0 0 0\n1 0 0\n\n0 1 0 0.5\n0 2 0 0.5\n".to_vec(),
            ),
            (
                "mitshair",
                [&b"BINARY_HAIR\x02\0\0\0\0\0\x80\x7f"[..], &[0; 24]].concat(),
            ),
            (
                "pbrt",
                b"Shape \"curve\" \"point P\" [ 0 0 0  0 1 0  0 2 0  0 3 0 ]".to_vec(),
            ),
        ])
        .collect();
    let until = Instant::now() + std::time::Duration::from_secs(3);
    let (mut round, mut read) = (0u64, 0);
    while Instant::now() < until {
        for (id, sound) in &sound {
            round += 1;
            let mut bytes = sound.clone();
            let draw = |k: u64, below: usize| (hash(k, round) % below.max(1) as u64) as usize;
            for k in 0..1 + draw(1, 4) as u64 {
                let at = draw(10 + k, bytes.len());
                match draw(20 + k, 5) {
                    0 => bytes.truncate(at),
                    1 => bytes[at..].iter_mut().take(4).for_each(|b| *b = 0xff),
                    2 => bytes[at..]
                        .iter_mut()
                        .take(1)
                        .for_each(|b| *b = hash(3, round) as u8),
                    3 => {
                        let copy = bytes[at..].iter().take(40).copied().collect::<Vec<_>>();
                        bytes.splice(at..at, copy);
                    }
                    _ => {
                        let end = (at + draw(30 + k, 40)).min(bytes.len());
                        bytes.drain(at..end);
                    }
                }
            }
            let name = format!("x.{id}");
            if let Ok((_, strands)) = parse(&bytes, Path::new(&name)) {
                read += 1;
                let memory = 12 * strands.points.capacity()
                    + 4 * strands.starts.capacity()
                    + 4 * strands.widths.capacity()
                    + 12 * strands.colours.capacity();
                assert!(
                    memory <= 16 * bytes.len() + 4096,
                    "{memory} for {}",
                    bytes.len()
                );
                assert_eq!(
                    strands.starts.last().map(|s| *s as usize),
                    Some(strands.points.len())
                );
                assert!(strands.starts.windows(2).all(|pair| pair[0] <= pair[1]));
            }
        }
    }
    println!("{round} damaged files, {read} of them still read");
    assert!(round > 1000 && read > 10);
}

fn bound(strands: &Strands, params: &ImportParams, body: &Body) -> bind::Bound {
    let loose = Loose {
        points: &strands.points,
        starts: &strands.starts,
        up: strands.up,
        metres_per_unit: strands.metres_per_unit,
    };
    bind::bind(&loose, params, &body.surface).expect("binds")
}

#[test]
fn a_groom_comes_back_to_its_head_whatever_its_unit_and_axis() {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = Body::new(head.mesh, 0.006);
    let mut grown = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    for (i, root) in common_roots(&body, 300).into_iter().enumerate() {
        let tip = Vec3::new(0.03, 0.1, 0.02);
        let count = 3 + i % 5;
        let points = (0..count).map(|k| root + tip * k as f32 / (count - 1) as f32);
        grown.points.extend(points);
        grown.starts.push(grown.points.len() as u32);
    }
    for (scale, turned) in [(1.0, false), (100.0, false), (1000.0, true), (10.0, true)] {
        let mut file = grown.clone();
        for p in &mut file.points {
            *p *= scale;
            if turned {
                *p = Vec3::new(p.x, -p.z, p.y);
            }
        }
        let bound = bound(&file, &ImportParams::default(), &body);
        assert_eq!(bound.groom.strands(), 300);
        let report = &bound.report;
        assert!(report.largest_distance < 1e-5, "{}", report.summary);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let total: f32 = (0..300).map(|i| bound.groom.strand(i)[0].y).sum();
        let wanted: f32 = grown.iter().map(|strand| strand[0].y).sum();
        assert!((total / wanted - 1.0).abs() < 1e-4, "{total} {wanted}");
    }
    // Guides are some of them, and the others are places for followers.
    let params = ImportParams {
        guides: 100,
        ..ImportParams::default()
    };
    let few = bound(&grown, &params, &body);
    assert_eq!((few.groom.strands(), few.bed.spare()), (100, 200));
    // Off the head it is said, with what would help.
    let mut off = grown.clone();
    off.points
        .iter_mut()
        .for_each(|p| *p += Vec3::new(0.0, 0.3, 0.1));
    let params = ImportParams {
        units: lovelock::mesh::Units::Metres,
        up: Up::Y,
        ..ImportParams::default()
    };
    let report = bound(&off, &params, &body).report;
    assert!(
        report.warnings[0].contains("does not fit this head"),
        "{report:?}"
    );
    let (scale, offset) = report.better.expect("an offer");
    let params = ImportParams {
        scale,
        offset,
        ..params
    };
    let better = bound(&off, &params, &body).report;
    assert!(
        better.mean_distance < 0.5 * report.mean_distance,
        "{better:?}"
    );
}

/// Points on the upper head.
fn common_roots(body: &Body, count: u32) -> Vec<Vec3> {
    let params = lovelock::mesh::RootParams {
        strands: count,
        ..lovelock::mesh::RootParams::default()
    };
    let roots = lovelock::mesh::roots(&body.mesh, &params).expect("roots");
    roots.into_iter().map(|root| root.position).collect()
}

#[test]
fn odd_strands_are_dropped_or_made_coarser_with_a_count() {
    let head = load(&HeadParams::default()).expect("the built-in head");
    let body = Body::new(head.mesh, 0.006);
    let root = common_roots(&body, 1)[0];
    let mut file = Strands {
        starts: vec![0],
        ..Strands::default()
    };
    let mut add = |points: Vec<Vec3>| {
        file.points.extend(points);
        file.starts.push(file.points.len() as u32);
    };
    add(vec![root]);
    add(vec![]);
    add(vec![root; 9]);
    add((0..1000)
        .map(|i| root + Vec3::Y * (i as f32 * 1e-4))
        .collect());
    add(vec![
        root,
        root,
        root + Vec3::Y * 0.05,
        root + Vec3::Y * 0.05,
        root + Vec3::Y * 0.1,
    ]);
    let bound = bound(&file, &ImportParams::default(), &body);
    let report = &bound.report;
    assert_eq!((report.dropped, report.resampled), (3, 1));
    assert_eq!(report.warnings.len(), 2, "{:?}", report.warnings);
    let mut counts: Vec<usize> = (0..2).map(|i| bound.groom.strand(i).len()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [3, 256]);
    for i in 0..2 {
        let strand = bound.groom.strand(i);
        assert!(
            strand
                .windows(2)
                .all(|edge| edge[0].distance(edge[1]) > 1e-5)
        );
    }
}

#[test]
fn a_matched_pair_lands_on_its_head() {
    let (Some(head), Some(hair)) = (
        input("heads/digitalsalon_female_head.obj"),
        input("hair/harolongo.data"),
    ) else {
        return;
    };
    let params = HeadParams {
        file: head.display().to_string(),
        ..HeadParams::default()
    };
    let head = load(&params).expect("the head");
    let body = Body::new(head.mesh, 0.006);
    let (_, strands) = strands::read(&hair).expect("the hair");
    let bound = bound(&strands, &ImportParams::default(), &body);
    let report = bound.report;
    assert_eq!(bound.groom.strands(), 7905);
    assert!(report.mean_distance < 0.006, "{}", report.summary);
    assert!(report.largest_distance < 0.012, "{}", report.summary);
    assert!(
        report.summary.contains("the unit is cm, y is up"),
        "{}",
        report.summary
    );
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
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
    assert_eq!(FORMATS.len(), 9);
}
