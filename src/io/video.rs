//! Frames joined into a video by ffmpeg, which runs beside the program.
//!
//! The same as `make_video.sh`, for those who record in the window: the video
//! appears under its name only when it is whole, no file gives way to it, and
//! frames go only after it has every one of them.

use super::{FrameFormat, frames::FRAME, numbered::number_after, reason};
use image::{ColorType, ImageDecoder as _, ImageReader};
use std::{
    env,
    ffi::OsStr,
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};
use thiserror::Error;

/// What a video is called, before its number.
const VIDEO: &str = "video";

/// Encoders of H.264, the best first.
const ENCODERS: [&str; 3] = ["libx264", "libopenh264", "h264_videotoolbox"];

/// One looks so often whether ffmpeg has ended.
const LOOK: Duration = Duration::from_millis(40);

/// No more of what ffmpeg complains of is told. `[characters]`
const COMPLAINT: usize = 300;

/// Why there is no video.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum VideoError {
    /// There is no ffmpeg.
    #[error(
        "ffmpeg is not installed: get it with sudo apt install ffmpeg (Debian, Ubuntu), sudo dnf \
         install ffmpeg (Fedora) or brew install ffmpeg (macOS), then try again; the frames stay"
    )]
    Missing,
    /// It cannot write H.264.
    #[error("this ffmpeg cannot write H.264; install one with libx264. The frames stay")]
    Encoder,
    /// No frames.
    #[error("there are no frames in {0}; record some first")]
    None(String),
    /// Frames of two formats.
    #[error(
        "the folder {0} has png and bmp frames; a video is made of one kind, so move the others away"
    )]
    Mixed(String),
    /// A frame is missing among the others.
    #[error("the frame {0} is missing; a video would jump there. The others stay")]
    Gap(String),
    /// A frame cannot be read.
    #[error("the frame {0} is no picture that can be read: {1}. The frames stay")]
    Picture(String, String),
    /// The folder cannot be read or written to.
    #[error("cannot make a video in {0}: {1}; the frames stay")]
    Folder(String, String),
    /// ffmpeg failed.
    #[error("ffmpeg failed: {0}. The frames stay")]
    Failed(String),
    /// Frames are missing from what ffmpeg made and called whole.
    #[error(
        "ffmpeg put {0} of {1} frames into the video; look for one that is no picture, or try \
         again. The frames stay"
    )]
    Short(u32, u32),
    /// It was given up.
    #[error("the video was given up; the frames stay")]
    Cancelled,
}

/// Frames that follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// Where they are.
    pub folder: PathBuf,
    /// Number of the first.
    pub first: u32,
    /// How many there are.
    pub count: u32,
    /// Their format.
    pub format: FrameFormat,
}

/// A finished video.
#[derive(Clone, Debug, PartialEq)]
pub struct Video {
    /// The file.
    pub path: PathBuf,
    /// Its frames.
    pub frames: u32,
    /// How long it is. `[s]`
    pub seconds: f64,
    /// Whether its frames are still there.
    pub kept: bool,
    /// Why some of the frames that were to go are still there; none where all went.
    pub undeleted: Option<String>,
}

/// A video that is being made. Dropping it gives it up.
pub struct VideoJob {
    count: u32,
    done: Arc<AtomicU32>,
    cancel: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<Video, VideoError>>>,
}

/// Where ffmpeg is; none where it is not installed.
pub fn ffmpeg() -> Option<PathBuf> {
    let name = format!("ffmpeg{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

impl Take {
    /// All frames in `folder`.
    ///
    /// # Errors
    /// When there are none, or they do not make one row.
    pub fn all(folder: &Path) -> Result<Self, VideoError> {
        let shown = folder.display().to_string();
        let failed = |error: std::io::Error| VideoError::Folder(shown.clone(), reason(&error));
        if !folder.is_dir() {
            return Err(VideoError::None(shown));
        }
        let mut found: Vec<(u32, FrameFormat)> = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            found.extend(frame(&name));
        }
        found.sort_unstable_by_key(|(number, _)| *number);
        let (Some(first), Some(last)) = (found.first(), found.last()) else {
            return Err(VideoError::None(shown));
        };
        let (first, format) = *first;
        if found.iter().any(|(_, other)| *other != format) {
            return Err(VideoError::Mixed(shown));
        }
        let take = Self {
            folder: folder.to_path_buf(),
            first,
            count: last.0 - first + 1,
            format,
        };
        take.check()?;
        Ok(take)
    }

    /// Sees whether all of them are there.
    ///
    /// # Errors
    /// The first that is missing or has nothing in it, or that none is there.
    fn check(&self) -> Result<(), VideoError> {
        match self.paths().find(|path| !path.is_file()) {
            Some(_) if !self.paths().any(|path| path.is_file()) => {
                return Err(VideoError::None(self.folder.display().to_string()));
            }
            Some(path) => return Err(VideoError::Gap(path.display().to_string())),
            None => {}
        }
        // There ffmpeg would end the video, and call it whole.
        let empty = |path: &PathBuf| fs::metadata(path).is_ok_and(|file| file.len() == 0);
        match self.paths().find(empty) {
            Some(path) => Err(VideoError::Picture(
                path.display().to_string(),
                "the file is empty".into(),
            )),
            None => Ok(()),
        }
    }

    fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let name = |number: u32| format!("{FRAME}{number:04}.{}", self.format.name());
        (self.first..self.first + self.count).map(move |number| self.folder.join(name(number)))
    }
}

