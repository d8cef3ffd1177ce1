//! What pulls on single vertices: the hand, and pins.

mod pull;
mod target;

pub use pull::{HAND_REACH, drawn, hand_stiffness, pin, pins, place, pull};
pub use target::{Attachment, AttachmentKind};
