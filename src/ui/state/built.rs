//! Head and hair as they come from the simulation's thread.

use super::{AppState, righting::differs_by_righting};
use crate::{
    mesh::LoadedHead,
    render::{Camera, HeadParts},
    session::sim_handle::BuildResult,
};
use std::sync::Arc;

impl AppState {
    pub(super) fn take_head(&mut self, head: &LoadedHead, parts: Arc<HeadParts>) {
        self.bounds = head.mesh.bounds();
        self.camera = Camera::new(&self.document.scene().camera, self.bounds);
        self.head = Some(parts);
    }

    pub(super) fn take_built(&mut self, built: BuildResult) {
        (self.building, self.head) = (false, None);
        self.document.settle();
        self.toasts.forgive();
        let other_head = self.built.as_ref().is_none_or(|old| {
            (&old.head_params, &old.sequence) != (&built.head_params, &built.sequence)
        });
        let turned = self.built.as_ref().is_some_and(|old| {
            old.sequence == built.sequence
                && differs_by_righting(&old.head_params, &built.head_params)
        });
        if other_head {
            self.forget_head();
            let first = self.built.is_none();
            self.bounds = built.head.mesh.bounds();
            if first {
                self.camera = Camera::new(&self.document.scene().camera, self.bounds);
            } else if turned {
                // What is looked at stays in the picture.
                self.look(|_| ());
            } else {
                self.frame_head();
                self.toasts.tell(built.head.report.summary.clone());
                if let Some(footage) = &built.body.footage {
                    self.toasts.tell(footage.summary());
                }
            }
            self.tell_head(&built);
        }
        self.tell_groom(&built);
        // Another head of hair has other strands. A stroke of paint goes on, or it
        // would end as soon as the hair that it has changed is there.
        self.picked = None;
        if other_head || !self.tool.paints() {
            self.work = None;
        }
        self.planted = Some(built.drawing.planted.clone());
        if let Some((number, _)) = self.planting.take() {
            self.jobs.abandon(number);
        }
        self.built = Some(Arc::new(built));
    }

    /// What was said of the head before is no longer so.
    fn forget_head(&mut self) {
        let Some(old) = &self.built else { return };
        let report = &old.head.report;
        self.toasts.retract(&format!("{}: ", report.name));
        for warning in &report.warnings {
            self.toasts.retract(warning);
        }
    }

    fn frame_head(&mut self) {
        let bounds = self.bounds;
        self.look(|camera| camera.frame(bounds));
    }
}
