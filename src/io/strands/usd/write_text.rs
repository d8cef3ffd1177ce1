//! Writing curves as USD text: one pose, or a film of them.

use super::text_column;
use crate::{
    io::{
        files::PartFile,
        strands::{Fault, FilmTimes, Strands, film::Film},
    },
    mesh::Up,
};
use std::{
    fmt::{self, Write as _},
    fs::File,
    io::{self, BufWriter, Write as _},
    path::Path,
};

/// One pose.
pub fn still(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let mut out = String::with_capacity(60 * strands.points.len());
    let written = head(&mut out, strands, None)
        .and_then(|()| write!(out, "        point3f[] points = "))
        .and_then(|()| points(&mut out, strands))
        .and_then(|()| tail(&mut out, strands));
    // Writing to memory fails only when a number cannot be formatted.
    written.map_err(|_| Fault::whole("it cannot be put into words".into()))?;
    Ok(out.into_bytes())
}

fn head(out: &mut String, strands: &Strands, film: Option<&FilmTimes>) -> fmt::Result {
    let up = match strands.up {
        Some(Up::Z) => "Z",
        _ => "Y",
    };
    writeln!(
        out,
        "#usda 1.0\n(\n    defaultPrim = \"Hair\"\n    doc = \"Lovelock\""
    )?;
    if let Some(film) = film {
        let end = film.code(film.frames.saturating_sub(1));
        writeln!(out, "    endTimeCode = {end}")?;
        writeln!(out, "    framesPerSecond = {}", film.rate)?;
    }
    let metres = strands.metres_per_unit.unwrap_or(1.0);
    writeln!(out, "    metersPerUnit = {metres}")?;
    if let Some(film) = film {
        let (start, codes) = (film.code(0), film.codes);
        writeln!(
            out,
            "    startTimeCode = {start}\n    timeCodesPerSecond = {codes}"
        )?;
    }
    write!(
        out,
        "    upAxis = \"{up}\"\n)\n\ndef Xform \"Hair\"\n{{\n    def BasisCurves \"Strands\"\n    {{\n        \
         uniform token type = \"linear\"\n        int[] curveVertexCounts = "
    )?;
    list(out, (0..strands.len()).map(|i| strands.range(i).len()))
}

/// Numbers in square brackets, and the end of the line.
fn list<T: fmt::Display>(out: &mut String, items: impl Iterator<Item = T>) -> fmt::Result {
    out.push('[');
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write!(out, "{item}")?;
    }
    out.push_str("]\n");
    Ok(())
}

/// Numbers in parentheses.
struct Tuple<'a>(&'a [f32]);

impl fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, c) in self.0.iter().enumerate() {
            write!(f, "{}{c}", if i > 0 { ", " } else { "(" })?;
        }
        f.write_str(")")
    }
}

fn points(out: &mut String, strands: &Strands) -> fmt::Result {
    out.push('[');
    for (i, p) in strands.points.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write!(out, "{}", Tuple(&p.to_array()))?;
    }
    out.push_str("]\n");
    Ok(())
}

fn extent(out: &mut String, strands: &Strands) -> fmt::Result {
    let thickest = strands.widths.iter().fold(0.0f32, |a, b| a.max(*b));
    let [min, max] = strands.bounds().unwrap_or_default();
    let (min, max) = (min - 0.5 * thickest, max + 0.5 * thickest);
    writeln!(
        out,
        "[{}, {}]",
        Tuple(&min.to_array()),
        Tuple(&max.to_array())
    )
}

fn tail(out: &mut String, strands: &Strands) -> fmt::Result {
    out.push_str("        float3[] extent = ");
    extent(out, strands)?;
    looks(out, strands)
}

fn looks(out: &mut String, strands: &Strands) -> fmt::Result {
    let per_point = " (\n            interpolation = \"vertex\"\n        )\n";
    let end = |out: &mut String, what: &str| {
        // The bracket's line goes on.
        out.pop();
        out.push_str(what);
    };
    if !strands.widths.is_empty() {
        out.push_str("        float[] widths = ");
        list(out, strands.widths.iter())?;
        end(out, per_point);
    }
    if !strands.colours.is_empty() {
        out.push_str("        color3f[] primvars:displayColor = ");
        list(out, strands.colours.iter().map(|c| Tuple(c)))?;
        end(out, per_point);
    }
    if !strands.root_uvs.is_empty() {
        out.push_str("        texCoord2f[] primvars:st = ");
        list(out, strands.root_uvs.iter().map(|c| Tuple(c)))?;
        end(
            out,
            " (\n            interpolation = \"uniform\"\n        )\n",
        );
    }
    for attribute in &strands.attributes {
        text_column::write(out, attribute)?;
    }
    out.push_str("    }\n}\n");
    Ok(())
}

/// A film in one text.
pub struct UsdAnimation {
    out: BufWriter<File>,
    part: PartFile,
    first: Option<Strands>,
    extents: String,
    times: FilmTimes,
    written: usize,
}

/// Begins a film with frames at these `times`.
pub fn film(path: &Path, times: &FilmTimes) -> io::Result<Box<dyn Film>> {
    UsdAnimation::new(path, *times).map(|film| Box::new(film) as Box<dyn Film>)
}

impl UsdAnimation {
    fn new(path: &Path, times: FilmTimes) -> io::Result<Self> {
        let (part, file) = PartFile::create(path)?;
        Ok(Self {
            out: BufWriter::new(file),
            part,
            first: None,
            extents: String::new(),
            times,
            written: 0,
        })
    }
}

impl Film for UsdAnimation {
    fn add(&mut self, strands: &Strands) -> io::Result<()> {
        let mut out = String::with_capacity(40 * strands.points.len());
        let text = (|| {
            if self.first.is_none() {
                head(&mut out, strands, Some(&self.times))?;
                out.push_str("        point3f[] points.timeSamples = {\n");
            }
            let code = self.times.code(self.written);
            self.written += 1;
            write!(out, "            {code}: ")?;
            points(&mut out, strands)?;
            out.pop();
            out.push_str(",\n");
            write!(self.extents, "            {code}: ")?;
            extent(&mut self.extents, strands)?;
            self.extents.pop();
            self.extents.push_str(",\n");
            Ok(())
        })();
        text.map_err(|_: fmt::Error| io::Error::other("it cannot be put into words"))?;
        self.first.get_or_insert_with(|| strands.clone());
        self.out.write_all(out.as_bytes())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let mut out = String::from("        }\n        float3[] extent.timeSamples = {\n");
        out.push_str(&self.extents);
        out.push_str("        }\n");
        let looks = self.first.as_ref().map(|strands| looks(&mut out, strands));
        if !matches!(looks, Some(Ok(()))) {
            return Err(io::Error::other("a film needs a frame"));
        }
        self.out.write_all(out.as_bytes())?;
        self.part.keep(&self.out.into_inner()?)
    }
}
