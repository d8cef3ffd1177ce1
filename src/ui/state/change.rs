//! Changes of the scene, and their way back.

use super::AppState;
use crate::{
    param::{Params as _, Value},
    project::{
        history::{COLLIDERS, History, ParamPlace},
        scene::Scene,
    },
    render::{Camera, CameraParams},
    session::sim_handle::SimCommand,
    sim::MotionPreset,
};

/// How the message begins that work done by hand does not fit other hair.
pub(super) const NEW_HAIR: &str = "New hair";

impl AppState {
    /// Changes the scene, and remembers the change.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Scene) -> Result<(), String>) {
        self.change_at(None, false, change);
    }

    pub(super) fn change_at(
        &mut self,
        place: Option<ParamPlace>,
        held: bool,
        change: impl FnOnce(&mut Scene) -> Result<(), String>,
    ) {
        let before = self.scene.clone();
        if let Err(message) = change(&mut self.scene) {
            self.scene = before;
            self.toasts.error(message);
            return;
        }
        if self.scene.drop_handwork(&before) {
            self.dropped = Some(before.handwork.clone());
            self.toasts.tell(format!(
                "{NEW_HAIR}: what was cut, combed and pinned is gone (Ctrl+Z brings it back)"
            ));
        }
        self.history.record(&before, &self.scene, place, held);
        self.follow(&before);
    }

    pub(super) fn walk(&mut self, step: impl Fn(&mut History, &mut Scene) -> bool, nothing: &str) {
        self.forget_strokes();
        let before = self.scene.clone();
        if step(&mut self.history, &mut self.scene) {
            if let Some(document) = self.history.take_crossed() {
                self.toasts
                    .tell(format!("This is {} again", document.called()));
                self.document = document;
                self.opened += 1;
            }
            self.follow(&before);
        } else {
            self.toasts.tell(nothing);
        }
    }

    /// Whether a fault has ended the simulation's thread.
    pub fn is_stopped(&self) -> bool {
        self.worker.is_over()
    }

    /// Starts the simulation anew with the scene as it is now.
    pub(super) fn start_again(&mut self) {
        match (self.spawn)(self.scene.clone()) {
            Ok(worker) => {
                self.worker = worker;
                self.building = true;
                self.playing = None;
                self.worker.order(SimCommand::Pause(self.paused));
                self.toasts.retract("the simulation stopped");
            }
            Err(error) => self
                .toasts
                .error(format!("the simulation cannot start again: {error}")),
        }
    }

    /// Lets camera and simulation follow a changed scene.
    pub(super) fn follow(&mut self, before: &Scene) {
        if self.scene.camera != before.camera {
            self.glide.halt();
            self.camera = Camera::new(&self.scene.camera, self.bounds);
        }
        self.weigh();
        if self.is_stopped() && self.scene != *before {
            self.ready = None;
            return self.start_again();
        }
        let scene = Box::new(self.scene.clone());
        match self.ready.take() {
            Some(ready) => self.worker.order(SimCommand::Ready(scene, ready)),
            None if self.scene != *before => self.worker.order(SimCommand::Scene(scene)),
            None => {}
        }
    }
}

/// Lets what is looked at keep its size in the picture after the field of view
/// has changed from `before` `[°]`, where that is wanted. A camera that frames
/// the head by itself does so anyway.
pub(super) fn keep_size(camera: &mut CameraParams, before: f32) {
    let half = |fov: f32| (0.5 * fov.to_radians()).tan();
    if camera.dolly && camera.fov != before {
        let distance = camera.distance * half(before) / half(camera.fov);
        camera.distance = distance.clamp(0.0, 50.0);
    }
}

/// The head is no animated one any more.
pub(super) fn drop_sequence(scene: &mut Scene) {
    let motion = &mut scene.sim.motion;
    motion.sequence.clear();
    if motion.preset == MotionPreset::Sequence {
        motion.preset = MotionPreset::None;
    }
}

/// Sets the tunable at that place.
pub(super) fn set(
    scene: &mut Scene,
    (section, index): ParamPlace,
    value: Value,
) -> Result<(), String> {
    if let Some(row) = section.checked_sub(COLLIDERS) {
        return match scene.sim.colliders.get_mut(row) {
            Some(body) => body.set(index, value).map_err(|error| error.to_string()),
            None => Ok(()),
        };
    }
    match scene.sections_mut().into_iter().nth(section) {
        Some(section) => section.set(index, value).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}
