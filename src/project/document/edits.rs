//! Changes of a scene that more than one part of the program makes.

use crate::{
    groom::{ImportParams, styles::Style},
    mesh::{HeadParams, sequence},
    param::{Params as _, Value},
    project::{history::ParamPlace, scene::Scene},
    render::CameraParams,
    sim::{MotionParams, MotionPreset},
};
use std::path::Path;

/// What `motion.sequence_fps` may be. `[1/s]`
const RATES: [f32; 2] = [0.1, 240.0];

/// Lets what is looked at keep its size in the picture after the field of view
/// has changed from `before` `[°]`, where that is wanted. A camera that frames
/// the head by itself does so anyway.
pub fn keep_size(camera: &mut CameraParams, before: f32) {
    let half = |fov: f32| (0.5 * fov.to_radians()).tan();
    if camera.dolly && camera.fov != before {
        let distance = camera.distance * half(before) / half(camera.fov);
        camera.distance = distance.clamp(0.0, 50.0);
    }
}

/// Lets the head be that of `file`; empty is the one that comes with the program.
pub fn take_head(scene: &mut Scene, file: String) {
    // How another file was read says nothing of this one.
    scene.head = HeadParams {
        file,
        ..HeadParams::default()
    };
    drop_sequence(scene);
}

/// Lets the hair be that of `file`; where that is empty, it grows.
pub fn take_groom(scene: &mut Scene, file: String) {
    // How another file was fitted says nothing of this one.
    scene.import = ImportParams {
        file,
        guides: scene.import.guides,
        ..ImportParams::default()
    };
}

/// Lets hair grow in that style; the cut stays.
pub fn take_style(scene: &mut Scene, style: &Style) {
    scene.groom = style.of(&scene.groom);
    // Hair from a file has no style.
    scene.import.file.clear();
}

/// Lets the hair of another scene grow, grown as it is there: how it hangs together and how
/// much of it there is, too. What was set of this head stays, and with it whatever moves
/// and shows the hair.
pub fn take_hair(scene: &mut Scene, of: &Scene) {
    scene.groom = of.groom.clone();
    scene.followers = of.followers.clone();
    scene.roots.strands = of.roots.strands;
    scene.sim.cohesion = of.sim.cohesion.clone();
    // Hair from a file has no style.
    scene.import.file.clear();
}

/// The head is no animated one any more.
pub fn drop_sequence(scene: &mut Scene) {
    let motion = &mut scene.sim.motion;
    motion.sequence.clear();
    if motion.preset == MotionPreset::Sequence {
        motion.preset = MotionPreset::None;
    }
}

/// Lets the head be the sequence that `file` is one of, or holds, and play; as fast as
/// the file says, unless the scene says how fast and plays none yet.
pub fn play_sequence(scene: &mut Scene, file: &Path) {
    let motion = &mut scene.sim.motion;
    let untold = motion.sequence_fps == MotionParams::default().sequence_fps;
    if (untold || !motion.sequence.is_empty())
        && let Some(rate) = sequence::rate(file)
    {
        motion.sequence_fps = (rate as f32).clamp(RATES[0], RATES[1]);
    }
    motion.sequence = file.display().to_string();
    motion.preset = MotionPreset::Sequence;
}

/// Sets the tunable at that place.
///
/// # Errors
/// When the value is none that the tunable may have: one sentence.
pub fn set_param(
    scene: &mut Scene,
    (section, index): ParamPlace,
    value: Value,
) -> Result<(), String> {
    match scene.sections_mut().into_iter().nth(section) {
        Some(section) => section.set(index, value).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}

/// Sets that tunable of the collider in that row.
///
/// # Errors
/// Those of [`set_param`].
pub fn set_collider_param(
    scene: &mut Scene,
    row: usize,
    index: usize,
    value: Value,
) -> Result<(), String> {
    match scene.sim.colliders.get_mut(row) {
        Some(body) => body.set(index, value).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}
