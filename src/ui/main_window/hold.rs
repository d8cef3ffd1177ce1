//! What the mouse holds in the picture: a handle of the head, of the hair of a file or of a
//! body, or the pen that draws a parting.

use super::MainWindow;
use crate::ui::{
    app_state::AppState, bodies::GizmoDrag, command::Command, pick_ray, placing::PlacingDrag,
    righting, view_projection::ViewProjection,
};
use egui::pos2;
use glam::Vec3;

impl MainWindow {
    /// Takes the handle of the head or of a body under the cursor; false where there is none.
    pub(super) fn grab(&mut self, program: &mut AppState) -> bool {
        let place = self.pen_place(program);
        self.pen = place.is_some();
        if let Some(place) = place {
            program.perform(Command::PartAt(place));
            return true;
        }
        let [x, y] = self.gesture.at();
        let Some((_, part, rect)) = self.pointed() else {
            return false;
        };
        let (scene, pose) = (program.document.scene(), program.session.now().pose);
        let eye = ViewProjection::of(&program.ui.camera, self.picture.sides(), part, rect);
        let at = pos2(x, y);
        let (session, head) = (&program.session, &scene.head);
        self.righting = match program.ui.rights {
            true => righting::RightingDrag::begin(session, head, eye.clone(), at),
            false => None,
        };
        self.placing = match program.ui.places && self.righting.is_none() {
            true => PlacingDrag::begin(session, &scene.import, eye.clone(), at),
            false => None,
        };
        if self.righting.is_none() && self.placing.is_none() {
            let (bodies, selection) = (&scene.sim.colliders, program.ui.bodies);
            self.pull = GizmoDrag::begin(bodies, selection, pose, eye, at);
        }
        self.righting.is_some() || self.placing.is_some() || self.pull.is_some()
    }

    /// The mouse has moved: what the head or the body whose handle is held
    /// should be.
    pub(super) fn pulled(&self, program: &AppState) -> Option<Command> {
        if self.pen {
            return self.pen_place(program).map(Command::PartAt);
        }
        let even = self.modifiers.shift_key();
        if let Some(pull) = &self.righting {
            return pull.to(program.document.scene(), self.gesture.at(), even);
        }
        if let Some(pull) = &self.placing {
            return Some(pull.to(self.gesture.at(), even));
        }
        let pull = self.pull.as_ref()?;
        Some(pull.to(self.gesture.at(), even))
    }

    /// Where a pen touches the head, while a parting is drawn. `[m]`
    fn pen_place(&self, program: &AppState) -> Option<Vec3> {
        let alt = self.modifiers.alt_key();
        let (_, sight) = self
            .sight(program)
            .filter(|_| program.ui.hand.parting.on && !alt)?;
        pick_ray::on_head(&program.session, &sight).map(|hit| hit.at_rest)
    }

    /// Lets go of the handle; false where none was held.
    pub(super) fn let_go(&mut self) -> bool {
        let head = self.righting.take().is_some() || std::mem::take(&mut self.pen);
        let hair = self.placing.take().is_some();
        self.pull.take().is_some() || hair || head
    }
}
