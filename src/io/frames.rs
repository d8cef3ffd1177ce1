//! Captured frames on their way to disk: `render0000.png`, `render0001.png`, ...
//!
//! Encoding costs more than drawing, so it happens on two threads behind a
//! short queue. A picture is written under a temporary name; the final name
//! appears only when the picture is whole and all earlier ones are there.
//! Whatever goes wrong, the folder therefore holds a run without gaps or
//! halves, and no file that was there before is touched.

mod encode;
mod error;

pub use error::FrameError;

use super::{
    FrameFormat, files::make_folder, numbered::number_after, picture_scene::PictureScene, reason,
};
use encode::encode;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
};

/// What frames of a capture are called, before their number.
pub const FRAME: &str = "render";

/// What single pictures are called, before their number.
pub const SCREENSHOT: &str = "screenshot";

/// Frames that wait for an encoder before [`FrameWriter::write`] blocks.
const QUEUE: usize = 8;

/// Encoder threads; two write over 400 frames of 1280 x 720 a second.
const ENCODERS: usize = 2;

/// How far the writing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FramesProgress {
    /// Frames that lie in the folder, whole.
    pub written: u32,
    /// Frames taken on but not yet in the folder.
    pub queued: u32,
}

/// One picture: RGB or, where it has transparent places, RGBA (straight alpha),
/// eight bits each, top row first.
struct Frame {
    number: u32,
    width: u32,
    height: u32,
    pixels: Vec<u8>,
    scene: Option<Arc<PictureScene>>,
}

/// What the encoder threads share.
struct Shared {
    folder: PathBuf,
    name: &'static str,
    format: FrameFormat,
    /// Whether files of the same name give way.
    replaces: bool,
    state: Mutex<State>,
}

struct State {
    progress: FramesProgress,
    /// Number of the frame that gets its final name next.
    next: u32,
    /// Encoded frames that wait for an earlier one.
    ready: BTreeMap<u32, PathBuf>,
    /// The first frame that failed, and why; nothing behind it is written.
    error: Option<(u32, FrameError)>,
}

/// Writes numbered frames into a folder, in the background.
pub struct FrameWriter {
    shared: Arc<Shared>,
    queue: Option<SyncSender<Frame>>,
    encoders: Vec<JoinHandle<()>>,
    first: u32,
    taken: u32,
    scene: Option<Arc<PictureScene>>,
}

impl FrameWriter {
    /// Opens `folder` for frames called `name` and a number; makes the folder
    /// if it is missing, and sees at once whether it can be written to.
    /// Numbering continues after the highest number present, whatever its
    /// format.
    pub fn open(
        folder: &Path,
        name: &'static str,
        format: FrameFormat,
    ) -> Result<Self, FrameError> {
        Self::start(folder, name, format, 0, false)
    }

