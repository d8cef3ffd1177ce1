//! The sections of a crate file, and what of it may still be decoded.

use super::{Rep, integers, lz4};
use crate::UsdError;
use std::cell::Cell;

/// Bytes of the header.
pub const HEADER: usize = 88;
/// The tables of a file are no more than so many times the file, and so much more.
const TABLES: usize = 32;
/// Its values are no more than so many times the file, and so much more.
const VALUES: usize = 16;
const MORE: usize = 1 << 16;

/// A crate file in memory: its tables, and room for its values.
#[derive(Debug)]
pub struct CrateFile<'a> {
    pub bytes: &'a [u8],
    pub version: [u8; 3],
    tokens: Vec<u8>,
    /// Where each token begins, and one more: the end. A zero ends each.
    starts: Vec<u32>,
    strings: Vec<u32>,
    /// Token and value of each field.
    pub fields: Vec<(u32, Rep)>,
    /// Numbers of fields; one that is out of range ends a set.
    pub sets: Vec<u32>,
    /// How many more bytes of tables are made.
    tables: Cell<usize>,
    /// How many more bytes of values are decoded.
    values: Cell<usize>,
    sections: Vec<(Vec<u8>, &'a [u8], usize)>,
}

/// A part of a file that is read from front to back.
pub struct Cursor<'a> {
    pub bytes: &'a [u8],
    /// Where in the file it begins.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn take(&mut self, size: usize) -> Result<&'a [u8], UsdError> {
        let (own, rest) = self.bytes.split_at_checked(size).ok_or_else(|| {
            let left = self.bytes.len();
            UsdError::byte(
                self.at,
                format!(
                    "{size} bytes are promised and {left} are left; the file is damaged or cut off"
                ),
            )
        })?;
        self.bytes = rest;
        self.at += size;
        Ok(own)
    }

    pub fn u32(&mut self) -> Result<u32, UsdError> {
        let mut out = [0; 4];
        out.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(out))
    }

    pub fn u64(&mut self) -> Result<u64, UsdError> {
        let mut out = [0; 8];
        out.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(out))
    }

    /// A size that memory can have.
    pub fn size(&mut self) -> Result<usize, UsdError> {
        Ok(usize::try_from(self.u64()?).unwrap_or(usize::MAX))
    }

    /// What has its size in front of it.
    pub fn sized(&mut self) -> Result<&'a [u8], UsdError> {
        let size = self.size()?;
        self.take(size)
    }

    pub fn damaged(&self, what: &str) -> UsdError {
        UsdError::byte(self.at, format!("{what}; the file is damaged or cut off"))
    }
}

/// So many times the file, and a little more for small ones. `[bytes]`
fn room(file: &[u8], times: usize) -> usize {
    file.len().saturating_mul(times).saturating_add(MORE)
}

fn spend(room: &Cell<usize>, bytes: usize) -> Result<(), UsdError> {
    let left = room.get().checked_sub(bytes).ok_or_else(|| {
        UsdError::whole("it names the same bytes too many times; the file is damaged")
    })?;
    room.set(left);
    Ok(())
}

impl<'a> CrateFile<'a> {
    /// The tables of the file in `bytes`.
    pub fn open(bytes: &'a [u8]) -> Result<Self, UsdError> {
        let header = bytes
            .get(..HEADER)
            .ok_or_else(|| UsdError::whole("it ends in its header"))?;
        let version = [header[8], header[9], header[10]];
        if version[0] != 0 || !(4..=13).contains(&version[1]) {
            let [major, minor, patch] = version;
            return Err(UsdError::byte(
                8,
                format!(
                    "its version is {major}.{minor}.{patch}, and 0.4 to 0.13 are read; write it \
                     as text, `usdcat in.usdc -o out.usda`"
                ),
            ));
        }
        let mut file = Self {
            bytes,
            version,
            tokens: Vec::new(),
            starts: Vec::new(),
            strings: Vec::new(),
            fields: Vec::new(),
            sets: Vec::new(),
            tables: Cell::new(room(bytes, TABLES)),
            values: Cell::new(room(bytes, VALUES)),
            sections: Vec::new(),
        };
        let mut header = file.cursor(16)?;
        let mut table = file.cursor(header.u64()?)?;
        let count = table.size()?;
        if count > table.bytes.len() / 32 {
            return Err(table.damaged("its table of sections has no end"));
        }
        for _ in 0..count {
            let name = table.take(16)?;
            let name = name.split(|c| *c == 0).next().unwrap_or_default();
            let start = table.u64()?;
            let size = table.size()?;
            let mut section = file.cursor(start)?;
            let at = section.at;
            file.sections.push((name.to_vec(), section.take(size)?, at));
        }
        file.read_tokens()?;
        file.read_strings()?;
        file.read_fields()?;
        let mut sets = file.section(b"FIELDSETS")?;
        let count = sets.size()?;
        file.sets = file.integers(&mut sets, count)?.map(|v| v as u32).collect();
        Ok(file)
    }

