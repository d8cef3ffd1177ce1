//! Where a fit may be looked for: among what was not set by hand.

use crate::mesh::Up;

/// What of a placement is known already.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitLimits {
    /// The file's upward axis; none where it is looked for.
    pub up: Option<Up>,
    /// How large the hair may be.
    pub sizes: Sizes,
}

/// Lengths of a file's unit, the hair's own scale included.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Sizes {
    /// Any.
    #[default]
    Any,
    /// From one to the other. `[m]`
    Within([f32; 2]),
    /// One of these. `[m]`
    Among(Vec<f32>),
}

impl Sizes {
    /// Whether a size is one of them. `[m]`
    pub fn allow(&self, metres: f32) -> bool {
        match self {
            Self::Any => true,
            Self::Within([least, most]) => (*least..=*most).contains(&metres),
            Self::Among(all) => all.iter().any(|one| (metres / one - 1.0).abs() < 1e-5),
        }
    }
}
