//! What somebody looks for among the parameters: words that stand in a name, a
//! key or a tooltip, or that mean the same.

use super::{
    synonyms::{all_further, further, spelled},
    table::Section,
};
use crate::param::{Kind, Params, Tunable, nearest};
use egui::{Context, Id};

/// Where the text of the search field is while the window is there.
pub(super) fn typed_id() -> Id {
    Id::unique("parameter to find")
}

/// What is in it.
pub(super) fn typed(ctx: &Context) -> String {
    ctx.data(|data| data.get_temp(typed_id()))
        .unwrap_or_default()
}

/// Whether something else is looked for than when this was asked last.
pub(super) fn is_new(ctx: &Context) -> bool {
    let id = Id::unique("parameter that was looked for");
    let now = typed(ctx);
    let last: String = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    let is_new = !now.is_empty() && now != last;
    ctx.data_mut(|data| data.insert_temp(id, now));
    is_new
}

/// Shows the panel again as it was before the search.
pub(super) fn stop_search(ctx: &Context) {
    ctx.data_mut(|data| data.remove::<String>(typed_id()));
}

/// Words that all must be found.
pub struct Query {
    words: Vec<String>,
}

impl Query {
    /// What `text` asks for; none of empty text.
    pub fn new(text: &str) -> Option<Self> {
        let words: Vec<_> = text.split_whitespace().map(spelled).collect();
        (!words.is_empty()).then_some(Self { words })
    }

    /// Whether all words stand in these texts together.
    fn is_in(&self, texts: &[&str]) -> bool {
        let texts: Vec<_> = texts.iter().map(|text| text.to_lowercase()).collect();
        let found = |word: &String| texts.iter().any(|text| text.contains(word));
        self.words.iter().all(found)
    }

    /// Whether it asks for what stands above or under a section's rows.
    pub fn asks_for_extras(&self, section: &Section) -> bool {
        self.is_in(&[section.title, section.words])
    }

    /// Whether it asks for a row of a section; the title of a section finds all of
    /// its rows, and the name of a choice the row that has it.
    pub fn finds(&self, section: &Section, tunable: &Tunable) -> bool {
        self.is_of(section, tunable, tunable.help)
    }

    /// Whether it asks for a row by what it is called, here or elsewhere, and not by words of
    /// its tooltip.
    pub fn names(&self, section: &Section, tunable: &Tunable) -> bool {
        self.is_of(section, tunable, "")
    }

    fn is_of(&self, section: &Section, tunable: &Tunable, help: &str) -> bool {
        let key = format!("{}.{}", section.id, tunable.key);
        let choices = match tunable.kind {
            Kind::Choice(names) => names.join(" "),
            _ => String::new(),
        };
        let mut texts = vec![section.title, tunable.label, &key, &choices, help];
        texts.extend(further(section, tunable));
        self.is_in(&texts)
    }

    /// What might have been meant where nothing is found: the name, key or title
    /// that is nearest to what was typed.
    pub fn nearest(&self, sections: &[Section], all: &[&dyn Params]) -> Option<String> {
        let words = sections.iter().map(|section| section.title.to_lowercase());
        let mut words: Vec<String> = words.collect();
        for tunable in all.iter().flat_map(|params| params.tunables()) {
            words.push(tunable.label.to_lowercase());
            words.push(tunable.key.into());
        }
        let single = |text: &String| {
            let parts = text.split(|c: char| !c.is_alphabetic());
            parts.map(String::from).collect::<Vec<_>>()
        };
        let parts: Vec<_> = words.iter().flat_map(single).collect();
        words.extend(parts.into_iter().filter(|part| part.len() > 2));
        words.extend(all_further().filter(|word| word.len() > 2));
        nearest(&self.words.join(" "), words)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::table::SECTIONS, *};
    use crate::project::scene::Scene;

    #[test]
    fn something_else_that_is_looked_for_is_new_once() {
        let ctx = Context::default();
        let type_in =
            |text: &str| ctx.data_mut(|data| data.insert_temp(typed_id(), text.to_string()));
        assert!(!is_new(&ctx));
        type_in("wind");
        assert!(is_new(&ctx) && !is_new(&ctx));
        type_in("");
        assert!(!is_new(&ctx));
        type_in("wind");
        assert!(is_new(&ctx), "it was over in between");
    }

    /// Keys of the rows that are found, in the panel's order.
    fn found(text: &str) -> Vec<String> {
        let (scene, query) = (Scene::default(), Query::new(text).expect("words"));
        let all = scene.sections();
        let rows = SECTIONS.iter().flat_map(|section| {
            let params = all.iter().find(|params| params.section() == section.id);
            let tunables = params.map_or(Vec::new(), |params| params.tunables());
            tunables.into_iter().map(move |tunable| (section, tunable))
        });
        rows.filter(|(section, tunable)| query.finds(section, tunable))
            .map(|(section, tunable)| format!("{}.{}", section.id, tunable.key))
            .collect()
    }