    /// What begins at that place.
    pub fn cursor(&self, place: u64) -> Result<Cursor<'a>, UsdError> {
        let at = usize::try_from(place).unwrap_or(usize::MAX);
        let bytes = self.bytes.get(at..).ok_or_else(|| {
            UsdError::whole("a part of it lies beyond its end; the file is damaged or cut off")
        })?;
        Ok(Cursor { bytes, at })
    }

    /// The section of that name.
    pub fn section(&self, name: &[u8]) -> Result<Cursor<'a>, UsdError> {
        let found = self.sections.iter().find(|(known, ..)| known == name);
        let (_, bytes, at) = found.ok_or_else(|| {
            let name = String::from_utf8_lossy(name);
            UsdError::whole(format!(
                "it has no section {name}; the file is damaged or cut off"
            ))
        })?;
        Ok(Cursor { bytes, at: *at })
    }

    /// Allows as many bytes of values as at first.
    pub fn renew_bound(&self) {
        self.values.set(room(self.bytes, VALUES));
    }

    /// Notes that so many bytes of values are decoded.
    pub fn spend_on_values(&self, bytes: usize) -> Result<(), UsdError> {
        spend(&self.values, bytes)
    }

    /// Notes that so many bytes of tables are made.
    pub fn spend_on_tables(&self, bytes: usize) -> Result<(), UsdError> {
        spend(&self.tables, bytes)
    }

    /// Compressed numbers of a table.
    pub fn integers(
        &self,
        section: &mut Cursor<'a>,
        count: usize,
    ) -> Result<impl Iterator<Item = i64> + use<'a>, UsdError> {
        spend(&self.tables, count.saturating_mul(4))?;
        let bytes = section.sized()?;
        let numbers = integers::read(bytes, count, false);
        numbers
            .map(Vec::into_iter)
            .ok_or_else(|| section.damaged("a list of numbers cannot be unpacked"))
    }

    fn read_tokens(&mut self) -> Result<(), UsdError> {
        let mut section = self.section(b"TOKENS")?;
        let count = section.size()?;
        let size = section.size()?.min(u32::MAX as usize);
        spend(&self.tables, size)?;
        let bytes = section.sized()?;
        self.tokens = lz4::decompress(bytes, size)
            .ok_or_else(|| section.damaged("its words cannot be unpacked"))?;
        let ends = self.tokens.iter().enumerate().filter(|(_, c)| **c == 0);
        let starts = ends.map(|(end, _)| end as u32 + 1);
        self.starts = std::iter::once(0).chain(starts).collect();
        match self.starts.len() > count {
            true => Ok(()),
            false => Err(section.damaged("it has fewer words than it promises")),
        }
    }

    fn read_strings(&mut self) -> Result<(), UsdError> {
        let mut section = self.section(b"STRINGS")?;
        let count = section.size()?;
        let all = section.take(count.saturating_mul(4))?;
        let number = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        self.strings = all.chunks_exact(4).map(number).collect();
        Ok(())
    }

    fn read_fields(&mut self) -> Result<(), UsdError> {
        let mut section = self.section(b"FIELDS")?;
        let count = section.size()?;
        let tokens = self.integers(&mut section, count)?;
        let size = count.saturating_mul(8);
        spend(&self.tables, size)?;
        let reps = lz4::decompress(section.sized()?, size);
        let reps = reps.filter(|reps| reps.len() == size);
        let reps = reps.ok_or_else(|| section.damaged("its fields cannot be unpacked"))?;
        let reps = reps.chunks_exact(8).map(|b| {
            let mut out = [0; 8];
            out.copy_from_slice(b);
            Rep(u64::from_le_bytes(out))
        });
        self.fields = tokens.map(|token| token as u32).zip(reps).collect();
        Ok(())
    }

    /// The token of that number; empty where there is none.
    pub fn token(&self, index: u32) -> String {
        let index = index as usize;
        let span = self.starts.get(index).zip(self.starts.get(index + 1));
        let bytes = span.and_then(|(from, to)| {
            self.tokens
                .get(*from as usize..(*to as usize).saturating_sub(1))
        });
        String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
    }

    /// The string of that number; empty where there is none.
    pub fn string(&self, index: u32) -> String {
        let token = self.strings.get(index as usize);
        token.map_or_else(String::new, |token| self.token(*token))
    }

    /// The fields of the set that begins there, each with its name.
    pub fn set(&self, start: u32) -> Result<Vec<(String, Rep)>, UsdError> {
        let rest = self.sets.get(start as usize..).unwrap_or_default();
        let mut out = Vec::new();
        for index in rest {
            let Some((token, rep)) = self.fields.get(*index as usize) else {
                break;
            };
            let name = self.token(*token);
            // One set may serve many specs.
            self.spend_on_tables(16 + name.len())?;
            out.push((name, *rep));
        }
        Ok(out)
    }
}
