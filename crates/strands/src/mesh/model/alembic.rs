//! Heads in Alembic archives: polygon meshes and subdivision cages with their transforms
//! and face sets, in any of their poses.

use super::parts::{Corners, Faces, ModelParts, RowsPer, group_name, refuse};
use crate::mesh::{MeshError, assemble::Polygons, triangle_mesh::names_scalp};
use glam::{DMat4, Vec2, Vec3};
use lovelock_alembic::{Archive, Error, Kind, Object, Property, Sample, Times, metadata_value};
use std::path::Path;

/// One sample may serve many meshes, but what is read is no more than so many times the
/// file.
const SHARED: usize = 16;

/// How many poses the meshes of an archive have; zero where it has no meshes.
pub fn poses(bytes: &[u8]) -> Result<usize, Error> {
    Ok(paced(bytes)?.0)
}

/// How many of them are in a second; none where there is one, or no time says it.
/// `[1/s]`
pub fn rate(bytes: &[u8]) -> Result<Option<f64>, Error> {
    let (poses, times) = paced(bytes)?;
    Ok(times.and_then(|times| times.rate(poses)))
}

/// When the first of them is; none where there is one, or no time says it. `[s]`
pub fn start(bytes: &[u8]) -> Result<Option<f64>, Error> {
    let (poses, times) = paced(bytes)?;
    Ok(times.filter(|_| poses > 1).map(|times| times.at(0)))
}

/// How many poses there are, and when those of what has most of them are.
type Paced = (usize, Option<Times>);

fn paced(bytes: &[u8]) -> Result<Paced, Error> {
    let archive = Archive::open(bytes)?;
    let mut most = (0, None);
    let mut left = bytes.len() / 32;
    count(&archive.top()?, &(0, None), &mut most, &mut left)?;
    Ok(most)
}

fn count(object: &Object, above: &Paced, most: &mut Paced, left: &mut usize) -> Result<(), Error> {
    spend(left, 1)?;
    let moved = object.poses()?;
    let own = match moved > above.0 {
        true => &(moved, object.times()?),
        false => above,
    };
    if is_mesh(object) {
        let geometry = object.property(".geom")?;
        let points = geometry
            .map(|geometry| geometry.property("P"))
            .transpose()?;
        let points = points.flatten();
        let points = points.map_or((0, None), |p| (p.samples(), p.times().cloned()));
        for (poses, times) in [&points, own, &(1, None)] {
            if *poses > most.0 {
                *most = (*poses, times.clone());
            }
        }
    }
    for child in object.children()? {
        count(&child, own, most, left)?;
    }
    Ok(())
}

fn spend(left: &mut usize, bytes: usize) -> Result<(), Error> {
    *left = left.checked_sub(bytes).ok_or_else(|| Error {
        at: 0,
        text: "its objects share one part too many times".into(),
    })?;
    Ok(())
}

/// What a parameter of geometry says its rows are for.
fn rows_per(property: Option<&Property>) -> RowsPer {
    let scope = property.and_then(|property| metadata_value(property.metadata(), "geoScope"));
    RowsPer::named(scope.unwrap_or_default())
}

fn is_mesh(object: &Object) -> bool {
    let schema = metadata_value(&object.metadata, "schema").unwrap_or_default();
    schema.starts_with("AbcGeom_PolyMesh") || schema.starts_with("AbcGeom_SubD")
}

/// What is wrong with an archive, and where.
pub fn fault(error: Error, path: &Path) -> MeshError {
    MeshError::Model {
        path: path.into(),
        place: match error.at {
            0 => String::new(),
            at => format!(", byte {at}"),
        },
        why: error.to_string(),
    }
}

/// The meshes of an archive at the time of the pose of that number, by the last sample of
/// each thing at it or before; by that number where no time is told.
pub fn read(bytes: &[u8], path: &Path, pose: usize) -> Result<ModelParts, MeshError> {
    let fault = |error: Error| fault(error, path);
    let archive = Archive::open(bytes).map_err(fault)?;
    let (_, times) = paced(bytes).map_err(fault)?;
    let mut reader = Reader {
        out: ModelParts::default(),
        pose,
        time: times.map(|times| times.at(pose)),
        curves: 0,
        objects: bytes.len() / 32,
        room: bytes.len().saturating_mul(SHARED),
    };
    let top = archive.top().map_err(fault)?;
    reader.object(&top, DMat4::IDENTITY, &[]).map_err(fault)?;
    if reader.out.parts.is_empty() {
        return Err(refuse(
            path,
            match reader.curves {
                0 => "it is an Alembic archive without polygons; export the head's polygons",
                _ => {
                    "it is an Alembic archive with curves and no polygons; give it as the groom, \
                     and the head's polygons as the head"
                }
            },
        ));
    }
    Ok(reader.out)
}

struct Reader {
    out: ModelParts,
    pose: usize,
    /// When that is, where the archive says it. `[s]`
    time: Option<f64>,
    curves: usize,
    /// How many more objects there can be.
    objects: usize,
    /// How many more bytes of samples are read.
    room: usize,
}

