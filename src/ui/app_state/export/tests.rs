//! Hair that is exported, as it is now and moving.

use super::*;
use crate::{
    io,
    mesh::{HeadParams, Units, Up, load},
    project::{
        export::{ExportStrands, ExportUp, LengthUnit},
        sides::Side,
    },
    sim::MotionPreset,
};
use std::{fs, path::Path};

/// A program with hair, and a folder.
fn start() -> (AppState, tempfile::TempDir) {
    let mut program = AppState::small();
    program.wait("hair", |p| p.session.positions(Side::A).is_some());
    (program, tempfile::tempdir().expect("a folder"))
}

fn idle(program: &AppState) -> bool {
    program.session.jobs().list().is_empty()
}

/// The names of all that lies in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("lists").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

const SHORT: AnimationOptions = AnimationOptions {
    seconds: 0.125,
    fps: 24.0,
    start: None,
    velocities: false,
    camera: true,
};

#[test]
fn an_animation_is_written_beside_the_window_and_told_with_its_folder() {
    let (mut program, folder) = start();
    program.change(|scene| scene.sim.motion.preset = MotionPreset::HeadBang);
    let path = |name: &str| folder.path().join(name);
    let options = ExportOptions {
        strands: ExportStrands::Guides,
        ..ExportOptions::default()
    };
    for (name, files) in [("h.abc", 1), ("h.####.obj", 4), ("h.cache", 1)] {
        program.perform(Command::AskExport);
        program.perform(Command::ExportAnimation(path(name), options, SHORT));
        assert!(program.ui.dialog.is_none() && program.session.is_exporting());
        program.wait("the animation", idle);
        let place = path(name).display().to_string();
        let told = format!("Exported {place}: 4 frames at 24 a second, 10 strands, ");
        assert!(program.ui.toasts.shows(&told), "{name}");
        assert_eq!(program.ui.exports.suggestion(), path(name));
        assert!(program.ui.exports.moves());
        let stem = name.split('.').next_back().expect("an ending");
        let all = names(folder.path());
        let own = all.iter().filter(|found| found.ends_with(stem)).count();
        assert_eq!(own, files, "{name}");
    }
    assert_eq!(names(folder.path()).len(), 6, "nothing else is left");
    let read = |name: &str| io::strands::read(&path(name)).expect("reads").1;
    assert!(
        read("h.0001.obj").points != read("h.0004.obj").points,
        "it moves"
    );
    assert_eq!(read("h.abc").poses, 4);
    let reader = io::cache::Reader::open(&path("h.cache")).expect("opens");
    assert_eq!((reader.whole(), reader.is_whole()), (4, true));
}

#[test]
fn an_animation_that_is_cancelled_leaves_what_was_there() {
    let (mut program, folder) = start();
    let path = |name: &str| folder.path().join(name);
    // What is replaced at the end, and a cache that may be replaced.
    fs::write(path("h.abc"), "old").expect("written");
    fs::write(path("h.0002.obj"), "old").expect("written");
    program.perform(Command::ExportAnimation(
        path("h.cache"),
        ExportOptions::default(),
        SHORT,
    ));
    program.wait("a cache", idle);
    let cache = fs::read(path("h.cache")).expect("reads");
    let before = names(folder.path());
    let long = AnimationOptions {
        seconds: 3600.0,
        ..SHORT
    };
    for name in ["h.abc", "h.####.obj", "h.cache"] {
        let command = Command::ExportAnimation(path(name), ExportOptions::default(), long);
        program.perform(command.clone());
        let goes_on = |p: &AppState| {
            let jobs = p.session.jobs().list();
            jobs.iter()
                .any(|job| job.progress.what().starts_with("frame 3"))
        };
        program.wait("some frames", goes_on);
        // The same once more is refused, and the window goes on.
        program.perform(command);
        let busy = format!("{} is being written already", path(name).display());
        assert!(program.ui.toasts.shows(&busy), "{name}");
        let job = program.session.jobs().list().last().expect("a job").number;
        program.perform(Command::CancelJob(job));
        program.wait("the end", idle);
        assert_eq!(names(folder.path()), before, "{name}");
        assert!(!program.session.is_exporting());
    }
    assert_eq!(fs::read(path("h.abc")).expect("reads"), b"old");
    assert_eq!(fs::read(path("h.0002.obj")).expect("reads"), b"old");
    assert!(fs::read(path("h.cache")).expect("reads") == cache);
}

