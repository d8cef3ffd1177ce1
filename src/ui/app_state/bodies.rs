//! What commands do to the bodies beside the head.

use super::AppState;
use crate::{
    project::history::ChangeTarget,
    sim::collider::{Collider, Shape, fit},
    ui::bodies::{list::title, selection::BodySelection},
};
use glam::Vec3;

impl AppState {
    pub(super) fn add_body(&mut self, kind: Shape) {
        let [low, high] = self.session.bounds();
        let size = (high - low).max_element().clamp(0.05, 2.0);
        let count = self.document.scene().sim.colliders.len();
        let mut body = Collider {
            kind,
            name: format!("{} {}", kind.name(), count + 1),
            ..Collider::default()
        };
        // Beside the face, where it can be seen.
        let aside = Vec3::new(0.5 * (high.x - low.x) + 0.2 * size, 0.0, 0.0);
        body.scale(Vec3::splat(size / 0.35));
        body.move_to(low.midpoint(high) + aside);
        self.push_body(body);
    }

    pub(super) fn copy_body(&mut self, row: usize) {
        let Some(mut body) = self.document.scene().sim.colliders.get(row).cloned() else {
            return;
        };
        body.name = format!("{} copy", title(row, &body));
        let place = body.place().centre.as_vec3();
        body.move_to(place + Vec3::splat(0.02));
        self.push_body(body);
    }

    fn push_body(&mut self, body: Collider) {
        self.change(|scene| scene.sim.colliders.push(body));
        let last = self.document.scene().sim.colliders.len().checked_sub(1);
        self.ui.bodies = BodySelection {
            shown: true,
            row: last,
        };
    }

    pub(super) fn delete_body(&mut self, row: usize) {
        self.change(|scene| {
            if row < scene.sim.colliders.len() {
                scene.sim.colliders.remove(row);
            }
        });
        self.ui.bodies.row = None;
    }

    pub(super) fn place_body(&mut self, row: usize, body: Collider, held: bool) {
        self.change_at(Some(ChangeTarget::Collider(row)), held, |scene| {
            if let Some(old) = scene.sim.colliders.get_mut(row) {
                *old = body;
            }
        });
    }

    pub(super) fn fit_bodies(&mut self) {
        let Some(built) = self.session.built() else {
            return;
        };
        let fitted = fit::fit(&built.head.mesh);
        let Some(fitted) = fitted else {
            let text = "No head and neck were found in this mesh; add bodies by hand";
            self.ui.toasts.error(text);
            return;
        };
        let count = fitted.len();
        self.change(|scene| {
            let colliders = &mut scene.sim.colliders;
            colliders.retain(|old| !fitted.iter().any(|new| new.name == old.name));
            colliders.extend(fitted);
        });
        self.ui.bodies = BodySelection::default();
        self.ui
            .toasts
            .tell(format!("Fitted {count} bodies to the head"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::Command;

    #[test]
    fn everything_that_is_done_to_bodies_is_taken_back_step_by_step() {
        let mut program = AppState::small();
        let mut states = vec![program.document.scene().clone()];
        let mut note = |program: &AppState| states.push(program.document.scene().clone());
        program.perform(Command::AddBody(Shape::Ellipsoid));
        note(&program);
        program.perform(Command::CopyBody(0));
        assert_eq!(
            (
                program.document.scene().sim.colliders.len(),
                program.ui.bodies.row
            ),
            (2, Some(1))
        );
        note(&program);
        // A drag of a handle, in many pieces.
        for step in 1..20 {
            let mut body = program.document.scene().sim.colliders[1].clone();
            body.move_to(Vec3::X * (0.01 * step as f32));
            let body = Box::new(body);
            program.perform(Command::PlaceBody {
                row: 1,
                body,
                held: true,
            });
        }
        program.release();
        note(&program);
        // And another one of the same body.
        let mut body = program.document.scene().sim.colliders[1].clone();
        body.scale(Vec3::splat(1.5));
        let body = Box::new(body);
        program.perform(Command::PlaceBody {
            row: 1,
            body,
            held: true,
        });
        program.release();
        note(&program);
        program.perform(Command::DeleteBody(0));
        note(&program);
        for wanted in states.iter().rev().skip(1) {
            program.perform(Command::Undo);
            assert_eq!(program.document.scene(), wanted);
        }
        for wanted in &states[1..] {
            program.perform(Command::Redo);
            assert_eq!(program.document.scene(), wanted);
        }
    }
}
