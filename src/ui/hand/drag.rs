//! What the hand does while the left button is down.

use crate::{
    project::sides::Side,
    sim::{attachment::AttachmentKind, hand::Grab},
    ui::{mirror_plane::MirrorPlane, pick_ray::PickRay},
};
use glam::Vec3;

/// What the mouse is doing to the hair.
pub struct HandDrag {
    /// The side that it works on.
    pub side: Side,
    /// What was seen at the cursor when it began, and is now.
    first: PickRay,
    last: PickRay,
    /// How far away the hair is. `[m]`
    pub depth: f32,
    pulled: Vec<PulledStrand>,
}

/// A vertex that the hand pulls.
pub struct PulledStrand {
    /// Its strand.
    pub strand: usize,
    /// Which one of that it is.
    pub vertex: usize,
    /// Where it was. `[m]`
    pub from: Vec3,
    /// How much of the hand's way it goes along.
    pub share: f32,
    /// Whether it goes the way on the other side of that.
    pub mirrored: Option<MirrorPlane>,
}

impl HandDrag {
    /// One that begins at `sight`, over hair so far away `[m]`; `pulled` is what it
    /// holds.
    pub fn begin(side: Side, sight: &PickRay, depth: f32, pulled: Vec<PulledStrand>) -> Self {
        Self {
            side,
            first: *sight,
            last: *sight,
            depth,
            pulled,
        }
    }

    /// The cursor has moved; what was seen there before.
    pub fn go_to(&mut self, sight: &PickRay) -> PickRay {
        std::mem::replace(&mut self.last, *sight)
    }

    /// The vertices in the hand.
    pub fn pulled(&self) -> &[PulledStrand] {
        &self.pulled
    }

    /// The same, where the hand wants them.
    pub fn grabs(&self) -> Vec<Grab> {
        let grab = |pulled: &PulledStrand| {
            let follow = |from| self.first.follow(from, &self.last);
            let to = match &pulled.mirrored {
                Some(plane) => plane.point(follow(plane.point(pulled.from))),
                None => follow(pulled.from),
            };
            Grab {
                strand: pulled.strand,
                vertex: pulled.vertex,
                place: pulled.from + (to - pulled.from) * pulled.share,
                on_head: false,
                kind: AttachmentKind::Hand,
            }
        };
        self.pulled.iter().map(grab).collect()
    }
}
