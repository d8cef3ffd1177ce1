//! Reading a cache: its frames are found by their lengths, and read one by one.

use super::{
    CacheError, Frame, Header, VERSION,
    layout::{BODY, ByteReader, FIXED, HEAD, MAGIC, MARK, RUN, RecordHeader, START},
    pack::{self, PACK},
};
use crate::math::Pose;
use glam::{Quat, Vec3};
use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// Bytes that are looked through at once for the next good record.
const WINDOW: usize = 1 << 16;

/// Where a frame lies.
#[derive(Clone, Copy, Debug)]
struct Entry {
    head: RecordHeader,
    /// Where its payload begins.
    offset: u64,
}

/// An open cache. What is kept in memory is the header, a few bytes for each
/// frame, and one frame's record.
pub struct Reader {
    path: PathBuf,
    file: File,
    bytes: u64,
    header: Header,
    pub(super) runs: Vec<u32>,
    entries: Vec<Entry>,
    damaged: Vec<RangeInclusive<u32>>,
    cut: bool,
    record: Vec<u8>,
}

/// Whether a file begins as caches do.
pub fn is_cache(path: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok()) && magic == MAGIC
}

/// The text of the scene in the cache `path`; its frames are not looked for.
///
/// # Errors
/// When the file cannot be read, is no cache, or has a damaged header.
pub fn scene_text(path: &Path) -> Result<String, CacheError> {
    let (_, _, header) = open_file(path)?;
    Ok(header.scene)
}

/// Opens the file `path`: the file behind its header, its length, and the header.
fn open_file(path: &Path) -> Result<(File, u64, Header), CacheError> {
    let fault = |error| fault(path, &error);
    let mut file = File::open(path).map_err(fault)?;
    let bytes = file.metadata().map_err(fault)?.len();
    let header = read_header(path, &mut file, bytes)?;
    Ok((file, bytes, header))
}

/// What is said where the cache `path` cannot be read.
fn fault(path: &Path, error: &io::Error) -> CacheError {
    CacheError::Read {
        path: path.into(),
        reason: crate::io::reason(error),
    }
}

impl Reader {
    /// Opens the cache `path` and finds its frames; their contents are not read.
    /// Frames without a good beginning are left out and named by
    /// [`damaged`](Self::damaged).
    ///
    /// # Errors
    /// When the file cannot be read, is no cache, or has a damaged header.
    pub fn open(path: &Path) -> Result<Self, CacheError> {
        let (file, bytes, header) = open_file(path)?;
        let mut reader = Self {
            path: path.into(),
            runs: Vec::new(),
            file,
            bytes,
            header,
            entries: Vec::new(),
            damaged: Vec::new(),
            cut: false,
            record: Vec::new(),
        };
        let found = reader.find_frames();
        found.map_err(|error| fault(path, &error))?;
        Ok(reader)
    }

    /// What is true of all frames.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Frames that are there.
    pub fn whole(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The number of the last frame that is there, plus one.
    pub fn end(&self) -> u32 {
        let last = self.entries.last();
        last.map_or(0, |entry| entry.head.number.saturating_add(1))
    }

    /// The number of the first frame that is there.
    pub fn first(&self) -> u32 {
        self.entries.first().map_or(0, |entry| entry.head.number)
    }

    /// Frames that are missing between others, because their place in the file
    /// is damaged.
    pub fn damaged(&self) -> &[RangeInclusive<u32>] {
        &self.damaged
    }

    /// Whether the file ends within a record: the run was cut off.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// Whether all frames are there that the run was to have, and nothing else was seen to
    /// be damaged.
    pub fn is_whole(&self) -> bool {
        self.damaged.is_empty() && !self.is_cut_off()
    }

    /// Whether frames are missing at the end.
    fn is_cut_off(&self) -> bool {
        self.cut || self.end() < self.header.planned
    }

    /// Bytes that a frame takes, on average.
    pub fn frame_bytes(&self) -> u64 {
        let all: u64 = self.entries.iter().map(|e| e.head.length).sum();
        match self.entries.len() as u64 {
            0 => 0,
            frames => HEAD as u64 + all / frames,
        }
    }

    /// What is there, as a sentence's end: "240 of 480 frames; the rest was cut off".
    pub fn told(&self) -> String {
        let (whole, planned) = (self.whole(), self.header.planned);
        let plural = if planned.max(whole) == 1 { "" } else { "s" };
        let mut text = match planned > whole {
            true => format!("{whole} of {planned} frame{plural}"),
            false => format!("{whole} frame{plural}"),
        };
        if self.is_cut_off() {
            text += "; the rest was cut off";
        }
        if !self.damaged.is_empty() {
            let names: Vec<String> = self.damaged.iter().take(8).map(named).collect();
            let more = if self.damaged.len() > 8 {
                " and more"
            } else {
                ""
            };
            text += &format!("; damaged: {}{more}", names.join(", "));
        }
        text
    }

    /// Whether frame `number` is there.
    pub fn has(&self, number: u32) -> bool {
        self.entry(number).is_some()
    }

    /// The frame that is there and nearest to `number`, before it if possible.
    pub fn nearest(&self, number: u32) -> Option<u32> {
        let behind = self.entries.partition_point(|e| e.head.number <= number);
        let entry = self.entries.get(behind.saturating_sub(1));
        entry.map(|entry| entry.head.number)
    }

    fn entry(&self, number: u32) -> Option<Entry> {
        let found = self
            .entries
            .binary_search_by_key(&number, |entry| entry.head.number);
        found.ok().map(|index| self.entries[index])
    }

    /// Reads frame `number` into `frame`, whose memory is used again.
    ///
    /// # Errors
    /// When it is not there or damaged; the sentence names it.
    pub fn read(&mut self, number: u32, frame: &mut Frame) -> Result<(), CacheError> {
        self.load(number)?;
        let broken = |reason| CacheError::Frame {
            path: self.path.clone(),
            frame: number,
            reason,
        };
        frame.number = number;
        unpack(&self.record, &self.header, &mut self.runs, frame)
            .ok_or_else(|| broken("it does not hold the strands that the header names"))
    }

    /// Sees whether frame `number` is whole and unharmed.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn verify(&mut self, number: u32) -> Result<(), CacheError> {
        self.load(number)
    }

