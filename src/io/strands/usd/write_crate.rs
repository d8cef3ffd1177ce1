//! Writing curves as a USD crate file, alone or in a package: one pose, or a film of them.

use super::{
    camera,
    column::{can_hold, interpolation, kind},
    crate_prim::{self, PlacedPoints},
};
use crate::{
    io::{
        files::PartFile,
        strands::{
            Attribute, CameraSample, Fault, FilmTimes, Strands, attribute::Values, film::Film,
        },
    },
    mesh::Up,
};
use lovelock_usd::{CrateWriter, PackageWriter, PrimId};
use std::{
    fs::File,
    io::{self, BufWriter, Cursor, Seek, Write},
    path::Path,
};

/// What the layer of a package is called.
const LAYER: &str = "hair.usdc";

/// One pose.
pub fn still(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let out = pose(memory(strands), strands);
    // Writing to memory does not fail.
    out.map(Cursor::into_inner)
        .map_err(|error| Fault::whole(error.to_string()))
}

/// One pose in a package.
pub fn still_package(strands: &Strands) -> Result<Vec<u8>, Fault> {
    let out = PackageWriter::new(memory(strands), LAYER)
        .and_then(|package| pose(package, strands)?.finish());
    out.map(Cursor::into_inner)
        .map_err(|error| Fault::whole(error.to_string()))
}

fn memory(strands: &Strands) -> Cursor<Vec<u8>> {
    Cursor::new(Vec::with_capacity(32 * strands.points.len()))
}

fn pose<W: Write + Seek>(out: W, strands: &Strands) -> io::Result<W> {
    let mut file = CrateWriter::new(out)?;
    let places = FramePlaces::of(&mut file, strands)?;
    let hair = Hair::begin(&mut file, strands)?;
    hair.finish(&mut file, strands, &[places], None)?;
    file.finish()
}

/// What changes from frame to frame.
#[derive(Clone, Copy)]
struct FramePlaces {
    hair: PlacedPoints,
    head: Option<PlacedPoints>,
    camera: Option<CameraSample>,
}

impl FramePlaces {
    fn of<W: Write + Seek>(file: &mut CrateWriter<W>, strands: &Strands) -> io::Result<Self> {
        let head = strands.head.as_ref();
        let head = head.map(|head| PlacedPoints::of_head(file, head));
        Ok(Self {
            head: head.transpose()?,
            hair: PlacedPoints::of_hair(file, strands)?,
            camera: strands.camera,
        })
    }
}

/// The curves of a file, and the prim that they are below.
struct Hair {
    top: PrimId,
    curves: PrimId,
}

impl Hair {
    fn begin<W: Write + Seek>(file: &mut CrateWriter<W>, strands: &Strands) -> io::Result<Self> {
        let top = file.token("Hair");
        file.metadata("defaultPrim", top);
        let about = file.string("Lovelock");
        file.metadata("documentation", about);
        let metres = file.double(strands.metres_per_unit.unwrap_or(1.0))?;
        file.metadata("metersPerUnit", metres);
        let up = file.token(match strands.up {
            Some(Up::Z) => "Z",
            _ => "Y",
        });
        file.metadata("upAxis", up);
        let top = file.prim(None, "Hair", "Xform");
        let hair = file.prim(Some(top), "Strands", "BasisCurves");
        let fields = [
            ("default", file.token("linear")),
            ("variability", file.uniform()),
        ];
        file.attribute(hair, "type", "token", &fields);
        let counts = (0..strands.len()).map(|i| strands.range(i).len() as i32);
        let counts = file.ints(1, &counts.collect::<Vec<_>>())?;
        file.attribute(hair, "curveVertexCounts", "int[]", &[("default", counts)]);
        Ok(Self { top, curves: hair })
    }

