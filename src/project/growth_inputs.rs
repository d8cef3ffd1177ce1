//! What head and hair of a scene are built from.

use super::scene::Scene;
use crate::{
    groom::{GroomParams, ImportParams},
    mesh::{HeadParams, RootParams},
};

/// All that head and hair of a scene are built from. Every other parameter is taken up by a
/// simulation while it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthInputs {
    /// The head's file, and how it stands.
    pub head: HeadParams,
    /// The sequence of heads in place of it; empty for none.
    pub sequence: String,
    /// Edge of a cell of the head's distance grid. `[m]`
    pub cell: f32,
    /// Where hair grows.
    pub roots: RootParams,
    /// How it grows there.
    pub groom: GroomParams,
    /// The file that it is read from in place of that.
    pub import: ImportParams,
}

impl GrowthInputs {
    /// Those of a scene.
    pub fn of(scene: &Scene) -> Self {
        Self {
            head: scene.head.clone(),
            sequence: scene.sim.motion.sequence.clone(),
            cell: scene.sim.collision.cell,
            roots: scene.roots.clone(),
            groom: scene.groom.clone(),
            import: scene.import.clone(),
        }
    }

    /// Whether the scene has the same.
    pub fn suit(&self, scene: &Scene) -> bool {
        *self == Self::of(scene)
    }

    /// Whether the scene has the same head, or the same heads in a sequence.
    pub fn has_head_of(&self, scene: &Scene) -> bool {
        self.head == scene.head && self.sequence == scene.sim.motion.sequence
    }

    /// Takes them over into a scene.
    pub fn write_to(self, scene: &mut Scene) {
        let Self {
            head,
            sequence,
            cell,
            roots,
            groom,
            import,
        } = self;
        (scene.head, scene.roots) = (head, roots);
        (scene.groom, scene.import) = (groom, import);
        scene.sim.motion.sequence = sequence;
        scene.sim.collision.cell = cell;
    }

    /// Whether a strand that grows from both has the same number and root: in whatever
    /// shape it grows there.
    pub fn keeps_strands_of(&self, other: &Self) -> bool {
        let mut as_other = self.clone();
        as_other.cell = other.cell;
        if as_other == *other {
            return true;
        }
        let is_grown = self.import.file.is_empty() && self.import.head.is_empty();
        as_other.groom = other.groom.clone();
        let (roots, theirs) = (&mut as_other.roots, other.roots.clone());
        roots.strands = theirs.strands;
        roots.parting = theirs.parting;
        roots.hairline = theirs.hairline;
        roots.vellus = theirs.vellus;
        roots.density_map = theirs.density_map;
        roots.painted = theirs.painted;
        roots.length_map = theirs.length_map;
        roots.painted_length = theirs.painted_length;
        roots.curl_map = theirs.curl_map;
        roots.painted_curl = theirs.painted_curl;
        roots.stiffness_map = theirs.stiffness_map;
        roots.painted_stiffness = theirs.painted_stiffness;
        roots.colour_map = theirs.colour_map;
        is_grown && as_other == *other
    }
}
