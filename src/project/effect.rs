//! Which parameters do something in a scene as it stands. Those of another method than the
//! one at work do nothing, nor do those of a wind that is off, or of grown hair where the
//! hair comes from a file. The panel hides such rows, draws them grey or says so in the
//! section's header; the command line warns where one of them is asked for.

use super::scene::Scene;
use crate::{
    param::Value,
    render::{HeadFinish, LightParams, LookParams, Shading},
    sim::{
        AirLaw,
        solver::{Method, SOLVERS, method},
        tracks::track_name,
    },
};

/// The section that only methods with a material need.
pub const MATERIAL: &str = "material";

/// Why a parameter does nothing, and what would let it do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    /// The end of "it has no effect", such as "while wind.on is false".
    pub why: String,
    /// A parameter and its value, `wind.on=true`; none where no one value would do it.
    pub remedy: Option<String>,
}

/// Parameters that count at some values of another one alone.
struct Switch {
    section: &'static str,
    keys: Keys,
    /// The other one, `section.key`.
    by: &'static str,
    at: Wanted,
}

/// Some of the parameters of a section.
enum Keys {
    These(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

/// At which values of a switch others count.
enum Wanted {
    /// One of these; the first is offered.
    OneOf(&'static [&'static str]),
    /// Any number above 0.
    Positive,
}

const ON: Wanted = Wanted::OneOf(&["true"]);

const fn switch(section: &'static str, keys: Keys, by: &'static str, at: Wanted) -> Switch {
    Switch {
        section,
        keys,
        by,
        at,
    }
}

/// All of them, those of a whole section first.
const SWITCHES: &[Switch] = {
    use Keys::{AllBut, These};
    use Wanted::{OneOf, Positive};
    &[
        // Its lee is that of the fan, too.
        switch("wind", AllBut(&["on", "lee"]), "wind.on", ON),
        switch("wind", These(&["frequency"]), "wind.oscillation", Positive),
        switch("wind", These(&["gust_rate"]), "wind.gusts", Positive),
        switch("fan", AllBut(&["on"]), "fan.on", ON),
        // The slice that is shown has such cells, too.
        switch("crowd", AllBut(&["on", "cell"]), "crowd.on", ON),
        switch(
            "crowd",
            These(&["shift"]),
            "crowd.form",
            OneOf(&["normalised"]),
        ),
        switch(
            "cohesion",
            These(&["width", "reach"]),
            "cohesion.hold",
            Positive,
        ),
        switch("forces", These(&["gravity"]), "forces.gravity_on", ON),
        switch(
            "forces",
            These(&["lock", "packing", "rub"]),
            "forces.air",
            OneOf(&["cylinder"]),
        ),
        switch(
            "collision",
            These(&["stiffness"]),
            "collision.response",
            OneOf(&["penalty"]),
        ),
        switch(
            "motion",
            These(&["amplitude"]),
            "motion.preset",
            OneOf(&["sway", "nod", "shake", "tilt", "walk", "head-bang"]),
        ),
        switch(
            "motion",
            These(&["travel"]),
            "motion.preset",
            OneOf(&["jump", "walk", "head-bang"]),
        ),
        switch(
            "motion",
            These(&["frequency"]),
            "motion.preset",
            OneOf(&[
                "sway",
                "nod",
                "shake",
                "tilt",
                "spin",
                "jump",
                "walk",
                "head-bang",
            ]),
        ),
        switch(
            "motion",
            These(&["repeat", "keyframes"]),
            "motion.preset",
            OneOf(&["keyframes"]),
        ),
        switch(
            "motion",
            These(&["sequence_fps", "sequence_play"]),
            "motion.preset",
            OneOf(&["sequence"]),
        ),
        switch(
            "torso",
            AllBut(&["mode"]),
            "torso.mode",
            OneOf(&["auto", "on"]),
        ),
    ]
};

impl Switch {
    /// Why the parameter does nothing, as far as that lies at this switch.
    fn idle(&self, scene: &Scene, section: &str, key: &str) -> Option<Idle> {
        let counts_here = match self.keys {
            Keys::These(keys) => keys.contains(&key),
            Keys::AllBut(keys) => !keys.contains(&key),
        };
        if section != self.section || !counts_here {
            return None;
        }
        let now = match value(scene, self.by)? {
            Value::Bool(on) => on.to_string(),
            Value::Choice(name) => name.to_string(),
            Value::Text(text) => text,
            Value::Int(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Vector(_) | Value::Ramp(_) => return None,
        };
        let why = format!("while {} is {now}", self.by);
        match self.at {
            Wanted::OneOf(names) if !names.contains(&&now[..]) => Some(Idle {
                why,
                remedy: names.first().map(|name| format!("{}={name}", self.by)),
            }),
            // What has keys over time is 0 now and then at most.
            Wanted::Positive if now == "0" && !is_keyed(scene, self.by) => {
                Some(Idle { why, remedy: None })
            }
            _ => None,
        }
    }
}

/// What a scene has of the parameter `name`, `section.key`.
pub fn value(scene: &Scene, name: &str) -> Option<Value> {
    let (section, index) = scene.place(name)?;
    let sections = scene.sections();
    Some(sections.get(section)?.get(index))
}

fn is_keyed(scene: &Scene, name: &str) -> bool {
    let track = name
        .rsplit_once('.')
        .and_then(|(section, key)| scene.sim.tracks.keys.of(&track_name(section, key)));
    track.is_some()
}

/// Why the parameter `name` (`section.key`) does nothing to the hair that these methods move,
/// or to its picture; none where it does something, or may. What is of the second side
/// (`b.pbd.iterations`) may.
pub fn idle(scene: &Scene, methods: &[&str], name: &str) -> Option<Idle> {
    let (section, key) = name.rsplit_once('.')?;
    let switched = || {
        let mut switches = SWITCHES.iter();
        switches.find_map(|switch| switch.idle(scene, section, key))
    };
    by_method(scene, methods, section, key)
        .or_else(|| by_origin(scene, section, key))
        .or_else(|| by_air(scene, section, key))
        .or_else(|| by_look(scene, section, key))
        .or_else(|| by_light(scene, section, key))
        .or_else(switched)
}

/// Whether the section is of another method than `now`, or of a material, which that has not.
pub fn is_of_another_method(section: &str, now: &Method) -> bool {
    let other = SOLVERS.iter().any(|method| method.id == section) && now.id != section;
    other || section == MATERIAL && !now.material
}

fn by_method(scene: &Scene, methods: &[&str], section: &str, key: &str) -> Option<Idle> {
    let at_work: Vec<&Method> = methods.iter().filter_map(|id| method(id)).collect();
    let uses = |method: &Method| !is_of_another_method(section, method);
    if at_work.is_empty() || at_work.iter().any(|now| uses(now)) {
        return None;
    }
    // Whatever moves a lock, the cylinder law weighs it by that.
    if section == MATERIAL && key == "density" && scene.sim.forces.air == AirLaw::Cylinder {
        return None;
    }
    let ids: Vec<&str> = at_work.iter().map(|method| method.id).collect();
    let why = match &ids[..] {
        [one] => format!("while sim.solver is {one}"),
        several => format!("with the methods {}", several.join(", ")),
    };
    // Rods are the last of the program's own.
    let other = SOLVERS.iter().rev().find(|method| uses(method));
    Some(Idle {
        why,
        remedy: other.map(|method| format!("sim.solver={}", method.id)),
    })
}

/// Whether that tunable of hairstyle or roots does anything. Hair from a file has roots and a
/// shape of its own, but is as stiff as grown hair would be there. Where `scalp`, the head has
/// a group of faces for hair, and no rule finds them.
pub fn counts(scene: &Scene, scalp: bool, section: &str, key: &str) -> bool {
    let grown = scene.import.file.is_empty();
    match section {
        "groom" => grown || key.starts_with("stiffness"),
        "roots" if !grown => key.starts_with("stiffness") || key == "seed",
        "roots" if scalp && scene.roots.use_scalp => {
            !["limit_angle", "reach", "tilt"].contains(&key)
        }
        _ => true,
    }
}

fn by_origin(scene: &Scene, section: &str, key: &str) -> Option<Idle> {
    // What groups a head has is known once it is read.
    (!counts(scene, false, section, key)).then(|| Idle {
        why: "on hair that comes from a file, import.file".into(),
        remedy: None,
    })
}

fn by_air(scene: &Scene, section: &str, key: &str) -> Option<Idle> {
    let still = !scene.sim.wind.on && !scene.sim.fan.on;
    (still && (section, key) == ("wind", "lee")).then(|| Idle {
        why: "while wind.on and fan.on are false".into(),
        remedy: Some("wind.on=true".into()),
    })
}

/// Whether a row of the look does anything with the shading at work, on the built-in
/// head or another.
pub fn counts_in_look(look: &LookParams, is_built_in: bool, key: &str) -> bool {
    let fibre = look.shading == Shading::Fibre;
    match key {
        "eumelanin" | "root_eumelanin" | "pheomelanin" | "dye" | "grey" | "roughness"
        | "tone_colour" | "tone_tips" | "tone_blend" | "tone_streaks" => fibre,
        "root_colour" | "tip_colour" => !fibre,
        "flush" | "brows" => is_built_in && look.head == HeadFinish::Skin,
        _ => true,
    }
}

fn by_look(scene: &Scene, section: &str, key: &str) -> Option<Idle> {
    let (look, is_built_in) = (&scene.look, scene.head.file.is_empty());
    if section != "look" || counts_in_look(look, is_built_in, key) {
        return None;
    }
    Some(match key {
        "flush" | "brows" => Idle {
            why: "but on the built-in head in its skin".into(),
            remedy: None,
        },
        _ => {
            let other = match look.shading {
                Shading::Fibre => Shading::KajiyaKay,
                Shading::Flat | Shading::KajiyaKay => Shading::Fibre,
            };
            Idle {
                why: format!("while look.shading is {}", look.shading.name()),
                remedy: Some(format!("look.shading={}", other.name())),
            }
        }
    })
}

/// Whether a row of the light's section says anything of the light that is on.
pub fn counts_in_light(light: &LightParams, key: &str) -> bool {
    let alone = ["key_yaw", "key_pitch"].contains(&key);
    match light.environment.is_empty() {
        true => !key.starts_with("environment_"),
        false => !alone,
    }
}

fn by_light(scene: &Scene, section: &str, key: &str) -> Option<Idle> {
    let environment = &scene.light.environment;
    if section != "light" || counts_in_light(&scene.light, key) {
        return None;
    }
    Some(match environment.is_empty() {
        true => Idle {
            why: "while light.environment names none".into(),
            remedy: None,
        },
        false => Idle {
            why: format!("while light.environment is {environment}"),
            remedy: None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Params as _;

    #[test]
    fn what_shapes_grown_hair_does_nothing_to_hair_of_a_file() {
        let mut scene = Scene::default();
        assert!(counts(&scene, false, "groom", "length"));
        assert!(counts(&scene, false, "roots", "strands"));
        scene.import.file = "a.abc".into();
        for (section, key, wanted) in [
            ("groom", "length", false),
            ("groom", "curl_radius", false),
            ("groom", "stiffness_ramp", true),
            ("sim", "softness", true),
            ("roots", "strands", false),
            ("roots", "density_map", false),
            ("roots", "stiffness_map", true),
        ] {
            let found = counts(&scene, true, section, key);
            assert_eq!(found, wanted, "{section}.{key}");
            let idle = idle(&scene, &["pbd"], &format!("{section}.{key}"));
            assert_eq!(idle.is_none(), wanted, "{section}.{key}");
        }
    }

    #[test]
    fn the_rule_for_roots_does_nothing_on_a_head_with_a_scalp() {
        let mut scene = Scene::default();
        for key in ["limit_angle", "reach", "tilt"] {
            assert!(counts(&scene, false, "roots", key), "{key}");
            assert!(!counts(&scene, true, "roots", key), "{key}");
        }
        assert!(counts(&scene, true, "roots", "strands"));
        scene.roots.use_scalp = false;
        assert!(counts(&scene, true, "roots", "tilt"));
    }

    #[test]
    fn every_shading_shows_its_own_colours() {
        let mut look = LookParams::default();
        let shown = |look: &LookParams| -> Vec<&str> {
            let keys = look.tunables().into_iter().map(|tunable| tunable.key);
            keys.filter(|key| counts_in_look(look, true, key)).collect()
        };
        let fibre = shown(&look);
        look.shading = Shading::KajiyaKay;
        let painted = shown(&look);
        assert!(fibre.contains(&"eumelanin") && !fibre.contains(&"tip_colour"));
        assert!(painted.contains(&"tip_colour") && !painted.contains(&"dye"));
        assert!(fibre.contains(&"width") && painted.contains(&"width"));
    }

    #[test]
    fn a_parameter_that_is_switched_off_says_by_what() {
        let mut scene = Scene::default();
        let told = |scene: &Scene, methods: &[&str], name: &str| {
            idle(scene, methods, name).map(|idle| (idle.why, idle.remedy.unwrap_or_default()))
        };
        let said = |why: &str, remedy: &str| Some((why.to_string(), remedy.to_string()));
        let wind = said("while wind.on is false", "wind.on=true");
        assert_eq!(told(&scene, &["pbd"], "wind.strength"), wind);
        assert_eq!(told(&scene, &["pbd"], "wind.on"), None);
        assert_eq!(
            told(&scene, &["pbd"], "material.young"),
            said("while sim.solver is pbd", "sim.solver=rod")
        );
        assert_eq!(told(&scene, &["pbd", "rod"], "material.young"), None);
        assert_eq!(
            told(&scene, &["pbd", "ftl"], "rod.damping"),
            said("with the methods pbd, ftl", "sim.solver=rod")
        );
        assert_eq!(told(&scene, &["pbd"], "b.rod.damping"), None);
        assert!(told(&scene, &["pbd"], "material.density").is_some());
        scene.sim.forces.air = AirLaw::Cylinder;
        assert_eq!(told(&scene, &["pbd"], "material.density"), None);
        scene.sim.wind.on = true;
        assert_eq!(told(&scene, &["pbd"], "wind.strength"), None);
        assert_eq!(
            told(&scene, &["pbd"], "wind.gust_rate"),
            said("while wind.gusts is 0", "")
        );
    }

    #[test]
    fn every_switch_and_all_that_it_switches_is_a_parameter() {
        let scene = Scene::default();
        for switch in SWITCHES {
            let keys = match switch.keys {
                Keys::These(keys) | Keys::AllBut(keys) => keys,
            };
            for key in keys {
                let name = format!("{}.{key}", switch.section);
                assert!(scene.place(&name).is_some(), "{name}");
            }
            let mut other = scene.clone();
            match switch.at {
                Wanted::OneOf(names) => {
                    for name in names {
                        let set = other.set_by_name(switch.by, name);
                        assert_eq!(set, Ok(()), "{}={name}", switch.by);
                    }
                }
                Wanted::Positive => {
                    let now = value(&scene, switch.by);
                    assert!(matches!(now, Some(Value::Float(_))), "{}", switch.by);
                }
            }
        }
    }
}