/// The number and the format of a frame of that name.
fn frame(name: &OsStr) -> Option<(u32, FrameFormat)> {
    let (stem, extension) = name.to_str()?.rsplit_once('.')?;
    let digits = stem.strip_prefix(FRAME)?;
    let format = [FrameFormat::Png, FrameFormat::Bmp]
        .into_iter()
        .find(|format| format.name() == extension)?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 4 || digits.len() > 4 && !digits.starts_with('0'));
    plain.then(|| digits.parse().ok())?.map(|n| (n, format))
}

impl VideoJob {
    /// Begins a video of `take`, so many frames a second, beside its frames;
    /// unless they are to be kept, they go when it is whole.
    ///
    /// # Errors
    /// When there is no ffmpeg, a frame is missing, or the system gives no thread.
    pub fn start(take: Take, fps: u32, keep: bool) -> Result<Self, VideoError> {
        let ffmpeg = ffmpeg().ok_or(VideoError::Missing)?;
        take.check()?;
        let (done, cancel) = (Arc::<AtomicU32>::default(), Arc::<AtomicBool>::default());
        let (count, told) = (take.count, (done.clone(), cancel.clone()));
        let thread = thread::Builder::new()
            .name("video".into())
            .spawn(move || make(&ffmpeg, &take, fps, keep, &told.0, &told.1))
            .map_err(|error| VideoError::Failed(reason(&error)))?;
        Ok(Self {
            count,
            done,
            cancel,
            thread: Some(thread),
        })
    }

    /// Frames that are in the video, and how many there will be.
    pub fn progress(&self) -> [u32; 2] {
        [
            self.done.load(Ordering::Relaxed).min(self.count),
            self.count,
        ]
    }

    /// Gives it up; [`VideoJob::outcome`] says when it has ended.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// What has come of it, once, when it has ended.
    pub fn outcome(&mut self) -> Option<Result<Video, VideoError>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        let failed = |_| Err(VideoError::Failed("a fault of this program".into()));
        Some(thread.join().unwrap_or_else(failed))
    }
}

impl Drop for VideoJob {
    fn drop(&mut self) {
        self.cancel();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the thread of a video panicked");
        }
    }
}

/// A file that goes unless it was given its name.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // It may have its name by now.
        let _ = fs::remove_file(&self.0);
    }
}

fn make(
    ffmpeg: &Path,
    take: &Take,
    fps: u32,
    keep: bool,
    done: &Arc<AtomicU32>,
    cancel: &AtomicBool,
) -> Result<Video, VideoError> {
    let encoder = encoder(ffmpeg)?;
    let path = next_video(&take.folder)?;
    let part = Part(path.with_extension("mp4.part"));
    let mut child = command(ffmpeg, take, fps, encoder, &part.0)?
        .spawn()
        .map_err(|error| VideoError::Failed(reason(&error)))?;
    let told = child.stdout.take().map(|out| {
        let done = done.clone();
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let frame = line.strip_prefix("frame=").map(str::trim);
                if let Some(frame) = frame.and_then(|frame| frame.parse().ok()) {
                    done.store(frame, Ordering::Relaxed);
                }
            }
        })
    });
    let complaint = child.stderr.take().map(|mut errors| {
        thread::spawn(move || {
            let mut text = String::new();
            // Half of it is better than nothing.
            let _ = errors.read_to_string(&mut text);
            text
        })
    });
    let status = wait(&mut child, cancel);
    if let Some(thread) = told {
        // It has nothing to say.
        let _ = thread.join();
    }
    let complaint = complaint.and_then(|thread| thread.join().ok());
    let status = status?;
    let text = complaint.unwrap_or_default();
    let text: String = text.trim().chars().take(COMPLAINT).collect();
    // In place of a frame that it cannot read, ffmpeg may repeat the one before it and
    // call that success.
    if !text.is_empty() {
        return Err(VideoError::Failed(text));
    }
    if !status.success() {
        return Err(VideoError::Failed(status.to_string()));
    }
    // Only what is counted is believed.
    let found = done.load(Ordering::Relaxed);
    if found != take.count {
        return Err(VideoError::Short(found, take.count));
    }
    let failed = |error: std::io::Error| {
        VideoError::Folder(take.folder.display().to_string(), reason(&error))
    };
    fs::rename(&part.0, &path).map_err(failed)?;
    let mut undeleted = None;
    if !keep {
        for frame in take.paths() {
            if let Err(error) = fs::remove_file(&frame) {
                undeleted.get_or_insert(format!("{}: {}", frame.display(), reason(&error)));
            }
        }
    }
    Ok(Video {
        path,
        frames: take.count,
        seconds: f64::from(take.count) / f64::from(fps.max(1)),
        kept: keep,
        undeleted,
    })
}

