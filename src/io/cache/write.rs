//! Writing a cache, frame by frame.

use super::{
    CacheError, Frame, Header, MOST_VERTICES, VERSION,
    layout::{HEAD, MAGIC, RecordHeader, START},
    pack, read,
};
use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
};

/// Writes a cache. Each frame goes to the system at once and whole, so a run
/// that is killed leaves all frames before.
pub struct Writer {
    path: PathBuf,
    file: File,
    header: Header,
    runs: Vec<u32>,
    frames: u32,
    bytes: u64,
    record: Vec<u8>,
}

impl Writer {
    /// Begins the cache `path`. A file that is there and holds anything is left alone.
    ///
    /// # Errors
    /// When there is such a file, it cannot be written, or a strand has more vertices
    /// than a cache can count.
    pub fn create(path: &Path, header: Header) -> Result<Self, CacheError> {
        check_free(path, false)?;
        Self::begin(path, header)
    }

    /// The same in place of a cache that was there before; any other file is left alone.
    ///
    /// # Errors
    /// Those of [`create`](Self::create), but for a cache that is there.
    pub fn replace(path: &Path, header: Header) -> Result<Self, CacheError> {
        check_free(path, true)?;
        Self::begin(path, header)
    }

    fn begin(path: &Path, header: Header) -> Result<Self, CacheError> {
        let bytes = body(&header).ok_or(CacheError::Unfit {
            path: path.into(),
            frame: 0,
            reason: "it holds strands of 1 to 65535 vertices, and up to 4 GB of them",
        })?;
        let fault = |error| fault(path, 0, &error);
        let mut file = File::create(path).map_err(fault)?;
        file.write_all(&bytes).map_err(fault)?;
        Ok(Self {
            path: path.into(),
            file,
            runs: header.runs(),
            header,
            frames: 0,
            bytes: bytes.len() as u64,
            record: Vec::new(),
        })
    }

    /// Appends a frame; `number` rises from frame to frame.
    ///
    /// # Errors
    /// When the hair is not that of the header or not finite, or the disk is
    /// full; the frames before are kept.
    pub fn write(&mut self, frame: &Frame) -> Result<(), CacheError> {
        let unfit = |reason| CacheError::Unfit {
            path: self.path.clone(),
            frame: frame.number,
            reason,
        };
        let (points, shape) = (frame.positions.len(), frame.shape.len());
        if points != self.header.points() {
            return Err(unfit("it has other hair than the frames before"));
        }
        if shape != 0 && shape != self.header.head_vertices as usize {
            return Err(unfit("it has another head than the frames before"));
        }
        let quantum = self.header.quantum;
        let encode = |points: &[_], starts: &[_]| {
            let packs = pack::encode(points, starts, quantum);
            packs.ok_or_else(|| unfit("a position is not finite, or farther than 16,777 km"))
        };
        let mut packs = encode(&frame.positions, &self.header.starts)?;
        if shape != 0 {
            packs.extend(encode(&frame.shape, &self.runs)?);
        }
        let record = &mut self.record;
        record.clear();
        record.resize(HEAD, 0);
        record.extend(frame.time.to_le_bytes());
        let (turn, place) = (frame.pose.rotation, frame.pose.translation);
        for value in turn.to_array().into_iter().chain(place.to_array()) {
            record.extend(value.to_le_bytes());
        }
        record.extend(u32::from(shape != 0).to_le_bytes());
        for pack in &packs {
            // A pack of 256 strands of 65535 vertices of 168 bits is 350 MB.
            record.extend((pack.len() as u32).to_le_bytes());
        }
        packs.iter().for_each(|pack| record.extend(pack));
        let payload = &record[HEAD..];
        let head = RecordHeader {
            number: frame.number,
            length: payload.len() as u64,
            sum: crc32fast::hash(payload),
        };
        record[..HEAD].copy_from_slice(&head.bytes());
        self.file
            .write_all(record)
            .map_err(|error| fault(&self.path, self.frames, &error))?;
        self.frames += 1;
        self.bytes += record.len() as u64;
        Ok(())
    }

    /// Frames written so far.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Waits until the disk has all of it.
    ///
    /// # Errors
    /// When it will not.
    pub fn finish(self) -> Result<(), CacheError> {
        let synced = self.file.sync_all();
        synced.map_err(|error| fault(&self.path, self.frames, &error))
    }
}

/// Refuses to write a cache where a file is that holds anything; one that is a cache may
/// be replaced (`overwrite`).
///
/// # Errors
/// When such a file is there.
pub fn check_free(path: &Path, overwrite: bool) -> Result<(), CacheError> {
    if path.metadata().map_or(0, |found| found.len()) == 0 {
        return Ok(());
    }
    match (read::is_cache(path), overwrite) {
        (true, true) => Ok(()),
        (true, false) => Err(CacheError::There { path: path.into() }),
        (false, _) => Err(CacheError::Taken { path: path.into() }),
    }
}

/// What is said where the cache `path` cannot be written on after so many `frames`.
fn fault(path: &Path, frames: u32, error: &std::io::Error) -> CacheError {
    let (path, reason) = (path.into(), crate::io::reason(error));
    match frames {
        0 => CacheError::Begin { path, reason },
        _ => CacheError::Write { path, reason },
    }
}

/// All that stands before the first record.
fn body(header: &Header) -> Option<Vec<u8>> {
    let strands = u32::try_from(header.strands()).ok()?;
    let mut body = Vec::new();
    body.extend(header.quantum.to_le_bytes());
    body.extend(header.fps.to_le_bytes());
    for value in [
        header.planned,
        header.groom,
        header.head,
        header.head_vertices,
        strands,
    ] {
        body.extend(value.to_le_bytes());
    }
    for ends in header.starts.windows(2) {
        let vertices = ends[1].checked_sub(ends[0])?;
        if vertices == 0 || vertices as usize > MOST_VERTICES {
            return None;
        }
        body.extend((vertices as u16).to_le_bytes());
    }
    body.extend(header.scene.as_bytes());
    let length = u32::try_from(body.len()).ok()?;
    let mut summed = Vec::with_capacity(START + body.len());
    summed.extend(VERSION.to_le_bytes());
    summed.extend(length.to_le_bytes());
    let mut sum = crc32fast::Hasher::new();
    sum.update(&summed);
    sum.update(&body);
    let mut out = MAGIC.to_vec();
    out.append(&mut summed);
    out.extend(sum.finalize().to_le_bytes());
    out.append(&mut body);
    Some(out)
}