    /// The same for frames whose numbers are given: counted from `first`, in
    /// place of what bears their names. So several machines can share the work,
    /// or do a part of it again.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_at(
        folder: &Path,
        name: &'static str,
        format: FrameFormat,
        first: u32,
    ) -> Result<Self, FrameError> {
        Self::start(folder, name, format, first, true)
    }

    /// As [`open`](Self::open), with its errors, for numbers from `least` on: those below
    /// it are of files that are still being written.
    pub fn open_after(
        folder: &Path,
        name: &'static str,
        format: FrameFormat,
        least: u32,
    ) -> Result<Self, FrameError> {
        Self::start(folder, name, format, least, false)
    }

    fn start(
        folder: &Path,
        name: &'static str,
        format: FrameFormat,
        first: u32,
        replaces: bool,
    ) -> Result<Self, FrameError> {
        let fault = |error: std::io::Error| FrameError::Folder {
            folder: folder.display().to_string(),
            reason: reason(&error),
        };
        make_folder(folder).map_err(fault)?;
        let first = match replaces {
            true => first,
            false => next_number(folder, name).map_err(fault)?.max(first),
        };
        // Better to hear of a read-only folder now than after the first frame.
        let probe = folder.join(format!(".{name}{first:04}.probe"));
        File::create(&probe).map_err(fault)?;
        fs::remove_file(&probe).map_err(fault)?;

        let shared = Arc::new(Shared {
            folder: folder.to_path_buf(),
            name,
            format,
            replaces,
            state: Mutex::new(State {
                progress: FramesProgress::default(),
                next: first,
                ready: BTreeMap::new(),
                error: None,
            }),
        });
        let (sender, receiver) = sync_channel(QUEUE);
        let receiver = Arc::new(Mutex::new(receiver));
        let mut encoders = Vec::new();
        for index in 0..ENCODERS {
            let (shared, receiver) = (shared.clone(), receiver.clone());
            let encoder = thread::Builder::new()
                .name(format!("frames-{index}"))
                .spawn(move || encode_all(&shared, &receiver))
                .map_err(fault)?;
            encoders.push(encoder);
        }
        Ok(Self {
            shared,
            queue: Some(sender),
            encoders,
            first,
            taken: 0,
            scene: None,
        })
    }

    /// Puts the text of a scene into the pictures from now on, as far as their format can
    /// carry it (PNG), or none.
    pub fn carry_scene(&mut self, text: Option<&str>) {
        let text = text.map(String::from);
        self.carry_scene_of(|| text);
    }

    /// The same of a text that the threads make which write it.
    pub fn carry_scene_of(&mut self, text: impl FnOnce() -> Option<String> + Send + 'static) {
        let carries = self.shared.format == FrameFormat::Png;
        self.scene = carries.then(|| Arc::new(PictureScene::new(text)));
    }

    /// Takes on one picture (RGB or, for PNG, RGBA with straight alpha; eight bits
    /// each, top row first) and returns where it will lie. Waits while the queue
    /// is full. An error of an earlier frame is returned here; from then on
    /// nothing is taken.
    pub fn write(
        &mut self,
        width: u32,
        height: u32,
        pixels: Vec<u8>,
    ) -> Result<PathBuf, FrameError> {
        let count = u64::from(width) * u64::from(height);
        let (wanted, got) = (3 * count, pixels.len() as u64);
        if count == 0 || ![wanted, 4 * count].contains(&got) {
            return Err(FrameError::Size {
                width,
                height,
                wanted,
                got,
            });
        }
        if got != wanted && self.shared.format == FrameFormat::Bmp {
            return Err(FrameError::Opaque);
        }
        let number = self.first + self.taken;
        {
            let mut state = self.shared.state();
            if let Some((_, error)) = &state.error {
                return Err(error.clone());
            }
            state.progress.queued += 1;
        }
        let frame = Frame {
            number,
            width,
            height,
            pixels,
            scene: self.scene.clone(),
        };
        let sent = self.queue.as_ref().map(|queue| queue.send(frame).is_ok());
        if sent != Some(true) {
            let path = self.shared.path(number);
            return Err(self.error().unwrap_or(FrameError::Write {
                path: path.display().to_string(),
                reason: "the writing threads have ended".into(),
            }));
        }
        self.taken += 1;
        Ok(self.shared.path(number))
    }

    /// Whether [`write`](Self::write) would take a picture without waiting.
    pub fn has_room(&self) -> bool {
        (self.progress().queued as usize) < QUEUE
    }

    /// The number of the first frame.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The format of the frames.
    pub fn format(&self) -> FrameFormat {
        self.shared.format
    }

    /// How far the writing is.
    pub fn progress(&self) -> FramesProgress {
        self.shared.state().progress
    }

    /// The error that stopped the writing, if any.
    pub fn error(&self) -> Option<FrameError> {
        let state = self.shared.state();
        state.error.as_ref().map(|(_, error)| error.clone())
    }

    /// The folder that frames go to.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// Takes no more pictures; those in the queue are still written.
    pub fn close(&mut self) {
        self.queue = None;
    }

    /// Whether [`close`](Self::close) was called and all is written.
    pub fn is_done(&self) -> bool {
        self.queue.is_none() && self.encoders.iter().all(JoinHandle::is_finished)
    }

    /// Waits until all frames taken are in the folder.
    ///
    /// # Errors
    /// When one is not: the first error, or how many are missing.
    pub fn finish(mut self) -> Result<FramesProgress, FrameError> {
        self.join();
        if let Some(error) = self.error() {
            return Err(error);
        }
        let progress = self.progress();
        match progress.written == self.taken {
            true => Ok(progress),
            false => Err(FrameError::Lost {
                folder: self.folder().display().to_string(),
                written: progress.written,
                taken: self.taken,
            }),
        }
    }

    fn join(&mut self) {
        self.queue = None;
        for encoder in self.encoders.drain(..) {
            if encoder.join().is_err() {
                log::error!("a frame encoder panicked");
            }
        }
        // Frames behind a hole that an error left never get their names.
        let mut state = self.shared.state();
        state.progress.queued = 0;
        for temporary in std::mem::take(&mut state.ready).values() {
            discard(temporary);
        }
    }
}

