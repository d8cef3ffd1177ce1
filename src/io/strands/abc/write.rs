//! Writing curves as an Alembic archive: one pose, or a film of them.

use super::{
    camera::CameraNode,
    column,
    head::{HeadMesh, bounds},
    schema,
};
use crate::io::{
    files::PartFile,
    strands::{
        Attribute, FilmTimes, Strands,
        attribute::{ID, Of, Values},
        film::Film,
    },
};
use glam::Vec3;
use lovelock_alembic::{Kind, NodeId, Pod, PropertyId, Times, Writer};
use std::{
    fs::File,
    io::{self, BufWriter, Cursor, Seek, Write},
    path::Path,
};

/// One pose.
pub fn still(strands: &Strands) -> io::Result<Vec<u8>> {
    let out = Cursor::new(Vec::with_capacity(32 * strands.points.len()));
    let mut archive = Writer::new(out, "")?;
    Contents::begin(&mut archive, strands, 0)?.pose(&mut archive, strands)?;
    Ok(archive.finish()?.into_inner())
}

/// All that an archive holds.
struct Contents {
    hair: Hair,
    head: Option<HeadMesh>,
    camera: Option<CameraNode>,
}

impl Contents {
    /// Says all that does not move of strands that are sampled at these `times`.
    fn begin<W: Write + Seek>(
        archive: &mut Writer<W>,
        strands: &Strands,
        times: usize,
    ) -> io::Result<Self> {
        archive.describe(&schema::about(strands));
        let xform = schema::XFORM;
        let title = format!("schema={xform};schemaObjTitle={xform}:.xform");
        let top = archive.top();
        let groom = archive.object(top, "groom", &title);
        let here = archive.compound(groom, ".xform", &format!("schema={xform}"));
        let still = (Kind::Scalar, Pod::Bool, 1);
        let inherits = archive.property(here, still, ".inherits", "", 0);
        archive.sample(inherits, &[1], 1)?;
        let hair = Hair::begin(archive, groom, strands, times)?;
        hair.looks(archive, strands)?;
        let head = strands.head.as_ref();
        let head = head.map(|head| HeadMesh::begin(archive, groom, head, times));
        let camera = strands.camera.as_ref();
        let camera = camera.map(|_| CameraNode::begin(archive, groom, times));
        Ok(Self {
            hair,
            head: head.transpose()?,
            camera: camera.transpose()?,
        })
    }

    fn pose<W: Write + Seek>(&self, archive: &mut Writer<W>, strands: &Strands) -> io::Result<()> {
        self.hair.pose(archive, strands)?;
        if let (Some(head), Some(worn)) = (&self.head, &strands.head) {
            head.pose(archive, worn)?;
        }
        match (&self.camera, &strands.camera) {
            (Some(node), Some(camera)) => node.pose(archive, camera),
            _ => Ok(()),
        }
    }
}

/// The curves of an archive.
struct Hair {
    geometry: PropertyId,
    arbitrary: PropertyId,
    bounds: PropertyId,
    points: PropertyId,
    velocities: Option<PropertyId>,
    counts: PropertyId,
    basis: PropertyId,
}

impl Hair {
    fn begin<W: Write + Seek>(
        archive: &mut Writer<W>,
        groom: NodeId,
        strands: &Strands,
        times: usize,
    ) -> io::Result<Self> {
        let (curves, base) = (schema::CURVES, schema::BASE);
        let title = format!("schema={curves};schemaBaseType={base};schemaObjTitle={curves}:.geom");
        let hair = archive.object(groom, "hair", &title);
        let metadata = format!("schema={curves};schemaBaseType={base}");
        let geometry = archive.compound(hair, ".geom", &metadata);
        let six = (Kind::Scalar, Pod::F64, 6);
        let three = (Kind::Array, Pod::F32, 3);
        let bounds = archive.property(geometry, six, ".selfBnds", "interpretation=box", times);
        let points = archive.property(geometry, three, "P", schema::PLACES, times);
        let whole = (Kind::Array, Pod::I32, 1);
        let counts = archive.property(geometry, whole, "nVertices", "", times);
        let four = (Kind::Scalar, Pod::U8, 4);
        let basis = archive.property(geometry, four, "curveBasisAndType", "", times);
        let moves = !strands.velocities.is_empty();
        let mut velocities =
            || archive.property(geometry, three, ".velocities", schema::VELOCITIES, times);
        let velocities = moves.then(&mut velocities);
        let out = Self {
            velocities,
            geometry,
            arbitrary: archive.inner(geometry, ".arbGeomParams", ""),
            bounds,
            points,
            counts,
            basis,
        };
        out.columns(archive, strands)?;
        Ok(out)
    }

