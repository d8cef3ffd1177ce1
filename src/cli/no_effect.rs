//! Parameters that were asked for and do nothing: said before the work, with the option that
//! lets them do something.

use super::overrides::SceneArgs;
use crate::project::{
    effect::{Idle, idle},
    scene::Scene,
};

/// Parameters that are asked for, each with why it does nothing, as far as was looked.
#[derive(Debug)]
pub struct Unused<'a> {
    names: Vec<(&'a str, Option<Idle>)>,
    /// Parameters that the command chooses by itself: to set them would not help.
    chosen: Vec<&'a str>,
}

impl<'a> Unused<'a> {
    /// Those of `--set`, and `more`, which come first.
    pub fn of(args: &'a SceneArgs, more: impl IntoIterator<Item = &'a str>) -> Self {
        let set = args.overrides.set.iter().map(|(name, _)| &name[..]);
        let mut names: Vec<(&str, Option<Idle>)> = Vec::new();
        for name in more.into_iter().chain(set) {
            if !names.iter().any(|(other, _)| *other == name) {
                names.push((name, None));
            }
        }
        Self {
            names,
            chosen: Vec::new(),
        }
    }

    /// Offers to set none of these, which the command chooses itself.
    pub fn without_remedy(self, chosen: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            chosen: chosen.into_iter().collect(),
            ..self
        }
    }

    /// Leaves out those that do something to the hair that `methods` move in `scene`, or to
    /// its picture.
    pub fn keep_idle(&mut self, scene: &Scene, methods: &[&str]) {
        self.names.retain_mut(|(name, first)| {
            let found = idle(scene, methods, name);
            let stays = found.is_some();
            *first = first.take().or(found);
            stays
        });
    }

    /// Warns of what is left, a line each.
    pub fn warn(&self) {
        for (name, idle) in &self.names {
            if let Some(idle) = idle {
                log::warn!("{}", sentence(name, idle, &self.chosen));
            }
        }
    }
}

/// Warns of what `--set` says and does nothing to the hair that `methods` move in `scene`.
pub fn warn_of_unused(args: &SceneArgs, scene: &Scene, methods: &[&str]) {
    // Two methods are chosen by what compares them.
    let chosen = (methods.len() > 1).then_some("sim.solver");
    let mut unused = Unused::of(args, []).without_remedy(chosen);
    unused.keep_idle(scene, methods);
    unused.warn();
}

fn sentence(name: &str, Idle { why, remedy }: &Idle, chosen: &[&str]) -> String {
    let helps = |remedy: &&String| {
        let key = remedy.split_once('=').map(|(key, _)| key);
        key.is_none_or(|key| !chosen.contains(&key))
    };
    match remedy.as_ref().filter(helps) {
        Some(remedy) => format!("{name} has no effect {why}; add --set {remedy}"),
        None => format!("{name} has no effect {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_in_one_of_many_scenes_is_used() {
        let args = SceneArgs::default();
        let (mut calm, mut windy) = (Scene::default(), Scene::default());
        calm.sim.wind.on = false;
        windy.sim.wind.on = true;
        let names = ["wind.strength", "fan.strength", "wind.strength"];
        let mut unused = Unused::of(&args, names);
        unused.keep_idle(&calm, &["pbd"]);
        let told = |unused: &Unused| -> Vec<String> {
            let names = unused.names.iter();
            names
                .map(|(name, idle)| sentence(name, idle.as_ref().expect("looked at"), &[]))
                .collect()
        };
        assert_eq!(
            told(&unused),
            [
                "wind.strength has no effect while wind.on is false; add --set wind.on=true",
                "fan.strength has no effect while fan.on is false; add --set fan.on=true",
            ]
        );
        let idle = unused.names[0].1.as_ref().expect("looked at");
        assert_eq!(
            sentence("wind.strength", idle, &["wind.on"]),
            "wind.strength has no effect while wind.on is false",
            "the command chooses that itself"
        );
        unused.keep_idle(&windy, &["pbd"]);
        assert_eq!(unused.names.len(), 1);
        assert_eq!(unused.names[0].0, "fan.strength");
    }
}