    fn finish<W: Write + Seek>(
        &self,
        file: &mut CrateWriter<W>,
        strands: &Strands,
        frames: &[FramePlaces],
        times: Option<&[f64]>,
    ) -> io::Result<()> {
        let hair = self.curves;
        let all: Vec<PlacedPoints> = frames.iter().map(|frame| frame.hair).collect();
        PlacedPoints::write(&all, times, hair, file)?;
        let vertex = file.token("vertex");
        if !strands.widths.is_empty() {
            let widths = file.floats(1, &strands.widths)?;
            let fields = [("default", widths), ("interpolation", vertex)];
            file.attribute(hair, "widths", "float[]", &fields);
        }
        if !strands.colours.is_empty() {
            let colours = file.floats(3, strands.colours.as_flattened())?;
            let fields = [("default", colours), ("interpolation", vertex)];
            file.attribute(hair, "primvars:displayColor", "color3f[]", &fields);
        }
        if !strands.root_uvs.is_empty() {
            let uvs = file.floats(2, strands.root_uvs.as_flattened())?;
            let fields = [("default", uvs), ("interpolation", file.token("uniform"))];
            file.attribute(hair, "primvars:st", "texCoord2f[]", &fields);
        }
        for column in strands.attributes.iter().filter(|column| can_hold(column)) {
            self.column(file, column)?;
        }
        let heads: Option<Vec<PlacedPoints>> = frames.iter().map(|frame| frame.head).collect();
        if let (Some(heads), Some(worn)) = (heads, &strands.head) {
            let head = crate_prim::head(file, self.top, &worn.faces)?;
            PlacedPoints::write(&heads, times, head, file)?;
        }
        let cameras: Option<Vec<CameraSample>> = frames.iter().map(|frame| frame.camera).collect();
        if let Some(cameras) = cameras {
            let metres = strands.metres_per_unit.unwrap_or(1.0);
            camera::write_crate(file, self.top, &cameras, times, metres)?;
        }
        Ok(())
    }

    fn column<W: Write + Seek>(
        &self,
        file: &mut CrateWriter<W>,
        column: &Attribute,
    ) -> io::Result<()> {
        let (width, kind) = kind(column);
        let value = match &column.values {
            Values::I32(all) => file.ints(width, all)?,
            Values::I64(all) => file.longs(all)?,
            Values::F32(all) => file.floats(width, all)?,
            Values::F64(all) => file.doubles(width, all)?,
            Values::Text(all) => file.strings(all)?,
        };
        let spread = file.token(interpolation(column));
        let mut fields = vec![("default", value), ("interpolation", spread)];
        if column.each > width {
            let size = i32::try_from(column.each).map_err(io::Error::other)?;
            fields.push(("elementSize", file.int(size)));
        }
        let name = format!("primvars:{}", column.name);
        file.attribute(self.curves, &name, &format!("{kind}[]"), &fields);
        Ok(())
    }
}

/// What the crate file of a film is written to: a file, or a package in one.
trait Container: Write + Seek + Sized + 'static {
    /// Ends it.
    fn close(self) -> io::Result<File>;
}

impl Container for File {
    fn close(self) -> io::Result<File> {
        Ok(self)
    }
}

impl Container for PackageWriter<File> {
    fn close(self) -> io::Result<File> {
        self.finish()
    }
}

/// A film in one crate file.
struct CrateFilm<C: Container> {
    file: CrateWriter<BufWriter<C>>,
    hair: Option<(Hair, Strands)>,
    frames: Vec<FramePlaces>,
    times: FilmTimes,
    part: PartFile,
}

/// Begins a film with frames at these `times`.
pub fn film(path: &Path, times: &FilmTimes) -> io::Result<Box<dyn Film>> {
    let (part, file) = PartFile::create(path)?;
    begin(part, file, *times)
}

/// The same in a package.
pub fn film_package(path: &Path, times: &FilmTimes) -> io::Result<Box<dyn Film>> {
    let (part, file) = PartFile::create(path)?;
    begin(part, PackageWriter::new(file, LAYER)?, *times)
}

fn begin(part: PartFile, out: impl Container, times: FilmTimes) -> io::Result<Box<dyn Film>> {
    let out = BufWriter::with_capacity(1 << 20, out);
    Ok(Box::new(CrateFilm {
        file: CrateWriter::new(out)?,
        hair: None,
        frames: Vec::new(),
        times,
        part,
    }))
}

impl<C: Container> Film for CrateFilm<C> {
    fn add(&mut self, strands: &Strands) -> io::Result<()> {
        let file = &mut self.file;
        if self.hair.is_none() {
            self.hair = Some((Hair::begin(file, strands)?, strands.clone()));
        }
        self.frames.push(FramePlaces::of(file, strands)?);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let codes = (0..self.frames.len()).map(|frame| self.times.code(frame));
        let times: Vec<f64> = codes.collect();
        let (Some((hair, first)), Some((start, end))) =
            (self.hair.take(), times.first().zip(times.last()))
        else {
            return Err(io::Error::other("a film needs a frame"));
        };
        let mut file = self.file;
        for (name, value) in [
            ("startTimeCode", *start),
            ("endTimeCode", *end),
            ("framesPerSecond", self.times.rate),
            ("timeCodesPerSecond", self.times.codes),
        ] {
            let value = file.double(value)?;
            file.metadata(name, value);
        }
        hair.finish(&mut file, &first, &self.frames, Some(&times))?;
        self.part.keep(&file.finish()?.into_inner()?.close()?)
    }
}
