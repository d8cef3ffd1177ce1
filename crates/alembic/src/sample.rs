//! Values of a property at one time.

use crate::{Error, Pod};
use half::f16;

/// Bytes of the digest in front of a sample.
pub(crate) const DIGEST: usize = 16;

/// Values of a property at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Without the digest.
    pub(crate) bytes: &'a [u8],
    pub(crate) pod: Pod,
    pub(crate) at: u64,
}

impl<'a> Sample<'a> {
    /// Bytes that the sample has in the file.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    fn each<const N: usize>(&self) -> impl Iterator<Item = [u8; N]> + 'a {
        self.bytes.chunks_exact(N).map(|chunk| {
            let mut out = [0; N];
            out.copy_from_slice(chunk);
            out
        })
    }

    fn wrong(&self, wanted: &str) -> Error {
        let text = format!("there are {:?} where {wanted} are wanted", self.pod);
        Error::new(self.at, text)
    }

    /// Whole numbers.
    ///
    /// # Errors
    /// When the values are none.
    pub fn whole(&self) -> Result<Vec<i64>, Error> {
        Ok(match self.pod {
            Pod::Bool | Pod::U8 => self.each().map(|[b]| i64::from(b)).collect(),
            Pod::I8 => self.each().map(|[b]| i64::from(b as i8)).collect(),
            Pod::U16 => self
                .each()
                .map(|b| i64::from(u16::from_le_bytes(b)))
                .collect(),
            Pod::I16 => self
                .each()
                .map(|b| i64::from(i16::from_le_bytes(b)))
                .collect(),
            Pod::U32 => self
                .each()
                .map(|b| i64::from(u32::from_le_bytes(b)))
                .collect(),
            Pod::I32 => self
                .each()
                .map(|b| i64::from(i32::from_le_bytes(b)))
                .collect(),
            Pod::U64 => self.each().map(|b| u64::from_le_bytes(b) as i64).collect(),
            Pod::I64 => self.each().map(i64::from_le_bytes).collect(),
            _ => return Err(self.wrong("whole numbers")),
        })
    }

    /// Numbers of single precision; those of double precision are rounded.
    ///
    /// # Errors
    /// When the values are no such numbers.
    pub fn floats(&self) -> Result<Vec<f32>, Error> {
        Ok(match self.pod {
            Pod::F16 => self
                .each()
                .map(|b| f16::from_le_bytes(b).to_f32())
                .collect(),
            Pod::F32 => self.each().map(f32::from_le_bytes).collect(),
            Pod::F64 => self.each().map(|b| f64::from_le_bytes(b) as f32).collect(),
            _ => return Err(self.wrong("numbers")),
        })
    }

    /// Numbers of double precision.
    ///
    /// # Errors
    /// When the values are no such numbers.
    pub fn doubles(&self) -> Result<Vec<f64>, Error> {
        match self.pod {
            Pod::F64 => Ok(self.each().map(f64::from_le_bytes).collect()),
            _ => Ok(self.floats()?.into_iter().map(f64::from).collect()),
        }
    }

    /// Texts, each of which ends in a zero.
    ///
    /// # Errors
    /// When the values are none.
    pub fn texts(&self) -> Result<Vec<String>, Error> {
        if self.pod == Pod::WideText {
            let letters: Vec<u32> = self.each().map(u32::from_le_bytes).collect();
            let ended = letters.strip_suffix(&[0]).unwrap_or(&letters);
            let words = ended.split(|letter| *letter == 0);
            let letter = |c: &u32| char::from_u32(*c).unwrap_or('\u{fffd}');
            return Ok(match letters.is_empty() {
                true => Vec::new(),
                false => words
                    .map(|word| word.iter().map(letter).collect())
                    .collect(),
            });
        }
        if self.pod != Pod::Text {
            return Err(self.wrong("texts"));
        }
        if self.bytes.is_empty() {
            return Ok(Vec::new());
        }
        let ended = self.bytes.strip_suffix(&[0]).unwrap_or(self.bytes);
        let words = ended.split(|byte| *byte == 0);
        Ok(words
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect())
    }
}
