//! The camera in files of hair: where its keys have it in each frame, in the file's unit and
//! with its axis up.

use crate::program::{SMALL, complaint, run, stderr, stdout, text};
use glam::{DMat4, DVec3};
use lovelock::{
    mesh::Up,
    project::{built_scene, scene::Scene},
    render::Camera,
};
use lovelock_alembic::{Archive, Object};
use lovelock_usd::{Layer, Value};
use std::{fs, path::Path};

/// What files are to hold of a camera: its place, its lens, and what is sharp.
#[derive(Debug)]
struct Found {
    place: DMat4,
    /// Focal length, and width and height of the film. `[mm]`
    lens: [f64; 3],
    f_stop: f64,
    focus: f64,
    clip: [f64; 2],
}

/// The camera of a USD file at a time code.
fn in_usd(bytes: &[u8], metres: f64, code: f64) -> Found {
    let layer = Layer::open(bytes).expect("a layer");
    let prim = layer.at("/Hair/Camera").expect("a camera");
    assert_eq!(prim.kind, "Camera");
    assert_eq!(prim.word("projection").expect("read"), "perspective");
    let numbers = |name| {
        let value = prim.value_at(name, Some(code)).expect("read");
        value.and_then(Value::doubles).expect("numbers")
    };
    let millimetres = |name| numbers(name)[0] * 100.0 * metres;
    let clip = numbers("clippingRange");
    Found {
        place: prim
            .place_at(DMat4::IDENTITY, Some(code))
            .expect("a transform"),
        lens: ["focalLength", "horizontalAperture", "verticalAperture"].map(millimetres),
        f_stop: numbers("fStop")[0],
        focus: numbers("focusDistance")[0],
        clip: [clip[0], clip[1]],
    }
}

fn child<'a>(object: &Object<'a>, name: &str) -> Object<'a> {
    let all = object.children().expect("children");
    all.into_iter().find(|o| o.name == name).expect("a child")
}

/// That of an archive in one of its frames, of which it has so many.
fn in_abc(bytes: &[u8], frame: usize, frames: usize) -> Found {
    let archive = Archive::open(bytes).expect("an archive");
    let groom = child(&archive.top().expect("a top"), "groom");
    let node = child(&groom, "camera");
    assert_eq!(node.poses().expect("poses"), frames);
    let lens = child(&node, "cameraShape");
    assert!(lens.metadata.contains("schema=AbcGeom_Camera_v1"));
    let geometry = lens.property(".geom").expect("read").expect("a camera");
    let core = geometry.property(".core").expect("read").expect("numbers");
    let n = core.sample(frame.min(core.samples() - 1));
    let n = n.and_then(|sample| sample.doubles()).expect("numbers");
    assert_eq!(n.len(), 16);
    assert!([2, 4, 6, 7, 8, 9].iter().all(|i| n[*i] == 0.0) && n[5] == 1.0);
    Found {
        place: node.place(DMat4::IDENTITY, frame).expect("a transform"),
        lens: [n[0], 10.0 * n[1], 10.0 * n[3]],
        f_stop: n[10],
        focus: n[11],
        clip: [n[14], n[15]],
    }
}

