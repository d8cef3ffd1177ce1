//! What the left mouse button does in the picture.

use super::icons::Icon;

/// What the left mouse button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Turns the camera; a click picks a strand.
    #[default]
    Look,
    /// Pulls hair.
    Pull,
    /// Combs it.
    Comb,
    /// Smooths it: draws it to the mean of its neighbours.
    Smooth,
    /// Cuts it.
    Cut,
    /// Lets it grow longer, or makes it shorter.
    Grow,
    /// Lifts it off the skin, or lays it down.
    Lift,
    /// Paints less of it: thinner, shorter, straighter or limper.
    Less,
    /// Paints it back.
    More,
}

/// A tool that changes the curves of the hair under a brush, stroke by stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrokeTool {
    /// [`Tool::Comb`].
    Comb,
    /// [`Tool::Smooth`].
    Smooth,
    /// [`Tool::Cut`].
    Cut,
    /// [`Tool::Grow`].
    Grow,
    /// [`Tool::Lift`].
    Lift,
}

impl StrokeTool {
    /// What its job is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Comb => "Combing",
            Self::Smooth => "Smoothing",
            Self::Cut => "Cutting",
            Self::Grow => "Growing",
            Self::Lift => "Lifting",
        }
    }
}

impl Tool {
    /// All of them, in the order of the palette.
    pub const ALL: [Self; 9] = [
        Self::Look,
        Self::Pull,
        Self::Comb,
        Self::Smooth,
        Self::Cut,
        Self::Grow,
        Self::Lift,
        Self::Less,
        Self::More,
    ];

    /// Which of those that brush the hair it is; none where it is another one.
    pub fn stroke(self) -> Option<StrokeTool> {
        match self {
            Self::Comb => Some(StrokeTool::Comb),
            Self::Smooth => Some(StrokeTool::Smooth),
            Self::Cut => Some(StrokeTool::Cut),
            Self::Grow => Some(StrokeTool::Grow),
            Self::Lift => Some(StrokeTool::Lift),
            Self::Look | Self::Pull | Self::Less | Self::More => None,
        }
    }

    /// Whether it paints on the head.
    pub fn paints(self) -> bool {
        matches!(self, Self::Less | Self::More)
    }

    /// The parameters that say how it works.
    pub fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Look => &[],
            Self::Pull => &["hand.lock", "hand.radius", "hand.mirror"],
            Self::Comb => &["hand.radius", "hand.comb", "hand.mirror"],
            Self::Smooth => &[
                "hand.radius",
                "hand.smooth",
                "hand.smooth_curls",
                "hand.mirror",
            ],
            Self::Cut => &["hand.radius", "hand.ragged", "hand.mirror"],
            Self::Grow => &["hand.radius", "hand.grow", "hand.mirror"],
            Self::Lift => &["hand.radius", "hand.lift", "hand.mirror"],
            Self::Less | Self::More => &[
                "hand.paints",
                "hand.radius",
                "hand.density",
                "hand.hardness",
                "hand.mirror",
                "look.show_hair",
            ],
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Look => "Look",
            Self::Pull => "Pull",
            Self::Comb => "Comb",
            Self::Smooth => "Smooth",
            Self::Cut => "Cut",
            Self::Grow => "Grow",
            Self::Lift => "Lift",
            Self::Less => "Paint less",
            Self::More => "Paint more",
        }
    }

    /// How it is used.
    pub fn help(self) -> &'static str {
        match self {
            Self::Look => "Drag orbits; a click on a strand opens the inspector",
            Self::Pull => {
                "Drag hair to pull it; with Shift it stays pinned where it is let go. \
                 A click on a pin takes it out. Beside the hair a drag orbits"
            }
            Self::Comb => "Drag over hair to comb it; Alt and drag orbits",
            Self::Smooth => {
                "Drag over hair to smooth it: it lies as its neighbours do, kinks go, length and \
                 curls stay; Alt and drag orbits"
            }
            Self::Cut => "Drag over hair to cut it; Alt and drag orbits",
            Self::Grow => {
                "Drag over hair to let it grow longer, curl and all; with \"Growth\" below 0 it \
                 gets shorter; Alt and drag orbits"
            }
            Self::Lift => {
                "Drag over hair to lift it off the skin and give it volume; with \"Lift\" below 0 \
                 it is laid down; Alt and drag orbits"
            }
            Self::Less => {
                "Drag over the head: hair is thinned out there (dots are its roots), or shortened, \
                 straightened or made limp: \"Brush paints\" says which"
            }
            Self::More => "Drag over the head: what was painted away grows back",
        }
    }

    /// Its picture.
    pub fn icon(self) -> Icon {
        match self {
            Self::Look => Icon::Eye,
            Self::Pull => Icon::Pull,
            Self::Comb => Icon::Comb,
            Self::Smooth => Icon::Smooth,
            Self::Cut => Icon::Scissors,
            Self::Grow => Icon::Grow,
            Self::Lift => Icon::Lift,
            Self::Less => Icon::Less,
            Self::More => Icon::More,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::scene::Scene;

    #[test]
    fn every_setting_of_a_tool_exists() {
        let scene = Scene::default();
        for tool in Tool::ALL {
            for name in tool.settings() {
                assert!(scene.place(name).is_some(), "{}: {name}", tool.name());
            }
        }
    }
}
