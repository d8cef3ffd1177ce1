//! How much of the hair a tie holds, and what to do where that is next to nothing.

use super::scene::Scene;
use crate::groom::{Groom, TieStyle};

/// A tie that holds less than this share of the hair that it is for is none to see.
const SCARCE: f32 = 0.1;

/// How the sentence on such a tie begins.
pub const SCARCE_TIE: &str = "The tie holds next to nothing";

/// How much of the hair that is to be tied reaches the tie.
#[derive(Clone, Debug, PartialEq)]
pub struct TieReport {
    /// The strands that are tied, as a share of those that are to be.
    pub share: f32,
    /// Whether that is next to nothing.
    pub is_scarce: bool,
    /// A sentence that says so, and what to do.
    pub text: String,
}

impl TieReport {
    /// Of hair that grew as `scene` says; none where nothing is to be tied, or hair is from
    /// a file.
    pub fn of(scene: &Scene, groom: &Groom) -> Option<Self> {
        let asked = scene.groom.tie != TieStyle::None && scene.import.file.is_empty();
        let wanted = scene.groom.tie_share * groom.strands() as f32;
        if !asked || wanted < 1.0 {
            return None;
        }
        let tied = groom.tied().iter().filter(|tied| **tied).count();
        let share = (tied as f32 / wanted).min(1.0);
        let is_scarce = share < SCARCE;
        let most = match scene.groom.tie_share < 1.0 {
            true => "the upper hair",
            false => "the hair",
        };
        let percent = (100.0 * share).round();
        let text = match is_scarce {
            false => format!("{percent:.0} % of {most} reaches the tie; the rest hangs loose"),
            true => format!(
                "{SCARCE_TIE}: {percent:.0} % of {most} reaches it. Make hair longer (Length, Cut \
                 level at) or tie it lower (Tie height)"
            ),
        };
        Some(Self {
            share,
            is_scarce,
            text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{built_scene, examples};

    fn report(name: &str, change: impl Fn(&mut Scene)) -> Option<TieReport> {
        let example = examples::find(name).expect("listed");
        let mut scene = example.scene().expect("a scene");
        scene.roots.strands = 300;
        change(&mut scene);
        let built = built_scene::build(&scene).expect("built");
        TieReport::of(&scene, &built.groom)
    }

    #[test]
    fn a_tie_that_short_hair_does_not_reach_says_what_to_do() {
        assert_eq!(report("bob", |_| ()), None);
        let pixie = report("pixie", |scene| {
            scene.groom.tie = TieStyle::Ponytail;
            scene.groom.tie_height = 60.0;
        });
        let pixie = pixie.expect("a tie is asked for");
        assert!(pixie.is_scarce && pixie.share < SCARCE, "{pixie:?}");
        assert!(pixie.text.contains("longer") && pixie.text.contains("lower"));
        let long = report("ponytail", |_| ()).expect("a tie");
        assert!(!long.is_scarce && long.share > 0.99, "{long:?}");
        let half = report("ponytail", |scene| scene.groom.tie_share = 0.4);
        let half = half.expect("a tie");
        assert!(!half.is_scarce && half.text.contains("upper"), "{half:?}");
    }
}
