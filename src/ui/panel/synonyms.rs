//! Words that people who work on hair say for what is called otherwise here, and the
//! American spelling of some that are written in the British way.

use super::table::Section;
use crate::param::Tunable;

/// Further words, and the rows that they find: by name (`section.key`), or, without a
/// point, all rows with that word in what they are called.
const FURTHER: &[(&str, &[&str])] = &[
    (
        "hair density dense fuller",
        &["roots.strands", "followers.each"],
    ),
    (
        "hair thickness thin thick",
        &[
            "look.width",
            "roots.strands",
            "look.fullness",
            "look.width_ramp",
        ],
    ),
    (
        "hair colour",
        &[
            "look.eumelanin",
            "look.pheomelanin",
            "look.dye",
            "look.root_eumelanin",
            "look.tone_colour",
            "look.grey",
        ],
    ),
    ("bangs", &["groom.fringe"]),
    ("part", &["roots.parting"]),
    (
        "shadows",
        &[
            "look.shadow",
            "light.key",
            "light.key_yaw",
            "light.key_pitch",
        ],
    ),
    (
        "depth of field bokeh blur",
        &[
            "camera.aperture",
            "capture.samples",
            "capture.frame_samples",
        ],
    ),
    (
        "antialiasing",
        &["capture.samples", "capture.frame_samples"],
    ),
    (
        "ombre balayage highlights",
        &["look.root_eumelanin", "look.tone_tips", "look.tone_streaks"],
    ),
    (
        "two-tone bleach dip dye",
        &["look.tone_colour", "look.tone_tips", "look.tone_streaks"],
    ),
    (
        "point cutting slithering texturizing soft cut random",
        &["hand.ragged"],
    ),
    (
        "relax fair kinks comb",
        &["hand.smooth", "hand.smooth_curls"],
    ),
    (
        "ponytail bun braid updo",
        &[
            "groom.tie",
            "groom.tie_share",
            "groom.tie_height",
            "groom.tie_width",
        ],
    ),
    (
        "half-up half up-down half-updo partly section",
        &["groom.tie_share", "groom.tie"],
    ),
    ("glossy shiny", &["look.shine"]),
    ("glossy shiny shine", &["look.roughness"]),
    (
        "bounce bouncy springy",
        &["stiffness", "damping", "sim.softness"],
    ),
    (
        "speed performance slow lag",
        &[
            "sim.rate",
            "sim.substep_ms",
            "sim.keep_pace",
            "sim.budget",
            "look.drawn",
        ],
    ),
];

/// What is typed, and how it is spelled here.
const SPELLINGS: &[(&str, &str)] = &[
    ("color", "colour"),
    ("gray", "grey"),
    ("center", "centre"),
    ("fiber", "fibre"),
];

/// Further words for a row of a section; often none.
pub(super) fn further(section: &Section, tunable: &Tunable) -> Vec<&'static str> {
    let means = |row: &&str| match row.split_once('.') {
        Some((id, key)) => id == section.id && key == tunable.key,
        None => tunable.label.to_lowercase().contains(*row),
    };
    let told = FURTHER.iter().filter(|(_, rows)| rows.iter().any(means));
    told.map(|(words, _)| *words).collect()
}

/// A word as it is spelled here.
pub(super) fn spelled(word: &str) -> String {
    let british = |word: String, (theirs, ours): &(&str, &str)| word.replace(theirs, ours);
    SPELLINGS.iter().fold(word.to_lowercase(), british)
}

#[cfg(test)]
mod tests {
    use super::{super::SECTIONS, *};
    use crate::project::scene::Scene;

    #[test]
    fn every_row_that_has_further_words_exists() {
        let scene = Scene::default();
        let all = scene.sections();
        for row in FURTHER.iter().flat_map(|(_, rows)| *rows) {
            let found = SECTIONS.iter().any(|section| {
                let params = all.iter().find(|params| params.section() == section.id);
                let tunables = params.map_or(Vec::new(), |params| params.tunables());
                tunables.iter().any(|tunable| match row.split_once('.') {
                    Some((id, key)) => (id, key) == (section.id, tunable.key),
                    None => tunable.label.to_lowercase().contains(row),
                })
            });
            assert!(found, "{row}");
        }
    }
}
