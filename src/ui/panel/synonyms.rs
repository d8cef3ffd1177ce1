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
        "depth of field bokeh blur focus",
        &[
            "camera.aperture",
            "camera.focus",
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
    ("grow shrink lengthen extend longer shorter", &["hand.grow"]),
    (
        "puff volume tease backcomb root lift inflate flatten",
        &["hand.lift"],
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
    (
        "focal length lens zoom perspective angle of view",
        &["camera.fov", "camera.dolly"],
    ),
    (
        "resolution size pixels aspect 1080p 4k",
        &["capture.size", "capture.width", "capture.height"],
    ),
    (
        "resolution segments points cvs subdivisions detail",
        &["groom.vertices", "import.vertices"],
    ),
    ("resolution subdivisions detail smooth", &["look.rounding"]),
    ("resolution grid voxels", &["collision.cell", "crowd.cell"]),
    (
        "children child interpolated hair count amount",
        &["followers.each", "followers.radius", "followers.clump"],
    ),
    ("hair count amount number of hairs", &["roots.strands"]),
    (
        "bald patches receding thinning",
        &["roots.strands", "roots.density_map", "roots.hairline"],
    ),
    (
        "clumps clumping",
        &[
            "groom.clump",
            "groom.locks",
            "groom.lock_width",
            "followers.clump",
            "cohesion.hold",
        ],
    ),
    (
        "frizzy flyaways messy noise rough stray hairs",
        &[
            "groom.frizz",
            "followers.frizz",
            "followers.fly_aways",
            "followers.stand_off",
        ],
    ),
    (
        "messy noise random randomness variation",
        &["groom.style_spread", "groom.length_spread", "roots.seed"],
    ),
    (
        "wavy waves kinky coily",
        &["groom.curl_radius", "groom.curl_pitch"],
    ),
    (
        "haircut trim bob scissors",
        &["groom.trim", "groom.length", "groom.layers"],
    ),
    ("big hair poofy puffy lift", &["groom.volume"]),
    ("root tip thickness taper", &["look.width_ramp"]),
    (
        "fps frames per second",
        &["capture.fps", "motion.sequence_fps"],
    ),
    (
        "brightness bright dark gain",
        &[
            "look.exposure",
            "light.key",
            "light.fill",
            "light.environment_strength",
        ],
    ),
    (
        "hdri hdr skybox ibl dome",
        &["light.environment", "light.environment_turn"],
    ),
    ("backlight edge light", &["light.rim"]),
    ("ambient", &["light.room", "light.fill"]),
    (
        "background colour",
        &[
            "look.backdrop",
            "capture.transparent",
            "light.environment_seen",
        ],
    ),
    ("alpha opacity matte", &["capture.transparent"]),
    (
        "quality noise passes",
        &["capture.samples", "capture.frame_samples"],
    ),
    (
        "weight heavy light mass",
        &["material.density", "groom.mass_spread", "forces.gravity"],
    ),
    (
        "floppy limp stiff stiffness rigid flexible",
        &["stiffness", "sim.softness"],
    ),
    (
        "stretchy elastic elasticity",
        &["stretch", "material.young"],
    ),
    (
        "penetration intersect clipping through skin offset",
        &["collision.margin", "collision.mode"],
    ),
    ("slow motion time scale", &["sim.speed"]),
    ("steps accuracy iterations", &["sim.rate", "sim.substep_ms"]),
    ("self-collision interaction", &["crowd.on"]),
    ("breeze turbulent noise", &["wind.turbulence", "wind.gusts"]),
    ("duration frames", &["capture.seconds"]),
    ("eyebrows eyelashes", &["look.brows"]),
    (
        "hair band scrunchie elastic",
        &["look.band_width", "look.band_colour"],
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

/// All further words, which may be meant where a word is mistyped.
pub(super) fn all_further() -> impl Iterator<Item = String> {
    let words = FURTHER.iter().flat_map(|(words, _)| words.split(' '));
    words.map(String::from)
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
