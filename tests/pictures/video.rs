//! make_video.sh: a whole video or no deleted frame.

use lovelock::io::{
    FrameFormat,
    frames::{FRAME, FrameWriter},
    video::{Take, VideoJob},
};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/make_video.sh");

fn which(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(tool))
        .find(|file| file.is_file())
}

/// Whether ffmpeg is here; its absence is a failure where all tools are wanted.
fn has_ffmpeg() -> bool {
    let found = which("ffmpeg").is_some() && which("bash").is_some();
    if !found {
        assert_ne!(
            std::env::var("REQUIRE_GL").as_deref(),
            Ok("1"),
            "ffmpeg and bash are required"
        );
        eprintln!("skipped: ffmpeg or bash is not installed");
    }
    found
}

/// A folder with a capture in `renders`.
struct Capture(TempDir);

impl Capture {
    fn new(count: u32, format: FrameFormat, size: [u32; 2]) -> Self {
        let capture = Self(tempfile::tempdir().expect("a folder"));
        capture.record(count, format, size);
        capture
    }

    fn record(&self, count: u32, format: FrameFormat, [width, height]: [u32; 2]) {
        let mut writer = FrameWriter::open(&self.frames(), FRAME, format).expect("opens");
        for n in 0..count {
            let pixel = |i: u32| [(i * 3 + n * 20) as u8, (i / 7) as u8, (n * 9) as u8];
            let rgb = (0..width * height).flat_map(pixel).collect();
            writer.write(width, height, rgb).expect("takes a frame");
        }
        writer.finish().expect("written");
    }

    fn frames(&self) -> PathBuf {
        self.0.path().join("renders")
    }

    fn video(&self) -> PathBuf {
        self.0.path().join("output.mp4")
    }

    fn count(&self) -> usize {
        fs::read_dir(self.frames()).expect("a folder").count()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(which("bash").expect("bash"));
        command.arg(SCRIPT).current_dir(self.0.path());
        command
    }

    fn run<const N: usize>(&self, arguments: [&str; N]) -> Output {
        self.command().args(arguments).output().expect("runs")
    }
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// Codec, pixel format, width, height and number of frames of a video.
fn probe(video: &Path) -> (String, String, u32, u32, u32) {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "v:0", "-count_frames"])
        .args(["-show_entries", "stream=codec_name,pix_fmt,width,height"])
        .args(["-show_entries", "stream=nb_read_frames", "-of", "json"])
        .arg(video)
        .output()
        .expect("ffprobe runs");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
    let stream = &json["streams"][0];
    let text = |key: &str| stream[key].as_str().unwrap_or_default().to_string();
    let number = |key: &str| stream[key].as_u64().unwrap_or_default() as u32;
    let frames = text("nb_read_frames").parse().unwrap_or_default();
    let (width, height) = (number("width"), number("height"));
    (text("codec_name"), text("pix_fmt"), width, height, frames)
}

#[test]
fn png_frames_become_a_video_and_are_then_deleted() {
    if !has_ffmpeg() {
        return;
    }
    let capture = Capture::new(12, FrameFormat::Png, [64, 48]);
    fs::write(capture.frames().join("screenshot0000.png"), "not a frame").expect("writes");
    fs::write(capture.frames().join("renders.txt"), "nor this").expect("writes");
    let output = capture.run([]);
    assert!(output.status.success(), "{}", said(&output));
    let (codec, pixels, width, height, frames) = probe(&capture.video());
    assert_eq!((codec.as_str(), pixels.as_str()), ("h264", "yuv420p"));
    assert_eq!((width, height, frames), (64, 48, 12));
    assert_eq!(capture.count(), 2, "only the frames are deleted");
    assert!(
        said(&output).contains("12 frames, 0.5 s"),
        "{}",
        said(&output)
    );
    // A second run has nothing to do and leaves the video alone.
    let again = capture.run([]);
    assert_eq!(again.status.code(), Some(1));
    assert!(said(&again).contains("no frames"), "{}", said(&again));
    assert_eq!(probe(&capture.video()).4, 12);
}

#[test]
fn bmp_odd_sizes_options_and_an_older_video() {
    if !has_ffmpeg() {
        return;
    }
    let capture = Capture::new(5, FrameFormat::Bmp, [51, 33]);
    let folder = capture.0.path().join("100% hair");
    fs::rename(capture.frames(), &folder).expect("renames");
    fs::write(capture.0.path().join("-b.mp4"), "an older one").expect("writes");
    let output = capture.run([
        "--keep",
        "--fps",
        "10",
        "--folder",
        "100% hair",
        "--output",
        "-b.mp4",
    ]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("replacing an older"),
        "{}",
        said(&output)
    );
    let (_, pixels, width, height, frames) = probe(&capture.0.path().join("-b.mp4"));
    assert_eq!((width, height, frames), (52, 34, 5));
    assert_eq!(pixels, "yuv420p");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 5);
}

/// The pixels of all frames of a video, grey alone.
fn grey(video: &Path) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-i"]).arg(video);
    command.args(["-f", "rawvideo", "-pix_fmt", "gray", "-"]);
    command.output().expect("ffmpeg runs").stdout
}

