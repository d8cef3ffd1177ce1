//! The turns and ways of a keyframe of the head, as they are typed.

use crate::{
    param::Tunable,
    project::scene::Scene,
    sim::keyframes::Keyframe,
    ui::{
        timeline::number_keys::tunable,
        widgets::{typed::Typed, unit::Unit},
    },
};

/// The numbers of the hand's own pose, which are called the same and have the same units.
const NUMBERS: [&str; 6] = [
    "motion.yaw",
    "motion.pitch",
    "motion.roll",
    "motion.x",
    "motion.y",
    "motion.z",
];

fn tunables(scene: &Scene) -> impl Iterator<Item = Tunable> {
    let sections = scene.sections();
    let found = NUMBERS.map(|name| tunable(&sections, name));
    found.into_iter().flatten()
}

/// What they are called.
pub fn labels(scene: &Scene) -> Vec<&'static str> {
    tunables(scene).map(|tunable| tunable.label).collect()
}

/// Those of the key at that time, each with its unit; none where no key is there. `[s]`
pub fn texts(scene: &Scene, time: f64) -> Vec<String> {
    let keys = &scene.sim.motion.keyframes;
    let Some(index) = keys.key_at(time) else {
        return Vec::new();
    };
    let Keyframe {
        rotation, position, ..
    } = keys.keys()[index];
    let values = [rotation, position].concat();
    let texts = tunables(scene).zip(values);
    texts
        .map(|(tunable, value)| Unit::of(&tunable).text(value.into()))
        .collect()
}

/// Gives number `index` of the key the value that a text says.
///
/// # Errors
/// A few words on what is wrong with the text.
pub fn set(scene: &Scene, key: &mut Keyframe, index: usize, text: &str) -> Result<(), String> {
    let Some(tunable) = tunables(scene).nth(index) else {
        return Ok(());
    };
    let unit = Unit::of(&tunable);
    let (to, most) = match index {
        0..3 => (&mut key.rotation[index], Keyframe::MOST_TURN),
        _ => (&mut key.position[index - 3], Keyframe::FARTHEST),
    };
    let most = f64::from(most) * unit.factor;
    let typed = Typed::new(&unit.suffix, -most..=most).number(text)?;
    *to = (typed / unit.factor) as f32;
    Ok(())
}
