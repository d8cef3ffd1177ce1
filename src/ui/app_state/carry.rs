//! What was cut, combed and pinned goes along to other hair: on another head, from other
//! roots, as soon as that is there.

use super::{AppState, change::NEW_HAIR};
use crate::{
    project::{
        document::HistoryStep,
        scene::{HandworkLoss, Scene},
        worked_hair::{WorkedHair, can_carry},
    },
    session::{jobs::Queue, outcome::JobOutcome, sim_handle::BuildResult},
    sim::hand::Handwork,
    ui::hand::carry::WorkOnHair,
};
use std::sync::Arc;

/// What was built, as hair that hand work is carried from and to.
fn hair(built: &BuildResult) -> WorkedHair {
    let file = built.bound.as_ref().map(|bound| &bound.file);
    let BuildResult {
        scene,
        head,
        body,
        groom,
        ..
    } = built;
    WorkedHair::new(scene, head, body, groom, file)
}

impl AppState {
    /// Lets the hand work of `before`, which the scene has dropped for other hair, wait for
    /// that hair; false where it cannot be carried there.
    pub(super) fn keep_handwork(&mut self, before: &Scene) -> bool {
        if !can_carry(before, self.document.scene()) {
            return false;
        }
        let origin = self.ui.hand.carry.origin_of(&before.handwork);
        let origin = origin.filter(|origin| origin.hair.can_go_to(self.document.scene()));
        let built = self.session.built();
        let stands = built.filter(|built| built.scene.grows_like(before));
        let here = || {
            Some(WorkOnHair {
                hair: Arc::new(hair(stands?)),
                work: before.handwork.clone(),
            })
        };
        let Some(work) = origin.or_else(here) else {
            return false;
        };
        self.ui.hand.carry.wait(work);
        true
    }

    /// Carries hand work that has waited for the hair that is there now.
    pub(super) fn carry_handwork(&mut self, built: &Arc<BuildResult>) {
        let Some(waiting) = self.ui.hand.carry.waiting().cloned() else {
            return;
        };
        let scene = self.document.scene();
        if !built.scene.grows_like(scene) {
            // More is to come.
            return;
        }
        // Other hair may have been chosen since it began to wait.
        if !scene.handwork.is_empty() || !waiting.hair.can_go_to(scene) {
            return self.lose_handwork();
        }
        let (generation, built) = (built.generation, built.clone());
        let title = "Carrying cuts, combing and pins along".to_string();
        let job = self.start(Queue::Hand, title, move |progress| {
            progress.at("the hair that is there now", 0.0)?;
            let made = waiting.hair.carried(&waiting.work, &hair(&built));
            progress.go_on()?;
            Ok(JobOutcome::Carried(generation, made))
        });
        let before = self.ui.hand.carry.set_job(job);
        if let Some(before) = before {
            self.session.abandon_job(before);
        }
        // Strokes wait for it: they go on from what it makes.
        self.ui.hand.strokes.set_job(job);
        if job.is_none() {
            self.lose_handwork();
        }
    }

    /// Makes what was carried part of the scene, as part of the change that has brought
    /// other hair; unless that is gone by now.
    pub(super) fn take_carried(&mut self, generation: u64, made: Handwork) {
        self.ui.hand.carry.set_job(None);
        self.ui.hand.strokes.set_job(None);
        let Some(built) = self.session.shared_built() else {
            return self.lose_handwork();
        };
        let scene = self.document.scene();
        if built.generation != generation || !built.scene.grows_like(scene) {
            // Other hair is there, or wanted, by now: it goes there instead.
            return self.carry_handwork(&built);
        }
        if !scene.handwork.is_empty() {
            return self.lose_handwork();
        }
        let origin = self.ui.hand.carry.waiting();
        let read_again = origin.is_some_and(|origin| origin.hair.grows_like(scene));
        let told = self.ui.hand.carry.arrive(&made);
        let before = self.document.amend_handwork(made);
        let scene = self.document.scene();
        if scene.handwork.is_empty() {
            self.tell_loss(HandworkLoss::All);
        } else if told {
            // Undo brings no file back that has other contents now.
            let way_back = match read_again {
                true => "",
                false => " (Ctrl+Z brings the hair before back)",
            };
            self.ui.toasts.tell(format!(
                "{NEW_HAIR}: what was cut, combed and pinned is carried along{way_back}"
            ));
        }
        self.follow(&before);
        self.stroke_on();
    }

    /// Hair has changed from that of `before`, perhaps to what stands already: then nothing new
    /// comes that what waits could be carried to.
    pub(super) fn carry_to_what_stands(&mut self, before: &Scene) {
        let scene = self.document.scene();
        if self.ui.hand.carry.waiting().is_none() || scene.grows_like(before) {
            return;
        }
        if let Some(built) = self.session.shared_built() {
            self.carry_handwork(&built);
        }
    }

    /// A step of undo or redo was made. What waits goes on waiting, unless the step has changed
    /// hand work; what the step has dropped for other hair waits for that.
    pub(super) fn walk_handwork(&mut self, step: &HistoryStep) {
        if step.crossed {
            return self.lose_handwork();
        }
        let (before, scene) = (&step.before, self.document.scene());
        if scene.handwork == before.handwork {
            return;
        }
        let dropped = scene.handwork.is_empty() && !scene.grows_like(before);
        self.forget_carry();
        if dropped && !self.keep_handwork(before) {
            self.tell_loss(HandworkLoss::All);
        }
    }

    /// Whether hand work has still to be carried to the hair, before which no pin is set or
    /// removed; says so.
    pub(super) fn waits_for_carry(&mut self) -> bool {
        let waits = self.ui.hand.carry.waiting().is_some();
        if waits {
            let text = "Cuts, combing and pins are still being carried to this hair; set and \
                        remove pins once they are there";
            self.ui.toasts.tell(text);
        }
        waits
    }

    /// What waited is lost.
    pub(super) fn lose_handwork(&mut self) {
        if self.ui.hand.carry.waiting().is_some() {
            self.forget_carry();
            self.tell_loss(HandworkLoss::All);
        }
        self.stroke_on();
    }

    /// Nothing waits for other hair any more.
    pub(super) fn forget_carry(&mut self) {
        if let Some(number) = self.ui.hand.carry.forget() {
            if self.ui.hand.strokes.is_done_by(number) {
                self.ui.hand.strokes.set_job(None);
            }
            self.session.abandon_job(number);
        }
    }

    /// Says what of hand work other hair has cost.
    pub(super) fn tell_loss(&mut self, loss: HandworkLoss) {
        let text = format!("{NEW_HAIR}: {loss} (Ctrl+Z brings it back)");
        self.ui.toasts.tell(text);
    }
}

#[cfg(test)]
mod tests;
