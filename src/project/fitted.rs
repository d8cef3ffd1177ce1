//! How the hair of a scene's file lies to its head, and what would fit it better,
//! without building the scene.

use super::{
    built_scene::{BuildError, import},
    scene::Scene,
};
use crate::{
    groom::{
        BindReport, ImportParams, bind,
        fit_limits::FitLimits,
        fit_near::{NearFit, near_fit},
    },
    mesh::{self, CollisionMesh},
};

/// What fitting a groom to a head comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Fitted {
    /// This brings the roots nearest to the head.
    Better(ImportParams),
    /// It fits as it is: so far are the roots from the skin on average. `[m]`
    AsItIs(f32),
    /// It does not fit, and nothing that was found is better.
    NoBetter,
}

/// What the hair of the scene's file must be set to so that it is nearest to the head, as
/// the window's button does it; with the scale that it has where that is to be `kept`.
/// None of grown hair.
///
/// # Errors
/// Those of [`build`](super::built_scene::build).
pub fn fitted(scene: &Scene, kept: bool) -> Result<Option<Fitted>, BuildError> {
    let report = bound_within(scene, &scene.import.fit_limits(kept))?;
    Ok(report.map(|report| match report.better {
        Some(better) => Fitted::Better(better.apply(&scene.import)),
        None if report.misfits => Fitted::NoBetter,
        None => Fitted::AsItIs(report.mean_distance),
    }))
}

/// The same of hair that lies nearly right: what brings it to the skin from where it is.
/// None of grown hair.
///
/// # Errors
/// Those of [`build`](super::built_scene::build).
pub fn fitted_near(scene: &Scene, how: NearFit) -> Result<Option<ImportParams>, BuildError> {
    let Some(wig) = import(scene)? else {
        return Ok(None);
    };
    let body = head_of(scene)?;
    let loose = wig.strands.loose(&wig.found);
    Ok(Some(near_fit(&loose, &scene.import, &body, how)))
}

/// The head that the hair of the scene's file was made for.
fn head_of(scene: &Scene) -> Result<CollisionMesh, BuildError> {
    let head = scene.import.made_for();
    // What is odd about it is told when the scene is built.
    let head = mesh::load::load_untold(head.as_ref().unwrap_or(&scene.head));
    let head = head.map_err(BuildError::Head)?;
    Ok(CollisionMesh::of_head(&head, scene.sim.collision.cell))
}

/// How the hair of the scene's file comes onto the head, or onto the one that it was
/// made for; none of grown hair.
///
/// # Errors
/// Those of [`build`](super::built_scene::build).
pub fn bound(scene: &Scene) -> Result<Option<BindReport>, BuildError> {
    bound_within(scene, &scene.import.fit_limits(false))
}

fn bound_within(scene: &Scene, limits: &FitLimits) -> Result<Option<BindReport>, BuildError> {
    let Some(wig) = import(scene)? else {
        return Ok(None);
    };
    let body = head_of(scene)?;
    let loose = wig.strands.loose(&wig.found);
    let mut bound = bind::bind_within(&loose, &scene.import, &body, limits).map_err(|source| {
        BuildError::Bind {
            file: scene.import.file.clone(),
            source,
        }
    })?;
    let left = wig.strands.poses_left();
    bound.report.warnings.splice(0..0, left);
    Ok(Some(bound.report))
}
