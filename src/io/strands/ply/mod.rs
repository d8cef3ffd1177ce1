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
        let of = match &element.name[..] {
            b"vertex" => Some(Of::Point),
            b"strand" => Some(Of::Strand),
            _ => None,
        };
        // What has no place of its own is a column.
        let coloured = [r, g, b].iter().all(Option::is_some);
        let known = |i: usize| {
            let at = slots.iter().position(|slot| *slot == Some(i));
            at.is_some_and(|slot| coloured || !(3..6).contains(&slot))
        };
        let mut others: Vec<(usize, Vec<f64>)> = (0..properties.len())
            .filter(|i| of.is_some() && properties[*i].list.is_none() && !known(*i))
            .map(|i| (i, Vec::new()))
            .collect();
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
                    if let Some((_, column)) = others.iter_mut().find(|(k, _)| *k == i) {
                        column.push(value);
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
        for (i, numbers) in others {
            let Property { name, kind, .. } = &properties[i];
            let of = of.unwrap_or(Of::Strand);
            self.columns.push(column(name, of, *kind, numbers));
        }
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
