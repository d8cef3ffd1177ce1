//! Simulated hair in a file: what moved once, is drawn many times.
//!
//! A cache is written while a simulation runs and may be cut off anywhere: every
//! frame is a record of its own, with its length and its checksum, so all whole
//! frames before the cut are good. All numbers are little-endian.
//!
//! ```text
//! header   8 bytes  89 4C 56 4C 4B 0D 0A 1A ("\x89LVLK\r\n\x1a")
//!          u32      version, 1
//!          u32      length L of the body
//!          u32      CRC-32 of version, L and the body
//!          L bytes  body:
//!            f64    quantum: positions are multiples of it [m]
//!            f64    frames per simulated second
//!            u32    frames that the run was to have; 0 when it did not say
//!            u32    CRC-32 of the rest curves, see [`fingerprint`]
//!            u32    CRC-32 of the head's vertices
//!            u32    vertices of the head
//!            u32    strands
//!            u16    vertices, for each strand
//!            rest   the scene, as the text of a scene file (UTF-8)
//! record   4 bytes  46 52 4D 1E ("FRM\x1e")
//!          u32      number of the frame, rising
//!          u64      length of the payload
//!          u32      CRC-32 of the payload
//!          u32      CRC-32 of the 20 bytes before
//!          payload:
//!            f64    time [s]
//!            f32 x7 the head: quaternion x y z w, translation [m]
//!            u32    1 when the head's shape follows, 0 when it is as its mesh has it
//!            u32    for each 256 strands: bytes that they take
//!            u32    the same for each 256 runs of 32 vertices of the head
//!            strands, then runs, see `pack.rs`
//! ```

mod pack;
mod read;
mod write;

pub use read::{Reader, is_cache};
pub use write::Writer;

use crate::math::Pose;
use glam::Vec3;
use std::path::PathBuf;
use thiserror::Error;

/// The layout that is written, and the newest that is read.
pub const VERSION: u32 = 1;

/// Positions are written as multiples of this, so they are wrong by at most
/// half of it, a tenth of a hair's width: a power of two, so that what is read
/// is a float without another rounding. `[m]`
pub const QUANTUM: f64 = 1.0 / 131_072.0;

/// No strand has more vertices than this.
pub const MOST_VERTICES: usize = u16::MAX as usize;

const MAGIC: [u8; 8] = *b"\x89LVLK\r\n\x1a";
const MARK: [u8; 4] = *b"FRM\x1e";
/// Bytes before the header's body.
const START: usize = 20;
/// Bytes of the body before the strands' vertices.
const BODY: usize = 36;
/// Bytes of a record before its payload.
const HEAD: usize = 24;
/// Bytes of a payload before its tables.
const FIXED: usize = 40;
/// Vertices of the head that are written like a strand.
const RUN: usize = 32;

/// What is true of all frames of a cache.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Positions are multiples of it: off by half of it at most. `[m]`
    pub quantum: f64,
    /// Frames in a simulated second. `[1/s]`
    pub fps: f64,
    /// Frames that the run was to have; 0 when it did not say.
    pub planned: u32,
    /// [`fingerprint`] of the groom's rest curves.
    pub groom: u32,
    /// [`fingerprint`] of the head's vertices.
    pub head: u32,
    /// Vertices of the head.
    pub head_vertices: u32,
    /// Where each strand's vertices begin, and where the last one's end.
    pub starts: Vec<u32>,
    /// The scene, as the text of a scene file.
    pub scene: String,
}

impl Header {
    /// Strands in each frame.
    pub fn strands(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Vertices of all strands.
    pub fn points(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }

    /// Where the runs begin that the head's vertices are written in.
    fn runs(&self) -> Vec<u32> {
        let end = self.head_vertices;
        (0..end).step_by(RUN).chain([end]).collect()
    }
}

/// Hair and head at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its number, from 0.
    pub number: u32,
    /// Simulated time. `[s]`
    pub time: f64,
    /// Where the head is.
    pub pose: Pose,
    /// In the groom's order, in world space. `[m]`
    pub positions: Vec<Vec3>,
    /// The head's vertices in its own space; none while it is as its mesh has it. `[m]`
    pub shape: Vec<Vec3>,
}

/// Why a cache cannot be written or read; the text is one sentence.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The file cannot be read.
    #[error("cannot read the cache {}: {reason}", path.display())]
    Read {
        /// the cache
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
    /// The file cannot be written.
    #[error("cannot write the cache {}: {reason}; the frames before are kept", path.display())]
    Write {
        /// the cache
        path: PathBuf,
        /// the system's reason
        reason: String,
    },
    /// There is another file already.
    #[error("{} is there already and is no cache of hair; choose another name", path.display())]
    Taken {
        /// the file
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is no cache of hair; `lovelock simulate --cache FILE` writes one", path.display())]
    Foreign {
        /// the file
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error(
        "{} is a cache of version {found}, and only versions up to {VERSION} are known; use a newer lovelock",
        path.display()
    )]
    Version {
        /// the cache
        path: PathBuf,
        /// the version in the file
        found: u32,
    },
    /// The header is damaged.
    #[error("the header of the cache {} is damaged: {reason}; simulate it again", path.display())]
    Header {
        /// the cache
        path: PathBuf,
        /// what is wrong
        reason: &'static str,
    },
    /// No frame is whole.
    #[error("the cache {} holds no whole frame; simulate it again", path.display())]
    Empty {
        /// the cache
        path: PathBuf,
    },
    /// A frame is damaged.
    #[error("frame {frame} of the cache {} is damaged: {reason}; simulate it again, or leave that frame out", path.display())]
    Frame {
        /// the cache
        path: PathBuf,
        /// number of the frame
        frame: u32,
        /// what is wrong
        reason: &'static str,
    },
    /// There is no such frame.
    #[error("the cache {} has no whole frame {frame}; it holds {held}", path.display())]
    Missing {
        /// the cache
        path: PathBuf,
        /// what was asked for
        frame: u32,
        /// what there is, in words
        held: String,
    },
    /// The hair cannot be written.
    #[error("frame {frame} cannot go into the cache {}: {reason}", path.display())]
    Unfit {
        /// the cache
        path: PathBuf,
        /// number of the frame
        frame: u32,
        /// what is wrong
        reason: &'static str,
    },
}

/// A checksum of points, to tell one groom or head from another.
pub fn fingerprint(points: &[Vec3]) -> u32 {
    let mut hash = crc32fast::Hasher::new();
    for chunk in points.chunks(1024) {
        let bytes: Vec<u8> = chunk
            .iter()
            .flat_map(|p| p.to_array())
            .flat_map(f32::to_le_bytes)
            .collect();
        hash.update(&bytes);
    }
    hash.finalize()
}

/// What a record begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    number: u32,
    length: u64,
    sum: u32,
}

impl Head {
    fn bytes(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..4].copy_from_slice(&MARK);
        bytes[4..8].copy_from_slice(&self.number.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.length.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.sum.to_le_bytes());
        let own = crc32fast::hash(&bytes[..20]);
        bytes[20..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    /// None where no record begins.
    fn of(bytes: &[u8]) -> Option<Self> {
        let mut from = Source(bytes);
        let good = from.take::<4>()? == MARK;
        let head = Self {
            number: from.u32()?,
            length: u64::from_le_bytes(from.take()?),
            sum: from.u32()?,
        };
        let own = from.u32()?;
        (good && own == crc32fast::hash(&bytes[..20])).then_some(head)
    }
}

/// Numbers one after another.
struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    fn f64(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests;