    /// Reads the record of a frame and checks it.
    fn load(&mut self, number: u32) -> Result<(), CacheError> {
        let missing = || CacheError::Missing {
            path: self.path.clone(),
            frame: number,
            held: self.told(),
        };
        let Entry { head, offset } = self.entry(number).ok_or_else(missing)?;
        let path = self.path.clone();
        let fault = |error: io::Error| CacheError::Read {
            path: path.clone(),
            reason: format!("frame {number}: {}", crate::io::reason(&error)),
        };
        // The length was seen to fit into the file.
        let length = usize::try_from(head.length).unwrap_or(usize::MAX);
        self.record.clear();
        let mut part = (&mut self.file).take(head.length);
        part.get_mut()
            .seek(SeekFrom::Start(offset))
            .map_err(fault)?;
        self.record
            .try_reserve_exact(length)
            .map_err(|_| fault(io::ErrorKind::OutOfMemory.into()))?;
        part.read_to_end(&mut self.record).map_err(fault)?;
        if self.record.len() != length || crc32fast::hash(&self.record) != head.sum {
            return Err(CacheError::Frame {
                path: self.path.clone(),
                frame: number,
                reason: "its checksum is wrong",
            });
        }
        Ok(())
    }

    /// Goes from record to record; where none begins, looks for the next.
    fn find_frames(&mut self) -> io::Result<()> {
        let mut at = self.file.stream_position()?;
        while at < self.bytes {
            let mut bytes = [0; HEAD];
            if self.bytes - at < HEAD as u64 {
                self.cut = true;
                break;
            }
            self.file.seek(SeekFrom::Start(at))?;
            self.file.read_exact(&mut bytes)?;
            let Some(head) = RecordHeader::of(&bytes) else {
                match self.find_head(at + 1)? {
                    Some(next) => at = next,
                    None => {
                        self.cut = true;
                        break;
                    }
                }
                continue;
            };
            let last = self.entries.last();
            if last.is_some_and(|last| last.head.number >= head.number) {
                at += HEAD as u64;
                continue;
            }
            let offset = at + HEAD as u64;
            if head.length > self.bytes - offset {
                self.cut = true;
                break;
            }
            let expected = self.end();
            if head.number > expected {
                self.damaged.push(expected..=head.number - 1);
            }
            self.entries.push(Entry { head, offset });
            at = offset + head.length;
        }
        Ok(())
    }

    /// Where the next good record begins, from `at` on.
    fn find_head(&mut self, mut at: u64) -> io::Result<Option<u64>> {
        let mut window = Vec::new();
        while at < self.bytes {
            self.file.seek(SeekFrom::Start(at))?;
            window.clear();
            (&mut self.file)
                .take(WINDOW as u64)
                .read_to_end(&mut window)?;
            let found = window
                .windows(HEAD)
                .position(|bytes| bytes[..4] == MARK && RecordHeader::of(bytes).is_some());
            if let Some(place) = found {
                return Ok(Some(at + place as u64));
            }
            if window.len() < WINDOW {
                break;
            }
            // A head may lie across the border.
            at += (WINDOW - HEAD + 1) as u64;
        }
        Ok(None)
    }
}

fn named(range: &RangeInclusive<u32>) -> String {
    match range.start() == range.end() {
        true => format!("frame {}", range.start()),
        false => format!("frames {} to {}", range.start(), range.end()),
    }
}

