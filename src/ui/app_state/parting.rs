//! A parting is drawn: a stroke over the head, from which hair then falls to
//! both sides.

use super::AppState;
use crate::mesh::Parting;

impl AppState {
    /// The stroke is done: hair parts there.
    pub(super) fn end_parting(&mut self) {
        let stroke = self.ui.hand.parting.take_stroke();
        if stroke.is_empty() {
            return;
        }
        let Some(built) = self.session.built() else {
            return;
        };
        let parting = Parting::of(&stroke, &built.body.mesh);
        if !parting.is_drawn() {
            self.ui
                .toasts
                .tell("Draw the parting as a line over the head, from the face to the crown");
            return;
        }
        self.ui.hand.parting.on = false;
        self.change(|scene| {
            scene.roots.parting = parting.to_string();
            // Hair from a file has no parting.
            scene.import.file.clear();
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::{app_state::AppState, command::Command};
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
        assert!(program.ui.hand.parting.stroke().is_empty(), "nobody draws");
        program.perform(Command::Part);
        for i in 0..30 {
            let z = 0.08 - 0.004 * i as f32;
            program.perform(Command::PartAt(Vec3::new(0.03, 0.1, z)));
        }
        assert_eq!(program.ui.hand.parting.stroke().len(), 30);
        program.release();
        let text = program.document.scene().roots.parting.clone();
        assert!(text.split(';').count() > 5, "{text}");
        assert!(!program.ui.hand.parting.on && program.ui.hand.parting.stroke().is_empty());
        program.perform(Command::Undo);
        assert_eq!(program.document.scene().roots.parting, "");
    }
}
