//! What the path of a dialog is for, and how the dialog asks for it.

use super::endings::{ANIMATIONS_OUT, ENVIRONMENTS, GROOMS, GROOMS_OUT, HEADS, SCENES};
use crate::project::history::ParamPlace;

/// What the path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Save,
    Open,
    Head,
    Groom,
    Rebind,
    Export,
    Sequence,
    Environment,
    /// The file of a parameter that no command of its own takes.
    Parameter {
        place: ParamPlace,
        title: &'static str,
        endings: &'static str,
    },
}

/// How a dialog asks.
#[derive(Clone, Copy)]
pub(super) struct Wording {
    /// What stands above it.
    pub title: &'static str,
    /// What is on its button.
    pub verb: &'static str,
    /// The endings of the files that it takes, with spaces between.
    pub endings: &'static str,
}

impl Purpose {
    /// How a dialog asks for that; `moves` says that what is exported is an animation.
    pub fn wording(self, moves: bool) -> Wording {
        let (title, verb, endings) = match self {
            Self::Save => ("Save the scene", "Save", "toml"),
            Self::Open => ("Open a scene", "Open", SCENES.as_str()),
            Self::Head => ("Open a head", "Open", HEADS.as_str()),
            Self::Groom => ("Open a groom", "Open", GROOMS.as_str()),
            Self::Rebind => ("Carry the hair to a head", "Carry", HEADS.as_str()),
            Self::Export if moves => ("Export the hair", "Export", ANIMATIONS_OUT.as_str()),
            Self::Export => ("Export the hair", "Export", GROOMS_OUT.as_str()),
            Self::Environment => ("Open an environment", "Open", ENVIRONMENTS.as_str()),
            Self::Sequence => ("Open any frame of an animated head", "Open", HEADS.as_str()),
            Self::Parameter { title, endings, .. } => (title, "Open", endings),
        };
        Wording {
            title,
            verb,
            endings,
        }
    }
}