fn read_header(path: &Path, file: &mut File, bytes: u64) -> Result<Header, CacheError> {
    let foreign = || CacheError::Foreign { path: path.into() };
    let broken = |reason| CacheError::Header {
        path: path.into(),
        reason,
    };
    let mut start = [0; START];
    let fault = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => foreign(),
        _ => fault(path, &error),
    };
    file.read_exact(&mut start).map_err(fault)?;
    let mut from = ByteReader(&start);
    let cut_short = || broken("it is cut short");
    if from.take() != Some(MAGIC) {
        return Err(foreign());
    }
    let version = from.u32().ok_or_else(cut_short)?;
    let length = from.u32().ok_or_else(cut_short)?;
    let sum = from.u32().ok_or_else(cut_short)?;
    if version > VERSION {
        return Err(CacheError::Version {
            path: path.into(),
            found: version,
        });
    }
    if u64::from(length) > bytes.saturating_sub(START as u64) {
        return Err(cut_short());
    }
    let mut body = vec![0; length as usize];
    file.read_exact(&mut body).map_err(fault)?;
    let mut summed = crc32fast::Hasher::new();
    summed.update(&start[MAGIC.len()..MAGIC.len() + 8]);
    summed.update(&body);
    if summed.finalize() != sum {
        return Err(broken("its checksum is wrong"));
    }
    parse_body(&body).ok_or_else(|| broken("its numbers contradict one another"))
}

fn parse_body(body: &[u8]) -> Option<Header> {
    let mut from = ByteReader(body);
    let (quantum, fps) = (from.f64()?, from.f64()?);
    let [planned, groom, head, head_vertices] =
        [from.u32()?, from.u32()?, from.u32()?, from.u32()?];
    let strands = from.u32()? as usize;
    debug_assert_eq!(BODY, body.len() - from.0.len());
    let counts = from.bytes(strands.checked_mul(2)?)?;
    let mut starts = Vec::with_capacity(strands + 1);
    let mut end = 0u32;
    starts.push(end);
    for count in counts.chunks_exact(2) {
        let count = u16::from_le_bytes([count[0], count[1]]);
        end = end.checked_add(u32::from(count)).filter(|_| count > 0)?;
        starts.push(end);
    }
    let sane = quantum.is_finite() && quantum > 0.0 && fps.is_finite() && fps > 0.0;
    Some(Header {
        quantum,
        fps,
        planned,
        groom,
        head,
        head_vertices,
        starts,
        scene: String::from_utf8(from.0.to_vec()).ok()?,
    })
    .filter(|_| sane)
}

fn unpack(record: &[u8], header: &Header, runs: &mut Vec<u32>, frame: &mut Frame) -> Option<()> {
    let mut from = ByteReader(record);
    frame.time = from.f64()?;
    let mut numbers = [0.0; 7];
    for number in &mut numbers {
        *number = from.f32()?;
    }
    let [x, y, z, w, place @ ..] = numbers;
    frame.pose = Pose {
        rotation: Quat::from_xyzw(x, y, z, w),
        translation: Vec3::from_array(place),
    };
    let finite = frame.time.is_finite() && numbers.iter().all(|n| n.is_finite());
    let flags = from.u32()?;
    debug_assert_eq!(FIXED, record.len() - from.0.len());
    if !finite || flags > 1 {
        return None;
    }
    let shaped = flags == 1;
    let head = if shaped {
        header.head_vertices as usize
    } else {
        0
    };
    let tables = [
        header.strands().div_ceil(PACK),
        head.div_ceil(RUN).div_ceil(PACK),
    ];
    let mut lengths = Vec::new();
    let table = from.bytes(4 * (tables[0] + tables[1]))?;
    for length in table.chunks_exact(4) {
        lengths.push(u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize);
    }
    let mut all = Vec::with_capacity(lengths.len());
    for length in lengths {
        all.push(from.bytes(length)?);
    }
    if !from.0.is_empty() {
        return None;
    }
    let (strands, shape) = all.split_at(tables[0]);
    fill(
        strands,
        &header.starts,
        header.quantum,
        &mut frame.positions,
    )?;
    frame.shape.clear();
    if !shaped {
        return Some(());
    }
    // Nor for where they begin.
    if size(shape) < pack::least(head.div_ceil(RUN), head) {
        return None;
    }
    if runs.is_empty() {
        *runs = header.runs();
    }
    fill(shape, runs, header.quantum, &mut frame.shape)
}

fn size(packs: &[&[u8]]) -> u64 {
    packs.iter().map(|pack| pack.len() as u64).sum()
}

/// Unpacks what is big enough to be what it claims: memory is not taken for a
/// few bytes.
fn fill(packs: &[&[u8]], starts: &[u32], quantum: f64, points: &mut Vec<Vec3>) -> Option<()> {
    let count = starts.last().map_or(0, |end| *end as usize);
    if size(packs) < pack::least(starts.len().saturating_sub(1), count) {
        return None;
    }
    points.clear();
    points.resize(count, Vec3::ZERO);
    pack::decode(packs, starts, quantum, points)
}