impl Reader {
    fn object(&mut self, object: &Object, parent: DMat4, above: &[&str]) -> Result<(), Error> {
        spend(&mut self.objects, 1)?;
        let schema = metadata_value(&object.metadata, "schema").unwrap_or_default();
        let placed = match schema.starts_with("AbcGeom_Xform") {
            true => match self.time {
                Some(time) => object.place_at(parent, time)?,
                None => object.place(parent, self.pose)?,
            },
            false => parent,
        };
        let names: Vec<&str> = std::iter::once(&object.name[..])
            .chain(above.iter().copied())
            .collect();
        if is_mesh(object) {
            self.mesh(object, placed, &names)?;
        } else if schema.starts_with("AbcGeom_Curve") {
            self.curves += 1;
        }
        let children = object.children()?;
        let told = children.iter().map(|c| c.name.len() + c.metadata.len());
        spend(&mut self.room, told.sum())?;
        for child in children {
            self.object(&child, placed, &names)?;
        }
        Ok(())
    }

    /// The values of a property in the pose, or the last before.
    fn values<T>(
        &mut self,
        property: Option<&Property>,
        taken: impl Fn(&Sample) -> Result<Vec<T>, Error>,
    ) -> Result<Vec<T>, Error> {
        let Some(property) = property.filter(|property| property.samples() > 0) else {
            return Ok(Vec::new());
        };
        let index = match self.time {
            Some(time) => property.index_at(time),
            None => self.pose.min(property.samples() - 1),
        };
        let sample = property.sample(index)?;
        spend(&mut self.room, sample.size())?;
        taken(&sample)
    }

    fn mesh(&mut self, object: &Object, placed: DMat4, names: &[&str]) -> Result<(), Error> {
        let Some(geometry) = object.property(".geom")? else {
            return Ok(());
        };
        let inner = geometry.properties()?;
        spend(
            &mut self.room,
            inner.iter().map(|p| 32 + p.name().len()).sum(),
        )?;
        let find = |name: &str| inner.iter().find(|property| property.name() == name);
        let points = self.values(find("P"), |s| s.floats())?;
        let points: Vec<Vec3> = points.chunks_exact(3).map(Vec3::from_slice).collect();
        // What is negative is no vertex that there is.
        let whole = |s: &Sample| -> Result<Vec<u32>, Error> {
            let all = s.whole()?.into_iter();
            Ok(all.map(|v| u32::try_from(v).unwrap_or(u32::MAX)).collect())
        };
        let arities = self.values(find(".faceCounts"), whole)?;
        let corners = self.values(find(".faceIndices"), whole)?;
        let sum: u64 = arities.iter().map(|n| u64::from(*n)).sum();
        if sum != corners.len() as u64 {
            return Err(Error {
                at: 0,
                text: format!(
                    "the mesh \"{}\" promises {sum} corners and has {}",
                    object.name,
                    corners.len()
                ),
            });
        }
        if arities.is_empty() {
            return Ok(());
        }
        let [uv, normal] = ["uv", "N"].map(find);
        let (uvs, uv_rows) = self.rows(uv)?;
        let (normals, normal_rows) = self.rows(normal)?;
        let uvs = uvs.chunks_exact(2).map(Vec2::from_slice).collect();
        let normals = normals.chunks_exact(3).map(Vec3::from_slice).collect();
        let count = arities.len();
        let faces = Faces {
            uvs: Corners::spread(uvs, uv_rows, rows_per(uv), &corners, points.len()),
            normals: Corners::spread(
                normals,
                normal_rows,
                rows_per(normal),
                &corners,
                points.len(),
            ),
            points,
            arities,
            corners,
            // As in RenderMan.
            clockwise: true,
        };
        let mut part = faces.place(placed, group_name(names), None);
        for child in object.children()? {
            self.face_set(&child, &mut part, count)?;
        }
        self.out.parts.push(part);
        Ok(())
    }

    /// Rows of a parameter, and which of them each place has where that is told.
    fn rows(&mut self, property: Option<&Property>) -> Result<(Vec<f32>, Option<Vec<u32>>), Error> {
        let Some(property) = property else {
            return Ok((Vec::new(), None));
        };
        if property.kind() != Kind::Compound {
            return Ok((self.values(Some(property), |s| s.floats())?, None));
        }
        let inner = property.properties()?;
        let find = |name: &str| inner.iter().find(|property| property.name() == name);
        let values = self.values(find(".vals"), |s| s.floats())?;
        let indices = self.values(find(".indices"), |s| {
            let all = s.whole()?.into_iter();
            Ok(all.map(|v| u32::try_from(v).unwrap_or(u32::MAX)).collect())
        })?;
        Ok((values, (!indices.is_empty()).then_some(indices)))
    }

    /// Gives faces of a part the name of a set that is that of a scalp.
    fn face_set(
        &mut self,
        object: &Object,
        part: &mut Polygons,
        count: usize,
    ) -> Result<(), Error> {
        let schema = metadata_value(&object.metadata, "schema").unwrap_or_default();
        if !schema.starts_with("AbcGeom_FaceSet") || !names_scalp(&object.name) {
            return Ok(());
        }
        let Some(set) = object.property(".faceset")? else {
            return Ok(());
        };
        let inner = set.properties()?;
        let faces = inner.iter().find(|property| property.name() == ".faces");
        let faces = self.values(faces, |s| s.whole())?;
        part.groups.push(object.name.clone());
        part.face_groups.resize(count, 0);
        let group = part.groups.len() as u32 - 1;
        for face in faces {
            let face = usize::try_from(face).ok();
            if let Some(own) = face.and_then(|face| part.face_groups.get_mut(face)) {
                *own = group;
            }
        }
        Ok(())
    }
}
