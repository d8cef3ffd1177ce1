//! Heads in other files than OBJ: USD, glTF and Alembic.

use glam::Vec3;
use lovelock::{
    math::random::hash,
    mesh::{self, HeadFile, HeadParams, MeshError, Units, Up, load, read, sequence},
};
use std::{fs, path::Path, time::Instant};

fn seeds() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/head")
}

/// A box of 20 x 24 x 20 cm, its top named scalp, as other programs wrote it.
const CUBES: [&str; 6] = [
    "cube.usda",
    "cube.usdc",
    "cube.usdz",
    "cube.gltf",
    "cube.glb",
    "cube.abc",
];

fn cube(name: &str) -> HeadFile {
    read::read(&seeds().join(name)).expect(name)
}

#[test]
fn a_box_is_the_same_in_every_format() {
    for name in CUBES {
        let file = cube(name);
        assert_eq!(file.warnings, [""; 0], "{name}");
        assert_eq!(
            (file.mesh.positions.len(), file.mesh.triangles.len()),
            (8, 12),
            "{name}"
        );
        let (units, up) = match &name[5..] {
            "abc" => (None, None),
            "glb" | "gltf" => (Some(Units::Metres), Some(Up::Y)),
            _ => (Some(Units::Centimetres), Some(Up::Y)),
        };
        assert_eq!((file.units, file.up), (units, up), "{name}");
        let params = HeadParams {
            // A box says nothing of its own.
            units: units.map_or(Units::Metres, |_| Units::Auto),
            up: up.map_or(Up::Y, |_| Up::Auto),
            ..HeadParams::default()
        };
        let head = load::place(file, &params).expect(name);
        let [low, high] = head.mesh.bounds().map(|p| p.to_array());
        for (axis, half) in [0.1, 0.12, 0.1].into_iter().enumerate() {
            let near = |found: f32, wanted: f32| (found - wanted).abs() < 1e-6;
            assert!(
                near(low[axis], -half) && near(high[axis], half),
                "{name}: {low:?} {high:?}"
            );
        }
        // Outwards, as files of the same name from others are.
        for i in 0..12 {
            let [a, b, c] = head.mesh.corners(i);
            assert!(
                head.mesh.area_normal(i).dot(a + b + c) > 0.0,
                "{name}: face {i}"
            );
        }
    }
}

#[test]
fn a_scalp_and_materials_are_found() {
    for name in ["cube.usda", "cube.usdc", "cube.usdz", "cube.glb"] {
        let mesh = cube(name).mesh;
        let scalp = mesh.groups.iter().find(|group| group.is_scalp());
        let scalp = scalp.unwrap_or_else(|| panic!("{name} has a scalp"));
        let wanted = if name == "cube.glb" { 6 } else { 2 };
        assert_eq!(scalp.triangles.len(), wanted, "{name}");
        let skin = mesh
            .materials
            .iter()
            .find(|material| material.diffuse == [0.5, 0.25, 0.125]);
        assert!(skin.is_some(), "{name}: {:?}", mesh.materials);
        assert_eq!(mesh.uvs.is_empty(), name == "cube.glb", "{name}");
    }
}

/// What is said of a file with this name and content.
fn refused(bytes: &[u8], name: &str) -> String {
    let read: Result<_, MeshError> = read::parse(bytes, Path::new(name));
    read.expect_err(name).to_string()
}

