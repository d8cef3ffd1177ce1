//! Little-endian numbers out of a file, never beyond its end.

use super::Fault;
use glam::Vec3;

/// The bytes of a file and how far they were read.
pub struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    /// From the beginning.
    pub fn new(all: &'a [u8]) -> Self {
        Self { all, at: 0 }
    }

    /// From byte `at`, which may lie behind the end.
    pub fn from(all: &'a [u8], at: usize) -> Self {
        Self { all, at }
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.all.len().saturating_sub(self.at)
    }

    /// The next `count` items of `size` bytes each; `what` they are is for the
    /// message.
    pub fn take(&mut self, count: usize, size: usize, what: &str) -> Result<&'a [u8], Fault> {
        let end = count
            .checked_mul(size)
            .and_then(|bytes| self.at.checked_add(bytes));
        match end.and_then(|end| Some((end, self.all.get(self.at..end)?))) {
            Some((end, bytes)) => {
                self.at = end;
                Ok(bytes)
            }
            None => Err(Fault::byte(
                self.at,
                format!(
                    "{count} {what} of {size} bytes are promised and only {} bytes are left; the \
                     file is cut off or damaged, fetch or export it again",
                    self.left()
                ),
            )),
        }
    }

    /// The next number.
    pub fn u32(&mut self, what: &str) -> Result<u32, Fault> {
        let bytes = self.take(1, 4, what)?;
        Ok(u32::from_le_bytes(four(bytes)))
    }

    /// The next real number.
    pub fn f32(&mut self, what: &str) -> Result<f32, Fault> {
        Ok(f32::from_bits(self.u32(what)?))
    }

    /// The next `count` real numbers.
    pub fn floats(&mut self, count: usize, what: &str) -> Result<Vec<f32>, Fault> {
        let bytes = self.take(count, 4, what)?;
        Ok(floats(bytes).collect())
    }
}

fn four(bytes: &[u8]) -> [u8; 4] {
    bytes.try_into().unwrap_or_default()
}

/// Real numbers, four bytes each.
pub fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes(four(b)))
}

/// Points out of items that begin with three reals and are `size` bytes long.
pub fn points(bytes: &[u8], size: usize) -> impl Iterator<Item = Vec3> {
    bytes.chunks_exact(size.max(12)).map(|item| {
        let mut c = floats(&item[..12]);
        let mut next = || c.next().unwrap_or(f32::NAN);
        Vec3::new(next(), next(), next())
    })
}

/// Appends reals.
pub fn put(out: &mut Vec<u8>, values: &[f32]) {
    for value in values {
        out.extend(value.to_le_bytes());
    }
}
