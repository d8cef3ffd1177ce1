//! A vertex that is pulled to a place.

use glam::Vec3;

/// Something that pulls one vertex of one strand to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The strand's lane in its block.
    pub lane: usize,
    /// The vertex.
    pub row: usize,
    /// Where it should go, in the world. `[m]`
    pub target: Vec3,
    /// How strongly.
    pub hold: AttachmentKind,
}

/// How strongly a [`Attachment`] pulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachmentKind {
    /// Like a hand: softly, and never harder than thirty times the strand's weight.
    Hand,
    /// As good as fixed.
    Pin,
}
