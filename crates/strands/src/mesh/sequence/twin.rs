//! Two heads with the same faces: which place on the one is which on the other.

use super::{LoadedHead, frames::Frames, scan::Scan, sources};
use crate::mesh::{HeadParams, load::BUILT_IN};
use glam::Vec3;
use std::path::Path;

/// Where each vertex of `head` is on the `other` head, in the space of that one, if both
/// have the same faces; each was loaded as its parameters say. `[m]`
pub fn twin(
    (head, params): (&LoadedHead, &HeadParams),
    (other, others): (&LoadedHead, &HeadParams),
) -> Option<Vec<Vec3>> {
    if head.mesh.triangles == other.mesh.triangles {
        return Some(other.mesh.positions.clone());
    }
    // Polygons may be cut otherwise where they are bent otherwise, and vertices that are
    // one on one of the heads be two on the other.
    let raw = |params: &HeadParams| match params.file.is_empty() {
        true => Scan::read(BUILT_IN.as_bytes(), Path::new("built-in head")).ok(),
        false => Frames::Files(vec![params.file.as_str().into()])
            .scan(0)
            .ok(),
    };
    let (mine, its) = (raw(params)?, raw(others)?);
    if mine.positions.is_empty() || mine.faces.is_empty() || mine.unlike(&its).is_some() {
        return None;
    }
    let here = sources(&head.mesh, &mine.positions, |p| {
        head.report.placing.place(*p)
    });
    let there = |source: &u32| other.report.placing.place(its.positions[*source as usize]);
    Some(here.iter().map(there).collect())
}
