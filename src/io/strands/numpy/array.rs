//! One array as NumPy writes it (NumPy Enhancement Proposal 1): a magic word, a
//! Python dictionary of type, order and shape, and the numbers.

use crate::io::strands::{Fault, Values};
use half::f16;
use std::borrow::Cow;

/// How every array begins.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// The kind of an array's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Real, of 2, 4 or 8 bytes.
    Real,
    /// Whole, of 1, 2, 4 or 8 bytes.
    Signed,
    /// The same from 0.
    Unsigned,
}

/// Why an array cannot be read.
pub enum ArrayFault {
    /// It is none of numbers, which another array beside it may be.
    Other(Fault),
    /// It is cut off or damaged.
    CutOff(Fault),
}

impl From<ArrayFault> for Fault {
    fn from(fault: ArrayFault) -> Self {
        match fault {
            ArrayFault::Other(fault) | ArrayFault::CutOff(fault) => fault,
        }
    }
}

/// An array of numbers.
pub struct Array<'a> {
    /// What the archive calls it; empty for a file of one array.
    pub name: String,
    /// The kind of its numbers.
    pub number: Number,
    /// Bytes of each.
    size: usize,
    /// Whether the most significant byte comes first.
    big: bool,
    /// Whether the first index runs fastest.
    fortran: bool,
    /// How many there are along each index.
    pub shape: Vec<usize>,
    data: Cow<'a, [u8]>,
}

impl<'a> Array<'a> {
    /// The array in `bytes`; nothing is taken for granted of them.
    pub fn parse(name: &str, bytes: Cow<'a, [u8]>) -> Result<Self, ArrayFault> {
        let told = match name {
            "" => String::new(),
            name => format!("the array {name}: "),
        };
        let wrong = |what: &str| {
            ArrayFault::Other(Fault::whole(format!(
                "{told}{what}; save it again with numpy.save or numpy.savez"
            )))
        };
        let (start, length) = match bytes.get(..12) {
            Some([magic @ .., 1, _, a, b, _, _]) if magic == MAGIC => {
                (10, usize::from(u16::from_le_bytes([*a, *b])))
            }
            Some([magic @ .., 2 | 3, _, a, b, c, d]) if magic == MAGIC => {
                (12, u32::from_le_bytes([*a, *b, *c, *d]) as usize)
            }
            _ => return Err(wrong("it does not begin as an array of NumPy does")),
        };
        let header = start + length;
        let text = bytes.get(start..header);
        let text = text.and_then(|text| std::str::from_utf8(text).ok());
        let text = text.ok_or_else(|| wrong("its header is cut off or no text"))?;
        let descr = value_of(text, "descr").ok_or_else(|| wrong("its header names no type"))?;
        let (number, size, big) = kind(descr).map_err(|what| wrong(&what))?;
        let fortran = value_of(text, "fortran_order").is_some_and(|word| word.starts_with("True"));
        let shape = value_of(text, "shape").and_then(shape);
        let shape = shape.ok_or_else(|| wrong("its header names no shape"))?;
        let product = |bytes: usize, n: &usize| bytes.checked_mul(*n);
        let needed = shape.iter().try_fold(size, product);
        let left = bytes.len() - header;
        if needed.is_none_or(|needed| needed > left) {
            return Err(ArrayFault::CutOff(Fault::whole(format!(
                "{told}its shape {} promises more than the {left} bytes that are there; the file \
                 is cut off or damaged, fetch or save it again",
                shown(&shape)
            ))));
        }
        let data = match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[header..]),
            Cow::Owned(mut bytes) => Cow::Owned(bytes.split_off(header)),
        };
        Ok(Self {
            name: name.into(),
            number,
            size,
            big,
            fortran,
            shape,
            data,
        })
    }

    /// Name, shape and type, for people.
    pub fn told(&self) -> String {
        let kind = match self.number {
            Number::Real => "float",
            Number::Signed => "int",
            Number::Unsigned => "uint",
        };
        let name = match &self.name[..] {
            "" => "one array",
            name => name,
        };
        format!("{name} {} of {kind}{}", shown(&self.shape), 8 * self.size)
    }

    /// Numbers in it.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Where number `at`, counted with the last index fastest, stands in the data.
    fn place(&self, at: usize) -> usize {
        if !self.fortran {
            return at;
        }
        let (mut rest, mut place, mut index) = (at, 0, Vec::with_capacity(self.shape.len()));
        for n in self.shape.iter().rev() {
            index.push(rest % n);
            rest /= n;
        }
        for (i, n) in index.iter().zip(self.shape.iter().rev()) {
            place = place * n + i;
        }
        place
    }

    /// The bytes of number `at`, least significant first.
    fn bytes(&self, at: usize) -> [u8; 8] {
        let mut out = [0; 8];
        let start = self.place(at) * self.size;
        if let Some(bytes) = self.data.get(start..start + self.size) {
            out[..self.size].copy_from_slice(bytes);
        }
        if self.big {
            out[..self.size].reverse();
        }
        out
    }

    /// Number `at`, counted with the last index fastest.
    pub fn real(&self, at: usize) -> f64 {
        let bytes = self.bytes(at);
        let [a, b, c, d, ..] = bytes;
        match (self.number, self.size) {
            (Number::Real, 2) => f16::from_le_bytes([a, b]).to_f64(),
            (Number::Real, 4) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (Number::Real, _) => f64::from_le_bytes(bytes),
            _ => self.whole(at) as f64,
        }
    }

    /// Whole number `at`; those beyond 63 bits become the largest.
    pub fn whole(&self, at: usize) -> i64 {
        let bytes = self.bytes(at);
        let unsigned = u64::from_le_bytes(bytes);
        match self.number {
            Number::Unsigned => i64::try_from(unsigned).unwrap_or(i64::MAX),
            Number::Real => self.real(at) as i64,
            Number::Signed => {
                let unused = 64 - 8 * self.size as u32;
                (unsigned << unused).cast_signed() >> unused
            }
        }
    }

    /// All numbers as the values of a column.
    pub fn values(&self) -> Values {
        let all = 0..self.len();
        match (self.number, self.size) {
            (Number::Real, 8) => Values::F64(all.map(|i| self.real(i)).collect()),
            (Number::Real, _) => Values::F32(all.map(|i| self.real(i) as f32).collect()),
            (Number::Signed, 8) | (Number::Unsigned, 4 | 8) => {
                Values::I64(all.map(|i| self.whole(i)).collect())
            }
            _ => Values::I32(all.map(|i| self.whole(i) as i32).collect()),
        }
    }
}