#[test]
fn what_is_wrong_is_said_in_one_sentence() {
    let gltf = fs::read_to_string(seeds().join("cube.gltf")).expect("a seed");
    let with = |from: &str, to: &str| {
        assert!(gltf.contains(from), "{from}");
        gltf.replacen(from, to, 1).into_bytes()
    };
    let data = gltf.find("data:").expect("data");
    let end = data + gltf[data..].find('"').expect("its end");
    let beside = with(&gltf[data..end], "skin%20of%20me.bin");
    let packed = with(
        "\"scene\": 0",
        "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"], \"scene\": 0",
    );
    let glb = fs::read(seeds().join("cube.glb")).expect("a seed");
    for (bytes, name, wanted) in [
        (packed, "a.gltf", "packed by KHR_draco_mesh_compression"),
        (
            beside,
            "a.gltf",
            "the file skin of me.bin that it names cannot be read; put it beside",
        ),
        (
            with("\"count\": 8", "\"count\": 900"),
            "a.gltf",
            "beyond the end of a buffer",
        ),
        (
            with("\"nodes\": [0]", "\"nodes\": []"),
            "a.gltf",
            "its scene shows no mesh",
        ),
        (Vec::new(), "a.gltf", "is empty"),
        (
            with("\"POSITION\": 0", "\"POSITION\": 7"),
            "a.gltf",
            "a mesh names numbers that are not there",
        ),
        (
            b"{\"asset\": 1}".to_vec(),
            "a.gltf",
            "it is no sound glTF file",
        ),
        (
            glb[..glb.len() - 30].to_vec(),
            "a.glb",
            "it is no sound glTF file",
        ),
        (
            b"#usda 1.0\ndef BasisCurves \"a\" {\n}\n".to_vec(),
            "a.usda",
            "it has curves and no Mesh; give it as the groom",
        ),
        (b"#usda 1.0\n".to_vec(), "a.usda", "it has no Mesh"),
        (
            b"#usda 1.0\ndef \"a\" ( references = @b.usd@ ) {\n}\n".to_vec(),
            "a.usda",
            "refers to other files; flatten it",
        ),
        (
            b"#usda 1.0\ndef Mesh \"a\" {\nint[] faceVertexCounts = [4]\n}\n".to_vec(),
            "a.usda",
            "faceVertexCounts promises 4 corners and there are 0",
        ),
        (
            b"#usda 1.0\ndef Mesh \"a\" {\nint[] faceVertexCounts = [3]\n\
              int[] faceVertexIndices = [0, 1, 7]\n}\n"
                .to_vec(),
            "a.usda",
            "none of its faces can be used",
        ),
        (
            fs::read(seeds().join("../groom/abc/curves.abc")).expect("a seed"),
            "a.abc",
            "with curves and no polygons; give it as the groom",
        ),
    ] {
        let text = refused(&bytes, name);
        assert!(text.contains(wanted), "{wanted}: {text}");
        assert!(!text.contains('\n') && !text.ends_with('.'), "{text}");
    }
}

#[test]
fn odd_units_become_metres_and_wide_faces_hold() {
    // An octagon on a square, in inches.
    let text = b"#usda 1.0\n( metersPerUnit = 0.0254 )\ndef Mesh \"a\" {\n\
        int[] faceVertexCounts = [8, 4, 2, 3]\n\
        int[] faceVertexIndices = [0,1,2,3,4,5,6,7, 0,1,2,3, 1,2, 0,1,99]\n\
        point3f[] points = [(2,1,0),(1,2,0),(-1,2,0),(-2,1,0),(-2,-1,0),(-1,-2,0),(1,-2,0),(2,-1,0)]\n\
        color3f[] primvars:displayColor = [(1, 0.5, 0)]\n}\n";
    let file = read::parse(text, Path::new("a.usda")).expect("reads");
    assert_eq!((file.units, file.metres_per_unit), (None, Some(0.0254)));
    assert_eq!((file.vertices, file.faces, file.triangles), (8, 4, 8));
    assert_eq!(file.mesh.materials[0].diffuse, [1.0, 0.5, 0.0]);
    let told = file.warnings.join("; ");
    assert!(told.contains("2 faces have"), "{told}");
    // What is set wins over what the file says.
    for (units, width) in [(Units::Auto, 4.0 * 0.0254), (Units::Centimetres, 0.04)] {
        let params = HeadParams {
            units,
            ..HeadParams::default()
        };
        let head = load::place(file.clone(), &params).expect("a head");
        let [low, high] = head.mesh.bounds();
        assert!((high.x - low.x - width).abs() < 1e-6, "{low} {high}");
        let corner = head.report.placing.place(glam::DVec3::new(2.0, 1.0, 0.0));
        assert!((corner.x - 0.5 * width).abs() < 1e-6, "{corner}");
        let told = head.report.warnings.join("; ");
        assert_eq!(told.contains("0.0254 m"), units == Units::Auto, "{told}");
    }
}

