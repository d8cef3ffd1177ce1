//! What a PLY file is made of: its header, and numbers behind it.

use crate::io::strands::{Fault, text};

/// How a number is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Type {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// A number of so many bytes, least significant first.
    fn value(self, bytes: [u8; 8]) -> f64 {
        let [a, b, c, d, ..] = bytes;
        match self {
            Self::I8 => f64::from(a as i8),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_le_bytes([a, b])),
            Self::U16 => f64::from(u16::from_le_bytes([a, b])),
            Self::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Self::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Self::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Self::F64 => f64::from_le_bytes(bytes),
        }
    }

    /// The largest value of a colour.
    pub fn white(self) -> f32 {
        match self {
            Self::U8 => 255.0,
            Self::U16 => 65535.0,
            _ => 1.0,
        }
    }
}

pub struct Property {
    pub name: Vec<u8>,
    /// The type of a list's length; none where it is no list.
    pub list: Option<Type>,
    pub kind: Type,
}

pub struct Element {
    pub name: Vec<u8>,
    pub count: usize,
    pub properties: Vec<Property>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Coding {
    Text,
    Little,
    Big,
}

/// What is behind the header.
pub struct Body<'a> {
    bytes: &'a [u8],
    at: usize,
    coding: Coding,
    line: usize,
}

impl Body<'_> {
    pub fn next(&mut self, kind: Type) -> Result<f64, Fault> {
        if self.coding == Coding::Text {
            while let Some(c) = self.bytes.get(self.at).filter(|c| c.is_ascii_whitespace()) {
                self.line += usize::from(*c == b'\n');
                self.at += 1;
            }
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let end = rest.iter().position(u8::is_ascii_whitespace);
            let word = &rest[..end.unwrap_or(rest.len())];
            self.at += word.len();
            return text::number(Some(word).filter(|word| !word.is_empty()), self.line);
        }
        let end = self.at.saturating_add(kind.size());
        let Some(bytes) = self.bytes.get(self.at..end) else {
            return Err(Fault::byte(
                self.at,
                "the file ends in the middle of its numbers; it is cut off, fetch or export it \
                 again"
                    .into(),
            ));
        };
        self.at = end;
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        if self.coding == Coding::Big {
            eight[..bytes.len()].reverse();
        }
        Ok(kind.value(eight))
    }
}

pub fn header(bytes: &[u8]) -> Result<(Vec<Element>, Body<'_>), Fault> {
    let mut elements: Vec<Element> = Vec::new();
    let mut coding = None;
    let mut at = 0;
    for (line, content) in bytes.split_inclusive(|c| *c == b'\n').enumerate() {
        let line = line + 1;
        at += content.len();
        let mut words = text::words(content);
        let damaged = |what: &str| Fault::line(line, format!("{what}; export the file again"));
        match words.next().unwrap_or_default() {
            b"format" => {
                coding = Some(match words.next().unwrap_or_default() {
                    b"ascii" => Coding::Text,
                    b"binary_little_endian" => Coding::Little,
                    b"binary_big_endian" => Coding::Big,
                    _ => return Err(damaged("the format is none that PLY has")),
                });
            }
            b"element" => elements.push(Element {
                name: words.next().unwrap_or_default().to_vec(),
                count: text::number(words.next(), line)?,
                properties: Vec::new(),
            }),
            b"property" => {
                let first = words.next().unwrap_or_default();
                let mut kind = || Type::named(words.next().unwrap_or_default());
                let (list, kind) = match first {
                    b"list" => (kind(), kind()),
                    plain => (None, Type::named(plain)),
                };
                let Some(kind) = kind.filter(|_| first != b"list" || list.is_some()) else {
                    return Err(damaged("the property has a type that PLY does not have"));
                };
                let name = words.next().unwrap_or_default().to_vec();
                match elements.last_mut() {
                    Some(element) => element.properties.push(Property { name, list, kind }),
                    None => return Err(damaged("a property stands before all elements")),
                }
            }
            b"end_header" => {
                let coding = coding.ok_or_else(|| damaged("the header names no format"))?;
                let body = Body {
                    bytes,
                    at,
                    coding,
                    line: line + 1,
                };
                return Ok((elements, body));
            }
            _ => {}
        }
    }
    Err(Fault::whole(
        "the header has no end (end_header); the file is cut off, fetch or export it again".into(),
    ))
}
