//! The window's export of an animation: the same files as `simulate` writes of the saved scene.

use crate::program::{run, stderr, text};
use lovelock::{
    groom::edit,
    project::{
        built_scene,
        export::{AnimationOptions, ExportOptions, ExportStrands, ExportUp, LengthUnit},
        scene::Scene,
    },
    session::{Session, jobs::Ending, outcome::JobOutcome},
    sim::MotionPreset,
};
use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// Some hair under a head that moves, one strand of which was cut.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.roots.strands = 40;
    scene.groom.vertices = 12;
    scene.followers.each = 2;
    scene.sim.motion.preset = MotionPreset::HeadBang;
    for (time, yaw) in [(0.0, 0.0), (0.2, 40.0)] {
        scene.sim.tracks.keys.set_key("camera.yaw", time, yaw);
    }
    let groom = built_scene::build(&scene).expect("builds").groom;
    let curve = edit::cut(groom.strand(3), 0.03).expect("is shorter");
    let cut = edit::EditedCurve::of(curve, &groom, 3);
    let cut = [(groom.numbers.number(3), cut)];
    scene.handwork.edits = scene.handwork.edits.with(cut);
    scene
}

/// Lets the window's session write it.
fn export(
    session: &mut Session,
    path: &Path,
    scene: &Scene,
    options: ExportOptions,
    animation: AnimationOptions,
) {
    let named = (scene, Some("scene".into()));
    let started = session.export_animation(path.into(), named, options, animation);
    started.expect("begins");
    let begun = Instant::now();
    loop {
        while session.next_news().is_some() {}
        match session.next_ending() {
            Some((_, Ending::Done(JobOutcome::Animated(made)))) => {
                return assert_eq!(made.frames, animation.frames());
            }
            Some((_, Ending::Done(JobOutcome::Failed(why)))) => panic!("{why}"),
            Some(_) => panic!("it ends otherwise"),
            None => assert!(begun.elapsed().as_secs() < 120, "it never ends"),
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn simulate(scene: &Path, seconds: &str, more: &[&str]) {
    let begin = ["simulate", text(scene), "--seconds", seconds];
    let output = run(&[&begin[..], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn the_window_writes_the_same_animation_as_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (own, line) = (folder.path().join("window"), folder.path().join("line"));
    fs::create_dir(&own).expect("a folder");
    let scene = scene();
    let saved = folder.path().join("scene.toml");
    scene.write(&saved).expect("written");
    let mut session = Session::new(&scene, Some(1), || ()).expect("a thread");
    let short = AnimationOptions {
        seconds: 0.2,
        fps: 20.0,
        start: None,
        velocities: false,
        camera: false,
    };
    let cm = ExportOptions {
        strands: ExportStrands::All,
        unit: LengthUnit::Cm,
        up: ExportUp::Z,
        head: true,
    };
    let guides = ExportOptions {
        strands: ExportStrands::Guides,
        head: true,
        ..ExportOptions::default()
    };
    let plain = ExportOptions::default();
    let numbered = AnimationOptions {
        start: Some(1001),
        velocities: true,
        camera: true,
        ..short
    };
    let all = [
        "--export-strands",
        "all",
        "--export-units",
        "cm",
        "--export-up",
        "z",
        "--export-head",
    ];
    let shot = [
        "--export-start",
        "1001",
        "--export-velocities",
        "--export-camera",
    ];
    for (name, options, animation, more) in [
        ("h.abc", cm, numbered, [&all[..], &shot].concat()),
        ("h.usda", plain, short, Vec::new()),
        (
            "h.usdc",
            guides,
            short,
            vec!["--export-strands", "guides", "--export-head"],
        ),
        (
            "h.####.ply",
            guides,
            short,
            vec!["--export-strands", "guides", "--export-head"],
        ),
        ("i.$F4.usda", cm, numbered, [&all[..], &shot].concat()),
    ] {
        export(&mut session, &own.join(name), &scene, options, animation);
        let out = line.join(name);
        let to = ["--export", text(&out), "--export-fps", "20"];
        simulate(&saved, "0.2", &[&to[..], &more].concat());
    }
    // A cache of the command line has no frame at the end of its time.
    export(&mut session, &own.join("h.cache"), &scene, plain, short);
    let cache = line.join("h.cache");
    simulate(
        &saved,
        "0.25",
        &["--set", "capture.fps=20", "--cache", text(&cache)],
    );
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("lists").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    let written = names(&own);
    assert_eq!(written, names(&line));
    assert_eq!(written.len(), 4 + 5 * 3);
    for name in written {
        let [own, line] = [&own, &line].map(|folder| fs::read(folder.join(&name)).expect("reads"));
        // The scene in a cache says what its rate was set to.
        match name == "h.cache" {
            true => assert_eq!(frames(&own, &line), [5, 5]),
            false => assert!(own == line, "{} differs", name.display()),
        }
    }
}

/// How many frames two caches have, all of which are alike.
fn frames(a: &[u8], b: &[u8]) -> [u32; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b] = [("a", a), ("b", b)].map(|(name, bytes)| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        lovelock::io::cache::Reader::open(&path).expect("opens")
    });
    let (mut a, mut b) = (a, b);
    assert_eq!(a.header().fps, b.header().fps);
    assert_eq!(a.header().scene_name(), b.header().scene_name());
    for number in 0..a.whole() {
        let read = |reader: &mut lovelock::io::cache::Reader| {
            let mut frame = lovelock::io::cache::Frame::default();
            reader.read(number, &mut frame).expect("is there");
            frame
        };
        assert!(read(&mut a) == read(&mut b), "frame {number}");
    }
    [a.whole(), b.whole()]
}
