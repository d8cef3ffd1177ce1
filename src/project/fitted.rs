//! How the hair of a scene's file lies to its head, and what would fit it better,
//! without building the scene.

use super::{
    built_scene::{BuildError, import},
    scene::Scene,
};
use crate::{
    groom::{BindReport, ImportParams, bind},
    mesh::{self, CollisionMesh},
};

/// What the hair of the scene's file must be set to so that it is nearest to the head,
/// as the window's button does it; none where it fits as it is, or none would fit
/// better.
///
/// # Errors
/// Those of [`build`](super::built_scene::build).
pub fn fitted(scene: &Scene) -> Result<Option<ImportParams>, BuildError> {
    let better = bound(scene)?.and_then(|report| report.better);
    Ok(better.map(|better| better.apply(&scene.import)))
}

/// How the hair of the scene's file comes onto the head, or onto the one that it was
/// made for; none of grown hair.
///
/// # Errors
/// Those of [`build`](super::built_scene::build).
pub fn bound(scene: &Scene) -> Result<Option<BindReport>, BuildError> {
    let Some(wig) = import(scene)? else {
        return Ok(None);
    };
    let head = scene.import.made_for();
    let head = mesh::load(head.as_ref().unwrap_or(&scene.head)).map_err(BuildError::Head)?;
    let mut body = CollisionMesh::new(head.mesh.clone(), scene.sim.collision.cell);
    body.placing = Some(head.report.placing).filter(|placing| !placing.is_plain());
    let loose = wig.strands.loose(&wig.found);
    let mut bound =
        bind::bind(&loose, &scene.import, &body).map_err(|source| BuildError::Bind {
            file: scene.import.file.clone(),
            source,
        })?;
    let left = wig.strands.poses_left();
    bound.report.warnings.splice(0..0, left);
    Ok(Some(bound.report))
}
