//! How the person stands whose head it is.

use glam::DQuat;

/// How a whole person is turned, beyond what the neck does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// In the world; unit quaternion.
    pub rotation: DQuat,
    /// Whether the head's own motion is one of the whole person, as turning round
    /// and round is.
    pub whole: bool,
}