/// Waits for ffmpeg's end, or brings it about.
fn wait(child: &mut Child, cancel: &AtomicBool) -> Result<std::process::ExitStatus, VideoError> {
    loop {
        if cancel.load(Ordering::Relaxed) {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
            return Err(VideoError::Cancelled);
        }
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) => thread::sleep(LOOK),
            Err(error) => return Err(VideoError::Failed(reason(&error))),
        }
    }
}

/// The best encoder that this ffmpeg has.
fn encoder(ffmpeg: &Path) -> Result<&'static str, VideoError> {
    let known = Command::new(ffmpeg)
        .args(["-hide_banner", "-encoders"])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| VideoError::Failed(reason(&error)))?;
    let known = String::from_utf8_lossy(&known.stdout).into_owned();
    let words: Vec<&str> = known.split_whitespace().collect();
    let best = ENCODERS.into_iter().find(|name| words.contains(name));
    best.ok_or(VideoError::Encoder)
}

/// `video0000.mp4`, or the first number after those that are there.
fn next_video(folder: &Path) -> Result<PathBuf, VideoError> {
    let failed =
        |error: std::io::Error| VideoError::Folder(folder.display().to_string(), reason(&error));
    let next = number_after(folder, VIDEO, |_| true).map_err(failed)?;
    Ok(folder.join(format!("{VIDEO}{next:04}.mp4")))
}

/// The call of ffmpeg: frames of another size are fitted into the first one's,
/// and what is transparent lies over black, for a video has no transparency.
fn command(
    ffmpeg: &Path,
    take: &Take,
    fps: u32,
    encoder: &str,
    to: &Path,
) -> Result<Command, VideoError> {
    let (width, height, alpha) = look(take)?;
    let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
    let over_black = if alpha { "premultiply=inplace=1," } else { "" };
    let filter = format!(
        "{over_black}scale='min(iw,{width})':'min(ih,{height})':\
         force_original_aspect_ratio=decrease,pad={width}:{height}:(ow-iw)/2:(oh-ih)/2,setsar=1,\
         scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
    );
    // In the pattern of file names a percent sign stands for the number.
    let folder = take.folder.display().to_string().replace('%', "%%");
    let pattern = format!("{FRAME}%04d.{}", take.format.name());
    // A relative name that begins with a dash would be taken for an option.
    let frames = Path::new(".").join(folder).join(pattern);
    let mut command = Command::new(ffmpeg);
    command
        .args([
            "-hide_banner",
            "-loglevel",
            "error",
            "-xerror",
            "-nostdin",
            "-y",
        ])
        .args(["-nostats", "-progress", "pipe:1"])
        .args(["-framerate", &fps.max(1).to_string()])
        .args(["-start_number", &take.first.to_string()])
        .arg("-i")
        .arg(frames)
        .args(["-frames:v", &take.count.to_string()])
        .args(["-vf", &filter, "-c:v", encoder]);
    match encoder {
        "libx264" => command.args(["-crf", "17", "-preset", "medium"]),
        _ => command.args(["-b:v", "12M"]),
    };
    command
        .args(["-colorspace", "bt709", "-color_primaries", "bt709"])
        .args(["-color_trc", "iec61966-2-1"])
        .args(["-movflags", "+faststart", "-f", "mp4"])
        .arg(Path::new(".").join(to))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

/// Width and height of the first frame, and whether it has transparent places.
fn look(take: &Take) -> Result<(u32, u32, bool), VideoError> {
    let Some(path) = take.paths().next() else {
        return Err(VideoError::None(take.folder.display().to_string()));
    };
    let failed = |why: String| VideoError::Picture(path.display().to_string(), why);
    let reader = ImageReader::open(&path).map_err(|error| failed(reason(&error)))?;
    let decoder = reader
        .into_decoder()
        .map_err(|error| failed(error.to_string()))?;
    let (width, height) = decoder.dimensions();
    Ok((width, height, decoder.color_type() == ColorType::Rgba8))
}

#[cfg(test)]
mod tests;
