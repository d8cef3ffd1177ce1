//! One picture of hair that is somewhere in its motion: for contact sheets, and
//! for programs that use this one as a library.

use super::headless_session::HeadlessSession;
use crate::{
    param,
    project::{built_scene::BuiltScene, scene::Scene},
    render::{EnvironmentCache, Exposure, Headless, Lens, ViewPreset},
    sim::Simulation,
};

/// How a picture is taken.
#[derive(Clone, Debug)]
pub struct Shot<'a> {
    /// Width and height. `[px]`
    pub size: [u32; 2],
    /// Pictures that are averaged for it; one shows thin strands merged.
    pub samples: u32,
    /// Where to look from; none for the scene's camera.
    pub view: Option<ViewPreset>,
    /// Simulated time that it shows; hair that is not so far is simulated up to
    /// it, that of the scene which is built stays as it is. `[s]`
    pub time: f64,
    /// What is written into its lower left corner, a line each.
    pub labels: &'a [String],
}

/// Pixels of a picture, top row first.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Width and height. `[px]`
    pub size: [u32; 2],
    /// Red, green and blue of each pixel, and its cover where the scene's pictures
    /// are transparent.
    pub pixels: Vec<u8>,
}

/// Takes a picture of the first side of `scene`, which `stage` was built from, in the
/// light of an environment out of `environments`. `context` is current on this thread.
///
/// # Errors
/// When the driver cannot draw it, or the scene's environment cannot be read.
pub fn picture(
    context: &Headless,
    stage: &BuiltScene,
    scene: &Scene,
    environments: &mut EnvironmentCache,
    shot: &Shot,
) -> anyhow::Result<Picture> {
    picture_and(context, stage, scene, environments, shot, |_| Ok(()))
}

/// The same, and hands the hair of the picture to `then`.
///
/// # Errors
/// Those of [`picture`], and of `then`.
pub fn picture_and(
    context: &Headless,
    stage: &BuiltScene,
    scene: &Scene,
    environments: &mut EnvironmentCache,
    shot: &Shot,
    then: impl FnOnce(&Simulation) -> anyhow::Result<()>,
) -> anyhow::Result<Picture> {
    let sides = vec![scene.sim.clone()];
    let environment = environments.load(&scene.light)?;
    let (view, size) = (shot.view, shot.size);
    let mut session = HeadlessSession::new(context, stage, scene, environment, sides, view, size)?;
    if shot.samples > 1 {
        session.expose(Exposure {
            samples: shot.samples,
            lens: Lens::of(&scene.camera),
        });
    }
    session.label(context, shot.labels)?;
    let (width, height, pixels) = session.picture(shot.time, None, &mut |_| ())?;
    if let Some((simulation, _)) = session.simulations().next() {
        then(simulation)?;
    }
    Ok(Picture {
        size: [width, height],
        pixels,
    })
}

/// Where `name` says to look from; a view that the scene keeps becomes the scene's
/// camera, and none is returned.
///
/// # Errors
/// When there is no such view: the sentence names those that are there.
pub fn view_named(name: &str, scene: &mut Scene) -> Result<Option<ViewPreset>, String> {
    let like = |other: &str| name.eq_ignore_ascii_case(other);
    let kept = scene.views.iter().enumerate();
    if let Some((_, view)) = kept.clone().find(|(row, view)| like(&view.title(*row))) {
        view.apply(&mut scene.camera);
        return Ok(None);
    }
    let places = ViewPreset::ALL;
    if let Some(place) = places.into_iter().find(|place| like(place.id())) {
        return Ok(Some(place));
    }
    let titles = kept.map(|(row, view)| view.title(row));
    let known: Vec<String> = places
        .map(|p| p.id().to_string())
        .into_iter()
        .chain(titles)
        .collect();
    let guess = param::guess(name, known.clone());
    Err(format!(
        "there is no view \"{name}\"; it can be {}{guess}",
        known.join(", ")
    ))
}
