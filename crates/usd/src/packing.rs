//! Writing packages, `.usdz`: one layer, stored as it is.
//! <https://openusd.org/release/spec_usdz.html>

use rawzip::Crc32;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// What is in a package begins at multiples of it, so that it can be mapped to memory.
const ALIGNMENT: usize = 64;
/// A local header without name and padding.
const LOCAL: usize = 30;
/// What padding is called, by USD itself.
const PADDING: u16 = 0x1986;
/// 1 January 1980, as DOS has it: the same hair makes the same file.
const DATE: u16 = 1 << 5 | 1;
/// What a reader must know: directories and no more.
const NEEDED: u16 = 20;
/// Bytes that are read at a time for their checksum.
const PIECE: usize = 1 << 16;

/// Writes a package of one layer, which is written and sought in as if it were a file of
/// its own.
#[derive(Debug)]
pub struct PackageWriter<W> {
    out: W,
    /// Where the package begins in `out`.
    start: u64,
    name: String,
    /// Bytes before the layer.
    head: u64,
}

impl<W: Write + Seek> PackageWriter<W> {
    /// Begins a package whose layer has that name.
    ///
    /// # Errors
    /// Those of the file.
    pub fn new(mut out: W, name: &str) -> io::Result<Self> {
        let start = out.stream_position()?;
        let head = local_header(name, 0, 0);
        out.write_all(&head)?;
        Ok(Self {
            out,
            start,
            name: name.into(),
            head: head.len() as u64,
        })
    }

    /// Ends the package; what it was written to is left at its end.
    ///
    /// # Errors
    /// Those of the file, and where the layer is too large for a package.
    pub fn finish(mut self) -> io::Result<W>
    where
        W: Read,
    {
        let size = self.seek(SeekFrom::End(0))?;
        self.rewind()?;
        let mut sum = Crc32::new();
        let mut piece = vec![0; PIECE];
        loop {
            match self.out.read(&mut piece)? {
                0 => break,
                count => sum.update(&piece[..count]),
            }
        }
        let sum = sum.checksum();
        let whole = self.head + size;
        // Packages have no larger numbers, https://openusd.org/release/spec_usdz.html.
        let (Ok(size), Ok(whole)) = (u32::try_from(size), u32::try_from(whole)) else {
            return Err(io::Error::other(
                "a .usdz holds no more than 4 GiB; write .usdc",
            ));
        };
        self.out.seek(SeekFrom::Start(self.start))?;
        self.out.write_all(&local_header(&self.name, sum, size))?;
        self.out.seek(SeekFrom::End(0))?;
        let directory = directory(&self.name, sum, size, whole);
        self.out.write_all(&directory)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> Write for PackageWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Seek> Seek for PackageWriter<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let before = self.start + self.head;
        let to = match to {
            SeekFrom::Start(at) => SeekFrom::Start(before.saturating_add(at)),
            other => other,
        };
        let at = self.out.seek(to)?;
        at.checked_sub(before)
            .ok_or_else(|| io::Error::other("a place before the layer was sought"))
    }
}

/// What both headers of a file say: of what kind it is, when it was made, its checksum
/// and its size, packed and not.
fn told(sum: u32, size: u32) -> Vec<u8> {
    // Neither marks nor a way of packing, at the beginning of the day.
    let mut out = [NEEDED, 0, 0, 0, DATE].map(u16::to_le_bytes).concat();
    out.extend([sum, size, size].map(u32::to_le_bytes).as_flattened());
    out
}

/// The header before the layer, as long as its alignment wants.
fn local_header(name: &str, sum: u32, size: u32) -> Vec<u8> {
    let least = LOCAL + name.len() + 4;
    let padding = least.next_multiple_of(ALIGNMENT) - least;
    let mut out = b"PK\x03\x04".to_vec();
    out.extend(told(sum, size));
    let words = [name.len() as u16, padding as u16 + 4];
    out.extend(words.map(u16::to_le_bytes).as_flattened());
    out.extend(name.as_bytes());
    let words = [PADDING, padding as u16];
    out.extend(words.map(u16::to_le_bytes).as_flattened());
    out.resize(least + padding, 0);
    out
}

/// The list of files, of which there is one, that begins at `place`.
fn directory(name: &str, sum: u32, size: u32, place: u32) -> Vec<u8> {
    let mut out = b"PK\x01\x02".to_vec();
    out.extend(NEEDED.to_le_bytes());
    out.extend(told(sum, size));
    // No further field, no comment, the first disk, no attributes, at the beginning.
    out.extend((name.len() as u16).to_le_bytes());
    out.extend([0; 16]);
    out.extend(name.as_bytes());
    let length = out.len() as u32;
    out.extend(b"PK\x05\x06");
    let words = [0u16, 0, 1, 1];
    out.extend(words.map(u16::to_le_bytes).as_flattened());
    out.extend([length, place].map(u32::to_le_bytes).as_flattened());
    out.extend([0; 2]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Package;
    use std::io::Cursor;

    #[test]
    fn a_layer_stands_at_a_multiple_of_64_and_comes_back() {
        for name in [
            "hair.usdc",
            "a",
            &"n".repeat(30),
            &"n".repeat(31),
            &"n".repeat(94),
        ] {
            let mut package = PackageWriter::new(Cursor::new(Vec::new()), name).expect("begins");
            package.write_all(b".....the layer").expect("writes");
            package.rewind().expect("seeks");
            package.write_all(b"#usda").expect("writes");
            let bytes = package.finish().expect("ends").into_inner();
            let read = Package::open(&bytes).expect("opens");
            let layer = read.layer().expect("a layer");
            assert_eq!(layer, b"#usdathe layer", "{name}");
            let place = layer.as_ptr() as usize - bytes.as_ptr() as usize;
            assert_eq!(place % 64, 0, "{name}");
            assert_eq!(read.file(name), Some(layer));
            let archive = rawzip::ZipArchive::from_slice(&bytes).expect("a zip archive");
            let mut entries = archive.entries();
            let entry = entries.next_entry().expect("reads").expect("a file");
            let stored = archive.get_entry(entry.wayfinder()).expect("is there");
            assert_eq!(entry.crc32(), rawzip::crc32(stored.data()));
        }
    }
}
