//! Hair that was cut, combed and pinned, and what becomes of that on other hair.

use super::{growth_inputs::GrowthInputs, scene::Scene};
use crate::{
    groom::{
        FileStrands, Groom,
        correspondence::{HairOnHead, Relation},
    },
    mesh::{CollisionMesh, HeadParams, LoadedHead, sequence},
    sim::hand::Handwork,
};
use std::sync::Arc;

/// Hair on its head, as far as hand work on it can be carried to other hair.
#[derive(Clone)]
pub struct WorkedHair {
    inputs: GrowthInputs,
    head: LoadedHead,
    body: Arc<CollisionMesh>,
    groom: Arc<Groom>,
    /// Which strands of its file it has; none of grown hair.
    file: Option<Arc<FileStrands>>,
}

impl WorkedHair {
    /// What was built of `scene`.
    pub fn new(
        scene: &Scene,
        head: &LoadedHead,
        body: &Arc<CollisionMesh>,
        groom: &Arc<Groom>,
        file: Option<&Arc<FileStrands>>,
    ) -> Self {
        Self {
            inputs: GrowthInputs::of(scene),
            head: head.clone(),
            body: body.clone(),
            groom: groom.clone(),
            file: file.cloned(),
        }
    }

    /// What `work` on this hair is on `other` hair, which [`can_carry`] allows.
    pub fn carried(&self, work: &Handwork, other: &Self) -> Handwork {
        let twin;
        let relation = match self.keys(other) {
            Some(keys) => Relation::Same(keys),
            None => {
                let mine = (&self.head, &self.inputs.head);
                twin = sequence::twin(mine, (&other.head, &other.inputs.head));
                Relation::Other(twin.as_deref())
            }
        };
        work.carried(self.on_head(), other.on_head(), &relation)
    }

    /// Whether hand work on it can be carried to the hair of `scene`.
    pub fn can_go_to(&self, scene: &Scene) -> bool {
        self.inputs.import.file == scene.import.file && self.inputs.groom.tie == scene.groom.tie
    }

    /// Whether it was built of the same as the hair of `scene`, if perhaps from other contents of
    /// the same files.
    pub fn grows_like(&self, scene: &Scene) -> bool {
        self.inputs.suit(scene)
    }

    fn on_head(&self) -> HairOnHead<'_> {
        HairOnHead {
            groom: &self.groom,
            body: &self.body,
        }
    }

    /// By what the strands of both are known; none where they are others.
    fn keys(&self, other: &Self) -> Option<[Vec<u32>; 2]> {
        let hair = [self, other];
        if let (Some(mine), Some(its)) = (&self.file, &other.file) {
            return Some([mine, its].map(|file| file.numbers.clone()));
        }
        self.grows_where(other).then(|| {
            hair.map(|hair| {
                let number = |strand| hair.groom.numbers.number(strand) as u32;
                (0..hair.groom.strands()).map(number).collect()
            })
        })
    }

    /// Whether both grow from the same roots, before they are carried to their heads.
    fn grows_where(&self, other: &Self) -> bool {
        let plain = |hair: &Self| GrowthInputs {
            head: HeadParams::default(),
            import: Default::default(),
            sequence: String::new(),
            ..hair.inputs.clone()
        };
        // A head that was read again may be another one in the same file.
        let own = self.inputs.import.head.is_empty() && other.inputs.import.head.is_empty();
        let (mine, its) = (&self.head.mesh, &other.head.mesh);
        let as_before = !own || mine.triangles == its.triangles && mine.positions == its.positions;
        as_before
            && home(&self.inputs) == home(&other.inputs)
            && plain(self).keeps_strands_of(&plain(other))
    }
}

/// The head that hair was made for: its own parameters, and the sequence in its place.
fn home(inputs: &GrowthInputs) -> (HeadParams, &str) {
    match inputs.import.made_for() {
        Some(head) => (head, ""),
        None => (inputs.head.clone(), &inputs.sequence),
    }
}

/// Whether hand work on the hair of one scene can be carried to that of another: on whatever
/// head, from whatever roots, if it is read from the same file or none, and tied alike.
pub fn can_carry(from: &Scene, to: &Scene) -> bool {
    from.import.file == to.import.file && from.groom.tie == to.groom.tie
}

#[cfg(test)]
mod tests;
