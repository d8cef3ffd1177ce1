//! Writing strands as PLY.

use super::layout::Type;
use crate::io::strands::{
    Attribute, Fault, Strands,
    attribute::{Of, Values},
    bytes::put,
};
use std::fmt::Write as _;

pub fn write(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let (widths, colours) = (&strands.widths, &strands.colours);
    let columns = |of: Of| {
        let wanted = strands.attributes.iter().filter(move |c| c.of == of);
        wanted.filter_map(Written::new).collect::<Vec<_>>()
    };
    let (of_points, of_strands) = (columns(Of::Point), columns(Of::Strand));
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
    of_points.iter().for_each(|column| column.name(&mut head));
    let _ = writeln!(head, "element strand {kept}\nproperty uint nsegs");
    of_strands.iter().for_each(|column| column.name(&mut head));
    let _ = write!(
        head,
        "element edge {edges}\nproperty int vertex1\nproperty int vertex2\nend_header\n"
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
        of_points.iter().for_each(|column| column.put(&mut out, i));
    }
    for (i, strand) in strands.iter().enumerate() {
        if !strand.is_empty() {
            out.extend((strand.len() as u32 - 1).to_le_bytes());
            of_strands.iter().for_each(|column| column.put(&mut out, i));
        }
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

/// Names that the format has for what is no column.
const TAKEN: [&[u8]; 13] = [
    b"x",
    b"y",
    b"z",
    b"red",
    b"green",
    b"blue",
    b"r",
    b"g",
    b"b",
    b"thickness",
    b"width",
    b"diameter",
    b"nsegs",
];

/// A column as it is written.
struct Written<'a> {
    column: &'a Attribute,
    kind: Type,
}

impl<'a> Written<'a> {
    /// None where PLY has no way to say it.
    fn new(column: &'a Attribute) -> Option<Self> {
        let name = &column.name;
        let odd = name.is_empty() || name.contains(|c: char| !c.is_ascii_graphic());
        if odd || TAKEN.contains(&name.as_bytes()) {
            return None;
        }
        let kind = match &column.values {
            Values::I32(_) => Type::I32,
            Values::I64(all) if all.iter().all(|v| u32::try_from(*v).is_ok()) => Type::U32,
            Values::F32(_) => Type::F32,
            Values::F64(_) => Type::F64,
            Values::I64(_) | Values::Text(_) => return None,
        };
        Some(Self { column, kind })
    }

    /// Adds its lines to the header: one for each number of a row.
    fn name(&self, head: &mut String) {
        let kind = match self.kind {
            Type::F32 => "float",
            Type::F64 => "double",
            Type::U32 => "uint",
            _ => "int",
        };
        for k in 0..self.column.each {
            let _ = match self.column.each {
                1 => writeln!(head, "property {kind} {}", self.column.name),
                _ => writeln!(head, "property {kind} {}_{k}", self.column.name),
            };
        }
    }

    fn put(&self, out: &mut Vec<u8>, row: usize) {
        for i in row * self.column.each..(row + 1) * self.column.each {
            match &self.column.values {
                Values::I32(all) => out.extend(all[i].to_le_bytes()),
                Values::I64(all) => out.extend((all[i] as u32).to_le_bytes()),
                Values::F32(all) => out.extend(all[i].to_le_bytes()),
                Values::F64(all) => out.extend(all[i].to_le_bytes()),
                Values::Text(_) => {}
            }
        }
    }
}