    /// A sample of what moves, and of what goes with it.
    fn pose<W: Write + Seek>(&self, archive: &mut Writer<W>, strands: &Strands) -> io::Result<()> {
        bounds(archive, self.bounds, strands.extent())?;
        let points = strands.points.iter().flat_map(Vec3::to_array);
        archive.numbers(self.points, points.map(f32::to_le_bytes))?;
        if let Some(velocities) = self.velocities {
            let ways = strands.velocities.iter().flat_map(Vec3::to_array);
            archive.numbers(velocities, ways.map(f32::to_le_bytes))?;
        }
        let counts = (0..strands.len()).map(|i| strands.range(i).len() as i32);
        archive.numbers(self.counts, counts.map(i32::to_le_bytes))?;
        // Linear, open, without a basis.
        archive.sample(self.basis, &[1, 0, 0, 0], 1)
    }

    fn columns<W: Write + Seek>(
        &self,
        archive: &mut Writer<W>,
        strands: &Strands,
    ) -> io::Result<()> {
        let version = |name: &str, value: i32| Attribute {
            name: name.into(),
            of: Of::Groom,
            each: 1,
            values: Values::I32(vec![value]),
        };
        let [major, minor, tool] = schema::OWN;
        let short = column::metadata(Of::Groom, "int16_t", 1, 1, None);
        for (name, value) in [(major, 1i16), (minor, 5)] {
            let whole = (Kind::Array, Pod::I16, 1);
            let id = archive.property(self.arbitrary, whole, name, &short, 0);
            archive.sample(id, &value.to_le_bytes(), 1)?;
        }
        let named = Attribute {
            values: Values::Text(vec!["Lovelock".into()]),
            ..version(tool, 0)
        };
        column::write(archive, self.arbitrary, &named)?;
        let columns = strands.attributes.iter();
        for attribute in columns.filter(|column| !schema::is_taken(&column.name)) {
            column::write(archive, self.arbitrary, attribute)?;
        }
        if !strands.attributes.iter().any(|column| column.name == ID) {
            let numbers = Attribute {
                of: Of::Strand,
                values: Values::I32((0..strands.len() as i32).collect()),
                ..version(ID, 0)
            };
            column::write(archive, self.arbitrary, &numbers)?;
        }
        Ok(())
    }

    /// Widths, colours and roots, for Unreal and for everybody else.
    fn looks<W: Write + Seek>(&self, archive: &mut Writer<W>, strands: &Strands) -> io::Result<()> {
        let (float, point) = ("float32_t", Of::Point);
        if !strands.widths.is_empty() {
            let metadata = column::metadata(point, float, 1, 1, None);
            for (parent, name) in [(self.geometry, "width"), (self.arbitrary, schema::WIDTH)] {
                let one = (Kind::Array, Pod::F32, 1);
                let id = archive.property(parent, one, name, &metadata, 0);
                archive.numbers(id, strands.widths.iter().map(|w| w.to_le_bytes()))?;
            }
        }
        if !strands.colours.is_empty() {
            let metadata = column::metadata(point, float, 3, 1, Some("rgb"));
            let three = (Kind::Array, Pod::F32, 3);
            let id = archive.property(self.arbitrary, three, schema::COLOUR, &metadata, 0);
            let colours = strands.colours.as_flattened().iter();
            archive.numbers(id, colours.map(|c| c.to_le_bytes()))?;
        }
        if !strands.root_uvs.is_empty() {
            let metadata = column::metadata(Of::Strand, float, 2, 1, Some("vector"));
            for (parent, name) in [(self.geometry, "uv"), (self.arbitrary, schema::ROOT_UV)] {
                let two = (Kind::Array, Pod::F32, 2);
                let id = archive.property(parent, two, name, &metadata, 0);
                let uvs = strands.root_uvs.as_flattened().iter();
                archive.numbers(id, uvs.map(|c| c.to_le_bytes()))?;
            }
        }
        Ok(())
    }
}

/// A film in one archive.
pub struct AbcFilm {
    archive: Writer<BufWriter<File>>,
    contents: Option<Contents>,
    times: usize,
    part: PartFile,
}

/// Begins a film.
pub fn film(path: &Path, film: &FilmTimes) -> io::Result<Box<dyn Film>> {
    let (part, file) = PartFile::create(path)?;
    let out = BufWriter::with_capacity(1 << 20, file);
    let mut archive = Writer::new(out, "")?;
    let times = archive.times(Times::uniform(film.start, 1.0 / film.rate));
    Ok(Box::new(AbcFilm {
        archive,
        contents: None,
        times,
        part,
    }))
}

impl Film for AbcFilm {
    fn add(&mut self, strands: &Strands) -> io::Result<()> {
        let archive = &mut self.archive;
        let contents = match &mut self.contents {
            Some(contents) => contents,
            contents => contents.insert(Contents::begin(archive, strands, self.times)?),
        };
        contents.pose(archive, strands)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        if self.contents.is_none() {
            return Err(io::Error::other("a film needs a frame"));
        }
        let file = self.archive.finish()?.into_inner()?;
        self.part.keep(&file)
    }
}