/// Frames that were taken are written, even when nobody waits for them.
impl Drop for FrameWriter {
    fn drop(&mut self) {
        self.join();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // The state is consistent between any two statements that could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, number: u32) -> PathBuf {
        let extension = self.format.name();
        self.folder
            .join(format!("{}{number:04}.{extension}", self.name))
    }

    fn temporary(&self, number: u32) -> PathBuf {
        // Another program may write into the same folder.
        let process = std::process::id();
        let name = format!(".{}{number:04}.{process}.part", self.name);
        self.folder.join(name)
    }
}

/// The life of an encoder thread.
fn encode_all(shared: &Shared, receiver: &Mutex<Receiver<Frame>>) {
    loop {
        let frame = receiver
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(frame) = frame else { return };
        let number = frame.number;
        let temporary = shared.temporary(number);
        let failed = shared.state().error.as_ref().map(|(number, _)| *number);
        let encoded = if failed.is_some_and(|failed| failed < number) {
            Err(None)
        } else {
            encode(shared.format, &temporary, &frame).map_err(Some)
        };
        let mut state = shared.state();
        match encoded {
            Ok(()) => {
                state.ready.insert(number, temporary);
            }
            Err(reason) => {
                state.progress.queued -= 1;
                discard(&temporary);
                if let Some(reason) = reason {
                    let path = shared.path(number).display().to_string();
                    state.fail(number, FrameError::Write { path, reason });
                }
            }
        }
        publish(shared, &mut state);
    }
}

impl State {
    /// Remembers the error unless an earlier frame has one, and gives up the
    /// encoded frames behind it.
    fn fail(&mut self, number: u32, error: FrameError) {
        if self.error.as_ref().is_none_or(|(first, _)| number < *first) {
            self.error = Some((number, error));
        }
        for temporary in self.ready.split_off(&number).values() {
            self.progress.queued -= 1;
            discard(temporary);
        }
    }
}

/// Gives encoded frames their names, in order, as far as there is no hole.
fn publish(shared: &Shared, state: &mut State) {
    while let Some(temporary) = state.ready.remove(&state.next) {
        let number = state.next;
        let path = shared.path(number);
        state.progress.queued -= 1;
        let named = match shared.replaces {
            true => fs::rename(&temporary, &path),
            false => name_file(&temporary, &path),
        };
        match named {
            Ok(()) => {
                state.progress.written += 1;
                state.next += 1;
            }
            Err(error) => {
                discard(&temporary);
                let path = path.display().to_string();
                let error = if error.kind() == ErrorKind::AlreadyExists {
                    FrameError::Taken { path }
                } else {
                    let reason = reason(&error);
                    FrameError::Write { path, reason }
                };
                state.fail(number, error);
            }
        }
    }
}

/// Renames without ever replacing a file.
fn name_file(temporary: &Path, path: &Path) -> std::io::Result<()> {
    // A hard link fails when the name is taken, in one step; a rename would
    // silently replace. Some file systems have no hard links.
    match fs::hard_link(temporary, path) {
        Ok(()) => fs::remove_file(temporary),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        Err(_) if path.try_exists()? => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(temporary, path),
    }
}

fn discard(temporary: &Path) {
    // It may not exist; either way nothing more can be done.
    let _ = fs::remove_file(temporary);
}

/// The number after the highest of frames called `name`, whatever their format.
fn next_number(folder: &Path, name: &str) -> std::io::Result<u32> {
    number_after(folder, name, |ending| {
        let mut known = FrameFormat::NAMES.iter();
        known.any(|known| ending.eq_ignore_ascii_case(known))
    })
}