/// A vertex that no face uses may be anywhere; without a place it widened the model so
/// that no two vertices were one.
#[test]
fn a_vertex_without_a_place_spoils_nothing() {
    let text = |more: &str| {
        format!(
            "#usda 1.0\ndef Mesh \"a\" {{\n\
             int[] faceVertexCounts = [3, 3]\nint[] faceVertexIndices = [0, 1, 2, 3, 4, 5]\n\
             point3f[] points = [(5, 0, 0), (6, 0, 0), (5, 1, 0), (5, 1, 0.0000001), \
             (6, 0, 0.0000001), (6, 1, 0){more}]\n}}\n"
        )
    };
    for more in ["", ", (nan, 0, 0)", ", (0, 1e30, 0)"] {
        let file = read::parse(text(more).as_bytes(), Path::new("a.usda")).expect("reads");
        assert_eq!(file.mesh.positions.len(), 4, "{more}");
        let wide = [Vec3::new(5.0, 0.0, 0.0), Vec3::new(6.0, 1.0, 1e-7)];
        assert_eq!(file.bounds, wide, "{more}");
    }
}

/// As many rows as corners and as vertices: only its interpolation says what they are for.
#[test]
fn texture_coordinates_lie_where_their_interpolation_says() {
    let rows = [
        "(0, 0), (1, 0), (0, 1), (1, 1)",
        "(0, 0), (1, 0), (1, 1), (0, 1)",
    ];
    for (interpolation, rows) in ["vertex", "faceVarying"].into_iter().zip(rows) {
        let text = format!(
            "#usda 1.0\ndef Mesh \"a\" {{\n\
             int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 3, 2]\n\
             point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]\n\
             texCoord2f[] primvars:st = [{rows}] (interpolation = \"{interpolation}\")\n}}\n"
        );
        let file = read::parse(text.as_bytes(), Path::new("a.usda")).expect("reads");
        assert_eq!(file.mesh.uvs.len(), 2, "{interpolation}");
        for (i, uvs) in file.mesh.uvs.iter().enumerate() {
            let places = file.mesh.corners(i).map(|p| p.truncate());
            assert_eq!(places, *uvs, "{interpolation}");
        }
    }
}

#[test]
fn what_a_usd_layer_does_not_show_is_no_part_of_the_head() {
    let mesh = |name: &str, more: &str, x: u32| {
        format!(
            "def Mesh \"{name}\" {more}{{\n\
             int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n\
             point3f[] points = [({x}, 0, 0), ({x}, 1, 0), ({x}, 0, 1)]\n"
        )
    };
    let seen = mesh("a", "", 1) + "}\n";
    for (more, inside) in [
        ("", "token visibility = \"invisible\"\n"),
        ("", "uniform token purpose = \"proxy\"\n"),
        ("(active = false) ", ""),
    ] {
        let text = format!("#usda 1.0\n{seen}{}{inside}}}\n", mesh("b", more, 9));
        let file = read::parse(text.as_bytes(), Path::new("a.usda")).expect("reads");
        assert_eq!(file.mesh.positions.len(), 3, "{more}{inside}");
    }
    let text = format!("#usda 1.0\n{seen}{}}}\n", mesh("b", "", 9));
    let file = read::parse(text.as_bytes(), Path::new("a.usda")).expect("reads");
    assert_eq!(file.mesh.positions.len(), 6);
}

