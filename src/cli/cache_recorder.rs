//! Caches on the command line: written beside a simulation, and played.

use super::usage::Usage;
use crate::{
    io::cache::{self, CacheError, Frame, Header, Reader, Writer},
    project::{
        built_scene::BuiltScene,
        cache_recorder::CacheRecorder,
        playback::{self, RecordedHair},
        scene::Scene,
    },
};
use std::{ops::RangeInclusive, path::Path, str::FromStr};

/// Frames on the command line: how many, or from which to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// So many from the first one on.
    Count(u32),
    /// Both included; without an end, all that are there.
    Part(u32, Option<u32>),
}

/// More frames than this are a slip of the pen.
const MOST: u32 = 1_000_000;

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|n: &u32| *n <= MOST);
        let span = match text.split_once("..") {
            None => number(text).filter(|n| *n > 0).map(Self::Count),
            Some((from, "")) => number(from).map(|from| Self::Part(from, None)),
            Some((from, to)) => number(from)
                .zip(number(to))
                .filter(|(from, to)| from <= to)
                .map(|(from, to)| Self::Part(from, Some(to))),
        };
        span.ok_or_else(|| {
            format!("give how many, 1 to {MOST}, or the first and the last, like 0..99")
        })
    }
}

/// Where a cache is written to.
pub struct CacheTarget<'a> {
    /// The file.
    pub path: &'a Path,
    /// Whether a cache that is there may be replaced.
    pub overwrite: bool,
    /// What the scene is called.
    pub scene_name: Option<String>,
}

impl CacheTarget<'_> {
    /// Refuses to replace what is there, unless it is a cache and that was asked for;
    /// `what` would do it, and `other` is where to export the old cache to instead.
    pub fn check(&self, what: &str, other: &Path) -> anyhow::Result<()> {
        match cache::check_free(self.path, self.overwrite) {
            Err(CacheError::There { .. }) => {
                let path = self.path.display();
                Err(Usage(format!(
                    "{what} would replace the cache {path}, which holds {}; say --overwrite to \
                     replace it, name another file to keep it, or export the hair in it: lovelock \
                     convert {path} {}",
                    held(self.path),
                    other.display()
                ))
                .into())
            }
            free => Ok(free?),
        }
    }

    /// Begins it.
    pub fn begin(&self, mut header: Header) -> Result<Writer, CacheError> {
        if let Some(name) = &self.scene_name {
            header.call_scene(name);
        }
        match self.overwrite {
            true => Writer::replace(self.path, header),
            false => Writer::create(self.path, header),
        }
    }

    /// Begins it with the hair of `stage` as it is now; so many `seconds` shall follow.
    pub fn record(
        &self,
        scene: &Scene,
        stage: &BuiltScene,
        seconds: f64,
    ) -> Result<CacheRecorder, CacheError> {
        let fps = f64::from(scene.capture.fps);
        // The pictures that `render --seconds` makes.
        let planned = ((seconds * fps).round() as u32).max(1);
        let create = |header| self.begin(header);
        CacheRecorder::begin(self.path, scene, stage, (planned, fps), create)
    }
}

/// What the cache `path` holds, in words: its frames, and what their scene is called.
fn held(path: &Path) -> String {
    let Ok(reader) = Reader::open(path) else {
        return "nothing that can be read, for its header is damaged".into();
    };
    let told = reader.told();
    let (frames, fault) = told.split_once("; ").unwrap_or((&told, ""));
    let name = reader.header().scene_name();
    let name = name.map_or_else(String::new, |name| format!(" of the scene {name}"));
    match fault {
        "" => format!("{frames}{name}"),
        fault => format!("{frames}{name} ({fault}; no run can go on from a cache)"),
    }
}

/// Waits until the disk has all of the cache `path`; returns what was written, in words.
pub fn finish(writer: Writer, path: &Path) -> anyhow::Result<String> {
    let (frames, bytes) = (writer.frames(), writer.bytes());
    writer.finish()?;
    let plural = if frames == 1 { "" } else { "s" };
    Ok(format!(
        "{}, {frames} frame{plural}, {:.1} MB, {:.0} kB each",
        path.display(),
        1e-6 * bytes as f64,
        1e-3 * bytes as f64 / f64::from(frames.max(1))
    ))
}

/// A cache, or a groom that moves, being drawn.
pub struct CacheFrames {
    reader: RecordedHair,
    frame: Frame,
}

impl CacheFrames {
    /// Opens what was recorded, and the scene of it.
    pub fn open(path: &Path) -> anyhow::Result<(Self, Scene)> {
        let (reader, scene) = playback::open(path, &Scene::default())?;
        if !reader.is_whole() {
            log::warn!("{}: {}", path.display(), reader.told());
        }
        let frame = Frame::default();
        Ok((Self { reader, frame }, scene))
    }

    /// Brings it onto `stage`, whose hair it must be.
    pub fn wear(&mut self, stage: &BuiltScene) -> anyhow::Result<()> {
        Ok(self.reader.wear(stage)?)
    }

    /// The frames that are meant by `span`; all without one.
    pub fn span(&self, span: Option<Span>) -> anyhow::Result<RangeInclusive<u32>> {
        let (first, last) = (self.reader.first(), self.reader.end().saturating_sub(1));
        let span = match span {
            None => first..=last,
            Some(Span::Count(count)) => first..=first.saturating_add(count - 1),
            Some(Span::Part(from, to)) => from..=to.unwrap_or(last.max(from)),
        };
        if *span.end() > last {
            return Err(Usage(format!(
                "{} holds {}, up to number {last}; ask for no more",
                self.reader.path().display(),
                self.reader.told()
            ))
            .into());
        }
        Ok(span)
    }

    /// Frames in a simulated second.
    pub fn fps(&self) -> f64 {
        self.reader.fps()
    }

    /// All frames, up to the last that is there.
    pub fn end(&self) -> u32 {
        self.reader.end()
    }

    /// The first frame that is there.
    pub fn first(&self) -> u32 {
        self.reader.first()
    }

    /// Reads one frame.
    pub fn frame(&mut self, number: u32) -> anyhow::Result<&Frame> {
        self.reader.read(number, &mut self.frame)?;
        Ok(&self.frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_frames_are_counts_or_both_ends() {
        assert_eq!("7".parse(), Ok(Span::Count(7)));
        assert_eq!("3..5".parse(), Ok(Span::Part(3, Some(5))));
        assert_eq!("3..".parse(), Ok(Span::Part(3, None)));
        assert_eq!("4..4".parse(), Ok(Span::Part(4, Some(4))));
        for wrong in [
            "", "0", "-1", "5..3", "..", "..4", "1..2..3", "1000001", "a",
        ] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong}");
        }
    }
}
