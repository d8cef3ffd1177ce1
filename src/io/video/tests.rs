//! Frames become a video, or stay.

use super::*;
use crate::io::frames::FrameWriter;
use std::time::Instant;

fn record(folder: &Path, count: u32, channels: usize) {
    let mut writer = FrameWriter::open(folder, FRAME, FrameFormat::Png).expect("opens");
    for number in 0..count {
        let pixel = |i: u32| [(i + 9 * number) as u8, (i / 7) as u8, 90, (i * 3) as u8];
        let pixels = (0..64 * 48).flat_map(|i| pixel(i).into_iter().take(channels));
        writer.write(64, 48, pixels.collect()).expect("takes it");
    }
    writer.finish().expect("written");
}

fn outcome(mut job: VideoJob) -> Result<Video, VideoError> {
    let begun = Instant::now();
    loop {
        if let Some(outcome) = job.outcome() {
            return outcome;
        }
        assert!(begun.elapsed().as_secs() < 60, "waited in vain");
        thread::sleep(LOOK);
    }
}

#[test]
fn frames_are_found_and_gaps_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let none = Take::all(&folder.path().join("none"));
    assert!(matches!(none, Err(VideoError::None(_))));
    record(folder.path(), 4, 3);
    fs::write(folder.path().join("screenshot0000.png"), "no frame").expect("writes");
    fs::write(folder.path().join("render0.png"), "nor this").expect("writes");
    let take = Take::all(folder.path()).expect("frames");
    assert_eq!((take.first, take.count), (0, 4));
    fs::remove_file(folder.path().join("render0002.png")).expect("goes");
    let error = Take::all(folder.path()).expect_err("a gap");
    assert!(error.to_string().contains("render0002.png"), "{error}");
    fs::write(folder.path().join("render0002.bmp"), "another").expect("writes");
    let error = Take::all(folder.path()).expect_err("two kinds");
    assert!(matches!(error, VideoError::Mixed(_)), "{error}");
}

#[test]
fn a_video_is_made_beside_its_frames_and_replaces_nothing() {
    if ffmpeg().is_none() {
        eprintln!("skipped: ffmpeg is not installed");
        return;
    }
    for (channels, keep) in [(3, true), (4, false)] {
        let folder = tempfile::tempdir().expect("a folder");
        // A name that ffmpeg would read otherwise.
        let place = folder.path().join("50% off");
        record(&place, 10, channels);
        fs::write(place.join("video0000.mp4"), "older").expect("writes");
        let take = Take::all(&place).expect("frames");
        let job = VideoJob::start(take, 24, keep).expect("starts");
        let video = outcome(job).expect("a video");
        assert_eq!(video.path, place.join("video0001.mp4"));
        assert_eq!(video.frames, 10);
        assert!(fs::metadata(&video.path).expect("it is there").len() > 500);
        let older = fs::read_to_string(place.join("video0000.mp4")).expect("text");
        assert_eq!(older, "older");
        let files = fs::read_dir(&place).expect("a folder").count();
        assert_eq!(files, if keep { 12 } else { 2 }, "{channels} bytes a pixel");
    }
}

#[test]
fn what_fails_or_is_given_up_leaves_frames_and_no_halves() {
    if ffmpeg().is_none() {
        eprintln!("skipped: ffmpeg is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    record(folder.path(), 30, 3);
    let take = Take::all(folder.path()).expect("frames");
    let job = VideoJob::start(take.clone(), 24, false).expect("starts");
    job.cancel();
    assert_eq!(outcome(job), Err(VideoError::Cancelled));
    fs::write(folder.path().join("render0007.png"), "no picture").expect("writes");
    let job = VideoJob::start(take, 24, false).expect("starts");
    let error = outcome(job).expect_err("a broken frame");
    assert!(matches!(error, VideoError::Failed(_)), "{error}");
    let files = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files, 30, "all frames, and nothing else");
}

#[test]
fn a_video_that_lacks_frames_deletes_none() {
    let folder = tempfile::tempdir().expect("a folder");
    record(folder.path(), 12, 3);
    let take = Take::all(folder.path()).expect("frames");
    let empty = folder.path().join("render0005.png");
    fs::write(&empty, "").expect("writes");
    let error = Take::all(folder.path()).expect_err("an empty frame");
    assert!(
        matches!(&error, VideoError::Picture(path, _) if *path == empty.display().to_string()),
        "{error}"
    );
    // It may become empty later: ffmpeg ends there, and calls that success.
    let Some(ffmpeg) = ffmpeg() else {
        eprintln!("skipped: ffmpeg is not installed");
        return;
    };
    let (done, cancel) = (Arc::default(), AtomicBool::new(false));
    let outcome = make(&ffmpeg, &take, 24, false, &done, &cancel);
    assert_eq!(outcome, Err(VideoError::Short(5, 12)));
    let files = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files, 12, "all frames, and nothing else");
}
