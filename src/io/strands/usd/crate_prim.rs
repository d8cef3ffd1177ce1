//! What moves of a prim in a USD crate file, and the head, which is a prim of its own.

use crate::io::strands::{HeadFaces, Strands, WornHead};
use glam::Vec3;
use lovelock_usd::{CrateWriter, PrimId, Rep};
use std::io::{self, Seek, Write};

/// Where the points of a prim are in a frame, and what goes with them.
#[derive(Clone, Copy)]
pub struct PlacedPoints {
    points: Rep,
    extent: Rep,
    velocities: Option<Rep>,
}

impl PlacedPoints {
    /// Those of strands.
    pub fn of_hair<W: Write + Seek>(
        file: &mut CrateWriter<W>,
        strands: &Strands,
    ) -> io::Result<Self> {
        let (points, velocities) = (&strands.points, &strands.velocities);
        Self::new(file, points, velocities, &strands.extent())
    }

    /// Those of a head.
    pub fn of_head<W: Write + Seek>(
        file: &mut CrateWriter<W>,
        head: &WornHead,
    ) -> io::Result<Self> {
        Self::new(file, &head.points, &head.velocities, &head.bounds())
    }

    fn new<W: Write + Seek>(
        file: &mut CrateWriter<W>,
        points: &[Vec3],
        velocities: &[Vec3],
        extent: &[Vec3; 2],
    ) -> io::Result<Self> {
        let mut rows = |rows: &[Vec3]| {
            let numbers: Vec<f32> = rows.iter().flat_map(Vec3::to_array).collect();
            file.floats(3, &numbers)
        };
        Ok(Self {
            points: rows(points)?,
            extent: rows(extent)?,
            velocities: match velocities {
                [] => None,
                all => Some(rows(all)?),
            },
        })
    }

    /// Writes the attributes of a `prim` that has these in its frames, at time codes `times`;
    /// none has one pose without a time.
    pub fn write<W: Write + Seek>(
        frames: &[Self],
        times: Option<&[f64]>,
        prim: PrimId,
        file: &mut CrateWriter<W>,
    ) -> io::Result<()> {
        let mut attribute = |name: &str, kind: &str, all: Vec<Rep>| -> io::Result<()> {
            let field = match (times, all.first()) {
                (Some(times), _) => ("timeSamples", file.samples(times, &all)?),
                (None, Some(only)) => ("default", *only),
                (None, None) => return Ok(()),
            };
            file.attribute(prim, name, kind, &[field]);
            Ok(())
        };
        let of = |of: fn(&Self) -> Rep| frames.iter().map(of).collect();
        attribute("points", "point3f[]", of(|frame| frame.points))?;
        let velocities: Option<Vec<Rep>> = frames.iter().map(|frame| frame.velocities).collect();
        if let Some(velocities) = velocities {
            attribute("velocities", "vector3f[]", velocities)?;
        }
        attribute("extent", "float3[]", of(|frame| frame.extent))
    }
}

/// Adds the head below the prim `top`, but for where its points are.
pub fn head<W: Write + Seek>(
    file: &mut CrateWriter<W>,
    top: PrimId,
    faces: &HeadFaces,
) -> io::Result<PrimId> {
    let head = file.prim(Some(top), "Head", "Mesh");
    let fields = [
        ("default", file.token("none")),
        ("variability", file.uniform()),
    ];
    file.attribute(head, "subdivisionScheme", "token", &fields);
    let whole =
        |all: &[[u32; 3]]| -> Vec<i32> { all.as_flattened().iter().map(|v| *v as i32).collect() };
    let counts = file.ints(1, &vec![3; faces.triangles.len()])?;
    file.attribute(head, "faceVertexCounts", "int[]", &[("default", counts)]);
    let indices = file.ints(1, &whole(&faces.triangles))?;
    file.attribute(head, "faceVertexIndices", "int[]", &[("default", indices)]);
    if !faces.corners.is_empty() {
        let uvs = file.floats(2, faces.uvs.as_flattened())?;
        let fields = [
            ("default", uvs),
            ("interpolation", file.token("faceVarying")),
        ];
        file.attribute(head, "primvars:st", "texCoord2f[]", &fields);
        let indices = file.ints(1, &whole(&faces.corners))?;
        file.attribute(
            head,
            "primvars:st:indices",
            "int[]",
            &[("default", indices)],
        );
    }
    Ok(head)
}
