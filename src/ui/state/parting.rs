//! A parting is drawn: a stroke over the head, from which hair then falls to
//! both sides.

use super::AppState;
use crate::{mesh::Parting, ui::pick_ray::PickRay};
use glam::Vec3;

/// Points of a stroke are at least so far apart. `[m]`
const APART: f32 = 0.002;

impl AppState {
    /// Whether the next stroke over the head is a parting.
    pub fn parts(&self) -> bool {
        self.parts
    }

    /// The stroke so far, in the head's space. `[m]`
    pub fn parting(&self) -> &[Vec3] {
        &self.stroke
    }

    pub(super) fn toggle_parting(&mut self) {
        self.parts ^= true;
        self.stroke.clear();
    }

    /// The place of the head that `sight` sees; none beside it. `[m]`
    pub fn seen_on_head(&self, sight: &PickRay) -> Option<Vec3> {
        let (built, pose) = (self.session.built()?, self.session.now().pose);
        let depth = sight.head_distance(&built.body, &pose);
        depth
            .is_finite()
            .then(|| pose.inverse_point(sight.at(depth)))
    }

    pub(super) fn part_at(&mut self, place: Vec3) {
        let far = |last: &Vec3| last.distance(place) >= APART;
        if self.parts && self.stroke.last().is_none_or(far) {
            self.stroke.push(place);
        }
    }

    /// The stroke is done: hair parts there.
    pub(super) fn end_parting(&mut self) {
        if self.stroke.is_empty() {
            return;
        }
        let stroke = std::mem::take(&mut self.stroke);
        let Some(built) = self.session.built() else {
            return;
        };
        let parting = Parting::of(&stroke, &built.body.mesh);
        if !parting.is_drawn() {
            self.toasts
                .tell("Draw the parting as a line over the head, from the face to the crown");
            return;
        }
        self.parts = false;
        self.change(|scene| {
            scene.roots.parting = parting.to_string();
            // Hair from a file has no parting.
            scene.import.file.clear();
            Ok(())
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::{command::Command, state::AppState};
    use glam::Vec3;

    #[test]
    fn a_stroke_becomes_a_parting_and_is_one_step_to_undo() {
        let mut program = AppState::small();
        let begun = std::time::Instant::now();
        while program.session.built().is_none() {
            program.poll();
            assert!(begun.elapsed().as_secs() < 60, "waited in vain for a head");
        }
        program.perform(Command::PartAt(Vec3::Y));
        assert!(program.parting().is_empty(), "nobody draws");
        program.perform(Command::Part);
        for i in 0..30 {
            let z = 0.08 - 0.004 * i as f32;
            program.perform(Command::PartAt(Vec3::new(0.03, 0.1, z)));
        }
        assert_eq!(program.parting().len(), 30);
        program.release();
        let text = program.scene().roots.parting.clone();
        assert!(text.split(';').count() > 5, "{text}");
        assert!(!program.parts() && program.parting().is_empty());
        program.perform(Command::Undo);
        assert_eq!(program.scene().roots.parting, "");
    }
}
