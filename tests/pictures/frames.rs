//! Captured frames: numbered without gaps, whole, and never over another file.

use lovelock::io::{
    FrameFormat,
    frames::{FRAME, FrameError, FrameWriter, SCREENSHOT},
};
use std::{collections::BTreeSet, fs, path::Path};

/// A picture that no other number has.
fn picture(number: u32, width: u32, height: u32) -> Vec<u8> {
    (0..width * height * 3)
        .map(|i| (i * 7 + number * 31) as u8)
        .collect()
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

fn expected(numbers: std::ops::Range<u32>, extension: &str) -> BTreeSet<String> {
    numbers
        .map(|n| format!("render{n:04}.{extension}"))
        .collect()
}

#[test]
fn pictures_come_back_as_they_went_in() {
    for format in [FrameFormat::Png, FrameFormat::Bmp] {
        let folder = tempfile::tempdir().expect("a folder");
        // The folder and the one above it are missing.
        let folder = folder.path().join("new/frames");
        let mut writer = FrameWriter::open(&folder, FRAME, format).expect("opens");
        for n in 0..40 {
            writer
                .write(33, 17, picture(n, 33, 17))
                .expect("takes a frame");
        }
        let progress = writer.finish().expect("all written");
        assert_eq!((progress.written, progress.queued), (40, 0));
        assert_eq!(names(&folder), expected(0..40, format.name()));
        for n in 0..40 {
            let path = folder.join(format!("render{n:04}.{}", format.name()));
            let read = image::open(path).expect("decodes").into_rgb8();
            assert_eq!((read.width(), read.height()), (33, 17));
            assert_eq!(read.into_raw(), picture(n, 33, 17), "frame {n}");
        }
    }
}

#[test]
fn numbering_continues_after_the_highest_of_either_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for name in [
        "render0003.png",
        "render0041.bmp",
        "renderings.png",
        "render99.txt",
        "screenshot0100.png",
    ] {
        fs::write(folder.join(name), "kept").expect("writes");
    }
    let mut writer = FrameWriter::open(folder, FRAME, FrameFormat::Png).expect("opens");
    let path = writer.write(2, 2, picture(0, 2, 2)).expect("takes a frame");
    assert_eq!(path, folder.join("render0042.png"));
    writer.finish().expect("written");
    let mut writer = FrameWriter::open(folder, SCREENSHOT, FrameFormat::Png).expect("opens");
    let path = writer.write(2, 2, picture(0, 2, 2)).expect("takes a frame");
    assert_eq!(path, folder.join("screenshot0101.png"));
    writer.finish().expect("written");
    for old in ["render0003.png", "render0041.bmp"] {
        assert_eq!(
            fs::read_to_string(folder.join(old)).expect("still there"),
            "kept"
        );
    }
    assert_eq!(names(folder).len(), 7);
}

#[test]
fn a_file_that_appears_meanwhile_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut writer = FrameWriter::open(folder, FRAME, FrameFormat::Png).expect("opens");
    fs::write(folder.join("render0002.png"), "somebody else's").expect("writes");
    for n in 0..6 {
        // Once the failure is known, frames are refused.
        if writer.write(2, 2, picture(n, 2, 2)).is_err() {
            break;
        }
    }
    let error = writer.finish().expect_err("the name was taken");
    assert!(matches!(error, FrameError::Taken { .. }), "{error}");
    assert!(error.to_string().contains("render0002.png"), "{error}");
    assert_eq!(
        fs::read_to_string(folder.join("render0002.png")).expect("there"),
        "somebody else's"
    );
    assert_eq!(names(folder), expected(0..3, "png"));
}

#[test]
fn a_failing_disk_keeps_what_is_written_and_leaves_no_hole() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut writer = FrameWriter::open(folder, FRAME, FrameFormat::Png).expect("opens");
    // A directory where the temporary file should be stands for a full disk.
    let part = folder.join(format!(".render0005.{}.part", std::process::id()));
    fs::create_dir(&part).expect("makes a directory");
    let mut refused = None;
    for n in 0..500 {
        if let Err(error) = writer.write(64, 64, picture(n, 64, 64)) {
            refused = Some(error);
            break;
        }
    }
    let refused = refused.expect("the writer says that it has stopped");
    assert!(refused.to_string().contains("render0005.png"), "{refused}");
    assert_eq!(writer.error(), Some(refused.clone()));
    // The other encoder may still be at work on the frame before: only the end
    // tells how many there are.
    assert_eq!(writer.finish(), Err(refused));
    fs::remove_dir(&part).expect("removes it");
    assert_eq!(names(folder), expected(0..5, "png"));
}

#[test]
fn a_folder_that_cannot_be_written_to_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a file");
    fs::write(&file, "").expect("writes");
    let error = FrameWriter::open(&file.join("frames"), FRAME, FrameFormat::Png)
        .err()
        .expect("refused");
    assert!(error.to_string().contains("a file"), "{error}");
    assert!(
        error.to_string().contains("choose another folder"),
        "{error}"
    );
    // Whoever may write anywhere (root) can still not write into /proc.
    if Path::new("/proc/self").exists() {
        let error = FrameWriter::open(Path::new("/proc/self"), FRAME, FrameFormat::Png)
            .err()
            .expect("refused");
        assert!(error.to_string().contains("/proc/self"), "{error}");
    }
}

#[test]
fn dropping_the_writer_still_writes_what_was_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = FrameWriter::open(folder.path(), FRAME, FrameFormat::Png).expect("opens");
    for n in 0..12 {
        writer
            .write(200, 100, picture(n, 200, 100))
            .expect("takes a frame");
    }
    drop(writer);
    assert_eq!(names(folder.path()), expected(0..12, "png"));
}

#[test]
fn a_picture_of_the_wrong_size_is_refused_and_takes_no_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = FrameWriter::open(folder.path(), FRAME, FrameFormat::Png).expect("opens");
    assert!(writer.write(4, 4, vec![0; 47]).is_err());
    assert!(writer.write(0, 4, vec![]).is_err());
    writer.write(4, 4, vec![0; 48]).expect("takes a frame");
    writer.finish().expect("written");
    assert_eq!(names(folder.path()), expected(0..1, "png"));
}

#[test]
fn at_any_moment_the_folder_is_without_holes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = FrameWriter::open(folder.path(), FRAME, FrameFormat::Png).expect("opens");
    // The first picture takes far longer than those that follow it.
    for n in 0..8 {
        let side = if n % 4 == 0 { 2000 } else { 2 };
        writer
            .write(side, side, picture(n, side, side))
            .expect("takes a frame");
    }
    writer.close();
    while !writer.is_done() {
        let mut present = names(folder.path());
        present.retain(|name| name.starts_with("render"));
        assert_eq!(present, expected(0..present.len() as u32, "png"));
    }
    assert_eq!(names(folder.path()), expected(0..8, "png"));
}

#[test]
fn frames_that_an_encoder_lost_are_missed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = FrameWriter::open(folder.path(), FRAME, FrameFormat::Png).expect("opens");
    writer.carry_scene_of(|| panic!("as a mistake in the program would"));
    writer.write(2, 1, vec![7; 6]).expect("is taken");
    let error = writer.finish().expect_err("the frame is not there");
    assert!(
        matches!(
            error,
            FrameError::Lost {
                written: 0,
                taken: 1,
                ..
            }
        ),
        "{error}"
    );
    let said = error.to_string();
    assert!(said.starts_with("0 of 1 frames are in "), "{said}");
}
