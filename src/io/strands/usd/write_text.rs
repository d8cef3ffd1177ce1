//! Writing curves as USD text: one pose, or a film of them.

use super::{
    camera, text_column,
    text_prim::{POINTS, PrimPlaces, Samples},
    text_rows::{Tuple, list, spread},
};
use crate::{
    io::{
        files::PartFile,
        strands::{CameraSample, Fault, FilmTimes, HeadFaces, Strands, film::Film},
    },
    mesh::Up,
};
use std::{
    fmt::{self, Write as _},
    fs::File,
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

/// One pose.
pub fn still(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let mut out = String::with_capacity(60 * strands.points.len());
    let written = file_header(&mut out, strands, None)
        .and_then(|()| PrimPlaces::of_hair(strands).write(&mut out))
        .and_then(|()| looks(&mut out, strands))
        .and_then(|()| match &strands.head {
            Some(worn) => begin_mesh(&mut out, &worn.faces)
                .and_then(|()| PrimPlaces::of_head(worn).write(&mut out))
                .and_then(|()| end_mesh(&mut out, &worn.faces)),
            None => Ok(()),
        })
        .and_then(|()| match &strands.camera {
            Some(camera) => camera::write_text(&mut out, &[*camera], None, metres(strands)),
            None => Ok(()),
        });
    out.push_str(END);
    // Writing to memory fails only when a number cannot be formatted.
    written.map_err(|_| Fault::whole("it cannot be put into words".into()))?;
    Ok(out.into_bytes())
}

/// How long the file's unit is. `[m]`
fn metres(strands: &Strands) -> f64 {
    strands.metres_per_unit.unwrap_or(1.0)
}

/// How a file ends.
const END: &str = "}\n";

fn file_header(out: &mut String, strands: &Strands, film: Option<&FilmTimes>) -> fmt::Result {
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
    writeln!(out, "    metersPerUnit = {}", metres(strands))?;
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

/// What else is said of the curves, and their end.
fn looks(out: &mut String, strands: &Strands) -> fmt::Result {
    if !strands.widths.is_empty() {
        out.push_str("        float[] widths = ");
        list(out, strands.widths.iter())?;
        spread(out, "vertex")?;
    }
    if !strands.colours.is_empty() {
        out.push_str("        color3f[] primvars:displayColor = ");
        list(out, strands.colours.iter().map(|c| Tuple(c)))?;
        spread(out, "vertex")?;
    }
    if !strands.root_uvs.is_empty() {
        out.push_str("        texCoord2f[] primvars:st = ");
        list(out, strands.root_uvs.iter().map(|c| Tuple(c)))?;
        spread(out, "uniform")?;
    }
    for attribute in &strands.attributes {
        text_column::write(out, attribute)?;
    }
    out.push_str("    }\n");
    Ok(())
}

/// The head, as far as it stays.
fn begin_mesh(out: &mut String, faces: &HeadFaces) -> fmt::Result {
    out.push_str(
        "\n    def Mesh \"Head\"\n    {\n        uniform token subdivisionScheme = \"none\"\n        \
         int[] faceVertexCounts = ",
    );
    list(out, faces.triangles.iter().map(|_| 3))?;
    out.push_str("        int[] faceVertexIndices = ");
    list(out, faces.triangles.as_flattened().iter())
}

/// The head's places on its texture, and its end.
fn end_mesh(out: &mut String, faces: &HeadFaces) -> fmt::Result {
    if !faces.corners.is_empty() {
        out.push_str("        texCoord2f[] primvars:st = ");
        list(out, faces.uvs.iter().map(|c| Tuple(c)))?;
        spread(out, "faceVarying")?;
        out.push_str("        int[] primvars:st:indices = ");
        list(out, faces.corners.as_flattened().iter())?;
    }
    out.push_str("    }\n");
    Ok(())
}

/// A film in one text.
pub struct UsdAnimation {
    path: PathBuf,
    out: BufWriter<File>,
    part: PartFile,
    begun: Option<Begun>,
    times: FilmTimes,
    written: usize,
}

/// What is known since the first frame.
struct Begun {
    first: Strands,
    hair: Samples,
    head: Option<Samples>,
    camera: Vec<CameraSample>,
}

/// Begins a film with frames at these `times`.
pub fn film(path: &Path, times: &FilmTimes) -> io::Result<Box<dyn Film>> {
    UsdAnimation::new(path, *times).map(|film| Box::new(film) as Box<dyn Film>)
}

fn worded(text: impl FnOnce(&mut String) -> fmt::Result) -> io::Result<String> {
    let mut out = String::new();
    let written = text(&mut out);
    written.map_err(|_| io::Error::other("it cannot be put into words"))?;
    Ok(out)
}

impl UsdAnimation {
    fn new(path: &Path, times: FilmTimes) -> io::Result<Self> {
        let (part, file) = PartFile::create(path)?;
        Ok(Self {
            path: path.into(),
            out: BufWriter::new(file),
            part,
            begun: None,
            times,
            written: 0,
        })
    }

    /// Writes what stands above the first frame.
    fn begin(&mut self, first: &Strands) -> io::Result<Begun> {
        let text = worded(|out| file_header(out, first, Some(&self.times)))?;
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(POINTS.as_bytes())?;
        let moves = |velocities: &[glam::Vec3]| !velocities.is_empty();
        let worn = first.head.as_ref();
        let worn = worn.map(|head| Samples::new(&self.path, "head", true, moves(&head.velocities)));
        Ok(Begun {
            first: first.clone(),
            hair: Samples::new(&self.path, "hair", false, moves(&first.velocities))?,
            head: worn.transpose()?,
            camera: Vec::new(),
        })
    }
}

impl Film for UsdAnimation {
    fn add(&mut self, strands: &Strands) -> io::Result<()> {
        let mut begun = match self.begun.take() {
            Some(begun) => begun,
            None => self.begin(strands)?,
        };
        let code = self.times.code(self.written);
        self.written += 1;
        let out = &mut self.out;
        begun.hair.add(code, &PrimPlaces::of_hair(strands), out)?;
        if let (Some(samples), Some(head)) = (&mut begun.head, &strands.head) {
            samples.add(code, &PrimPlaces::of_head(head), out)?;
        }
        begun.camera.extend(strands.camera);
        self.begun = Some(begun);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let Some(Begun {
            first,
            hair,
            head,
            camera,
        }) = self.begun.take()
        else {
            return Err(io::Error::other("a film needs a frame"));
        };
        let out = &mut self.out;
        hair.finish(out)?;
        out.write_all(worded(|text| looks(text, &first))?.as_bytes())?;
        if let (Some(samples), Some(worn)) = (head, &first.head) {
            out.write_all(worded(|text| begin_mesh(text, &worn.faces))?.as_bytes())?;
            samples.finish(out)?;
            out.write_all(worded(|text| end_mesh(text, &worn.faces))?.as_bytes())?;
        }
        if !camera.is_empty() {
            let codes: Vec<f64> = (0..camera.len()).map(|i| self.times.code(i)).collect();
            let unit = metres(&first);
            let text = worded(|text| camera::write_text(text, &camera, Some(&codes), unit))?;
            out.write_all(text.as_bytes())?;
        }
        out.write_all(END.as_bytes())?;
        self.part.keep(&self.out.into_inner()?)
    }
}