/// The node of a skinned mesh moves nothing; its first joint and that one's inverse bind
/// matrix do.
#[test]
fn a_skinned_mesh_stands_where_its_skeleton_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let inverse = glam::Mat4::from_translation(Vec3::new(0.0, 0.0, 3.0))
        * glam::Mat4::from_scale(Vec3::splat(0.5));
    let bytes: Vec<u8> = inverse
        .to_cols_array()
        .iter()
        .flat_map(|c| c.to_le_bytes())
        .collect();
    fs::write(folder.path().join("bind.bin"), bytes).expect("writes");
    let mut text = fs::read_to_string(seeds().join("cube.gltf")).expect("a seed");
    for (from, to) in [
        ("\"name\": \"Head\",", "\"name\": \"Head\", \"skin\": 0,"),
        (
            "0.12, 0.1]}]",
            "0.12, 0.1]}, {\"children\": [2], \"translation\": [0, 1, 0]}, \
          {\"translation\": [0, 0.5, 0]}]",
        ),
        (
            "\"scenes\": [{\"nodes\": [0]}]",
            "\"scenes\": [{\"nodes\": [0, 1]}], \
          \"skins\": [{\"joints\": [2], \"inverseBindMatrices\": 3}]",
        ),
        (
            "\"}], \"bufferViews\": [",
            "\"}, {\"byteLength\": 64, \"uri\": \"bind.bin\"}], \
          \"bufferViews\": [",
        ),
        (
            "\"byteLength\": 72}]",
            "\"byteLength\": 72}, {\"buffer\": 1, \"byteLength\": 64}]",
        ),
        (
            "\"type\": \"SCALAR\"}]",
            "\"type\": \"SCALAR\"}, {\"bufferView\": 2, \
          \"componentType\": 5126, \"count\": 1, \"type\": \"MAT4\"}]",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let path = folder.path().join("skinned.gltf");
    fs::write(&path, text).expect("writes");
    let file = read::read(&path).expect("reads");
    let wanted = [Vec3::new(-0.5, 1.0, 2.5), Vec3::new(0.5, 2.0, 3.5)];
    assert_eq!(file.bounds, wanted);
}

#[test]
fn poses_of_an_archive_are_played() {
    let path = seeds().join("turning.abc");
    assert!(sequence::moves(&path) && !sequence::moves(&seeds().join("cube.abc")));
    let params = HeadParams {
        units: Units::Metres,
        up: Up::Y,
        ..HeadParams::default()
    };
    let (head, film) = sequence::read(&path, &params, &|_, _| true).expect("reads");
    assert_eq!((head.mesh.positions.len(), film.frames()), (8, 3));
    assert!(!film.deforms(), "it turns");
    // Blender turned it by 0.4 about what is up here, in two steps.
    let (turn, _) = film.stand(&film.blend(2.0, sequence::Play::Hold));
    let (axis, angle) = turn.to_axis_angle();
    assert!(
        (axis.y.abs() - 1.0).abs() < 1e-6 && (angle - 0.4).abs() < 1e-3,
        "{axis} {angle}"
    );
}

/// A cube in metres, 20 frames a second, which Pixar's library wrote as a crate file: it
/// rises from time code 1 to 5, by its parent, and one of its corners goes out until 3.
#[test]
fn poses_of_a_usd_layer_are_played() {
    assert!(!sequence::moves(&seeds().join("cube.usda")));
    for name in ["rising.usda", "rising.usdc"] {
        let path = seeds().join(name);
        assert!(sequence::moves(&path), "{name}");
        let params = HeadParams::default();
        let (head, film) = sequence::read(&path, &params, &|_, _| true).expect("reads");
        assert_eq!((head.mesh.positions.len(), film.frames()), (8, 5));
        assert!(film.deforms());
        let mut shape = vec![Vec3::ZERO; 8];
        for frame in 0..5 {
            let blend = film.blend(f64::from(frame), sequence::Play::Hold);
            let (turn, way) = film.stand(&blend);
            film.offsets(&blend, 1.0, &mut shape);
            for (rest, offset) in head.mesh.positions.iter().zip(&shape) {
                let there = turn * (*rest + *offset).as_dvec3() + way;
                let out = rest.min_element() > 0.19;
                let mut wanted = rest.as_dvec3();
                wanted.y += 0.05 * f64::from(frame);
                wanted.z += if out {
                    0.02 * f64::from(frame.min(2))
                } else {
                    0.0
                };
                assert!(
                    there.distance(wanted) < 1e-5,
                    "{frame}: {there}, not {wanted}"
                );
            }
        }
    }
}

/// Archives and layers of several poses with other bytes: played or refused.
#[test]
fn damaged_films_never_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["turning.abc", "rising.usda", "rising.usdc"];
    let sound = names.map(|name| fs::read(seeds().join(name)).expect(name));
    let until = Instant::now() + crate::damage::time();
    let (mut round, mut read) = (0u64, 0);
    while Instant::now() < until {
        for (name, sound) in names.iter().zip(&sound) {
            round += 1;
            let mut bytes = sound.clone();
            let draw = |k: u64, below: usize| (hash(k, round) % below.max(1) as u64) as usize;
            for k in 0..1 + draw(1, 3) as u64 {
                let at = draw(10 + k, bytes.len());
                let wild = [0xff, 0, b'9', b'e', hash(3, round) as u8][draw(20 + k, 5)];
                let count = 1 + draw(30 + k, 4);
                bytes[at..].iter_mut().take(count).for_each(|b| *b = wild);
            }
            let path = folder.path().join(name);
            fs::write(&path, &bytes).expect("writes");
            // More frames than anybody waits for are what a time far away makes.
            if read::poses(&path) > 200 {
                continue;
            }
            let found = sequence::read(&path, &HeadParams::default(), &|_, _| true);
            if let Ok((head, film)) = found {
                read += 1;
                let mut shape = vec![Vec3::ZERO; head.mesh.positions.len()];
                let last = film.frames() - 1;
                film.offsets(
                    &film.blend(last as f64, sequence::Play::Hold),
                    1.0,
                    &mut shape,
                );
                assert!(shape.iter().all(|p| p.is_finite()), "{name}, round {round}");
            }
        }
    }
    println!("{round} damaged films, {read} of them still read");
    assert!(round > 300 && read > 10);
}