#[test]
fn transparent_frames_lie_over_black_as_in_the_windows_video() {
    if !has_ffmpeg() {
        return;
    }
    let capture = Capture::new(0, FrameFormat::Png, [8, 8]);
    let folder = capture.frames();
    let mut writer = FrameWriter::open(&folder, FRAME, FrameFormat::Png).expect("opens");
    for _ in 0..3 {
        // White throughout, covered more and more from left to right.
        let pixel = |i: u32| [255, 255, 255, (i % 64 * 4) as u8];
        let rgba = (0..64 * 48).flat_map(pixel).collect();
        writer.write(64, 48, rgba).expect("takes a frame");
    }
    writer.finish().expect("written");
    let output = capture.run(["--keep"]);
    assert!(output.status.success(), "{}", said(&output));
    let pixels = grey(&capture.video());
    assert_eq!(pixels.len(), 3 * 64 * 48);
    assert!(pixels[0] < 12 && (118..140).contains(&pixels[32]) && pixels[63] > 235);
    let take = Take::all(&folder).expect("frames");
    let mut job = VideoJob::start(take, 24, true).expect("starts");
    let begun = Instant::now();
    let video = loop {
        if let Some(outcome) = job.outcome() {
            break outcome.expect("a video");
        }
        assert!(begun.elapsed().as_secs() < 60, "waited in vain");
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(grey(&video.path), pixels);
}

#[test]
fn a_single_frame_and_numbers_that_do_not_begin_at_zero() {
    if !has_ffmpeg() {
        return;
    }
    let capture = Capture::new(0, FrameFormat::Png, [8, 8]);
    fs::write(capture.frames().join("render0008.png"), "").expect("writes");
    capture.record(1, FrameFormat::Png, [30, 20]);
    fs::remove_file(capture.frames().join("render0008.png")).expect("removes");
    let output = capture.run([]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(probe(&capture.video()).4, 1);
    assert_eq!(capture.count(), 0);
}

#[test]
fn recordings_of_two_sizes_make_one_video_of_the_first_size() {
    if !has_ffmpeg() {
        return;
    }
    let capture = Capture::new(3, FrameFormat::Png, [64, 48]);
    capture.record(3, FrameFormat::Png, [90, 31]);
    capture.record(3, FrameFormat::Png, [20, 10]);
    let output = capture.run([]);
    assert!(output.status.success(), "{}", said(&output));
    let (_, _, width, height, frames) = probe(&capture.video());
    assert_eq!((width, height, frames), (64, 48, 9));
}

#[test]
fn a_gap_is_named_and_nothing_is_deleted() {
    if !has_ffmpeg() {
        return;
    }
    let capture = Capture::new(12, FrameFormat::Png, [16, 16]);
    fs::remove_file(capture.frames().join("render0009.png")).expect("removes");
    let output = capture.run([]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("render0009.png is missing"),
        "{}",
        said(&output)
    );
    assert_eq!(capture.count(), 11);
    assert!(!capture.video().exists());
}

#[test]
fn mixed_formats_are_refused() {
    if !has_ffmpeg() {
        return;
    }
    let capture = Capture::new(3, FrameFormat::Png, [16, 16]);
    capture.record(2, FrameFormat::Bmp, [16, 16]);
    let output = capture.run([]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("3 png and 2 bmp"),
        "{}",
        said(&output)
    );
    assert_eq!(capture.count(), 5);
}

#[test]
fn a_broken_frame_deletes_nothing_and_leaves_no_half_video() {
    if !has_ffmpeg() {
        return;
    }
    for broken in ["render0000.png", "render0003.png", "render0005.png"] {
        for length in [0, 10, 200] {
            let capture = Capture::new(6, FrameFormat::Png, [16, 16]);
            let path = capture.frames().join(broken);
            let mut bytes = fs::read(&path).expect("a frame");
            bytes.truncate(length);
            fs::write(path, bytes).expect("writes");
            fs::write(capture.video(), "an older video").expect("writes");
            let output = capture.run([]);
            assert_eq!(output.status.code(), Some(1), "{}", said(&output));
            assert_eq!(capture.count(), 6);
            let video = fs::read_to_string(capture.video()).expect("still there");
            assert_eq!(video, "an older video");
            assert_eq!(fs::read_dir(capture.0.path()).expect("a folder").count(), 2);
        }
    }
}

#[test]
fn without_ffmpeg_it_says_how_to_get_it() {
    if which("bash").is_none() {
        return;
    }
    let capture = Capture::new(3, FrameFormat::Png, [16, 16]);
    // Everything but ffmpeg.
    let tools = tempfile::tempdir().expect("a folder");
    for tool in [
        "sort", "sed", "tr", "rm", "mv", "head", "tail", "awk", "cat",
    ] {
        let found = which(tool).expect("an ordinary tool");
        #[cfg(unix)]
        std::os::unix::fs::symlink(found, tools.path().join(tool)).expect("links");
        #[cfg(not(unix))]
        drop(found);
    }
    let output = capture
        .command()
        .env("PATH", OsStr::new(tools.path()))
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let said = said(&output);
    assert!(
        said.contains("ffmpeg is not installed") && said.contains("apt install ffmpeg"),
        "{said}"
    );
    assert_eq!(capture.count(), 3);
}

#[test]
fn wrong_usage_is_told_apart() {
    if which("bash").is_none() {
        return;
    }
    let capture = Capture::new(2, FrameFormat::Png, [16, 16]);
    for arguments in [["--fps", "0"], ["--fps", "fast"], ["--delete", "all"]] {
        let output = capture.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    }
    let output = capture.run(["--folder", "nowhere"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("nowhere"), "{}", said(&output));
    assert!(capture.run(["--help"]).status.success());
    assert_eq!(capture.count(), 2);
}
