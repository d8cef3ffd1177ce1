//! Head and hair as they come from the simulation's thread.

use super::{AppState, righting::differs_by_righting};
use crate::session::sim_handle::BuildResult;

impl AppState {
    pub(super) fn take_head(&mut self) {
        self.ui.keyed.working = false;
        self.ui.camera = self.camera_now();
    }

    /// Head and hair are there; `before` is what there was.
    pub(super) fn take_built(&mut self, before: Option<&BuildResult>, other_head: bool) {
        let Some(built) = self.session.shared_built() else {
            return;
        };
        self.document.settle();
        self.ui.toasts.forgive();
        let turned = before.is_some_and(|old| {
            old.sequence == built.sequence
                && differs_by_righting(&old.head_params, &built.head_params)
        });
        if other_head {
            self.forget_head(before);
            if before.is_none() {
                self.take_head();
                // A scene may say where the camera is.
                if self.document.scene().camera.distance == 0.0 {
                    self.take_in_hair();
                }
            } else if turned {
                // What is looked at stays in the picture.
                self.place_camera(|_| ());
            } else {
                self.frame_head();
                self.ui.toasts.tell(built.head.report.summary.clone());
                if let Some(footage) = &built.body.footage {
                    self.ui.toasts.tell(footage.summary());
                }
            }
            self.tell_head(&built);
        }
        self.tell_groom(&built, before);
        self.carry_handwork(&built);
        // Another head of hair has other strands. A stroke of paint goes on, or it
        // would end as soon as the hair that it has changed is there.
        self.ui.picked = None;
        if other_head || !self.ui.hand.tool.paints() {
            self.ui.hand.drag = None;
        }
    }

    /// What was said of the head before is no longer so.
    fn forget_head(&mut self, before: Option<&BuildResult>) {
        let Some(old) = before else { return };
        let name = &old.head.report.name;
        self.ui.toasts.retract(&format!("{name}: "));
    }

    fn frame_head(&mut self) {
        let bounds = self.session.bounds();
        self.place_camera(|camera| camera.frame(bounds));
        self.take_in_hair();
    }

    /// Lets the camera go back where the hair that has come does not fit into the picture.
    fn take_in_hair(&mut self) {
        let mut framed = self.ui.camera.clone();
        self.frame_hair(&mut framed);
        if framed != self.ui.camera {
            self.place_camera(|camera| *camera = framed);
        }
    }
}