/// A shape as Python writes it.
fn shown(shape: &[usize]) -> String {
    let counts: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("({})", counts.join(", "))
}

/// What stands behind the key of a dictionary.
fn value_of<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (_, rest) = text
        .split_once(&format!("'{key}'"))
        .or_else(|| text.split_once(&format!("\"{key}\"")))?;
    rest.trim_start()
        .strip_prefix(':')
        .map(|rest| rest.trim_start())
}

/// The kind of number that a type as `'<f4'` is, its bytes, and whether the most
/// significant comes first.
fn kind(descr: &str) -> Result<(Number, usize, bool), String> {
    let quote = |c: char| c == '\'' || c == '"';
    let Some(word) = descr.strip_prefix(quote) else {
        return Err("it has rows of several fields and not one array of numbers".into());
    };
    let word: &str = word.split(quote).next().unwrap_or_default();
    let mut letters = word.trim_start_matches(['<', '>', '=', '|']).chars();
    let number = match letters.next() {
        Some('f') => Some(Number::Real),
        Some('i') => Some(Number::Signed),
        Some('u') => Some(Number::Unsigned),
        Some('O') => {
            return Err("it holds Python objects, which only Python can read".into());
        }
        _ => None,
    };
    let size = letters.as_str().parse().ok();
    let known = number.zip(size).filter(|(number, size)| match number {
        Number::Real => [2, 4, 8].contains(size),
        _ => [1, 2, 4, 8].contains(size),
    });
    match known {
        Some((number, size)) => Ok((number, size, word.starts_with('>'))),
        None => {
            let word: String = word.chars().take(20).collect();
            Err(format!("its type \"{word}\" is no number"))
        }
    }
}

/// A shape as `(10, 100, 3)`.
fn shape(text: &str) -> Option<Vec<usize>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let counts = inside.split(',').map(str::trim);
    counts
        .filter(|count| !count.is_empty())
        .map(|count| count.trim_end_matches('L').parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(header: &str, data: &[u8]) -> Result<Array<'static>, Fault> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        Array::parse("", Cow::Owned(bytes)).map_err(Fault::from)
    }

    #[test]
    fn both_orders_and_all_types_are_the_same_numbers() {
        let header = |descr: &str, fortran: &str| {
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': (2, 3), }}\n")
        };
        let rows = [1.0f32, 2.0, 3.0, 4.0, 5.0, -6.5];
        let data: Vec<u8> = rows.iter().flat_map(|v| v.to_be_bytes()).collect();
        let plain = array(&header(">f4", "False"), &data).expect("reads");
        let columns = [0, 3, 1, 4, 2, 5].map(|i: usize| f16::from_f32(rows[i]).to_le_bytes());
        let turned = array(&header("<f2", "True"), columns.as_flattened()).expect("reads");
        for (at, wanted) in rows.iter().enumerate() {
            assert_eq!(plain.real(at) as f32, *wanted);
            assert_eq!(turned.real(at) as f32, *wanted);
        }
        let bytes = array(&header("|i1", "False"), &[1, 255, 3, 4, 128, 6]).expect("reads");
        let whole: Vec<i64> = (0..6).map(|i| bytes.whole(i)).collect();
        assert_eq!(whole, [1, -1, 3, 4, -128, 6]);
        assert_eq!(bytes.told(), "one array (2, 3) of int8");
    }

    #[test]
    fn what_is_no_array_of_numbers_is_refused() {
        for (header, wanted) in [
            (
                "{'descr': '|O', 'shape': (2,), }",
                "it holds Python objects",
            ),
            ("{'descr': '<c8', 'shape': (2,), }", "its type \"<c8\""),
            (
                "{'descr': [('x', '<f4')], 'shape': (2,), }",
                "several fields",
            ),
            ("{'descr': '<f4', 'shape': (2, }", "names no shape"),
            (
                "{'descr': '<f4', 'shape': (9999999999, 9999999999), }",
                "promises more than the 4 bytes",
            ),
        ] {
            let fault = array(header, &[0; 4]).err().expect("refused");
            assert!(fault.text.contains(wanted), "{}", fault.text);
        }
    }
}
