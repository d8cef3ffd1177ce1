//! PLY with strands: points, and either how many segments each strand has
//! (element `strand`, as hairutil writes it) or edges; or points alone, strand after
//! strand, as NeuralHaircut and GaussianHaircut write them.

mod layout;
mod write;

use super::{
    Attribute, Carries, Detail, Fault, Format, Strands, Writing,
    attribute::{Of, Values},
    chain::chains,
};
use crate::math::counted;
use glam::Vec3;
use layout::{Body, Element, Property, Type, header};
use write::write;

/// The format.
pub const FORMAT: Format = Format {
    id: "ply",
    name: "PLY strands",
    endings: &["ply"],
    reads: "text and binary, element `strand` (`nsegs`) or `edge`, or points alone, all strands \
            with as many",
    limits: "colours in steps of 1/255; widths only with `strand`",
    carries: Carries {
        widths: Detail::Point,
        colours: Detail::Point,
        columns: true,
        ..Carries::PLACES
    },
    is,
    read,
    each_pose: None,
    writing: Some(Writing {
        writes: "binary",
        write,
        film: None,
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
            "it is a mesh of {} and not hair; for a head, convert it to OBJ and give it as the \
             head",
            counted(faces.count, "face", "faces")
        )));
    }
    let mut read = Read::default();
    for element in &elements {
        read.element(element, &mut body)?;
    }
    if find(b"strand").is_none() && find(b"edge").is_none() {
        return Ok(Strands {
            points: read.points,
            colours: read.colours,
            widths: read.widths,
            attributes: read.columns,
            ..Strands::default()
        });
    }
    read.strands()
}

#[derive(Default)]
struct Read {
    points: Vec<Vec3>,
    colours: Vec<[f32; 3]>,
    widths: Vec<f32>,
    segments: Option<Vec<u32>>,
    edges: Vec<[u32; 2]>,
    columns: Vec<Attribute>,
}

/// A column of numbers of that type; f64 holds all of them to the last bit.
fn column(name: &[u8], of: Of, kind: Type, numbers: Vec<f64>) -> Attribute {
    let numbers = numbers.into_iter();
    Attribute {
        name: String::from_utf8_lossy(name).into_owned(),
        of,
        each: 1,
        values: match kind {
            Type::F32 => Values::F32(numbers.map(|v| v as f32).collect()),
            Type::F64 => Values::F64(numbers.collect()),
            Type::U32 => Values::I64(numbers.map(|v| v as i64).collect()),
            _ => Values::I32(numbers.map(|v| v as i32).collect()),
        },
    }
}

/// The rows of an element: which properties mean something, and the columns of the others.
struct Rows<'a> {
    properties: &'a [Property],
    /// What its rows belong to; none where it is no element of strands.
    of: Option<Of>,
    /// Which properties these are: of a vertex its three coordinates, its three colours and
    /// its width, of others up to two numbers.
    slots: [Option<usize>; 7],
    /// The largest value of a colour, where there are all three.
    white: Option<f32>,
    /// Numbers of properties that mean nothing here, and their values.
    others: Vec<(usize, Vec<f64>)>,
}

