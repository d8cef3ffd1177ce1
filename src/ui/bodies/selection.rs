//! Which of the bodies beside the head is chosen, and whether they are drawn.

use crate::sim::collider::Collider;

/// What the picture shows of the bodies.
#[derive(Clone, Copy, Debug)]
pub struct BodySelection {
    /// Whether they are drawn over the picture.
    pub shown: bool,
    /// The row of the one that is chosen.
    pub row: Option<usize>,
}

impl Default for BodySelection {
    fn default() -> Self {
        Self {
            shown: true,
            row: None,
        }
    }
}

impl BodySelection {
    /// The one of these that is chosen, and its row.
    pub fn chosen(self, bodies: &[Collider]) -> Option<(usize, &Collider)> {
        let row = self.row?;
        Some((row, bodies.get(row)?))
    }
}
