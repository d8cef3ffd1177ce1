//! What pulls on single vertices: the hand, and pins.

mod pull;
mod target;

pub use pull::{drawn, pin, place, pull};
pub use target::{Attachment, AttachmentKind};