#[test]
fn damaged_heads_never_panic() {
    let sound: Vec<(&str, Vec<u8>)> = CUBES
        .iter()
        .map(|name| (*name, fs::read(seeds().join(name)).expect(name)))
        .collect();
    let until = Instant::now() + crate::damage::time();
    let (mut round, mut read) = (0u64, 0);
    while Instant::now() < until {
        for (name, sound) in &sound {
            round += 1;
            let mut bytes = sound.clone();
            let draw = |k: u64, below: usize| (hash(k, round) % below.max(1) as u64) as usize;
            for k in 0..1 + draw(1, 3) as u64 {
                let at = draw(10 + k, bytes.len());
                match draw(20 + k, 4) {
                    0 if k > 0 => bytes.truncate(at),
                    1 => bytes[at..].iter_mut().take(4).for_each(|b| *b = 0xff),
                    2 => {
                        let copy = bytes[at..].iter().take(40).copied().collect::<Vec<_>>();
                        bytes.splice(at..at, copy);
                    }
                    _ => bytes[at..]
                        .iter_mut()
                        .take(1)
                        .for_each(|b| *b = hash(3, round) as u8),
                }
            }
            let Ok(file) = read::parse(&bytes, Path::new(name)) else {
                continue;
            };
            read += 1;
            let count = file.mesh.positions.len();
            let corners = file.mesh.triangles.as_flattened();
            assert!(corners.iter().all(|corner| (*corner as usize) < count));
            assert!(file.mesh.positions.iter().all(|p| p.is_finite()));
            let _ = load::place(file, &HeadParams::default());
        }
    }
    println!("{round} damaged files, {read} of them still read");
    assert!(round > 1000 && read > 10);
}

#[test]
fn a_head_is_named_in_a_scene_as_an_obj_is() {
    let params = HeadParams {
        file: seeds().join("cube.usdc").display().to_string(),
        ..HeadParams::default()
    };
    let head = mesh::load(&params).expect("loads");
    assert!(
        head.report
            .summary
            .contains("its unit is cm (as the file says)"),
        "{}",
        head.report.summary
    );
    assert!((head.report.height - 0.24).abs() < 1e-6);
}