impl<'a> Rows<'a> {
    fn of(element: &'a Element) -> Result<Self, Fault> {
        let properties = &element.properties[..];
        let is = |names: &[&[u8]]| properties.iter().position(|p| names.contains(&&p.name[..]));
        let none: &[&[u8]] = &[];
        let (of, names): (_, [&[&[u8]]; 7]) = match &element.name[..] {
            b"vertex" => (
                Some(Of::Point),
                [
                    &[b"x"],
                    &[b"y"],
                    &[b"z"],
                    &[b"red", b"r"],
                    &[b"green", b"g"],
                    &[b"blue", b"b"],
                    &[b"thickness", b"width", b"diameter"],
                ],
            ),
            b"strand" => (
                Some(Of::Strand),
                [&[b"nsegs"], none, none, none, none, none, none],
            ),
            b"edge" => (
                None,
                [&[b"vertex1"], &[b"vertex2"], none, none, none, none, none],
            ),
            _ => (None, [none; 7]),
        };
        let slots = names.map(is);
        if of == Some(Of::Point) && slots[..3].contains(&None) {
            return Err(Fault::whole(
                "its points have no x, y or z; export the file again".into(),
            ));
        }
        let coloured = slots[3..6].iter().all(Option::is_some);
        let white = slots[3].filter(|_| coloured);
        // What has no place of its own is a column.
        let known = |i: usize| {
            let at = slots.iter().position(|slot| *slot == Some(i));
            at.is_some_and(|slot| coloured || !(3..6).contains(&slot))
        };
        let others = (0..properties.len())
            .filter(|i| of.is_some() && properties[*i].list.is_none() && !known(*i));
        Ok(Self {
            properties,
            of,
            slots,
            white: white.map(|r| properties[r].kind.white()),
            others: others.map(|i| (i, Vec::new())).collect(),
        })
    }

    /// The values of the next row that mean something; 0 for those that it has not.
    fn next(&mut self, body: &mut Body) -> Result<[f64; 7], Fault> {
        let mut values = [0.0; 7];
        for (i, property) in self.properties.iter().enumerate() {
            let Some(length) = property.list else {
                let value = body.next(property.kind)?;
                for (slot, keep) in self.slots.iter().zip(&mut values) {
                    if *slot == Some(i) {
                        *keep = value;
                    }
                }
                if let Some((_, column)) = self.others.iter_mut().find(|(k, _)| *k == i) {
                    column.push(value);
                }
                continue;
            };
            let length = body.next(length)?.max(0.0) as usize;
            for _ in 0..length {
                body.next(property.kind)?;
            }
        }
        Ok(values)
    }

    fn columns(self) -> impl Iterator<Item = Attribute> + use<'a> {
        let (properties, of) = (self.properties, self.of.unwrap_or(Of::Strand));
        self.others.into_iter().map(move |(i, numbers)| {
            let Property { name, kind, .. } = &properties[i];
            column(name, of, *kind, numbers)
        })
    }
}

impl Read {
    fn element(&mut self, element: &Element, body: &mut Body) -> Result<(), Fault> {
        if element.properties.is_empty() {
            return Ok(());
        }
        let mut rows = Rows::of(element)?;
        let [first, second, .., width] = rows.slots;
        let whole = |value: f64| value.max(0.0) as u32;
        for _ in 0..element.count {
            let values = rows.next(body)?;
            match &element.name[..] {
                b"vertex" => {
                    let [x, y, z, red, green, blue, thick] = values.map(|v| v as f32);
                    self.points.push(Vec3::new(x, y, z));
                    if let Some(white) = rows.white {
                        self.colours.push([red, green, blue].map(|c| c / white));
                    }
                    if width.is_some() {
                        self.widths.push(thick);
                    }
                }
                b"strand" if first.is_some() => {
                    let segments = self.segments.get_or_insert_default();
                    segments.push(whole(values[0]));
                }
                b"edge" if first.is_some() && second.is_some() => {
                    self.edges.push([whole(values[0]), whole(values[1])]);
                }
                _ => {}
            }
        }
        self.columns.extend(rows.columns());
        Ok(())
    }

    fn strands(self) -> Result<Strands, Fault> {
        let Some(segments) = self.segments else {
            let mut out = chains(&self.points, &self.colours, &self.edges)?;
            let names: Vec<String> = self.columns.into_iter().map(|c| c.name).collect();
            if !names.is_empty() {
                // Edges may lead through the points in any order.
                out.notes.push(format!(
                    "without the element \"strand\" columns are left out: {}",
                    names.join(", ")
                ));
            }
            return Ok(out);
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
                "its strands have {} and it lists {}; the file is damaged, export it again",
                counted(next, "point", "points"),
                self.points.len()
            )));
        }
        (out.points, out.colours, out.widths) = (self.points, self.colours, self.widths);
        out.attributes = self.columns;
        Ok(out)
    }
}
