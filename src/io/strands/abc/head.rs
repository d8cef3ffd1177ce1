//! The head as a polygon mesh in an Alembic archive.

use super::{column, schema};
use crate::io::strands::{HeadFaces, WornHead, attribute::Of};
use glam::Vec3;
use lovelock_alembic::{Kind, NodeId, Pod, PropertyId, Writer};
use std::io::{self, Seek, Write};

/// The mesh of an archive.
pub struct HeadMesh {
    bounds: PropertyId,
    points: PropertyId,
    velocities: Option<PropertyId>,
    /// Bytes of what stays, and where its samples go.
    faces: [(PropertyId, Vec<u8>); 2],
}

/// A triangle as Alembic has it: clockwise seen from outside, as in RenderMan.
fn clockwise([a, b, c]: [u32; 3]) -> [u32; 3] {
    [c, b, a]
}

fn whole(all: &[[u32; 3]]) -> Vec<u8> {
    let turned = all.iter().flat_map(|corners| clockwise(*corners));
    turned.flat_map(u32::to_le_bytes).collect()
}

impl HeadMesh {
    /// Says all that does not move of a head that is sampled at these `times`.
    pub fn begin<W: Write + Seek>(
        archive: &mut Writer<W>,
        groom: NodeId,
        head: &WornHead,
        times: usize,
    ) -> io::Result<Self> {
        let (mesh, base) = (schema::MESH, schema::BASE);
        let title = format!("schema={mesh};schemaBaseType={base};schemaObjTitle={mesh}:.geom");
        let node = archive.object(groom, "head", &title);
        let metadata = format!("schema={mesh};schemaBaseType={base}");
        let geometry = archive.compound(node, ".geom", &metadata);
        let six = (Kind::Scalar, Pod::F64, 6);
        let three = (Kind::Array, Pod::F32, 3);
        let one = (Kind::Array, Pod::I32, 1);
        let bounds = archive.property(geometry, six, ".selfBnds", "interpretation=box", times);
        let points = archive.property(geometry, three, "P", schema::PLACES, times);
        let velocities = (!head.velocities.is_empty())
            .then(|| archive.property(geometry, three, ".velocities", schema::VELOCITIES, times));
        let faces = &head.faces;
        let indices = archive.property(geometry, one, ".faceIndices", "", times);
        let counts = archive.property(geometry, one, ".faceCounts", "", times);
        if !faces.corners.is_empty() {
            uvs(archive, geometry, faces)?;
        }
        let three = faces.triangles.iter().flat_map(|_| 3i32.to_le_bytes());
        Ok(Self {
            bounds,
            points,
            velocities,
            faces: [
                (indices, whole(&faces.triangles)),
                (counts, three.collect()),
            ],
        })
    }

    /// A sample of what moves, and of what goes with it.
    pub fn pose<W: Write + Seek>(
        &self,
        archive: &mut Writer<W>,
        head: &WornHead,
    ) -> io::Result<()> {
        bounds(archive, self.bounds, head.bounds())?;
        let rows = |rows: &[Vec3]| -> Vec<u8> {
            let numbers = rows.iter().flat_map(Vec3::to_array);
            numbers.flat_map(f32::to_le_bytes).collect()
        };
        archive.sample(self.points, &rows(&head.points), head.points.len())?;
        if let Some(velocities) = self.velocities {
            archive.sample(velocities, &rows(&head.velocities), head.velocities.len())?;
        }
        for (property, bytes) in &self.faces {
            archive.sample(*property, bytes, bytes.len() / 4)?;
        }
        Ok(())
    }
}

/// Smallest and largest coordinates as a sample.
pub fn bounds<W: Write + Seek>(
    archive: &mut Writer<W>,
    property: PropertyId,
    bounds: [Vec3; 2],
) -> io::Result<()> {
    let bounds = bounds.iter().flat_map(Vec3::to_array);
    archive.numbers(property, bounds.map(|c| f64::from(c).to_le_bytes()))
}

/// Texture coordinates, each once, and which of them each corner has.
fn uvs<W: Write + Seek>(
    archive: &mut Writer<W>,
    geometry: PropertyId,
    faces: &HeadFaces,
) -> io::Result<()> {
    let metadata = column::metadata(Of::Point, "float32_t", 2, 1, Some("vector"));
    // Each corner has one of its own, for a seam parts them.
    let metadata = metadata.replace("geoScope=vtx", "geoScope=fvr");
    let holder = archive.inner(geometry, "uv", &metadata);
    let two = (Kind::Array, Pod::F32, 2);
    let values = archive.property(holder, two, ".vals", &metadata, 0);
    let numbers = faces.uvs.as_flattened().iter();
    archive.numbers(values, numbers.map(|c| c.to_le_bytes()))?;
    let one = (Kind::Array, Pod::U32, 1);
    let indices = archive.property(holder, one, ".indices", "", 0);
    archive.sample(indices, &whole(&faces.corners), 3 * faces.corners.len())
}
