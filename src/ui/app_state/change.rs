//! Changes of the scene, and their way back.

use super::{AppState, tracks::change_keyed};
use crate::{
    param::{Tracks, Value},
    project::{
        document::{Document, HistoryStep, set_param},
        history::ChangeTarget,
        scene::{HandworkLoss, Scene},
    },
    ui::named_value::changed_values,
};

/// How the message begins that work done by hand does not fit other hair.
pub(super) const NEW_HAIR: &str = "New hair";

/// How the messages begin that say what a step of undo and redo has brought back.
const UNDONE: &str = "Undone, back to ";
const DONE_AGAIN: &str = "Done again: ";

impl AppState {
    /// Changes the scene, and remembers the change.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Scene)) {
        self.change_at(None::<ChangeTarget>, false, change);
    }

    /// The same of that target; `held` while more of it may follow.
    pub(super) fn change_at(
        &mut self,
        target: Option<impl Into<ChangeTarget>>,
        held: bool,
        change: impl FnOnce(&mut Scene),
    ) {
        self.try_change_at(target.map(Into::into), held, |scene| {
            change(scene);
            Ok(())
        });
    }

    /// The same; what is refused changes nothing, and its sentence is shown.
    pub(super) fn try_change_at(
        &mut self,
        target: Option<ChangeTarget>,
        held: bool,
        change: impl FnOnce(&mut Scene) -> Result<(), String>,
    ) {
        let changed = match self.document.scene().sim.tracks.keys.is_empty() {
            true => self.document.change(target, held, change),
            false => {
                let there = (self.key_time(), self.time_unit());
                let before = self.keys_before_change(target, held);
                let keyed = |scene: &mut Scene| change_keyed(scene, &before, there, change);
                let changed = self.document.change(target, held, keyed);
                if target.is_none() {
                    self.keep_beside_drag(&before);
                }
                changed
            }
        };
        match changed {
            Ok(changed) => {
                if let Some(loss) = changed.dropped
                    && !(loss == HandworkLoss::All && self.keep_handwork(&changed.before))
                {
                    self.tell_loss(loss);
                }
                self.follow(&changed.before);
                self.tell_drawn_out_curls(&changed.before);
                self.carry_to_what_stands(&changed.before);
            }
            Err(message) => self.ui.toasts.error(message),
        }
    }

    /// All keys but for the one that a drag of `target` has set so far.
    fn keys_before_change(&mut self, target: Option<ChangeTarget>, held: bool) -> Tracks {
        match target {
            None => self.keys_before(None, held),
            Some(ChangeTarget::Tunable(place)) => self.keys_before(Some(place), held),
            // What has no keys sets none; the drag of a number is over.
            Some(
                ChangeTarget::ColliderTunable { .. }
                | ChangeTarget::Collider(_)
                | ChangeTarget::Placing
                | ChangeTarget::Strokes,
            ) => {
                self.ui.keyed.drag = None;
                self.document.scene().sim.tracks.keys.clone()
            }
        }
    }

    /// Switches a tunable that is on or off.
    pub(super) fn toggle(&mut self, name: &str) {
        let scene = self.document.scene();
        let Some(place) = scene.place(name) else {
            return;
        };
        let (params, sim) = (scene.sections()[place.0], scene.sim.clone());
        let on = params.get(place.1) != Value::Bool(true);
        let title = params.tunables()[place.1].label;
        self.try_change_at(None, false, |scene| {
            set_param(scene, place, Value::Bool(on))
        });
        // What moves the hair is not seen at once.
        if self.document.scene().sim != sim {
            let word = if on { "on" } else { "off" };
            self.ui.toasts.tell(format!("{title} {word}"));
        }
    }

    /// Takes the last change back.
    pub(super) fn undo(&mut self) {
        self.walk(Document::undo, true);
    }

    /// Makes the change again that was taken back last.
    pub(super) fn redo(&mut self) {
        self.walk(Document::redo, false);
    }

    /// A step of undo, or of redo.
    fn walk(&mut self, step: impl Fn(&mut Document) -> Option<HistoryStep>, undo: bool) {
        let (done, nothing) = match undo {
            true => (UNDONE, "Nothing to undo"),
            false => (DONE_AGAIN, "Nothing to redo"),
        };
        self.forget_strokes();
        let Some(step) = step(&mut self.document) else {
            return self.ui.toasts.tell(nothing);
        };
        // What is being made for the scene as it was would be an edit after this one.
        self.session.cancel_build();
        self.session.forget_choice();
        self.walk_handwork(&step);
        for earlier in [UNDONE, DONE_AGAIN] {
            self.ui.toasts.retract(earlier);
        }
        if step.crossed {
            let name = self.document.file().called();
            self.ui.toasts.tell(format!("This is {name} again"));
        } else {
            let now = self.document.scene();
            if let Some(values) = changed_values(&step.before, now, undo) {
                self.ui.toasts.tell(format!("{done}{values}"));
            }
        }
        self.follow(&step.before);
        self.tell_drawn_out_curls(&step.before);
        self.carry_to_what_stands(&step.before);
        if step.crossed {
            self.forget_document();
        }
    }

    /// Starts the simulation anew with the scene as it is now.
    pub(super) fn start_again(&mut self) {
        match self.session.start_again(self.document.scene()) {
            Ok(()) => self.ui.toasts.retract("the simulation stopped"),
            Err(error) => self
                .ui
                .toasts
                .error(format!("the simulation cannot start again: {error}")),
        }
    }

    /// Lets camera and simulation follow a changed scene.
    pub(super) fn follow(&mut self, before: &Scene) {
        let picture_time = self.picture_time();
        self.ui.keyed.follow(self.document.scene(), picture_time);
        self.show_changed_shot(before);
        if self.document.scene().camera != before.camera && !self.ui.keyed.working {
            self.ui.glide.halt();
            self.ui.camera = self.camera_now();
        }
        let (scene, opened) = (self.document.scene(), self.document.opened());
        if !self.session.follow(scene, before, opened) {
            self.start_again();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::Command;

    #[test]
    fn a_step_of_undo_says_what_it_has_brought_back() {
        let mut program = AppState::small();
        let on = program.document.scene().sim.wind.on;
        program.perform(Command::Toggle("wind.on"));
        program.perform(Command::Undo);
        let told = |on: bool| format!("wind {}", if on { "on" } else { "off" });
        let undone = format!("Undone, back to {}", told(on));
        assert!(program.ui.toasts.shows(&undone), "{undone}");
        program.perform(Command::Redo);
        assert!(!program.ui.toasts.shows("Undone"), "it is true no more");
        assert!(
            program
                .ui
                .toasts
                .shows(&format!("Done again: {}", told(!on)))
        );
    }
}