    #[test]
    fn parameters_are_found_by_name_key_and_words_of_the_tooltip() {
        assert!(Query::new("  ").is_none());
        // By name, whatever the case.
        assert!(found("young's").contains(&"material.young".into()));
        assert!(found("AXIAL").contains(&"forces.drag_along".into()));
        // By key as files have it.
        assert_eq!(found("groom.curl_pitch"), ["groom.curl_pitch"]);
        // By a word that only the tooltip has.
        assert!(found("coulomb").contains(&"collision.friction".into()));
        // By the section's title; words of several places count together.
        assert!(found("wind gust").contains(&"wind.gust_rate".into()));
        assert!(!found("wind gust").contains(&"wind.lee".into()));
        assert!(found("xyzzy").is_empty());
        // By what there is to choose, with what else says how that is.
        let tied = ["tie", "tie_share", "tie_height", "tie_width"];
        assert_eq!(found("ponytail"), tied.map(|key| format!("groom.{key}")));
        assert!(found("half-up").contains(&"groom.tie_share".into()));
        // By the words of other programs.
        assert!(found("depth of field").contains(&"camera.aperture".into()));
    }

    #[test]
    fn what_stands_above_the_rows_is_found_too() {
        let section = |id: &str| SECTIONS.iter().find(|section| section.id == id);
        let asks = |text: &str, id: &str| {
            let query = Query::new(text).expect("words");
            query.asks_for_extras(section(id).expect("a section"))
        };
        assert!(asks("export", "import") && asks("save view", "camera"));
        assert!(asks("capsule", "bodies") && !asks("capsule", "camera"));
    }

    #[test]
    fn an_artists_words_find_what_they_mean_by_name() {
        let scene = Scene::default();
        for (text, rows) in [
            ("density", &["roots.strands", "followers.each"][..]),
            ("hair density", &["roots.strands", "followers.each"]),
            ("thickness", &["look.width", "roots.strands"]),
            (
                "colour",
                &["look.eumelanin", "look.pheomelanin", "look.dye"],
            ),
            (
                "Hair color",
                &["look.eumelanin", "look.pheomelanin", "look.dye"],
            ),
            ("bangs", &["groom.fringe"]),
            ("part", &["roots.parting"]),
            ("shadow", &["look.shadow", "light.key"]),
            ("gloss", &["look.roughness", "look.shine"]),
            ("shine", &["look.roughness", "look.shine"]),
            (
                "bounce",
                &[
                    "rod.stiffness",
                    "rod.damping",
                    "pbd.damping",
                    "sim.softness",
                ],
            ),
            ("stiffness", &["sim.softness", "rod.stiffness"]),
            ("speed", &["sim.rate", "sim.budget", "sim.speed"]),
            ("focal", &["camera.fov"]),
            ("resolution", &["capture.size", "groom.vertices"]),
            ("children", &["followers.each"]),
            ("bald", &["roots.strands", "roots.density_map"]),
            ("clump", &["groom.clump", "cohesion.hold"]),
            ("frizzy", &["groom.frizz", "followers.fly_aways"]),
            ("fps", &["capture.fps"]),
            ("brightness", &["look.exposure", "light.key"]),
            ("background", &["look.backdrop"]),
            ("hdri", &["light.environment"]),
            ("weight", &["material.density"]),
            ("wavy", &["groom.curl_radius"]),
        ] {
            let query = Query::new(text).expect("words");
            for row in rows {
                let (id, key) = row.split_once('.').expect("a point");
                let section = SECTIONS.iter().find(|section| section.id == id);
                let params = scene.sections().into_iter().find(|p| p.section() == id);
                let tunables = params.expect("a section").tunables();
                let tunable = tunables.iter().find(|tunable| tunable.key == key);
                let (section, tunable) = (section.expect("shown"), tunable.expect("a key"));
                assert!(query.names(section, tunable), "{text}: {row}");
            }
        }
        let look = SECTIONS.iter().find(|section| section.id == "look");
        for text in ["color", "swatches", "any colour"] {
            let query = Query::new(text).expect("words");
            assert!(query.asks_for_extras(look.expect("the look")), "{text}");
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_answered_with_the_nearest_name() {
        let scene = Scene::default();
        let near = |text: &str| {
            let query = Query::new(text).expect("words");
            query.nearest(&SECTIONS, &scene.sections())
        };
        assert_eq!(near("stifness").as_deref(), Some("stiffness"));
        assert_eq!(near("gravitty").as_deref(), Some("gravity"));
        assert_eq!(near("resolutoin").as_deref(), Some("resolution"));
    }
}
