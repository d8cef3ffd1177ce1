//! PLY with strands: points, and either how many segments each strand has
//! (element `strand`, as hairutil writes it) or edges.

use super::{Carries, Detail, Fault, Format, Strands, Writing, bytes::put, chain::chains, text};
use glam::Vec3;
use std::fmt::Write as _;

/// How a number is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Type {
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
    fn white(self) -> f32 {
        match self {
            Self::U8 => 255.0,
            Self::U16 => 65535.0,
            _ => 1.0,
        }
    }
}

struct Property {
    name: Vec<u8>,
    /// The type of a list's length; none where it is no list.
    list: Option<Type>,
    kind: Type,
}

struct Element {
    name: Vec<u8>,
    count: usize,
    properties: Vec<Property>,
}

#[derive(Clone, Copy, PartialEq)]
enum Coding {
    Text,
    Little,
    Big,
}

/// What is behind the header.
struct Body<'a> {
    bytes: &'a [u8],
    at: usize,
    coding: Coding,
    line: usize,
}

impl Body<'_> {
    fn next(&mut self, kind: Type) -> Result<f64, Fault> {
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

/// The format.
pub const FORMAT: Format = Format {
    id: "ply",
    name: "PLY strands",
    endings: &["ply"],
    reads: "text and binary, element `strand` (`nsegs`) or `edge`",
    limits: "colours in steps of 1/255; widths only with `strand`",
    carries: Carries {
        widths: Detail::Point,
        colours: Detail::Point,
        ..Carries::PLACES
    },
    is,
    read,
    writing: Some(Writing {
        writes: "binary",
        write,
    }),
};

fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r")
}

fn read(bytes: &[u8]) -> Result<Strands, Fault> {
    let (elements, mut body) = header(bytes)?;
    let find = |name: &[u8]| elements.iter().find(|element| element.name == name);
    if let Some(faces) = find(b"face").filter(|faces| faces.count > 0)
        && find(b"strand").is_none()
        && find(b"edge").is_none()
    {
        return Err(Fault::whole(format!(
            "it is a mesh of {} faces and not hair; for a head, convert it to OBJ and give it \
             as the head",
            faces.count
        )));
    }
    if find(b"strand").is_none() && find(b"edge").is_none() {
        return Err(Fault::whole(
            "it has points and neither the element \"strand\" nor \"edge\", which say what \
             strands they make; export curves"
                .into(),
        ));
    }
    let mut read = Read::default();
    for element in &elements {
        read.element(element, &mut body)?;
    }
    read.strands()
}

