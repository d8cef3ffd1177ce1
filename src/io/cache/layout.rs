//! The layout of a cache: its header, a frame, and what a record begins with.

use crate::math::Pose;
use glam::Vec3;

/// The layout that is written, and the newest that is read.
pub const VERSION: u32 = 1;

/// Positions are written as multiples of this, so they are wrong by at most
/// half of it, a tenth of a hair's width: a power of two, so that what is read
/// is a float without another rounding. `[m]`
pub const QUANTUM: f64 = 1.0 / 131_072.0;

/// No strand has more vertices than this.
pub const MOST_VERTICES: usize = u16::MAX as usize;

pub(super) const MAGIC: [u8; 8] = *b"\x89LVLK\r\n\x1a";
pub(super) const MARK: [u8; 4] = *b"FRM\x1e";
/// Bytes before the header's body.
pub(super) const START: usize = 20;
/// Bytes of the body before the strands' vertices.
pub(super) const BODY: usize = 36;
/// Bytes of a record before its payload.
pub(super) const HEAD: usize = 24;
/// Bytes of a payload before its tables.
pub(super) const FIXED: usize = 40;
/// How the comment begins that says what a cache's scene is called.
const CALLED: &str = "# Scene: ";
/// Vertices of the head that are written like a strand.
pub(super) const RUN: usize = 32;

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

    /// Lets the scene's text begin with what the scene is called.
    pub fn call_scene(&mut self, name: &str) {
        let name: String = name.chars().filter(|c| !c.is_control()).collect();
        self.scene.insert_str(0, &format!("{CALLED}{name}\n"));
    }

    /// What the scene is called; none of one without a name.
    pub fn scene_name(&self) -> Option<&str> {
        let line = self.scene.lines().next()?;
        line.strip_prefix(CALLED).filter(|name| !name.is_empty())
    }

    /// Where the runs begin that the head's vertices are written in.
    pub(super) fn runs(&self) -> Vec<u32> {
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
pub(super) struct RecordHeader {
    pub number: u32,
    pub length: u64,
    pub sum: u32,
}

impl RecordHeader {
    pub fn bytes(&self) -> [u8; HEAD] {
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
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let mut from = ByteReader(bytes);
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
pub(super) struct ByteReader<'a>(pub &'a [u8]);

impl<'a> ByteReader<'a> {
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }
}
