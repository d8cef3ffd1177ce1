//! Values that are one of their type, and lists of words.

use super::{super::Rep, CrateWriter, types};
use std::io::{self, Seek, Write};

impl<W: Write + Seek> CrateWriter<W> {
    /// A number of single precision.
    pub fn float(&mut self, value: f32) -> Rep {
        Rep::inlined(types::FLOAT, value.to_bits())
    }

    /// Two numbers of single precision, `float2`.
    ///
    /// # Errors
    /// Those of the file.
    pub fn pair(&mut self, values: [f32; 2]) -> io::Result<Rep> {
        let place = self.value(&values.map(f32::to_le_bytes).each_ref().map(|v| &v[..]))?;
        Ok(Rep::at(types::VEC2F, place))
    }

    /// A matrix, `matrix4d`: its rows, one after the other, for points that are rows before
    /// it.
    ///
    /// # Errors
    /// Those of the file.
    pub fn matrix(&mut self, rows: &[f64; 16]) -> io::Result<Rep> {
        let bytes: Vec<u8> = rows.iter().flat_map(|v| v.to_le_bytes()).collect();
        let place = self.value(&[&bytes])?;
        Ok(Rep::at(types::MATRIX4D, place))
    }

    /// Tokens, `token[]`.
    ///
    /// # Errors
    /// Those of the file.
    pub fn tokens(&mut self, words: &[&str]) -> io::Result<Rep> {
        let numbers = words.iter().map(|word| self.token_number(word));
        let bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
        self.array(types::TOKEN, words.len(), &bytes)
    }
}
