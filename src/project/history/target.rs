//! What a change is of, so that those of one drag become one entry.

use crate::project::scene::ParamPlace;

/// What a change is of: changes of the same one, while it is held, are one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeTarget {
    /// A tunable of a section.
    Tunable(ParamPlace),
    /// A tunable of a collider.
    ColliderTunable {
        /// The collider's row in their list.
        row: usize,
        /// Number of the tunable in the collider.
        index: usize,
    },
    /// The collider in that row, as a whole.
    Collider(usize),
    /// Where the hair of a file lies.
    Placing,
    /// What strokes of comb and scissors change.
    Strokes,
}

impl From<ParamPlace> for ChangeTarget {
    fn from(place: ParamPlace) -> Self {
        Self::Tunable(place)
    }
}