fn write(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let (widths, colours) = (&strands.widths, &strands.colours);
    let edges: usize = strands.iter().map(|s| s.len().saturating_sub(1)).sum();
    let kept = strands.iter().filter(|strand| !strand.is_empty()).count();
    let mut head = String::from("ply\nformat binary_little_endian 1.0\ncomment Lovelock\n");
    let _ = writeln!(head, "element vertex {}", strands.points.len());
    head += "property float x\nproperty float y\nproperty float z\n";
    if !colours.is_empty() {
        head += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    }
    if !widths.is_empty() {
        head += "property float thickness\n";
    }
    let _ = write!(
        head,
        "element strand {kept}\nproperty uint nsegs\nelement edge {edges}\n\
         property int vertex1\nproperty int vertex2\nend_header\n"
    );
    let mut out = head.into_bytes();
    out.reserve(19 * strands.points.len() + 4 * kept + 8 * edges);
    for (i, p) in strands.points.iter().enumerate() {
        put(&mut out, &p.to_array());
        if let Some(colour) = colours.get(i) {
            out.extend(colour.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
        if let Some(width) = widths.get(i) {
            put(&mut out, &[*width]);
        }
    }
    for strand in strands.iter().filter(|strand| !strand.is_empty()) {
        out.extend((strand.len() as u32 - 1).to_le_bytes());
    }
    for strand in 0..strands.len() {
        let range = strands.range(strand);
        for i in range.start + 1..range.end {
            out.extend((i as u32 - 1).to_le_bytes());
            out.extend((i as u32).to_le_bytes());
        }
    }
    Ok(out)
}

fn header(bytes: &[u8]) -> Result<(Vec<Element>, Body<'_>), Fault> {
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

#[derive(Default)]
struct Read {
    points: Vec<Vec3>,
    colours: Vec<[f32; 3]>,
    widths: Vec<f32>,
    segments: Option<Vec<u32>>,
    edges: Vec<[u32; 2]>,
}

impl Read {
    fn element(&mut self, element: &Element, body: &mut Body) -> Result<(), Fault> {
        let properties = &element.properties;
        if properties.is_empty() {
            return Ok(());
        }
        let is = |names: &[&[u8]]| properties.iter().position(|p| names.contains(&&p.name[..]));
        let names: [&[&[u8]]; 7] = match &element.name[..] {
            b"vertex" => [
                &[b"x"],
                &[b"y"],
                &[b"z"],
                &[b"red", b"r"],
                &[b"green", b"g"],
                &[b"blue", b"b"],
                &[b"thickness", b"width", b"diameter"],
            ],
            b"strand" => [&[b"nsegs"], &[], &[], &[], &[], &[], &[]],
            b"edge" => [&[b"vertex1"], &[b"vertex2"], &[], &[], &[], &[], &[]],
            _ => [&[]; 7],
        };
        let slots = names.map(is);
        let [x, y, z, r, g, b, width] = slots;
        let place = element.name == b"vertex";
        if place && (x.is_none() || y.is_none() || z.is_none()) {
            return Err(Fault::whole(
                "its points have no x, y or z; export the file again".into(),
            ));
        }
        let tinted = place && r.is_some() && g.is_some() && b.is_some();
        let white = r.map_or(1.0, |r| properties[r].kind.white());
        for _ in 0..element.count {
            let mut values = [0.0; 7];
            for (i, property) in properties.iter().enumerate() {
                let Some(length) = property.list else {
                    let value = body.next(property.kind)?;
                    for (slot, keep) in slots.iter().zip(&mut values) {
                        if *slot == Some(i) {
                            *keep = value;
                        }
                    }
                    continue;
                };
                let length = body.next(length)?.max(0.0) as usize;
                for _ in 0..length {
                    body.next(property.kind)?;
                }
            }
            let whole = |value: f64| value.max(0.0) as u32;
            let [a, b, c, red, green, blue, thick] = values.map(|v| v as f32);
            match &element.name[..] {
                b"vertex" => {
                    self.points.push(Vec3::new(a, b, c));
                    if tinted {
                        self.colours.push([red, green, blue].map(|c| c / white));
                    }
                    if width.is_some() {
                        self.widths.push(thick);
                    }
                }
                b"strand" if x.is_some() => {
                    let segments = self.segments.get_or_insert_default();
                    segments.push(whole(values[0]));
                }
                b"edge" if x.is_some() && y.is_some() => {
                    self.edges.push([whole(values[0]), whole(values[1])]);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn strands(self) -> Result<Strands, Fault> {
        let Some(segments) = self.segments else {
            return chains(&self.points, &self.colours, &self.edges);
        };
        let mut out = Strands {
            starts: vec![0],
            ..Strands::default()
        };
        let mut next = 0u64;
        for segments in segments {
            next += 1 + u64::from(segments);
            out.starts.push(u32::try_from(next).unwrap_or(u32::MAX));
        }
        if next != self.points.len() as u64 {
            return Err(Fault::whole(format!(
                "its strands have {next} points and it lists {}; the file is damaged, export it \
                 again",
                self.points.len()
            )));
        }
        (out.points, out.colours, out.widths) = (self.points, self.colours, self.widths);
        Ok(out)
    }
}
