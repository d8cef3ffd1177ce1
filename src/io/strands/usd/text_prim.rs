//! What moves of a prim in USD's text: in one pose, or in a film, whose attributes stand
//! one below the other while frames come one after the other.

use super::text_rows::places;
use crate::io::{files::PartFile, strands::Strands, strands::WornHead};
use glam::Vec3;
use std::{
    fmt::{self, Write as _},
    fs::File,
    io::{self, BufWriter, Seek as _, Write},
    path::Path,
};

/// Points of a prim in a frame, and what goes with them.
pub struct PrimPlaces<'a> {
    points: &'a [Vec3],
    velocities: &'a [Vec3],
    extent: [Vec3; 2],
}

impl<'a> PrimPlaces<'a> {
    /// Those of strands.
    pub fn of_hair(strands: &'a Strands) -> Self {
        Self {
            points: &strands.points,
            velocities: &strands.velocities,
            extent: strands.extent(),
        }
    }

    /// Those of a head.
    pub fn of_head(head: &'a WornHead) -> Self {
        Self {
            points: &head.points,
            velocities: &head.velocities,
            extent: head.bounds(),
        }
    }

    /// Their attributes in one pose.
    pub fn write(&self, out: &mut String) -> fmt::Result {
        out.push_str("        point3f[] points = ");
        places(out, self.points)?;
        if !self.velocities.is_empty() {
            out.push_str("        vector3f[] velocities = ");
            places(out, self.velocities)?;
        }
        out.push_str("        float3[] extent = ");
        places(out, &self.extent)
    }
}

/// Text that stands farther down in a file than what comes later: in a file of its own
/// until then, which nothing is left of.
struct Aside {
    out: BufWriter<File>,
    _part: PartFile,
}

impl Aside {
    /// For a part that is called so of the file `path`.
    fn new(path: &Path, part: &str) -> io::Result<Self> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{part}"));
        let (part, file) = PartFile::create(&path.with_file_name(name))?;
        Ok(Self {
            out: BufWriter::new(file),
            _part: part,
        })
    }

    fn append_to(self, out: &mut impl Write) -> io::Result<()> {
        let mut file = self.out.into_inner()?;
        file.rewind()?;
        io::copy(&mut file, out).map(|_| ())
    }
}

/// The samples of a prim that are written after its points, or those of one that comes
/// after another.
pub struct Samples {
    points: Option<Aside>,
    velocities: Option<Aside>,
    extents: String,
}

impl Samples {
    /// Those of a prim that is called so in the file `path`; its points, too, if they are
    /// to stand `aside`; velocities if it `moves`.
    pub fn new(path: &Path, prim: &str, aside: bool, moves: bool) -> io::Result<Self> {
        let part = |wanted: bool, what: &str| {
            let aside = wanted.then(|| Aside::new(path, &format!("{prim}-{what}")));
            aside.transpose()
        };
        Ok(Self {
            points: part(aside, "points")?,
            velocities: part(moves, "velocities")?,
            extents: String::new(),
        })
    }

    /// Adds a frame at this time code; what does not stand aside goes to `out`.
    pub fn add(&mut self, code: f64, frame: &PrimPlaces, out: &mut impl Write) -> io::Result<()> {
        let row = |rows: &[Vec3]| -> io::Result<String> {
            let mut text = String::with_capacity(40 * rows.len());
            let _ = write!(text, "            {code}: ");
            places(&mut text, rows).map_err(io::Error::other)?;
            text.pop();
            text.push_str(",\n");
            Ok(text)
        };
        let points = row(frame.points)?;
        match &mut self.points {
            Some(aside) => aside.out.write_all(points.as_bytes())?,
            None => out.write_all(points.as_bytes())?,
        }
        if let Some(aside) = &mut self.velocities {
            aside.out.write_all(row(frame.velocities)?.as_bytes())?;
        }
        self.extents += &row(&frame.extent)?;
        Ok(())
    }

    /// Writes what stood aside. The list of points is open before, where they did not.
    pub fn finish(self, out: &mut impl Write) -> io::Result<()> {
        let end = b"        }\n";
        if let Some(points) = self.points {
            out.write_all(POINTS.as_bytes())?;
            points.append_to(out)?;
        }
        out.write_all(end)?;
        if let Some(velocities) = self.velocities {
            out.write_all(b"        vector3f[] velocities.timeSamples = {\n")?;
            velocities.append_to(out)?;
            out.write_all(end)?;
        }
        out.write_all(b"        float3[] extent.timeSamples = {\n")?;
        out.write_all(self.extents.as_bytes())?;
        out.write_all(end)
    }
}

/// How the list of points in time begins.
pub const POINTS: &str = "        point3f[] points.timeSamples = {\n";