#[test]
fn an_animation_that_cannot_be_written_leaves_nothing_and_says_why() {
    let (mut program, folder) = start();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("h.0003.obj")).expect("a folder");
    fs::write(path("h.0001.obj"), "old").expect("written");
    fs::write(path("other.cache"), "no cache").expect("written");
    let head = path("head.obj");
    fs::write(&head, "").expect("written");
    program.document.scene_mut().head.file = head.display().to_string();
    let before = names(folder.path());
    let sideways = ExportOptions {
        up: ExportUp::X,
        ..ExportOptions::default()
    };
    let plain = ExportOptions::default();
    let absent = path("none").join("h.abc");
    for (path, options, told) in [
        (path("h.ply"), plain, "{}: a file of PLY"),
        (path("h.xyz"), plain, "{}: no format is named .xyz"),
        (path("h.%4d.obj"), plain, "\"%4d\" in the name"),
        (path("h.abc"), sideways, ""),
        (path("h.usda"), sideways, "{}: in a file of this format"),
        (
            path("other.cache"),
            plain,
            "{} is there already and is no cache",
        ),
        (head.clone(), plain, "{}: a file of "),
        (path("head.####.obj"), plain, ""),
    ] {
        let told = told.replace("{}", &path.display().to_string());
        // Only whether it is refused at once; what is not is given up.
        program.perform(Command::ExportAnimation(path.clone(), options, SHORT));
        assert!(told.is_empty() || program.ui.toasts.shows(&told), "{told}");
        assert_eq!(told.is_empty(), !idle(&program), "{}", path.display());
        if let Some(job) = program.session.jobs().list().last().map(|job| job.number) {
            program.perform(Command::CancelJob(job));
        }
        program.wait("the end", idle);
        while program.ui.toasts.dismiss() {}
    }
    program.document.scene_mut().head.file.clear();
    for (path, told) in [
        (absent, "cannot write {}: its folder is not there"),
        (path("h.####.obj"), "cannot write {}: it is a folder"),
    ] {
        let file = match path.ends_with("h.####.obj") {
            true => folder.path().join("h.0003.obj"),
            false => path.clone(),
        };
        program.perform(Command::ExportAnimation(path, plain, SHORT));
        program.wait("the failure", idle);
        let told = told.replace("{}", &file.display().to_string());
        assert!(program.ui.toasts.shows(&told), "{told}");
        assert_eq!(names(folder.path()), before);
    }
    assert_eq!(fs::read(path("h.0001.obj")).expect("reads"), b"old");
}

#[test]
fn hair_is_exported_as_the_dialog_says_and_the_next_one_begins_with_that() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = AppState::small();
    program.wait("hair", |p| p.session.positions(Side::A).is_some());
    let idle = |program: &AppState| program.session.jobs().list().is_empty();
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| io::strands::read(&path(name)).expect("reads").1;
    // As the command line has it without options.
    let plain = ExportOptions::default();
    program.perform(Command::Export(path("plain.usda"), plain));
    program.wait("the export", idle);
    let hair = read("plain.usda");
    assert_eq!(hair.len(), 10);
    assert_eq!((hair.metres_per_unit, hair.up), (Some(1.0), Some(Up::Y)));
    assert!(!path("head_plain.obj").exists());
    assert!(program.ui.toasts.shows("Exported "));

    let other = ExportOptions {
        unit: LengthUnit::Cm,
        up: ExportUp::Z,
        head: true,
        ..plain
    };
    // Within the file that holds meshes, or beside the one that does not.
    for (name, head) in [
        ("other.data", "head_other.obj"),
        ("other.usda", "other.usda"),
    ] {
        program.perform(Command::Export(path(name), other));
        program.wait("the export", idle);
        let there = read(name);
        // Head and hair lie in the same space: a root is on the skin.
        let head = load(&HeadParams {
            file: path(head).display().to_string(),
            units: Units::Centimetres,
            up: Up::Z,
            ..HeadParams::default()
        });
        let head = head.expect("reads");
        let root = Up::Z.upright(there.points[0]) * 0.01;
        let nearest = head.mesh.positions.iter().map(|p| p.distance(root));
        let nearest = nearest.fold(f32::MAX, f32::min);
        assert!(nearest < 0.02, "{name}: {nearest} m");
    }
    let there = read("other.usda");
    assert_eq!((there.metres_per_unit, there.up), (Some(0.01), Some(Up::Z)));
    assert!(!path("head_other.usda").exists());

    program.perform(Command::AskExport);
    assert!(program.ui.dialog.is_some());
    assert_eq!(program.ui.exports.options(), other);
    assert_eq!(program.ui.exports.suggestion(), path("other.usda"));
    // A format that has no such axis is refused with a reason.
    let sideways = ExportOptions {
        up: ExportUp::X,
        ..plain
    };
    program.perform(Command::Export(path("side.usda"), sideways));
    assert!(idle(&program) && !path("side.usda").exists());

    // What was chosen is remembered, also where a format cannot hold it.
    let scene = program.document.scene().clone();
    program
        .ui
        .exports
        .keep(&path("side.data"), sideways, None, &scene);
    program.perform(Command::AskExport);
    program.perform(Command::Export(path("other.usda"), plain));
    assert_eq!(program.ui.exports.options(), sideways);
}

#[test]
fn what_was_exported_is_told_in_numbers() {
    let folder = std::env::temp_dir();
    let hair = ExportedHair {
        path: folder.join("a.usda"),
        head: Some("out/head_a.obj".into()),
        strands: 13_313,
        points: 1,
        unit: LengthUnit::Cm,
        up: Up::Z,
        bytes: 4_240_000,
        lost: vec!["colours are not in the file".into()],
    };
    let told = exported(&hair);
    assert!(told.starts_with(&format!("Exported {}: ", folder.join("a.usda").display())));
    assert!(
        told.ends_with(
            ": 13\u{a0}313 strands, 1 point, in cm, z up, 4.2 MB; the head in head_a.obj; \
             colours are not in the file"
        ),
        "{told}"
    );
}
