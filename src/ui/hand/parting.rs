//! The pen that draws a parting over the head.

use glam::Vec3;

/// Points of a stroke are at least so far apart. `[m]`
const APART: f32 = 0.002;

/// Whether the next stroke over the head is a parting, and that stroke.
#[derive(Clone, Debug, Default)]
pub struct PartingPen {
    /// Whether it is in hand.
    pub on: bool,
    stroke: Vec<Vec3>,
}

impl PartingPen {
    /// Takes it, or puts it away.
    pub fn toggle(&mut self) {
        self.on ^= true;
        self.stroke.clear();
    }

    /// Puts it away; false where it was not in hand.
    pub fn put_away(&mut self) -> bool {
        self.stroke.clear();
        std::mem::take(&mut self.on)
    }

    /// It touches the head there, in the head's space. `[m]`
    pub fn touch(&mut self, place: Vec3) {
        let far = |last: &Vec3| last.distance(place) >= APART;
        if self.on && self.stroke.last().is_none_or(far) {
            self.stroke.push(place);
        }
    }

    /// The stroke so far, in the head's space. `[m]`
    pub fn stroke(&self) -> &[Vec3] {
        &self.stroke
    }

    /// Takes the stroke, for another one to begin.
    pub fn take_stroke(&mut self) -> Vec<Vec3> {
        std::mem::take(&mut self.stroke)
    }
}
