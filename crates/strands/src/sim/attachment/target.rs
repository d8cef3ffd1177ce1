//! A vertex that is pulled to a place.

use crate::math::Pose;
use glam::Vec3;

/// Something that pulls one vertex of one strand to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The strand's lane in its block.
    pub lane: usize,
    /// The vertex.
    pub row: usize,
    /// Where it should go, `[m]`: in the head's space if it goes with the head, or else
    /// in the world.
    place: Vec3,
    on_head: bool,
    /// Where that is in the world when the substep ends. `[m]`
    pub target: Vec3,
    /// How strongly.
    pub kind: AttachmentKind,
}

impl Attachment {
    /// Pulls the vertex `row` of the strand in `lane` to `place` in the world. `[m]`
    pub fn in_world([lane, row]: [usize; 2], place: Vec3, kind: AttachmentKind) -> Self {
        Self {
            lane,
            row,
            place,
            on_head: false,
            target: place,
            kind,
        }
    }

    /// Pulls it to `place` in the space of a head that is at `pose` now, and goes with
    /// that. `[m]`
    pub fn on_head(at: [usize; 2], place: Vec3, kind: AttachmentKind, pose: &Pose) -> Self {
        Self {
            on_head: true,
            target: pose.point(place),
            ..Self::in_world(at, place, kind)
        }
    }

    /// Where it pulls to when the head is at `pose`, in the world. `[m]`
    pub fn at(&self, pose: &Pose) -> Vec3 {
        match self.on_head {
            true => pose.point(self.place),
            false => self.place,
        }
    }

    /// Goes with the head to `pose`.
    pub fn follow(&mut self, pose: &Pose) {
        self.target = self.at(pose);
    }

    /// Pulls to `target` in the world instead when the head is at `pose`. `[m]`
    pub fn move_to(&mut self, target: Vec3, pose: &Pose) {
        self.target = target;
        self.place = match self.on_head {
            true => pose.inverse_point(target),
            false => target,
        };
    }
}

/// How strongly a [`Attachment`] pulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachmentKind {
    /// Like a hand: softly, and never harder than thirty times the strand's weight.
    Hand,
    /// As good as fixed.
    Pin,
}