/// Writes a quarter of a second of a camera that goes round and zooms.
fn export(path: &Path, more: &[&str]) -> String {
    let keys = "tracks.keys=camera.yaw 0 -20 linear 0.25 70; camera.fov 0 20 linear 0.25 40; \
                camera.aperture 0 0 linear 0.25 0.01";
    let shot = [
        "simulate",
        "--seconds",
        "0.25",
        "--set",
        keys,
        "--set",
        "camera.distance=0.9",
        "--set",
        "camera.pitch=15",
        "--set",
        "capture.size=1080x1920",
        "--export-camera",
        "--export",
        text(path),
    ];
    let output = run(&[&shot[..], SMALL, more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// The camera that the window has in such a frame.
fn wanted(frame: usize) -> (Camera, f64) {
    let mut scene = Scene::default();
    let share = frame as f32 / 6.0;
    let camera = &mut scene.camera;
    (camera.yaw, camera.fov) = (-20.0 + 90.0 * share, 20.0 + 20.0 * share);
    (camera.pitch, camera.distance) = (15.0, 0.9);
    (scene.roots.strands, scene.groom.vertices) = (10, 4);
    let stage = built_scene::build(&scene).expect("builds");
    let camera = Camera::new(&scene.camera, stage.head.mesh.bounds());
    (camera, 0.01 * f64::from(share))
}

/// Sees that a file's camera is that one, with z up in centimetres.
fn check(found: &Found, (camera, aperture): &(Camera, f64), name: &str) {
    let laid = |p| Up::Z.laid(p).as_dvec3();
    let off = |found: DVec3, wanted: DVec3| found.distance(wanted);
    let stands = 100.0 * laid(camera.position());
    let place = found.place;
    assert!(off(place.w_axis.truncate(), stands) < 1e-3, "{name}");
    let looks = laid((camera.target - camera.position()).normalize());
    assert!(
        off(place.transform_vector3(DVec3::NEG_Z), looks) < 1e-5,
        "{name}"
    );
    // Level, and upright with z.
    let [right, up] = [DVec3::X, DVec3::Y].map(|axis| place.transform_vector3(axis));
    assert!(right.z.abs() < 1e-5 && up.z > 0.9, "{name}: {right} {up}");
    assert!((right.cross(up) + looks).length() < 1e-5, "{name}");
    assert_eq!(place.row(3).to_array(), [0.0, 0.0, 0.0, 1.0], "{name}");
    let [focal, width, height] = found.lens;
    let fov = 2.0 * (0.5 * height / focal).atan();
    assert!((fov - f64::from(camera.fov)).abs() < 1e-5, "{name}: {fov}");
    assert!((height - 24.0).abs() < 1e-4, "{name}");
    assert!((width / height - 9.0 / 16.0).abs() < 1e-5, "{name}");
    let stop = focal / (2000.0 * aperture);
    match *aperture > 0.0 {
        true => assert!((found.f_stop / stop - 1.0).abs() < 1e-4, "{name}"),
        // USD has 0 where all is sharp, Alembic nothing but a small opening.
        false => assert!([0.0, 64.0].contains(&found.f_stop), "{name}"),
    }
    assert!((found.focus - 90.0).abs() < 1e-3, "{name}");
    assert!((found.clip[0] - 4.5).abs() < 1e-3 && found.clip[1] > 3000.0);
}

#[test]
fn the_camera_is_in_each_frame_where_its_keys_have_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let cm = ["--export-units", "cm", "--export-up", "z"];
    let fps = ["--export-fps", "24", "--export-start", "1001"];
    for (name, place) in [
        ("h.usda", "/Hair/Camera"),
        ("h.usdc", "/Hair/Camera"),
        ("h.usdz", "/Hair/Camera"),
        ("h.abc", "/groom/camera"),
    ] {
        let path = folder.path().join(name);
        let said = export(&path, &[&cm[..], &fps].concat());
        let line = format!(
            "camera       {place} in {}, for pictures of 1080 x 1920\n",
            path.display()
        );
        assert!(said.contains(&line), "{said}");
        let bytes = fs::read(&path).expect("a file");
        for frame in [0, 3, 6] {
            let found = match name {
                "h.abc" => in_abc(&bytes, frame, 7),
                _ => in_usd(&bytes, 0.01, 1001.0 + frame as f64),
            };
            check(&found, &wanted(frame), &format!("{name}, frame {frame}"));
        }
    }
    // One pose is that of its time, and so is each of many files.
    let path = folder.path().join("end.usdc");
    export(&path, &cm);
    let found = in_usd(&fs::read(&path).expect("a file"), 0.01, 0.0);
    check(&found, &wanted(6), "the end");
    export(&folder.path().join("f.####.abc"), &cm);
    let third = fs::read(folder.path().join("f.0004.abc")).expect("a file");
    check(&in_abc(&third, 0, 1), &wanted(3), "a file a frame");
}

#[test]
fn a_cache_is_converted_with_its_camera_and_other_formats_refuse_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (cache, usd, abc) = (path("h.cache"), path("h.usda"), path("h.abc"));
    // The cache has the frames before the end.
    export(&usd, &["--export-fps", "24", "--cache", text(&cache)]);
    let output = run(&["convert", text(&cache), text(&abc), "--export-camera"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let [usd, abc] = [usd, abc].map(|path| fs::read(path).expect("a file"));
    for frame in [0, 5] {
        let (a, b) = (in_usd(&usd, 1.0, frame as f64), in_abc(&abc, frame, 6));
        assert!(a.place.abs_diff_eq(b.place, 1e-6), "{a:?} {b:?}");
        assert!((a.lens[0] - b.lens[0]).abs() < 1e-3);
    }
    let ply = path("h.####.ply");
    let said = complaint(2, &["simulate", "--export-camera", "--export", text(&ply)]);
    assert!(
        said.contains("a file of PLY strands holds no camera"),
        "{said}"
    );
}
